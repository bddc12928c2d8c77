"""Edges that an embedding predicts, drawn dashed when they are asked for, with how far they are to be trusted."""

from __future__ import annotations

import re

import networkx as nx
import pytest
from playwright.sync_api import expect

pytest.importorskip("torch")

from graphne_viz import embed
from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

from .viewer_page import Viewer


@pytest.fixture
def viewer(page, watch):
    """Return the view of an embedding of four groups that know each other, in which a few pairs have no edge."""
    watch.allow(r"Applying inline style violates .* \(\)$")
    G = nx.connected_caveman_graph(4, 9)
    session = open_session(G, embedding=embed(G, 8, epochs=40), edges=False, class_names=False)
    server = ViewServer(session, title="predicted")
    session.start()
    page.goto(server.url)
    shown = Viewer(page.locator("body")).wait()
    expect(shown.phase).to_have_text("Finished", timeout=30_000)
    yield shown
    page.goto("about:blank")
    server.close()


def inked(viewer):
    """Return how many pixels the dashed lines have."""
    return viewer.root.locator("canvas.graphne-predicted").evaluate("""(canvas) => {
        if (!canvas.width) return 0;
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 3; at < data.length; at += 4) count += data[at] > 128;
        return count;
    }""")


def test_predicted_edges_are_dashed_listed_and_tested(viewer, shoot):
    viewer.button("Analysis").click()
    panel = viewer.root.get_by_role("complementary")
    panel.get_by_role("tab", name="Links").click()
    assert inked(viewer) == 0
    panel.get_by_role("button", name="Show", exact=True).click()
    expect(panel.get_by_text("20 predicted edges")).to_be_visible()
    viewer.until(lambda: inked(viewer) > 1000, "dashed lines")
    shoot("dashed")
    with_all = inked(viewer)
    # What is hidden has none.
    viewer.legend.get_by_role("button", name=re.compile("around 8")).dblclick()
    viewer.until(lambda: 0 < inked(viewer) < 0.9 * with_all, "fewer dashed lines")
    panel.get_by_role("button", name="Test on held-out edges").click()
    expect(panel.get_by_text(re.compile(r"\d\d(\.\d)?\s?%"))).to_be_visible(timeout=60_000)
    shoot("tested")
    panel.get_by_role("button", name="Hide", exact=True).click()
    viewer.until(lambda: inked(viewer) == 0, "no predicted edges")
