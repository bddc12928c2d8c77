import igraph as ig
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from references import METRICS, embedding, slow_recall, slow_two_hop_recall

from graphne_viz import graphne_layout
from graphne_viz.evaluation.metrics import neighbors
from graphne_viz.evaluation.metrics.api import neighbor_recall, two_hop_recall

BOTH = [(neighbor_recall, slow_recall), (two_hop_recall, slow_two_hop_recall)]


def graph_with_all_kinds(seed=0):
    """Hubs, several parts, isolates, weights, a self-loop."""
    G = nx.disjoint_union_all(
        [nx.barabasi_albert_graph(60, 2, seed=seed), nx.star_graph(20), nx.path_graph(7), nx.empty_graph(4)]
    )
    rng = np.random.default_rng(seed)
    nx.set_edge_attributes(G, {edge: rng.uniform(0.1, 9) for edge in G.edges}, "weight")
    G.add_edge(3, 3, weight=5.0)
    return G


def points_of(kind, n, d, rng):
    if kind == "normal":
        return rng.normal(size=(n, d))
    if kind == "grid":
        return rng.integers(0, 3, size=(n, d)).astype(float)
    if kind == "twins":
        return rng.normal(size=(n, d))[rng.integers(0, max(2, n // 5), n)]
    if kind == "far away":
        return rng.normal(size=(n, d)) + 1e7
    if kind == "outlier":
        return np.vstack([rng.normal(size=(n - 1, d)) * 1e-3, np.full(d, 1e3)])
    return np.zeros((n, d))


@pytest.mark.parametrize(("fast", "slow"), BOTH)
@pytest.mark.parametrize("kind", ["normal", "grid", "twins", "far away", "outlier", "one point"])
@pytest.mark.parametrize("d", [1, 2, 3, 7, 40])
def test_agrees_with_the_obvious_way(fast, slow, kind, d):
    G = graph_with_all_kinds()
    Y = points_of(kind, len(G), d, np.random.default_rng(1))
    np.testing.assert_allclose(fast(G, Y, metric="euclidean", per_node=True), slow(G, Y), atol=1e-12)


@pytest.mark.parametrize(("fast", "slow"), BOTH)
@pytest.mark.parametrize("kind", ["normal", "twins", "one point"])
@pytest.mark.parametrize("d", [2, 40])
def test_agrees_by_cosine(fast, slow, kind, d):
    G = graph_with_all_kinds()
    Y = points_of(kind, len(G), d, np.random.default_rng(2))
    if kind == "normal":
        Y[5] = 0  # no direction
        Y[7] = 3 * Y[8]  # twins by direction
    got = fast(G, Y, metric="cosine", per_node=True)
    np.testing.assert_allclose(got, slow(G, Y, metric="cosine"), atol=1e-12)


@pytest.mark.parametrize("twins", [False, True])
@pytest.mark.parametrize("d", [2, 3])
def test_agrees_where_a_tree_is_used(d, twins, monkeypatch):
    asked = []
    by_tree = neighbors.Nearest._by_tree
    monkeypatch.setattr(neighbors, "_TREE_PLACES", 1 / 10)
    monkeypatch.setattr(neighbors.Nearest, "_by_tree", lambda *args: asked.append(1) or by_tree(*args))
    G = graph_with_all_kinds(seed=3)
    Y = points_of("twins" if twins else "normal", len(G), d, np.random.default_rng(3))
    np.testing.assert_allclose(neighbor_recall(G, Y, per_node=True), slow_recall(G, Y), atol=1e-12)
    np.testing.assert_allclose(two_hop_recall(G, Y, k=4, per_node=True), slow_two_hop_recall(G, Y, k=4), atol=1e-12)
    assert asked


def test_two_hop_recall_in_small_blocks(monkeypatch):
    monkeypatch.setattr("graphne_viz.evaluation.metrics.graph_distances._LISTED", 25)
    G = graph_with_all_kinds(seed=4)
    Y = np.random.default_rng(4).normal(size=(len(G), 2))
    np.testing.assert_allclose(two_hop_recall(G, Y, per_node=True), slow_two_hop_recall(G, Y), atol=1e-12)


def test_values_by_hand():
    # 0 - 1 - 2, 3 alone; on a line in the order 0, 2, 1, 3
    G = nx.Graph([(0, 1), (1, 2)])
    G.add_node(3)
    Y = {0: [0.0, 0.0], 2: [1.0, 0.0], 1: [3.0, 0.0], 3: [3.5, 0.0]}
    recall = neighbor_recall(G, Y, per_node=True)
    np.testing.assert_array_equal(recall, [0, 0.5, 0, np.nan])
    assert neighbor_recall(G, Y) == pytest.approx(0.5 / 3)
    # 0 and 2 share node 1; 1 shares nothing with anyone
    np.testing.assert_array_equal(two_hop_recall(G, Y, k=1, per_node=True), [1, 0, 1, np.nan])
    np.testing.assert_array_equal(two_hop_recall(G, Y, k=2, per_node=True), [0.5, 0, 0.5, np.nan])


def test_all_on_one_point_is_chance():
    G = nx.cycle_graph(21)
    np.testing.assert_allclose(neighbor_recall(G, np.ones((21, 2)), per_node=True), 2 / 20)


def test_ties_do_not_depend_on_the_order_of_nodes():
    G = graph_with_all_kinds(seed=5)
    Y = dict(zip(G, points_of("grid", len(G), 2, np.random.default_rng(5)), strict=True))
    shuffled = nx.Graph()
    shuffled.add_nodes_from(np.random.default_rng(6).permutation(len(G)).tolist())
    shuffled.add_edges_from(G.edges)
    for metric in (neighbor_recall, two_hop_recall):
        assert metric(shuffled, Y) == pytest.approx(metric(G, Y), abs=1e-12)


def test_any_graph_and_any_layout():
    G = graph_with_all_kinds(seed=7)
    Y = np.random.default_rng(7).normal(size=(len(G), 3))
    expected = np.nanmean(slow_recall(G, Y))
    order = np.random.default_rng(8).permutation(len(G))
    g = ig.Graph.from_networkx(G)
    for graph, layout in [
        (G, Y),
        (G, Y.tolist()),
        (G, {node: Y[node] for node in reversed(list(G))}),
        (G, embedding(Y, list(G))),
        (G, embedding(Y[order], order.tolist())),
        (G, embedding(Y[order], order)),
        (G, embedding(Y, None)),
        (g, ig.Layout(Y.tolist())),
        (g, Y),
        (sp.csr_array(nx.to_scipy_sparse_array(G)), Y),
    ]:
        assert neighbor_recall(graph, layout) == pytest.approx(expected, abs=1e-12)


def test_auto_is_euclidean_up_to_three_dimensions():
    G = nx.barabasi_albert_graph(50, 2, seed=0)
    for d, metric in ((1, "euclidean"), (2, "euclidean"), (3, "euclidean"), (4, "cosine"), (128, "cosine")):
        Y = np.random.default_rng(d).normal(size=(50, d))
        assert neighbor_recall(G, Y) == neighbor_recall(G, Y, metric=metric)
        others = [neighbor_recall(G, Y, metric=other) for other in METRICS if other != metric]
        assert neighbor_recall(G, Y) not in others


def test_a_sample_is_some_of_the_nodes():
    G = graph_with_all_kinds(seed=9)
    Y = np.random.default_rng(9).normal(size=(len(G), 2))
    for metric in (neighbor_recall, two_hop_recall):
        full, some = metric(G, Y, per_node=True), metric(G, Y, sample=20, seed=1, per_node=True)
        chosen = ~np.isnan(some)
        assert chosen.sum() == 20
        np.testing.assert_array_equal(some[chosen], full[chosen])
        assert metric(G, Y, sample=20, seed=1) == some[chosen].mean()
        assert not np.array_equal(chosen, ~np.isnan(metric(G, Y, sample=20, seed=2, per_node=True)))
        assert metric(G, Y, sample=10**6) == metric(G, Y)


def test_a_layout_keeps_more_neighbours_than_chance():
    G = nx.connected_watts_strogatz_graph(200, 6, 0.05, seed=0)
    chance = nx.random_layout(G, seed=0)
    for metric in (neighbor_recall, two_hop_recall):
        assert metric(G, chance) < 0.15
        assert metric(G, graphne_layout(G)) > 0.5


def test_arguments_stay_as_they_are():
    G = nx.karate_club_graph()
    Y = np.random.default_rng(0).normal(size=(34, 20))
    before = Y.copy()
    Y.flags.writeable = False
    neighbor_recall(G, Y)
    two_hop_recall(G, Y)
    np.testing.assert_array_equal(Y, before)
