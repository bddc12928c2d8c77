"""What hands do on the map: nodes are dragged against the running layout, pinned, released."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

from .servers import PATIENCE
from .viewer_page import Viewer


@pytest.fixture
def opened(page):
    """Return what opens a graph in the browser, served by this very process; it returns session and view."""
    servers = []

    def open_(G, pos=None, **keywords):
        session = open_session(G, pos, label=False, class_names=False, **keywords)
        server = ViewServer(session, title="hands")
        servers.append(server)
        session.start()
        page.goto(server.url)
        return session, Viewer(page.locator("body")).wait()

    yield open_
    for server in servers:
        server.close()


@pytest.fixture(autouse=True)
def _allowed(watch):
    # What hides the tools on screenshots is against the page's policy.
    watch.allow(r"Applying inline style violates .* \(\)$")


SPAN = 4.0


def ring():
    """Return twelve nodes on a circle of radius 1, and where they are."""
    return nx.cycle_graph(12), {node: (np.cos(node * np.pi / 6), np.sin(node * np.pi / 6)) for node in range(12)}


def look(session, viewer):
    """Look at the middle of the layout from a known distance; returns what turns coordinates of `pos` to pixels."""
    session.set(camera={"center": (0, 0), "span": SPAN})
    viewer.settled_picture() if session.run.state != "running" else None
    box = viewer.surface.bounding_box()
    unit = min(box["width"], box["height"]) / SPAN
    return lambda x, y: (box["width"] / 2 + x * unit, box["height"] / 2 - y * unit)


def drag(viewer, start, end, *, drop=True):
    mouse = viewer.page.mouse
    mouse.move(*viewer.point(*start))
    mouse.down()
    mouse.move(*viewer.point(*end), steps=8)
    if drop:
        mouse.up()


def places(session, *nodes):
    ids = session.graph.ids
    return np.array([session.run.layout()[list(ids).index(node)] for node in nodes])


def test_a_node_is_dragged_pinned_put_back_and_released(opened, shoot):
    session, viewer = opened(*ring(), size=20)
    at = look(session, viewer)
    drag(viewer, at(1, 0), at(0.5, 1.4))
    viewer.until(lambda: np.allclose(places(session, 0), (0.5, 1.4), atol=0.02), "a node where it was dropped")
    assert set(session["pinned"]) == {0}
    assert places(session, 3)[0] == pytest.approx((0, 1), abs=1e-6)
    shoot("pinned")

    viewer.surface.press("Control+z")
    viewer.until(lambda: not session["pinned"], "nothing pinned")
    assert places(session, 0)[0] == pytest.approx((1, 0), abs=1e-6)
    viewer.surface.press("Control+y")
    viewer.until(lambda: set(session["pinned"]) == {0}, "the pinned node again")

    # The key releases it, and it stays where it was put; the whole selection is dragged, and pinned.
    viewer.page.mouse.click(*viewer.point(*at(0.5, 1.4)))
    viewer.surface.press("p")
    viewer.until(lambda: not session["pinned"], "nothing pinned")
    assert places(session, 0)[0] == pytest.approx((0.5, 1.4), abs=0.02)
    session.set(selection=[6, 7])
    expect(viewer.facts).to_contain_text("2 selected")
    drag(viewer, at(-1, 0), at(-1.5, 0.2))
    goal = np.array([ring()[1][6], ring()[1][7]]) + np.array([-0.5, 0.2])
    viewer.until(lambda: np.allclose(places(session, 6, 7), goal, atol=0.02), "two nodes where they were dropped")
    assert set(session["pinned"]) == {6, 7}

    # Beside its nodes the picture is moved as ever.
    before = session["camera"]
    drag(viewer, at(0, 0), at(0.3, 0))
    viewer.until(lambda: session["camera"] != before, "another camera")
    assert set(session["pinned"]) == {6, 7}


def test_the_running_layout_answers(opened, shoot):
    G = nx.les_miserables_graph()
    session, viewer = opened(G, pace=25, size=14, n_iter=2000, early_exaggeration_iter=50)
    viewer.wait_for_iteration(200)
    session.run.pause()
    session.run.wait(PATIENCE)
    at = look(session, viewer)
    near = list(G["Myriel"])
    before = places(session, "Myriel", *near)
    goal = (0.9, 1.2) if before[0, 0] < 0 else (-0.9, 1.2)
    viewer.page.mouse.move(*viewer.point(*at(*before[0])))
    viewer.page.mouse.down()
    session.run.resume()
    kl = session.run.kl
    viewer.page.mouse.move(*viewer.point(*at(*goal)), steps=10)
    viewer.until(lambda: "Myriel" in session["pinned"], "the pinned node, while it is held")
    assert session.run.state == "running"

    def distance():
        own, *others = places(session, "Myriel", *near)
        return float(np.hypot(*(np.array(others) - own).T).mean())

    far = distance()
    viewer.until(lambda: distance() < 0.8 * far, "neighbours that follow")
    shoot("pulled")
    viewer.page.mouse.up()
    viewer.until(lambda: session.run.kl not in {kl, None}, "another KL divergence")
    session.run.stop()
    assert list(session["pinned"]) == ["Myriel"]
