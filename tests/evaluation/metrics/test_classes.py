"""Figures of single classes, against slow and obvious versions of them."""

import math
from collections import Counter
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from references import distance_matrix, slow_recall

from graphne_viz.evaluation.metrics.classes import class_accuracy, class_report, misplaced


def example(seed=0, n=60):
    """A random graph with points in two and in eight dimensions, three classes, and some nodes without one."""
    rng = np.random.default_rng(seed)
    G = nx.gnm_random_graph(n, 3 * n, seed=seed)
    classes = [None if k == 3 else "abc"[k] for k in rng.choice(4, size=n, p=[0.5, 0.25, 0.15, 0.1])]
    near = np.array(["abc".find(label or "z") for label in classes])
    return SimpleNamespace(
        G=G,
        classes=classes,
        Y=rng.normal(size=(n, 2)) + near[:, None],
        E=rng.normal(size=(n, 8)) + 2 * np.eye(8)[near % 8],
    )


def slow_votes(Y, classes, k, metric):
    """Return the class that the k nearest of known class vote for, and their number, for every node with a class."""
    D = distance_matrix(Y, metric)
    votes = {}
    for i, label in enumerate(classes):
        if label is None:
            continue
        near = [classes[j] for j in np.argsort(D[i]) if j != i and classes[j] is not None][:k]
        most = max(Counter(near).values())
        winner = next(one for one in near if near.count(one) == most)  # of equal ones the nearest
        votes[i] = (winner, most)
    return votes


def by_label(table):
    return {line.class_name: line for line in table}


def test_every_class_is_measured_as_defined():
    x = example()
    found = by_label(class_report(x.G, x.Y, x.classes, embedding=x.E, k=7))
    assert list(found) == ["a", "b", "c", None]
    recall = slow_recall(x.G, x.Y)
    flat, far = slow_votes(x.Y, x.classes, 7, "euclidean"), slow_votes(x.E, x.classes, 7, "cosine")
    for label, line in found.items():
        own = [i for i, other in enumerate(x.classes) if other is not None and label in {other, None}]
        assert line.nodes == len(own)
        assert line.neighbor_recall == pytest.approx(np.nanmean(recall[own]))
        assert line.knn_accuracy == pytest.approx(np.mean([flat[i][0] == x.classes[i] for i in own]))
        assert line.embedding_accuracy == pytest.approx(np.mean([far[i][0] == x.classes[i] for i in own]))
        ends = [x.classes[j] == x.classes[i] for i in own for j in x.G[i] if x.classes[j] is not None]
        assert line.edge_homophily == pytest.approx(np.mean(ends))
    accuracy = class_accuracy(x.G, x.E, x.classes, k=7)
    assert accuracy == pytest.approx({label: line.embedding_accuracy for label, line in found.items()})


def test_the_misplaced_are_those_among_others_clearest_first():
    x = example(1)
    votes = slow_votes(x.Y, x.classes, 5, "euclidean")
    wanted = [(i, x.classes[i], w, most / 5) for i, (w, most) in votes.items() if w != x.classes[i] and most > 2.5]
    found = [(line.node, line.class_name, line.around, line.share) for line in misplaced(x.G, x.Y, x.classes, k=5)]
    assert len(found) > 5
    assert found == sorted(wanted, key=lambda line: -line[3])


def test_a_node_put_into_another_class_is_found():
    G = nx.disjoint_union(nx.complete_graph(20), nx.complete_graph(20))
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(40, 2)) + np.repeat([[0, 0], [50, 0]], 20, axis=0)
    classes = ["left"] * 20 + ["right"] * 20
    assert len(misplaced(G, Y, classes)) == 0
    Y[3] = [50, 0]
    (line,) = misplaced(G, Y, dict(enumerate(classes)))
    assert (line.node, line.class_name, line.around, line.share) == (3, "left", "right", 1)
    report = by_label(class_report(G, Y, classes))
    assert report["left"].knn_accuracy == pytest.approx(19 / 20)
    assert report["right"].knn_accuracy == 1
    assert report[None].edge_homophily == 1


def test_nodes_on_one_point_vote_for_each_other():
    classes = ["a"] * 5 + ["b"] * 5
    Y = np.repeat([[0.0, 0.0], [1.0, 0.0]], 5, axis=0)
    report = class_report(nx.path_graph(10), Y, classes, k=4)
    assert [line.knn_accuracy for line in report] == [1, 1, 1]


def test_a_sample_measures_some_and_searches_among_all():
    x = example(n=300)
    whole, part = (class_report(x.G, x.Y, x.classes, sample=sample) for sample in (None, 100))
    assert [line.nodes for line in part] == [line.nodes for line in whole]
    assert [line.edge_homophily for line in part] == [line.edge_homophily for line in whole]
    assert part[-1].knn_accuracy != whole[-1].knn_accuracy
    assert part[-1].knn_accuracy == pytest.approx(whole[-1].knn_accuracy, abs=0.15)


def test_graphs_without_edges_have_classes_too():
    report = class_report(nx.empty_graph(20), np.random.default_rng(0).normal(size=(20, 2)), ["a", "b"] * 10, k=3)
    assert all(math.isnan(line.neighbor_recall) and math.isnan(line.edge_homophily) for line in report)
    assert not math.isnan(report[-1].knn_accuracy)


def test_tables_are_printed_and_become_pandas():
    x = example()
    report = class_report(x.G, x.Y, x.classes)
    lines = repr(report).splitlines()
    titles = "class name nodes neighbour recall kNN accuracy embedding accuracy edge homophily"
    assert " ".join(lines[0].split()) == titles
    assert [line.split()[0] for line in lines[1:]] == ["a", "b", "c", "all"]
    assert lines[1].split()[4] == "-"
    assert len({len(line) for line in lines}) == 1
    frame = report.to_frame()
    assert frame["nodes"].tolist() == [line.nodes for line in report]
    assert {"neighbor_recall", "knn_accuracy"} <= set(frame.columns), "what pandas has is called as in Python"
    empty = misplaced(nx.path_graph(40), np.repeat([[0.0, 0], [9, 0]], 20, axis=0), ["a"] * 20 + ["b"] * 20)
    assert list(empty.to_frame().columns) == ["node", "class_name", "around", "share"]
    assert repr(empty).split() == ["node", "class", "name", "around", "share"]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"classes": ["a"] * 60}, r"classes must name at least two classes, got only 'a'"),
        ({"classes": ["a", "b"]}, r"classes has 2 values, but the graph has 60 nodes"),
        ({"k": 60}, r"k must be below \d+, the number of nodes with a class, got 60"),
        ({"k": 0}, r"k must be .*got 0"),
        ({"Y": np.zeros((3, 2))}, r"Y has shape \(3, 2\); this graph needs \(60, d\)"),
    ],
)
def test_what_cannot_be_measured_is_refused(keywords, message):
    x = example()
    given = {"Y": x.Y, "classes": x.classes} | keywords
    for measure in (class_report, misplaced):
        with pytest.raises(ValueError, match=message):
            measure(x.G, **given)
