"""A layout in several processes of this machine: the first is the caller's, the others are started here.

The caller's process runs the loop over all parts of a graph, and with it callbacks, dial and stop. What it does to a
connected part it first tells the others, who do the same to their shares.
"""

from __future__ import annotations

from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.processes import WorkerProcesses
from graphne_viz.layout.engine.torch_engine.ranks import Shares

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import scipy.sparse as sp
    import torch
    from numpy.typing import NDArray
else:
    torch = lazy_import("torch")


class Command(IntEnum):
    """What the first process tells the others; two numbers go with it."""

    LOAD = 0
    BEGIN = 1
    ITERATE = 2
    DIVERGENCE = 3
    PLACES = 4
    SHRINK = 5
    END = 6
    HOLD = 7


class Workers(WorkerProcesses):
    """The processes beside the caller's own.

    Parameters
    ----------
    size : int
        Number of processes, the caller's included.
    device : str
        Device, as in torch. Of several with CUDA each takes another one.
    n_jobs : int
        Threads of all together, on a CPU.
    """

    def __init__(self, size: int, device: str, n_jobs: int) -> None:
        super().__init__("graphne_viz.layout.engine.torch_engine.worker", "a layout", size, device, n_jobs)
        self._parts = 0

    def tell_end(self) -> None:
        """Tell the other processes that this is the end."""
        self.tell(Command.END)

    def tell(self, command: Command, part: int = 0, first: float = 0, second: float = 0) -> None:
        """Tell the other processes what is done next."""
        self.group.send(torch.tensor([command, part, first, second], dtype=torch.float64, device="cpu"))

    def part(
        self, start: NDArray[np.float64], P: sp.csr_array, dof: float, rates: NDArray[np.float32]
    ) -> DistributedPart:
        """Divide a connected graph; the arguments are those of `TorchPart`, with all rows."""
        n, number = len(start), self._parts
        self._parts += 1
        work = P.indptr[1:] + 10 * np.arange(1, n + 1)
        cuts = [0, *(np.searchsorted(work, work[-1] * np.arange(1, self.size) / self.size) + 1).tolist(), n]
        for rank in range(1, self.size):
            rows = _rows(P, cuts[rank], cuts[rank + 1])
            path = self._folder / f"{number}-{rank}.npz"
            np.savez(path, indptr=rows.indptr, indices=rows.indices, data=rows.data)
        np.savez(self._folder / f"{number}.npz", start=start.astype(np.float32), rates=rates, cuts=cuts, dof=dof)
        with self.noticing_deaths():
            self.tell(Command.LOAD, number)
            shares = Shares(self.group, cuts)
            own = TorchPart(start, _rows(P, 0, cuts[1]), dof, rates, self.device, shares, self.n_jobs)
        return DistributedPart(self, number, own)


class DistributedPart:
    """A connected graph that several processes share; this one tells the others what to do.

    Parameters
    ----------
    workers : Workers
        The others.
    number : int
        Which part of the graph it is.
    own : TorchPart
        The share of this process.
    """

    def __init__(self, workers: Workers, number: int, own: TorchPart) -> None:
        self.running_in: int | None = None
        self._workers = workers
        self._number = number
        self._own = own

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        with self._all(Command.BEGIN, exaggeration, momentum):
            self._own.begin(exaggeration, momentum)

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        with self._all(Command.ITERATE, count):
            self._own.iterate(count)

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells KL(P, Q) at the present positions; it is computed at once, by all processes."""
        with self._all(Command.DIVERGENCE):
            return self._own.divergence(positions)

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions into an array of shape (n, 2)."""
        self._own.write(positions)

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""
        self._own.shake(rng)
        with self._all(Command.PLACES):
            self._workers.group.send(self._own.places)

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call; nothing is centred any more."""
        with self._all(Command.HOLD, nodes.size):
            if nodes.size:
                rows = np.vstack([nodes, places.T]).astype(np.float64)
                self._workers.group.send(torch.from_numpy(rows))
            self._own.hold(nodes, places)

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        with self._all(Command.SHRINK, factor):
            self._own.shrink(factor)

    @contextmanager
    def _all(self, command: Command, first: float = 0, second: float = 0) -> Iterator[None]:
        """Do something in all processes."""
        with self._workers.noticing_deaths():
            self._workers.tell(command, self._number, first, second)
            yield


def _rows(P: sp.csr_array, low: int, high: int) -> sp.csr_array:
    """Rows ``low:high`` of a matrix, sharing its memory."""
    begin, end = P.indptr[low], P.indptr[high]
    arrays = (P.data[begin:end], P.indices[begin:end], P.indptr[low : high + 1] - begin)
    return type(P)(arrays, shape=(high - low, P.shape[1]))
