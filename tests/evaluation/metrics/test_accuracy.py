import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from graphne_viz.evaluation.metrics.api import evaluate, knn_accuracy, linear_accuracy


def blobs(n, d, n_classes, spread, seed=0):
    """Points around one centre a class, and their classes."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, n)
    return rng.normal(size=(n_classes, d))[classes] * 5 + spread * rng.normal(size=(n, d)), classes


def slow_knn(Y, classes, k, seed, metric):
    train, test = train_test_split(np.arange(len(Y)), test_size=0.1, random_state=seed)
    right = 0
    for i in test:
        if metric == "cosine":
            apart = 1 - Y[train] @ Y[i] / np.linalg.norm(Y[train], axis=1) / np.linalg.norm(Y[i])
        else:
            apart = np.linalg.norm(Y[train] - Y[i], axis=1)
        votes = np.bincount(classes[train[np.argsort(apart)[:k]]])
        right += votes.argmax() == classes[i]
    return right / len(test)


@pytest.mark.parametrize(("d", "metric"), [(2, "euclidean"), (2, "cosine"), (30, "cosine"), (30, "euclidean")])
def test_knn_agrees_with_the_obvious_way(d, metric):
    Y, classes = blobs(400, d, 5, 8 if d == 2 else 20)
    for k, seed in ((15, 0), (3, 7)):
        expected = slow_knn(Y, classes, k, seed, metric)
        assert knn_accuracy(nx.empty_graph(400), Y, classes, k=k, seed=seed, metric=metric) == expected
        assert 0.2 < expected < 1


def test_one_tenth_is_tested_and_the_rest_learnt_from():
    # Only one node of the class is 0 away from its twin; everyone else is of the other class.
    Y = np.arange(100.0)[:, None]
    classes = np.zeros(100, dtype=int)
    classes[:10] = 1
    _, test = train_test_split(np.arange(100), test_size=0.1, random_state=3)
    accuracy = knn_accuracy(nx.empty_graph(100), Y, classes, k=90, seed=3)
    assert accuracy == np.mean(classes[test] == 0)  # all others vote, and most are 0


def test_repeats_average_over_splits():
    Y, classes = blobs(300, 2, 4, 6)
    G = nx.empty_graph(300)
    for metric in (knn_accuracy, linear_accuracy):
        single = [metric(G, Y, classes, seed=seed) for seed in (4, 5, 6)]
        assert metric(G, Y, classes, seed=4, repeats=3) == pytest.approx(np.mean(single))
        assert len(set(single)) > 1


def test_too_few_labels_cost_the_accuracies_only(caplog):
    """`evaluate` has no `k` to lower; 17 nodes are the fewest of which 15 can vote."""
    for n in (5, 16):
        G, classes = nx.path_graph(n), np.arange(n) % 2
        Y = np.column_stack([np.arange(n), np.zeros(n)])
        with pytest.raises(ValueError, match="k must be at most"):
            knn_accuracy(G, Y, classes)
        scores = evaluate(G, Y, classes)
        assert np.isnan([scores.knn_accuracy, scores.linear_accuracy]).all()
        assert scores.distance_correlation == 1
        words = f"accuracies are skipped: they need at least 17 nodes with a class, and there are {n}"
        assert [record.getMessage() for record in caplog.records] == [words]
        caplog.clear()
    Y, classes = blobs(17, 2, 2, 0.1)
    scores = evaluate(nx.path_graph(17), Y, classes)
    assert scores.knn_accuracy == knn_accuracy(nx.path_graph(17), Y, classes)
    assert scores.linear_accuracy >= 0
    assert not caplog.records


def test_linear_by_cosine_is_that_of_unit_vectors():
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 2, 400)
    angle = rng.normal(0.6 * classes, 0.2)  # classes differ in direction only
    Y = np.column_stack([np.cos(angle), np.sin(angle)]) * 10.0 ** rng.uniform(-3, 3, size=(400, 1))
    unit = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    G = nx.empty_graph(400)
    by_direction = linear_accuracy(G, Y, classes, repeats=5, metric="cosine")
    assert by_direction == pytest.approx(linear_accuracy(G, unit, classes, repeats=5), abs=0.01)
    assert by_direction > 0.85 > linear_accuracy(G, Y, classes, repeats=5)


def test_linear_tells_what_a_line_can_tell_and_no_more():
    rng = np.random.default_rng(0)
    Y = rng.uniform(-1, 1, size=(1000, 2))
    G = nx.empty_graph(1000)
    Y_far = Y * [1000, 0.001] + [5e4, 3]  # standardised, this is the same
    for points in (Y, Y_far):
        assert linear_accuracy(G, points, Y[:, 0] > Y[:, 1]) > 0.95
        assert linear_accuracy(G, points, (Y[:, 0] > 0) ^ (Y[:, 1] > 0)) < 0.7
    assert knn_accuracy(G, Y, (Y[:, 0] > 0) ^ (Y[:, 1] > 0)) > 0.9


def test_classes_that_can_be_separated_end_without_a_warning():
    Y, classes = blobs(200, 20, 3, 0.01)
    assert linear_accuracy(nx.empty_graph(200), Y, classes) == 1


def test_labels_in_any_form():
    G = nx.karate_club_graph()
    Y = np.random.default_rng(0).normal(size=(34, 2))
    clubs = [club for _, club in G.nodes(data="club")]
    for metric, more in ((knn_accuracy, {"k": 5}), (linear_accuracy, {})):
        expected = metric(G, Y, np.array(clubs), **more)
        assert 0 <= expected <= 1
        for classes in ("club", clubs, dict(zip(G, clubs, strict=True)), [club == "Officer" for club in clubs]):
            assert metric(G, Y, classes, **more) == expected


def test_nodes_without_a_label_are_left_out():
    Y, classes = blobs(120, 2, 3, 5)
    G = nx.empty_graph(120)
    known = np.random.default_rng(1).random(120) < 0.6
    expected = knn_accuracy(nx.empty_graph(known.sum()), Y[known], classes[known])
    named = np.where(known, classes.astype(float), np.nan)
    assert knn_accuracy(G, Y, named) == expected
    assert knn_accuracy(G, Y, {i: int(classes[i]) for i in np.flatnonzero(known)}) == expected
    assert knn_accuracy(G, Y, [int(c) if ok else None for c, ok in zip(classes, known, strict=True)]) == expected
    assert knn_accuracy(G, Y, pd.Series(classes.astype(str), dtype="string").where(known)) == expected


def test_a_sample_tests_fewer():
    Y, classes = blobs(1000, 2, 5, 6)
    G = nx.empty_graph(1000)
    for metric in (knn_accuracy, linear_accuracy):
        accuracy = metric(G, Y, classes, sample=7)
        assert round(accuracy * 7) == pytest.approx(accuracy * 7)
        assert metric(G, Y, classes, sample=5000) == metric(G, Y, classes)


def test_a_split_may_leave_one_class_to_learn_from():
    classes = np.zeros(20, dtype=int)
    _, test = train_test_split(np.arange(20), test_size=0.1, random_state=0)
    classes[test[0]] = 1
    assert linear_accuracy(nx.empty_graph(20), np.random.default_rng(0).normal(size=(20, 2)), classes) == 0.5


def test_any_seed():
    Y, classes = blobs(100, 2, 3, 5)
    G = nx.empty_graph(100)
    for make in (np.random.default_rng, np.random.RandomState):
        assert knn_accuracy(G, Y, classes, seed=make(3)) == knn_accuracy(G, Y, classes, seed=make(3))
    assert 0 <= knn_accuracy(G, Y, classes, seed=None) <= 1
