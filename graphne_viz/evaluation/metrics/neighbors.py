"""Exact search among the nearest points for those that are wanted there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz._threads import ThreadTeam, count_cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy import spatial as scipy_spatial
    from scipy.spatial import cKDTree

    from graphne_viz.evaluation.metrics import kernels
    from graphne_viz.graphs.graph import Graph
else:
    scipy_spatial = lazy_import("scipy.spatial")
    kernels = lazy_import("graphne_viz.evaluation.metrics.kernels")

_TREE_DIMENSION = 3
"""Most dimensions in which a tree is faster than all distances."""

_TREE_PLACES = 1 / 500
"""Most places, as a share of all points, for which a tree is faster than all distances."""

_TREE_BATCH = 2_000_000
"""Neighbours to ask a tree for at once."""

_DIRECT_DIMENSION = 12
"""Most dimensions in which distances are computed as fast one by one as by a matrix product."""

_PRODUCTS = 64_000_000
"""Entries of a matrix product held at once."""

_PIECE = 64
"""Rows a thread takes at a time."""

_CLEAR = 1 + 1e-9
"""Two distances this far apart differ in whatever order their squares were added up."""

_SMALLEST = 1e-8
"""Extent, the largest coordinate being about 1, from which the mean can be taken off without loss to float32."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """Which nodes each of some rows wants to find near it.

    Attributes
    ----------
    rows : ndarray of int64, shape (m,)
        Nodes.
    starts : ndarray of int64, shape (m + 1,)
        Row r wants ``nodes[starts[r]:starts[r + 1]]``.
    nodes : ndarray of int32
        Never the row's own node.
    weights : ndarray of float64
        What finding each of `nodes` is worth.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    nodes: NDArray[np.int32]
    weights: NDArray[np.float64]

    def select(self, chosen: NDArray[np.int64]) -> Wanted:
        """Keep some rows, given by their places."""
        sizes = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        entries = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], sizes)
        return Wanted(self.rows[chosen], starts, self.nodes[entries], self.weights[entries])


def graph_neighbors(graph: Graph, rows: NDArray[np.int64]) -> Wanted:
    """Let every row want its neighbours in the graph, each for 1."""
    indptr, indices = graph.adjacency.indptr.astype(np.int64), graph.adjacency.indices.astype(np.int32)
    everyone = Wanted(np.arange(graph.n_nodes), indptr, indices, np.ones(len(indices)))
    return everyone if len(rows) == graph.n_nodes else everyone.select(rows)


