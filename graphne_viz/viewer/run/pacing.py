"""How fast a run goes: a small graph is done before anybody could watch it, unless it is slowed down.

And where somebody pulls at a node, the picture must keep up with the hand.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_FOR_VIEW = 1.0
"""Seconds for which a slowed-down run waits for a viewer before its first iteration."""

HANDS_OFF = 2.0
"""Seconds after the last pull at a node for which somebody is thought to hold it still."""

RESPITE = 0.015
"""Seconds for which a run rests meanwhile after each snapshot. It would take every core that the browser needs to draw
what it was told; that the optimiser has a low priority does not help where systems share their cores by session."""


class Pacing:
    """The time that iterations take at least. Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    seconds : float
        For each iteration; 0 for as fast as possible.

    Attributes
    ----------
    viewed : bool
        Whether a viewer was there.
    awaited : bool
        Whether somebody has pulled at a node and waits for the answer; until the next iteration ends.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting = 0
        self._marked = (0.0, 0)
        self.viewed = False
        self.awaited = False
        self._pulled_at = -math.inf

    @property
    def slowed(self) -> bool:
        """Whether the run is slowed down: never while somebody waits for its end."""
        return self._seconds > 0 and not self._waiting

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Let the run go as fast as possible meanwhile."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def pulled(self) -> None:
        """Note that somebody pulls at a node, and waits for the answer."""
        self.awaited = True
        self._pulled_at = time.monotonic()

    @property
    def respite(self) -> float:
        """Seconds for which the run rests now: none, unless a node is held."""
        held = time.monotonic() - self._pulled_at < HANDS_OFF and not self._waiting
        return RESPITE if held else 0.0

    def mark(self, iteration: int) -> None:
        """Note that an iteration ends now."""
        self.awaited = False
        self._marked = (time.monotonic(), iteration)

    def early(self, iteration: int) -> float:
        """Return by how many seconds an iteration comes too early."""
        when, before = self._marked
        return max(when + self._seconds * (iteration - before) - time.monotonic(), 0.0)
