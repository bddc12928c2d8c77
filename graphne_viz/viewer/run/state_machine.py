"""The states of a run, and which command or event leads from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

RunState = Literal["idle", "starting", "running", "paused", "finished", "stopped", "failed"]
RunCommand = Literal["play", "pause", "resume", "stop", "restart", "steer", "close"]
RunEvent = Literal["started", "finished", "failed"]
"""What the optimiser reports: its first positions, its regular end, an error."""

STATES: tuple[RunState, ...] = get_args(RunState)
COMMANDS: tuple[RunCommand, ...] = get_args(RunCommand)
EVENTS: tuple[RunEvent, ...] = get_args(RunEvent)

ACTIVE: tuple[RunState, ...] = ("starting", "running", "paused")
"""States in which a thread is at work, or is held."""

MOVING: tuple[RunState, ...] = ("starting", "running")
"""States in which the positions change."""

TRANSITIONS: Mapping[tuple[RunState, RunCommand | RunEvent], RunState] = {
    ("idle", "play"): "starting",
    ("idle", "restart"): "starting",
    ("idle", "steer"): "starting",
    ("idle", "close"): "idle",
    ("starting", "pause"): "paused",
    ("starting", "stop"): "stopped",
    ("starting", "restart"): "starting",
    ("starting", "steer"): "starting",
    ("starting", "close"): "stopped",
    ("starting", "started"): "running",
    ("starting", "finished"): "finished",
    ("starting", "failed"): "failed",
    ("running", "pause"): "paused",
    ("running", "stop"): "stopped",
    ("running", "restart"): "starting",
    ("running", "steer"): "running",
    ("running", "close"): "stopped",
    ("running", "finished"): "finished",
    ("running", "failed"): "failed",
    ("paused", "play"): "running",
    ("paused", "resume"): "running",
    ("paused", "stop"): "stopped",
    ("paused", "restart"): "starting",
    ("paused", "steer"): "paused",
    ("paused", "close"): "stopped",
    ("paused", "finished"): "finished",
    ("paused", "failed"): "failed",
    ("finished", "play"): "starting",
    ("finished", "restart"): "starting",
    ("finished", "steer"): "starting",
    ("finished", "close"): "finished",
    ("stopped", "play"): "starting",
    ("stopped", "restart"): "starting",
    ("stopped", "steer"): "starting",
    ("stopped", "close"): "stopped",
    ("stopped", "failed"): "failed",
    ("failed", "play"): "starting",
    ("failed", "restart"): "starting",
    ("failed", "steer"): "starting",
    ("failed", "close"): "failed",
}
"""The state after each command or event that a state takes; a pair that is missing is ignored.

A run that ends because it was stopped has been "stopped" since the command, so its "finished" is ignored; an error on
the way out is not.
"""


class RunStateMachine:
    """Holds the state of one run. Whoever uses it from several threads holds a lock.

    Attributes
    ----------
    state : str
    closed : bool
        Whether "close" was taken; everything after it is ignored.
    """

    def __init__(self) -> None:
        self.state: RunState = "idle"
        self.closed = False

    @property
    def active(self) -> bool:
        """Whether a thread is at work, or is held."""
        return self.state in ACTIVE

    def take(self, what: RunCommand | RunEvent) -> bool:
        """Take a command or an event; returns False where it is ignored."""
        after = TRANSITIONS.get((self.state, what))
        if self.closed or after is None:
            return False
        self.state = after
        self.closed = what == "close"
        return True
