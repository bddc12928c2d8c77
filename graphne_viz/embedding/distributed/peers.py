"""The processes of one training, and the three ways in which they talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor


class Peers:
    """Processes that train together; by default one that is alone.

    Parameters
    ----------
    rank, size : int
        Number of this process, and of all.
    group : ProcessGroup, optional
        Of torch.distributed, with gloo or NCCL.
    finish : callable, optional
        Waits for a collective that was begun.
    """

    def __init__(
        self,
        rank: int = 0,
        size: int = 1,
        group: Any = None,  # noqa: ANN401 - torch gives it no type
        finish: Callable[[Any], object] = lambda work: work.wait(),
    ) -> None:
        self.rank = rank
        self.size = size
        self._group = group
        self._finish = finish

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape; in place."""
        if self.size > 1:
            self._finish(self._group.allreduce(tensor))
        return tensor

    def send(self, tensor: Tensor, root: int = 0) -> Tensor:
        """Give all processes what one has in a tensor; others give one of its shape to be filled."""
        if self.size > 1:
            self._finish(self._group.broadcast(tensor, root))
        return tensor

    def list_of(self, value: float) -> list[float]:
        """Return a number of each process."""
        found = torch.zeros(self.size, dtype=torch.float64)
        found[self.rank] = value
        return [float(number) for number in self.add(found).tolist()]

    def exchange(self, rows: Tensor, sent: list[int], received: list[int]) -> Tensor:
        """Send each process some rows, in turn, and return those that come, in the order of their senders.

        Parameters
        ----------
        rows : Tensor, shape (m, ...)
        sent, received : list of int
            How many rows go to each process, and come from it.
        """
        if self.size == 1:
            return rows
        found = rows.new_empty((sum(received), *rows.shape[1:]))
        self._finish(self._group.alltoall_base(found, rows.contiguous(), received, sent))
        return found

    def exchange_counts(self, counts: Tensor) -> Tensor:
        """Send row r to process r; row r of what is returned came from it. Shape (size, k), the same for all."""
        if self.size == 1:
            return counts
        found = torch.empty_like(counts)
        ones = [1] * self.size
        self._finish(self._group.alltoall_base(found, counts.contiguous(), ones, ones))
        return found
