"""What happens when one of several processes ends before its time: all end, and one says why."""

from __future__ import annotations

import os
import signal
import socket
import time
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, NoReturn

from graphne_viz.layout.engine.torch_engine.backends import is_about_others
from graphne_viz.layout.engine.torch_engine.world import RankFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphne_viz.layout.engine.torch_engine.world import World

_LOST = "lost the others"
"""Last words of a process that ends because another one has."""

_INTERRUPTED = "was interrupted"

_SILENT = "was killed, or its machine was lost"
"""Said of a process that left no last words."""

_ROLL_CALL = 20.0
"""Seconds within which processes that live say so; torchrun gives them 30 before it kills them."""

_FAR_AWAY = 5.0
"""Seconds after which one of another machine, of which nobody here can tell, counts as dead."""


class _Terminated(BaseException):
    """Torchrun has asked this process to end; not an Exception, so that nobody mistakes it for an error."""


@contextmanager
def ending_together(world: World) -> Iterator[None]:
    """End where another process has ended, and say which one and why; have others do so where this one fails.

    Raises
    ------
    ChildProcessError
        In one process; the others leave by SystemExit.
    """
    if world.size == 1:
        yield
        return
    world.store.set(f"place-{world.rank}", f"{socket.gethostname()}:{os.getpid()}")
    before = _on_terminate(_raise_terminated)
    try:
        yield
    except RankFailedError:
        raise  # everybody knows
    except KeyboardInterrupt:
        _leave(world, _INTERRUPTED)
        raise
    except _Terminated:
        _report(world)
    except RuntimeError as error:
        if is_about_others(error):
            _report(world)
        _leave(world, f"failed: {' '.join(str(error).split())}")
        raise
    except Exception as error:
        _leave(world, f"failed: {' '.join(str(error).split()) or type(error).__name__}")
        raise
    finally:
        _on_terminate(before)


def _on_terminate(handler: object) -> object:
    """Set what is done at SIGTERM; only a program's main thread can, and only it is asked to end."""
    if current_thread() is not main_thread():
        return None
    return signal.signal(signal.SIGTERM, handler or signal.SIG_DFL)  # type: ignore[arg-type] # one of its own


def _raise_terminated(*_: object) -> NoReturn:
    raise _Terminated


def _leave(world: World, words: str) -> None:
    """Leave last words, then break all connections, so that the others look for them."""
    with suppress(RuntimeError):  # the store may be gone with its machine
        world.store.set(f"end-{world.rank}", words)
    with suppress(RuntimeError):
        world.leave()


def _report(world: World) -> NoReturn:
    """Find out who has ended and why; one of those who ask says so."""
    _on_terminate(signal.SIG_IGN)  # it has been heard
    _leave(world, _LOST)
    try:
        ended = _who_ended(world)
        speaks = world.store.add("speaker", 1) == 1
    except RuntimeError:
        raise ChildProcessError("the machine of process 0 was lost, and with it the way to the others") from None
    if ended is None or not speaks or ended[1] == _INTERRUPTED:
        raise SystemExit(1)
    rank, words = ended
    raise ChildProcessError(f"process {rank} of {world.size} {words}") from None


def _who_ended(world: World) -> tuple[int, str] | None:
    """Find the first process that did not end because of others, and its last words."""
    begun = time.monotonic()
    while True:
        silent = []
        for rank in range(world.size):
            if not world.store.check([f"end-{rank}"]):
                silent.append(rank)
                continue
            words = world.store.get(f"end-{rank}").decode()
            if words != _LOST:
                return rank, words
        waited = time.monotonic() - begun
        dead = [rank for rank in silent if _is_dead(world, rank, waited)]
        if dead or not silent:
            return (dead[0], _SILENT) if dead else None
        time.sleep(0.05)


def _is_dead(world: World, rank: int, waited: float) -> bool:
    """Whether a process that has left no last words is dead."""
    host, _, pid = world.store.get(f"place-{rank}").decode().rpartition(":")
    if host != socket.gethostname():
        return waited > _FAR_AWAY
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return waited > _FAR_AWAY
    return waited > _ROLL_CALL
