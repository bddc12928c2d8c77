import base64
import gc
import importlib
import inspect
import io
import logging
import subprocess
import sys
import time
import weakref

import igraph as ig
import ipywidgets
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp
import traitlets
from ipywidgets.embed import dependency_state
from PIL import Image
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

import graphne_viz
from graphne_viz import Graph, graphne_layout, view
from graphne_viz.viewer.cells import CELLS, Cells
from graphne_viz.viewer.columns import attribute_key
from graphne_viz.viewer.wire import decode_container, decode_frame


def club():
    return nx.karate_club_graph()


def circle(G):
    return nx.circular_layout(G)


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[node], other[node]) for node in one)


def keys_of(trait_bytes):
    return [column["key"] for column in decode_container(trait_bytes)["columns"]]


# ---- Every way to open a view ----


def test_a_live_view_returns_at_once_and_ends_where_graphne_layout_does():
    graphne_layout(club(), n_iter=1, early_exaggeration_iter=1)  # compiled
    begun = time.monotonic()
    w = view(club(), color="club", pace=5)
    assert time.monotonic() - begun < 2
    assert w.run.state in {"starting", "running"}
    assert w.run.wait(30) == "finished"
    assert same(w.pos, graphne_layout(club()))
    assert not [thread for thread in our_threads() if thread.name == "graphne-layout"]


def test_a_finished_layout_is_shown_as_it_is():
    G = club()
    w = view(G, circle(G))
    assert (w.run.state, w.run.iteration) == ("idle", 0)
    assert same(w.pos, circle(G))
    assert not our_threads()
    frame = decode_frame(w._frame, 34)
    assert (frame.phase, frame.seq, frame.run) == (3, 0, 0)
    assert np.allclose(frame.positions, list(circle(G).values()), atol=0.05)


def test_live_false_lays_out_first():
    w = view(club(), live=False, seed=2, exaggeration=2)
    assert (w.run.state, w._status["state"]) == ("finished", "finished")
    assert same(w.pos, graphne_layout(club(), seed=2, exaggeration=2))
    assert not our_threads()


def test_a_live_view_can_start_from_positions():
    G = club()
    w = view(G, circle(G), live=True, early_exaggeration_iter=0, n_iter=50)
    assert w.run.wait(30) == "finished"
    assert same(w.pos, graphne_layout(G, circle(G), early_exaggeration_iter=0, n_iter=50))


def test_fixed_nodes_stay_where_they_are():
    G = club()
    w = view(G, {0: (5, 5), 33: (-5, -5)}, fixed=[0, 33], n_iter=50)
    assert w.run.wait(30) == "finished"
    assert np.array_equal(w.pos[0], [5, 5])


def test_the_graph_is_never_changed_but_for_store_pos_as():
    G = club()
    before = {node: dict(data) for node, data in G.nodes(data=True)}
    view(G, color="club", live=False)
    assert dict(G.nodes(data=True)) == before
    w = view(G, store_pos_as="place", n_iter=20)
    w.run.wait(30)
    assert same(nx.get_node_attributes(G, "place"), w.pos)


@pytest.mark.parametrize(
    "graph",
    [
        club(),
        ig.Graph.Famous("Zachary"),
        nx.to_scipy_sparse_array(club()),
        nx.to_numpy_array(club()),
        np.array(club().edges),
        pd.DataFrame(club().edges, columns=["source", "target"]),
        pl.DataFrame(list(club().edges), schema=["source", "target"], orient="row"),
        rx.networkx_converter(club()),
        ["a", "b", "c"],
    ],
    ids=lambda graph: type(graph).__name__,
)
def test_every_kind_of_graph_comes_back_as_graphne_layout_returns_it(graph):
    w = view(graph, n_iter=10)
    w.run.wait(30)
    expected = graphne_layout(graph, n_iter=10)
    assert type(w.pos) is type(expected)
    assert len(w.pos) == len(expected)
    assert repr(w.pos) == repr(expected)


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_tiny_graphs(nodes):
    w = view(nx.path_graph(nodes), color="degree", label=True)
    assert w.run.wait(30) == "finished"
    assert len(w.pos) == nodes
    assert decode_frame(w._frame).positions.shape == (nodes, 2)
    assert w._repr_mimebundle_()[0]["image/png"]


