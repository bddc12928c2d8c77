"""What the browser wants computed, in threads of its own: each thing once, however many ask for it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphne_viz.viewer.background_threads import call_safely, register, unregister, with_low_priority

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    Work = Callable[[], object]
    Done = Callable[[object, BaseException | None], object]


@dataclass(eq=False)
class _Job:
    """One piece of work, and whom to tell of its end."""

    waiting: list[Done]
    ended: threading.Event = field(default_factory=threading.Event)


class BackgroundJobs:
    """Threads that compute something, report it, and end.

    Work that takes long looks at `closed` now and then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[Hashable, _Job] = {}
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether no result is wanted any more."""
        return self._closed

    def run(self, key: Hashable, work: Work, done: Done) -> None:
        """Do some work in the background.

        Parameters
        ----------
        key : hashable
            Names the work: a job that is under way is not started again.
        work : callable
        done : callable
            Called in the background with what the work returned and None, or with None and what it raised.

        Raises
        ------
        RuntimeError
            After `close`, or if no thread can be started.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("the view is closed and computes nothing any more")
            known = self._under_way.get(key)
            if known is not None:
                known.waiting.append(done)
                return
            job = self._under_way[key] = _Job([done])
        thread = threading.Thread(
            target=with_low_priority, args=(self._do, key, job, work), name="graphne-job", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # there are too many, or the interpreter is shutting down
            with self._lock:
                del self._under_way[key]
            raise

    def close(self) -> None:
        """Drop all results, and let long work notice. Twice is fine."""
        self._closed = True

    def _do(self, key: Hashable, job: _Job, work: Work) -> None:
        register(job, self.close)
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:  # noqa: BLE001 - whatever it is, who asked is told
            error = raised
        with self._lock:
            del self._under_way[key]
        if not self._closed:
            for done in job.waiting:
                call_safely(done, result, error)
        job.ended.set()
        unregister(job)
