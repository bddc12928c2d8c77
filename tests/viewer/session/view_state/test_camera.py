"""The camera: in Python in the coordinates of `pos`, in the browser in those of the frames."""

import json
import re

import networkx as nx
import numpy as np
import pytest

from graphne_viz.viewer.export.exports import to_html
from graphne_viz.viewer.export.panel import Panel
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.results import positions
from graphne_viz.viewer.transport.wire import decode_frame

G = nx.karate_club_graph()
FAR = {node: 1000 * place + [5000, -300] for node, place in nx.circular_layout(G).items()}
QUICK = {"n_iter": 40, "early_exaggeration_iter": 20, "seed": 1, "pace": 0}


@pytest.fixture(params=["given", "run", "scaled run", "kept size", "fixed"])
def session(request):
    """Return sessions at rest whose positions are in all kinds of units."""
    made = {
        "given": lambda: open_session(G, FAR),
        "run": lambda: open_session(G, live=False, **QUICK),
        "scaled run": lambda: open_session(G, live=False, scale=70, center=(900, 20), **QUICK),
        "kept size": lambda: open_session(G, live=False, scale=None, **QUICK),
        "fixed": lambda: open_session(G, FAR, live=False, fixed=[0, 5], **QUICK),
    }[request.param]()
    yield made
    made.close()


def frame_positions(session):
    return decode_frame(session.state()["_frame"]).positions


def span_of(points):
    return (points.max(axis=0) - points.min(axis=0)).max()


def expect_over(session, node, share):
    """The browser's camera is over a node and shows so much of the layout."""
    camera, drawn = session.state()["_view"]["camera"], frame_positions(session)
    assert camera["span"] == pytest.approx(share * span_of(drawn), rel=1e-4)
    np.testing.assert_allclose(camera["center"], drawn[node], atol=1e-4 * span_of(drawn))


def over(session, node, share):
    pos = positions(session)
    return {"center": tuple(map(float, pos[node])), "span": share * float(span_of(np.array(list(pos.values()))))}


def test_what_python_sets_is_seen_there_and_comes_back(session):
    wanted = over(session, 7, 0.25)
    session.set(camera=wanted)
    assert session["camera"] == wanted
    expect_over(session, 7, 0.25)
    session.set(camera=None)
    assert session["camera"] is session.state()["_view"]["camera"] is None


def test_where_the_browser_looks_is_told_in_the_coordinates_of_pos(session):
    drawn = frame_positions(session)
    place = {"center": drawn[12].astype(float).tolist(), "span": float(span_of(drawn)) / 2}
    session.receive({"_view": session.state()["_view"] | {"camera": place}})
    expected, found = over(session, 12, 0.5), session["camera"]
    np.testing.assert_allclose(found["center"], expected["center"], atol=1e-4 * expected["span"])
    assert found["span"] == pytest.approx(expected["span"], rel=1e-4)


def test_another_setting_of_the_browser_leaves_the_camera_as_python_set_it(session):
    wanted = over(session, 7, 0.25)
    session.set(camera=wanted)
    session.receive({"_view": session.state()["_view"] | {"tool": "lasso"}})
    assert (session["camera"], session["tool"]) == (wanted, "lasso")


def test_an_exported_page_looks_at_the_same(session, tmp_path):
    session.set(camera=over(session, 7, 0.25))
    to_html(session, tmp_path / "g.html")
    (panel,) = json.loads(re.search(r'id="graphne-data">(.*?)</script>', (tmp_path / "g.html").read_text())[1])[
        "panels"
    ]
    drawn = Panel.of(session).shots[-1].positions
    np.testing.assert_allclose(panel["view"]["camera"]["center"], drawn[7], atol=1e-3 * span_of(drawn))
    assert panel["view"]["camera"]["span"] == pytest.approx(0.25 * span_of(drawn), rel=1e-3)


def test_a_camera_stays_over_its_part_of_a_layout_that_grows():
    offs, spans = [], []

    def look(snapshot):
        """Compare what the browser shows with what Python has asked for: the whole layout, and as much around it."""
        camera, drawn = session.state()["_view"]["camera"], snapshot.positions
        middle = (drawn.min(axis=0) + drawn.max(axis=0)) / 2
        offs.append(np.abs(np.subtract(camera["center"], middle)).max() / camera["span"])
        spans.append(span_of(drawn))
        assert camera["span"] == pytest.approx(2 * span_of(drawn), rel=0.03)

    wanted = {"center": (0.0, 0.0), "span": 4.0}
    session = open_session(G, callback=look, callback_every=2, **QUICK)
    session.set(camera=wanted)
    session.start()
    assert session.run.wait(60) == "finished"
    assert len(offs) > 20
    assert max(offs) < 0.03
    assert max(spans) > 20 * min(spans), "it did grow"
    assert session["camera"] == wanted
    assert session.state()["_view"]["camera"]["span"] == pytest.approx(2 * span_of(frame_positions(session)), rel=1e-4)
    session.close()


def test_a_camera_that_was_moved_in_the_browser_stays_where_it_was_put():
    session = open_session(G, FAR, live=True, **QUICK)
    session.set(camera={"center": (0.0, 0.0), "span": 4.0})
    session.receive({"_view": session.state()["_view"] | {"camera": {"center": [3, 4], "span": 50}}})
    session.start()
    assert session.run.wait(60) == "finished"
    assert session.state()["_view"]["camera"] == {"center": [3, 4], "span": 50}
    scale = 2 / span_of(frame_positions(session))
    assert session["camera"]["span"] == pytest.approx(50 * scale, rel=1e-4)
    session.close()


@pytest.mark.parametrize("graph", [nx.empty_graph(0), nx.empty_graph(1), nx.empty_graph(3)], ids=len)
def test_graphs_without_any_extent_have_a_camera_too(graph):
    session = open_session(graph, np.ones((len(graph), 2)))
    session.set(camera={"center": (1.0, 2.0), "span": 4.0})
    assert session["camera"] == {"center": (1.0, 2.0), "span": 4.0}
    assert session.state()["_view"]["camera"]["span"] == 4
    session.close()
