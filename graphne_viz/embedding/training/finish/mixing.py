"""What a trained vector takes over from those of its node's neighbours.

A node learns from its own edges only, and has few of them in most graphs. The mean of its neighbours' vectors knows
what they have learned from theirs: a little of it costs few neighbours, and makes classes easier to separate than a
heavier own term would that costs as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.embedding.training import batch_kernels
from graphne_viz.layout.affinity import LEAST_WEIGHT, row_normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

_ROWS = 4096
"""Nodes that a thread takes at a time."""


class Mixing:
    """Adds to unit vectors the mean of their neighbours' ones, and makes them unit vectors again.

    Parameters
    ----------
    graph : Graph
        Neighbours count by the weights of their edges.
    weight : float
        Of the mean; 0 leaves everything as it is.
    """

    def __init__(self, graph: Graph, weight: float) -> None:
        self._adjacency, self._weight = graph.adjacency, np.float32(weight)
        if weight and self._adjacency.data.min(initial=1) < LEAST_WEIGHT:
            self._adjacency = row_normalised(self._adjacency)

    def mix(self, unit: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the mixed vectors, shape (n, d); nodes without neighbours keep theirs."""
        if not self._weight:
            return unit
        A, mixed = self._adjacency, np.empty_like(unit)

        def mix_some(part: int) -> None:
            rows = slice(part * _ROWS, min((part + 1) * _ROWS, len(unit)))
            batch_kernels.mix_rows(unit, A.indptr, A.indices, A.data, self._weight, rows.start, rows.stop, mixed)

        parts = -(-len(unit) // _ROWS)
        with ThreadTeam(min(count_cores(), parts)) as team:
            team.run(mix_some, parts)
        return mixed
