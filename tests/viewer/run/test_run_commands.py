import sys
import threading
import time
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from runs import Listener, StandIn, layout_threads, real_task, slowly, until

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task
from graphne_viz.viewer.run.run import Run
from graphne_viz.viewer.session.messages import frame_of


def test_a_paused_run_stands_still_until_it_is_resumed():
    run = Run(StandIn(slowly, n_iter=2000))
    told = Listener(run)
    run.play()
    until(lambda: run.iteration >= 100)
    run.pause()
    run.pause()
    until(lambda: told.states[-2:] == ["paused", "paused"])  # asked for, and come to rest
    still = run.iteration
    time.sleep(0.05)
    assert run.iteration == still
    assert run.wait() == "paused"
    assert run.status()["state"] == "paused"
    run.resume()
    run.resume()
    until(lambda: run.iteration > still)
    assert run.state == "running"
    run.stop()
    assert run.wait(5) == "stopped"


def test_a_run_can_be_paused_before_its_first_snapshot():
    gate = threading.Event()
    task = StandIn(slowly, n_iter=2000)
    slow_start = task._snapshot
    task._snapshot = lambda *args: gate.wait(5) and slow_start(*args)
    run = Run(task)
    run.play()
    run.pause()
    gate.set()
    until(lambda: run.latest is not None)
    time.sleep(0.02)
    assert (run.state, run.iteration) == ("paused", 0)
    run.play()
    until(lambda: run.iteration > 0)
    run.stop()


def test_stop_ends_the_thread_and_keeps_the_positions():
    run = Run(StandIn(slowly, n_iter=5000))
    run.play()
    until(lambda: run.iteration >= 300)
    run.stop()
    assert run.state == "stopped"
    assert run.wait(5) == "stopped"
    until(lambda: not layout_threads())
    assert run.layout()[0, 0] == 10 * run.iteration


def test_pause_dial_and_stop_reach_a_layout_in_two_processes(monkeypatch):
    pytest.importorskip("torch")
    from graphne_viz.layout.engine.torch_engine import workers

    started = []
    begin = workers.Workers.__init__
    monkeypatch.setattr(workers.Workers, "__init__", lambda self, *rest: (begin(self, *rest), started.append(self))[0])
    G = nx.barabasi_albert_graph(300, 3, seed=0)
    run = Run(Task(as_graph(G), devices=2, n_jobs=1, n_iter=100_000, early_exaggeration_iter=10))
    run.play()
    until(lambda: run.iteration >= 80, 60)  # the other process loads torch first
    run.pause()
    until(lambda: run.state == "paused")
    apart = run.latest.positions.std()
    run.exaggeration = 8
    run.resume()
    until(lambda: run.latest.positions.std() < apart / 1.5, 60)
    run.stop()
    assert run.wait(20) == "stopped"
    until(lambda: not layout_threads())
    assert [process.poll() is None for process in started[0]._processes] == [False]


def test_play_after_stop_goes_on_from_there():
    task = StandIn(slowly, n_iter=400)
    run = Run(task)
    run.play()
    until(lambda: run.iteration >= 300)
    run.stop()
    run.play()  # at once: the thread before has not ended yet
    assert run.wait(5) == "finished"
    assert (task.begun, run.count) == (2, 1)
    assert 700 <= run.iteration < 1100
    iterations = [iteration for iteration, _ in run.status()["history"]]
    assert len(set(range(10, run.iteration + 1, 10)) - set(iterations)) <= 1  # the one that was stopped


def test_what_was_stopped_in_the_early_phase_begins_anew():
    run = Run(StandIn(slowly, n_iter=100, early_exaggeration_iter=3000))
    run.play()
    until(lambda: run.iteration >= 50)
    run.stop()
    run.wait(5)
    run.task.options = run.task.visible_options = replace(run.task.options, early_exaggeration_iter=200)
    run._history.computed = replace(run.latest, iteration=50)
    run._attempt.outcome = replace(run._attempt.outcome, iterations=50)
    run.play()
    assert run.wait(5) == "finished"
    assert (run.iteration, run.count) == (300, 2)


def test_play_after_the_end_gives_more_iterations():
    run = Run(real_task(n_iter=100))
    run.play()
    run.wait(30)
    assert run.iteration == 350
    before = run.layout()
    run.play()
    assert run.wait(30) == "finished"
    assert (run.iteration, run.count, run.status()["total"]) == (450, 1, 450)
    assert not np.array_equal(run.layout(), before)


def test_restart_begins_anew_and_gives_the_same_layout():
    run = Run(real_task(n_iter=100))
    run.play()
    run.wait(30)
    first = run.layout()
    run.play()
    run.wait(30)
    curves = []  # in the run's own thread, which a busy machine may let run ahead of this one
    run.attach(lambda _snapshot: curves.append(run.status()["history"]), lambda: None)
    run.restart()
    assert run.wait(30) == "finished"
    assert curves[0] == []
    assert np.array_equal(run.layout(), first)
    assert (run.iteration, run.count) == (350, 2)


