"""A layout that forms in the background: started, paused, steered, stopped, begun anew."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.layout.options import MOST_EXAGGERATION, positive
from graphne_viz.layout.progress import reporting
from graphne_viz.viewer.leg import ACTIVE, Leg
from graphne_viz.viewer.readings import Readings
from graphne_viz.viewer.record import Record
from graphne_viz.viewer.workers import SPARING, attempt, beside, dismissed, employed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.leg import State

    Watcher = Callable[[Snapshot], object]

log = logging.getLogger(__name__)

_WAIT_FOR_VIEW = 1.0


class Run(Readings):
    """One layout and the thread that optimises it; there is none while nothing is optimised.

    `pause`, `resume`, `play`, `stop` and `restart` return at once, whatever the state and the thread.

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
        self._every = every
        self._pace = pace
        self._callback = callback
        self._progress = progress
        self._on_snapshot: Watcher | None = None
        self._on_state: Callable[[], object] | None = None
        self._turn = threading.Condition()
        self._state: State = "idle"
        self._leg: Leg | None = None
        self._workers: set[int] = set()
        self._waiting = 0
        self._news = ""
        self._viewed = False
        self._closed = False
        self._error: BaseException | None = None
        self._exaggeration = float(task.options.exaggeration)
        self._changed_at: int | None = None
        self._steered = False
        self._record = Record(task, given)

    def attach(self, on_snapshot: Watcher, on_state: Callable[[], object]) -> None:
        """Have someone told of every snapshot, and of every change of the state; in whatever thread that happens."""
        self._on_snapshot, self._on_state = on_snapshot, on_state

    @property
    def exaggeration(self) -> float:
        """Attraction against repulsion. A change acts within some iterations; a run that has ended goes on."""
        return self._exaggeration

    @exaggeration.setter
    def exaggeration(self, value: float) -> None:
        positive("exaggeration", value, most=MOST_EXAGGERATION)
        with self._turn:
            if float(value) == self._exaggeration:
                return
            self._exaggeration, self._steered = float(value), True
            if threading.get_ident() not in self._workers:  # a callback's own schedule must not make the run endless
                self._changed_at = max(self.iteration, self.task.shown.early_exaggeration_iter)
            asleep = self._state in {"idle", "finished", "stopped", "failed"}
        if asleep:
            self.play()
        else:
            attempt(self._on_state)

    def play(self) -> None:
        """Do whatever makes it go on: resume if paused, otherwise optimise, from where it is if that is possible."""
        if self._state == "paused":
            self.resume()
        self._depart(fresh=False, unless=ACTIVE)

    def restart(self) -> None:
        """Begin anew from the start."""
        self._depart(fresh=True)

    def pause(self) -> None:
        """Hold the run until `resume`."""
        self._change("paused", only=("starting", "running"))

    def resume(self) -> None:
        """Go on after `pause`."""
        self._change("running", only=("paused",))

    def stop(self) -> None:
        """End the run where it is."""
        self._change("stopped", only=ACTIVE)

    def wait(self, timeout: float | None = None) -> State:
        """Wait until the run has ended or is paused; it hurries then.

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
        with self._turn:
            if threading.get_ident() in self._workers:
                raise RuntimeError("wait() was called in the run's own thread, which would wait for itself")
            self._waiting += 1
            self._turn.notify_all()
            try:
                self._turn.wait_for(lambda: self._state == "paused" or self._at_rest(), timeout)
            finally:
                self._waiting -= 1
            state, error = self._state, self._error
        if state == "failed" and error is not None:
            raise error
        return state

    def wait_for_positions(self, timeout: float) -> bool:
        """Wait for the first snapshot; returns whether there is one."""
        with self._turn:
            return self._turn.wait_for(lambda: self._record.latest is not None or self._at_rest(), timeout)

    def viewed(self) -> None:
        """Note that someone looks: a run that waits for that begins."""
        with self._turn:
            self._viewed = True
            self._turn.notify_all()

    def compute(self) -> None:
        """Run from the start to the end in the calling thread, as fast as possible; raises what goes wrong."""
        self._leg, self._state, self._waiting = Leg(fresh=True), "starting", self._waiting + 1
        self._clear()
        try:
            self._work(self._leg)
        finally:
            self._waiting -= 1
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """End the run and never start one again. Twice is fine."""
        with self._turn:
            self._closed = True
            leg = self._leg
            if leg is not None:
                leg.stop = True
            if self._state in ACTIVE:
                self._state = "stopped"
            self._turn.notify_all()

    def _at_rest(self) -> bool:
        return self._state not in ACTIVE and (self._leg is None or self._leg.ended.is_set())

    def _change(self, state: State, *, only: tuple[str, ...]) -> None:
        with self._turn:
            if self._closed or self._state not in only:
                return
            self._state = state
            if state == "stopped" and self._leg is not None:
                self._leg.stop = True
            self._turn.notify_all()
        attempt(self._on_state)

    def _depart(self, *, fresh: bool, unless: tuple[str, ...] = ()) -> None:
        """Send a thread on its way; it waits for the one before, so that there is never more than one at work."""
        with self._turn:
            if self._closed or self._state in unless:
                return
            if self._leg is not None:
                self._leg.stop = True
            leg = self._leg = Leg(fresh, before=self._leg)
            self._state, self._error = "starting", None
            if fresh:
                self._clear()
            self._turn.notify_all()
            try:
                threading.Thread(target=beside, args=(self._work, leg), name="graphne-layout", daemon=True).start()
            except RuntimeError as error:  # there are too many threads, or the interpreter is shutting down
                self._state, self._error = "failed", error
                leg.ended.set()
                raise
        attempt(self._on_state)

    def _clear(self) -> None:
        self._changed_at, self._steered = None, False
        self._record.begin()

    def _work(self, leg: Leg) -> None:
        self._workers.add(threading.get_ident())
        employed(leg, self.close)
        before, leg.before = leg.before, None
        error: BaseException | None = None
        try:
            if before is not None:
                before.ended.wait()
                leg.outcome = None if leg.fresh else before.outcome
            while not leg.stop:
                self._advance(leg)
                if not self._unsettled(leg):
                    break
        except BaseException as raised:  # noqa: BLE001 - whatever it is, it is told to who waits, and shown
            error = raised
        finally:
            self._end(leg, error)
            self._workers.discard(threading.get_ident())
            dismissed(leg)

    def _advance(self, leg: Leg) -> None:
        """Run the task, from where the leg is if that is possible."""
        options, base = self.task.shown, leg.outcome
        if base is not None and (base.own is None or base.iterations < options.early_exaggeration_iter):
            base = None  # what was broken off in the early phase would lack its order
        with self._turn:
            if base is None and not leg.fresh:
                self._clear()
            if base is not None:
                self._record.go_on(base.iterations)
            leg.base = 0 if base is None else base.iterations
            leg.mark(leg.base)
        bar = replace(options, early_exaggeration_iter=0, n_iter=self._record.total)
        steer = partial(getattr, self, "_exaggeration")
        with reporting(self._callback, bar, show=self._progress) as watch:
            see = partial(self._see, leg, watch)
            keywords: dict[str, Any] = {"steer": steer, "from_start": base is None, "resume": base}
            keywords |= SPARING if self._callback is None else {}
            leg.outcome = self.task.run(see, self._every, **keywords)

    def _unsettled(self, leg: Leg) -> bool:
        """Whether the exaggeration was changed so late that the layout has not answered yet."""
        with self._turn:
            changed, self._changed_at = self._changed_at, None
            short = changed is not None and self.iteration - changed < self.task.options.n_iter / 2
            return short and not (leg.stop or leg.cut) and leg.outcome is not None and leg.outcome.own is not None

    def _see(self, leg: Leg, watch: Watcher | None, snapshot: Snapshot) -> bool:
        """Take a snapshot from the optimiser, hold it up if that is wanted, and say whether it shall stop."""
        if not np.isfinite(snapshot.positions).all():
            raise ArithmeticError(f"positions are not finite after {snapshot.iteration:,} iterations")
        with self._turn:
            if leg.stop:
                return True
            snapshot = self._record.note(snapshot)  # numbered here: as soon as the lock is free, it may be begun anew
            begun = self._state == "starting"
            if begun:
                self._state = "running"
            told, self._news = self._news, self.task.news
            self._turn.notify_all()
        attempt(self._on_snapshot, snapshot)
        if begun or told != self._news:
            attempt(self._on_state)
        # The callback owns what it is given; the viewer still reads this.
        own = replace(snapshot, positions=snapshot.positions.copy()) if watch is not None else snapshot
        if watch is not None and snapshot.iteration > leg.base and watch(own):
            leg.cut = True
            return True
        self._keep_pace(leg, snapshot)
        return self._held(leg, snapshot)

    def _keep_pace(self, leg: Leg, snapshot: Snapshot) -> None:
        if not self._pace:
            return
        with self._turn:
            if snapshot.iteration == leg.base:
                self._turn.wait_for(lambda: leg.stop or self._waiting or self._viewed, _WAIT_FOR_VIEW)
            else:
                early = leg.early(self._pace, snapshot.iteration)
                self._turn.wait_for(lambda: leg.stop or self._waiting or self._state == "paused", early)
            leg.mark(snapshot.iteration)

    def _held(self, leg: Leg, snapshot: Snapshot) -> bool:
        """Wait while paused; returns whether the leg shall end."""
        if self._state == "paused":
            attempt(self._on_state)  # now that the positions will stay as they are
        with self._turn:
            self._turn.wait_for(lambda: leg.stop or self._state != "paused")
            leg.mark(snapshot.iteration)
            return leg.stop

    def _end(self, leg: Leg, error: BaseException | None) -> None:
        with self._turn:
            current, last = leg is self._leg, None
            if current and error is not None:
                self._error, self._state = error, "failed"
            elif current:
                self._state = "stopped" if leg.stop else "finished"
                last = self._record.finish(leg.outcome) if leg.outcome is not None else None
        # After the interpreter has begun to shut down, errors tell of nothing else.
        if current and not self._closed and threading.main_thread().is_alive():
            if error is not None:
                log.error("%s", self.message, exc_info=error)
            if last is not None:
                attempt(self._on_snapshot, last)
                attempt(self._store, self)
            attempt(self._on_state)
        with self._turn:
            leg.ended.set()
            self._turn.notify_all()
            changed = current and self._state == "finished" and self._changed_at is not None
        if changed:  # after the last iteration, before the end was known
            self.play()
