"""What is selected, in the browser and in Python."""

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp
from views import circle, club
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import Graph, view
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.viewer.transport.wire import decode_container


def test_the_selection_goes_both_ways_and_node_0_is_not_lost():
    w = view(club(), circle(club()))
    assert w.selection == ()
    seen = []
    w.observe(lambda change: seen.append(change["new"]), "selection")
    w.comm.set(_selected=np.array([0, 0], dtype="<u4").tobytes())
    assert w.selection == (0,)
    w.comm.set(_selected=np.array([0, 5, 0, 5], dtype="<u4").tobytes())
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
        ([0, 99], "selection has 99, which is not a node of the graph"),
        ([[0]], r"selection has \[0\], which is not a node"),
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
    w.comm.set(_selected=np.array([0, 0, 2], dtype="<u4").tobytes())
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
    w.comm.set(_selected=np.array([0, 0, 1, 2], dtype="<u4").tobytes())
    assert check(w.selected_subgraph())


def test_igraph_nodes_are_called_by_their_names():
    g = ig.Graph.Famous("Zachary")
    g.vs["name"] = [f"n{i}" for i in range(34)]
    w = view(g, live=False, n_iter=10)
    texts = decode_container(w._graph)["names"]
    assert bytes(texts["text"])[: texts["ends"][0]] == b"n0"
    w.selection = ["n3", 5]
    assert w.selection == (3, 5)


def test_what_is_selected_of_a_file_keeps_its_own_edges(tmp_path):
    G = nx.MultiDiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 3)])
    nx.set_edge_attributes(G, {edge: f"e{k}" for k, edge in enumerate(G.edges(keys=True))}, "tag")
    nx.write_graphml(G, tmp_path / "g.graphml")
    graph = read_graph(tmp_path / "g.graphml")
    w = view(graph, np.zeros((4, 2)))
    w.selection = list(graph.ids[:3])
    part = w.selected_subgraph()
    assert part.edge_table.directed
    assert part.edge_table.ends.tolist() == [[0, 1], [0, 1], [1, 2], [2, 0]]
    assert part.edge_table.attributes["tag"].tolist() == ["e0", "e1", "e2", "e3"]
