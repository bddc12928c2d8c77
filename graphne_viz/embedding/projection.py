"""Vectors of many dimensions on a flat screen: their nearest-neighbour graph, laid out like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.start import as_real
from graphne_viz.graphs.graph import Graph
from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.options import whole
from graphne_viz.layout.team import count_cores

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.graphs.arrays import Foreign

NEIGHBORS = 15


def project(E: Embedding | ArrayLike, *, neighbors: int = NEIGHBORS, **keywords: Any) -> Foreign:  # noqa: ANN401
    """Lay out an embedding in the plane by t-SNE, to look at it.

    Parameters
    ----------
    E : Embedding or array of shape (n, dim)
        Vectors, of which only the directions count.
    neighbors : int, default 15
        Nearest nodes by cosine that each node is joined with.
    **keywords
        As for `graphne_layout`.

    Returns
    -------
    dict, igraph.Layout or ndarray of shape (n, 2)
        What `graphne_layout` returns for the graph that was embedded; an array for an array. Nodes that had no
        neighbours in that graph are parked together: their vectors mean nothing.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> project(rng.standard_normal((60, 8))).shape
    (60, 2)
    """
    if isinstance(E, Embedding):
        linked = nearest_graph(E.vectors, neighbors, apart=E.isolated)
        return graphne_layout(Graph(linked, E.ids, origin=E.origin), **keywords)
    vectors = _vectors(E)
    return graphne_layout(Graph(nearest_graph(vectors, neighbors), range(len(vectors))), **keywords)


def nearest_graph(
    vectors: NDArray[np.floating], neighbors: int = NEIGHBORS, *, apart: NDArray[np.bool_] | None = None
) -> sp.csr_array:
    """Join each node with those whose vectors point most nearly the same way.

    Parameters
    ----------
    vectors : ndarray, shape (n, dim)
    neighbors : int
        How many, or all others where there are fewer.
    apart : ndarray of bool, shape (n,), optional
        Nodes that get no neighbours.

    Returns
    -------
    csr_array, shape (n, n)
        Symmetric: 1 where either of two nodes is among the other's nearest.
    """
    from sklearn.neighbors import NearestNeighbors  # noqa: PLC0415 -- slow to import

    whole("neighbors", neighbors, least=1)
    n = len(vectors)
    nodes = np.arange(n) if apart is None else np.flatnonzero(~apart)
    k = min(int(neighbors), len(nodes) - 1)
    if k < 1:
        return sp.csr_array((n, n), dtype=np.float64)
    lengths = np.linalg.norm(vectors[nodes], axis=1, keepdims=True)
    # On the sphere the nearest by distance are the nearest by cosine.
    unit = np.divide(vectors[nodes], lengths, out=np.zeros_like(vectors[nodes]), where=lengths > 0)
    search = NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=count_cores()).fit(unit)
    found = nodes[search.kneighbors(return_distance=False)]
    pairs = (np.repeat(nodes, k), found.ravel())
    directed = sp.csr_array((np.ones(found.size), pairs), shape=(n, n))
    return sp.csr_array(directed.maximum(directed.T))


def _vectors(given: ArrayLike) -> NDArray[np.float32]:
    """Read vectors that are no Embedding."""
    try:
        with np.errstate(over="ignore"):  # told below
            vectors = as_real(given, np.float32)
    except (TypeError, ValueError):
        kind = type(given).__name__
        raise TypeError(
            f"E must be an Embedding or an array of real numbers, got a {kind} with something else in it"
        ) from None
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ValueError(f"vectors must have the shape (n, dim) with dim at least 1, got {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors must be finite in single precision, and hold NaN, infinity or numbers too large")
    return vectors
