"""What neighbours kept can be at all: by chance, and at best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.metrics.samples import some_nodes, with_edges

if TYPE_CHECKING:
    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics import kernels
else:
    kernels = lazy_import("graphne_viz.evaluation.metrics.kernels")


class RecallBounds(NamedTuple):
    """What `neighbor_recall` would be of nodes at random places, and what no layout can exceed."""

    random: float
    best: float


def recall_bounds(G: Foreign, *, dim: int = 2, sample: int | None = None, seed: Seed = 0) -> RecallBounds:
    """Tell what `neighbor_recall` can be at all, so that a figure is easier to judge.

    Parameters
    ----------
    G : graph
        With at least one edge.
    dim : int, default 2
        Dimensions of the layout. In more than two the best is 1: nobody knows better.
    sample, seed
        As for `neighbor_recall`: the means over the same nodes.

    Returns
    -------
    RecallBounds
        `random` and `best`. By chance k of the n - 1 others are nearest, which are k / (n - 1) of the neighbours. At
        best each node is kept by its neighbours of the fewest neighbours first, by one of k only while fewer than 6 k
        keep it.

    Examples
    --------
    The leaves of a star cannot all be nearest to its centre:

    >>> star = np.array([[0, leaf] for leaf in range(1, 21)])
    >>> bounds = recall_bounds(star)
    >>> round(bounds.random, 3), round(bounds.best, 3)
    (0.095, 0.333)
    """
    graph = with_edges(G)
    rows = some_nodes(np.flatnonzero(graph.degrees > 0), sample, seed)
    degrees = graph.degrees
    random = float(degrees[rows].mean() / (graph.n_nodes - 1))
    if dim > 2:
        return RecallBounds(random, 1.0)
    kept = np.zeros(graph.n_nodes, dtype=np.int64)
    kernels.keep(graph.adjacency.indptr, graph.adjacency.indices, degrees, kept)
    return RecallBounds(random, float((kept[rows] / degrees[rows]).mean()))
