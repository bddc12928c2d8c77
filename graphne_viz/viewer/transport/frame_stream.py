"""Frames on their way to a browser: the newest only, and no faster than it answers."""

from __future__ import annotations

import logging
import math
import threading
import time
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

Item = TypeVar("Item")

MOST_UNANSWERED = 2
"""Frames under way at once: one that travels while the other is drawn."""

FASTEST = 1 / 24
"""Seconds between two frames at least, in the mean. The viewer moves smoothly from one to the next, and reading an
answer costs the kernel about 2 ms, which the optimiser would miss."""

_FASTEST_UNHEARD = 1 / 20
"""Seconds between two frames at least, while no answer can arrive."""

_UNKNOWN_GAP = 0.2
"""Seconds between two frames while no answer can arrive and none ever has."""

_UNKNOWN_BYTES = 4e6
"""Bytes a second in the same case."""

_FIRST_TIMEOUT = 0.5
_SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 0.1, 2.0
_ROUND_TRIPS = 4
"""Time-outs in seconds, and in usual round trips."""

_SMOOTHING = 0.25
_MOST_LOST = 16
_LINGER = 0.2


class Flow:
    """When the next frame may go, decided from what has been heard of the earlier ones.

    It does nothing by itself and has no clock: callers pass the time, in seconds.

    Attributes
    ----------
    round_trip : float or None
        Usual time between a frame and its answer, None while unknown.
    """

    def __init__(self) -> None:
        self.round_trip: float | None = None
        self._view = False
        self._displayed = False
        self._under_way: dict[int, float] = {}
        self._lost: dict[int, float] = {}
        self._losses = 0
        self._seq = 0
        self._last_sent = -math.inf
        self._due = -math.inf
        self._last_heard = -math.inf
        self._busy_since: float | None = None
        self._freed = -math.inf

    @property
    def unanswered(self) -> int:
        """Number of frames under way."""
        return len(self._under_way)

    @property
    def timeout(self) -> float:
        """Seconds without an answer after which what is under way counts as lost."""
        patience = _FIRST_TIMEOUT if self.round_trip is None else _ROUND_TRIPS * self.round_trip
        patience = max(patience, _SHORTEST_TIMEOUT)
        # A way that is longer than the longest time-out is waited for all the same: a queue would grow on it.
        return float(max(patience, min(patience * 2 ** min(self._losses, 10), LONGEST_TIMEOUT)))

    def displayed(self) -> None:
        """Note that a view is being made: while a cell blocks the kernel, it cannot say so itself."""
        self._displayed = True

    def ready(self) -> None:
        """Note that a view is there, a new one maybe, which has seen nothing of what is under way."""
        self._view = True
        self._under_way.clear()
        self._losses = 0

    def delay(self, now: float, *, busy: bool, size: int = 0) -> float:
        """Say in how many seconds a frame may go.

        Parameters
        ----------
        now : float
        busy : bool
            Whether a cell blocks the kernel, so that no answer can be heard.
        size : int
            Bytes of a frame.

        Returns
        -------
        float
            0 for at once, infinity where only an event can change the answer.
        """
        self._note(now, busy=busy)
        if self._deaf:
            if not (self._view or self._displayed):
                return math.inf
            return max(self._last_sent + self._gap(size) - now, 0.0)
        if not self._view:
            return math.inf
        if len(self._under_way) >= (1 if self._losses else MOST_UNANSWERED):
            patience = max(self._last_sent, self._last_heard, self._freed) + self.timeout - now
            if patience > 0:
                return patience
            self._give_up()
        return max(self._due - now, 0.0)

    def send(self, now: float) -> int:
        """Note that a frame goes now; returns its number, counted from 1, or 0 where no answer is wanted."""
        self._last_sent = now
        # Threads wake up late where cores are busy: what one frame was late by, the next need not wait for.
        late = now - self._due
        self._due = now + FASTEST - (min(late, FASTEST / 2) if late < FASTEST else 0.0)
        # While a cell runs answers only pile up, and the next cell would have to wait until they are read.
        if self._deaf and self._under_way:
            return 0
        self._seq += 1
        self._under_way[self._seq] = now
        # Where answers come faster than frames go, that to every second one is enough: it covers the one before.
        quick = self.round_trip is not None and self.round_trip < FASTEST
        alone = len(self._under_way) < MOST_UNANSWERED
        return 0 if quick and alone and not (self._losses or self._deaf) else self._seq

    def answered(self, seq: int, now: float) -> None:
        """Note the answer to a frame, and thereby to those before it. A number that was never sent means nothing."""
        sent = self._under_way.get(seq, self._lost.get(seq))
        if sent is None:
            return
        late = seq in self._lost
        # While a cell ran nothing could be heard: what then looks like a long way was not.
        if self._busy_since is None and sent >= self._freed:
            self._learn(now - sent, late=late)
        for numbers in (self._under_way, self._lost):
            for number in [number for number in numbers if number <= seq]:
                del numbers[number]
        self._losses = 0
        self._last_heard = now

    @property
    def _deaf(self) -> bool:
        """Whether a cell runs and nothing has been heard since it began; a subshell may hear all the same."""
        return self._busy_since is not None and self._last_heard <= self._busy_since

    def _note(self, now: float, *, busy: bool) -> None:
        if busy and self._busy_since is None:
            self._busy_since = now
        elif not busy and self._busy_since is not None:
            self._busy_since = None
            self._freed = now

    def _gap(self, size: int) -> float:
        """Seconds between two frames while nothing can be heard: the pace the last answers allowed."""
        if self._losses:
            return self.timeout
        if self.round_trip is None:
            return max(_UNKNOWN_GAP, size / _UNKNOWN_BYTES)
        return max(self.round_trip / MOST_UNANSWERED, _FASTEST_UNHEARD)

    def _learn(self, trip: float, *, late: bool) -> None:
        """Correct the usual round trip; an answer that came too late shows that it was thought too short."""
        if self.round_trip is None or (late and trip > self.round_trip):
            self.round_trip = trip
        else:
            self.round_trip += _SMOOTHING * (trip - self.round_trip)

    def _give_up(self) -> None:
        self._lost |= self._under_way
        self._under_way.clear()
        for seq in list(self._lost)[:-_MOST_LOST]:
            del self._lost[seq]
        self._losses += 1


