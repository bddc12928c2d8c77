import gc
import math
import subprocess
import sys
import threading
import time
import weakref
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout
from graphne_viz.graphs.convert import as_graph
from graphne_viz.layout.options import Options
from graphne_viz.layout.run import Outcome
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.layout.task import Task
from graphne_viz.viewer.run import Run


class StandIn:
    """Computes nothing, but says so as often as a task would; `step` is called before every snapshot."""

    def __init__(self, step=lambda: None, **settings):
        self.options = self.shown = Options(**settings)
        self.graph = as_graph(nx.path_graph(3))
        self.step = step
        self.steered = []
        self.begun = 0
        self.at_work = 0

    def run(self, see, every, *, steer, from_start, resume, **_sparing):
        self.begun += 1
        self.at_work += 1
        assert self.at_work == 1, "two threads optimise at once"
        try:
            return self._run(see, every, steer, from_start, resume)
        finally:
            self.at_work -= 1

    def _run(self, see, every, steer, from_start, resume):
        done = resume.iterations if resume else 0
        phases = self.options.phases[1:] if resume else self.options.phases
        if from_start and see(self._snapshot(done, phases[0][0], math.nan)):
            return self._outcome(done)
        for phase, n_iter, _ in phases:
            for _ in range(n_iter // every):
                if phase == "optimization":
                    self.steered.append(steer())
                self.step()
                done += every
                if see(self._snapshot(done, phase, 1 / done)):
                    return self._outcome(done)
        return self._outcome(done)

    def _snapshot(self, done, phase, kl):
        return Snapshot(done, phase, kl, np.full((3, 2), done, dtype=np.float32))

    def _outcome(self, done):
        where = np.full((3, 2), float(done))
        return Outcome(where, 1 / max(done, 1), done, where)

    def scaled(self, positions):
        return np.array(positions, dtype=np.float64) * 10


class Listener:
    """Writes down what a run tells."""

    def __init__(self, run):
        self.snapshots, self.states = [], []
        run.attach(self.snapshots.append, lambda: self.states.append(run.state))


def until(condition, seconds=5.0):
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def layout_threads():
    return [thread for thread in threading.enumerate() if thread.name == "graphne-layout"]


def slowly():
    time.sleep(0.002)


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    until(lambda: not layout_threads())


def real_task(**settings):
    return Task(as_graph(nx.karate_club_graph()), **settings)


# ---- From the start to the end ----


def test_a_run_ends_where_graphne_layout_does():
    run = Run(real_task(seed=3))
    assert (run.state, run.layout()) == ("idle", None)
    run.play()
    assert run.wait(30) == "finished"
    expected = np.array(list(graphne_layout(nx.karate_club_graph(), seed=3).values()))
    assert np.array_equal(run.layout(), expected)
    assert run.iteration == 750
    assert run.kl < 1


def test_everyone_is_told_of_every_snapshot_and_state():
    run = Run(StandIn(n_iter=30, early_exaggeration_iter=20))
    told = Listener(run)
    run.play()
    assert run.wait(5) == "finished"
    assert [s.iteration for s in told.snapshots] == [0, 10, 20, 30, 40, 50, 50]
    assert told.snapshots[-1].phase == "finished"
    assert told.states == ["starting", "running", "finished"]
    assert np.array_equal(run.layout(), np.full((3, 2), 500.0))


def test_the_status_says_all_and_is_ready_for_json():
    run = Run(StandIn(n_iter=30, early_exaggeration_iter=20))
    assert run.status() == {
        "state": "idle",
        "message": "",
        "run": 0,
        "iteration": 0,
        "total": 50,
        "phase": "",
        "kl": None,
        "history": [],
        "steerable": True,
    }
    run.play()
    run.wait(5)
    status = run.status()
    assert (status["state"], status["run"], status["iteration"], status["kl"]) == ("finished", 1, 50, 1 / 50)
    assert status["history"] == [[k, 1 / k] for k in (10, 20, 30, 40, 50)]
    assert "finished, iteration 50 of 50" in repr(run)


def test_a_long_history_is_thinned_out_and_keeps_its_order():
    run = Run(StandIn(n_iter=20_000, early_exaggeration_iter=0))
    run.play()
    run.wait(20)
    iterations = [iteration for iteration, _ in run.status()["history"]]
    assert 100 < len(iterations) <= 300
    assert iterations == sorted(iterations)
    assert iterations[0] < 100
    assert iterations[-1] > 19_000


def test_compute_runs_in_the_calling_thread():
    seen = []
    run = Run(StandIn(lambda: seen.append(threading.current_thread()), n_iter=20), pace=1.0)
    run.compute()
    assert run.state == "finished"
    assert set(seen) == {threading.main_thread()}


def test_compute_raises_what_goes_wrong():
    run = Run(StandIn(lambda: 1 / 0, n_iter=20))
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        run.compute()


def test_a_given_layout_is_there_at_once_and_play_starts_from_it():
    given = np.array([[1e6, 5.0], [1e6 + 2, 5.0], [1e6, 4.0]])
    run = Run(StandIn(n_iter=20, early_exaggeration_iter=0), given=given)
    assert run.state == "idle"
    assert np.array_equal(run.layout(), given)
    assert np.array_equal(run.latest.positions, np.array([[-1, 0.5], [1, 0.5], [-1, -0.5]], dtype=np.float32))
    assert run.wait(1) == "idle"
    run.play()
    assert run.wait(5) == "finished"
    assert np.array_equal(run.layout(), np.full((3, 2), 200.0))


@pytest.mark.parametrize(
    "positions", [np.zeros((0, 2)), np.full((3, 2), 7.0), np.array([[-1e100, 0], [1e100, 0], [0, 1e-300]])]
)
def test_odd_given_layouts_can_be_drawn(positions):
    run = Run(StandIn(), given=positions)
    assert np.isfinite(run.latest.positions).all()
    assert np.array_equal(run.layout(), positions)


# ---- Pause, resume, stop, restart ----


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
    run.task.options = run.task.shown = replace(run.task.options, early_exaggeration_iter=200)
    run._record.latest = replace(run.latest, iteration=50)
    run._leg.outcome = replace(run._leg.outcome, iterations=50)
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
    run.restart()
    assert run.status()["history"] == []
    assert run.wait(30) == "finished"
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
    for _ in range(20):
        run.restart()
    until(lambda: run.iteration >= 100)
    assert run.count == 21
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
from graphne_viz.graphs.convert import as_graph
from graphne_viz.layout.task import Task
from graphne_viz.viewer.run import Run
run = Run(Task(as_graph(nx.karate_club_graph()), n_iter=10**6))
run.play()
run.wait_for_positions(60)
threading.Timer(0.2, _thread.interrupt_main).start()
try:
    run.wait()
except KeyboardInterrupt:
    at = run.iteration
    time.sleep(0.3)
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


# ---- What goes wrong ----


def test_a_failure_is_kept_told_logged_and_raised_to_who_waits(caplog):
    run = Run(StandIn(lambda: {}["missing"]))
    told = Listener(run)
    run.play()
    with pytest.raises(KeyError, match="missing"):
        run.wait(5)
    assert run.state == "failed"
    assert isinstance(run.error, KeyError)
    assert run.message == "The layout failed: 'missing'"
    assert told.states[-1] == "failed"
    assert "The layout failed" in caplog.text
    run.task.step = lambda: None
    run.play()
    assert run.wait(5) == "finished"
    assert (run.error, run.message) == (None, "")


def test_positions_that_are_not_finite_end_the_run():
    task = StandIn()
    good = task._snapshot
    task._snapshot = lambda done, phase, kl: replace(
        good(done, phase, kl), positions=np.full((3, 2), np.nan if done == 50 else 1.0, dtype=np.float32)
    )
    run = Run(task)
    run.play()
    with pytest.raises(ArithmeticError, match="not finite after 50 iterations"):
        run.wait(5)
    assert run.iteration == 40, "the last good positions stay"


def test_a_listener_that_fails_does_not_stop_the_layout(caplog):
    run = Run(StandIn(n_iter=20))
    run.attach(lambda _: 1 / 0, lambda: 1 / 0)
    run.play()
    assert run.wait(5) == "finished"
    assert "could not be shown" in caplog.text


def test_the_callback_sees_what_graphne_layout_would_show_and_can_end_the_run():
    seen = []

    def callback(snapshot):
        seen.append(snapshot.iteration)
        snapshot.positions[:] = np.nan  # its own copy
        return snapshot.iteration == 60

    run = Run(StandIn(n_iter=100), callback=callback, every=20)
    told = Listener(run)
    run.play()
    assert run.wait(5) == "finished"
    assert seen == [20, 40, 60]
    assert all(np.isfinite(s.positions).all() for s in told.snapshots)


def test_a_callback_that_fails_fails_the_run():
    run = Run(StandIn(n_iter=100), callback=lambda _: 1 / 0)
    run.play()
    with pytest.raises(ZeroDivisionError, match="division"):
        run.wait(5)


def test_the_layout_is_stored_whenever_a_run_ends(caplog):
    stored = []
    run = Run(StandIn(n_iter=20), store=lambda run: stored.append(run.layout()))
    run.play()
    run.wait(5)
    run.play()
    run.wait(5)
    assert [positions[0, 0] for positions in stored] == [2700, 2900]
    run._store = lambda _: 1 / 0
    run.restart()
    assert run.wait(5) == "finished"
    assert "stored" in caplog.text


def test_progress_is_shown_for_the_whole_of_each_leg(capsys):
    run = Run(StandIn(n_iter=20), progress=True)
    run.compute()
    assert "270/270" in capsys.readouterr().err


# ---- The end of it all ----


def test_a_closed_run_ends_and_never_starts_again():
    run = Run(StandIn(slowly, n_iter=50_000))
    run.play()
    until(lambda: run.iteration > 0)
    run.pause()
    run.close()
    run.close()
    until(lambda: not layout_threads())
    for name in ("play", "restart", "resume", "pause", "stop"):
        getattr(run, name)()
    run.exaggeration = 3
    assert run.state == "stopped"
    assert not layout_threads()
    assert run.status()["steerable"] is False


def test_nothing_keeps_a_run_alive_that_has_ended():
    run = Run(StandIn(n_iter=20))
    run.play()
    run.wait(5)
    until(lambda: not layout_threads())
    ref = weakref.ref(run)
    del run
    gc.collect()
    assert ref() is None


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_tiny_graphs(nodes):
    run = Run(Task(as_graph(nx.path_graph(nodes)), center=[3, 4]))
    run.play()
    assert run.wait(30) == "finished"
    expected = graphne_layout(nx.path_graph(nodes), center=[3, 4])
    assert np.array_equal(run.layout(), np.array(list(expected.values())).reshape(nodes, 2))


def test_fixed_nodes_stay_and_every_play_begins_anew():
    G = nx.karate_club_graph()
    pos = {0: (10.0, 0.0), 33: (-10.0, 0.0)}
    run = Run(Task(as_graph(G), pos, fixed=[0, 33], n_iter=50))
    run.play()
    assert run.wait(30) == "finished"
    assert np.array_equal(run.layout()[[0, 33]], [[10, 0], [-10, 0]])
    run.play()
    assert run.wait(30) == "finished"
    assert (run.count, run.iteration) == (2, 50)
