"""Processes beside the caller's own, of layouts and of trainings: started, watched, and ended with it.

The caller's process is the first of a group; the others run a module that calls `run_worker`, and do what the first
one tells them.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from graphne_viz._atomic import unfinished_path
from graphne_viz.layout.engine.torch_engine.backends import is_about_others
from graphne_viz.layout.engine.torch_engine.device import device_of_rank
from graphne_viz.layout.engine.torch_engine.ranks import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from graphne_viz.layout.engine.torch_engine.device import Device

_GRACE = 5.0
"""Seconds that processes are given to end by themselves, once they have been told to."""

_LAST_WORDS = 30.0
"""Seconds in which one that has broken its connections has ended, and left its last words, on a busy machine."""

_ENDING = 2.0
"""Seconds in which a process that was killed is gone, once its connections are broken."""

_LOOK_EVERY = 0.5
"""Seconds between two looks at whether the caller's process is there."""

LOST_OTHERS = 75
"""Exit code of a process that has ended because another one has."""


class WorkerProcesses:
    """The processes beside the caller's own.

    Parameters
    ----------
    module : str
        What they run.
    what : str
        What they do, for messages: "a layout".
    size : int
        Number of processes, the caller's included.
    device : str
        Device, as in torch. Of several with CUDA each takes another one.
    n_jobs : int
        Threads of all together, on a CPU.
    """

    def __init__(self, module: str, what: str, size: int, device: str, n_jobs: int) -> None:
        self.size = size
        self.device = device_of_rank(device, 0, size)
        self.n_jobs = max(n_jobs // size, 1)
        self._what = what
        self._group: Group | None = None
        self._folder = unfinished_path(tempfile.gettempdir())
        self._folder.mkdir(mode=0o700)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._processes: list[subprocess.Popen[bytes]] = []
        for rank in range(1, size):
            known = (self._folder, rank, size, device, self.n_jobs, os.getpid())
            command = [sys.executable, "-m", module, *map(str, known)]
            with self._errors(rank).open("wb") as errors:
                # In a session of its own: Ctrl-C is heard by the caller's process, which ends the others.
                self._processes.append(
                    subprocess.Popen(  # noqa: S603 - our own module
                        command, env=environment, stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True
                    )
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if error[0] is None and self._group is not None:
                self.tell_end()
                self._wait(_GRACE, lambda: False)
        except RuntimeError:
            pass  # one of them has ended before
        finally:
            for process in self._processes:
                process.kill()
                process.wait()
            if self._group is not None:
                self._group.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def tell_end(self) -> None:
        """Tell the other processes that this is the end."""
        raise NotImplementedError

    @property
    def group(self) -> Group:
        """The group of all processes, which is formed when it is first asked for."""
        if self._group is None:
            with self.noticing_deaths():
                self._group = Group(self._folder, 0, self.size, nccl=self.device.nccl, complete=self._complete)
        return self._group

    @contextmanager
    def noticing_deaths(self) -> Iterator[None]:
        """Say which process has ended and why, where a collective fails because one has."""
        try:
            yield
        except RuntimeError as error:
            self._wait(_LAST_WORDS if is_about_others(error) else _GRACE, self._ended)
            ended = self._ended()
            if not ended:
                raise
            rank, code = min(ended, key=lambda one: one[1])  # one that was killed has a negative code
            said = self._errors(rank).read_text(errors="replace").strip().rpartition("\n")[2]
            why = (
                f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed: {said or f'exit code {code}'}"
            )
            raise ChildProcessError(f"process {rank} of {self._what} on {self.size} devices {why}") from error

    def _wait(self, seconds: float, enough: Callable[[], object]) -> None:
        """Wait until all processes have ended, or enough of them, for some seconds at most."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and any(process.poll() is None for process in self._processes):
            if enough():
                return
            time.sleep(0.01)

    def _complete(self) -> bool:
        """Whether all processes are there."""
        return all(process.poll() is None for process in self._processes)

    def _ended(self) -> list[tuple[int, int]]:
        """Return rank and exit code of those that have ended, and not because others have."""
        codes = enumerate((process.poll() or 0 for process in self._processes), 1)
        return [(rank, code) for rank, code in codes if code not in {0, LOST_OTHERS}]

    def _errors(self, rank: int) -> Path:
        """Where a process leaves its last words."""
        return self._folder / f"errors-{rank}.txt"


def run_worker(arguments: list[str], serve: Callable[[Group, Path, Device, int], None]) -> None:
    """Join the group, do what the first process says, and leave it.

    Parameters
    ----------
    arguments : list of str
        Of the process, from `WorkerProcesses`.
    serve : callable
        Called with the group, the folder, the device and the number of threads; returns at the end.
    """
    folder, rank, size, device, n_jobs, of_caller = arguments
    caller = int(of_caller)
    if os.name == "posix":  # elsewhere a program that launches Python may be between the two
        threading.Thread(target=_end_with, args=(caller, folder), name="graphne-caller", daemon=True).start()
    mine = device_of_rank(device, int(rank), int(size))
    group = Group(Path(folder), int(rank), int(size), nccl=mine.nccl)
    try:
        serve(group, Path(folder), mine, int(n_jobs))
    except RuntimeError as error:
        if not is_about_others(error):
            raise
        if _is_gone(caller):  # it was killed, and cannot tidy up
            shutil.rmtree(folder, ignore_errors=True)
        sys.exit(LOST_OTHERS)
    finally:
        group.close()


def _end_with(caller: int, folder: str) -> None:
    """End this process when its caller has ended.

    One that is killed while the group is formed leaves others waiting for connections that nobody will ever make.
    """
    while os.getppid() == caller:
        time.sleep(_LOOK_EVERY)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(LOST_OTHERS)


def _is_gone(caller: int) -> bool:
    """Tell whether the process that started this one has ended; its connections break a moment before it has."""
    end = time.monotonic() + _ENDING
    while os.getppid() == caller and time.monotonic() < end:
        time.sleep(0.01)
    return os.getppid() != caller
