"""The viewer beside sigma and cosmos.gl in Chromium: JavaScript per update, memory and bytes to load."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from threading import Thread

import numpy as np
from browser import chromium
from graphs import clustered
from playwright.sync_api import Error as BrowserError

from graphne_viz.encoding.columns.node_columns import attribute_columns
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.transport.wire import encode_graph

ROOT = Path(__file__).parents[1]
SOURCES = Path(__file__).parent / "viewer"
BUNDLE = ROOT / "graphne_viz" / "viewer" / "static"
ESBUILD = ROOT / "js" / "node_modules" / ".bin" / "esbuild"

SIZES = {20_000: 45_000, 500_000: 2_500_000}
TARGETS = {20_000: 0.5, 500_000: 5.0}
OURS = "graphne_viz"
LIBRARIES = {
    "harness alone": "nothing.html",
    OURS: "ours.html",
    "sigma": "sigma.html",
    "cosmos.gl": "cosmos.html",
}
BEFORE, LIKE_BEFORE = "the earlier viewer", f"{OURS}, as the earlier one is set"
EARLIER = {BEFORE: "before.html", LIKE_BEFORE: "ours.html?plain"}
"""With ``--before``: a viewer of another checkout, and ours without what it did not do: names of classes on the map."""

OTHER_VIEWERS = {
    "sigma": "export { default as Sigma } from 'sigma'; export { UndirectedGraph } from 'graphology';",
    "cosmos.gl": "export { Graph } from '@cosmos.gl/graph';",
}

GAP = 50
"""Milliseconds between two updates at least."""

WARM = 60
"""Updates before any counts: by then the browser has compiled what it will."""

PATIENCE = 120
"""Seconds a turn may take before a library is given up; it has longer to start, which is not timed."""

STARTING = 300
"""Seconds."""

TURN = 15
"""Seconds after which a turn ends."""

MOST_TEXT = 80
"""Characters of an error."""


@dataclass
class Figures:
    """What was measured of one library on one graph; milliseconds per update, bytes."""

    ours: bool = False
    samples: list[dict[str, float]] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    task: list[float] = field(default_factory=list)
    heap: float = 0.0
    buffers: float = 0.0
    problem: str = ""

    def middle(self, what):
        """Median over all updates."""
        return median(sample[what] for sample in self.samples)

    @property
    def cost(self):
        """Milliseconds an update, up to its first picture."""
        return self.middle("drawn")


def make_graph(n_nodes, n_edges, n_frames=6):
    """Return what the pages fetch: a graph of clusters and some frames of a layout that grows."""
    rng = np.random.default_rng(0)
    clusters = np.sort(rng.integers(0, 40, n_nodes))
    graph = as_graph(clustered(n_nodes, n_edges))
    # What `view` takes without a word: the one attribute that is a class for colours and names, the degree for sizes.
    names = np.array([f"cluster {k}" for k in clusters[: graph.n_nodes]], dtype=object)
    graph = replace(graph, attributes={"cluster": names})
    angle = 2 * np.pi * clusters / 40
    middles = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (400 + 10 * clusters[:, None])
    rest = middles + rng.normal(0, 60, (n_nodes, 2))
    frames = [
        2048 + rest[: graph.n_nodes] * (0.7 + 0.05 * k) + rng.normal(0, 3, (graph.n_nodes, 2)) for k in range(n_frames)
    ]
    return graph.n_nodes, {
        "graph": encode_graph(graph, attribute_columns(graph), max_edges=n_edges),
        "pairs": graph.pairs.astype("<u4").tobytes(),
        "frames": np.concatenate(frames).astype("<f4").tobytes(),
    }


class _Handler(BaseHTTPRequestHandler):
    """Serves what is in memory, to pages whose clocks are exact because they are isolated."""

    KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}  # noqa: RUF012 - never changed

    def __init__(self, files, *arguments):
        self._files = files
        super().__init__(*arguments)

    def do_GET(self):
        path = self.path.partition("?")[0].lstrip("/")
        content = self._files.get(path)
        self.send_response(404 if content is None else 200)
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Content-Type", self.KINDS.get(path.rpartition(".")[2], "application/octet-stream"))
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def serving(files):
    """Serve a dict of files on this machine; yields the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, files))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _esbuild(*arguments, source=None):
    """Bundle for the browser, as the viewer itself is."""
    command = [ESBUILD, *arguments, "--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=error"]
    return subprocess.run(
        command, cwd=SOURCES, input=source, check=True, text=True, stdout=subprocess.PIPE
    ).stdout.encode()


