"""A graph that changes while it is looked at."""

from __future__ import annotations

import networkx as nx
import pytest
from playwright.sync_api import expect

from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.updating import update_graph

from .viewer_page import Viewer


@pytest.fixture
def served():
    G = nx.les_miserables_graph()
    session = open_session(G, color="communities", pace=0)
    server = ViewServer(session, title="characters")
    session.start()
    session.run.wait()
    yield session, server.url
    server.close()


def test_what_is_new_appears_and_selection_legend_and_camera_stay(served, page, shoot):
    session, url = served
    page.goto(url)
    viewer = Viewer(page.locator("body")).wait()
    viewer.search.fill("Valjean")
    expect(viewer.root.get_by_role("option", name="Valjean").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(viewer.facts).to_contain_text("1 selected · 77 nodes")
    viewer.until(lambda: session["selection"] == ("Valjean",), "a selection in Python")
    color = viewer.color_of("Valjean")
    G = nx.les_miserables_graph()
    G.add_edges_from([("Newcomer", "Valjean"), ("Newcomer", "Cosette"), ("Friend", "Newcomer")])
    G.remove_node("Brevet")

    update_graph(session, G)

    expect(viewer.facts).to_contain_text("1 selected · 78 nodes")
    expect(viewer.notes).to_contain_text("2 nodes added, 1 node removed")
    expect(viewer.notes).to_contain_text("most of all")
    assert session["selection"] == ("Valjean",)
    assert viewer.color_of("Valjean") == color
    viewer.search.fill("Newcomer")
    expect(viewer.root.get_by_role("option", name="Newcomer")).to_be_visible()
    viewer.settled_picture()
    shoot("updated")
