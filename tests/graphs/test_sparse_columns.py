"""Attributes that nearly all nodes or edges lack: time and memory follow what is said, and nothing else differs."""

import time
import tracemalloc

import networkx as nx
import numpy as np
import pytest
import rustworkx as rx

from graphne_viz import graphne_layout
from graphne_viz.graphs import attributes
from graphne_viz.graphs.attributes import SparseColumns
from graphne_viz.graphs.convert.api import as_graph

MANY = 20_000


def with_nodes_of_their_own(n):
    G = nx.path_graph(n)
    nx.set_node_attributes(G, {node: {f"only{node}": node} for node in G})
    return G


def with_edges_of_their_own(n):
    G = nx.path_graph(n)
    nx.set_edge_attributes(G, {edge: {f"only{edge[0]}": 1.5} for edge in G.edges})
    return G


def listed(n):
    return [(k, k + 1, {f"only{k}": 1}) for k in range(n - 1)]


def payloads(n):
    G = rx.PyGraph()
    G.add_nodes_from([{f"only{k}": k} for k in range(n)])
    G.add_edges_from([(k, k + 1, {f"only{k}": k}) for k in range(n - 1)])
    return G


@pytest.mark.parametrize("made", [with_nodes_of_their_own, with_edges_of_their_own, listed, payloads])
def test_attributes_of_their_own_cost_what_they_say(made):
    G = made(MANY)
    tracemalloc.start()
    try:
        begun = time.perf_counter()
        graph = as_graph(G)
        assert time.perf_counter() - begun < 60, "value by value it takes minutes"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3e8, "columns of all nodes take 3.2 GB"
    names = {**dict.fromkeys(graph.attributes), **dict.fromkeys(graph.links.attributes)}
    assert {"only0", "only7", f"only{MANY - 2}"} <= set(names)


@pytest.fixture
def sparse(monkeypatch):
    monkeypatch.setattr(attributes, "_MOST_CELLS", 0)
    monkeypatch.setattr(attributes, "_CELLS_PER_VALUE", 1)


def attributed():
    G = nx.gnp_random_graph(30, 0.2, seed=1, directed=True)
    for node in G:
        G.nodes[node]["all"] = node
        if node % 7 == 0:
            G.nodes[node].update({"some": [node], 3: None, "label": str(node)})
    for k, edge in enumerate(G.edges):
        if k % 9 == 0:
            G.edges[edge][f"e{k % 2}"] = k
    return G


def told(columns):
    return {name: (column.dtype, column.tolist()) for name, column in columns.items()}


@pytest.mark.usefixtures("sparse")
def test_columns_are_as_those_kept_one_by_one(monkeypatch):
    graph = as_graph(attributed())
    assert isinstance(graph.attributes, SparseColumns)
    assert isinstance(graph.links.attributes, SparseColumns)
    monkeypatch.undo()
    plain = as_graph(attributed())
    assert not isinstance(plain.attributes, SparseColumns)
    assert told(graph.attributes) == told(plain.attributes)
    assert told(graph.links.attributes) == told(plain.links.attributes)
    chosen = np.flatnonzero(np.arange(30) % 3 < 2)
    assert told(graph.links.among(chosen, 30).attributes) == told(plain.links.among(chosen, 30).attributes)
    taken = graph.attributes.take(np.array([7, 7, 0, 1]))
    assert taken["some"].tolist() == [[7], [7], [0], None]
    assert graph.attributes.take(np.array([0, 7]))["all"].dtype == np.int64


@pytest.mark.usefixtures("sparse")
def test_they_cannot_be_written_to_and_are_the_callers_no_more():
    G = attributed()
    graph = as_graph(G)
    with pytest.raises(ValueError, match="read-only"):
        graph.attributes["some"][0] = 1
    assert "other" not in graph.attributes
    with pytest.raises(KeyError, match="other"):
        graph.attributes["other"]
    G.nodes[7]["some"] = "changed"
    assert graph.attributes["some"][7] == [7]


@pytest.mark.usefixtures("sparse")
def test_a_layout_needs_none_of_them():
    G = attributed()
    assert list(graphne_layout(G, n_iter=20)) == list(G)


@pytest.mark.usefixtures("sparse")
def test_columns_of_another_length_are_refused():
    graph = as_graph(attributed())
    with pytest.raises(ValueError, match=r"attribute 'all' has shape \(29,\); there are 30 nodes"):
        type(graph)(graph.adjacency, graph.ids, graph.attributes.take(slice(29)))
