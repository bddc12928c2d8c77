"""A table of which each process has some rows: others fetch rows, and give gradients back to their owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz.embedding.distributed.peers import Peers


class Requests:
    """Which rows every process needs at each of some steps, told to their owners once for all of these steps.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the rows of each process begin, and how many there are.
    needs : list of ndarray of int64, shape (m_k,)
        Rows that this process needs at step k, sorted, each once. Other processes have as many steps.
    """

    def __init__(self, peers: Peers, cuts: list[int], needs: list[NDArray[np.int64]]) -> None:
        self._peers = peers
        places = [np.searchsorted(need, cuts) for need in needs]
        wanted = np.array([np.diff(place) for place in places]).reshape(len(needs), peers.size).T  # (size, steps)
        self._wanted: list[list[int]] = wanted.T.tolist()
        asked = peers.exchange_counts(torch.from_numpy(np.ascontiguousarray(wanted)))
        self._asked: list[list[int]] = asked.T.tolist()
        ordered = [
            need[place[rank] : place[rank + 1]]
            for rank in range(peers.size)
            for need, place in zip(needs, places, strict=True)
        ]
        ids = torch.from_numpy(np.concatenate([np.empty(0, np.int64), *ordered]))
        come = peers.exchange(ids, wanted.sum(axis=1).tolist(), asked.sum(dim=1).tolist())
        own = torch.split(come - cuts[peers.rank], asked.flatten().tolist())
        steps = len(needs)
        self._rows = [torch.cat([own[rank * steps + step] for rank in range(peers.size)]) for step in range(steps)]

    def fetch(self, step: int, table: Tensor) -> Tensor:
        """Return the rows that are needed at a step, shape (m, ...); `table` has this process's own."""
        return self._peers.exchange(table[self._rows[step].to(table.device)], self._asked[step], self._wanted[step])

    def give_back(self, step: int, gradient: Tensor) -> tuple[Tensor, Tensor]:
        """Return what others have for rows of this process: the rows, each once, and the sums of what came for them.

        Parameters
        ----------
        step : int
        gradient : Tensor, shape (m, d)
            Of the rows that were fetched.
        """
        come = self._peers.exchange(gradient, self._wanted[step], self._asked[step])
        rows, places = torch.unique(self._rows[step].to(come.device), return_inverse=True)
        return rows, come.new_zeros(len(rows), come.shape[1]).index_add_(0, places, come)


def values_of(peers: Peers, cuts: list[int], own: NDArray[np.float64], nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a number for each of some nodes, of which each process knows those of its own, shape (len(nodes),)."""
    need, places = np.unique(nodes, return_inverse=True)
    found = Requests(peers, cuts, [need]).fetch(0, torch.from_numpy(own))
    return found.numpy()[places]
