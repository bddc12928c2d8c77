"""Nodes that cover each other in the picture, moved apart at the browser's request."""

import networkx as nx
import numpy as np
import pytest
from runs import until

from graphne_viz import view
from graphne_viz.layout.overlap import PAGE
from graphne_viz.viewer.session.jobs import overlap
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.results import positions

RADIUS, SCALE = 12.0, 200.0
"""Pixels of a node of usual size, and in one unit of the layout, which is two units wide."""

DENSE = nx.random_geometric_graph(60, 0.25, seed=4)
PLACES = dict(DENSE.nodes(data="pos"))


class Browser:
    """Asks a session for room, and hears the answer."""

    def __init__(self, session):
        self.session, self.answers = session, {}
        session.subscribe(self)

    def publish(self, changes):
        pass

    def announce(self, changes):
        pass

    def send(self, content, _buffers):
        if content["kind"] == "answer":
            self.answers[content["id"]] = content

    def ask(self, **fields):
        number = len(self.answers) + 1
        command = {"kind": "command", "id": number, "name": "remove_overlap", "radius": RADIUS, "scale": SCALE}
        self.session.handle(command | fields)
        until(lambda: number in self.answers, 60)
        return self.answers[number]

    def places(self):
        """Return where nodes are in pixels, where the whole layout is seen."""
        return self.session.run.latest.positions.astype(float) * SCALE


@pytest.fixture
def opened():
    browsers = []

    def make(G=DENSE, pos=PLACES, **keywords):
        browsers.append(Browser(open_session(G, pos, **keywords)))
        return browsers[-1]

    yield make
    for browser in browsers:
        browser.session.close()


def lacking(places, radii):
    """Return how much the pair that is most too near lacks, as a share of the distance that it needs."""
    i, j = np.triu_indices(len(places), 1)
    needed = np.broadcast_to(radii, len(places))[i] + np.broadcast_to(radii, len(places))[j]
    return ((needed - np.linalg.norm(places[i] - places[j], axis=1)) / needed).max()


def test_nodes_have_room_afterwards_and_are_about_where_they_were(opened):
    browser = opened(size=None)
    session, before = browser.session, browser.places()
    answer = browser.ask()
    after = browser.places()
    assert answer["result"] == (after != before).any(axis=1).sum() > 20
    assert browser.ask()["result"] == 0
    assert lacking(before, RADIUS) > 0.5
    assert lacking(after, RADIUS) < 0.03
    assert np.linalg.norm(after - before, axis=1).max() < 6 * RADIUS
    assert session["pinned"] == {}, "they were put there, and are not pinned"
    moved = [node for node in DENSE if tuple(positions(session)[node]) != pytest.approx(PLACES[node], abs=1e-6)]
    assert len(moved) == answer["result"]
    session.run.place(type(session.run.placement).decode(b""))
    np.testing.assert_array_equal(browser.places(), before)


def test_larger_nodes_get_more_room(opened):
    browser = opened(size="degree", size_range=(4, 40))
    degrees = np.array([degree for _, degree in DENSE.degree])
    shares = (degrees - degrees.min()) / np.ptp(degrees)
    radii = np.sqrt(16 + (1600 - 16) * shares) / 2
    assert lacking(browser.places(), radii) > 0.5
    browser.ask()
    assert lacking(browser.places(), radii) < 0.03


def test_pinned_nodes_stay_and_hidden_ones_need_no_room(opened):
    browser = opened(size=None)
    session, before = browser.session, browser.places()
    session.set(pinned=[0, 1, 2], hidden=[3, 4, 5])
    browser.ask()
    after = browser.places()
    np.testing.assert_allclose(after[:6], before[:6], atol=1e-3)
    assert tuple(session["pinned"]) == (0, 1, 2)
    shown = [node for node in DENSE if node not in {0, 1, 2, 3, 4, 5}]
    assert lacking(after[shown], RADIUS) < 0.03


def test_the_next_run_takes_them_from_there(opened):
    browser = opened(size=None, n_iter=20, early_exaggeration_iter=0, pace=0)
    session = browser.session
    browser.ask()
    assert session["_pinned"]
    session.run.play()
    session.run.wait(60)
    until(lambda: session["_pinned"] == b"")


def test_a_run_that_is_active_is_left_alone(opened):
    browser = opened(pos=None, n_iter=1_000_000, pace=0)
    session = browser.session
    assert browser.ask()["error"] == "there are no positions yet, so that no nodes overlap"
    session.start()
    session.run.wait_for_positions(60)
    assert browser.ask()["error"] == "overlap can be removed once the run has ended"
    session.run.pause()
    assert browser.ask()["error"] == "overlap can be removed once the run has ended"
    assert session["_pinned"] == b""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"radius": 0}, "radius must be positive and finite, got 0"),
        ({"radius": "8"}, "radius must be a number, got '8'"),
        ({"scale": None}, "scale must be a number, got None"),
        ({"scale": float("inf")}, "scale must be positive and finite, got inf"),
        ({"radius": 1e300}, "radius must be at most 1,000, got 1e+300"),
        ({"scale": 1e-300}, "scale must be at least 1e-06, got 1e-300"),
    ],
)
def test_sizes_that_are_none_are_refused_in_one_sentence(opened, fields, words):
    browser = opened()
    assert browser.ask(**fields)["error"] == words
    assert browser.session["_pinned"] == b""


def test_more_nodes_than_have_room_are_refused(opened, monkeypatch):
    monkeypatch.setattr(overlap, "MOST", 59)
    assert opened().ask()["error"] == "overlap can be removed among up to 59 nodes; this graph has 60"


@pytest.mark.parametrize(("radius", "scale"), [(1000, 1e-6), (1e-9, 1e9)])
def test_any_size_leaves_a_layout_that_can_be_drawn(opened, radius, scale):
    browser = opened(size=None)
    assert browser.ask(radius=radius, scale=scale)["ok"] is True
    assert np.isfinite(browser.places()).all()
    assert np.ptp(browser.places(), axis=0).max() < 100 * SCALE


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_graphs_without_any_extent_stay_as_they_are(opened, nodes):
    browser = opened(nx.empty_graph(nodes), np.ones((nodes, 2)))
    assert browser.ask()["ok"] is True


def test_a_view_takes_the_size_of_nodes_as_a_layout_does():
    on_page = []
    for size in (500, 0):
        w = view(DENSE, node_size=size, seed=1, live=False)
        places = np.array([w.pos[node] for node in DENSE])
        on_page.append(lacking(places / np.ptp(places, axis=0).max() * PAGE, np.sqrt(500) / 2))
        w.close()
    assert on_page[0] < 0.03
    assert on_page[1] > 0.3
