import math
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from runs import StandIn, layout_threads, real_task, slowly, until

from graphne_viz.viewer.run.run import Run

# ---- Steering ----


def spread(positions):
    return float(np.linalg.norm(positions - positions.mean(axis=0), axis=1).mean())


def test_more_exaggeration_during_the_run_contracts_the_layout():
    run = Run(real_task(n_iter=400))
    watched = []

    def dial(snapshot):
        watched.append((snapshot.iteration, run.exaggeration, spread(snapshot.positions)))
        if snapshot.iteration == 450:
            run.exaggeration = 8

    run.attach(dial, lambda: None)
    run.play()
    run.wait(30)
    before = next(size for iteration, _, size in watched if iteration == 450)
    after = watched[-1][2]
    assert after < 0.6 * before
    assert run.count == 1


def test_a_change_acts_at_the_next_portion():
    task = StandIn(n_iter=100, early_exaggeration_iter=0)
    run = Run(task)
    run.attach(lambda snapshot: setattr(run, "exaggeration", 4) if snapshot.iteration == 30 else None, lambda: None)
    run.play()
    run.wait(5)
    assert task.steered[:10] == [1, 1, 1, 4, 4, 4, 4, 4, 4, 4]


@pytest.mark.parametrize("state", ["idle", "finished", "stopped"])
def test_a_change_makes_a_run_that_has_ended_go_on(state):
    task = StandIn(slowly, n_iter=200)
    run = Run(task, given=np.zeros((3, 2)))
    if state != "idle":
        run.play()
        until(lambda: run.iteration > 300)
    if state == "stopped":
        run.stop()
    run.wait(5)
    assert run.state == state
    task.steered.clear()
    run.exaggeration = 4
    assert run.wait(5) == "finished"
    assert set(task.steered) == {4}
    assert run.exaggeration == 4


def test_a_change_shortly_before_the_end_gets_time_to_act():
    task = StandIn(n_iter=100)
    run = Run(task)

    def turn_the_dial(snapshot):
        if snapshot.iteration == 340:  # from another thread, as a user does
            user = threading.Thread(target=setattr, args=(run, "exaggeration", 4))
            user.start()
            user.join()

    run.attach(turn_the_dial, lambda: None)
    run.play()
    assert run.wait(5) == "finished"
    assert run.iteration == 450
    assert task.steered.count(4) == 11


def test_a_change_while_paused_waits_for_resume():
    task = StandIn(slowly, n_iter=400, early_exaggeration_iter=0)
    run = Run(task)
    run.play()
    until(lambda: run.iteration > 0)
    run.pause()
    run.exaggeration = 9
    assert run.state == "paused"
    run.resume()
    run.wait(5)
    assert task.steered[-1] == 9


def test_the_exaggeration_that_acts_is_the_early_one_first():
    run = Run(StandIn(early_exaggeration=12, exaggeration=2))
    assert (run.acting("early exaggeration"), run.acting("optimization")) == (12, 2)


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, "4", True])
def test_an_exaggeration_that_cannot_be_is_refused(value):
    run = Run(StandIn())
    with pytest.raises((ValueError, TypeError), match="exaggeration must be"):
        run.exaggeration = value
    assert (run.exaggeration, run.state) == (1, "idle")


# ---- Waiting and pace ----


def test_wait_gives_up_after_its_time():
    run = Run(StandIn(slowly, n_iter=50_000))
    run.play()
    begun = time.monotonic()
    assert run.wait(0.1) in {"starting", "running"}
    assert 0.1 <= time.monotonic() - begun < 1
    run.stop()


def test_an_interrupted_wait_leaves_the_run_alive():
    code = """
import _thread, threading, time
import networkx as nx
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task
from graphne_viz.viewer.run.run import Run
run = Run(Task(as_graph(nx.karate_club_graph()), n_iter=10**6))
run.play()
run.wait_for_positions(60)
threading.Timer(0.2, _thread.interrupt_main).start()
try:
    run.wait()
except KeyboardInterrupt:
    at, late = run.iteration, time.monotonic() + 60
    while run.iteration <= at and time.monotonic() < late:
        time.sleep(0.01)
    print("alive", run.state, run.iteration > at)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "alive running True"
    assert not done.stderr, "the process ends in peace although the run goes on"


def test_wait_in_the_runs_own_thread_is_refused():
    run = Run(StandIn(n_iter=20))
    told = []

    def wait(_snapshot):
        try:
            run.wait()
        except RuntimeError as error:
            told.append(str(error))

    run.attach(wait, lambda: None)
    run.play()
    assert run.wait(5) == "finished"
    assert "own thread" in told[0]


def test_wait_after_restart_in_the_runs_own_thread_is_refused_too():
    run = Run(StandIn(n_iter=20))
    told = []

    def restart_and_wait(snapshot):
        if snapshot.iteration == 50 and run.count == 1:
            run.restart()
            with pytest.raises(RuntimeError, match="own thread"):
                run.wait()
            told.append(run.count)

    run.attach(restart_and_wait, lambda: None)
    run.play()
    assert run.wait(5) == "finished"
    assert told == [2]


def test_the_pace_slows_a_run_down():
    run = Run(StandIn(n_iter=50, early_exaggeration_iter=0), pace=0.3 / 50)
    run.viewed()
    begun = time.monotonic()
    run.play()
    until(lambda: run.state == "finished")
    assert 0.29 <= time.monotonic() - begun < 1.5


def test_waiting_hurries_a_run():
    run = Run(StandIn(n_iter=500), pace=1.0)
    begun = time.monotonic()
    run.play()
    assert run.wait(10) == "finished"
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize("command", ["stop", "close"])
def test_a_slowed_down_run_obeys_at_once(command):
    run = Run(StandIn(n_iter=500), pace=10.0)
    run.viewed()
    run.play()
    until(lambda: run.iteration >= 10)
    getattr(run, command)()
    until(lambda: not layout_threads(), seconds=1)


def test_a_slowed_down_run_waits_for_a_view_but_not_for_long():
    run = Run(StandIn(n_iter=20, early_exaggeration_iter=0), pace=1e-6)
    begun = time.monotonic()
    run.play()
    until(lambda: run.iteration > 0)
    assert 0.9 < time.monotonic() - begun < 2
    run.wait(5)
    run.restart()
    run.viewed()
    begun = time.monotonic()
    until(lambda: run.state == "finished", seconds=0.9)


def test_a_run_at_full_speed_waits_for_nobody():
    run = Run(StandIn(n_iter=20))
    run.play()
    until(lambda: run.state == "finished", seconds=0.9)
