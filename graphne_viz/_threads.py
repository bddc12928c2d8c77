"""A few threads that share the work of one stage at a time."""

from __future__ import annotations

import itertools
import os
from contextlib import contextmanager, suppress
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Self

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import threadpoolctl
else:
    threadpoolctl = lazy_import("threadpoolctl")


def count_cores() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system tells
        return os.cpu_count() or 1


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads that ``n_jobs`` stands for, as in scikit-learn: -1 is all cores, -2 all but one.

    Examples
    --------
    >>> count_threads(3), count_threads(-1) == count_threads(None) == count_cores()
    (3, True)
    """
    if n_jobs is None:
        return count_cores()
    return n_jobs if n_jobs > 0 else max(count_cores() + 1 + n_jobs, 1)


def _nothing() -> None:
    """Do nothing, where something could be done."""


class _BlasLimit:
    """Counts who wants linear algebra on one thread: the limit is the whole process's, and the last one lifts it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._undo: Callable[[], object] = _nothing

    def set(self) -> None:
        """Set the limit, unless it is set."""
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._undo = _blas().limit(limits=1, user_api="blas").restore_original_limits

    def lift(self) -> None:
        """Lift it, unless others want it."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._undo()


_blas_limit = _BlasLimit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep numpy's linear algebra on the thread that asks for it.

    To wake the threads of BLAS costs more than a matrix of a hundred rows is worth, on a busy machine a hundred times
    as much.
    """
    _blas_limit.set()
    try:
        yield
    finally:
        _blas_limit.lift()


@cache
def _blas() -> threadpoolctl.ThreadpoolController:
    """Find the libraries once, which takes longer than what they are asked for."""
    return threadpoolctl.ThreadpoolController()


class ThreadTeam:
    """Threads that drain numbered pieces of work; the caller is one of them.

    Which thread takes which piece is left to chance, so a piece must not depend on another of the same stage. A stage
    lasts a fraction of a millisecond, so bare locks hand it over: an executor's futures take twice as long.

    Parameters
    ----------
    n_jobs : int
        Number of threads, the caller included.

    Examples
    --------
    >>> squares = [0] * 4
    >>> with ThreadTeam(2) as team:
    ...     team.run(lambda k: squares.__setitem__(k, k * k), 4)
    >>> squares
    [0, 1, 4, 9]
    """

    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = n_jobs
        self._workers = [_Worker() for _ in range(n_jobs - 1)]
        self._busy: list[_Worker] = []
        self._drain: Callable[[], None] = _nothing

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.dismiss()

    def begin(self, job: Callable[[int], object], pieces: int) -> None:
        """Let the other threads start on ``job(0) ... job(pieces - 1)`` while the caller does something else."""
        counter = itertools.count()

        def drain() -> None:
            while (piece := next(counter)) < pieces:
                job(piece)

        self._drain = drain
        self._busy = self._workers[:pieces]
        for worker in self._busy:
            worker.start(drain)

    def finish(self) -> None:
        """Help with what is left of the work begun, and wait for the rest of it."""
        self._drain()
        for worker in self._busy:
            worker.join()
        self._busy = []

    def run(self, job: Callable[[int], object], pieces: int) -> None:
        """Do ``job(0) ... job(pieces - 1)`` and return when all are done."""
        if not self._workers or pieces == 1:
            for piece in range(pieces):
                job(piece)
            return
        self.begin(job, pieces)
        self.finish()


class _Worker:
    """A thread that waits for work."""

    def __init__(self) -> None:
        self._task: Callable[[], None] | None = None
        self._error: BaseException | None = None
        self._go, self._done = Lock(), Lock()
        self._go.acquire()
        self._done.acquire()
        Thread(target=self._loop, name="graphne", daemon=True).start()

    def start(self, task: Callable[[], None]) -> None:
        """Hand over a task."""
        self._task = task
        self._go.release()

    def join(self) -> None:
        """Wait for the task, and raise what it raised."""
        self._done.acquire()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def dismiss(self) -> None:
        """End the thread once it is idle."""
        self._task = None
        with suppress(RuntimeError):  # it was about to start on a task and will find none
            self._go.release()

    def _loop(self) -> None:
        while True:
            self._go.acquire()
            if self._task is None:
                return
            try:
                self._task()
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                self._error = error
            self._done.release()
