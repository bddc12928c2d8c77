import sys

import numpy as np
import pytest

from graphne_viz.embedding.experiments.block_model import block_model
from graphne_viz.embedding.experiments.learning_dynamics import learning_dynamics
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.evaluation.metrics.recall import neighbor_recall

TINY = {"n_nodes": 120, "blocks": 3, "dim": 8, "epochs": 2}


@pytest.fixture(scope="module")
def dynamics():
    return learning_dynamics(n_nodes=2000, epochs=10)


def same_block(graph):
    classes = graph.attributes["class"].astype(int)
    return classes[graph.pairs[:, 0]] == classes[graph.pairs[:, 1]]


def test_a_low_temperature_keeps_neighbours(dynamics):
    low, _ = dynamics.runs
    recall = low.end.embedding.history["recall"]
    assert recall[0] < 0.6
    assert recall[-1] > 0.95
    assert (np.diff(recall) > -0.01).all()
    assert neighbor_recall(dynamics.graph, low.end.embedding) == pytest.approx(recall[-1], abs=0.02)


def test_a_high_temperature_loses_them_after_the_first_epoch(dynamics):
    _, high = dynamics.runs
    recall = high.end.embedding.history["recall"]
    assert recall.argmax() <= 10  # within the first epoch
    assert recall[-1] < 0.6 * recall.max()
    assert neighbor_recall(dynamics.graph, high.end.embedding) == pytest.approx(recall[-1], abs=0.03)


def test_blocks_stay_apart_at_both_temperatures(dynamics):
    for run in dynamics.runs:
        assert knn_accuracy(dynamics.graph, run.end.positions, dynamics.classes) > 0.95


def test_edges_between_blocks_pull_their_nodes_together_at_a_high_temperature_only(dynamics):
    graph, classes = dynamics.graph, dynamics.classes.astype(int)
    leads_to = np.zeros((graph.n_nodes, 10), dtype=bool)
    for one, other in graph.pairs[~same_block(graph)].T, graph.pairs[~same_block(graph)].T[::-1]:
        leads_to[one, classes[other]] = True
    nodes = np.flatnonzero(leads_to.sum(axis=1) == 1)
    blocks = leads_to[nodes].argmax(axis=1)

    def of_the_same_kind(run):
        """Share, among the nearest nodes, of those with an edge to the same other block."""
        similarity = run.end.embedding.vectors[nodes] @ run.end.embedding.vectors.T
        similarity[np.arange(len(nodes)), nodes] = -1
        nearest = np.argsort(-similarity, axis=1)[:, :15]
        return leads_to[nearest, blocks[:, None]].mean()

    low, high = map(of_the_same_kind, dynamics.runs)
    by_chance = leads_to[:, 0].mean() / 0.9
    assert low < 1.2 * by_chance
    assert high > 3 * by_chance


def test_what_there_is_to_look_at(dynamics):
    assert [run.temperature for run in dynamics.runs] == [0.05, 0.5]
    assert (dynamics.classes == dynamics.graph.attributes["class"]).all()
    for run in dynamics.runs:
        history = run.end.embedding.history
        assert np.allclose(history["epoch"][:11], np.arange(11) / 10, atol=0.02)
        assert history["epoch"][10:].tolist() == list(range(1, 11))
        assert run.early.recall == history["recall"][:11].max()
        assert run.early.epoch <= 1
        assert (run.end.epoch, run.end.recall) == (10, history["recall"][-1])
        assert run.end.embedding.complete
        assert not run.early.embedding.complete
        for moment in (run.early, run.end):
            assert moment.positions.shape == (2000, 2)
            assert np.isfinite(moment.positions).all()


def test_looking_does_not_change_the_training():
    from graphne_viz.embedding.api import embed

    d = learning_dynamics([0.1], **TINY)
    E = embed(d.graph, 8, focus=0, temperature=0.1, epochs=2, learning_rate=0.1, device="cpu")
    assert np.array_equal(d.runs[0].end.embedding.vectors, E.vectors)


