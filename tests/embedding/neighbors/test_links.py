"""Links that are not there yet."""

import networkx as nx
import numpy as np
import pytest
from embedding_examples import an_embedding
from training_examples import block_model

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.neighbors import links


def random_embedding(G, dim=6, seed=0):
    Z = np.random.default_rng(seed).normal(size=(len(G), dim))
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    history = {name: [1] for name in ("epoch", "loss", "temperature", "recall")}
    return Embedding(Z, tuple(G), history, {"epochs": 1}, [not G[node] for node in G])


def by_hand(G, E, k):
    pairs = [
        (float(E[u] @ E[v]), u, v)
        for i, u in enumerate(G)
        for v in list(G)[i + 1 :]
        if not G.has_edge(u, v) and G[u] and G[v]
    ]
    return [(u, v, similarity) for similarity, u, v in sorted(pairs, key=lambda pair: -pair[0])[:k]]


@pytest.mark.parametrize("block", [1, 50, 1 << 23])
@pytest.mark.parametrize("k", [1, 7, 100_000])
def test_they_are_the_most_similar_pairs_without_an_edge(monkeypatch, block, k):
    monkeypatch.setattr(links, "_BLOCK", block)
    G = nx.gnm_random_graph(40, 90, seed=2)
    G.add_nodes_from(["alone", "too"])
    E = random_embedding(G)
    found = E.predict_links(G, k)
    expected = by_hand(G, E, k)
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    assert [pair[2] for pair in found] == pytest.approx([pair[2] for pair in expected], abs=1e-6)


def test_a_graph_in_another_order_and_one_with_all_edges():
    G = nx.gnm_random_graph(20, 40, seed=1)
    E = random_embedding(G)
    turned = nx.Graph()
    turned.add_nodes_from(reversed(list(G)))
    turned.add_edges_from(G.edges)
    assert {frozenset(pair[:2]) for pair in E.predict_links(turned, 5)} == {
        frozenset(pair[:2]) for pair in E.predict_links(G, 5)
    }
    assert E.predict_links(nx.complete_graph(20), 5) == []


@pytest.mark.parametrize(
    ("nodes", "k", "error", "words"),
    [
        (4, 0, ValueError, "k must be at least 1, got 0"),
        (4, 1.5, TypeError, r"k must be an integer, got 1\.5"),
        (5, 3, ValueError, "the graph has 5 nodes, which are not the 4 nodes that were embedded"),
    ],
)
def test_bad_input(nodes, k, error, words):
    with pytest.raises(error, match=words):
        an_embedding(ids=range(4)).predict_links(nx.path_graph(nodes), k)


def test_edges_left_out_are_told_from_others():
    pytest.importorskip("torch")
    from graphne_viz import held_out_link_auc

    G, _ = block_model(6, 30, inside=0.5, across=0.002)
    assert 0.85 < held_out_link_auc(G, dim=32, epochs=20) <= 1
    assert abs(held_out_link_auc(nx.gnm_random_graph(150, 600, seed=0), dim=16, epochs=5) - 0.5) < 0.15


def test_no_part_falls_apart_for_want_of_edges_left_out():
    from graphne_viz.evaluation.held_out_links import _left_out
    from graphne_viz.graphs.convert.api import as_graph

    G = nx.disjoint_union(nx.gnm_random_graph(30, 80, seed=3), nx.cycle_graph(12))
    graph = as_graph(G)
    out = _left_out(graph, 0.3, np.random.default_rng(0))
    assert out.sum() == round(0.3 * graph.n_edges)
    H = G.copy()
    H.remove_edges_from(graph.pairs[out].tolist())
    assert nx.number_connected_components(H) == nx.number_connected_components(G)


def test_a_tree_has_no_edge_to_leave_out():
    pytest.importorskip("torch")
    from graphne_viz import held_out_link_auc

    with pytest.raises(ValueError, match="removing any of them would disconnect the graph"):
        held_out_link_auc(nx.path_graph(8))