class Stream(Generic[Item]):
    """One slot that always holds the newest item, and a thread that sends it when it may go.

    The thread lives only while there is something to send.

    Parameters
    ----------
    send : callable
        ``send(seq, item)`` sends an item and returns how many bytes that were; 0 as ``seq`` says that no answer is
        wanted. Called in the stream's thread, one call at a time. If it raises, the item is lost, as one that never
        arrives is, and the next one is tried.
    busy : callable, optional
        Whether a cell blocks the kernel, so that no answer can be heard.
    clock : callable, optional
        Seconds, monotonic.
    """

    def __init__(
        self,
        send: Callable[[int, Item], int],
        *,
        busy: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send = send
        self._busy = busy
        self._clock = clock
        self._flow = Flow()
        self._changed = threading.Condition()
        self._slot: Item | None = None
        self._size = 0
        self._thread: threading.Thread | None = None
        self._failing = False
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing will be sent any more."""
        return self._closed

    def publish(self, item: Item) -> None:
        """Let an item take the place of one that has not been sent yet. Never blocks."""
        with self._changed:
            self._slot = item
            self._wake()

    def discard(self) -> None:
        """Drop an item that has not been sent yet."""
        with self._changed:
            self._slot = None

    def answered(self, seq: int) -> None:
        """Note that a frame has arrived; from any thread."""
        with self._changed:
            self._flow.answered(seq, self._clock())
            self._wake()

    def ready(self) -> None:
        """Note that a view is there."""
        with self._changed:
            self._flow.ready()
            self._wake()

    def displayed(self) -> None:
        """Note that a view is being made."""
        with self._changed:
            self._flow.displayed()

    def poke(self) -> None:
        """Have the stream look whether ``busy`` has changed."""
        with self._changed:
            self._flow.delay(self._clock(), busy=self._busy())
            self._wake()

    def close(self) -> None:
        """Send nothing any more and end the thread. Twice is fine."""
        with self._changed:
            self._closed = True
            self._slot = None
            self._changed.notify_all()

    def _wake(self) -> None:
        """Have a thread look at the slot; the caller holds the lock."""
        if self._closed or self._slot is None:
            return
        if self._thread is not None:
            self._changed.notify_all()
        elif self._delay() < math.inf:
            self._thread = threading.Thread(target=self._work, name="graphne-stream", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:  # there are too many, or the interpreter is shutting down
                self._thread = None

    def _delay(self) -> float:
        return self._flow.delay(self._clock(), busy=self._busy(), size=self._size)

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            try:
                self._size = self._send(*taken)
                self._failing = False
            except Exception:
                # No answer will come, so that the next ones go ever more slowly by themselves.
                if not self._failing:
                    log.exception("a frame could not be sent; further failures are not logged until one succeeds")
                self._failing = True

    def _take(self) -> tuple[int, Item] | None:
        """Wait until an item may go and take it; None ends the thread."""
        with self._changed:
            while not self._closed:
                if self._slot is None:
                    if not self._changed.wait(_LINGER) and self._slot is None:
                        break
                    continue
                delay = self._delay()
                if math.isinf(delay):
                    break
                if delay <= 0:
                    item, self._slot = self._slot, None
                    return self._flow.send(self._clock()), item
                self._changed.wait(delay)
            self._thread = None
            return None
