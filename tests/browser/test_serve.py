"""`graphne view`: the live viewer without a notebook, as a user has it."""

from __future__ import annotations

import signal
import subprocess
import sys

import networkx as nx
import pytest
from playwright.sync_api import expect

from .servers import PATIENCE, clean_environment
from .viewer_page import Viewer


@pytest.fixture
def served(tmp_path):
    """Return a process that serves a graph of four clear groups, and its address."""
    G = nx.disjoint_union_all([nx.gnp_random_graph(40, 0.3, seed=seed) for seed in range(4)])
    for node in G:
        G.nodes[node].update(group=f"group {node // 40}", rank=node % 40 / 7)
    G.add_edges_from((node, (node + 40) % 160) for node in range(0, 160, 20))
    nx.write_graphml(G, tmp_path / "groups.graphml")
    command = [sys.executable, "-m", "graphne_viz.cli", "view", tmp_path / "groups.graphml", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--color", "group", "--pace", "25", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(tmp_path),
    )
    yield process, process.stdout.readline().strip()
    process.kill()
    process.communicate()


def test_a_graph_forms_is_steered_and_ends_with_ctrl_c(served, page, watch, shoot):
    process, url = served
    # What hides the tools on screenshots is against the page's policy, too; the viewer's own styles have an address.
    watch.allow(r"Applying inline style violates .* \(\)$")
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
    said = viewer.facts.inner_text()
    shoot("selected")
    page.reload()
    viewer = Viewer(page.locator("body")).wait()
    expect(viewer.facts).to_have_text(said)
    expect(viewer.phase).to_have_text("Stopped")
    expect(viewer.root.locator(".graphne-dial-value")).to_have_text("4")
    expect(viewer.legend).to_contain_text("rank")
    stopped = viewer.iteration()
    viewer.button("Restart").click()
    viewer.until(lambda: 0 < viewer.iteration() < stopped, "a new beginning")

    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    watch.allow("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    expect(page.get_by_text("graphne view has ended")).to_be_visible()
    expect(viewer.button("Restart")).to_be_hidden()
    shoot("ended")
    assert process.stderr.read() == ""
