"""Graphs in several parts: each part gets a disc of its own, the discs are packed, and isolates stand around them.

The discs depend on the numbers of nodes only, so a part's place is known before its layout is, and a
live picture does not jump. The unit of length is such that a node has an area of pi.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.packing import SPACING, rings

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csgraph

    Floats = NDArray[np.float64]
else:
    csgraph = lazy_import("scipy.sparse.csgraph")

INSET = 0.4 * SPACING
"""Room between a disc's rim and its nodes; it gives two nodes an edge of 0.8 spacings, not 1.6."""

_DENSE_UP_TO = 128
"""Nodes up to which connected parts are found in a full matrix."""

OUTLYING = 2.0
"""Beyond this many root mean square radii a node is an outlier, which must not shrink the others.

Nodes spread evenly over a disc reach 1.41, along a line 1.73.
"""


@dataclass(frozen=True, eq=False)
class Parts:
    """The connected parts of a graph.

    Attributes
    ----------
    labels : ndarray, shape (n,)
        Part of each node, the largest part 0, ties by smallest node; -1 for isolates.
    order : ndarray, shape (n,)
        Nodes grouped by part and rising within one, then the isolates.
    offsets : ndarray, shape (k + 1,)
        Part i holds the nodes ``order[offsets[i]:offsets[i + 1]]``.
    """

    labels: NDArray[np.intp]
    order: NDArray[np.intp]
    offsets: NDArray[np.intp]

    @classmethod
    def whole(cls, n: int) -> Parts:
        """All nodes as one part, whether they are connected or not."""
        return cls(labels=np.zeros(n, dtype=np.intp), order=np.arange(n), offsets=np.array([0, n]))

    @classmethod
    def linked(cls, adjacency: sp.csr_array) -> Parts:
        """All nodes with neighbours as one part, whether they are connected or not."""
        lonely = np.diff(adjacency.indptr) == 0
        order = np.argsort(lonely, kind="stable")
        m = int(np.count_nonzero(~lonely))
        return cls(labels=np.where(lonely, -1, 0), order=order, offsets=np.array([0, m] if m else [0]))

    @property
    def n_parts(self) -> int:
        """Number of parts with at least two nodes."""
        return len(self.offsets) - 1

    @property
    def isolates(self) -> NDArray[np.intp]:
        """Nodes without neighbours, rising, shape (n_isolates,)."""
        return self.order[self.offsets[-1] :]

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """Number of nodes in each part, falling, shape (k,)."""
        return np.diff(self.offsets)

    @property
    def is_one(self) -> bool:
        """Whether all nodes are in one part, so that there is nothing to put together."""
        return self.n_parts == 1 and not len(self.isolates)

    @cached_property
    def position(self) -> NDArray[np.intp]:
        """Where each node stands in ``order``, shape (n,)."""
        position = np.empty_like(self.order)
        position[self.order] = np.arange(len(self.order))
        return position

    def nodes(self, first: int, last: int | None = None) -> NDArray[np.intp]:
        """Nodes of one part or of the parts ``first`` to ``last - 1``, shape (m,)."""
        return self.order[self.offsets[first] : self.offsets[first + 1 if last is None else last]]

    def submatrix(self, P: sp.csr_array, first: int, last: int | None = None) -> sp.csr_array:
        """Cut out the rows and columns of one part, or of several consecutive ones as diagonal blocks.

        Parameters
        ----------
        P : scipy.sparse.csr_array, shape (n, n)
            Entries within parts only; canonical form is kept.
        first, last : int
            The part ``first``, or the parts ``first`` to ``last - 1``.

        Returns
        -------
        scipy.sparse.csr_array, shape (m, m)
            In the order of ``nodes(first, last)``; P itself where that is all of it, otherwise with arrays of its own.
        """
        nodes = self.nodes(first, last)
        if len(nodes) == P.shape[0] and self.n_parts == 1:
            return P
        rows = P[nodes]
        columns = (self.position - self.offsets[first]).astype(rows.indices.dtype)[rows.indices]
        return sp.csr_array((rows.data, columns, rows.indptr), shape=(len(nodes), len(nodes)))


