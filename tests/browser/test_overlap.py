"""Nodes that cover each other are moved apart by a button beside those of the run, and back by undo."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

from . import pixels
from .viewer_page import Viewer

SIZE = 400
"""Area of a node in square points."""


@pytest.fixture
def opened(page):
    """Return what shows a graph in the browser, served by this very process; it returns session and view."""
    servers = []

    def open_(G, pos=None, *, size=SIZE, **keywords):
        session = open_session(G, pos, label=False, class_names=False, edges=False, size=size, **keywords)
        servers.append(ViewServer(session, title="overlap"))
        session.start()
        page.goto(servers[-1].url)
        return session, Viewer(page.locator("body")).wait()

    yield open_
    page.goto("about:blank")
    for server in servers:
        server.close()


def crowd():
    """Return forty nodes, a third of them on the places of others, and where they are."""
    G = nx.random_geometric_graph(40, 0.3, seed=7)
    places = dict(G.nodes(data="pos"))
    places |= {node: places[node - 20] for node in range(20, 33)}
    nx.set_node_attributes(G, {node: "under" if node < 13 else "other" for node in G}, "kind")
    return G, places


def discs(session):
    """Return how many pixels the discs of all nodes would have, were none covered."""
    return len(session.graph.ids) * np.pi * SIZE / 4 * (96 / 72) ** 2


def inked(viewer):
    return pixels.ink(viewer.settled_picture()).sum()


def test_nodes_that_cover_each_other_are_moved_apart_and_back(opened, shoot):
    session, viewer = opened(*crowd(), color="kind")
    viewer.leave()
    before, every = inked(viewer), discs(session)
    shoot("covered")
    viewer.button("Remove overlap").click()
    viewer.until(lambda: session["_pinned"], "nodes that were moved")
    viewer.leave()
    after = inked(viewer)
    shoot("apart")
    assert before < 0.65 * every
    assert after > 0.87 * every  # the borders of discs are half transparent
    assert session["pinned"] == {}

    viewer.button("Undo").click()
    viewer.until(lambda: not session["_pinned"], "nodes where they were")
    assert inked(viewer) == pytest.approx(before, rel=0.02)
    viewer.button("Redo").click()
    viewer.until(lambda: session["_pinned"], "nodes that were moved again")
    assert inked(viewer) == pytest.approx(after, rel=0.02)


def test_while_a_run_is_active_the_button_says_why_it_does_nothing(opened):
    session, viewer = opened(crowd()[0], n_iter=1_000_000, pace=0, size=4_000)
    button = viewer.button("Remove overlap")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_attribute("title", "Nodes that cover each other can be moved apart once the run has ended")
    viewer.button("Stop").click()
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    viewer.until(lambda: session["_pinned"], "nodes that were moved")
    session.set(size=1)
    viewer.settled_picture()
    button.click()
    expect(viewer.notes).to_contain_text("No nodes overlap")
