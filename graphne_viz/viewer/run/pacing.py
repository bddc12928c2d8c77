"""How fast a run goes: a small graph is done before anybody could watch it, unless it is slowed down."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_FOR_VIEW = 1.0
"""Seconds for which a slowed-down run waits for a viewer before its first iteration."""


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

    def mark(self, iteration: int) -> None:
        """Note that an iteration ends now."""
        self.awaited = False
        self._marked = (time.monotonic(), iteration)

    def early(self, iteration: int) -> float:
        """Return by how many seconds an iteration comes too early."""
        when, before = self._marked
        return max(when + self._seconds * (iteration - before) - time.monotonic(), 0.0)
