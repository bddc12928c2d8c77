"""Lists of edges, dicts of neighbours, and nodes alone."""

import networkx as nx
import pytest

from graphne_viz.graphs.convert.api import as_graph


def known(graph):
    ids = graph.ids
    return [(ids[u], ids[v], w) for (u, v), w in zip(graph.links.ends.tolist(), graph.links.weights, strict=True)]


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (1, 2)],
        [[0, 1], [1, 2]],
        ((0, 1), (1, 2)),
        {0: [1], 1: [2], 2: []},
        {0: {1}, 1: {0, 2}, 2: {1}},
        {0: {1: {}}, 1: {2: {}}},
        nx.path_graph(3).edges,
        nx.path_graph(3).edges(data=True),
        nx.MultiGraph(nx.path_graph(3)).edges,
        nx.MultiGraph(nx.path_graph(3)).edges(keys=True, data=True),
    ],
)
def test_edges_are_not_nodes(edges):
    graph = as_graph(edges)
    assert graph.ids == (0, 1, 2)
    assert known(graph) == [(0, 1, 1), (1, 2, 1)]
    assert not graph.directed
    assert as_graph(iter(edges) if isinstance(edges, list) else edges).n_edges == 2


def test_triples_have_weights_or_attributes():
    assert known(as_graph([("a", "b", 2), ("b", "c", 0.5)])) == [("a", "b", 2), ("b", "c", 0.5)]
    graph = as_graph([("a", "b", {"weight": 3, "kind": "x"}), ("b", "c", None), ("c", "a", 4)])
    assert known(graph) == [("a", "b", 3), ("b", "c", 1), ("c", "a", 4)]
    assert graph.links.attributes["kind"].tolist() == ["x", None, None]
    assert set(as_graph([("a", "b", {"cost": 3})], weight="cost").links.attributes) == {"cost"}
    assert known(as_graph([("a", "b", 3)], weight=None)) == [("a", "b", 1)]
    assert known(as_graph({"a": {"b": 2.5}})) == [("a", "b", 2.5)]


def test_directed_edges_of_networkx_are_directed():
    G = nx.DiGraph([(0, 1), (1, 2)])
    assert as_graph(G.edges).directed
    assert not as_graph(list(G.edges)).directed
    assert as_graph(list(G.edges), directed=True).directed
    assert as_graph([(0, 1), (1, 0), (1, 2)]).directed


def named_nodes():
    G = nx.grid_2d_graph(2, 2)
    nx.set_node_attributes(G, "a", "name")
    return G.nodes


@pytest.mark.parametrize("nodes", [["a", "b"], ["ab"], [(1,), (1, 2, 3, 4)], ["a", 1, (2, 3)], named_nodes()])
def test_plain_nodes_stay_nodes(nodes):
    graph = as_graph(nodes)
    assert graph.ids == tuple(nodes)
    assert graph.n_edges == 0


@pytest.mark.parametrize(
    ("edges", "error", "words"),
    [
        ([(0, 1), "a"], ValueError, r"item 1 is 'a', but item 0 \(0, 1\) is a pair: either all are edges"),
        (["a", (0, 1), (1, 2)], ValueError, r"item 1 is \(0, 1\), but item 0 'a' is none"),
        (
            [(0, 1, "knows")],
            ValueError,
            r"edge \(0, 1\) has weight 'knows', which is not a number.*or a dict of attrib",
        ),
        ([(0, 1, -1)], ValueError, r"edge \(0, 1\) has weight -1.0; weights must be finite and not negative"),
        ([(0, None)], ValueError, "None cannot be a node"),
        ([(0, [1])], TypeError, r"nodes must be hashable \(.*\); accepted as a graph are"),
        (
            {0: [1], 1: 5},
            TypeError,
            "the value of 1 is a int: a dict is a graph if its values are lists, sets or dicts",
        ),
        ([(0, 1, {"a": 1})], ValueError, "weight='cost' is not an attribute of any edge; there are 'a'"),
    ],
)
def test_what_cannot_be_told_is_refused(edges, error, words):
    with pytest.raises(error, match=words):
        as_graph(edges, weight="cost" if "cost" in words else "weight")
