"""What the graph alone says about two nodes: neighbours they share, steps between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.metrics.neighbors import Wanted, in_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from graphne_viz.evaluation.metrics import kernels
    from graphne_viz.graphs.graph import Graph
else:
    kernels = lazy_import("graphne_viz.evaluation.metrics.kernels")

_LISTED = 20_000_000
"""Nodes listed at once."""


def most_shared(graph: Graph, rows: NDArray[np.int64], k: int) -> Iterator[Wanted]:
    """Find the k nodes that share most neighbours with each of some nodes, in blocks that fit in memory.

    Of nodes that share as many as the last of the k, none is preferred: all are listed, and the places left are
    divided among them. Nodes that share none are not listed, so that there may be fewer than k.

    Parameters
    ----------
    graph : Graph
    rows : ndarray of int64, shape (m,)
        Nodes.
    k : int

    Yields
    ------
    Wanted
        For some of the rows, all in turn; the weights of each add up to k or less.

    Examples
    --------
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> star = as_graph(np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    >>> wanted, = most_shared(star, np.array([1]), k=2)
    >>> wanted.nodes, wanted.weights.round(2)
    (array([2, 3, 4], dtype=int32), array([0.67, 0.67, 0.67]))
    """
    indptr, indices = _compressed(graph)
    fewest, portion = np.empty(len(rows), np.int64), np.empty(len(rows))
    sizes = np.empty(len(rows), np.int64)
    in_pieces(
        lambda lo, hi: kernels.most_shared(indptr, indices, rows, lo, hi, k, fewest, portion, sizes),
        len(rows),
        piece=_piece(graph),
    )
    ends = np.cumsum(sizes)
    lo = 0
    while lo < len(rows):
        hi = max(lo + 1, int(np.searchsorted(ends, ends[lo] - sizes[lo] + _LISTED, side="right")))
        block = slice(lo, hi)
        yield _listed(graph, rows[block], fewest[block], portion[block], sizes[block])
        lo = hi


def steps_apart(graph: Graph, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the edges on a shortest path between connected nodes.

    Parameters
    ----------
    graph : Graph
    pairs : ndarray of int64, shape (m, 2)
        Two different nodes of one part of the graph each.

    Returns
    -------
    ndarray of int64, shape (m,)

    Examples
    --------
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> steps_apart(as_graph(np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]])), np.array([[0, 2], [3, 4]]))
    array([2, 1])
    """
    indptr, indices = _compressed(graph)
    steps = np.empty(len(pairs), np.int64)
    in_pieces(lambda lo, hi: kernels.steps_apart(indptr, indices, pairs, lo, hi, steps), len(pairs), piece=256)
    return steps


def _listed(
    graph: Graph,
    rows: NDArray[np.int64],
    fewest: NDArray[np.int64],
    portion: NDArray[np.float64],
    sizes: NDArray[np.int64],
) -> Wanted:
    """List the nodes that share at least so many neighbours with each row; those with just so many for a portion."""
    indptr, indices = _compressed(graph)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    nodes, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1])
    in_pieces(
        lambda lo, hi: kernels.list_shared(indptr, indices, rows, lo, hi, fewest, portion, starts, nodes, weights),
        len(rows),
        piece=_piece(graph),
    )
    return Wanted(rows, starts, nodes, weights)


def _compressed(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Where each node's neighbours stand, and the neighbours."""
    return graph.adjacency.indptr.astype(np.int64), graph.adjacency.indices.astype(np.int32)


def _piece(graph: Graph) -> int:
    """Rows for a thread at a time, enough to be worth an array with an entry for each node."""
    return max(64, graph.n_nodes // 64)
