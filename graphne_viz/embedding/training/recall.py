"""Neighbour recall of some nodes, cheap enough to be looked at after every epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam, count_cores, one_blas_thread
from graphne_viz.embedding.training import recall_kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

NODES = 500
"""How many are looked at; the same ones every time."""

_BLOCK = 1 << 20
"""Similarities that a thread holds at once: 4 MB."""


class Probe:
    """Measures how many of their neighbours some nodes have nearest to them.

    Parameters
    ----------
    graph : Graph
    seed : int
        Decides which nodes are looked at.
    """

    def __init__(self, graph: Graph, seed: int) -> None:
        A, linked = graph.adjacency, np.flatnonzero(graph.degrees)
        self._nodes = np.random.default_rng(seed).permutation(linked)[:NODES]
        found = [A.indices[A.indptr[node] : A.indptr[node + 1]] for node in self._nodes]
        self._neighbors = np.concatenate(found).astype(np.int64)
        self._offsets = np.concatenate([[0], np.cumsum(graph.degrees[self._nodes])])
        rows = max(_BLOCK // graph.n_nodes, 1)
        self._cuts = np.append(np.arange(0, len(self._nodes), rows), len(self._nodes))

    def recall(self, unit: NDArray[np.float32]) -> float:
        """Return the mean share of neighbours among the nearest nodes by cosine; `unit` has unit rows, shape (n, d)."""
        found = np.empty(len(self._nodes))

        def measure(part: int) -> None:
            some = slice(*self._cuts[part : part + 2])
            nodes, offsets = self._nodes[some], self._offsets[some.start : some.stop + 1]
            recall_kernels.recalls(unit[nodes] @ unit.T, nodes, offsets, self._neighbors, found[some])

        parts = len(self._cuts) - 1
        with one_blas_thread(), ThreadTeam(min(count_cores(), parts)) as team:
            team.run(measure, parts)
        return float(found.mean())
