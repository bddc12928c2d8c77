"""A layout shared by several processes: as good, repeatable, and none of them survives another."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("torch")

from processes import all_over, listening

from graphne_viz import graphne_layout
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.engine import run
from graphne_viz.layout.engine.parts import few_free
from graphne_viz.layout.engine.torch_engine import processes, workers
from graphne_viz.layout.options import Options
from graphne_viz.layout.task import Task

QUICK = {"n_iter": 30, "early_exaggeration_iter": 10, "n_jobs": 1}


@pytest.fixture(scope="module")
def graph():
    """Two connected parts that are shared, and some that are not."""
    parts = [
        nx.random_partition_graph([80] * 10, 0.1, 0.002, seed=0),
        nx.connected_watts_strogatz_graph(450, 6, 0.1, seed=0),
        nx.cycle_graph(30),
        nx.empty_graph(2),
    ]
    return sp.csr_array(nx.to_scipy_sparse_array(nx.disjoint_union_all(parts), dtype=float))


@pytest.fixture
def started(monkeypatch):
    """What was started in a test."""
    found = []
    begin = workers.Workers.__init__
    monkeypatch.setattr(workers.Workers, "__init__", lambda self, *rest: (begin(self, *rest), found.append(self))[0])
    return found


def test_two_and_four_processes_give_the_bytes_of_one_and_two_the_same_again(graph, started):
    def lay_out(devices):
        seen = []
        outcome = Task(as_graph(graph), engine="torch", devices=devices, **QUICK).run(seen.append, every=20)
        return outcome, [snapshot.iteration for snapshot in seen], seen[-1].kl

    one, two, again, four = (lay_out(devices) for devices in (1, 2, 2, 4))
    assert [len(team._processes) for team in started] == [1, 1, 3]
    assert all_over(started)
    assert two[0].positions.tobytes() == again[0].positions.tobytes()
    for other in (two, four):
        assert other[1] == one[1]
        assert other[2] == other[0].kl == pytest.approx(one[2], rel=0.01)
        assert other[0].positions.tobytes() == one[0].positions.tobytes()  # sums do not depend on their order


def test_the_dial_and_stop_reach_all_processes_which_have_as_many_edges(graph, started, monkeypatch):
    shares = []
    part = workers.Workers.part

    def noting(self, start, P, *rest):
        found = part(self, start, P, *rest)
        other = np.load(self._folder / f"{found._number}-1.npz")["indices"].size
        shares.append([found._own._edges.weights.numel() / P.nnz, other / P.nnz])
        return found

    monkeypatch.setattr(workers.Workers, "part", noting)
    task = Task(as_graph(graph), devices=2, n_jobs=1, n_iter=80, early_exaggeration_iter=20)
    plain = task.run(lambda s: s.iteration >= 80, every=20)
    turned = task.run(lambda s: s.iteration >= 120, every=20, steer=lambda: 8.0, resume=plain)
    assert (plain.iterations, turned.iterations) == (80, 120)  # of 100, and of 80 more
    large = slice(0, 1250)
    assert turned.own[large].std() < plain.own[large].std() / 1.5  # more attraction, a smaller picture
    assert len(shares) == 4
    for found in shares:
        assert sum(found) == pytest.approx(1)
        assert max(found) < 0.6
    assert all_over(started)


def test_fixed_nodes_stay(graph, started, monkeypatch):
    monkeypatch.setattr(few_free, "PAIRS", 0)  # few free nodes would be computed without a mesh
    start = np.random.default_rng(0).normal(0, 3, (graph.shape[0], 2))
    held = np.arange(graph.shape[0]) % 5 == 0
    found = run.solve(graph, Options(devices=2, **QUICK), start=start, held=held).positions
    assert len(started) == 1
    assert found[held] == pytest.approx(start[held], abs=1e-6)
    assert np.median(np.hypot(*(found - start)[~held].T)) > 0.01


def test_a_process_that_is_killed_ends_all_with_one_sentence(graph, started):
    def kill(snapshot):
        if snapshot.iteration == 20:
            started[0]._processes[1].send_signal(signal.SIGKILL)
            killed.append(time.monotonic())

    killed = []
    with pytest.raises(ChildProcessError, match=r"^process 2 of a layout on 3 devices was killed by SIGKILL$"):
        graphne_layout(graph, devices=3, callback=kill, **QUICK)
    assert time.monotonic() - killed[0] < 30  # seconds, on a machine that does much else
    assert all_over(started)


def test_a_process_that_fails_says_why(graph, started, monkeypatch):
    savez = np.savez
    monkeypatch.setattr(
        workers.np, "savez", lambda path, **arrays: savez(path, **{n: a for n, a in arrays.items() if n != "indptr"})
    )
    with pytest.raises(ChildProcessError, match=r"process 1 of a layout on 2 devices failed: .*indptr"):
        graphne_layout(graph, devices=2, **QUICK)
    assert all_over(started)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nobody_but_this_machine_can_connect_and_an_interrupt_ends_all(graph, started):
    seen = []

    def look(_):
        seen.extend(listening(started[0]._processes[0].pid))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graphne_layout(graph, devices=2, callback=look, **QUICK)
    assert set(seen) == {"0100007F"}
    assert len(started) == 1
    assert all_over(started)


ENDLESS = """
import networkx as nx
from graphne_viz import graphne_layout

