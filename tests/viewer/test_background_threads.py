"""Background threads: how they wait, and how they give way, on each system."""

import os
import sys
import threading
from types import SimpleNamespace

import pytest
from runs import StandIn, slowly, until

from graphne_viz.viewer import background_threads
from graphne_viz.viewer.background_threads import LOOK_AGAIN, NICENESS, wait_until, with_low_priority
from graphne_viz.viewer.run.run import Run


@pytest.fixture
def waits(monkeypatch):
    """Timeouts of all waits of ours on conditions and events."""
    found = []

    def note(kind, name):
        before = getattr(kind, name)

        def wait(self, *given):
            if sys._getframe(1).f_globals["__name__"].startswith("graphne_viz"):
                found.append(given[-1] if len(given) > (name == "wait_for") else None)
            return before(self, *given)

        monkeypatch.setattr(kind, name, wait)

    note(threading.Condition, "wait_for")
    note(threading.Event, "wait")
    return found


def test_no_wait_for_a_run_is_so_long_that_windows_would_not_hear_ctrl_c(waits):
    run = Run(StandIn(slowly, n_iter=50_000))
    run.play()
    until(lambda: run.iteration > 0)
    waits.clear()
    threading.Timer(1.5 * LOOK_AGAIN, run.pause).start()
    assert run.wait() == "paused"
    assert len(waits) > 1, "it looked again"
    run.restart()  # waits for the attempt before, which is held
    until(lambda: run.state == "running" and run.iteration > 0)
    run.stop()
    assert run.wait(60) == "stopped"
    assert run.wait_for_positions(60)
    assert None not in waits
    assert max(waits) <= LOOK_AGAIN
    run.close()


def test_ctrl_c_between_two_looks_ends_waiting():
    class Interrupted:
        looks = 0

        def wait_for(self, done, timeout):
            assert 0 <= timeout <= LOOK_AGAIN
            self.looks += 1
            if self.looks == 3:
                raise KeyboardInterrupt
            return done()

    changed = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        wait_until(changed, lambda: False)
    assert changed.looks == 3


@pytest.mark.parametrize("timeout", [-1.0, 0.0, 0.01])
def test_waiting_ends_in_time_and_says_whether_it_was_in_vain(timeout):
    changed = threading.Condition()
    with changed:
        assert wait_until(changed, lambda: True, timeout)
        assert not wait_until(changed, lambda: False, timeout)


@pytest.mark.parametrize(("system", "expected"), [("linux", NICENESS), ("darwin", None), ("win32", None)])
def test_only_linux_has_priorities_of_threads(monkeypatch, system, expected):
    asked, done = [], []
    monkeypatch.setattr(background_threads, "sys", SimpleNamespace(platform=system))
    # Windows has none of these.
    monkeypatch.setattr(
        background_threads,
        "os",
        SimpleNamespace(PRIO_PROCESS=0, setpriority=lambda *given: asked.append(given)) if expected else None,
    )
    with_low_priority(done.append, "work")
    assert done == ["work"]
    assert asked == ([(0, threading.get_native_id(), expected)] if expected else [])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_a_sandbox_that_allows_no_priorities_does_no_harm(monkeypatch):
    def refuse(*_):
        raise PermissionError

    done = []
    monkeypatch.setattr(os, "setpriority", refuse)
    with_low_priority(done.append, "work")
    assert done == ["work"]