def test_all_keywords_of_graphne_layout_are_there_with_their_defaults():
    ours, theirs = (inspect.signature(f).parameters for f in (view, graphne_layout))
    for name, parameter in theirs.items():
        assert ours[name].default == parameter.default, name


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"colour": "club"}, TypeError, "unexpected keyword argument 'colour'"),
        ({"color": "nope"}, ValueError, "color='nope' is not a node attribute"),
        ({"color": [1, 2]}, ValueError, "color has 2 values, but the graph has 34 nodes"),
        ({"color": 3}, TypeError, "color=3 is neither"),
        ({"size": "club"}, ValueError, "size must hold numbers"),
        ({"size": -1}, ValueError, "size=-1 is not an area"),
        ({"label": "nope"}, ValueError, "label='nope' is not a node attribute"),
        ({"edges": "auto"}, TypeError, "edges must be True or False, got 'auto'"),
        ({"live": "yes"}, TypeError, "live must be True, False or None, got 'yes'"),
        ({"theme": "blue"}, ValueError, "theme must be one of 'auto', 'light', 'dark', got 'blue'"),
        ({"height": 5}, ValueError, "height must be at least 100, got 5"),
        ({"height": "tall"}, TypeError, "height must be a whole number"),
        ({"pace": "slow"}, ValueError, "pace must be 'auto' or a number of seconds from 0, got 'slow'"),
        ({"pace": -1}, ValueError, "pace must be"),
        ({"exaggeration": 0}, ValueError, "exaggeration must be positive"),
        ({"n_iter": 1.5}, TypeError, "n_iter must be a whole number"),
        ({"callback": 3}, TypeError, "callback must be callable, got 3"),
        ({"callback_every": 0}, ValueError, "callback_every must be at least 1"),
        ({"dim": 3}, ValueError, "dim must be 2"),
        ({"fixed": [0]}, ValueError, "nodes are fixed without positions given"),
        ({"pos": {0: (0, 0)}}, ValueError, "pos has no position for node 1; live=True starts a layout"),
        ({"pos": np.zeros((3, 2))}, ValueError, "pos must have shape"),
        ({"weight": "nope"}, ValueError, "nope"),
        ({"engine": "fast"}, ValueError, "engine must be one of"),
    ],
    ids=str,
)
def test_bad_input_is_refused_before_anything_starts(keywords, error, message):
    with pytest.raises(error, match=message):
        view(club(), **keywords)
    assert not our_threads()


def test_store_pos_as_needs_a_networkx_graph():
    with pytest.raises(ValueError, match="store_pos_as='pos' needs a networkx graph"):
        view(np.eye(3), store_pos_as="pos")


# ---- What the browser knows ----


def test_the_traits_are_few_and_none_shadows_ipywidgets_own():
    w = view(club(), circle(club()))
    base = set(ipywidgets.DOMWidget.class_trait_names())
    own = {"_graph", "_extra", "_frame", "_status", "_selected", "_hidden", "_group", "_turn"}
    own |= {"color", "size", "label", "edges", "exaggeration", "theme", "height"}
    synced = {name for name in w.keys if name not in base}
    assert synced - {"_esm", "_css", "_anywidget_id"} == own
    assert not (own | {"selection", "run", "pos", "graph"}) & base
    assert w.layout.__class__ is ipywidgets.Layout


