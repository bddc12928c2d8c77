"""Nodes that are pinned, and functions that hear what somebody does, in the browser and in Python."""

import logging

import networkx as nx
import numpy as np
import pytest
from views import circle, club
from wires import wired  # noqa: F401 -- a fixture

from graphne_viz import view
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.viewer.run.placement import ROW


def rows(*entries):
    return np.array(list(entries), dtype=ROW).tobytes()


def test_nodes_are_pinned_in_python_and_in_the_browser():
    w = view(club(), circle(club()))
    before = dict(w.pos)
    seen = []
    w.observe(lambda change: seen.append(set(change["new"])), "pinned")
    w.pinned = [5]
    assert w.pinned[5] == pytest.approx(tuple(before[5]))
    w.pinned = {0: (0.25, -0.5)}
    assert w.pos[0] == pytest.approx((0.25, -0.5))
    assert np.frombuffer(w._pinned, dtype=ROW)["node"].tolist() == [0, 5]  # 5 was released and stays
    w.comm.set(_pinned=bytes(4) + rows((7, 0.5, 0.25, 1), (3, 0, 0, 0)))
    assert set(w.pinned) == {7}
    assert w.pos[3] != pytest.approx(tuple(before[3]))
    assert w.pos[0] == pytest.approx(tuple(before[0]))
    w.pinned = ()
    assert w.pinned == {}
    assert seen == [{5}, {0}, {7}, set()]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["Nobody"], "pinned has 'Nobody', which is not a node of the graph"),
        ({0: "ab"}, "pinned must have two finite numbers for 0, got 'ab'"),
        ({0: (1, np.inf)}, "pinned must have two finite numbers for 0"),
        (3, "pinned must be an iterable of nodes, got 3"),
    ],
)
def test_what_cannot_be_pinned_is_refused_and_the_picture_stays(value, message):
    w = view(club(), circle(club()))
    w.pinned = [1]
    before = dict(w.pos)
    with pytest.raises(ValueError, match=message):
        w.pinned = value
    assert set(w.pinned) == {1}
    assert all((w.pos[node] == before[node]).all() for node in before)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"123", "16 bytes"),
        (rows((99, 0, 0, 1)), "node 99 was moved, but the graph has"),
        (rows((0, np.nan, 0, 1)), "not finite"),
    ],
)
def test_rows_that_cannot_be_are_refused(data, message, caplog):
    w = view(club(), circle(club()))
    with caplog.at_level(logging.WARNING):
        w.comm.set(_pinned=bytes(4) + data)
    assert message in caplog.text
    assert w.pinned == {}


def test_pinned_nodes_are_in_what_is_exported(tmp_path):
    w = view(club(), circle(club()))
    w.pinned = {3: (0.1, 0.2)}
    w.to_gexf(tmp_path / "club.gexf")
    graph = read_graph(tmp_path / "club.gexf")
    assert np.flatnonzero(graph.attributes["pinned"]).tolist() == [3]
    assert w.provenance["caveats"][-1] == "1 of the nodes were put in place by hand"
    w.to_html(tmp_path / "club.html")
    assert '"pinned":' in (tmp_path / "club.html").read_text().replace(" ", "")


def test_functions_hear_of_clicks_pointers_and_selections(caplog):
    G = nx.relabel_nodes(club(), {0: "zero"})
    w = view(G, circle(G))
    heard = []

    @w.on_click
    def clicked(node):
        heard.append(("click", node))

    w.on_hover(lambda node: heard.append(("hover", node)))
    w.on_select(lambda nodes: heard.append(("select", nodes)))
    assert w._events == ["click", "hover"]
    w.comm.say({"kind": "event", "name": "click", "node": 0})
    w.comm.say({"kind": "event", "name": "hover", "node": 4})
    w.comm.say({"kind": "event", "name": "hover", "node": None})
    w.comm.set(_selected=np.array([0, 2], dtype="<u4").tobytes())
    w.selection = ["zero"]
    assert heard == [("click", "zero"), ("hover", 4), ("hover", None), ("select", (2,)), ("select", ("zero",))]
    w.comm.say({"kind": "event", "name": "click", "node": 10**6})
    assert "click of node 1000000" in caplog.text
    w.on_click(clicked, remove=True)
    assert w._events == ["hover"]
    with pytest.raises(ValueError, match="on_click cannot remove"):
        w.on_click(clicked, remove=True)
    with pytest.raises(TypeError, match="on_hover takes a function of one argument, got 'f'"):
        w.on_hover("f")


def test_a_function_that_fails_is_logged_and_harms_nobody(caplog):
    w = view(club(), circle(club()))
    heard = []
    w.on_select(lambda _nodes: 1 / 0)
    w.on_select(heard.append)
    w.selection = [1]
    assert heard == [(1,)]
    assert "a function that was given to on_select failed" in caplog.text
