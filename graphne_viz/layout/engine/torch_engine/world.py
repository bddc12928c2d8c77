"""The processes that torchrun started, each running the same program on a share of the data."""

from __future__ import annotations

import os
import socket
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.backends import Backends, loopback
from graphne_viz.layout.engine.torch_engine.device import device_of_rank

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch
    from numpy.typing import NDArray
    from torch import Tensor, distributed
    from torch.distributed.nn import functional

    from graphne_viz.layout.engine.torch_engine.device import Device
else:
    _NEEDS = "several processes need torch: pip install 'graphne-viz[embed]'"
    torch = lazy_import("torch", needs=_NEEDS)
    distributed = lazy_import("torch.distributed", needs=_NEEDS)
    functional = lazy_import("torch.distributed.nn.functional")

_Result = TypeVar("_Result")

_PATIENCE = timedelta(minutes=30)
"""How long a process waits for one that has not ended and does not answer; one that has ended is noticed at once."""

_INTERFACES = ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
"""Environment variables by which torch's users name the network interface."""


class RankFailedError(ValueError):
    """One process could not go on for a reason that it has told all others, who end with it.

    Parameters
    ----------
    reason : str
        What it said.
    rank : int, optional
        The first of those that failed; left out where all have failed alike.
    size : int, optional
        Number of all.
    """

    def __init__(self, reason: str, rank: int | None = None, size: int = 1) -> None:
        super().__init__(reason if rank is None else f"process {rank} of {size}: {reason}")