def test_the_opening_message_carries_graph_and_layout():
    G = club()
    w = view(G, circle(G), color="club", size="degree", label=True, edges=False, theme="dark", height=300)
    ((kind, data, buffers),) = [message for message in w.comm.sent if message[0] == "comm_open"]
    assert kind == "comm_open"
    state = data["state"]
    assert (state["color"], state["size"], state["label"]) == ("a:club", "degree", "name")
    assert (state["edges"], state["theme"], state["height"]) == (False, "dark", 300)
    by_name = dict(zip([path[0] for path in data["buffer_paths"]], buffers, strict=True))
    graph = decode_container(by_name["_graph"])
    assert (graph["nodes"], graph["edges"]) == (34, 78)
    assert decode_frame(by_name["_frame"], 34).positions.shape == (34, 2)


def test_start_pause_and_end_are_kept_in_traits():
    w = view(club(), n_iter=100_000, pace=0)
    until(lambda: w.run.iteration > 300)
    assert decode_frame(w._frame).iteration == 0, "the start"
    w.run.pause()
    until(lambda: decode_frame(w._frame).iteration == w.run.iteration)
    assert w._status["state"] == "paused"
    w.run.resume()
    w.run.stop()
    w.run.wait(60)
    frame = decode_frame(w._frame, 34)
    assert (frame.iteration, frame.phase) == (w.run.iteration, 3)
    assert np.array_equal(frame.positions, w.run.latest.positions)
    assert w._status["state"] == "stopped"
    states = [status["state"] for status in w.comm.updates("_status")]
    assert states[0] in {"starting", "running"}
    assert states[-1] == "stopped"
    assert [len(frame) for _, d, b in w.comm.sent for frame in b if d.get("buffer_paths") == [["_frame"]]] != []


def test_frames_go_to_a_view_that_is_there_and_the_last_arrives():
    w = view(club(), pace=1)
    assert w.comm.customs("frame") == []
    assert w.comm.command("ready") == {"kind": "answer", "id": "c0", "ok": True}
    answered = set()

    def answer():
        for content, _ in w.comm.customs("frame"):
            if content["seq"] and content["seq"] not in answered:
                answered.add(content["seq"])
                w.comm.say({"kind": "ack", "seq": content["seq"]})
        return w.run.state == "finished"

    until(answer)
    until(lambda: not answer() or not our_threads())
    frames = [(content, decode_frame(buffers[0], 34)) for content, buffers in w.comm.customs("frame")]
    assert len(frames) > 10
    assert [frame.seq for _, frame in frames] == [content["seq"] for content, _ in frames]
    assert [frame.iteration for _, frame in frames] == sorted(frame.iteration for _, frame in frames)
    last = frames[-1][1]
    assert (last.iteration, last.phase, last.run) == (750, 3, 1)
    assert {frame.phase for _, frame in frames} >= {1, 2, 3}
    assert {frame.exaggeration for _, frame in frames if frame.phase == 1} == {12.0}


def test_a_browser_that_does_not_answer_gets_two_frames():
    w = view(club(), pace=0.3)
    w.comm.command("ready")
    until(lambda: len(w.comm.customs("frame")) == 2)
    time.sleep(0.2)
    assert len(w.comm.customs("frame")) == 2


def test_a_restart_counts_in_the_frames():
    w = view(club(), n_iter=20, pace=0)
    w.run.wait(30)
    w.run.restart()
    w.run.wait(30)
    assert decode_frame(w._frame).run == 2


