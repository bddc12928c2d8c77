"""What a figure can be, how far it can be trusted, and when one is better than another."""

import json
import math
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from graphne_viz.evaluation.metrics.api import evaluate
from graphne_viz.evaluation.metrics.noise import winner
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.evaluation.metrics.recall_bounds import recall_bounds
from graphne_viz.graphs.convert.api import as_graph

EXAMPLES = Path(__file__).parents[3] / "js" / "test" / "analysis" / "recall_bounds.json"


@pytest.mark.parametrize("case", json.loads(EXAMPLES.read_text())["cases"], ids=lambda case: case["name"])
def test_bounds_are_those_of_the_viewer(case):
    G = nx.MultiGraph()
    G.add_nodes_from(range(case["nodes"]))
    G.add_edges_from([(0, k) for k in range(1, case["nodes"])] if case.get("star") else case["pairs"])
    assert recall_bounds(G) == pytest.approx((case["random"], case["best"]))
    assert recall_bounds(G, dim=128).best == 1


def test_no_layout_exceeds_the_bounds_and_chance_is_met():
    G = as_graph(nx.barabasi_albert_graph(120, 1, seed=0))
    bounds = recall_bounds(G)
    rng = np.random.default_rng(0)
    chance = [neighbor_recall(G, rng.normal(size=(120, 2))) for _ in range(40)]
    assert np.mean(chance) == pytest.approx(bounds.random, abs=0.005)
    laid_out = np.array(list(nx.kamada_kawai_layout(nx.from_scipy_sparse_array(G.adjacency)).values()))
    assert bounds.random < neighbor_recall(G, laid_out) <= bounds.best < 1


def test_a_star_is_told_what_can_be():
    star = nx.star_graph(20)
    scores = evaluate(star, nx.circular_layout(star))
    assert repr(scores).splitlines()[0].endswith("(0.10 by chance, at most 0.33)")


def test_digits_follow_the_number_of_nodes_tested():
    G = nx.karate_club_graph()
    pos = nx.spring_layout(G, seed=0)
    scores = evaluate(G, pos, "club")
    assert 0.01 < scores.errors["neighbor_recall"] < 0.1
    assert len(scores.text("neighbor_recall")) == 4  # two decimals of 34 nodes
    assert len(scores.text("knn_accuracy")) == 3  # one of four
    large = nx.random_geometric_graph(3000, 0.04, seed=0)
    assert len(evaluate(large, nx.get_node_attributes(large, "pos")).text("neighbor_recall")) == 5


def test_who_is_better_by_chance_has_not_won():
    even = {"a": 0.02, "b": 0.02}
    assert winner({"a": 0.70, "b": 0.66}, even) is None
    assert winner({"a": 0.70, "b": 0.60}, even) == "a"
    assert winner({"a": 0.70, "b": math.nan}, even) is None
    assert winner({"a": 0.5, "b": 0.5}, {}) is None
    assert winner({"a": 0.5, "b": 0.6}, {}) == "b"
