"""Watch a layout form in one host, in a browser: ``hosts.py voila``.

Run by the environment that has the hosts. Each is started on this machine only, with a free port and a secret of its
own where it has such, and opened in the Chromium of the tests. A live view must draw nodes, go on, draw them elsewhere
a while later, and leave no error in the console; a page that is written has to show the finished picture.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import TimeoutError, sync_playwright  # noqa: A004 -- its own

# The tests are no installed package; the package itself must be the installed one.
sys.path.append(str(Path(__file__).parents[2] / "tests"))

from browser import pixels
from browser.conftest import ARGUMENTS
from browser.lab import KERNEL, running_lab, write_notebook
from browser.servers import PATIENCE, clean_environment, free_port, python_command, running, write_json
from browser.viewer_page import Viewer
from browser.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import Page

    Visit = Callable[[Page, Watch], object]

# It goes on for longer than anybody looks.
MADE = """
import networkx as nx
from graphne_viz import view
w = view(nx.les_miserables_graph(), n_iter=100_000, pace=25)
"""
# The picture for readers without a kernel is drawn beside the run, and replaced when that has ended.
_FINISHED = """
import threading
from IPython.display import display
display(w)
w.run.wait()
for thread in threading.enumerate():
    if thread.name == "graphne-preview":
        thread.join()