def diagonal_block(P: sp.csr_array, lo: int, hi: int) -> sp.csr_array:
    """Rows and columns ``lo:hi`` of a matrix whose rows have no others; shares its memory where it can."""
    if hi - lo == P.shape[0]:
        return P
    start, end = P.indptr[lo], P.indptr[hi]
    indices = P.indices[start:end]
    arrays = (P.data[start:end], indices - indices.dtype.type(lo) if lo else indices, P.indptr[lo : hi + 1] - start)
    return sp.csr_array(arrays, shape=(hi - lo, hi - lo))


def split(adjacency: sp.csr_array) -> Parts:
    """Find the connected parts of a graph.

    Parameters
    ----------
    adjacency : scipy.sparse.csr_array, shape (n, n)
        Symmetric, without self-loops.

    Returns
    -------
    Parts
    """
    count, found = _connected_components(adjacency)
    return parts_of(found, count)


def parts_of(found: NDArray[np.integer], count: int) -> Parts:
    """Put parts in order: the largest first, of equal ones that with the smallest node.

    Parameters
    ----------
    found : ndarray of int, shape (n,)
        Part of each node, in any order.
    count : int
        Number of parts.
    """
    n = len(found)
    sizes = np.bincount(found, minlength=count)
    smallest = np.empty(count, dtype=np.intp)
    smallest[found[::-1]] = np.arange(n - 1, -1, -1)  # the last one written stays
    ranked = np.lexsort((smallest, -sizes))
    rank = np.empty(count, dtype=np.intp)
    rank[ranked] = np.arange(count)
    labels = rank[found]
    order = np.argsort(labels, kind="stable")
    sizes = sizes[ranked]
    k = int(np.count_nonzero(sizes > 1))
    offsets = np.concatenate([[0], np.cumsum(sizes[:k])]).astype(np.intp)
    return Parts(labels=np.where(labels < k, labels, -1), order=order, offsets=offsets)


def _connected_components(adjacency: sp.csr_array) -> tuple[int, NDArray[np.integer]]:
    """Count the connected parts and name each node's; few nodes are not worth what scipy's own has to import."""
    n = int(adjacency.shape[0])
    if n > _DENSE_UP_TO:
        # Most graphs are connected, which a search tells in a fraction of what counting parts takes.
        hub = int(np.argmax(np.diff(adjacency.indptr)))
        if len(csgraph.breadth_first_order(adjacency, hub, return_predecessors=False)) == n:
            return 1, np.zeros(n, dtype=np.int32)
        count, labels = csgraph.connected_components(adjacency, directed=False)
        return int(count), labels
    rows = np.repeat(np.arange(n), np.diff(adjacency.indptr))
    before, least = np.full(n, -1), np.arange(n)
    while (before != least).any():
        before = least.copy()
        # Everyone takes the least name among its neighbours, and then the name that its bearer has.
        np.minimum.at(least, rows, before[adjacency.indices])
        least = least[least]
    firsts, found = np.unique(least, return_inverse=True)
    return firsts.size, found


def place(layouts: NDArray[np.floating], parts: Parts, centers: Floats, radii: Floats, *, inner: float = 0.0) -> Floats:
    """Put the layout of each part into its disc, and the isolates in rings around all discs.

    Each part is moved and scaled, not turned, so that the circle around its nodes fits its disc. Only
    outliers beyond `OUTLYING` are drawn in towards the rest, so that a single one does not shrink it.

    Parameters
    ----------
    layouts : ndarray, shape (m, 2)
        Layouts in any unit, part after part as in ``parts.order``, without isolates.
    parts : Parts
        See `split`.
    centers : ndarray, shape (k, 2)
        See `pack`, given ``parts.sizes``.
    radii : ndarray, shape (k,)
        The same.
    inner : float
        Radius of a circle at the origin that isolates stay outside of, too.

    Returns
    -------
    ndarray, shape (n, 2)
        Positions in the order of the graph's nodes.
    """
    fitted = fit(layouts, parts, radii)
    return fitted.at(centers, inner=inner)


