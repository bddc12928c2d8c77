"""The processes of one training, and the three ways in which they talk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from graphne_viz.layout.engine.torch_engine.backends import Backends


class Peers:
    """Processes that train together; by default one that is alone.

    Parameters
    ----------
    rank, size : int
        Number of this process, and of all.
    backends : Backends, optional
        By which several put tensors together.
    """

    def __init__(self, rank: int = 0, size: int = 1, backends: Backends | None = None) -> None:
        self.rank = rank
        self.size = size
        self._backends = backends

    def add(self, tensor: Tensor) -> Tensor:
        """Add up, over all processes, tensors of one shape; in place."""
        return tensor if self._backends is None else self._backends.add(tensor)

    def send(self, tensor: Tensor, root: int = 0) -> Tensor:
        """Give all processes what one has in a tensor; others give one of its shape to be filled."""
        return tensor if self._backends is None else self._backends.send(tensor, root)

    def list_of(self, value: float) -> list[float]:
        """Return a number of each process."""
        found = torch.zeros(self.size, dtype=torch.float64, device="cpu")
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
        return rows if self._backends is None else self._backends.exchange(rows, sent, received)

    def exchange_counts(self, counts: Tensor) -> Tensor:
        """Send row r to process r; row r of what is returned came from it. Shape (size, k), the same for all."""
        ones = [1] * self.size
        return self.exchange(counts, ones, ones)
