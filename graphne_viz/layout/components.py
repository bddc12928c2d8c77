"""Graphs in several parts: each part gets a disc of its own, and the discs are packed.

The discs depend on the numbers of nodes only, so a part's place is known before its layout is, and a
live picture does not jump. The unit of length is such that a node has an area of pi.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csgraph

    Floats = NDArray[np.float64]
else:
    csgraph = lazy_import("scipy.sparse.csgraph")

SPACING = math.sqrt(math.pi)
"""Typical distance between two nodes of a part."""

GAP = 0.7 * SPACING
"""Room between two discs; with the inset of both, nodes of two parts are 1.5 spacings apart or more."""

INSET = 0.4 * SPACING
"""Room between a disc's rim and its nodes; it gives two nodes an edge of 0.8 spacings, not 1.6."""

_DENSE_UP_TO = 128
"""Nodes up to which connected parts are found in a full matrix."""

CHAINED = 2000
"""So many parts are packed one by one, the rest, small and alike, on lattices around them."""

ALIKE = 0.93
"""Discs share a lattice while their radius is at least this share of the largest one's."""

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

    @cached_property
    def shares(self) -> NDArray[np.intp]:
        """What `pack` needs a disc for: the sizes and, where there are any, all isolates together."""
        lonely = len(self.isolates)
        return np.append(self.sizes, lonely) if lonely else self.sizes

    @cached_property
    def parking(self) -> Floats:
        """Where the isolates stand among themselves, kept because every live frame needs it."""
        return _lattice(len(self.isolates))

    @cached_property
    def _position(self) -> NDArray[np.intp]:
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
            In the order of ``nodes(first, last)``; P itself where that is all of it.
        """
        nodes = self.nodes(first, last)
        if len(nodes) == P.shape[0] and self.n_parts == 1:
            return P
        rows = P[nodes]
        columns = (self._position[rows.indices] - self.offsets[first]).astype(rows.indices.dtype)
        return sp.csr_array((rows.data, columns, rows.indptr), shape=(len(nodes), len(nodes)))


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
    n = int(adjacency.shape[0])
    count, found = _connected_components(adjacency)
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


def pack(sizes: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Pack one disc for each part around the origin, without overlap.

    Parameters
    ----------
    sizes : ndarray, shape (k,)
        Numbers of nodes, in any order.

    Returns
    -------
    centers : ndarray, shape (k, 2)
        The circle around all discs has its centre at the origin.
    radii : ndarray, shape (k,)
        ``sqrt(sizes)``. Discs keep a distance of `GAP`.
    """
    radii: Floats = np.sqrt(np.asarray(sizes, dtype=np.float64))
    centers = np.zeros((len(radii), 2))
    order = np.argsort(-radii, kind="stable")
    r = radii[order] + GAP / 2
    equal = len(r) > 0 and r[0] == r[-1]
    head = 0 if equal and len(r) >= 7 else min(len(r), CHAINED)
    packed, extent = _chain(r[:head])
    blocks = [packed]
    while head < len(r):
        end = int(np.searchsorted(-r, -ALIKE * r[head], side="right"))
        pitch = 2 * r[head]
        # At the very middle there is nothing to keep clear of.
        sites = pitch * _lattice(end - head, (extent + r[head]) / pitch if extent else 0.0)
        blocks.append(sites)
        extent = float(np.hypot(*sites[-1]) + r[head])
        head = end
    centers[order] = np.concatenate(blocks)
    return centers, radii


def _lattice(count: int, inner: float = 0.0) -> Floats:
    """List the sites of a hexagonal lattice of unit pitch from ``inner`` outwards, shape (count, 2)."""
    if count == 0:
        return np.zeros((0, 2))
    height = math.sqrt(0.75)
    outer = math.sqrt(inner**2 + count * height / math.pi) + 2
    reach = math.ceil(outer / height)
    row, column = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    x, y = (column + row % 2 / 2).ravel(), (row * height).ravel()
    distance = np.hypot(x, y)
    near = np.flatnonzero((distance >= inner) & (distance <= outer))
    x, y, distance = x[near], y[near], distance[near]
    nearest = np.lexsort((np.arctan2(y, x), distance.round(9)))[:count]
    return np.column_stack([x[nearest], y[nearest]])


def _chain(radii: Floats) -> tuple[Floats, float]:
    """Pack discs one by one, each where it touches the two of the rim that are nearest to the middle.

    Returns centres, shape (k, 2), and the radius of the circle around all, which is at the origin.
    """
    n = len(radii)
    if n < 2:
        return np.zeros((n, 2)), float(radii.sum())
    rim = _Rim(radii.tolist())
    for disc in range(2, n):
        rim.add(disc)
    centers = np.column_stack([rim.x, rim.y])
    # Towards the disc that sticks out most, in ever smaller steps: the circle around all (Badoiu, Clarkson).
    middle = np.average(centers, axis=0, weights=radii**2)
    best, extent = middle, math.inf
    for step in range(2, 200):
        away = centers - middle
        distance = np.hypot(away[:, 0], away[:, 1])
        out = int(np.argmax(distance + radii))
        reach = float(distance[out] + radii[out])
        if reach < extent:
            best, extent = middle, reach
        middle = middle + away[out] / max(distance[out], 1e-12) * (reach / (2 * step))
    return centers - best, extent


