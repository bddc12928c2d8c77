"""Regions of a graph of which each process has some nodes; see `Regions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.distributed.shared_table import values_of

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.embedding.distributed.peers import Peers

BEGINNINGS = 2
"""Nodes that regions grow from, for each piece that edges fall into. They grow to sizes that differ much; pieces of
what grows from two keep about as many neighbours as those of `Regions`, of what grows from one fewer."""

ROUNDS = 40
"""Most steps along the edges; what no region has reached by then belongs to any."""


class SharedRegions:
    """Tells in which piece of all edges those at a node are, the same in all processes.

    A node joins the region of a neighbour, chosen at random, as soon as that has one, so that a step needs one number
    of each neighbour, and no process the whole graph.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    nodes : int
        How many a piece has, about.

    Attributes
    ----------
    count : int
        How many pieces there are; with one, everything stays as it is.
    """

    def __init__(self, peers: Peers, cuts: list[int], rows: sp.csr_array, nodes: int) -> None:
        self._peers, self._cuts, self._rows = peers, cuts, rows
        linked = sum(peers.list_of(int(np.count_nonzero(np.diff(rows.indptr)))))
        self.count = max(round(linked / nodes), 1)

    def places(self, nodes: NDArray[np.int64], seed: int, epoch: int) -> NDArray[np.float64]:
        """Return where edges at own nodes are among those of all processes, region by region, from 0 to 1.

        Parameters
        ----------
        nodes : ndarray of int64, shape (m,)
            The end of each edge that decides, counted from the first own one.
        seed, epoch : int
        """
        rng = np.random.default_rng([seed, epoch, self._peers.rank, self._peers.size, 1])
        common = np.random.default_rng([seed, epoch])
        beginnings = common.permutation(np.unique(common.integers(self._cuts[-1], size=BEGINNINGS * self.count)))
        regions = self._grow(beginnings, rng)[nodes]
        order = np.argsort(regions + rng.random(len(regions)))
        own = np.bincount(regions, minlength=len(beginnings))
        totals = self._peers.add(torch.from_numpy(own.astype(np.float64))).numpy()
        # Each process spreads its edges evenly over the place of a region.
        shares = (np.arange(len(order)) - np.repeat(own.cumsum() - own, own) + 0.5) / np.repeat(own, own)
        starts = totals.cumsum() - totals
        found = np.empty(len(order))
        found[order] = (starts[regions[order]] + shares * totals[regions[order]]) / totals.sum()
        return found

    def _grow(self, beginnings: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the region of each own node."""
        first, end = self._cuts[self._peers.rank], self._cuts[self._peers.rank + 1]
        indptr, indices = self._rows.indptr, self._rows.indices
        degrees = np.diff(indptr)
        labels = np.full(end - first, -1.0)
        mine = (beginnings >= first) & (beginnings < end)
        labels[beginnings[mine] - first] = np.flatnonzero(mine)
        for _ in range(ROUNDS):
            left = np.flatnonzero((labels < 0) & (degrees > 0))
            if not any(self._peers.list_of(len(left))):
                break
            chosen = indices[indptr[left] + (rng.random(len(left)) * degrees[left]).astype(np.int64)]
            labels[left] = values_of(self._peers, self._cuts, labels, chosen.astype(np.int64))
        without = labels < 0
        labels[without] = rng.integers(len(beginnings), size=np.count_nonzero(without))
        return labels.astype(np.int64)
