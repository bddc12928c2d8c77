"""What the browser wants computed, beside the kernel: each thing once, whoever asks for it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphne_viz.viewer.workers import attempt, beside, dismissed, employed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    Work = Callable[[], object]
    Tell = Callable[[object, BaseException | None], object]


@dataclass(eq=False)
class _Errand:
    """One piece of work, and who is to be told of its end."""

    waiting: list[Tell]
    ended: threading.Event = field(default_factory=threading.Event)


class Errands:
    """Threads that compute something, tell it, and are gone.

    Work that takes long looks at `closed` now and then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[Hashable, _Errand] = {}
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nobody is interested any more."""
        return self._closed

    def run(self, key: Hashable, work: Work, tell: Tell) -> None:
        """Have some work done in the background.

        Parameters
        ----------
        key : hashable
            Names the work: what is under way already is not begun again.
        work : callable
        tell : callable
            Called in the background with what the work returned and None, or with None and what it raised.

        Raises
        ------
        RuntimeError
            After `close`, or if no thread can be started.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("the view is closed, so nothing is computed for it")
            known = self._under_way.get(key)
            if known is not None:
                known.waiting.append(tell)
                return
            errand = self._under_way[key] = _Errand([tell])
        thread = threading.Thread(target=beside, args=(self._do, key, errand, work), name="graphne-errand", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # there are too many, or the interpreter is shutting down
            with self._lock:
                del self._under_way[key]
            raise

    def close(self) -> None:
        """Give up what is under way. Twice is fine."""
        self._closed = True

    def _do(self, key: Hashable, errand: _Errand, work: Work) -> None:
        employed(errand, self.close)
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:  # noqa: BLE001 - whatever it is, who asked is told
            error = raised
        with self._lock:
            del self._under_way[key]
        if not self._closed:
            for tell in errand.waiting:
                attempt(tell, result, error)
        errand.ended.set()
        dismissed(errand)
