"""Every way to open a view."""

import inspect
import threading
import time

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
from views import circle, club, same
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import embed, graphne_layout, project, view
from graphne_viz.embedding import task
from graphne_viz.viewer.transport.wire import decode_frame


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
        if name != "edges":  # whether they are drawn, where they are not the graph
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
        ({"edge_width": "wight"}, ValueError, r"edge_width='wight' is not an edge attribute.*Did you mean 'weight'\?"),
        ({"edge_color": 3}, TypeError, "edge_color must be the name of an edge attribute or None, got 3"),
        ({"arrows": "yes"}, TypeError, "arrows must be True or False, got 'yes'"),
        ({"class_names": 1}, TypeError, "class_names must be True or False, got 1"),
        ({"colors": {"club": "red"}}, TypeError, "colors must map the names of columns to colours of classes"),
        ({"colors": {"club": {"Officer": "rot"}}}, ValueError, "colors contains an invalid colour: 'rot'"),
        ({"colors": {"degree": {}}}, ValueError, "colors names 'degree', which has no classes"),
        ({"size_range": 3}, TypeError, "size_range must be None or the smallest and the largest diameter"),
        ({"size_range": (9, 3)}, ValueError, "size_range must be two ascending numbers from 0 to 200"),
        ({"live": "yes"}, TypeError, "live must be True, False, 'callback' or None, got 'yes'"),
        ({"theme": "blue"}, ValueError, "theme must be one of 'auto', 'light', 'dark', got 'blue'"),
        ({"height": 5}, ValueError, "height must be at least 100, got 5"),
        ({"height": "tall"}, TypeError, "height must be an integer"),
        ({"pace": "slow"}, ValueError, "pace must be 'auto' or a non-negative number of seconds, got 'slow'"),
        ({"pace": -1}, ValueError, "pace must be"),
        ({"exaggeration": 0}, ValueError, "exaggeration must be positive"),
        ({"n_iter": 1.5}, TypeError, "n_iter must be an integer"),
        ({"callback": 3}, TypeError, "callback must be callable, got 3"),
        ({"callback_every": 0}, ValueError, "callback_every must be at least 1"),
        ({"dim": 3}, ValueError, "dim must be 2"),
        (
            {"embedding": np.ones((34, 3))},
            TypeError,
            r"embedding must be an Embedding or 'train', got a ndarray; view\(G, pos=project\(array\)\) shows other",
        ),
        ({"embedding": np.ones((34, 3)), "training": {}}, ValueError, "training needs embedding='train'"),
        ({"embedding": "learn"}, ValueError, "embedding must be an Embedding or 'train', got 'learn'"),
        (
            {"embedding": "train", "training": {"dim": 2, "foo": 1}},
            TypeError,
            "^training has no 'foo'; it has dim, .*, temperature, epochs, .*, device, devices, seed, start$",
        ),
        ({"embedding": "train", "training": 3}, TypeError, "training must be a dict of keywords of embed, got a int"),
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


def test_an_embedding_is_projected_without_blocking_the_cell(monkeypatch):
    pytest.importorskip("torch")
    E = embed(club(), dim=4, epochs=2)
    go, find = threading.Event(), task.nearest_graph

    def slow(*args, **keywords):
        go.wait(30)
        return find(*args, **keywords)

    monkeypatch.setattr(task, "nearest_graph", slow)
    w = view(club(), embedding=E, n_iter=20)
    until(lambda: w._status["status_text"] == "Finding nearest neighbours")
    assert (w.run.state, w.pos) == ("starting", None)
    go.set()
    assert w.run.wait(30) == "finished"
    assert w._status["status_text"] == ""
    assert same(w.pos, project(E, n_iter=20))
