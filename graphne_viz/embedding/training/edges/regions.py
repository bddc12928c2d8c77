"""Edges of a large graph, region by region: the other nodes of a batch teach most where they are near.

A batch is drawn from all nodes of a small graph, and some of them are similar to a given one. Of a graph a hundred
times as large a batch has hardly any, so that nothing holds nodes apart that should be less near than neighbours.
Batches whose edges lie in one region have them again. Each epoch has regions of its own, so that no border is one for
long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.embedding.training.edges import region_kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph


class Regions:
    """Sorts edges by regions of a graph, which are grown anew for each epoch.

    Parameters
    ----------
    graph : Graph
    nodes : int
        Most nodes of a region.

    Attributes
    ----------
    count : int
        How many pieces the edges fall into; with one, everything stays as it is.
    """

    def __init__(self, graph: Graph, nodes: int) -> None:
        self._adjacency, self._pairs, self._nodes = graph.adjacency, graph.pairs, nodes
        self.count = max(round(np.count_nonzero(graph.degrees) / nodes), 1)

    def sort(self, edges: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return numbers of edges, given in random order, piece by piece; within a piece the order is random.

        An edge belongs to the region of one of its ends, chosen at random. Small regions share a piece with others.
        """
        labels, n_regions = self.grow(rng)
        ends = self._pairs[edges, rng.integers(2, size=len(edges))]
        ranks = rng.permutation(n_regions)[labels[ends]]
        pieces = np.array_split(np.argsort(ranks, kind="stable"), self.count)
        return np.asarray(edges[np.concatenate([rng.permutation(piece) for piece in pieces])])

    def grow(self, rng: np.random.Generator) -> tuple[NDArray[np.int32], int]:
        """Part the nodes into regions.

        Returns
        -------
        labels : ndarray of int32, shape (n,)
            The region of each node.
        count : int
            How many there are.
        """
        A = self._adjacency
        labels = np.empty(A.shape[0], np.int32)
        order = rng.permutation(len(labels))
        return labels, int(region_kernels.grow(A.indptr, A.indices, order, self.count, self._nodes, labels))
