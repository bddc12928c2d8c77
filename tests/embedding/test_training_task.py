"""Training that is watched: pictures of the vectors while they are learned."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from embedding_examples import assert_equal
from training_examples import block_model, in_parts

pytest.importorskip("torch")

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.task import ITERATIONS, PICTURES, TRAINING, TrainingTask
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.graphs.convert.api import as_graph

SMALL = {"dim": 16, "epochs": 6}


@pytest.fixture(scope="module")
def blocks():
    return block_model(3, 40)


@pytest.fixture(scope="module")
def graph(blocks):
    return as_graph(blocks[0])


@pytest.fixture(scope="module")
def watched(graph):
    """A whole run: the task, its snapshots and its outcome."""
    task, seen = TrainingTask(graph, SMALL, n_iter=60), []
    return task, seen, task.run(seen.append, from_start=True)


def test_training_is_seen_first_then_the_layout(watched):
    _, seen, outcome = watched
    phases = [snapshot.phase for snapshot in seen]
    assert TRAINING == "training"
    assert phases == sorted(phases, reverse=True)
    assert set(phases) == {"training", "optimization"}
    iterations = [snapshot.iteration for snapshot in seen]
    assert iterations == list(range(0, 6 * ITERATIONS + 60 + 1, 10))
    assert phases.count("optimization") == 6
    assert outcome.iterations == iterations[-1]


def test_the_phases_are_announced(watched):
    task, seen, _ = watched
    last = max(snapshot.iteration for snapshot in seen if snapshot.phase == TRAINING)
    assert task.visible_options.early_exaggeration_iter == last
    assert task.visible_options.n_iter == 60


def test_snapshots_are_whole_and_finite(watched):
    _, seen, outcome = watched
    for snapshot in seen:
        assert snapshot.positions.shape == (120, 2)
        assert snapshot.positions.dtype == np.float32
        assert np.isfinite(snapshot.positions).all()
    assert np.array_equal(seen[-1].positions, outcome.positions.astype(np.float32))
    assert math.isfinite(outcome.kl)


def test_each_picture_is_aligned_to_the_last_one(watched):
    _, seen, _ = watched
    for before, after in pairwise(seen[3:]):
        one, other = (snapshot.positions - snapshot.positions.mean(axis=0) for snapshot in (before, after))
        likeness = (one * other).sum() / np.linalg.norm(one) / np.linalg.norm(other)
        assert likeness > 0.8, after.iteration


def test_the_picture_shows_the_blocks(blocks, watched):
    G, which = blocks
    _, _, outcome = watched
    assert knn_accuracy(G, outcome.positions, which, k=5, repeats=5) > 0.95


def test_the_embedding_is_the_one_embed_gives(graph, watched):
    assert_equal(watched[0].embedding, embed(graph, **SMALL))


def test_a_run_can_be_repeated(graph, watched):
    task = TrainingTask(graph, SMALL, n_iter=60)
    assert np.array_equal(task.run(lambda _: None).positions, watched[2].positions)
    assert np.array_equal(task.run(lambda _: None).positions, watched[2].positions)


def test_without_a_watcher(graph, watched):
    task = TrainingTask(graph, SMALL, n_iter=60)
    outcome = task.run()
    assert outcome.iterations == watched[2].iterations
    assert task.embedding.complete


@pytest.mark.parametrize(("at", "epochs"), [(0, 1), (10, 1), (ITERATIONS, 1), (2 * ITERATIONS + 10, 3)])
def test_a_truthy_answer_stops_the_training(graph, at, epochs):
    task, seen = TrainingTask(graph, SMALL), []

    def watch(snapshot):
        seen.append(snapshot.iteration)
        return snapshot.iteration >= at

    outcome = task.run(watch, from_start=True)
    assert seen[-1] == outcome.iterations == at
    assert (task.embedding.epochs, task.embedding.complete) == (epochs, False)
    assert outcome.positions.shape == (120, 2)


def test_a_truthy_answer_stops_the_layout(graph):
    task = TrainingTask(graph, SMALL)
    outcome = task.run(lambda snapshot: snapshot.phase != TRAINING)
    assert outcome.iterations == 6 * ITERATIONS + 10
    assert task.embedding.complete


def test_going_on_after_the_end_does_not_train_again(monkeypatch, graph):
    task = TrainingTask(graph, SMALL, n_iter=60)
    first = task.run()
    embedding = task.embedding

    def again(*_, **__):
        raise AssertionError("trained again")

    monkeypatch.setattr(task._training, "run", again)
    seen = []
    second = task.run(seen.append, resume=first)
    assert {snapshot.phase for snapshot in seen} == {"optimization"}
    assert seen[0].iteration == first.iterations + 10
    assert second.iterations == first.iterations + 60
    assert task.embedding is embedding
    moved = np.linalg.norm(second.positions - first.positions, axis=1).mean()
    assert moved < 0.2 * np.linalg.norm(first.positions, axis=1).mean()


def test_long_trainings_have_a_picture_every_few_epochs(graph):
    task, told = TrainingTask(graph, {"dim": 4, "epochs": 60, "initialization": "random"}, n_iter=0), []

    def watch(_):
        if task.status_text not in told:
            told.append(task.status_text)

    task.run(watch, every=ITERATIONS)
    assert len(told) == 20 <= PICTURES
    assert re.fullmatch(r"epoch 3 \S+ 60, recall 0\.\d\d", told[0])
    assert re.fullmatch(r"epoch 60 \S+ 60, recall \d\.\d\d", told[-1])


def test_a_steered_training(graph):
    asked = []

    def steer():
        asked.append(1)
        return 2.0

    TrainingTask(graph, SMALL, n_iter=20).run(steer=steer)
    assert asked


def test_parts_and_isolates():
    G = in_parts()
    task = TrainingTask(G, SMALL, n_iter=30)
    outcome = task.run()
    assert np.isfinite(outcome.positions).all()
    assert task.embedding.isolated.sum() == 4


def test_isolates_lie_around_the_others_in_every_picture(blocks):
    G, which = blocks
    adjacency = sp.block_diag([as_graph(G).adjacency, sp.csr_array((30, 30))], format="csr")
    mixed = np.random.default_rng(0).permutation(150)
    graph = as_graph(sp.csr_array(adjacency[mixed][:, mixed]))
    lonely = graph.degrees == 0
    task, seen = TrainingTask(graph, SMALL, n_iter=60), []
    outcome = task.run(seen.append, from_start=True)
    resumed = task.run(resume=outcome)
    for positions in (*(snapshot.positions for snapshot in seen), outcome.positions, resumed.positions):
        parked, others = positions[lonely], positions[~lonely]
        middle = (positions.max(axis=0) + positions.min(axis=0)) / 2
        away = [np.linalg.norm(some - middle, axis=1) for some in (parked, others)]
        assert away[0].min() > away[1].max(), "isolates lie around the others"
    kept = np.append(which, np.full(30, -1))[mixed][~lonely]
    G = as_graph(sp.csr_array(graph.adjacency[~lonely][:, ~lonely]))
    assert knn_accuracy(G, outcome.positions[~lonely], kept, k=5, repeats=5) > 0.95


@pytest.mark.parametrize(
    ("training", "keywords", "error", "words"),
    [
        ({"dim": 500}, {}, ValueError, "dim must be at most the number of nodes, 120, got 500"),
        ({"temperature": 0}, {}, ValueError, "temperature must be positive"),
        ({"device": "nowhere"}, {}, ValueError, "device must be"),
        ({}, {"n_iter": -1}, ValueError, "n_iter must be at least 0"),
        ({}, {"perplexity": 30}, TypeError, "perplexity"),
        ({"tau": 0.5}, {}, TypeError, "tau"),
    ],
)
def test_what_cannot_be_is_refused_before_it_runs(graph, training, keywords, error, words):
    with pytest.raises(error, match=words):
        TrainingTask(graph, {"dim": 16} | training, **keywords)
