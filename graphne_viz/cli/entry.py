"""Where the command begins: signals end it without a traceback from the first import on, and leave nothing behind."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
import weakref
from typing import TYPE_CHECKING, NoReturn

from graphne_viz._lazy import import_without, lazy_import

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphne_viz.cli import command
else:
    command = lazy_import("graphne_viz.cli.command")

_ENDING = ("SIGTERM", "SIGHUP")
"""Signals that ask a program to end; Windows does not have both."""

_MOMENT = 0.02
"""Seconds until a signal whose exception was swallowed is sent again; the callback that did is over by then."""


class _Ended(SystemExit):
    """A signal has asked the process to end; a class of our own because weak references to it are wanted."""


_heard: list[_Heard] = []
"""The signals that were heard; a weak reference's callback is only called while that is kept."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see `graphne_viz.cli.command.main`.

    Without `arguments` the process is the command's own, and what ends it is heard: a signal closes what was begun,
    temporary files and other processes too.
    """
    if arguments is None:
        return _own_process()
    try:
        return command.main(arguments)
    except KeyboardInterrupt:
        return 130


def _own_process() -> int:
    try:
        _hear()
        if sys.argv[1:2] == ["layout"]:
            # It draws without igraph: half a second for matplotlib is not worth it.
            import_without("igraph", "matplotlib")
        return command.main(None)
    except KeyboardInterrupt:
        return 130
    except Exception:
        if not _heard:
            raise
        return _heard[-1].code  # a library has made an error of its own of what the signal raised
    finally:
        _hear_no_more()


def _hear() -> None:
    """Let signals end the command as an exception does, but for those that nohup and its like keep from it."""
    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    sys.unraisablehook = _look_at_swallowed


def _hear_no_more() -> None:
    """Let the process end by itself, which it is about to: an exception now would only print where it was."""
    for name in ("SIGINT", *_ENDING):
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, signal.SIG_IGN)


def _end(number: int, _: object) -> NoReturn:
    ended = _Ended(128 + number)
    _heard.append(_Heard(ended, number))
    try:
        raise ended
    finally:
        del ended  # its traceback knows this frame, which would keep it for ever


class _Heard:
    """A signal that was heard, which is sent again if what it raised is swallowed.

    An exception that is raised within a callback, such as that of a weak reference or of the lock of an import, goes
    nowhere, and some libraries drop whatever reaches them: the process would go on as if nobody had asked it to end.
    As long as an exception is on its way, or being cleaned up after, somebody refers to it.
    """

    def __init__(self, ended: _Ended, number: int) -> None:
        self.code = 128 + number
        self._ended = weakref.ref(ended, lambda _: _send_again(number))


def _look_at_swallowed(swallowed: sys.UnraisableHookArgs) -> None:
    """Say nothing of signals that came within a callback; they are sent again. Python's own way for all else."""
    if isinstance(swallowed.exc_value, KeyboardInterrupt):
        _send_again(signal.SIGINT)
    elif not isinstance(swallowed.exc_value, _Ended):
        sys.__unraisablehook__(swallowed)


def _send_again(number: int) -> None:
    """Send a signal to this process when what goes on now is over; it is ignored where the process ends already.

    By a thread without a lock: this is called wherever the interpreter is, also where locks of `threading` are held.
    """
    _thread.start_new_thread(_send, (number,))


def _send(number: int) -> None:
    time.sleep(_MOMENT)
    if os.name == "posix":
        os.kill(os.getpid(), number)  # interrupts what the main thread waits for, too
    else:
        signal.raise_signal(number)
