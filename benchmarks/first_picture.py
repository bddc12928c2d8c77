"""How long a first look takes: an SVG of thousands of nodes, and the first picture of a view in JupyterLab.

    python benchmarks/first_picture.py --parts svg,view

svg    `save_plot` of openflights, 3,188 airports and their routes, without its layout.
view   from the start of a cell `view(G)`, G being Cora's largest part, to the first picture of all its nodes, in a
       kernel that has shown another graph before.
"""

from __future__ import annotations

import argparse
import time
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from browser import DRIVER, Notebook, chromium, running_lab
from graphs import available

from graphne_viz import datasets, graphne_layout
from graphne_viz.plotting.plot import save_plot

TURNS = 5

# Nodes are points, all of them in one call.
WATCH = """
window.pictures = {};
for (const name of ["drawArrays", "drawElements"]) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (mode, ...rest) {
    draw.call(this, mode, ...rest);
    if (mode === this.POINTS) window.pictures[rest[name === "drawArrays" ? 1 : 0]] ??= performance.now();
  };
}
window.timed = async (path, index, nodes) => {
  delete window.pictures[nodes];
  const begun = performance.now();
  await window.driver.run(path, index);
  while (window.pictures[nodes] === undefined) await new Promise(requestAnimationFrame);
  return window.pictures[nodes] - begun;
};
"""

PRELUDE = """
import networkx as nx
from graphne_viz import datasets
from graphne_viz.viewer.view import view
G = datasets.load("cora")
"""


def print_svg():
    """Print how long an SVG takes."""
    if not available(["openflights"]):
        return
    graph = datasets.load("openflights")
    pos = np.asarray(graphne_layout(graph))
    seconds, of_cpu = [], []
    for _ in range(TURNS):
        begun, used, stream = time.perf_counter(), time.process_time(), BytesIO()
        save_plot(stream, graph, pos, file_format="svg")
        seconds.append(time.perf_counter() - begun)
        of_cpu.append(time.process_time() - used)
    size = len(stream.getvalue()) / 1e6
    print(f"SVG of {graph.n_nodes:,} nodes and {graph.n_edges:,} edges, {size:.1f} MB, s (at most 3): ", end="")
    print(
        f"the first {seconds[0]:.2f}, median {median(seconds):.2f}; of CPU {of_cpu[0]:.2f}, {median(of_cpu):.2f}",
        flush=True,
    )


def print_view():
    """Print how long the first picture of a view takes."""
    if not available(["cora"]):
        return
    nodes = datasets.load("cora").n_nodes
    with TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 1000})
        context.add_init_script(path=DRIVER)
        context.add_init_script(WATCH)
        page = context.new_page()
        lab.show(page)
        notebook = Notebook(lab, page, lab.create("first", lab.own_kernel()))
        notebook.open()
        notebook.do(PRELUDE)
        notebook.run("w = view(nx.karate_club_graph())\nw")
        notebook.wait("w.run.state == 'finished'")
        times = []
        for _ in range(TURNS):
            index = notebook.add("w = view(G)\nw")
            times.append(page.evaluate("(all) => window.timed(...all)", [notebook.path, index, nodes]) / 1000)
            notebook.wait("w.run.state == 'finished'")
            notebook.do("w.close()")
    print(f"First picture of a view of {nodes:,} nodes, s from the cell's start (at most 1): ", end="")
    print(f"the first {times[0]:.2f}, median {median(times):.2f}, worst {max(times):.2f}", flush=True)


def main():
    """Print a line a part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default="svg,view")
    parts = parser.parse_args().parts.split(",")
    if "svg" in parts:
        print_svg()
    if "view" in parts:
        print_view()


if __name__ == "__main__":
    main()
