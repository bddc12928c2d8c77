"""Which share of the nodes a process computes, and how the shares are put together."""

from __future__ import annotations

import ctypes
from datetime import timedelta
from itertools import pairwise
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import torch
    from torch import Tensor, distributed
else:
    torch = lazy_import("torch")
    distributed = lazy_import("torch.distributed")

_TO_MEET = timedelta(seconds=120)
"""How long processes wait for each other in the beginning."""

_TO_WAIT = timedelta(days=30)
"""How long they wait later: a layout may be paused over the weekend. One that has died is noticed at once."""

_LOOK_EVERY = 1.0
"""Seconds between two looks at whether the others are there, while one waits for them."""


class Ranks(Protocol):
    """The processes that compute one layout; each has the positions of all nodes, and moves its own."""

    size: int

    def share(self, n: int) -> slice:
        """Nodes of this process, of ``n`` in all."""

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape."""

    def join(self, own: Tensor, n: int) -> Tensor:
        """Put the processes' columns, shape (k, m) each, side by side, shape (k, n)."""


class Alone:
    """One process, which has all nodes."""

    size = 1

    def share(self, n: int) -> slice:
        """Return all nodes."""
        return slice(0, n)

    def add(self, tensor: Tensor) -> Tensor:
        """Return the tensor."""
        return tensor

    def join(self, own: Tensor, n: int) -> Tensor:  # noqa: ARG002 - others need it
        """Return the columns."""
        return own


class Group:
    """Several processes, joined by torch.distributed without touching its global group, which is the caller's.

    Parameters
    ----------
    folder : Path
        A folder of this machine in which they meet.
    rank : int
        Number of this process.
    size : int
        Number of all.
    place : torch.device
        Where their tensors are.
    complete : callable, optional
        Whether all others are there, as far as this process knows. Gloo usually tells of one that was killed, but not
        always of one that was killed while a collective began.
    """

    def __init__(
        self, folder: Path, rank: int, size: int, place: torch.device, complete: Callable[[], bool] | None = None
    ) -> None:
        self.rank = rank
        self.size = size
        self.place = place
        self._complete = complete
        self._group = _join(folder, rank, size, place)

    def close(self) -> None:
        """Leave the group; its threads would abort the interpreter at its end."""
        self._group = None

    def finish(self, work: Any) -> None:  # noqa: ANN401 - torch gives it no type
        """Wait for a collective.

        Raises
        ------
        RuntimeError
            If another process has ended.
        """
        if self._complete is not None and self.place.type == "cpu":
            ended = Event()
            work.get_future().add_done_callback(lambda _: ended.set())
            while not ended.wait(_LOOK_EVERY):
                if not self._complete() and not ended.wait(_LOOK_EVERY):
                    # Its thread waits for ever; to destroy the group would be to wait for that.
                    ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._group))
                    raise RuntimeError("gloo: another process has ended")
        work.wait()

    @property
    def group(self) -> Any:  # noqa: ANN401 - torch gives it no type
        """The process group of torch.distributed."""
        return self._group

    def send(self, tensor: Tensor) -> Tensor:
        """Give all processes what the first one has in a tensor; others give one of its shape to be filled."""
        self.finish(self._group.broadcast(tensor, 0))
        return tensor

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape."""
        self.finish(self._group.allreduce(tensor))
        return tensor

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """Collect tensors of one shape from all processes."""
        found = [torch.empty_like(tensor) for _ in range(self.size)]
        self.finish(self._group.allgather(found, tensor))
        return found


def is_about_others(error: RuntimeError) -> bool:
    """Whether an error says that another process of a group has ended."""
    return "gloo" in str(error).lower() or "nccl" in str(error).lower()


def _join(folder: Path, rank: int, size: int, place: torch.device) -> Any:  # noqa: ANN401 - torch gives it no type
    """Join the processes, by NCCL where each has a CUDA device, otherwise through the loopback interface."""
    untyped: Any = distributed
    store = untyped.FileStore(str(folder / "store"), size)
    store.set_timeout(_TO_MEET)
    if place.type == "cuda":
        return untyped.ProcessGroupNCCL(store, rank, size)
    gloo = untyped.ProcessGroupGloo
    options = gloo._Options()  # noqa: SLF001 - the only way to name an interface
    # Nobody but this machine can connect.
    options._devices = [gloo.create_device(hostname="127.0.0.1")]  # noqa: SLF001
    options._timeout = _TO_WAIT  # noqa: SLF001
    return gloo(store, rank, size, options)


class Processes(Protocol):
    """Processes that can put together what each has: a `Group`, or torchrun's `World`."""

    rank: int
    size: int

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape."""

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """Collect tensors of one shape from all processes."""


class Shares:
    """How a group has divided the nodes of a connected graph.

    Parameters
    ----------
    group : Group or World
        The processes.
    cuts : list of int
        Where the share of each begins, and the number of nodes.
    """

    def __init__(self, group: Processes, cuts: list[int]) -> None:
        self.group = group
        self.cuts = cuts
        self.size = group.size
        self._longest = max(high - low for low, high in pairwise(cuts))

    def share(self, n: int) -> slice:  # noqa: ARG002 - it is known
        """Nodes of this process."""
        return slice(self.cuts[self.group.rank], self.cuts[self.group.rank + 1])

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape."""
        return self.group.add(tensor)

    def join(self, own: Tensor, n: int) -> Tensor:
        """Put the processes' columns, shape (k, m) each, side by side, shape (k, n)."""
        if self.size == 1:
            return own
        sent = own.new_zeros(len(own), self._longest)
        sent[:, : own.shape[1]] = own
        joined = own.new_empty(len(own), n)
        for rank, found in enumerate(self.group.gather(sent)):
            low, high = self.cuts[rank : rank + 2]
            joined[:, low:high] = found[:, : high - low]
        return joined
