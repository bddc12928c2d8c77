"""What the caller's graph has is kept: direction, weight, parallel edges, loops and attributes of edges."""

import tracemalloc
from types import SimpleNamespace

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.igraph_graphs import as_igraph
from graphne_viz.graphs.convert.networkx_graphs import as_networkx
from graphne_viz.graphs.edge_table import EdgeTable
from graphne_viz.graphs.graph import Graph

# Two mutual pairs, a loop, weights of their own: 8 edges between 6 pairs of 5 nodes.
ENDS = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (3, 4), (0, 4), (4, 4)]
WEIGHTS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
KINDS = list("abcdefgh")


def networkx_graph(kind=nx.DiGraph):
    G = kind()
    G.add_nodes_from(range(5))
    G.add_edges_from((u, v, {"weight": w, "kind": k}) for (u, v), w, k in zip(ENDS, WEIGHTS, KINDS, strict=True))
    return G


def igraph_graph(*, directed=True):
    g = ig.Graph(n=5, edges=ENDS, directed=directed)
    g.es["weight"], g.es["kind"] = WEIGHTS, KINDS
    return g


def rustworkx_graph():
    g = rx.PyDiGraph()
    g.add_nodes_from([None] * 5)
    g.add_edges_from([(u, v, {"weight": w, "kind": k}) for (u, v), w, k in zip(ENDS, WEIGHTS, KINDS, strict=True)])
    return g


def table(library):
    source, target = zip(*ENDS, strict=True)
    return library.DataFrame({"source": source, "target": target, "weight": WEIGHTS, "kind": KINDS})


def matrix():
    A = np.zeros((5, 5))
    A[tuple(np.array(ENDS).T)] = WEIGHTS
    return A


def pyg():
    index, number = np.array(ENDS).T, np.arange(8)
    return SimpleNamespace(edge_index=index, num_nodes=5, edge_weight=np.array(WEIGHTS), edge_number=number)


def dgl():
    edata = {"weight": np.array(WEIGHTS), "number": np.arange(8), "wide": np.zeros((8, 2))}
    return SimpleNamespace(edges=lambda: np.array(ENDS).T, num_nodes=lambda: 5, ndata={}, edata=edata)


DIRECTED = {
    "networkx": networkx_graph,
    "igraph": igraph_graph,
    "rustworkx": rustworkx_graph,
    "pandas": lambda: table(pd),
    "polars": lambda: table(pl),
    "matrix": matrix,
    "sparse": lambda: sp.coo_array(matrix()),
    "array": lambda: np.column_stack([ENDS, WEIGHTS]),
    "pyg": pyg,
    "dgl": dgl,
}
WITH_KINDS = {"networkx", "igraph", "rustworkx", "pandas", "polars"}


@pytest.mark.parametrize("source", DIRECTED)
def test_directed_edges_keep_all_they_have(source):
    graph = as_graph(DIRECTED[source]())
    links = graph.links
    known = {tuple(ends): weight for ends, weight in zip(links.ends.tolist(), links.weights.tolist(), strict=True)}
    named = {(graph.ids[u], graph.ids[v]): weight for (u, v), weight in known.items()}
    assert named == dict(zip(ENDS, WEIGHTS, strict=True))
    assert graph.directed
    assert links.mixed is None
    assert links.mutual
    assert not links.parallel
    assert links.loops.sum() == 1
    assert (graph.n_edges, graph.n_pairs, len(graph.pairs)) == (8, 5, 5)
    assert "8 directed edges" in repr(graph)
    if source in WITH_KINDS:
        kinds = dict(zip(map(tuple, links.ends.tolist()), links.attributes["kind"].tolist(), strict=True))
        assert {(graph.ids[u], graph.ids[v]): k for (u, v), k in kinds.items()} == dict(zip(ENDS, KINDS, strict=True))
    if source in {"pyg", "dgl"}:
        (numbers,) = links.attributes.values()
        assert numbers.tolist() == list(range(8))
    assert graph.adjacency[0, 1] == 3
    assert graph.adjacency.diagonal().sum() == 0


@pytest.mark.parametrize("make", [lambda: networkx_graph(nx.MultiGraph), lambda: igraph_graph(directed=False)])
def test_parallel_edges_without_direction(make):
    graph = as_graph(make())
    assert not graph.directed
    assert graph.links.parallel
    assert not graph.links.mutual
    assert graph.n_edges == 8
    assert sorted(graph.links.weights.tolist()) == WEIGHTS


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_edges_are_those_of_networkx_in_its_order(kind):
    G = networkx_graph(kind)
    graph = as_graph(G)
    assert graph.n_edges == G.number_of_edges()
    assert [tuple(ends) for ends in graph.links.ends.tolist()] == [edge[:2] for edge in G.edges]
    assert graph.links.weights.tolist() == [weight for _, _, weight in G.edges(data="weight")]
    assert graph.links.attributes["kind"].tolist() == [said for _, _, said in G.edges(data="kind")]


