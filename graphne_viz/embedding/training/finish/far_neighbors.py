"""What a vector is told of nodes some steps away: the means of neighbours' neighbours, in its last coordinates.

Along principal axes the last coordinates vary least, and few neighbours are lost without them. The mean over random
walks of some steps says something that the coordinates before do not, however they are combined; there it is told.
Classes of a dense graph are easier to separate by it, where a heavier own term would cost more neighbours.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import one_blas_thread
from graphne_viz.embedding.training.finish.axes import moments, principal_axes, turned
from graphne_viz.layout.affinity import row_normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float32]

STEPS = 8
"""Of a random walk from each node."""

NODES_PER_DIMENSION = 16
"""Fewest nodes for each dimension: of few nodes the coordinates before explain everything but noise."""

MOST_VARIANCE = 0.03
"""Largest share of all variance that is given up."""

_NOTHING = 1e-4
"""Deviation, against that of the coordinates to be replaced, up to which there is nothing to tell."""


def told_of_far_neighbors(embedding: Embedding, graph: Graph, count: int) -> Embedding:
    """Replace the last coordinates by what nodes some steps away add to the others.

    Parameters
    ----------
    embedding : Embedding
        Along principal axes; see `along_principal_axes`.
    graph : Graph
        The one that it embeds.
    count : int
        Most coordinates to replace.

    Returns
    -------
    Embedding
        Resumes from where the given one does. The same where there are too few nodes, no coordinates to spare, or
        nothing is to be told.
    """
    vectors = embedding.vectors
    count = min(count, _spare(vectors))
    if not count or graph.n_nodes < NODES_PER_DIMENSION * embedding.dim:
        return embedding
    kept, replaced = vectors[:, :-count], vectors[:, -count:]
    rest = _left_over(_means_of_walks(graph, vectors), kept)
    new = turned(rest, principal_axes(moments(rest))[:, :count])
    spread, wanted = float(new.std()), float(replaced.std())
    if spread <= _NOTHING * wanted:
        return embedding
    joined = np.hstack([kept, new * np.float32(wanted / spread)])
    joined[graph.degrees == 0] = vectors[graph.degrees == 0]
    return replace(embedding, vectors=joined / np.linalg.norm(joined, axis=1, keepdims=True))


def _spare(vectors: Floats) -> int:
    """Return how many of the last coordinates can be given up."""
    variances = vectors.var(axis=0, dtype=np.float64)
    return int(np.searchsorted(variances[::-1].cumsum(), MOST_VARIANCE * variances.sum(), side="right"))


def _means_of_walks(graph: Graph, vectors: Floats) -> Floats:
    """Return, for each node, the mean of the vectors at the ends of random walks from it, shape (n, d)."""
    step = row_normalised(graph.adjacency).astype(np.float32)
    for _ in range(STEPS):
        vectors = step @ vectors
    return vectors


def _left_over(values: Floats, known: Floats) -> Floats:
    """Return what of some columns no linear combination of others, and of a constant, explains."""
    with one_blas_thread():
        sums = moments(np.hstack([known, values]))
        width = known.shape[1]
        by = [*range(width), -1]  # the last one is the constant
        weights = np.linalg.lstsq(sums[np.ix_(by, by)], sums[by, width:-1], rcond=None)[0].astype(np.float32)
        return np.asarray(values - known @ weights[:-1] - weights[-1])