G = nx.barabasi_albert_graph(300, 3, seed=0)
graphne_layout(G, devices=2, n_jobs=1, n_iter=10**6, callback=lambda _: print("running", flush=True))
"""

NEVER_MET = """
import time
from graphne_viz.layout.engine.torch_engine.processes import WorkerProcesses

others = WorkerProcesses("graphne_viz.layout.engine.torch_engine.worker", "a layout", 2, "cpu", 1)
print("running", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("code", [ENDLESS, NEVER_MET], ids=["in the middle", "before the group is formed"])
def test_nothing_is_left_when_the_callers_process_is_killed(tmp_path, code):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as caller:
        assert caller.stdout.readline() == b"running\n"
        assert len(list(tmp_path.glob(".graphne-*"))) == 1
        caller.kill()
    end = time.monotonic() + 60
    while list(tmp_path.glob(".graphne-*")):  # the other process removes it, as the last thing it does
        assert time.monotonic() < end
        time.sleep(0.05)


def test_small_graphs_start_no_process(started):
    assert len(graphne_layout(nx.karate_club_graph(), devices=2, **QUICK)) == 34
    assert started == []


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"devices": 7}, r"devices must be at most the number of nodes, 6, got 7"),
        ({"devices": 2, "engine": "mesh"}, r"devices=2 needs engine='torch' or 'auto', got engine='mesh'"),
        ({"devices": 0}, r"devices must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_shared_is_refused(keywords, message):
    with pytest.raises(ValueError, match=message):
        graphne_layout(nx.cycle_graph(6), **keywords)


@pytest.mark.parametrize(("system", "watching"), [("posix", ["graphne-caller"]), ("nt", [])])
def test_only_posix_can_tell_from_its_parent_whether_the_caller_is_there(monkeypatch, tmp_path, system, watching):
    """Elsewhere a program that launches Python may be between the two: each worker would end at once."""
    threads, served = [], []

    class Thread:
        def __init__(self, *, name, target, args, daemon):
            assert (target, args, daemon) == (processes._end_with, (1, str(tmp_path)), True)
            threads.append(name)

        def start(self):
            pass

    monkeypatch.setattr(processes, "os", SimpleNamespace(name=system))
    monkeypatch.setattr(processes, "threading", SimpleNamespace(Thread=Thread))
    monkeypatch.setattr(processes, "Group", lambda *_, **__: SimpleNamespace(close=lambda: served.append("closed")))
    arguments = [str(tmp_path), "1", "2", "cpu", "1", "1"]
    processes.run_worker(arguments, lambda *_: served.append("served"))
    assert (threads, served) == (watching, ["served", "closed"])
