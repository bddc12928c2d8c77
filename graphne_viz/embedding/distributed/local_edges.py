"""Edges of the nodes of one process: drawn there, then mixed with those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

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

    Attributes
    ----------
    total : int
        Edges of all processes.
    """

    def __init__(self, peers: Peers, cuts: list[int], rows: sp.csr_array, *, balanced: bool) -> None:
        self._peers = peers
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

    def order(self, seed: int, epoch: int) -> NDArray[np.int64]:
        """Return the edges of this process in an epoch, each in proportion to its weight, shape (count, 2)."""
        rng = np.random.default_rng([seed, epoch, self._peers.rank, self._peers.size])
        if not self._count:
            return self._pairs[:0]
        steps = (np.arange(self._count) + rng.random()) * (self._sums[-1] / self._count)
        chosen = np.minimum(np.searchsorted(self._sums, steps, side="right"), len(self._sums) - 1)
        rng.shuffle(chosen)
        return np.asarray(self._pairs[chosen])

    def mix(self, drawn: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Deal edges out to all processes, so that a batch has edges from everywhere, and negatives with them."""
        size = self._peers.size
        sent = [len(piece) for piece in np.array_split(drawn, size)]
        received = self._peers.exchange_counts(torch.tensor(sent)[:, None])[:, 0].tolist()
        found = self._peers.exchange(torch.from_numpy(np.ascontiguousarray(drawn)), sent, received).numpy()
        return rng.permutation(found)
