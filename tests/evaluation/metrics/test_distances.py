import itertools

import networkx as nx
import numpy as np
import pytest
from references import METRICS, distance_matrix, slow_auc, slow_correlation

from graphne_viz import graphne_layout
from graphne_viz.evaluation.metrics.api import distance_correlation, link_prediction_auc
from graphne_viz.evaluation.metrics.graph_distances import steps_apart
from graphne_viz.evaluation.metrics.samples import some_connected_pairs, some_non_edges
from graphne_viz.graphs.convert.api import as_graph


@pytest.fixture
def parts():
    """A weighted graph in several parts, with isolates."""
    G = nx.disjoint_union_all([nx.barabasi_albert_graph(25, 2, seed=0), nx.path_graph(6), nx.empty_graph(3)])
    nx.set_edge_attributes(G, {edge: 1 + k for k, edge in enumerate(G.edges)}, "weight")
    return G


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("d", [2, 20])
def test_correlation_of_all_pairs_agrees_with_the_obvious_way(parts, metric, d):
    Y = np.random.default_rng(d).normal(size=(len(parts), d))
    expected = slow_correlation(parts, Y, metric)
    assert distance_correlation(parts, Y, metric=metric) == pytest.approx(expected, abs=1e-12)


def test_correlation_by_hand():
    G = nx.path_graph(30)
    line = np.column_stack([np.arange(30), np.zeros(30)])
    assert distance_correlation(G, line) == pytest.approx(1)
    # three nodes: 0-1 and 1-2 one step, 0-2 two steps, which is drawn shortest
    assert distance_correlation(nx.path_graph(3), [[0, 0], [5, 0], [1, 0]]) == pytest.approx(-np.sqrt(3) / 2)


@pytest.mark.parametrize("metric", METRICS)
def test_correlation_of_the_numbers_themselves(parts, metric):
    Y = np.random.default_rng(1).normal(size=(len(parts), 4))
    D = distance_matrix(Y, metric) ** (0.5 if metric == "euclidean" else 1)  # it has squares
    pairs = [(u, v) for u, v in itertools.combinations(parts, 2) if nx.has_path(parts, u, v)]
    steps, apart = zip(*((nx.shortest_path_length(parts, u, v), D[u, v]) for u, v in pairs), strict=True)
    found = distance_correlation(parts, Y, metric=metric, kind="pearson")
    assert found == pytest.approx(np.corrcoef(steps, apart)[0, 1], abs=1e-9)
    assert found != pytest.approx(distance_correlation(parts, Y, metric=metric), abs=1e-3)


def test_correlation_without_anything_to_compare_is_nan(parts):
    assert np.isnan(distance_correlation(nx.complete_graph(10), np.random.default_rng(0).normal(size=(10, 2))))
    assert np.isnan(distance_correlation(parts, np.zeros((len(parts), 2))))
    assert np.isnan(distance_correlation(nx.path_graph(2), [[0, 0], [1, 0]]))
    triangle = [[0, 0], [0.1, 0], [0.05, 0.1 * np.sqrt(0.75)]]
    assert np.isnan(distance_correlation(nx.complete_graph(3), triangle, kind="pearson"))
    with pytest.raises(ValueError, match="kind must be one of 'spearman', 'pearson', got 'kendall'"):
        distance_correlation(nx.path_graph(3), np.eye(3), kind="kendall")


def test_a_thousand_pairs_come_close_to_all():
    G = nx.connected_watts_strogatz_graph(400, 6, 0.05, seed=0)
    pos = graphne_layout(G)
    everything = distance_correlation(G, pos, pairs=10**6)
    some = [distance_correlation(G, pos, seed=seed) for seed in range(5)]
    assert len(set(some)) == 5
    assert np.abs(np.array(some) - everything).max() < 0.1


@pytest.mark.parametrize("few", [0, 10**6])
def test_connected_pairs_are_different_and_equally_likely(parts, few, monkeypatch):
    monkeypatch.setattr("graphne_viz.evaluation.metrics.samples._FEW_PAIRS", few)
    graph, rng = as_graph(parts), np.random.default_rng(0)
    together = 25 * 24 // 2 + 6 * 5 // 2
    counts = np.zeros((len(parts), len(parts)))
    for _ in range(2000):
        pairs = some_connected_pairs(graph, 20, rng)
        assert pairs.shape == (20, 2)
        assert len({frozenset(pair) for pair in pairs.tolist()}) == 20
        np.add.at(counts, tuple(np.sort(pairs, axis=1).T), 1)
    connected = {(u, v) for part in nx.connected_components(parts) for u, v in itertools.combinations(sorted(part), 2)}
    assert {tuple(pair) for pair in np.argwhere(counts).tolist()} == connected
    drawn = counts[counts > 0] / (2000 * 20 / together)
    assert 0.5 < drawn.min() < drawn.max() < 1.6


