"""A layout that forms in the background: started, paused, steered, stopped, restarted."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from graphne_viz._checks import check_positive
from graphne_viz.layout.options import MOST_EXAGGERATION
from graphne_viz.viewer.background_threads import call_safely, register, unregister, wait_until, with_low_priority
from graphne_viz.viewer.run.attempt import RunAttempt
from graphne_viz.viewer.run.history import GIVEN, RunHistory
from graphne_viz.viewer.run.pacing import Pacing
from graphne_viz.viewer.run.placement import NOWHERE
from graphne_viz.viewer.run.shared_state import SharedState
from graphne_viz.viewer.run.state_machine import MOVING
from graphne_viz.viewer.run.steering import Steering

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.placement import Placement
    from graphne_viz.viewer.run.recording import Shot
    from graphne_viz.viewer.run.shared_state import Watcher
    from graphne_viz.viewer.run.state_machine import RunCommand, RunState

log = logging.getLogger(__name__)


class Run:
    """One layout and the thread that optimises it; there is none while nothing is optimised.

    `pause`, `resume`, `play`, `stop` and `restart` return at once, whatever the state and the thread;
    `graphne_viz.viewer.run.state_machine` says what each does in each state.

    Parameters
    ----------
    task : Task
        What to compute.
    every : int, default 10
        Iterations between two snapshots.
    pace : float, default 0
        Seconds that an iteration takes at least, so that a small graph can be seen to form.
    callback, progress
        As for `graphne_layout`; the callback is called in the run's thread.
    given : ndarray, shape (n, 2), optional
        A finished layout: it is there from the beginning, and the state is "idle".
    store : callable, optional
        Called with the run whenever it ends.
    """

    def __init__(
        self,
        task: Task,
        *,
        every: int = 10,
        pace: float = 0.0,
        callback: Watcher | None = None,
        progress: bool = False,
        given: NDArray[np.float64] | None = None,
        store: Callable[[Run], object] | None = None,
    ) -> None:
        self.task = task
        self._store = store
        self._steering = Steering(float(task.options.exaggeration))
        self._pacing = Pacing(pace)
        self._history = RunHistory(task, given)
        parts = (self._steering, self._pacing, self._history)
        self._shared = SharedState(task, every, callback, progress, *parts)
        self._machine = self._shared.machine
        self._changed = self._shared.changed
        self._attempt: RunAttempt | None = None
        self._anew: Callable[[], Task] | None = None
        self._thread = threading.local()

    def attach(self, on_snapshot: Watcher, on_state: Callable[[], object]) -> None:
        """Set who is told of every snapshot and of every change of the state, in whatever thread it happens."""
        self._shared.on_snapshot, self._shared.on_state = on_snapshot, on_state

    def __repr__(self) -> str:
        return f"Run({self.state}, iteration {self.iteration:,} of {self._history.total:,}, KL {self.kl:.4g})"

    # ---- What can be read at any time, in any thread ----

    @property
    def state(self) -> RunState:
        """One of "idle", "starting", "running", "paused", "finished", "stopped", "failed"."""
        return self._machine.state

    @property
    def error(self) -> BaseException | None:
        """What ended a failed run."""
        return self._shared.error

    @property
    def message(self) -> str:
        """The error in one sentence, "" if there is none."""
        error = self.error
        if error is None:
            return ""
        first_line = str(error).strip().partition("\n")[0]
        return f"The layout failed: {first_line or type(error).__name__}"

    @property
    def latest(self) -> Snapshot | None:
        """The newest positions, those that were given by hand included; None before the first."""
        return self._history.latest

    @property
    def computed(self) -> Snapshot | None:
        """The newest positions as they were computed, None before the first."""
        return self._history.computed

    @property
    def placement(self) -> Placement:
        """Nodes that were put somewhere by hand."""
        return self._steering.placement

    @property
    def pulled(self) -> bool:
        """Whether nodes were held by hand while the layout formed."""
        return self._steering.pulled

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._history.iteration

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence of the newest positions, NaN where it is unknown."""
        return self._history.kl

    @property
    def count(self) -> int:
        """How often the layout was started."""
        return self._history.count

    @property
    def steered(self) -> bool:
        """Whether the exaggeration was changed since the layout was started."""
        return self._steering.steered

    @property
    def given(self) -> bool:
        """Whether the newest positions are the caller's own, which no run has made."""
        return self.latest is not None and self.latest.phase == GIVEN

    def acting(self, phase: str) -> float:
        """Return the exaggeration that acts in a phase."""
        early, *_ = self.task.options.phases
        return early[2] if phase == early[0] else self._steering.exaggeration

    def layout(self) -> NDArray[np.float64] | None:
        """Return what `graphne_layout` would return now, shape (n, 2); None before the first snapshot."""
        with self._changed:
            return self._history.layout()

    def shots(self) -> list[Shot]:
        """Return how the layout formed, as far as that was kept; the newest positions are the last."""
        with self._changed:
            return [] if self.latest is None else self._history.recording.shots(self.latest)

    def status(self) -> dict[str, object]:
        """Return state, progress and figures, ready for JSON."""
        with self._changed:
            return {
                "state": self.state,
                "message": self.message,
                "steerable": not self._machine.closed,
                "external": not self.task.steerable,
                "status_text": self._shared.status_text,
                "dimension": getattr(getattr(self.task, "embedding", None), "dim", 0),
                **self._history.status(),
            }

    # ---- Commands ----

    @property
    def exaggeration(self) -> float:
        """Attraction relative to repulsion. A change acts within some iterations; a run that has ended resumes."""
        return self._steering.exaggeration

    @exaggeration.setter
    def exaggeration(self, value: float) -> None:
        check_positive("exaggeration", value, most=MOST_EXAGGERATION)
        if not self.task.steerable and value != self._steering.exaggeration:
            raise ValueError("the exaggeration of a run shown through a callback must be set where it is optimised")
        with self._changed:
            at = max(self.iteration, self.task.visible_options.early_exaggeration_iter)
            # A schedule of the callback's own must not make the run endless.
            if not self._steering.change(float(value), at=None if self._in_own_thread else at):
                return
        self._take("steer")

    def place(self, placement: Placement) -> None:
        """Put nodes somewhere, and hold those that are pinned.

        A run that is under way answers within some iterations, and goes on for a while; otherwise the nodes move alone.
        """
        with self._changed:
            at = max(self.iteration, self.task.visible_options.early_exaggeration_iter)
            self._steering.place(placement, at=at if self._machine.active else None)
            self._history.placement = placement
            if self.state in MOVING:
                self._shared.release()
                self._pacing.pulled()
                self._changed.notify_all()

    def play(self) -> None:
        """Resume if paused; otherwise optimise, from the newest positions if that is possible."""
        self._take("play")

    def restart(self) -> None:
        """Start again from the beginning."""
        self._take("restart")

    def pause(self) -> None:
        """Hold the run until `resume`."""
        self._take("pause")

    def resume(self) -> None:
        """Continue after `pause`."""
        self._take("resume")

    def stop(self) -> None:
        """End the run where it is."""
        self._take("stop")

    def close(self) -> None:
        """End the run and never start it again. Twice is fine."""
        with self._changed:
            self._machine.take("close")
            if self._attempt is not None:
                self._attempt.stop = True
            self._changed.notify_all()
        self.task.interrupt(close=True)

    def compute(self) -> None:
        """Run from the start to the end in the calling thread, as fast as possible; raises what goes wrong."""
        with self._pacing.hurried():
            self._machine.take("restart")
            self._attempt = RunAttempt(self._shared, fresh=True)
            self._shared.begin()
            self._work(self._attempt)
        if self._shared.error is not None:
            raise self._shared.error

    def adopt(
        self,
        task: Task,
        start: NDArray[np.float64] | None,
        placement: Placement = NOWHERE,
        anew: Callable[[], Task] | None = None,
    ) -> None:
        """Optimise another graph from now on; nobody is told of it here.

        Parameters
        ----------
        task : Task
            What to compute.
        start : ndarray, shape (n, 2), or None
            Where its nodes are until there is a snapshot, in the units of the snapshots.
        placement : Placement
            Nodes of it that are pinned.
        anew : callable, optional
            Makes what is computed when the layout is started again, if that is something else.

        Raises
        ------
        RuntimeError
            If the run is closed.
        """
        with self._changed:
            if not self._machine.take("restart"):
                raise RuntimeError("the view is closed: its graph cannot be updated any more")
            before, self.task, self._anew = self.task, task, anew
            self._shared.task = task
            self._history = self._shared.history = RunHistory(task, start=start, count=self.count)
            self._steering.placement = self._history.placement = placement
            self._start_thread(fresh=True)
            self._changed.notify_all()
        before.interrupt(close=False)

    # ---- Waiting ----

    def wait(self, timeout: float | None = None) -> RunState:
        """Wait until the run has ended or is paused; it is not slowed down meanwhile.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most.

        Returns
        -------
        str
            The state; "running" after a time-out.

        Raises
        ------
        Exception
            What ended the run, if it failed.
        """
        if self._in_own_thread:
            raise RuntimeError("wait() was called in the run's own thread, which would wait for itself")
        with self._changed, self._pacing.hurried():
            self._changed.notify_all()
            wait_until(self._changed, lambda: self.state == "paused" or self._at_rest(), timeout)
            state, error = self.state, self._shared.error
        if state == "failed" and error is not None:
            raise error
        return state

    def wait_for_positions(self, timeout: float) -> bool:
        """Wait for the first snapshot; returns whether there is one."""
        with self._changed:
            return wait_until(self._changed, lambda: self.latest is not None or self._at_rest(), timeout)

    def viewed(self) -> None:
        """Note that a viewer is there: a run that waits for one begins."""
        with self._changed:
            self._pacing.viewed = True
            self._changed.notify_all()

    @property
    def _in_own_thread(self) -> bool:
        return getattr(self._thread, "own", False)

    def _at_rest(self) -> bool:
        return not self._machine.active and (self._attempt is None or self._attempt.ended.is_set())

    # ---- From a command to a thread ----

    def _take(self, command: RunCommand) -> None:
        """Take a command: the table says what becomes of the state; whatever starts needs a thread."""
        with self._changed:
            was_active = self._machine.active
            if not self._machine.take(command):
                return
            if command == "restart" and self._anew is not None:
                self.task = self._shared.task = self._history.task = self._anew()
                self._anew = None
            if command == "restart" or (self.state == "starting" and not was_active):
                self._start_thread(fresh=command == "restart")
            elif command == "stop" and self._attempt is not None:
                self._attempt.stop = True
            self._changed.notify_all()
        if command in {"stop", "restart"}:
            self.task.interrupt(close=False)
        self._shared.tell()

    def _start_thread(self, *, fresh: bool) -> None:
        """Start an attempt; it waits for the one before, so that there is never more than one at work."""
        if self._attempt is not None:
            self._attempt.stop = True
        attempt = self._attempt = RunAttempt(self._shared, fresh=fresh, before=self._attempt)
        self._shared.error = None
        if fresh:
            self._shared.begin()
        thread = threading.Thread(
            target=with_low_priority, args=(self._work, attempt), name="graphne-layout", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as error:  # there are too many threads, or the interpreter is shutting down
            self._shared.error = error
            self._machine.take("failed")
            attempt.ended.set()
            raise

    # ---- In the run's thread ----

    def _work(self, attempt: RunAttempt) -> None:
        self._thread.own = True
        register(attempt, self.close)
        error: BaseException | None = None
        try:
            attempt.optimise()
        except BaseException as raised:  # noqa: BLE001 - whatever it is, it is told to who waits, and shown
            error = raised
        finally:
            self._end(attempt, error)
            self._thread.own = False
            unregister(attempt)

    def _end(self, attempt: RunAttempt, error: BaseException | None) -> None:
        with self._changed:
            current, last = attempt is self._attempt, None
            if current and error is not None:
                self._shared.error = error
                self._machine.take("failed")
            elif current:
                self._machine.take("finished")
                last = self._history.finish(attempt.outcome) if attempt.outcome is not None else None
            self._shared.status_text = self.task.status_text if current else self._shared.status_text
        # After the interpreter has begun to shut down, errors tell of nothing else.
        if current and not self._machine.closed and threading.main_thread().is_alive():
            if error is not None:
                log.error("%s", self.message, exc_info=error)
            if last is not None:
                call_safely(self._store, self)
            # The state before the last positions: a viewer that gets those first would look for their phase in the
            # state before, and find the one in which the run began.
            self._shared.tell()
            if last is not None:
                call_safely(self._shared.on_snapshot, last)
        with self._changed:
            attempt.ended.set()
            self._changed.notify_all()
            changed = current and self.state == "finished" and self._steering.pending
        if changed:  # after the last iteration, before the end was known
            self.play()