def launched() -> bool:
    """Whether torchrun, or what sets the same environment variables, started this process beside others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1 and "RANK" in os.environ


class World:
    """All processes, and how they put together what each has; one alone sends nothing.

    Parameters
    ----------
    rank : int
        Number of this process.
    size : int
        Number of all.
    store : torch.distributed.Store, optional
        In which they met, and in which the last words of one are found.

    Attributes
    ----------
    backends : Backends
        By which they put tensors together.
    cuda : bool
        Whether NCCL was asked to join this process to the others.
    sent : Counter
        Bytes of the results of all collectives so far, by kind: what reaches every process, its own share included.
    """

    def __init__(self, rank: int = 0, size: int = 1, store: Any = None) -> None:  # noqa: ANN401 - torch gives it no type
        self.rank = rank
        self.size = size
        self.store = store
        self.backends = Backends(None)
        self.cuda = False
        self.sent: Counter[str] = Counter()

    @classmethod
    def join(cls, *, cuda: bool = False, interface: str | None = None) -> World:
        """Meet the others; only this machine can connect unless an interface is named.

        Parameters
        ----------
        cuda : bool
            Whether tensors on CUDA devices are put together, too, which NCCL does.
        interface : str, optional
            Name of a network interface, such as "eth0".

        Raises
        ------
        ValueError
            If there are several machines and no interface, or none of that name.
        """
        if not launched():
            return cls()
        _choose_interface(interface)
        untyped: Any = distributed
        store, rank, size = next(untyped.rendezvous("env://", timeout=_PATIENCE))
        backend = "cpu:gloo,cuda:nccl" if cuda else "gloo"
        inner = untyped.PrefixStore("graphne", store)
        # Loaded later, as checkpoints do, its functions would keep the group as the default of an argument, and with it
        # threads that may abort the interpreter at its end.
        _ = functional.all_reduce
        distributed.init_process_group(backend, store=inner, rank=rank, world_size=size, timeout=_PATIENCE)
        world = cls(rank, size, untyped.PrefixStore("words", store))
        world.backends, world.cuda = Backends(untyped.group.WORLD), cuda
        return world

    def leave(self) -> None:
        """Close all connections; whoever still waits for this process notices it."""
        self.backends.close()
        if self.size > 1 and distributed.is_initialized():
            distributed.destroy_process_group()

    @property
    def first(self) -> bool:
        """Whether this process is the one that writes and speaks."""
        return self.rank == 0

    @property
    def beside(self) -> int:
        """How many processes share this machine."""
        return int(os.environ.get("LOCAL_WORLD_SIZE", "1"))

    def device(self, name: str) -> Device:
        """Find the device of this process; NCCL puts together what is on them where all have one of their own.

        Raises
        ------
        RankFailedError or ValueError
            If torch does not find it; in every process.
        """
        rank = int(os.environ.get("LOCAL_RANK", "0"))
        found = self.together(lambda: device_of_rank(name, rank, self.beside))
        if all(self.all_of(self.cuda and found.nccl)):  # machines may have different numbers of devices
            self.backends.take_cuda()
        return found

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape; in place."""
        self._count("all_reduce", tensor)
        return self.backends.add(tensor) if self.size > 1 else tensor

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """Collect tensors of one shape from all processes."""
        self._count("all_gather", tensor, self.size)
        return self.backends.gather(tensor, self.size) if self.size > 1 else [tensor]

    def send(self, tensor: Tensor) -> Tensor:
        """Give all processes what the first one has in a tensor; others give one of its shape to be filled."""
        return self.backends.send(tensor) if self.size > 1 else tensor

    def least(self, values: NDArray[Any]) -> NDArray[Any]:
        """Find the least over all processes, entry by entry; in place."""
        return self._reduce(values, "MIN")

    def most(self, values: NDArray[Any]) -> NDArray[Any]:
        """Find the largest over all processes, entry by entry; in place."""
        return self._reduce(values, "MAX")

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """Add up over all processes, entry by entry; in place."""
        self.add(torch.from_numpy(values))
        return values

    def _reduce(self, values: NDArray[Any], kind: str) -> NDArray[Any]:
        tensor = torch.from_numpy(values)
        self._count("all_reduce", tensor)
        if self.size > 1:
            self.backends.add(tensor, kind)
        return values

    def exchange(self, pieces: list[NDArray[Any]]) -> NDArray[Any]:
        """Send each process its piece, and put those that come side by side, in the order of their senders.

        Parameters
        ----------
        pieces : list of ndarray, shape (m_r,) each
            One for each process, of one type.
        """
        joined = np.concatenate(pieces)
        if self.size == 1:
            return joined
        lengths = [len(piece) for piece in pieces]
        ones = [1] * self.size
        coming = self.backends.exchange(torch.from_numpy(np.array(lengths)), ones, ones)
        found = self.backends.exchange(torch.from_numpy(joined), lengths, coming.tolist())
        self._count("all_to_all", found)
        return found.numpy()

    def all_of(self, value: object) -> list[Any]:
        """Collect a small value from every process."""
        if self.size == 1:
            return [value]
        found: list[Any] = [None] * self.size
        distributed.all_gather_object(found, value)
        return found

    def together(self, action: Callable[[], _Result]) -> _Result:
        """Do something that may fail in one process, and then fail in all.

        Raises
        ------
        RankFailedError
            In every process, with the words of the first that failed.
        """
        result, words = None, None
        try:
            result = action()
        except (OSError, ValueError, TypeError, ImportError, MemoryError) as error:
            if self.size == 1:
                raise
            words = " ".join(str(error).split()) or type(error).__name__
        said = self.all_of(words)
        if said[0] is not None and len(set(said)) == 1:
            raise RankFailedError(said[0])
        for rank, reason in enumerate(said):
            if reason is not None:
                raise RankFailedError(reason, rank, self.size)
        return result  # type: ignore[return-value] # it is one where nothing failed

    def agree(self, what: str, value: object) -> None:
        """Refuse to go on where a process has something else than the first one.

        Parameters
        ----------
        what : str
            What it is, for the sentence.
        value : object
            What this process has.

        Raises
        ------
        RankFailedError
            In every process.
        """
        values = self.all_of(value)
        for rank, other in enumerate(values):
            if other != values[0]:
                raise RankFailedError(f"{what} is {other!r}, but {values[0]!r} in process 0", rank, self.size)

    def _count(self, kind: str, tensor: Tensor, times: int = 1) -> None:
        self.sent[kind] += times * tensor.numel() * tensor.element_size()


def _choose_interface(interface: str | None) -> None:
    """Let collectives listen on the interface that was named, or on the loopback interface."""
    names = [name for _, name in socket.if_nameindex()]
    if interface is not None:
        if interface not in names:
            raise ValueError(f"interface must be one of {', '.join(map(repr, names))}, got {interface!r}")
        for variable in _INTERFACES:
            os.environ[variable] = interface
        return
    if any(os.environ.get(variable) for variable in _INTERFACES):
        return
    size = os.environ["WORLD_SIZE"]
    if os.environ.get("LOCAL_WORLD_SIZE", size) != size:
        raise ValueError(
            "processes of several machines need a network interface: name it with --interface, "
            f"of which this machine has {', '.join(map(repr, names))}"
        )
    for variable in _INTERFACES:
        os.environ[variable] = loopback()
