import gc
import os
import sys
import threading
import weakref
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from runs import Listener, StandIn, layout_threads, real_task, slowly, until

from graphne_viz import graphne_layout
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task
from graphne_viz.viewer.background_threads import NICENESS
from graphne_viz.viewer.run.run import Run

# ---- From the start to the end ----


def test_a_run_ends_where_graphne_layout_does():
    run = Run(real_task(seed=3))
    assert (run.state, run.layout()) == ("idle", None)
    run.play()
    assert run.wait(30) == "finished"
    expected = np.array(list(graphne_layout(nx.karate_club_graph(), seed=3).values()))
    assert np.array_equal(run.layout(), expected)
    assert run.iteration == sum(count for _, count, _ in run.task.options.phases) > 100
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


def test_the_end_is_told_before_its_positions_go_out():
    """A viewer that gets them first looks for their phase in the last status, and shows the one of the beginning."""
    run = Run(StandIn(n_iter=20, early_exaggeration_iter=10), store=lambda _: told.append("stored"))
    told = []
    run.attach(
        lambda snapshot: told.append(f"positions: {snapshot.phase}"),
        lambda: told.append(f"state: {run.status()['state']}"),
    )
    run.compute()  # not by `play`, which tells of the start in this thread, at any time
    assert told[-4:] == ["positions: optimization", "stored", "state: finished", "positions: finished"]
    assert run.status()["phase"] == "finished"


def test_only_a_run_without_a_callback_is_sparing():
    """Who asked for every tenth iteration and its divergence gets them; the viewer does with fewer divergences."""
    asked = []

    class Asked(StandIn):
        def run(self, see, every, **keywords):
            asked.append({name: keywords.get(name) for name in ("kl_every", "longest")})
            return super().run(see, every, **keywords)

    for callback in (None, lambda _: None):
        Run(Asked(n_iter=10, early_exaggeration_iter=0), callback=callback).compute()
    assert asked[0]["kl_every"] > 1
    assert 0 < asked[0]["longest"] <= 1 / 24
    assert asked[1] == {"kl_every": None, "longest": None}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a priority belongs to the whole process")
def test_the_optimiser_lets_everything_else_go_first():
    own = threading.get_native_id()
    before = os.getpriority(os.PRIO_PROCESS, own)
    found = []

    def note():
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    def look():
        helper = threading.Thread(target=note)
        helper.start()
        helper.join()
        note()

    run = Run(StandIn(look, n_iter=10, early_exaggeration_iter=0))
    run.play()
    run.wait(5)
    assert found == [NICENESS, NICENESS], "its own thread and those that it starts"
    assert os.getpriority(os.PRIO_PROCESS, own) == before
    found.clear()
    run.compute()
    assert found == [before, before], "in the caller's thread it does not wait for anybody"


def test_a_sandbox_that_forbids_it_does_no_harm(monkeypatch):
    def forbidden(*_):
        raise PermissionError("no")

    monkeypatch.setattr(os, "setpriority", forbidden, raising=False)
    run = Run(StandIn(n_iter=10, early_exaggeration_iter=0))
    run.play()
    assert run.wait(5) == "finished"


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
        "status_text": "",
        "history": [],
        "dimension": 0,
        "shots": 0,
        "steerable": True,
        "external": False,
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


def test_what_has_to_be_done_first_is_done_in_the_background_and_said():
    class Prepared(StandIn):
        def prepare(self, tell):
            until(lambda: told)  # whoever called play() may be slower than this thread
            tell("Finding nearest neighbours")
            seen.append(threading.current_thread().name)

    run, seen, told = Run(Prepared(n_iter=20, early_exaggeration_iter=0)), [], []
    run.attach(lambda _: None, lambda: told.append((run.state, run.status()["status_text"])))
    run.play()
    run.wait(5)
    assert seen == ["graphne-layout"]
    assert told == [
        ("starting", ""),
        ("starting", "Finding nearest neighbours"),
        ("running", ""),
        ("finished", ""),
    ]


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


def test_progress_is_shown_for_the_whole_of_each_attempt(capsys):
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
