"""A training shared by several processes: as good, repeatable, a share of the memory each, and all end together."""

import signal
import sys
import time

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("torch")

import torch
from processes import all_over, listening

from graphne_viz import embed
from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.distributed import workers
from graphne_viz.embedding.distributed.gradient import BatchGradients
from graphne_viz.embedding.training.settings import settle
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph

QUICK = {"dim": 16, "epochs": 12}


@pytest.fixture(scope="module")
def graph():
    """Twelve groups, isolated nodes, and weights."""
    G = nx.random_partition_graph([40] * 12, 0.15, 0.002, seed=0)
    rng = np.random.default_rng(0)
    A = sp.csr_array(nx.to_scipy_sparse_array(nx.disjoint_union(G, nx.empty_graph(3)), dtype=float))
    A = sp.triu(A).tocsr()
    A.data = rng.integers(1, 4, A.nnz).astype(float)
    return sp.csr_array(A + A.T)


@pytest.fixture
def started(monkeypatch):
    """What was started in a test."""
    found = []
    begin = workers.TrainingWorkers.__init__
    monkeypatch.setattr(
        workers.TrainingWorkers, "__init__", lambda self, *rest: (begin(self, *rest), found.append(self))[0]
    )
    return found


def test_two_and_four_processes_are_as_good_as_one_with_a_share_of_its_memory(graph, started, monkeypatch):
    held = {}
    begin = workers.DistributedTrainer.__init__

    def noting(self, team, own, state):
        begin(self, team, own, state)
        held[own.peers.size] = own.bytes

    monkeypatch.setattr(workers.DistributedTrainer, "__init__", noting)
    one, two, again, four = (embed(graph, devices=devices, **QUICK) for devices in (1, 2, 2, 4))
    assert [len(team._processes) for team in started] == [1, 1, 3]
    assert all_over(started)
    assert two.vectors.tobytes() == again.vectors.tobytes()
    kept = {E: neighbor_recall(graph, E.vectors) for E in (one, two, four)}
    for other in (two, four):
        assert other.complete
        assert np.linalg.norm(other.vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert kept[other] == pytest.approx(kept[one], abs=0.05)
        assert other.recall == pytest.approx(kept[other], abs=0.05)
        assert other.history["loss"][-1] == pytest.approx(one.history["loss"][-1], abs=0.15)
    n, pairs = graph.shape[0], graph.nnz // 2
    whole = 3 * 4 * n * 16 + (2 * 8 + 8) * pairs  # vectors and two moments; an edge's two ends and its weight
    assert {size: whole / size for size in (2, 4)} == pytest.approx(held, rel=0.15)


def test_it_stops_and_resumes_with_another_number_of_processes_and_a_learned_temperature(graph, started):
    part = embed(graph, devices=2, callback=lambda progress: progress.epoch == 6, temperature="learn", **QUICK)
    assert part.epochs == 6
    assert not part.complete
    whole = embed(graph, start=part, devices=3)
    assert whole.complete
    assert list(whole.history["epoch"]) == list(range(1, 13))
    assert len(set(whole.history["temperature"])) == 12
    assert whole.recall > part.recall - 0.02
    assert all_over(started)


def test_compiled_gradients_are_those_of_torch():
    rng = np.random.default_rng(0)
    settings = settle(
        as_graph(nx.cycle_graph(200)), dim=8, focus=None, temperature=None, epochs=None, batch_size=32, negatives=None,
        learning_rate=None, initialization="random", preset="default", seed=0,
    )  # fmt: skip
    rows = torch.from_numpy(rng.standard_normal((50, 8)).astype(np.float32))
    pairs = rng.permutation(50).reshape(-1, 2)
    batches = [pairs[:12], pairs[12:]]
    with ThreadTeam(1) as team:
        made = BatchGradients(settings, 0.01, 3, team, torch.device("cpu"))
        loops, plain = made._by_loops(rows, batches, 0.1), made._by_torch(rows, batches, 0.1)
    assert loops.loss == pytest.approx(plain.loss, rel=1e-4)
    assert loops.gradient.numpy() == pytest.approx(plain.gradient.numpy(), abs=1e-4)


def test_a_process_that_is_killed_ends_all_with_one_sentence(graph, started):
    def kill(progress):
        if progress.epoch == 2:
            started[0]._processes[0].send_signal(signal.SIGKILL)
            killed.append(time.monotonic())

    killed = []
    with pytest.raises(ChildProcessError, match=r"^process 1 of a training on 2 devices was killed by SIGKILL$"):
        embed(graph, devices=2, callback=kill, dim=16, epochs=10_000)
    assert time.monotonic() - killed[0] < 30  # seconds, on a machine that does much else
    assert all_over(started)


def test_nobody_but_this_machine_can_connect_and_an_interrupt_ends_all(graph, started):
    seen = []

    def interrupt(_):
        seen.extend(listening(started[0]._processes[0].pid) if sys.platform.startswith("linux") else ["0100007F"])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(graph, devices=2, callback=interrupt, **QUICK)
    assert set(seen) == {"0100007F"}
    assert len(started) == 1
    assert all_over(started)


@pytest.mark.parametrize(
    ("devices", "message"),
    [
        (7, r"devices must be at most the number of nodes, 6, got 7"),
        (0, r"devices must be at least 1, got 0"),
        (1.5, r"devices must be an integer, got 1.5"),
    ],
)
def test_what_cannot_be_shared_is_refused(devices, message):
    with pytest.raises((ValueError, TypeError), match=message):
        embed(nx.cycle_graph(6), devices=devices)
