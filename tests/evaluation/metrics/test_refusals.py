"""Bad arguments are refused at the door, by name."""

import networkx as nx
import numpy as np
import pytest
from references import embedding

from graphne_viz.evaluation.metrics.api import (
    distance_correlation,
    evaluate,
    knn_accuracy,
    linear_accuracy,
    link_prediction_auc,
    neighbor_recall,
    two_hop_recall,
)

G = nx.cycle_graph(40)
Y = np.random.default_rng(0).normal(size=(40, 2))
LABELS = np.arange(40) % 2
BY_GRAPH = (neighbor_recall, two_hop_recall, link_prediction_auc, distance_correlation, evaluate)
BY_LABELS = (knn_accuracy, linear_accuracy)
BROKEN = np.where(np.arange(40)[:, None] == 7, [[np.nan, 1.0]], Y)


def call(function, points=Y, **options):
    return function(G, points, LABELS, **options) if function in BY_LABELS else function(G, points, **options)


@pytest.mark.parametrize("metric", [*BY_GRAPH, *BY_LABELS])
@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        (Y[:-1], ValueError, r"Y has shape \(39, 2\); this graph needs \(40, d\)"),
        (Y[:, 0], ValueError, r"Y has shape \(40,\); this graph needs \(40, d\)"),
        (Y[:, :0], ValueError, r"Y has shape \(40, 0\).* d at least 1"),
        (Y[None], ValueError, r"Y has shape \(1, 40, 2\)"),
        (BROKEN, ValueError, r"Y of node 7 is \[nan +1\.\]; every number must be finite"),
        (Y * np.inf, ValueError, "Y of node 0 is .*inf.*; every number must be finite"),
        (Y * 1e200, ValueError, "Y of node 0 .* within 1e.100"),
        (dict(enumerate(Y[:-1])), ValueError, "Y has no position for node 39"),
        (embedding(Y, [*range(39), 99]), ValueError, "Y has no position for node 39"),
        (embedding(Y, list(range(39))), ValueError, "Y has 39 ids, but 40 vectors"),
        ([["a", "b"]] * 40, TypeError, "Y must be an array .* got list"),
        (dict.fromkeys(G, "a"), TypeError, "Y must be an array .* got dict"),
        (Y + 1j, TypeError, "Y must be an array .* got ndarray"),
        (None, TypeError, "Y must be an array .* got NoneType"),
        (3, TypeError, "Y must be an array .* got int"),
    ],
)
def test_positions(metric, points, error, message):
    with pytest.raises(error, match=message):
        call(metric, points=points)


@pytest.mark.parametrize("metric", BY_GRAPH)
def test_graphs_without_edges(metric):
    for graph in (nx.empty_graph(40), nx.Graph([(0, 0)])):
        with pytest.raises(ValueError, match="G must have at least one edge, got Graph"):
            metric(graph, np.zeros((len(graph), 2)))
    with pytest.raises(TypeError, match="is not a graph"):
        metric(3, Y)


BAD = [
    (neighbor_recall, {"metric": "manhattan"}, ValueError, "metric must be one of 'auto', 'euclidean', 'cosine', got"),
    (neighbor_recall, {"metric": None}, ValueError, "metric must be one of .* got None"),
    (two_hop_recall, {"metric": ["cosine"]}, ValueError, "metric must be one of"),
    (knn_accuracy, {"metric": "l1"}, ValueError, "metric must be one of .* got 'l1'"),
    (link_prediction_auc, {"metric": "l1"}, ValueError, "metric must be one of .* got 'l1'"),
    (distance_correlation, {"metric": "l1"}, ValueError, "metric must be one of .* got 'l1'"),
    (evaluate, {"metric": "l1"}, ValueError, "metric must be one of .* got 'l1'"),
    (neighbor_recall, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (neighbor_recall, {"sample": 0.5}, TypeError, "sample must be an integer, got 0.5"),
    (two_hop_recall, {"sample": -3}, ValueError, "sample must be at least 1, got -3"),
    (knn_accuracy, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (linear_accuracy, {"metric": "l1"}, ValueError, "metric must be one of .* got 'l1'"),
    (distance_correlation, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (linear_accuracy, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (link_prediction_auc, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (evaluate, {"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    (two_hop_recall, {"k": 0}, ValueError, "k must be at least 1, got 0"),
    (knn_accuracy, {"k": 0}, ValueError, "k must be at least 1, got 0"),
    (knn_accuracy, {"k": 2.0}, TypeError, "k must be an integer, got 2.0"),
    (knn_accuracy, {"k": 37}, ValueError, "k must be at most 36, the number of nodes to learn from, got 37"),
    (knn_accuracy, {"test_size": 0}, ValueError, "test_size must be above 0 and below 1, got 0"),
    (linear_accuracy, {"test_size": 1}, ValueError, "test_size must be above 0 and below 1, got 1"),
    (linear_accuracy, {"test_size": "0.1"}, TypeError, "test_size must be a number, got '0.1'"),
    (knn_accuracy, {"repeats": 0}, ValueError, "repeats must be at least 1, got 0"),
    (link_prediction_auc, {"share": 0}, ValueError, "share must be above 0 and at most 1, got 0"),
    (link_prediction_auc, {"share": 1.1}, ValueError, "share must be above 0 and at most 1, got 1.1"),
    (link_prediction_auc, {"share": None}, TypeError, "share must be a number, got None"),
    (distance_correlation, {"pairs": 0}, ValueError, "pairs must be at least 1, got 0"),
    (neighbor_recall, {"sample": 5, "seed": "x"}, TypeError, "seed must be an int"),
    (knn_accuracy, {"seed": -1}, ValueError, "seed must not be negative"),
    (neighbor_recall, {"samples": 5}, TypeError, "samples"),
]


@pytest.mark.parametrize(("metric", "options", "error", "message"), BAD)
def test_options(metric, options, error, message):
    with pytest.raises(error, match=message):
        call(metric, **options)


@pytest.mark.parametrize("metric", [*BY_LABELS, evaluate])
@pytest.mark.parametrize(
    ("classes", "error", "message"),
    [
        (LABELS[:-1], ValueError, "classes has 39 values, but the graph has 40 nodes"),
        (LABELS[:, None], ValueError, r"classes has shape \(40, 1\); it must be \(40,\)"),
        ("class", ValueError, "classes='class' is not a node attribute of the graph; it has none"),
        (np.ones(40), ValueError, "classes must name at least two classes, got only 1.0"),
        ([None] * 40, ValueError, "classes must name at least two classes, got none"),
        ({"a": 1}, ValueError, "classes is a dict with none of the graph's nodes"),
        ([[1]] * 40, TypeError, "classes must be hashable"),
        (7, TypeError, "classes must be an array .* got 7"),
    ],
)
def test_labels(metric, classes, error, message):
    with pytest.raises(error, match=message):
        metric(G, Y, classes)