def in_pieces(job: Callable[[int, int], object], n_rows: int, piece: int = _PIECE) -> None:
    """Do ``job(lo, hi)`` for all pieces of the rows on all cores."""
    with ThreadTeam(count_cores()) as team:
        team.run(lambda p: job(p * piece, min((p + 1) * piece, n_rows)), -(-n_rows // piece))


class Nearest:
    """Search among points by Euclidean distance.

    A tie is broken by an average: where more points are as far as the last one with a place than there are places
    left, each of them gets its part of these. That is what breaking ties at random gives in the mean; it depends on
    neither the order of the points nor a seed.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d)
    slack : float, default 0
        How far from its right place rounding may have put a point; distances that differ by less are equal.

    Examples
    --------
    Two of the four points are as near to the first one, which wants one of them:

    >>> nearest = Nearest(np.array([[0.0], [1.0], [-1.0], [5.0]]))
    >>> one = Wanted(np.array([0]), np.array([0, 1]), np.array([2], dtype=np.int32), np.ones(1))
    >>> nearest.found(one, places=np.array([1]))
    array([0.5])
    >>> nearest.found(one, places=np.array([2]))
    array([1.])
    """

    def __init__(self, points: NDArray[np.float64], slack: float = 0) -> None:
        exponent = np.frexp(np.abs(points).max(initial=0))[1]
        self._points = np.ldexp(points, -exponent)  # to about 1 by a power of two: no digit of a difference changes
        self._slack = float(np.ldexp(slack, -exponent))
        self._columns = np.ascontiguousarray(self._points.T)
        self._tree: cKDTree | None = None

    def found(self, wanted: Wanted, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add up the weights of the wanted nodes that are among the nearest points.

        Parameters
        ----------
        wanted : Wanted
            For m rows.
        places : ndarray of int64, shape (m,)
            How many of the nearest points count, the row's own left out.

        Returns
        -------
        ndarray of float64, shape (m,)
        """
        n, dimension = self._points.shape
        places = np.minimum(places, n - 1)
        asked = (np.diff(wanted.starts) > 0) & (places > 0)
        total = np.where(asked, np.nan, 0.0)
        flat = (dimension <= _TREE_DIMENSION) & (places + 1 < n) & (places <= n * _TREE_PLACES)
        for method, fitting in (
            (self._by_tree, flat),
            (self._by_products, dimension > _DIRECT_DIMENSION),
            (self._directly, True),
        ):
            rows = np.flatnonzero(np.isnan(total) & fitting)  # what those before have left open
            if rows.size:
                total[rows] = method(wanted.select(rows), places[rows])
        return total

    def _by_tree(self, wanted: Wanted, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Find with a tree; NaN where a tie must be looked into."""
        if self._tree is None:
            self._tree = scipy_spatial.cKDTree(self._points)
        limits, order = np.empty(len(places)), np.argsort(places, kind="stable")
        lo = 0
        while lo < len(order):
            hi = min(len(order), lo + max(1, _TREE_BATCH // (2 * int(places[order[lo]]) + 2)))
            hi = lo + max(1, int(np.searchsorted(places[order[lo:hi]], 2 * places[order[lo]] + 8, side="right")))
            batch = order[lo:hi]
            count = int(places[batch[-1]]) + 2  # the point itself and one beyond
            near = np.asarray(self._tree.query(self._points[wanted.rows[batch]], k=count, workers=-1)[0])
            last, following = (near[np.arange(len(batch)), places[batch] + more] for more in (0, 1))
            limits[batch] = np.where(following > last * _CLEAR + 4 * self._slack, ((last + following) / 2) ** 2, np.nan)
            lo = hi
        total = np.empty(len(places))
        in_pieces(
            lambda lo, hi: kernels.share_within(
                self._points, wanted.rows, lo, hi, limits, wanted.starts, wanted.nodes, wanted.weights, total
            ),
            len(places),
            piece=4096,
        )
        return np.where(np.isnan(limits), np.nan, total)

    def _by_products(self, wanted: Wanted, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Find with matrix products in float32 and look closer where these cannot tell; NaN where that is too often."""
        n, dimension = self._points.shape
        centred = self._points - self._points.mean(axis=0)
        total = np.full(len(places), np.nan)
        lengths = np.linalg.norm(centred, axis=1)
        if lengths.max() < _SMALLEST:
            return total
        rough = centred.astype(np.float32)
        others = (lengths**2).astype(np.float32)
        own = others[wanted.rows]
        # Each of the dimension's products and sums, and a few steps before and after, errs by at most 2^-24.
        margins = ((dimension + 12) * 2.0**-24 * (lengths[wanted.rows] + lengths.max()) ** 2).astype(np.float32)
        patience = n  # distances, after which it is cheaper to compute all

        def search(products: NDArray[np.float32], base: int, lo: int, hi: int) -> None:
            kernels.share_roughly(
                products, own, others, margins, patience, self._points, self._slack, wanted.rows, base + lo, base + hi,
                base, places, wanted.starts, wanted.nodes, wanted.weights, total,
            )  # fmt: skip

        step = max(1, min(_PRODUCTS // n, 4096))
        for base in range(0, len(places), step):
            top = min(base + step, len(places))
            in_pieces(partial(search, rough[wanted.rows[base:top]] @ rough.T, base), top - base)
        return np.where(total < 0, np.nan, total)

    def _directly(self, wanted: Wanted, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Find by computing all distances."""
        total = np.empty(len(places))
        in_pieces(
            lambda lo, hi: kernels.share_exactly(
                self._columns, self._points, self._slack, wanted.rows, lo, hi, places, wanted.starts, wanted.nodes,
                wanted.weights, total,
            ),
            len(places),
        )  # fmt: skip
        return total