def build(before=None):
    """Return the pages of all libraries, by name; with the viewer of the checkout `before`, if given."""
    names = sorted({page.partition(".")[0] for page in LIBRARIES.values()})
    template = (SOURCES / "page.html").read_text()
    files = {}
    with TemporaryDirectory() as folder:
        _esbuild(*(f"{name}.ts" for name in names), f"--outdir={folder}")
        if before:
            _esbuild(before / "benchmarks" / "viewer" / "ours.ts", f"--outfile={folder}/before.js")
            names.append("before")
        files |= {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    for name in names:
        style = f'<link rel="stylesheet" href="{name}.css" />' if f"{name}.css" in files else ""
        files[f"{name}.html"] = f'{template}{style}<script type="module" src="{name}.js"></script>'.encode()
    return files


def weights():
    """Bytes to load per library: minified, and gzipped besides."""
    loads = {name: _esbuild(source=source) for name, source in OTHER_VIEWERS.items()}
    loads[OURS] = b"".join(path.read_bytes() for path in sorted(BUNDLE.glob("widget.*")))
    return {name: (len(load), len(gzip.compress(load, 9))) for name, load in loads.items()}


def earlier_graph(before, n_nodes, n_edges):
    """Return the graph that `make_graph` of another checkout makes, in the format of its own viewer."""
    code = "import sys, pages; sys.stdout.buffer.write(pages.make_graph(*map(int, sys.argv[1:]))[1]['graph'])"
    path = os.pathsep.join(map(str, (before, before / "benchmarks")))
    return subprocess.run(
        [sys.executable, "-c", code, str(n_nodes), str(n_edges)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=before / "benchmarks",
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


class Page:
    """A page with one library."""

    def __init__(self, browser, address, name, folder, *, draw):
        self.figures = Figures(ours=name == OURS)
        self._context = browser.new_context(viewport={"width": 800, "height": 600})
        self._page = self._context.new_page()
        self._page.goto(f"{address}/{(LIBRARIES | EARLIER)[name]}")
        self._page.wait_for_function("() => window.bench")
        self._tools = self._context.new_cdp_session(self._page)
        self._tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._order(f"bench.start('{folder}', {str(draw).lower()})", STARTING)

    def run(self, count, *, draw=False):
        """Take a turn of so many updates, or as many as there is time for."""
        if self.figures.problem:
            return
        before = self._metrics()
        outcome = self._order(f"bench.run({count}, {GAP}, {1000 * TURN}, {str(draw).lower()})")
        if outcome is None:
            return
        after, done = self._metrics(), len(outcome["samples"])
        self.figures.samples += outcome["samples"]
        self.figures.script.append(1000 * (after["ScriptDuration"] - before["ScriptDuration"]) / done)
        self.figures.task.append(1000 * (after["TaskDuration"] - before["TaskDuration"]) / done)

    def forget(self):
        """Begin to count."""
        self.figures.samples, self.figures.script, self.figures.task = [], [], []

    def weigh(self):
        """Note the memory in use."""
        if self.figures.problem:
            return
        self._tools.send("HeapProfiler.enable")
        self._tools.send("HeapProfiler.collectGarbage")
        usage = self._tools.send("Runtime.getHeapUsage")
        self.figures.heap = usage["usedSize"] + usage.get("embedderHeapUsedSize", 0)
        self.figures.buffers = usage.get("backingStorageSize", 0)

    def shoot(self, path):
        """Take a picture, to see that something was drawn."""
        self._page.screenshot(path=path)

    def close(self):
        """Close the page, whatever it is busy with."""
        self._context.close()

    def _metrics(self):
        return {metric["name"]: metric["value"] for metric in self._tools.send("Performance.getMetrics")["metrics"]}

    def _order(self, order, patience=PATIENCE):
        """Have something done; None if it failed or took too long, which is noted."""
        try:
            self._page.evaluate(f"() => {{ bench.outcome = null; setTimeout(() => {order}); }}")
            self._page.wait_for_function("() => bench.outcome", timeout=1000 * patience, polling=50)
            outcome = self._page.evaluate("() => bench.outcome")
        except BrowserError as error:
            late = "Timeout" in error.message
            self.figures.problem = f"more than {patience} s" if late else error.message.partition("\n")[0]
            return None
        if "error" in outcome:
            self.figures.problem = outcome["error"]
            return None
        return outcome


def measure(n_nodes, n_edges, *, turns, updates, names=tuple(LIBRARIES), screens=None, before=None):
    """Let the libraries take turns at one graph; a dict of library to `Figures`."""
    nodes, data = make_graph(n_nodes, n_edges)
    files = build(before) | {f"data/{nodes}/{key}": content for key, content in data.items()}
    if before:
        earlier = data | {"graph": earlier_graph(before, n_nodes, n_edges)}
        files |= {f"before/{nodes}/{key}": content for key, content in earlier.items()}
    with serving(files) as address, chromium() as browser:
        # Millions of edges would take software minutes to draw, for nothing: drawing is not what is timed.
        draw = n_edges < 1_000_000
        folders = {name: f"{'before' if name == BEFORE else 'data'}/{nodes}" for name in names}
        pages = {name: Page(browser, address, name, folder, draw=draw) for name, folder in folders.items()}
        for name, page in pages.items():
            if draw:
                page.run(2, draw=True)
            if screens is not None:
                page.shoot(Path(screens) / f"{n_nodes}_{name}.png")
            page.run(WARM)
            page.forget()
        for _ in range(turns):
            for page in pages.values():
                page.run(updates)
        for page in pages.values():
            page.weigh()
            page.close()
        return {name: page.figures for name, page in pages.items()}


def print_updates(*, turns, updates, large, before=None):
    """Print one row a library and size; beside the viewer of the checkout `before` alone, if given."""
    names = ("harness alone", OURS, *EARLIER) if before else tuple(LIBRARIES)
    print(
        "| nodes, edges | library | JS an update, ms | of that in the call | until the next update | frames "
        "| script, CPU ms | main thread, CPU ms | heap MB | arrays MB | against ours |\n"
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    )
    for n_nodes, n_edges in SIZES.items() if large else list(SIZES.items())[:1]:
        big = n_nodes > 100_000
        how = {"turns": 3, "updates": 5} if big and not before else {"turns": turns, "updates": updates}
        found = measure(n_nodes, n_edges, names=names, before=before, **how)
        base = found.get("harness alone", Figures())
        for name, figures in found.items():
            cells = [f"{n_nodes:,}, {n_edges:,}", name]
            if figures.problem or not figures.samples:
                cells += [figures.problem[:MOST_TEXT], *[""] * 8]
            else:
                ours = found[OURS].cost
                alone = figures.ours or name == "harness alone"
                ratio = "" if alone else f"{figures.cost / ours:,.{2 if before else 0}f} x"
                cells += [
                    f"{figures.cost:.2f}" + (f" (at most {TARGETS[n_nodes]})" if name == OURS else ""),
                    f"{figures.middle('call'):.2f}",
                    f"{figures.middle('all'):.2f}",
                    f"{mean(sample['frames'] for sample in figures.samples):.1f}",
                    f"{median(figures.script):.2f}",
                    f"{median(figures.task):.2f}",
                    f"{(figures.heap - base.heap) / 1e6:.1f}",
                    f"{(figures.buffers - base.buffers) / 1e6:.1f}",
                    ratio,
                ]
            print("| " + " | ".join(cells) + " |", flush=True)


def print_weights():
    """Print what each library adds to a page."""
    print("| library | minified kB | gzipped kB |\n|---|--:|--:|")
    for name, (plain, packed) in weights().items():
        print(f"| {name} | {plain / 1e3:.1f} | {packed / 1e3:.1f}{' (at most 100)' if name == OURS else ''} |")


STYLED = (20_000, 50_000)
"""Nodes and edges of the graph whose edges are drawn plain and styled."""


def print_edges(*, turns):
    """Print how long a whole picture takes with plain edges and with width, colour and arrows, in turns."""
    script = _esbuild("edges.ts")
    page = b'<!doctype html><body style="margin:0;height:100vh"></body>'
    with serving({"edges.html": page, "edges.js": script}) as address, chromium() as browser:
        context = browser.new_context(viewport={"width": 800, "height": 600})
        tab = context.new_page()
        tab.goto(f"{address}/edges.html")
        found = tab.evaluate(
            "async ([nodes, edges, turns]) => (await import('./edges.js')).run(nodes, edges, turns)", [*STYLED, turns]
        )
        context.close()
    print("| nodes, edges | plain, ms | width, colour, arrows, ms | ratio (at most 2) |\n|---|--:|--:|--:|")
    ratio = found["styled"] / found["plain"]
    print(f"| {STYLED[0]:,}, {STYLED[1]:,} | {found['plain']:.0f} | {found['styled']:.0f} | {ratio:.2f} |")
