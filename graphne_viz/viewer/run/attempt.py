"""One thread's share of a run: optimising, and handing over what it finds."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.layout.progress import reporting
from graphne_viz.viewer.background_threads import LOOK_AGAIN, call_safely, wait_until
from graphne_viz.viewer.run.pacing import WAIT_FOR_VIEW

if TYPE_CHECKING:
    from graphne_viz.layout.engine.outcome import Outcome
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.run.shared_state import SharedState, Watcher

VIEWER_ONLY = {"kl_every": 5, "longest": 1 / 24}
"""How a task is watched when nobody but the viewer looks: a KL divergence costs as much as an iteration or two, and a
curve can do with few; but where iterations are slow, so many of them would be too long to wait for a frame."""


class RunAttempt:
    """The layout from its start, or more iterations of it.

    Parameters
    ----------
    shared : SharedState
        Of the run.
    fresh : bool
        Whether to begin at the start; otherwise it resumes where the attempt before ended, if that is possible.
    before : RunAttempt, optional
        The attempt that has to end first.

    Attributes
    ----------
    stop : bool
        Whether it is to end, for whatever reason.
    outcome : Outcome or None
        Where it ended, or where the attempt before did.
    ended : Event
        Whether everything is done, telling the listeners included.
    """

    def __init__(self, shared: SharedState, *, fresh: bool, before: RunAttempt | None = None) -> None:
        self._shared = shared
        self._fresh = fresh
        self._before = before
        self._base = 0
        self._ended_by_callback = False
        self.stop = False
        self.outcome: Outcome | None = None
        self.ended = threading.Event()

    def optimise(self) -> None:
        """Optimise in the calling thread until the end, or until `stop`; raises what goes wrong."""
        before, self._before = self._before, None
        if before is not None:
            while not before.ended.wait(LOOK_AGAIN):
                pass
            self.outcome = None if self._fresh else before.outcome
        while not self.stop:
            self._run_task()
            if not self._needs_more():
                break

    def _run_task(self) -> None:
        """Run the task, from where the attempt is if that is possible."""
        shared = self._shared
        task, base = shared.task, self.outcome
        options = task.visible_options
        if base is not None and (base.own is None or base.iterations < options.early_exaggeration_iter):
            base = None  # what was stopped in the early phase lacks its order
        with shared.changed:
            if self.stop or task is not shared.task:  # the history is that of another run, or graph, by now
                return
            if base is None and not self._fresh:
                shared.begin()
            if base is not None:
                shared.history.extend(base.iterations)
            self._base = 0 if base is None else base.iterations
            shared.pacing.mark(self._base)
        bar = replace(options, early_exaggeration_iter=0, n_iter=shared.history.total)
        task.prepare(shared.set_status_text)
        with reporting(shared.callback, bar, show=shared.progress) as watch:
            keywords: dict[str, Any] = {
                "steer": lambda: shared.steering.exaggeration,
                "pins": lambda: None if self.stop else shared.steering.pins,
                "resume": base,
            }
            keywords |= VIEWER_ONLY if shared.callback is None else {}
            self.outcome = task.run(partial(self._see, watch), shared.every, from_start=base is None, **keywords)

    def _needs_more(self) -> bool:
        """Whether the exaggeration was changed, or a node pulled, so late that the layout has not followed yet."""
        shared = self._shared
        with shared.changed:
            more = shared.steering.needs_more(shared.history.iteration, int(shared.task.options.n_iter))
            can_resume = self.outcome is not None and self.outcome.own is not None
            return more and can_resume and not (self.stop or self._ended_by_callback)

    def _see(self, watch: Watcher | None, snapshot: Snapshot) -> bool:
        """Take a snapshot from the optimiser, hold it up if that is wanted, and return whether to stop."""
        if not np.isfinite(snapshot.positions).all():
            raise ArithmeticError(f"positions are not finite after {snapshot.iteration:,} iterations")
        shared = self._shared
        with shared.changed:
            if self.stop:
                return True
            status_changed = shared.machine.take("started")
            if shared.machine.state == "running" and shared.release():
                status_changed = True
            snapshot = shared.history.add(snapshot)  # numbered here: without the lock, the run may be restarted
            if shared.status_text != shared.task.status_text:
                shared.status_text, status_changed = shared.task.status_text, True
            shared.changed.notify_all()
        call_safely(shared.on_snapshot, snapshot)
        if status_changed:
            shared.tell()
        # The callback owns what it is given; the viewer still reads this.
        own = replace(snapshot, positions=snapshot.positions.copy()) if watch is not None else snapshot
        if watch is not None and snapshot.iteration > self._base and watch(own):
            self._ended_by_callback = True
            return True
        self._keep_pace(snapshot.iteration)
        return self._hold(snapshot.iteration)

    def _keep_pace(self, iteration: int) -> None:
        """Wait until a viewer is there, until the iteration is due, or for a moment, where the run is slowed down."""
        shared, pacing = self._shared, self._shared.pacing

        def hurried() -> bool:
            return self.stop or pacing.awaited or shared.machine.state == "paused"

        with shared.changed:
            if rest := pacing.respite:
                shared.changed.wait_for(hurried, rest)
            if pacing.slowed and iteration == self._base:
                wait_until(shared.changed, lambda: self.stop or not pacing.slowed or pacing.viewed, WAIT_FOR_VIEW)
            elif pacing.slowed:
                shared.changed.wait_for(lambda: hurried() or not pacing.slowed, pacing.early(iteration))
            pacing.mark(iteration)

    def _hold(self, iteration: int) -> bool:
        """Wait while paused; returns whether the attempt is to end."""
        shared = self._shared
        if shared.machine.state == "paused":
            shared.tell()  # now that the positions will stay as they are
        with shared.changed:
            wait_until(shared.changed, lambda: self.stop or shared.machine.state != "paused")
            shared.pacing.mark(iteration)
            return self.stop
