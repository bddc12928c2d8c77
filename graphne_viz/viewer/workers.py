"""Threads that optimise beside everything else: how they begin, and how they end with the interpreter."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, ParamSpec, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    P = ParamSpec("P")

    class Working(Protocol):
        """A piece of work that says when it has ended."""

        ended: threading.Event


log = logging.getLogger(__name__)

NICENESS = 10
"""How far the optimiser stands back behind whatever else wants a core.

A layout takes all the cores it can get for seconds on end. What passes frames on, answers a cell and draws needs one
for a millisecond at a time, and would have to wait for it: a cell `1+1` took up to half a second on two cores.
"""

SPARING = {"kl_every": 5, "longest": 1 / 24}
"""How a task is watched when nobody but the viewer looks: a KL divergence costs as much as an iteration or two, and a
curve can do with few; but where iterations are slow, so many of them would be too long to wait for a frame."""

_LONGEST_FAREWELL = 2.0
_AT_WORK: dict[Working, Callable[[], None]] = {}


def beside(work: Callable[P, None], *args: P.args, **keywords: P.kwargs) -> None:
    """Do some work in the calling thread, which is made for it, and let everything else go first."""
    # Only there a priority belongs to a thread, and to those that it starts; elsewhere it would be the kernel's.
    if sys.platform == "linux":
        with suppress(OSError):  # a sandbox may not allow it; then it is merely less smooth
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    work(*args, **keywords)


def employed(work: Working, close: Callable[[], None]) -> None:
    """Note that a thread is at work, and what ends it."""
    _AT_WORK[work] = close


def dismissed(work: Working) -> None:
    """Note that it is no longer."""
    del _AT_WORK[work]


@atexit.register
def _end_all() -> None:
    """End the threads at work: one in compiled code while the interpreter goes away can take the process with it."""
    at_work = dict(_AT_WORK)
    for close in at_work.values():
        close()
    deadline = time.monotonic() + _LONGEST_FAREWELL
    for work in at_work:
        work.ended.wait(max(deadline - time.monotonic(), 0))


def attempt(call: Callable[..., object] | None, *args: object) -> None:
    """Call whoever looks at a run; the layout goes on whatever happens to them."""
    try:
        if call is not None:
            call(*args)
    except Exception:
        log.exception("a run could not be shown or stored; it goes on")