def test_pairs_can_be_of_a_sample_of_nodes(parts, monkeypatch):
    nodes = np.array([0, 3, 4, 9, 26, 28])
    for few in (0, 10**6):
        monkeypatch.setattr("graphne_viz.evaluation.metrics.samples._FEW_PAIRS", few)
        drawn = some_connected_pairs(as_graph(parts), 5, np.random.default_rng(0), nodes)
        assert set(drawn.ravel().tolist()) <= set(nodes.tolist())
        assert all(nx.has_path(parts, *pair) for pair in drawn.tolist())
    G = nx.path_graph(60)
    pos = np.column_stack([np.arange(60.0) ** 2, np.zeros(60)])
    whole = distance_correlation(G, pos, pairs=10**6)
    some = [distance_correlation(G, pos, pairs=10**6, sample=20, seed=seed) for seed in range(4)]
    assert len(set(some)) == 4
    assert np.abs(np.array(some) - whole).max() < 0.2
    assert distance_correlation(G, pos, pairs=10**6, sample=60) == whole
    assert np.isnan(distance_correlation(G, pos, sample=1))


def test_steps_are_those_of_networkx():
    for G in (nx.gnm_random_graph(80, 90, seed=0), nx.star_graph(30), nx.cycle_graph(31), nx.grid_2d_graph(7, 8)):
        G = nx.convert_node_labels_to_integers(G)  # noqa: PLW2901 -- the same graph
        pairs = np.array([(u, v) for u, v in itertools.permutations(G, 2) if nx.has_path(G, u, v)])
        expected = [nx.shortest_path_length(G, u, v) for u, v in pairs]
        np.testing.assert_array_equal(steps_apart(as_graph(G), pairs), expected)


@pytest.mark.parametrize("metric", METRICS)
def test_auc_of_all_edges_and_all_others_agrees_with_the_obvious_way(metric):
    G = nx.gnm_random_graph(14, 60, seed=0)  # 91 pairs, so that there are fewer others than edges and all are taken
    Y = np.random.default_rng(0).normal(size=(14, 3))
    Y[3] = Y[4]
    D = distance_matrix(Y, metric)
    others = [D[u, v] for u, v in nx.complement(G).edges]
    expected = slow_auc([D[u, v] for u, v in G.edges], others)
    assert link_prediction_auc(G, Y, share=1, metric=metric) == pytest.approx(expected, abs=1e-12)


def test_auc_by_hand():
    G = nx.Graph([(0, 1), (2, 3)])
    assert link_prediction_auc(G, [[0, 0], [1, 0], [5, 0], [6, 0]], share=1) == 1
    assert link_prediction_auc(nx.path_graph(3), [[0, 0], [5, 0], [1, 0]], share=1) == 0
    assert link_prediction_auc(G, np.zeros((4, 2)), share=1) == 0.5
    assert np.isnan(link_prediction_auc(nx.complete_graph(5), np.arange(10).reshape(5, 2)))


def test_auc_tells_a_layout_from_chance():
    G = nx.connected_watts_strogatz_graph(500, 6, 0.05, seed=0)
    assert link_prediction_auc(G, graphne_layout(G)) > 0.95
    assert 0.4 < link_prediction_auc(G, nx.random_layout(G, seed=0)) < 0.6
    drawn = {link_prediction_auc(G, graphne_layout(G), seed=seed) for seed in range(3)}
    assert len(drawn) > 1
    assert link_prediction_auc(G, graphne_layout(G), sample=30) == link_prediction_auc(
        G, graphne_layout(G), share=30 / G.number_of_edges()
    )


@pytest.mark.parametrize("few", [0, 10**6])
def test_non_edges_are_different_and_no_edges(few, monkeypatch):
    monkeypatch.setattr("graphne_viz.evaluation.metrics.samples._FEW_PAIRS", few)
    G = nx.gnm_random_graph(60, 200, seed=0)
    pairs = some_non_edges(as_graph(G), 400, np.random.default_rng(0))
    assert len({frozenset(pair) for pair in pairs.tolist()}) == 400
    assert not any(G.has_edge(u, v) or u == v for u, v in pairs.tolist())
    assert set(pairs.ravel().tolist()) == set(G)
