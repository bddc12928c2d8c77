"""Which share of the nodes a process computes, and how the shares are put together."""

from __future__ import annotations

import os
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.backends import Backends, loopback

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from torch import Tensor, distributed
else:
    distributed = lazy_import("torch.distributed")

_TO_MEET = timedelta(seconds=120)
"""How long processes wait for each other in the beginning."""

_TO_WAIT = timedelta(days=30)
"""How long they wait later: a layout may be paused over the weekend. One that has died is noticed at once."""


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
    nccl : bool
        Whether each has a CUDA device of its own, so that NCCL puts their tensors together.
    complete : callable, optional
        See `Backends`.

    Attributes
    ----------
    backends : Backends
        By which they put tensors together.
    """

    def __init__(
        self, folder: Path, rank: int, size: int, *, nccl: bool = False, complete: Callable[[], bool] | None = None
    ) -> None:
        self.rank = rank
        self.size = size
        self.backends = Backends(*_join(folder, rank, size, nccl=nccl), complete)

    def close(self) -> None:
        """Leave the group; its threads would abort the interpreter at its end."""
        self.backends.close()

    def send(self, tensor: Tensor) -> Tensor:
        """Give all processes what the first one has in a tensor; others give one of its shape to be filled."""
        return self.backends.send(tensor)

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape."""
        return self.backends.add(tensor)

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """Collect tensors of one shape from all processes."""
        return self.backends.gather(tensor, self.size)


def _join(folder: Path, rank: int, size: int, *, nccl: bool) -> tuple[Any, Any]:
    """Join the processes through the loopback interface: by gloo, and by NCCL where that is wanted, otherwise None."""
    untyped: Any = distributed
    store = untyped.FileStore(str(folder / "store"), size)
    store.set_timeout(_TO_MEET)
    gloo = untyped.ProcessGroupGloo
    options = gloo._Options()  # noqa: SLF001 - the only way to name an interface
    # Nobody but this machine can connect.
    options._devices = [gloo.create_device(hostname="127.0.0.1")]  # noqa: SLF001
    options._timeout = _TO_WAIT  # noqa: SLF001
    joined = gloo(untyped.PrefixStore("gloo", store), rank, size, options)
    if not nccl:
        return joined, None
    if not os.environ.get("NCCL_SOCKET_IFNAME"):
        os.environ["NCCL_SOCKET_IFNAME"] = loopback()
    return joined, untyped.ProcessGroupNCCL(untyped.PrefixStore("nccl", store), rank, size)


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
