"""What puts tensors of several processes together: gloo those on a CPU, NCCL those on CUDA devices.

Which one does it is chosen here, tensor by tensor, and nowhere else. Tensors of other devices, and those on CUDA where
processes share a device, are copied to the CPU and back.
"""

from __future__ import annotations

import ctypes
import re
import socket
import time
from threading import Event
from typing import TYPE_CHECKING, Any, NoReturn

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.device import backend_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch
    from torch import Tensor, distributed

    Begin = Callable[[Any, list[Tensor], list[Tensor]], Any]
else:
    torch = lazy_import("torch")
    distributed = lazy_import("torch.distributed")

_LOOK_EVERY = 1.0
"""Seconds between two looks at whether the others are there, while one waits for them."""

_BLINK = 2e-5
"""Seconds between two looks at whether NCCL is done."""

_LOST = re.compile(
    "closed by|reset by|broken pipe|refused|unreachable|no route|time(d )?out|connectfullmesh|aborted|"
    "remote (process|peer)|has ended",
    re.IGNORECASE,
)
"""What gloo and NCCL say of processes that they do not reach."""


class Backends:
    """Collectives of some processes.

    Parameters
    ----------
    gloo : ProcessGroup
        Of torch.distributed, for tensors on a CPU.
    nccl : ProcessGroup, optional
        For tensors on CUDA devices.
    complete : callable, optional
        Whether all others are there, as far as this process knows. Gloo usually tells of one that was killed, but not
        always of one that was killed while a collective began.
    """

    def __init__(
        self,
        gloo: Any,  # noqa: ANN401 - torch gives it no type
        nccl: Any = None,  # noqa: ANN401 - the same
        complete: Callable[[], bool] | None = None,
    ) -> None:
        named = {"gloo": gloo, "nccl": nccl}
        self._groups = {name: group for name, group in named.items() if group is not None}
        self._complete = complete

    def take_cuda(self) -> None:
        """Give tensors on CUDA devices to the group that has those on a CPU; it was joined with NCCL, too."""
        self._groups["nccl"] = self._groups["gloo"]

    def close(self) -> None:
        """Let go of the groups, whose connections close with the last who holds them."""
        self._groups.clear()

    def add(self, tensor: Tensor, kind: str = "SUM") -> Tensor:
        """Add up, over all processes, tensors of one shape, or find their "MIN" or "MAX"; in place."""
        operation = getattr(distributed.ReduceOp, kind)
        self._run(lambda group, filled, _: group.allreduce(filled[0], operation), [tensor])
        return tensor

    def send(self, tensor: Tensor, root: int = 0) -> Tensor:
        """Give all processes what one has in a tensor; others give one of its shape to be filled."""
        self._run(lambda group, filled, _: group.broadcast(filled[0], root), [tensor])
        return tensor

    def gather(self, tensor: Tensor, size: int) -> list[Tensor]:
        """Collect tensors of one shape from all processes, as many as there are."""
        found = [torch.empty_like(tensor) for _ in range(size)]
        self._run(lambda group, filled, given: group.allgather(filled, given[0]), found, [tensor])
        return found

    def exchange(self, rows: Tensor, sent: list[int], received: list[int]) -> Tensor:
        """Send each process some rows, in turn, and return those that come, in the order of their senders.

        Parameters
        ----------
        rows : Tensor, shape (m, ...)
        sent, received : list of int
            How many rows go to each process, and come from it.
        """
        found = rows.new_empty((sum(received), *rows.shape[1:]))
        self._run(
            lambda group, filled, given: group.alltoall_base(filled[0], given[0], received, sent),
            [found],
            [rows.contiguous()],
        )
        return found

    def _run(self, begin: Begin, filled: list[Tensor], given: Sequence[Tensor] = ()) -> None:
        """Have the backend of its device fill some tensors."""
        name = backend_of(filled[0].device)
        if name is not None and name in self._groups:
            self._finish(begin(self._groups[name], filled, list(given)), name)
            return
        copies = [tensor.cpu() for tensor in filled]
        self._finish(begin(self._groups["gloo"], copies, [tensor.cpu() for tensor in given]), "gloo")
        for tensor, copy in zip(filled, copies, strict=True):
            tensor.copy_(copy)

    def _finish(self, work: Any, name: str) -> None:  # noqa: ANN401 - torch gives it no type
        """Wait for a collective.

        Raises
        ------
        RuntimeError
            If another process has ended.
        """
        if name == "nccl":
            self._watch(work)
        elif self._complete is not None:
            ended = Event()
            work.get_future().add_done_callback(lambda _: ended.set())
            while not ended.wait(_LOOK_EVERY):
                if not self._complete() and not ended.wait(_LOOK_EVERY):
                    self._give_up(name)
        work.wait()

    def _watch(self, work: Any) -> None:  # noqa: ANN401 - torch gives it no type
        """Wait until NCCL is done; its own wait hears neither signals nor, for minutes, that a process has ended."""
        alone = 0
        looked = time.monotonic()
        while not work.is_completed():
            time.sleep(_BLINK)
            if self._complete is not None and time.monotonic() > looked + _LOOK_EVERY:
                alone = 0 if self._complete() else alone + 1
                looked = time.monotonic()
                if alone > 1:
                    self._give_up("nccl")

    def _give_up(self, name: str) -> NoReturn:
        group = self._groups[name]
        # Its thread waits for ever; to destroy the group would be to wait for that.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(group))
        if name == "nccl" and hasattr(group, "abort"):
            group.abort()  # or the device would wait for ever, too
        raise RuntimeError(f"{name}: another process has ended")


def is_about_others(error: RuntimeError) -> bool:
    """Whether an error of a backend says that another process has ended, and not that something is wrong here."""
    said = str(error)
    return bool(re.search("gloo|nccl", said, re.IGNORECASE) and _LOST.search(said))


def loopback() -> str:
    """Name the network interface that only this machine reaches."""
    return next(name for _, name in socket.if_nameindex() if name.startswith("lo"))