"""


@contextmanager
def jupyterlab(home: Path) -> Iterator[Visit]:
    """Run a cell in JupyterLab."""
    with running_lab(home) as lab:
        write_notebook(lab.folder / "live.ipynb", f"{MADE}w")
        yield lambda page, watch: _run_cell(page, watch, f"{lab.address}/lab/tree/live.ipynb?token={lab.token}")


@contextmanager
def notebook(home: Path) -> Iterator[Visit]:
    """Run a cell in Notebook 7."""
    _write_kernel(home)
    port, token = free_port(), secrets.token_hex(16)
    write_notebook(home / "live.ipynb", f"{MADE}w")
    command = python_command("notebook", "--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={port}")
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={home}"]
    with running(command, port=port, ready="/api/status", home=home, cwd=home):
        yield lambda page, watch: _run_cell(page, watch, f"http://127.0.0.1:{port}/notebooks/live.ipynb?token={token}")


@contextmanager
def voila(home: Path) -> Iterator[Visit]:
    """Serve a notebook by Voila."""
    _write_kernel(home)
    port, token = free_port(), secrets.token_hex(16)
    write_notebook(home / "live.ipynb", f"{MADE}w")
    command = python_command("voila", home / "live.ipynb", "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1")
    command += [f"--Voila.token={token}"]
    with running(command, port=port, ready="/voila/static/voila.js", home=home, cwd=home):
        yield lambda page, _: page.goto(f"http://127.0.0.1:{port}/?token={token}")


@contextmanager
def marimo(home: Path) -> Iterator[Visit]:
    """Serve a marimo notebook as an app."""
    port, token = free_port(), secrets.token_hex(16)
    cell = "\n".join(f"    {line}" for line in f"{MADE}w".strip().splitlines())
    (home / "app.py").write_text(f"import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n{cell}\n    return\n")
    command = python_command("marimo", "--quiet", "--yes", "run", "--headless", "--token", f"--token-password={token}")
    command += ["--host=127.0.0.1", f"--port={port}", str(home / "app.py")]
    with running(command, port=port, ready="/health", home=home, cwd=home):
        yield lambda page, _: page.goto(f"http://127.0.0.1:{port}/?access_token={token}")


@contextmanager
def panel(home: Path) -> Iterator[Visit]:
    """Serve a Panel app; Panel has no token of its own."""
    port = free_port()
    (home / "app.py").write_text(
        f"import panel as pn\npn.extension('ipywidgets')\n{MADE}pn.pane.IPyWidget(w).servable()\n"
    )
    command = python_command("panel", "serve", home / "app.py", "--address=127.0.0.1", f"--port={port}")
    loader = Path(find_spec("anywidget").origin).parent / "nbextension" / "index.js"  # type: ignore[union-attr,arg-type]

    def visit(page: Page, _: Watch) -> None:
        # Panel asks a CDN for anywidget's loader, which is out of reach here: the installed one stands in for it.
        answer = {"path": loader, "content_type": "text/javascript", "headers": {"Access-Control-Allow-Origin": "*"}}
        page.route(re.compile(r"https://unpkg\.com/anywidget@.*"), lambda route: route.fulfill(**answer))
        page.goto(f"http://127.0.0.1:{port}/app")

    with running(command, port=port, ready="/app", home=home, cwd=home):
        yield visit


@contextmanager
def shiny(home: Path) -> Iterator[Visit]:
    """Serve a Shiny app; Shiny has no token of its own."""
    port = free_port()
    (home / "app.py").write_text(
        "from shiny.express import ui\nfrom shinywidgets import render_widget\n\n\n"
        "@render_widget\ndef graph():\n"
        + "\n".join(f"    {line}" for line in f"{MADE}return w".strip().splitlines())
        + "\n"
    )
    command = python_command("shiny", "run", "--host=127.0.0.1", f"--port={port}", home / "app.py")
    with running(command, port=port, ready="/", home=home, cwd=home):
        yield lambda page, _: page.goto(f"http://127.0.0.1:{port}/")


@contextmanager
def graphne(home: Path) -> Iterator[Visit]:
    """Serve a graph by ``graphne view``."""
    (home / "g.csv").write_text("source,target\n" + "".join(f"{i},{(i * i + 1) % 90}\n" for i in range(90)))
    command = python_command(
        "graphne_viz", "view", home / "g.csv", "--no-browser", "--pace", "25", "--n-iter", "100000"
    )
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=home, env=clean_environment(home)
    )
    try:
        address = process.stdout.readline().strip() if process.stdout else ""
        yield lambda page, _: page.goto(re.search(r"http://\S+", address)[0])  # type: ignore[index] # or that is the trouble
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def nbconvert(home: Path) -> Iterator[Visit]:
    """Write a notebook as a page by nbconvert."""
    _write_kernel(home)
    write_notebook(home / "live.ipynb", MADE.replace("n_iter=100_000, pace=25", "n_iter=300") + _FINISHED)
    command = python_command("nbconvert", "--execute", "--to=html", home / "live.ipynb")
    subprocess.run(command, cwd=home, env=clean_environment(home), check=True, capture_output=True)
    yield lambda page, _: page.goto((home / "live.html").as_uri())


HOSTS = {host.__name__: host for host in (jupyterlab, notebook, voila, marimo, panel, shiny, graphne, nbconvert)}
_WRITTEN = {"nbconvert"}
_PAUSE = 5
"""Seconds until a cell that does not run is run once more."""
_ELSEWHERE = "jsdelivr.net|cdnjs.cloudflare.com|cdn.holoviz.org|unpkg.com"
_OWN_TROUBLES = {
    # These ask for fonts and loaders of their own, wherever they are.
    "voila": rf"{_ELSEWHERE}|/labextensions/@(pyviz|jupyter-notebook)/",  # the others', which share the environment
    "panel": _ELSEWHERE,
    "nbconvert": _ELSEWHERE,
    "shiny": "favicon.ico",
    "graphne": r"Applying inline style violates .* \(\)$",  # of the screenshots: nothing of the page's own is inline
}


def try_live(page: Page) -> None:
    """See nodes, and see them elsewhere a while later."""
    viewer = Viewer(page.locator("body")).wait()
    viewer.root.scroll_into_view_if_needed()
    early, pictures = viewer.iteration(), [viewer.picture()]
    viewer.wait_for_iteration(early + 50)
    viewer.until(lambda: moved(pictures, viewer.picture()), "another picture")
    viewer.until(lambda: viewer.phase.inner_text() == "Optimisation", "what the run does")


def moved(pictures: list[NDArray[np.uint8]], now: NDArray[np.uint8]) -> bool:
    """Return whether nodes are elsewhere than in a list's last picture; one of another size takes its place.

    Panel gives a view its final size when that has long drawn nodes: where they are then says nothing of the run.
    """
    if now.shape != pictures[-1].shape:
        pictures.append(now)
        return False
    return pixels.change(pictures[-1], now) > 0.002


def try_written(page: Page) -> None:
    """See the picture that is in the page."""
    picture = page.get_by_role("img").first
    picture.wait_for()
    assert pixels.share_of_ink(pixels.read(pixels.shot(picture))) > 0.002, "the picture is empty"


def _run_cell(page: Page, watch: Watch, address: str) -> None:
    page.goto(address)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for(state="attached")
    watch.begin()  # what went wrong before anything of ours was there is the host's
    cell = page.locator(".jp-Notebook-cell").first
    begun = cell.locator(".jp-InputPrompt", has_text=re.compile(r"\[(\*|\d+)\]"))
    for _ in range(
        PATIENCE // _PAUSE
    ):  # what is pressed before there is a kernel is lost, and the page says "idle" then
        cell.click()
        page.keyboard.press("Shift+Enter")
        with suppress(TimeoutError):
            begun.wait_for(timeout=1000 * _PAUSE)
            return
    raise AssertionError("the cell does not run")


def _write_kernel(home: Path) -> None:
    kernel = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": KERNEL}
    write_json(home / "data" / "kernels" / KERNEL / "kernel.json", kernel | {"language": "python"})


def main() -> None:
    """Try one host; what fails is an exception."""
    name, *shots = sys.argv[1:]
    command = shutil.which("chromium")
    assert command, "there is no command named chromium"
    with (
        tempfile.TemporaryDirectory() as home,
        HOSTS[name](Path(home)) as visit,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=command, args=ARGUMENTS)
        context = browser.new_context(viewport={"width": 1280, "height": 1000})
        context.set_default_timeout(PATIENCE * 1000)
        watch, page = Watch(context), context.new_page()
        if name in _OWN_TROUBLES:
            watch.allow(_OWN_TROUBLES[name])
        try:
            visit(page, watch)
            (try_written if name in _WRITTEN else try_live)(page)
        finally:
            if shots:
                pixels.shot(page, path=Path(shots[0]) / f"{name}.png")
            print(json.dumps(watch.troubles))
        watch.check()
        browser.close()


if __name__ == "__main__":
    main()
