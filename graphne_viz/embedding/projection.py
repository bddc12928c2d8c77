"""Vectors of many dimensions on a flat screen: their nearest-neighbour graph, laid out like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._checks import check_integer
from graphne_viz._keywords import with_keywords
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.neighbors.nearest import nearest
from graphne_viz.embedding.training.start import as_real
from graphne_viz.graphs.graph import Graph
from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.keywords import LayoutKeywords

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz._types import Foreign

NEIGHBORS = 15


@with_keywords(LayoutKeywords)
def project(E: Embedding | ArrayLike, *, neighbors: int = NEIGHBORS, **keywords: Unpack[LayoutKeywords]) -> Foreign:
    """Lay out an embedding in the plane by t-SNE, to look at it.

    Parameters
    ----------
    E : Embedding or array of shape (n, dim)
        Vectors, of which only the directions count.
    neighbors : int, default 15
        Nearest nodes by cosine that each node is joined with. Above 250,000 nodes they are found approximately, by
        faiss, if it is installed.
    **keywords
        See `LayoutKeywords`.

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
    vectors: NDArray[np.floating],
    neighbors: int = NEIGHBORS,
    *,
    apart: NDArray[np.bool_] | None = None,
    progress: Callable[[float], object] | None = None,
) -> sp.csr_array:
    """Join each node with those whose vectors point most nearly the same way.

    Parameters
    ----------
    vectors : ndarray, shape (n, dim)
    neighbors : int
        How many, or all others where there are fewer.
    apart : ndarray of bool, shape (n,), optional
        Nodes that get no neighbours.
    progress : callable, optional
        Called now and then with the share that is done, from 0 to 1.

    Returns
    -------
    csr_array, shape (n, n)
        Symmetric: 1 where either of two nodes is among the other's nearest.
    """
    check_integer("neighbors", neighbors, least=1)
    n = len(vectors)
    nodes = np.arange(n) if apart is None else np.flatnonzero(~apart)
    k = min(int(neighbors), len(nodes) - 1)
    if k < 1:
        return sp.csr_array((n, n), dtype=np.float64)
    found = nodes[nearest(vectors[nodes], k, progress=progress)]
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
            f"E must be an Embedding or an array of real numbers, got a {kind} that contains something else"
        ) from None
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ValueError(f"vectors must have the shape (n, dim) with dim at least 1, got {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors must be finite in single precision, but contain NaN, infinity or too large numbers")
    return vectors