def test_the_same_seed_gives_the_same_and_another_does_not():
    one, again, other = (learning_dynamics([0.05], seed=seed, **TINY).runs[0] for seed in (3, 3, 4))
    assert np.array_equal(one.end.positions, again.end.positions)
    assert np.array_equal(one.early.embedding.vectors, again.early.embedding.vectors)
    assert not np.array_equal(one.end.positions, other.end.positions)


def test_a_temperature_may_be_learned_in_the_paper_s_setting():
    run = learning_dynamics(["learn"], preset="paper", **TINY).runs[0]
    assert run.temperature == "learn"
    assert run.end.embedding.settings["preset"] == "paper"
    assert np.ptp(run.end.embedding.history["temperature"]) > 0


def test_a_progress_bar_counts_the_epochs_of_all_runs(capsys):
    learning_dynamics(progress=True, **TINY)
    assert "epoch 4.0/4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"temperatures": []}, ValueError, "temperatures must contain at least one number"),
        ({"temperatures": 0.5}, TypeError, "temperatures must be a list of numbers, got 0.5"),
        ({"temperatures": "learn"}, TypeError, "temperatures must be a list of numbers, got 'learn'"),
        ({"temperatures": [0.05, -1]}, ValueError, "temperature must be positive and finite, got -1"),
        ({"epochs": 0}, ValueError, "epochs must be at least 1, got 0"),
        ({"dim": 121}, ValueError, "dim must be at most the number of nodes, 120, got 121"),
        ({"blocks": 0}, ValueError, "blocks must be at least 1, got 0"),
        ({"blocks": 61}, ValueError, "n_nodes must be at least 122, got 120"),
        ({"blocks": 12}, ValueError, "120 nodes in 12 blocks are too few for 20 neighbours of a node in its block"),
        ({"within": 1.5}, ValueError, "within must be a probability, from 0 to 1, got 1.5"),
        ({"between": "some"}, ValueError, "between must be a probability, from 0 to 1, got 'some'"),
        ({"between": float("nan")}, ValueError, "between must be a probability"),
        ({"within": 0, "between": 0}, ValueError, "needs edges"),
        ({"seed": -1}, ValueError, "seed must be at least 0, got -1"),
        ({"device": "abacus"}, ValueError, "device must be"),
        ({"preset": "best"}, ValueError, "preset must be one of"),
    ],
)
def test_bad_input_is_refused_before_anything_is_trained(keywords, error, said):
    with pytest.raises(error, match=said):
        learning_dynamics(**{**TINY, **keywords})


def test_without_torch_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"graphne-viz\[embed\]"):
        learning_dynamics(**TINY)


def test_the_block_model_has_the_paper_s_degrees():
    graph = block_model(80_000, 10)
    inside = same_block(graph)
    degrees = 2 * np.array([inside.sum(), (~inside).sum()]) / 80_000
    assert degrees == pytest.approx([20, 0.36], rel=0.02)
    probabilities = degrees / [7_999, 72_000]
    assert probabilities == pytest.approx([2.5e-3, 5e-6], rel=0.02)
    assert np.bincount(graph.attributes["class"].astype(int)).tolist() == [8_000] * 10


def test_every_pair_of_the_block_model_is_as_likely_as_any_other():
    counts = np.zeros((7, 7))
    draws = 4000
    for seed in range(draws):
        counts += block_model(7, 2, within=0.5, between=0.2, seed=seed).adjacency.toarray()
    classes = block_model(7, 2, within=1, between=1).attributes["class"]
    assert list(classes) == list("0001111")
    p = np.where(classes[:, None] == classes, 0.5, 0.2)
    off = ~np.eye(7, dtype=bool)
    assert (np.abs(counts / draws - p)[off] < 5 * np.sqrt(0.25 / draws)).all()
    assert not counts[~off].any()


@pytest.mark.parametrize(("within", "between", "edges"), [(1, 1, 21), (1, 0, 3 + 6), (0, 1, 12), (0, 0, 0)])
def test_certain_and_impossible_edges(within, between, edges):
    assert block_model(7, 2, within=within, between=between).n_edges == edges


def test_one_block_is_a_random_graph():
    assert block_model(400, 1).degrees.mean() == pytest.approx(20, rel=0.05)