def test_there_is_no_table_where_the_adjacency_says_it_all():
    G = nx.karate_club_graph()
    A = nx.to_scipy_sparse_array(G)
    both_ways = np.concatenate([np.array(G.edges), np.array(G.edges)[:, ::-1]])
    for plain in (G, A, sp.triu(A), np.array(G.edges), both_ways, SimpleNamespace(edge_index=both_ways.T)):
        graph = as_graph(plain)
        assert graph.edge_table is None
        assert graph.n_edges == graph.n_pairs == 78
        assert graph.links.ends.tolist() == graph.pairs.tolist()
        assert graph.links is graph.links


def test_what_a_plain_list_says_about_direction():
    assert not as_graph(np.array([[0, 1], [1, 2], [2, 3]])).directed  # nothing
    assert as_graph(np.array([[0, 1], [1, 0], [1, 2], [2, 2]])).directed  # one edge there and back, others not
    twice = as_graph(np.array([[0, 1], [1, 0], [0, 1], [1, 2]]))  # the same edge again: events rather than arcs
    assert not twice.directed
    assert twice.n_edges == 4
    frame = pd.DataFrame({"source": list("ab"), "target": list("ba"), "how": ["likes", "fears"]})
    assert as_graph(frame).directed  # written down twice, but not the same
    assert as_graph(frame.assign(how="knows")).n_edges == 1


def test_edges_that_a_layout_ignores_are_counted():
    G = nx.Graph([(0, 1), (1, 1)])
    G.add_edge(1, 2, weight=0)
    graph = as_graph(G)
    assert (graph.n_edges, graph.n_pairs) == (3, 1)
    assert graph.links.weights.tolist() == [1, 1, 0]
    assert as_graph(np.diag([1.0, 0, 2])).n_edges == 2
    empty = as_graph(nx.DiGraph())
    assert empty.directed
    assert empty.n_edges == 0


def test_an_undirected_matrix_with_loops_counts_each_edge_once():
    A = nx.to_numpy_array(nx.path_graph(4)) + np.eye(4)
    graph = as_graph(A)
    assert graph.n_edges == 7
    assert not graph.directed
    assert graph.links.loops.sum() == 4


def test_some_edges_of_a_table():
    ends = np.array([[0, 1], [1, 0], [1, 2], [2, 2]])
    links = EdgeTable(
        ends, np.arange(4.0), {"k": np.arange(4)}, directed=True, mixed=np.array([True, True, False, True])
    )
    part = links.among(np.array([1, 2]), 3)
    assert part.ends.tolist() == [[0, 1], [1, 1]]
    assert part.mixed.tolist() == [False, True]
    assert part.attributes["k"].tolist() == [2, 3]
    both, weights = links.both_ways()
    assert both.tolist() == [[0, 1], [1, 0], [1, 2], [2, 2], [2, 1]]
    assert weights.tolist() == [0, 1, 2, 3, 2]
    assert links.mutual
    assert not links.parallel
    ends[0] = 2  # the caller's own array stays writable
    with pytest.raises(ValueError, match="read-only"):
        links.ends[0] = 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.zeros(3, dtype=int), np.zeros(3)), r"the ends of edges have shape \(3,\); it must be \(E, 2\)"),
        ((np.zeros((3, 2), dtype=int), np.zeros(2)), r"the weights of edges: shape \(2,\), but there are 3 edges"),
        (
            (np.zeros((1, 2), dtype=int), np.zeros(1), {"a": np.zeros(2)}),
            r"attribute 'a' has shape \(2,\); there are 1 edges",
        ),
    ],
)
def test_columns_of_another_length_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        EdgeTable(*arguments)


def test_edges_to_nodes_that_are_not_there_are_refused():
    links = EdgeTable(np.array([[0, 2]]), np.ones(1))
    with pytest.raises(ValueError, match="an edge ends at node 2; there are 2 nodes"):
        Graph(sp.csr_array((2, 2)), range(2), edge_table=links)


def test_a_million_edges_of_an_array_take_no_objects():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 100_000, size=(1_000_000, 2))
    tracemalloc.start()
    graph = as_graph(ends)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.n_edges == 1_000_000
    assert kept < 45 * 1_000_000  # 24 bytes an edge in the adjacency, 16 in the table


def test_mixed_edges_go_out_to_networkx_and_igraph():
    links = EdgeTable(np.array([[0, 1], [1, 2]]), np.ones(2), directed=True, mixed=np.array([True, False]))
    path = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(3), dtype=float))
    graph = Graph(path, ("a", "b", "c"), edge_table=links)
    G = as_networkx(None, graph, {}, ("about", 1))
    assert G.is_directed()
    assert dict(G.edges) == {("a", "b"): {"weight": 1, "directed": True}, ("b", "c"): {"weight": 1, "directed": False}}
    g = as_igraph(None, graph, {}, ("about", 1))
    assert g.es["directed"] == [True, False]
