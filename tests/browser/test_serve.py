"""`graphne view`: the live viewer without a notebook, as a user has it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import networkx as nx
import pytest
from playwright.sync_api import expect

from . import pixels
from .servers import PATIENCE, clean_environment
from .viewer_page import Viewer

AWAY = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE"


@contextmanager
def serving(folder, size, *options):
    """Serve a graph of four clear groups of so many nodes; the process, and its address."""
    G = nx.disjoint_union_all([nx.gnp_random_graph(size, 12 / size, seed=seed) for seed in range(4)])
    for node in G:
        G.nodes[node].update(group=f"group {node // size}", rank=node % size / 7)
    G.add_edges_from((node, (node + size) % len(G)) for node in range(0, len(G), size // 2))
    nx.write_graphml(G, folder / "groups.graphml")
    command = [sys.executable, "-m", "graphne_viz.cli", "view", folder / "groups.graphml", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--color", "group", "--pace", "25", "--quiet", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(folder),
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def served(tmp_path):
    with serving(tmp_path, 40) as found:
        yield found


def test_a_graph_forms_is_steered_and_ends_with_ctrl_c(served, page, watch, shoot):
    process, url = served
    page.goto(url)
    viewer = Viewer(page.locator("body")).wait()
    viewer.wait_for_iteration(60)
    shoot("forming")
    viewer.button("Pause").click()
    expect(viewer.phase).to_have_text("Paused")
    viewer.settled_picture()
    held = viewer.iteration()
    page.wait_for_timeout(500)
    assert viewer.iteration() == held
    viewer.button("Resume").click()
    viewer.wait_for_iteration(held + 20)

    # What is changed here has to reach Python: after the page is loaded again, it comes from there.
    viewer.root.get_by_label("What the colours show").select_option(label="rank")
    viewer.root.get_by_role("button", name="UMAP-like").click()
    viewer.button("Stop").click()
    expect(viewer.phase).to_have_text("Stopped")
    viewer.settled_picture()
    box = viewer.surface.bounding_box()
    viewer.button("Rectangle").click()
    with page.expect_response(lambda answer: b"_selected" in (answer.request.post_data_buffer or b"")):
        viewer.draw([(2, 2), (box["width"] / 2, box["height"] - 2)])
    expect(viewer.facts).to_contain_text("selected")
    facts = viewer.facts.inner_text()
    shoot("selected")
    page.reload()
    viewer = Viewer(page.locator("body")).wait()
    expect(viewer.facts).to_have_text(facts)
    expect(viewer.phase).to_have_text("Stopped")
    expect(viewer.root.locator(".graphne-dial-value")).to_have_text("4")
    expect(viewer.legend).to_contain_text("rank")
    stopped = viewer.iteration()
    viewer.button("Restart").click()
    viewer.until(lambda: 0 < viewer.iteration() < stopped, "a new beginning")

    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    watch.allow(AWAY)
    expect(page.get_by_text("graphne view has ended")).to_be_visible()
    expect(viewer.button("Restart")).to_be_hidden()
    shoot("ended")
    assert process.stderr.read() == ""


def test_a_tab_that_is_closed_and_opened_again_finds_the_run_as_it_went_on(served, page):
    process, url = served
    files = Path(f"/proc/{process.pid}/fd")
    held = {}
    for tab in ("first", "second", "third"):
        opened = page.context.new_page()
        opened.goto(url)
        viewer = Viewer(opened.locator("body")).wait()
        viewer.wait_for_iteration(held.get("iteration", 0) + 20)
        held["iteration"] = viewer.iteration()
        if tab == "first":
            viewer.root.get_by_label("What the colours show").select_option(label="rank")
        expect(viewer.legend).to_contain_text("rank")
        opened.close()
        if tab == "first":
            page.wait_for_timeout(1_000)
            held["files"] = len(list(files.iterdir()))
        else:  # what served a tab ends with it
            viewer.page = page
            viewer.until(lambda: len(list(files.iterdir())) <= held["files"], "the connections' end")


def test_the_browser_remembers_no_token_and_shows_the_page_again(served, page, watch):
    _, url = served
    watch.allow("403")
    token = urlsplit(url).path.strip("/")
    page.goto(url)
    Viewer(page.locator("body")).wait()
    remembered = page.context.new_cdp_session(page).send("Page.getNavigationHistory")["entries"]
    assert page.url in [entry["url"] for entry in remembered]
    assert not [entry for entry in remembered if token in entry["url"]]
    assert page.evaluate("document.cookie") == "", "no script reads it"
    held = {cookie["path"]: cookie for cookie in page.context.cookies()}[urlsplit(page.url).path]
    assert (held["value"], held["httpOnly"], held["expires"]) == (token, True, -1)
    page.reload()
    Viewer(page.locator("body")).wait()
    again = page.context.new_page()
    again.goto(page.url)
    Viewer(again.locator("body")).wait()
    again.close()
    page.context.clear_cookies()
    page.reload()
    expect(page.locator("body")).to_have_text(
        "Refused: the cookie of this page is missing; open the address that graphne view printed, in a browser that "
        "accepts cookies"
    )
    page.goto(url)
    Viewer(page.locator("body")).wait()


def workers(pid):
    """Processes that a process has started to share a layout, and that have not ended."""
    numbers = [int(n) for task in Path(f"/proc/{pid}/task").iterdir() for n in (task / "children").read_text().split()]
    return [n for n in numbers if b"torch_engine.worker" in Path(f"/proc/{n}/cmdline").read_bytes()]


def test_a_layout_shared_by_two_processes_forms_is_steered_and_ends(tmp_path, page, watch, shoot):
    pytest.importorskip("torch")
    with serving(tmp_path, 400, "--engine", "torch", "--devices", "2") as (process, url):
        page.goto(url)
        viewer = Viewer(page.locator("body")).wait()
        viewer.wait_for_iteration(20)
        shoot("two-processes")
        assert len(workers(process.pid)) == 1, "beside the caller's own"
        viewer.button("Pause").click()
        expect(viewer.phase).to_have_text("Paused")
        before, held = viewer.settled_picture(), viewer.iteration()
        viewer.root.get_by_role("button", name="UMAP-like").click()
        viewer.button("Resume").click()
        viewer.wait_for_iteration(held + 40)
        viewer.button("Stop").click()
        expect(viewer.phase).to_have_text("Stopped")
        assert pixels.change(before, viewer.settled_picture()) > 0.01
        expect(viewer.root.locator(".graphne-dial-value")).to_have_text("4")
        shoot("two-processes-stopped")
        viewer.until(lambda: not workers(process.pid), "the end of the other process")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        watch.allow(AWAY)
        assert process.stderr.read() == ""