def test_a_run_begun_anew_counts_from_nothing():
    run = Run(real_task(n_iter=100))
    run.play()
    run.wait(30)
    told = []
    run.attach(lambda _: None, lambda: told.append(run.status()))
    run.restart()
    assert (told[0]["run"], told[0]["iteration"], told[0]["kl"]) == (2, 0, None)
    run.exaggeration = 4
    run.wait(30)
    assert run.iteration == 350


def test_a_callback_with_a_schedule_of_its_own_does_not_prolong_the_run():
    run = Run(
        real_task(n_iter=100), callback=lambda snapshot: setattr(run, "exaggeration", 1 + snapshot.iteration / 100)
    )
    run.play()
    assert run.wait(30) == "finished"
    assert run.iteration == 350


def test_a_callback_that_exits_fails_the_run():
    run = Run(real_task(n_iter=100), callback=lambda _: sys.exit("enough"))
    run.play()
    with pytest.raises(SystemExit, match="enough"):
        run.wait(30)
    assert run.state == "failed"


def test_a_thread_that_cannot_start_leaves_a_run_that_can(monkeypatch):
    run = Run(real_task(n_iter=100))
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", raises_no_more_threads)
        with pytest.raises(RuntimeError, match="no more threads"):
            run.restart()
    assert run.state == "failed"
    run.restart()
    assert run.wait(30) == "finished"


def raises_no_more_threads(_thread):
    raise RuntimeError("no more threads")


def test_restart_in_the_middle_has_one_thread_at_work():
    task = StandIn(slowly, n_iter=2000)
    run = Run(task)
    run.play()
    until(lambda: run.count == 1)  # what is ended before it has begun does not count
    for _ in range(20):
        run.restart()
    until(lambda: run.iteration >= 100)
    assert run.count == 21
    run.stop()
    assert run.wait(5) == "stopped"


def test_what_is_restarted_before_it_has_begun_never_begins():
    run = Run(StandIn(slowly, n_iter=2000))
    with run._changed:
        run.play()
        time.sleep(0.1)  # its thread waits for the lock
        run.restart()
        run.exaggeration = 7
    until(lambda: run.iteration >= 100)
    assert (run.count, run.steered) == (1, True)
    run.stop()
    assert run.wait(5) == "stopped"


def test_restart_from_the_runs_own_thread_does_not_deadlock():
    run = Run(StandIn(n_iter=100))
    again = []

    def restart_once(snapshot):
        if snapshot.iteration == 50 and not again:
            again.append(threading.current_thread().name)
            run.restart()

    run.attach(restart_once, lambda: None)
    run.play()
    assert run.wait(5) == "finished"
    assert again == ["graphne-layout"]
    assert (run.count, run.iteration) == (2, 350)


def test_a_snapshot_keeps_the_number_of_its_run_when_that_is_begun_anew():
    """Otherwise the browser takes the old run's iteration 50 for the new one's, and ignores what comes before it."""
    run = Run(StandIn(n_iter=100))
    frames = []

    def restart_once(snapshot):
        if snapshot.iteration == 50 and run.count == 1:
            run.restart()
        frame = frame_of(snapshot, run)
        frames.append((frame.run, frame.iteration))

    run.attach(restart_once, lambda: None)
    run.play()
    assert run.wait(5) == "finished"
    assert frames == sorted(frames)
    assert (1, 50) in frames
    assert frames[6] == (2, 0)
    assert frames[-1] == (2, 350)
    assert run.latest.run == 2


def test_restart_when_told_of_the_end():
    run = Run(StandIn(n_iter=20))
    run.attach(lambda _: None, lambda: run.restart() if run.state == "finished" and run.count < 3 else None)
    run.play()
    until(lambda: run.count == 3 and run.state == "finished")
    assert run.wait(5) == "finished"


@pytest.mark.parametrize("name", ["pause", "resume", "stop"])
def test_what_makes_no_sense_in_a_state_does_nothing(name):
    run = Run(StandIn(n_iter=10))
    told = Listener(run)
    getattr(run, name)()
    assert (run.state, told.states) == ("idle", [])
    run.play()
    run.wait(5)
    getattr(run, name)()
    assert run.state == "finished"


def test_commands_from_many_threads_at_once():
    run = Run(StandIn(slowly, n_iter=3000))

    def play_around(seed):
        chance = np.random.default_rng(seed)
        for _ in range(60):
            getattr(run, chance.choice(["pause", "resume", "stop", "restart", "play"]))()
            run.exaggeration = float(chance.choice([1, 2, 4]))
            run.status()
            time.sleep(chance.random() * 0.003)

    threads = [threading.Thread(target=play_around, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    run.restart()
    until(lambda: run.iteration >= 20 and run.state == "running")
    run.stop()
    assert run.wait(5) == "stopped"
    until(lambda: not layout_threads())