class _Rim:
    """Discs packed so far, and which of them form the rim.

    The front chain of Wang et al., "Visualization of large hierarchical data by circle packing", CHI 2006.
    """

    def __init__(self, radii: list[float]) -> None:
        n = len(radii)
        self.r = radii
        self.x = [-radii[1], radii[0], *[0.0] * (n - 2)]
        self.y = [0.0] * n
        self.after, self.before = [-1] * n, [-1] * n
        self.pairs: list[tuple[float, int, int]] = []  # a heap: neighbours on the rim, nearest first
        self._join(0, 1)
        self._join(1, 0)

    def add(self, c: int) -> None:
        """Place the disc c."""
        after = self.after
        while after[self.pairs[0][1]] != self.pairs[0][2]:
            heapq.heappop(self.pairs)
        _, a, b = self.pairs[0]
        while True:
            self._touch(a, b, c)
            a_new, b_new = self._obstacle(a, b, c)
            if (a_new, b_new) == (a, b):
                break
            a, b = a_new, b_new
            inner = after[a]
            while inner != b:  # closed in, for good
                after[inner], inner = -1, after[inner]
            after[a], self.before[b] = b, a
        self._join(a, c)
        self._join(c, b)

    def _join(self, a: int, b: int) -> None:
        self.after[a], self.before[b] = b, a
        share = self.r[a] / (self.r[a] + self.r[b])
        x = self.x[a] + share * (self.x[b] - self.x[a])
        y = self.y[a] + share * (self.y[b] - self.y[a])
        heapq.heappush(self.pairs, (math.hypot(x, y), a, b))

    def _touch(self, a: int, b: int, c: int) -> None:
        """Move c to where it touches a and b, outside the rim, which runs from a to b."""
        dx, dy = self.x[b] - self.x[a], self.y[b] - self.y[a]
        square = dx * dx + dy * dy
        near, far = (self.r[a] + self.r[c]) ** 2, (self.r[b] + self.r[c]) ** 2
        along = (square + near - far) / (2 * square)
        aside = math.sqrt(max(0.0, near / square - along * along))
        self.x[c] = self.x[a] + along * dx + aside * dy
        self.y[c] = self.y[a] + along * dy - aside * dx

    def _obstacle(self, a: int, b: int, c: int) -> tuple[int, int]:
        """Look along the rim, both ways, for a disc that c overlaps; it replaces b or a."""
        r, x, y = self.r, self.x, self.y
        cx, cy, rc = x[c], y[c], r[c] - 1e-9  # touching is not overlapping
        ahead, behind = self.after[b], self.before[a]
        way_ahead, way_behind = r[b], r[a]
        while ahead != a:
            if way_ahead <= way_behind:
                if (x[ahead] - cx) ** 2 + (y[ahead] - cy) ** 2 < (r[ahead] + rc) ** 2:
                    return a, ahead
                if ahead == behind:
                    break
                way_ahead += r[ahead]
                ahead = self.after[ahead]
            else:
                if (x[behind] - cx) ** 2 + (y[behind] - cy) ** 2 < (r[behind] + rc) ** 2:
                    return behind, b
                if ahead == behind:
                    break
                way_behind += r[behind]
                behind = self.before[behind]
        return a, b


def place(layouts: NDArray[np.floating], parts: Parts, centers: Floats, radii: Floats) -> Floats:
    """Put the layout of each part into its disc, and the isolates on a lattice in theirs.

    Each part is moved and scaled, not turned, so that the circle around its nodes fits its disc. Only
    outliers beyond `OUTLYING` are drawn in towards the rest, so that a single one does not shrink it.

    Parameters
    ----------
    layouts : ndarray, shape (m, 2)
        Layouts in any unit, part after part as in ``parts.order``, without isolates.
    parts : Parts
        See `split`.
    centers : ndarray, shape (k, 2)
        See `pack`, given ``parts.shares``.
    radii : ndarray, shape (k,)
        The same.

    Returns
    -------
    ndarray, shape (n, 2)
        Positions in the order of the graph's nodes.
    """
    Y = np.empty((len(parts.order), 2))
    if len(Y) == 0:
        return Y
    grouped = np.concatenate([layouts, parts.parking])
    counts = parts.shares
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    x, y = _draw_in(grouped[:, 0], grouped[:, 1], starts, counts)
    x -= np.repeat((np.minimum.reduceat(x, starts) + np.maximum.reduceat(x, starts)) / 2, counts)
    y -= np.repeat((np.minimum.reduceat(y, starts) + np.maximum.reduceat(y, starts)) / 2, counts)
    reach = np.sqrt(np.maximum.reduceat(x * x + y * y, starts))
    room = np.maximum(radii - INSET, 0)
    scale = np.repeat(np.divide(room, reach, out=np.zeros_like(room), where=reach > 0), counts)
    Y[parts.order, 0] = x * scale + np.repeat(centers[:, 0], counts)
    Y[parts.order, 1] = y * scale + np.repeat(centers[:, 1], counts)
    return Y


def _draw_in(x: Floats, y: Floats, starts: NDArray[np.intp], counts: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Centre each part on its mean and compress, along the ray and in order, what lies far outside."""
    x = x - np.repeat(np.add.reduceat(x, starts) / counts, counts)
    y = y - np.repeat(np.add.reduceat(y, starts) / counts, counts)
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
    return x, y
