"""Background threads: how they give way to everything else, and how they end with the interpreter."""

from __future__ import annotations

import atexit
import logging
import math
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, ParamSpec, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    P = ParamSpec("P")

    class Work(Protocol):
        """A piece of work that says when it has ended."""

        ended: threading.Event


log = logging.getLogger(__name__)

LOOK_AGAIN = 0.5
"""Seconds after which whoever waits looks again: on Windows no wait hears Ctrl-C before it is over."""

NICENESS = 10
"""How far the optimiser stands back behind whatever else wants a core.

A layout takes all the cores it can get for seconds on end. What passes frames on, answers a cell and draws needs one
for a millisecond at a time, and would have to wait for it: a cell `1+1` took up to half a second on two cores.
"""

_LONGEST_EXIT = 2.0
_REGISTERED: dict[Work, Callable[[], None]] = {}


def with_low_priority(work: Callable[P, None], *args: P.args, **keywords: P.kwargs) -> None:
    """Call a function in the calling thread, which is made for it, at a lower priority than everything else."""
    # Only there a priority belongs to a thread, and to those that it starts; elsewhere it would be the kernel's.
    if sys.platform == "linux":
        with suppress(OSError):  # a sandbox may not allow it; then it is merely less smooth
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    work(*args, **keywords)


def wait_until(changed: threading.Condition, done: Callable[[], bool], timeout: float | None = None) -> bool:
    """Wait on a condition until something is so, or until the time is over; returns whether it is so.

    Parameters
    ----------
    changed : Condition
        The caller holds it.
    done : callable
    timeout : float, optional
        Seconds; without it, there is no end but `done`.

    Returns
    -------
    bool
    """
    end = math.inf if timeout is None else time.monotonic() + timeout
    while not changed.wait_for(done, max(min(LOOK_AGAIN, end - time.monotonic()), 0)):
        if time.monotonic() >= end:
            return False
    return True


def register(work: Work, close: Callable[[], None]) -> None:
    """Note that a thread is at work, and what ends it."""
    _REGISTERED[work] = close


def unregister(work: Work) -> None:
    """Note that the thread is done."""
    del _REGISTERED[work]


@atexit.register
def _end_all() -> None:
    """End the threads at work: one in compiled code while the interpreter goes away can take the process with it."""
    registered = dict(_REGISTERED)
    for close in registered.values():
        close()
    deadline = time.monotonic() + _LONGEST_EXIT
    for work in registered:
        work.ended.wait(max(deadline - time.monotonic(), 0))


def call_safely(call: Callable[..., object] | None, *args: object) -> None:
    """Call a listener of a run; the run continues whatever the listener raises."""
    try:
        if call is not None:
            call(*args)
    except Exception:
        log.exception("a layout could not be shown or stored; the run continues")
