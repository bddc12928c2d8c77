"""What the commands of a run and the thread that optimises share, under one lock."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphne_viz.viewer.background_threads import call_safely
from graphne_viz.viewer.run.state_machine import RunStateMachine

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.history import RunHistory
    from graphne_viz.viewer.run.pacing import Pacing
    from graphne_viz.viewer.run.steering import Steering

    Watcher = Callable[[Snapshot], object]


@dataclass(eq=False)
class SharedState:
    """The parts of a run. Whoever changes one, or reads two that belong together, holds `changed`.

    Attributes
    ----------
    task : Task
        What to compute.
    every : int
        Iterations between two snapshots.
    callback : callable or None
        The caller's own, as for `graphne_layout`.
    progress : bool
        Whether a progress bar is shown.
    steering, pacing, history, machine
        The collaborators: exaggeration, speed, positions and figures, state.
    changed : Condition
        The lock; notified whenever somebody may wait for what has changed.
    on_snapshot, on_state : callable or None
        Who is told of every snapshot, and of every change of the state.
    status_text : str
        What the task is doing while it has no positions to show.
    error : BaseException or None
        What ended a failed run.
    """

    task: Task
    every: int
    callback: Watcher | None
    progress: bool
    steering: Steering
    pacing: Pacing
    history: RunHistory
    machine: RunStateMachine = field(default_factory=RunStateMachine)
    changed: threading.Condition = field(default_factory=threading.Condition)
    on_snapshot: Watcher | None = None
    on_state: Callable[[], object] | None = None
    status_text: str = ""
    error: BaseException | None = None

    def begin(self) -> None:
        """Note that the layout starts again from the beginning; the caller has the lock."""
        self.steering.reset()
        self.history.placement = self.steering.placement
        self.history.begin()

    def release(self) -> bool:
        """Let the run move what was put somewhere but is not pinned; returns whether there was any.

        The caller has the lock.
        """
        before = self.steering.placement
        self.steering.placement = self.history.placement = before.only_pinned()
        return self.steering.placement is not before

    def tell(self) -> None:
        """Tell whoever listens that the state has changed."""
        call_safely(self.on_state)

    def set_status_text(self, text: str) -> None:
        """Say what the task is doing, in any thread."""
        with self.changed:
            self.status_text = text
        self.tell()
