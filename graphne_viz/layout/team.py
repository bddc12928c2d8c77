"""A few threads that share the work of one stage at a time."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable



def count_cores() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system tells
        return os.cpu_count() or 1


class Team:
    """Threads that drain numbered pieces of work; the caller is one of them.

    Which thread takes which piece is left to chance, so a piece must not depend on another of the same stage.

    Parameters
    ----------
    n_jobs : int
        Number of threads, the caller included.
    """

    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = n_jobs
        self._executor = ThreadPoolExecutor(n_jobs - 1, "graphne") if n_jobs > 1 else None
        self._helpers: list[Future[None]] = []
        self._drain: Callable[[], None] = _nothing

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def begin(self, job: Callable[[int], object], pieces: int) -> None:
        """Let the other threads start on ``job(0) ... job(pieces - 1)`` while the caller does something else."""
        counter = itertools.count()

        def drain() -> None:
            while (piece := next(counter)) < pieces:
                job(piece)

        self._drain = drain
        if self._executor is not None:
            self._helpers = [self._executor.submit(drain) for _ in range(min(self.n_jobs, pieces + 1) - 1)]

    def finish(self) -> None:
        """Help with what is left of the work begun, and wait for the rest of it."""
        self._drain()
        for helper in self._helpers:
            helper.result()
        self._helpers = []

    def run(self, job: Callable[[int], object], pieces: int) -> None:
        """Do ``job(0) ... job(pieces - 1)`` and return when all are done."""
        if self._executor is None or pieces == 1:
            for piece in range(pieces):
                job(piece)
            return
        self.begin(job, pieces)
        self.finish()


def _nothing() -> None:
    """Stand for the work of a team that was given none."""
