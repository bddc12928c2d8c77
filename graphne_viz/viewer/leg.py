"""One thread's share of a run."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from graphne_viz.layout.run import Outcome

State = Literal["idle", "starting", "running", "paused", "finished", "stopped", "failed"]
ACTIVE = ("starting", "running", "paused")
"""States in which there is a thread at work, or held."""


@dataclass(eq=False)
class Leg:
    """The layout from its start, or a stretch more of it.

    Attributes
    ----------
    fresh : bool
        Whether it is to begin at the start; otherwise it goes on from where the one before ended, if that is possible.
    before : Leg or None
        The one it waits for.
    stop : bool
        Whether it is to end, for whatever reason.
    cut : bool
        Whether the caller's callback ended it.
    base : int
        Iterations done before it.
    outcome : Outcome or None
        Where it ended, or where the one before did.
    ended : Event
        Whether all is done, telling included.
    """

    fresh: bool
    before: Leg | None = None
    stop: bool = False
    cut: bool = False
    base: int = 0
    outcome: Outcome | None = None
    ended: threading.Event = field(default_factory=threading.Event)
    _marked: tuple[float, int] = (0.0, 0)

    def mark(self, iteration: int) -> None:
        """Note that an iteration is done, for the pace."""
        self._marked = (time.monotonic(), iteration)

    def early(self, pace: float, iteration: int) -> float:
        """Return by how many seconds an iteration comes too early for a pace, in seconds an iteration."""
        when, before = self._marked
        return max(when + pace * (iteration - before) - time.monotonic(), 0.0)
