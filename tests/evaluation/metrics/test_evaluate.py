import math
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout
from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.evaluation.metrics.api import Scores, evaluate

NAMES = [
    "neighbor_recall",
    "knn_accuracy",
    "linear_accuracy",
    "link_prediction_auc",
    "two_hop_recall",
    "distance_correlation",
]


@pytest.fixture(scope="module")
def karate():
    G = nx.karate_club_graph()
    return G, graphne_layout(G)


def test_all_figures_are_those_of_their_functions(karate):
    G, pos = karate
    scores = evaluate(G, pos, "club", seed=2, repeats=2)
    assert list(scores) == NAMES
    assert len(scores) == 6
    for name in NAMES:
        more = ("club",) if "accuracy" in name else ()
        keywords = {"repeats": 2} if more else {}
        assert scores[name] == getattr(scores, name) == getattr(metrics, name)(G, pos, *more, seed=2, **keywords)


def test_without_labels_there_are_no_accuracies(karate):
    scores = evaluate(*karate)
    assert {name for name in NAMES if math.isnan(scores[name])} == {"knn_accuracy", "linear_accuracy"}


def test_a_table_of_one_row(karate):
    scores = evaluate(*karate, "club")
    frame = scores.to_frame()
    assert frame.shape == (1, 6)
    assert list(frame.columns) == NAMES
    assert frame.loc[0].to_dict() == dict(scores)


def test_reads_well():
    assert repr(Scores(neighbor_recall=0.61239, distance_correlation=-0.5)).splitlines() == [
        "neighbour recall      0.612",
        "kNN accuracy              -",
        "linear accuracy           -",
        "link prediction AUC       -",
        "2-hop recall              -",
        "distance correlation -0.500",
    ]


def test_is_frozen_and_knows_its_names():
    scores = Scores()
    with pytest.raises(AttributeError, match="cannot assign"):
        scores.neighbor_recall = 1
    with pytest.raises(KeyError, match="recall"):
        scores["recall"]
    with pytest.raises(KeyError, match="to_frame"):
        scores["to_frame"]


def test_a_sample_and_a_seed(karate):
    G, pos = karate
    assert evaluate(G, pos, sample=10, seed=1) != evaluate(G, pos, sample=10, seed=2)
    assert evaluate(G, pos, "club", seed=1) == evaluate(G, pos, "club", seed=1)


def test_a_complete_graph_has_no_other_pairs():
    scores = evaluate(nx.complete_graph(8), np.random.default_rng(0).normal(size=(8, 2)))
    assert scores.neighbor_recall == 1
    assert math.isnan(scores.link_prediction_auc)
    assert math.isnan(scores.distance_correlation)


def test_importing_the_metrics_is_light():
    # scipy.sparse itself brings solvers before scipy 1.16; whatever is imported uses it.
    code = (
        "import sys, scipy.sparse; before = set(sys.modules); import graphne_viz.evaluation.metrics.api;"
        "print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "graphne_viz.evaluation.metrics.api" in loaded
    assert not {"numba", "sklearn", "pandas", "scipy.spatial", "scipy.stats", "scipy.linalg"} & set(loaded)


def test_a_table_without_pandas_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        Scores().to_frame()
