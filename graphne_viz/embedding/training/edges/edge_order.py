"""Which edges come when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.layout.affinity import LEAST_WEIGHT, row_normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.embedding.training.edges.regions import Regions
    from graphne_viz.graphs.graph import Graph


def balanced_weights(graph: Graph) -> NDArray[np.float64]:
    """Return how often each edge is to be visited so that no node is visited less than half as often as the mean.

    Were every edge visited once, edges between hubs would fill the batches, and the many nodes with few edges would be
    seen a few times only. An edge gets the share it has of all weight at one of its ends, plus that at the other, which
    are the affinities of a layout, too.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    ndarray of float64, shape (E,)
        Up to a factor.
    """
    weights, (left, right) = graph.pair_weights / graph.pair_weights.max(), graph.pairs.T
    if weights.min() < LEAST_WEIGHT:  # a node whose edges are all that light would have no strength
        shares = row_normalised(graph.adjacency)
        back = sp.csr_array(shares.T)
        back.sort_indices()
        rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
        return np.asarray((shares.data + back.data)[rows < shares.indices])
    strength = np.bincount(left, weights, graph.n_nodes) + np.bincount(right, weights, graph.n_nodes)
    return np.asarray(weights / strength[left] + weights / strength[right])


class EdgeOrder:
    """Decides in which order an epoch visits the edges: each once, or as often as its weight says.

    Parameters
    ----------
    weights : ndarray of float64, shape (E,)
    regions : Regions, optional
        Where they are, if a batch is to have edges of one region.
    """

    def __init__(self, weights: NDArray[np.float64], regions: Regions | None = None) -> None:
        self._count = len(weights)
        self._regions = regions if regions is not None and regions.count > 1 else None
        self._sums = None if np.ptp(weights) == 0 else np.cumsum(weights / weights.max())

    def order(self, seed: int, epoch: int) -> NDArray[np.int64]:
        """Return as many numbers of edges as there are edges, in random order.

        With weights, an edge occurs in proportion to its own, rounded up or down at random.
        """
        return self._drawn(np.random.default_rng([seed, epoch]))

    def steps(self, seed: int, epoch: int, count: int, batch_size: int) -> list[list[NDArray[np.int64]]]:
        """Return the batches of each step of an epoch, so many steps with batches of at most so many edges."""
        rng = np.random.default_rng([seed, epoch])
        order = self._drawn(rng)
        if self._regions is not None:
            order = self._regions.sort(order, rng)
        steps = [np.array_split(step, -(-len(step) // batch_size)) for step in np.array_split(order, count)]
        if self._regions is None:
            return steps
        # A step learns from several regions, and no region is left alone while the others learn.
        batches = [batch for step in steps for batch in step]
        numbers = np.array_split(rng.permutation(len(batches)), count)
        return [[batches[k] for k in some] for some in numbers]

    def _drawn(self, rng: np.random.Generator) -> NDArray[np.int64]:
        if self._sums is None:
            return np.asarray(rng.permutation(self._count), dtype=np.int64)
        steps = (np.arange(self._count) + rng.random()) * (self._sums[-1] / self._count)
        chosen = np.minimum(np.searchsorted(self._sums, steps, side="right"), self._count - 1)
        rng.shuffle(chosen)
        return np.asarray(chosen, dtype=np.int64)
