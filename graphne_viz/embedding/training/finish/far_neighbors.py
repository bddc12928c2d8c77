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
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.training.finish.axes import Axes
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

    def walk(values: Floats) -> Floats:
        step = row_normalised(graph.adjacency).astype(np.float32)
        for _ in range(STEPS):
            values = step @ values
        return values

    vectors = with_far_coordinates(embedding.vectors, graph.degrees > 0, count, walk)
    return embedding if vectors is embedding.vectors else replace(embedding, vectors=vectors)


def with_far_coordinates(
    vectors: Floats,
    linked: NDArray[np.bool_],
    count: int,
    walk: Callable[[Floats], Floats],
    solved: Callable[[Axes, Callable[[Axes], Axes]], Axes] = lambda sums, solve: solve(sums),
) -> Floats:
    """Replace the last coordinates of vectors, which may be those that one of several processes has.

    Parameters
    ----------
    vectors : ndarray of float32, shape (m, d)
        Along the principal axes of all vectors.
    linked : ndarray of bool, shape (m,)
        Which nodes have neighbours; the others keep their vectors.
    count : int
        Most coordinates to replace.
    walk : callable
        Returns, for each of these nodes, the mean of the vectors at the ends of random walks from it, shape (m, d).
    solved : callable
        Called with sums of `moments` over these vectors, and with what follows from the sums over all vectors, which
        it returns.

    Returns
    -------
    ndarray of float32, shape (m, d)
        Of unit length; the given one where nothing is replaced.
    """
    if not count:
        return vectors
    spare, wanted = solved(moments(vectors), lambda sums: _spare(sums, count))
    count = int(spare)
    if not count:
        return vectors
    kept = vectors[:, :-count]
    rest = walk(vectors)
    weights = solved(moments(np.hstack([kept, rest])), lambda sums: _explained(sums, kept.shape[1])).astype(np.float32)
    with one_blas_thread():
        rest = rest - kept @ weights[:-1] - weights[-1]
    axes = solved(moments(rest), lambda sums: _telling(sums, count, wanted))
    if not axes.any():
        return vectors
    joined = np.hstack([kept, turned(rest, axes)])
    joined[~linked] = vectors[~linked]
    return np.asarray(joined / np.linalg.norm(joined, axis=1, keepdims=True))


def _spare(sums: Axes, count: int) -> Axes:
    """Return how many of the last coordinates are given up, and the deviation of these, shape (2,)."""
    dim, n = len(sums) - 1, sums[-1, -1]
    variances = np.maximum(sums.diagonal()[:-1] / n - (sums[-1, :-1] / n) ** 2, 0)
    spare = int(np.searchsorted(variances[::-1].cumsum(), MOST_VARIANCE * variances.sum(), side="right"))
    count = min(count, spare) if n >= NODES_PER_DIMENSION * dim else 0
    return np.array([count, _deviation(sums, np.eye(dim)[:, dim - count :]) if count else 0.0])


def _explained(sums: Axes, width: int) -> Axes:
    """Return by what the first columns, and a constant, explain the others best, shape (width + 1, columns - width)."""
    by = [*range(width), -1]  # the last one is the constant
    with one_blas_thread():
        return np.asarray(np.linalg.lstsq(sums[np.ix_(by, by)], sums[by, width:-1], rcond=None)[0])


def _telling(sums: Axes, count: int, wanted: float) -> Axes:
    """Return the first principal axes, as long as gives a deviation; 0 where there is nothing to tell."""
    axes = principal_axes(sums)[:, :count]
    spread = _deviation(sums, axes)
    return axes * (wanted / spread if spread > _NOTHING * wanted else 0.0)


def _deviation(sums: Axes, axes: Axes) -> float:
    """Return the standard deviation of all coordinates along some axes."""
    terms = sums[-1, -1] * axes.shape[1]
    with one_blas_thread():
        mean = (sums[-1, :-1] @ axes).sum() / terms
        square = (axes * (sums[:-1, :-1] @ axes)).sum() / terms
    return float(np.sqrt(max(square - mean * mean, 0.0)))
