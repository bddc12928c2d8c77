"""Which edges come when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.layout.affinity import LEAST_WEIGHT, row_normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    """

    def __init__(self, weights: NDArray[np.float64]) -> None:
        self._count = len(weights)
        self._sums = None if np.ptp(weights) == 0 else np.cumsum(weights / weights.max())

    def order(self, seed: int, epoch: int) -> NDArray[np.int64]:
        """Return as many numbers of edges as there are edges, in random order.

        With weights, an edge occurs in proportion to its own, rounded up or down at random.
        """
        rng = np.random.default_rng([seed, epoch])
        if self._sums is None:
            return np.asarray(rng.permutation(self._count), dtype=np.int64)
        steps = (np.arange(self._count) + rng.random()) * (self._sums[-1] / self._count)
        chosen = np.minimum(np.searchsorted(self._sums, steps, side="right"), self._count - 1)
        rng.shuffle(chosen)
        return np.asarray(chosen, dtype=np.int64)
