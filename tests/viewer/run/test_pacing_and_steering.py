"""The collaborators of a run, by themselves."""

import time

import pytest

from graphne_viz.viewer.run import pacing as pacing_module
from graphne_viz.viewer.run.pacing import HANDS_OFF, RESPITE, Pacing
from graphne_viz.viewer.run.steering import Steering


def test_an_iteration_that_comes_too_early_waits():
    pacing = Pacing(0.5)
    pacing.mark(10)
    assert pacing.early(12) == pytest.approx(1.0, abs=0.1)
    assert pacing.early(10) == 0
    pacing = Pacing(0.001)
    pacing.mark(0)
    time.sleep(0.02)
    assert pacing.early(10) == 0


def test_a_run_is_not_slowed_down_while_somebody_waits():
    pacing = Pacing(0.5)
    assert pacing.slowed
    with pacing.hurried(), pacing.hurried():
        assert not pacing.slowed
    with pytest.raises(KeyError), pacing.hurried():
        raise KeyError
    assert pacing.slowed
    assert not Pacing(0).slowed


def test_a_run_rests_between_snapshots_while_somebody_pulls_at_a_node(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(pacing_module.time, "monotonic", lambda: now[0])
    pacing = Pacing(0)
    assert pacing.respite == 0
    pacing.pulled()
    assert (pacing.awaited, pacing.respite) == (True, RESPITE)
    with pacing.hurried():
        assert pacing.respite == 0, "somebody waits for the end"
    pacing.mark(1)
    assert not pacing.awaited
    now[0] += 0.9 * HANDS_OFF
    assert pacing.respite == RESPITE
    now[0] += 0.2 * HANDS_OFF
    assert pacing.respite == 0


def test_a_late_change_of_the_exaggeration_needs_more_iterations_once():
    steering = Steering(1.0)
    assert not steering.change(1.0, at=5)
    assert not steering.steered
    assert steering.change(4.0, at=90)
    assert (steering.exaggeration, steering.steered, steering.pending) == (4.0, True, True)
    assert steering.needs_more(100, 50)
    assert not steering.needs_more(100, 50)
    assert steering.change(2.0, at=10)
    assert not steering.needs_more(100, 50), "it has acted for long enough"


def test_a_change_by_the_callback_prolongs_nothing_and_a_restart_forgets():
    steering = Steering(1.0)
    assert steering.change(2.0, at=None)
    assert steering.steered
    assert not steering.needs_more(100, 50)
    steering.change(3.0, at=7)
    steering.reset()
    assert (steering.exaggeration, steering.steered, steering.pending) == (3.0, False, False)