@dataclass(frozen=True, eq=False)
class Fit:
    """Layouts of parts as they fit their discs, before they are put there.

    Attributes
    ----------
    parts : Parts
    radii : ndarray, shape (k,)
        Of the discs.
    x, y : ndarray, shape (m,)
        Places in the parts' own units, outliers drawn in, around the middles; part after part.
    scales : ndarray, shape (k,)
        By what each part is multiplied.
    middles : ndarray, shape (k, 2)
        What comes to lie at the middle of each disc, in the own units.
    """

    parts: Parts
    radii: Floats
    x: Floats
    y: Floats
    scales: Floats
    middles: Floats

    def at(self, centers: Floats, origins: Floats | None = None, *, inner: float = 0.0) -> Floats:
        """Put them into discs around these centres, and the isolates in rings around all discs.

        Parameters
        ----------
        centers : ndarray, shape (k, 2)
        origins : ndarray, shape (k, 2), optional
            Points of the parts that are to lie at the centres instead of the middles; NaN for the middles.
        inner : float
            As for `place`.

        Returns
        -------
        ndarray, shape (n, 2)
            Positions in the order of the graph's nodes.
        """
        Y = np.empty((len(self.parts.order), 2))
        counts, linked = self.parts.sizes, self.parts.order[: self.parts.offsets[-1]]
        if counts.size:
            scale = np.repeat(self.scales, counts)
            places = [self.x, self.y]
            if origins is not None:
                away = np.where(np.isnan(origins), 0, self.middles - origins)
                places = [place + np.repeat(apart, counts) for place, apart in zip(places, away.T, strict=True)]
            for axis, place in enumerate(places):
                Y[linked, axis] = place * scale + np.repeat(centers[:, axis], counts)
            inner = max(inner, float((np.hypot(centers[:, 0], centers[:, 1]) + self.radii).max()))
        Y[self.parts.isolates] = rings(len(self.parts.isolates), inner)
        return Y


def fit(layouts: NDArray[np.floating], parts: Parts, radii: Floats) -> Fit:
    """Find how the layout of each part fits its disc; the arguments are those of `place`."""
    counts, starts = parts.sizes, parts.offsets[:-1]
    if not counts.size:
        return Fit(parts, radii, np.empty(0), np.empty(0), np.empty(0), np.empty((0, 2)))
    wide = np.asarray(layouts, dtype=np.float64)
    means = [np.add.reduceat(column, starts) / counts for column in wide.T]
    x, y = (column - np.repeat(mean, counts) for column, mean in zip(wide.T, means, strict=True))
    _draw_in(x, y, starts, counts)
    middles = [(np.minimum.reduceat(place, starts) + np.maximum.reduceat(place, starts)) / 2 for place in (x, y)]
    x -= np.repeat(middles[0], counts)
    y -= np.repeat(middles[1], counts)
    reach = np.sqrt(np.maximum.reduceat(x * x + y * y, starts))
    room = np.maximum(radii - INSET, 0)
    scales = np.divide(room, reach, out=np.zeros_like(room), where=reach > 0)
    return Fit(parts, radii, x, y, scales, np.add(means, middles).T)


def _draw_in(x: Floats, y: Floats, starts: NDArray[np.intp], counts: NDArray[np.intp]) -> None:
    """Compress, along the ray and in order, what lies far outside of parts that are centred on their means."""
    square = x * x + y * y
    limits = OUTLYING * np.sqrt(np.add.reduceat(square, starts) / counts)
    limit = np.repeat(limits, counts)
    far = np.flatnonzero(square > limit * limit)
    distance, limit = np.sqrt(square[far]), limit[far]
    width = limit / 4
    excess = (distance - limit) / width
    factor = (limit + width * excess / (1 + excess)) / distance
    x[far] *= factor
    y[far] *= factor