def test_a_failed_run_says_so(caplog):
    w = view(club(), callback=lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division"):
        w.run.wait(30)
    until(lambda: w._status["state"] == "failed")
    assert w._status["message"] == "The layout failed: division by zero"
    assert "division by zero" in caplog.text


# ---- What the browser asks for ----


def test_every_command_is_obeyed_and_answered():
    w = view(club(), n_iter=100_000, pace=0)
    for name, state in [("pause", "paused"), ("resume", "running"), ("pause", "paused"), ("play", "running")]:
        assert w.comm.command(name)["ok"] is True
        assert w.run.state == state
    assert w.comm.command("restart")["ok"] is True
    assert w.comm.command("stop")["ok"] is True
    assert w.run.wait(60) == "stopped"
    assert w.run.count == 2
    assert w.comm.command("play")["ok"] is True
    assert w.run.state in {"starting", "running"}


def test_play_optimises_a_layout_that_was_given():
    G = club()
    w = view(G, circle(G), n_iter=20)
    w.comm.command("play")
    assert w.run.wait(30) == "finished"
    assert not same(w.pos, circle(G))


@pytest.mark.parametrize(
    "message",
    [
        None,
        "pause",
        [],
        {},
        {"kind": "dance", "id": 7},
        {"kind": "command", "id": 7},
        {"kind": "command", "id": 7, "name": "fly"},
        {"kind": "command", "id": 7, "name": ["pause"]},
        {"kind": "command", "id": 7, "name": "close"},
        {"kind": "command", "id": 7, "name": "__class__"},
        {"kind": "ack", "id": 7},
        {"kind": "ack", "seq": "1", "id": 7},
        {"kind": "ack", "seq": True, "id": 7},
    ],
    ids=str,
)
def test_what_is_not_understood_is_answered_and_logged(message, caplog):
    w = view(club(), circle(club()))
    w.comm.say(message)
    ((answer, _),) = w.comm.customs("answer")
    assert answer["id"] == (7 if isinstance(message, dict) and "id" in message else None)
    assert "is no message that is understood here" in answer["error"]
    assert answer["error"] in caplog.text
    assert w.run.state == "idle"


def test_a_command_that_fails_is_answered(monkeypatch):
    w = view(club(), circle(club()))
    monkeypatch.setattr(w.run, "pause", lambda: 1 / 0)
    assert w.comm.command("pause") == {"kind": "answer", "id": "c0", "error": "division by zero"}


def test_a_refused_frame_is_logged(caplog):
    w = view(club(), circle(club()))
    w.comm.say({"kind": "ack", "seq": 5, "error": "the frame has 3 nodes"})
    assert "refused frame 5: the frame has 3 nodes" in caplog.text
    assert w.comm.customs("answer") == []


def test_the_browser_changes_traits():
    w = view(club(), circle(club()))
    w.comm.set(color=attribute_key("club"), size="degree", label="name", edges=False)
    assert (w.color, w.size, w.label, w.edges) == ("club", "degree", True, False)
    w.comm.set(color="", size="", label="")
    assert (w.color, w.size, w.label) == (None, None, None)


@pytest.mark.parametrize(
    "state",
    [
        {"color": "nope"},
        {"color": 7},
        {"exaggeration": -1},
        {"exaggeration": "much"},
        {"height": 1},
        {"theme": "blue"},
        {"_selected": b"abc"},
        {"_selected": b"\xff\xff\xff\xff"},
        {"_selected": "0"},
    ],
    ids=str,
)
def test_what_the_browser_cannot_set_stays_and_the_browser_is_told(state, caplog):
    w = view(club(), circle(club()), color="club")
    w.selection = [0]
    (name,) = state
    before, sent = getattr(w, name), len(w.comm.updates(name))
    w.comm.set(**state)
    assert getattr(w, name) == before
    assert "sent what cannot be" in caplog.text
    assert w.run.state == "idle"
    if name != "_selected":
        assert w.comm.updates(name)[-1] == w.get_state(name)[name]
        assert len(w.comm.updates(name)) > sent


# ---- Selection ----


def test_the_selection_goes_both_ways_and_node_0_is_not_lost():
    w = view(club(), circle(club()))
    assert w.selection == ()
    seen = []
    w.observe(lambda change: seen.append(change["new"]), "selection")
    w.comm.set(_selected=np.array([0], dtype="<u4").tobytes())
    assert w.selection == (0,)
    w.comm.set(_selected=np.array([5, 0, 5], dtype="<u4").tobytes())
    assert w.selection == (0, 5)
    w.selection = [7, 0, 7, 3]
    assert w.selection == (0, 3, 7)
    assert np.frombuffer(w._selected, dtype="<u4").tolist() == [0, 3, 7]
    w.selection = []
    assert w.selection == ()
    assert w._selected == b""
    assert seen == [(0,), (0, 5), (0, 3, 7), ()]


@pytest.mark.parametrize(
    "nodes", [{0, 3}, np.array([3, 0]), iter([0, 3]), pd.Series([0, 3]), (0, 3, 3), {3: "x", 0: "y"}.keys()]
)
def test_any_iterable_of_nodes_can_be_selected(nodes):
    w = view(club(), circle(club()))
    w.selection = nodes
    assert w.selection == (0, 3)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([0, 99], "selection has 99, which is no node of the graph"),
        ([[0]], r"selection has \[0\], which is no node"),
        ("0", "selection must be an iterable of nodes, got '0'"),
        (5, "selection must be an iterable of nodes, got 5"),
        (None, "selection must be an iterable of nodes, got None"),
    ],
)
def test_what_cannot_be_selected_is_refused_and_the_old_selection_stays(nodes, message):
    w = view(club(), circle(club()))
    w.selection = [1]
    with pytest.raises(ValueError, match=message):
        w.selection = nodes
    assert w.selection == (1,)


