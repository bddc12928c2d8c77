from __future__ import annotations

import os
import re
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from . import pixels
from .desk import Desk, new_context
from .lab import Notebook, running_lab
from .servers import PATIENCE
from .watching import Watch

ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    # WebGL is drawn by a graphics card made of software; without that the page around it takes a third of the time.
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
]
_FAILED = pytest.StashKey[bool]()
_SCREENSHOTS = os.environ.get("GRAPHNE_SCREENSHOTS")
"""A folder for pictures of every story, which people look at; without it there are those of failures alone."""

# What every notebook of the tests can use; the graphs are made once a kernel.
PRELUDE = """
import threading, time
import networkx as nx
import numpy as np
from graphne_viz.viewer.view import view
from graphne_viz.graphs.datasets.api import digits

def groups():
    # Ten clear groups of 40, whose few edges software draws quickly.
    G = nx.planted_partition_graph(10, 40, 0.2, 0.002, seed=1)
    nx.set_node_attributes(G, {v: str(v // 40) for v in G}, 'class')
    return G

def our_threads():
    return sorted(t.name for t in threading.enumerate() if t.name.startswith('graphne'))
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when != "teardown" and report.failed:
        item.stash[_FAILED] = True
        # Now, before the fixtures take apart what is to be seen.
        page, screens, watch = (item.funcargs.get(name) for name in ("page", "screens", "watch"))
        if page is not None and not page.is_closed():
            with suppress(Error):  # what failed is told all the same
                pixels.shot(page, path=screens / f"FAILED_{item.name}.png")
            report.sections.append(("The page's troubles", "\n".join(watch.troubles)))
    return report


@pytest.fixture(scope="package", autouse=True)
def _ended_in_order():
    """Let a request to terminate end the servers, too; an interrupt does so by itself."""
    before = signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", 128 + signal.SIGTERM))
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="package")
def browser():
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("The browser tests need Chromium, and there is no command named chromium.", pytrace=False)
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def lab(tmp_path_factory):
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def screens(tmp_path):
    """Return the folder for screenshots."""
    folder = Path(_SCREENSHOTS or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def shoot(page, screens, request):
    """Take a picture of the page as the user sees it, numbered within the test, where people want to look at them."""
    taken = iter(range(1, 100))
    test = _name(request)

    def shoot(what, of=page, **options):
        if _SCREENSHOTS:
            pixels.shot(of, path=screens / f"{test}_{next(taken)}_{what}.png", **options)

    return shoot


@pytest.fixture(scope="package")
def desk(browser, lab):
    desk = Desk(browser, lab)
    yield desk
    desk.clear()


@pytest.fixture
def context(browser, request):
    """Return the window of the desk where a notebook is opened, elsewhere a new one."""
    if not _at_desk(request):
        context = new_context(browser)
        yield context
        context.close()
        return
    desk = request.getfixturevalue("desk")
    yield desk.page.context
    if request.node.stash.get(_FAILED, False):
        desk.clear()
    else:
        desk.tidy()


@pytest.fixture
def watch(context, request):
    return request.getfixturevalue("desk").watch if _at_desk(request) else Watch(context)


@pytest.fixture
def page(context, watch, screens, request):  # noqa: ARG001 -- a failure needs a place for its picture
    page = request.getfixturevalue("desk").page if _at_desk(request) else context.new_page()
    yield page
    if not _at_desk(request):
        page.close()
    if not request.node.stash.get(_FAILED, False):
        watch.check()


@pytest.fixture
def notebook(lab, page, request):
    """Open an empty notebook on the kernel that the tests share; its widgets are closed afterwards."""
    notebook = _open(lab, page, request, lab.shared_kernel())
    yield notebook
    if page.is_closed():
        return
    notebook.do("import ipywidgets; ipywidgets.Widget.close_all(); w = None")
    notebook.close()


@pytest.fixture
def own_notebook(lab, page, request):
    """Open an empty notebook on a kernel of its own."""
    kernel = lab.own_kernel()
    notebook = _open(lab, page, request, kernel)
    yield notebook
    notebook.close()
    lab.end_kernel(kernel)


def _at_desk(request):
    return not {"notebook", "own_notebook"}.isdisjoint(request.fixturenames)


def _open(lab, page, request, kernel):
    notebook = Notebook(lab, page, lab.create(_name(request), kernel))
    notebook.open()
    notebook.do(PRELUDE)
    return notebook


def _name(request):
    return re.sub(r"\W+", "_", request.node.name.removeprefix("test_"))
