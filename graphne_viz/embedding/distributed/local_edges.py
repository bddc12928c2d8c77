"""Edges of the nodes of one process: drawn there, then mixed with those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.distributed.shared_regions import SharedRegions
from graphne_viz.embedding.distributed.shared_table import values_of

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.embedding.distributed.peers import Peers


class LocalEdges:
    """Decides which edges an epoch visits, as `EdgeOrder` does for a process that has all of them.

    An edge between nodes of two processes belongs to one of them, chosen by whether the sum of their numbers is even,
    so that both have equally many.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    balanced : bool
        Whether edges at nodes with few of them are visited more often; see `balanced_weights`.
    region : int or None
        Nodes of the regions that batches are drawn from; see `Regions`.

    Attributes
    ----------
    total : int
        Edges of all processes.
    """

    def __init__(
        self, peers: Peers, cuts: list[int], rows: sp.csr_array, *, balanced: bool, region: int | None
    ) -> None:
        self._peers = peers
        self._first = cuts[peers.rank]
        self._regions = None if region is None else SharedRegions(peers, cuts, rows, region)
        own = np.arange(cuts[peers.rank], cuts[peers.rank + 1])
        left = np.repeat(own, np.diff(rows.indptr))
        right = rows.indices.astype(np.int64)
        here = (left < right) == ((left + right) % 2 == 0)
        self._pairs = np.column_stack([left[here], right[here]])
        weights = rows.data[here]
        if balanced:
            strength = np.asarray(rows.sum(axis=1)).reshape(-1).astype(np.float64)
            ends = values_of(peers, cuts, strength, self._pairs[:, 1])
            weights = weights / strength[self._pairs[:, 0] - cuts[peers.rank]] + weights / ends
        self._sums = np.cumsum(weights)
        shares = peers.list_of(float(self._sums[-1]) if len(weights) else 0.0)
        self.total = round(sum(peers.list_of(len(weights))))
        bounds = np.rint(np.cumsum([0.0, *shares]) / sum(shares) * self.total).astype(int)
        self._count = int(bounds[peers.rank + 1] - bounds[peers.rank])

    @property
    def bytes(self) -> int:
        """Bytes of the edges."""
        return self._pairs.nbytes + self._sums.nbytes

    def chunks(self, seed: int, epoch: int, count: int) -> list[NDArray[np.int64]]:
        """Return the edges of this process in each chunk of an epoch, visited in proportion to their weights.

        Returns
        -------
        list of ndarray, shape (m, 3)
            Both ends, and in which piece of a large graph they are; see `Regions`.
        """
        rng = np.random.default_rng([seed, epoch, self._peers.rank, self._peers.size])
        steps = (np.arange(self._count) + rng.random()) * (
            (self._sums[-1] if self._count else 0.0) / max(self._count, 1)
        )
        chosen = np.minimum(np.searchsorted(self._sums, steps, side="right"), len(self._sums) - 1)
        rng.shuffle(chosen)
        pairs = self._pairs[chosen]
        if self._regions is None or self._regions.count == 1:
            return np.array_split(np.column_stack([pairs, np.zeros(len(pairs), np.int64)]), count)
        places = self._regions.places(pairs[:, 0] - self._first, seed, epoch)
        pieces = np.minimum((places * self._regions.count).astype(np.int64), self._regions.count - 1)
        order = np.argsort(places)
        bounds = np.searchsorted(places[order], np.arange(1, count) / count)
        return np.split(np.column_stack([pairs, pieces])[order], bounds)

    def steps(
        self, drawn: NDArray[np.int64], count: int, batch_size: int, rng: np.random.Generator
    ) -> list[NDArray[np.int64]]:
        """Deal the edges of a chunk out to all processes, so that a batch has edges of all, and negatives with them.

        Returns
        -------
        list of ndarray of int64, shape (m, 2)
            The edges of each of so many steps. Those of a batch lie in one region.
        """
        size = self._peers.size
        sent = [len(piece) for piece in np.array_split(drawn, size)]
        received = self._peers.exchange_counts(torch.tensor(sent, device="cpu")[:, None])[:, 0].tolist()
        mixed = rng.permutation(drawn)
        found = rng.permutation(self._peers.exchange(torch.from_numpy(mixed), sent, received).numpy())
        pairs, pieces = found[:, :2], found[:, 2]
        if self._regions is None or self._regions.count == 1:
            return np.array_split(pairs, count)
        batches = [
            batch
            for step in np.array_split(pairs[np.argsort(pieces, kind="stable")], count)
            for batch in np.array_split(step, max(-(-len(step) // batch_size), 1))
        ]
        groups = np.array_split(rng.permutation(len(batches)), count)
        return [np.concatenate([batches[k] for k in group]) for group in groups]