def test_nodes_of_any_kind_are_selected_by_their_own_names():
    G = nx.Graph([(("a", 1), "b"), ("b", 2.5)])
    w = view(G, circle(G))
    w.comm.set(_selected=np.array([0, 2], dtype="<u4").tobytes())
    assert w.selection == (("a", 1), 2.5)


def test_the_selected_subgraph_is_of_the_same_kind():
    G = club()
    nx.set_node_attributes(G, {node: node * 2 for node in G}, "twice")
    w = view(G, circle(G))
    w.selection = [0, 1, 2]
    part = w.selected_subgraph()
    assert isinstance(part, nx.Graph)
    assert sorted(part.edges) == [(0, 1), (0, 2), (1, 2)]
    assert part.nodes[2]["twice"] == 4
    part.remove_node(0)
    assert 0 in G
    w.selection = []
    assert len(w.selected_subgraph()) == 0


@pytest.mark.parametrize(
    ("graph", "check"),
    [
        (ig.Graph.Famous("Zachary"), lambda part: isinstance(part, ig.Graph) and part.ecount() == 3),
        (rx.networkx_converter(club()), lambda part: isinstance(part, rx.PyGraph) and part.num_edges() == 3),
        (
            nx.to_scipy_sparse_array(club(), weight=None),
            lambda part: sp.issparse(part) and part.shape == (3, 3) and part.sum() == 6,
        ),
        (
            nx.to_numpy_array(club(), weight=None),
            lambda part: isinstance(part, np.ndarray) and part.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
        ),
        (
            np.array(club().edges),
            lambda part: isinstance(part, Graph) and list(part.ids) == [0, 1, 2] and part.n_edges == 3,
        ),
        (
            pd.DataFrame(sorted(club().edges), columns=["source", "target"]),
            lambda part: part.to_numpy().tolist() == [[0, 1], [0, 2], [1, 2]],
        ),
        (
            pl.DataFrame(sorted(club().edges), schema=["source", "target"], orient="row"),
            lambda part: part.rows() == [(0, 1), (0, 2), (1, 2)],
        ),
        (["a", "b", "c", "d"], lambda part: isinstance(part, Graph) and part.n_nodes == 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_selected_subgraph_of_other_kinds(graph, check):
    w = view(graph, live=False, n_iter=0, early_exaggeration_iter=1)
    w.comm.set(_selected=np.array([0, 1, 2], dtype="<u4").tobytes())
    assert check(w.selected_subgraph())


# ---- Colour, size, label, attraction from Python ----


def test_colours_of_any_kind_can_be_set():
    w = view(club(), circle(club()))
    w.color = "club"
    assert w.comm.updates("color")[-1] == "a:club"
    assert w._extra == view(club(), circle(club()))._extra, "the graph has it already"
    values = [k % 3 for k in range(34)]
    w.color = values
    assert w.comm.updates("color")[-1] == "custom:color"
    assert keys_of(w._extra) == ["custom:color"]
    order = [name for m, d, _ in w.comm.sent if m == "comm_msg" for name in ("_extra", "color") if _carries(d, name)]
    assert order[-2:] == ["_extra", "color"], "the column is there before it is asked for"
    assert w.color == values
    w.color = {0: 1.5, 33: 2.5}
    w.color = "tomato"
    w.color = (0.1, 0.2, 0.3)
    assert keys_of(w._extra) == ["custom:color"]
    w.color = None
    assert w.comm.updates("color")[-1] == ""


def _carries(data, name):
    return name in data.get("state", {}) or [name] in data.get("buffer_paths", [])


def test_a_list_that_changed_can_be_set_again():
    w = view(club(), circle(club()))
    values = [0.5] * 34
    w.color = values
    first = w._extra
    values[3] = 7.5
    assert w.color[3] == 0.5
    w.color = values
    assert w._extra != first


def test_the_browser_can_go_back_to_a_column_of_the_callers_own():
    w = view(club(), circle(club()))
    w.color = np.arange(34.0)
    w.comm.set(color="a:club")
    assert w.color == "club"
    assert keys_of(w._extra) == ["custom:color"]
    w.comm.set(color="custom:color")
    assert np.array_equal(w.color, np.arange(34.0))


@pytest.mark.parametrize("role", ["color", "size", "label"])
def test_a_choice_that_cannot_be_leaves_the_old_one(role):
    w = view(club(), circle(club()), color="club", size="degree", label=True)
    before = getattr(w, role)
    with pytest.raises(ValueError, match=f"{role}='nope' is not a node attribute"):
        setattr(w, role, "nope")
    with pytest.raises(traitlets.TraitError, match=f"{role} has 2 values, but the graph has 34 nodes"):
        setattr(w, role, [1, 2])
    assert getattr(w, role) == before
    assert w.get_state(role)[role] == {"color": "a:club", "size": "degree", "label": "name"}[role]


def spread(pos):
    points = np.array(list(pos.values()))
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).mean())


def test_the_dial_acts_on_the_running_optimisation():
    w = view(club(), scale=None, n_iter=100_000, pace=0)
    until(lambda: w.run.iteration > 1000)
    w.run.pause()
    until(lambda: w._status["state"] == "paused")
    wide = spread(w.pos)
    w.exaggeration = 10
    at = w.run.iteration
    w.run.resume()
    until(lambda: w.run.iteration > at + 500)
    assert spread(w.pos) < 0.6 * wide
    w.comm.set(exaggeration=1.0)
    at = w.run.iteration
    until(lambda: w.run.iteration > at + 1000)
    assert spread(w.pos) > 0.8 * wide
    assert w.run.count == 1


def test_the_dial_wakes_a_finished_run_and_the_run_moves_the_dial():
    w = view(club(), n_iter=50, pace=0)
    w.run.wait(30)
    w.comm.set(exaggeration=4.0)
    assert w.run.state != "finished" or w.run.iteration > 300
    w.run.wait(30)
    assert (w.run.exaggeration, w.run.iteration) == (4, 350)
    w.run.exaggeration = 7
    w.run.wait(30)
    assert w.exaggeration == 7
    assert w.comm.updates("exaggeration")[-1] == 7


# ---- An ordinary ipywidget ----


def test_it_can_be_observed_linked_and_boxed():
    one, other = view(club(), circle(club())), view(club(), circle(club()))
    traitlets.link((one, "selection"), (other, "selection"))
    traitlets.dlink((one, "color"), (other, "color"))
    one.selection = [0, 4]
    one.color = "club"
    assert (other.selection, other.color) == ((0, 4), "club")
    slider = ipywidgets.FloatSlider(value=1, min=1, max=30)
    ipywidgets.jslink((slider, "value"), (one, "exaggeration"))
    box = ipywidgets.HBox([one, slider])
    assert box.get_state("children")["children"][0] == f"IPY_MODEL_{one.model_id}"
    states = []
    one.observe(lambda change: states.append(change["new"]["state"]), "_status")
    one.run.play()
    one.run.wait(30)
    until(lambda: states[-1] == "finished")
    assert states[0] == "starting"


def test_changes_can_be_held_while_a_run_goes_on():
    w = view(club(), n_iter=2000, pace=0)
    with w.hold_sync():
        w.color = "club"
        w.edges = False
        assert w.comm.updates("edges") == []
        w.run.wait(30)
    assert w.comm.updates("edges") == [False]
    assert w.comm.updates("color") == ["a:club"]
    assert w.comm.updates("_status")[-1]["state"] == "finished"


def test_an_observer_that_fails_does_not_hurt_the_run(caplog):
    w = view(club(), circle(club()), n_iter=20)
    w.observe(lambda _: 1 / 0, "_status")
    w.run.play()
    assert w.run.wait(30) == "finished"
    assert w._status["state"] == "finished"
    assert "ZeroDivisionError" in caplog.text


def test_interact_works_with_a_view():
    w = view(club(), circle(club()))
    ipywidgets.interactive(lambda edges: setattr(w, "edges", edges), edges=False).update()
    assert w.edges is False


def test_two_views_of_one_graph_do_not_meet():
    G = club()
    one, other = view(G, n_iter=50, seed=1), view(G, n_iter=50, seed=2)
    one.selection = [0]
    one.run.wait(30)
    other.run.wait(30)
    assert other.selection == ()
    assert same(one.pos, graphne_layout(G, n_iter=50, seed=1))
    assert same(other.pos, graphne_layout(G, n_iter=50, seed=2))


# ---- Where no browser runs it ----


def picture_of(w):
    bundle = w._repr_mimebundle_(include=None, exclude=None)
    data = bundle[0]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == w.model_id
    return Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGB")


def test_the_mime_bundle_carries_a_picture_of_the_layout():
    w = view(club(), live=False, color="club", size="degree")
    image = picture_of(w)
    assert (image.width, image.height) == (660, 550)
    colors = {color for _, color in image.getcolors(100_000)}
    for expected in ((0, 114, 178), (213, 94, 0)):
        assert min(sum(abs(a - b) for a, b in zip(color, expected, strict=True)) for color in colors) < 20
    w.color = "#ff00ff"
    assert (255, 0, 255) in {color for _, color in picture_of(w).getcolors(100_000)}


def test_a_picture_of_a_large_graph_is_small_and_quick():
    rng = np.random.default_rng(0)
    n = 60_000
    w = view(sp.csr_array((n, n)), rng.normal(size=(n, 2)), color=rng.integers(0, 5, n), edges=True)
    begun = time.monotonic()
    png = base64.b64decode(w._repr_mimebundle_()[0]["image/png"])
    assert time.monotonic() - begun < 3
    assert len(png) < 150_000
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert sum(count for count, color in image.getcolors(100_000) if color != (255, 255, 255)) > 20_000


def test_before_there_are_positions_the_picture_says_so(monkeypatch):
    w = view(club(), circle(club()))
    monkeypatch.setattr(type(w.run), "wait_for_positions", lambda _self, _timeout: False)
    assert picture_of(w).height == 110


def test_a_picture_that_fails_does_not_hide_the_view(monkeypatch, caplog):
    w = view(club(), circle(club()))
    monkeypatch.setattr(type(w), "_picture", lambda _self: 1 / 0)
    data = w._repr_mimebundle_()[0]
    assert "image/png" not in data
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "no picture" in caplog.text


# ---- The end of it all ----


def test_closing_ends_everything():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.comm.command("ready")
    until(lambda: w.comm.customs("frame"))
    w.close()
    w.close()
    until(lambda: not our_threads())
    assert w.run.state == "stopped"


@pytest.mark.parametrize("paused", [False, True])
def test_a_comm_that_is_closed_by_others_ends_the_run(paused):
    w = view(club(), n_iter=1_000_000, pace=0)
    until(lambda: w.run.iteration > 0)
    if paused:
        w.run.pause()
    w.comm.close()  # as marimo does when a cell is run again
    until(lambda: not our_threads())
    assert w.run.state == "stopped"


def test_a_browser_that_closes_the_comm_ends_the_run():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.comm.handle_close({})
    until(lambda: not our_threads())


def test_nothing_keeps_a_widget_alive_that_was_closed():
    w = view(club(), n_iter=50)
    w.comm.command("ready")
    w.run.wait(30)
    ref = weakref.ref(w)
    w.close()
    del w
    until(lambda: gc.collect() is not None and ref() is None)


def test_a_widget_that_nobody_has_any_more_is_collected_with_its_run():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.run.wait_for_positions(30)
    ref, wire = weakref.ref(w), w.comm
    ipywidgets.widgets.widget._instances.pop(w.model_id)
    wire.on_msg(None)
    del w
    until(lambda: gc.collect() is not None and ref() is None)  # the run's thread may hold it for a moment
    until(lambda: not our_threads())


def test_a_process_ends_in_peace_while_a_view_runs():
    code = """
import networkx as nx, time
from graphne_viz import view
w = view(nx.barabasi_albert_graph(3000, 2, seed=0), n_iter=10**6, pace=0)
w.run.wait_for_positions(60)
time.sleep(0.2)
print(w.run.state)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "running", "")


# ---- Cells and the package ----


def test_cells_are_heard_of_once_and_weakly(monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    cells = Cells()
    heard = []

    class Ear:
        def poke(self):
            heard.append(cells.running)

    ear, gone = Ear(), Ear()
    for listener in (ear, gone, ear):
        cells.watch(listener)
    assert cells.running is False
    del gone, listener
    gc.collect()
    shell.run_cell("1")
    assert heard == [True, False]
    shell.parent_header = {"header": {"msg_type": "execute_request"}}
    during = Cells()
    during.watch(ear)
    assert during.running is True


def test_a_view_is_not_slowed_down_by_a_cell_that_is_not_there():
    assert CELLS.running is False


def test_the_widget_is_exported_lazily():
    from graphne_viz.viewer.widget import GraphWidget

    assert graphne_viz.GraphWidget is GraphWidget
    with pytest.raises(AttributeError, match="has no attribute 'GraphWidge'"):
        graphne_viz.GraphWidge  # noqa: B018 - the access is the test


def test_without_anywidget_view_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "graphne_viz.viewer.widget", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'graphne-viz\[viewer\]'"):
        view(club())


def test_a_viewer_that_was_not_built_says_so(monkeypatch, tmp_path):
    widget = importlib.import_module("graphne_viz.viewer.widget")
    monkeypatch.setattr(widget, "__file__", str(tmp_path / "widget.py"))
    with pytest.raises(FileNotFoundError, match="the viewer has not been built, which `make` does"):
        widget._static("widget.js")


def test_nothing_is_logged_when_all_is_well(caplog):
    with caplog.at_level(logging.WARNING):
        w = view(club(), color="club", n_iter=20)
        w.run.wait(30)
        w.close()
    assert not caplog.records


# ---- What review found ----


def test_igraph_nodes_are_called_by_their_names():
    g = ig.Graph.Famous("Zachary")
    g.vs["name"] = [f"n{i}" for i in range(34)]
    w = view(g, live=False, n_iter=10)
    texts = decode_container(w._graph)["names"]
    assert bytes(texts["text"])[: texts["ends"][0]] == b"n0"
    w.selection = ["n3", 5]
    assert w.selection == (3, 5)


def test_an_embedded_page_has_the_viewer_in_it():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    state = dependency_state([finished], drop_defaults=True)[finished.model_id]["state"]
    assert state["_esm"]
    assert state["_css"]


def test_the_browser_cannot_say_what_is_pythons_to_say():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    before = finished._status
    finished.set_state({"_status": {"state": "failed"}})
    assert finished._status == before


def test_a_dial_turned_too_far_is_refused():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    with pytest.raises(ValueError, match="exaggeration must be at most 1e\\+06"):
        finished.exaggeration = 1e39
