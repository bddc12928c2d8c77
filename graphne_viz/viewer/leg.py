"""One thread's share of a run."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphne_viz.layout.run import Outcome


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
    marked, marked_at : float, int
        When the last snapshot was let go, and its iteration, for the pace.
    outcome : Outcome or None
        Where it ended, or where the one before did.
    worker : int or None
        Its thread.
    ended : Event
        Whether all is done, telling included.
    """

    fresh: bool
    before: Leg | None = None
    stop: bool = False
    cut: bool = False
    base: int = 0
    marked: float = 0.0
    marked_at: int = 0
    outcome: Outcome | None = None
    worker: int | None = None
    ended: threading.Event = field(default_factory=threading.Event)
