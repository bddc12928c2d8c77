"""What people do with a live view, over and over: each story is a generator that yields what was measured."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from browser.desk import new_context
from browser.lab import Notebook, running_lab
from browser.servers import clean_environment
from browser.viewer_page import Viewer
from browser.watching import Watch
from measures import COUNT_CONTEXTS, of_page, of_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

_PRELUDE = """
import gc, os, tempfile
from pathlib import Path
import networkx as nx
from IPython.display import display
from graphne_viz import view
G = nx.les_miserables_graph()
larger = nx.compose(G, nx.path_graph(20))
folder = tempfile.TemporaryDirectory()
"""
_SHOW = "w = view(G, n_iter=100_000)\ndisplay(w)"
_EXPORT = """
w.to_html(Path(folder.name) / "g.html")
w.to_png(Path(folder.name) / "g.png")
w.to_gexf(Path(folder.name) / "g.gexf")
"""
_CLOSE = "w.close()\nw = None\ngc.collect()"


def notebook(browser: Browser) -> Iterator[dict[str, float]]:
    """Open a view in JupyterLab, steer, drag, restart, update and export it, and close it."""
    with TemporaryDirectory() as home, running_lab(Path(home)) as lab:
        page, watch = _new_page(browser)
        lab.show(page)
        opened = Notebook(lab, page, lab.create("soak", lab.own_kernel()))
        opened.open()
        opened.do(_PRELUDE)
        kernel = opened.ask("os.getpid()")
        cell = opened.add(_SHOW)
        while True:
            opened._call("run", cell)  # noqa: SLF001 -- the same cell again: new ones would be kept by JupyterLab
            viewer = Viewer(opened.output(cell)).wait()
            viewer.root.scroll_into_view_if_needed()
            _handle(viewer)
            opened.do("w.update(larger)\nw.update(G)")
            opened.do(_EXPORT)
            opened.do(_CLOSE)
            viewer.root.wait_for(state="detached")
            opened.wait("not [t for t in __import__('threading').enumerate() if t.name.startswith('graphne')]")
            watch.check()
            yield of_process(kernel) | of_page(page)


def served(browser: Browser) -> Iterator[dict[str, float]]:
    """Restart, steer and drag a run of ``graphne view``, and load its page anew."""
    with TemporaryDirectory() as name:
        home = Path(name)
        edges = "".join(f"{i},{(i * i + k) % 400}\n" for i in range(400) for k in (1, 7))
        (home / "g.csv").write_text(f"source,target\n{edges}")
        command = [sys.executable, "-m", "graphne_viz", "view", home / "g.csv", "--no-browser", "--quiet"]
        server = subprocess.Popen(
            [*command, "--n-iter", "100000"], stdout=subprocess.PIPE, text=True, env=clean_environment(home)
        )
        try:
            assert server.stdout is not None
            page, watch = _new_page(browser)
            watch.allow(r"Applying inline style violates .* \(\)$")  # of the screenshots
            page.goto(server.stdout.readline().strip())
            for number in count():
                viewer = Viewer(page.locator("body")).wait()
                _handle(viewer)
                if number % 5 == 0:
                    page.reload()
                    Viewer(page.locator("body")).wait()
                watch.check()
                yield of_process(server.pid) | of_page(page)
        finally:
            server.terminate()
            server.communicate()


STORIES = {"JupyterLab": notebook, "graphne view": served}


def _handle(viewer: Viewer) -> None:
    """Steer, drag and restart what is seen."""
    viewer.wait_for_iteration(20)
    viewer.root.get_by_role("button", name="UMAP-like").click()
    box = viewer.surface.bounding_box()
    middle = box["width"] / 2, box["height"] / 2
    viewer.draw([middle, (middle[0] + 60, middle[1] + 40), middle])
    viewer.button("Pause").click()
    viewer.button("Resume").click()
    reached = viewer.iteration()
    viewer.wait_for_iteration(reached)
    viewer.button("Restart").click()
    viewer.wait_for_iteration(20)


def _new_page(browser: Browser) -> tuple[Page, Watch]:
    context = new_context(browser)
    context.add_init_script(COUNT_CONTEXTS)
    return context.new_page(), Watch(context)
