"""Discs of several sizes packed without overlap, and what stands in rings around them.

The unit of length is such that a node has an area of pi.
"""

from __future__ import annotations

import heapq
import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SPACING = math.sqrt(math.pi)
"""Typical distance between two nodes of a part."""

GAP = 0.7 * SPACING
"""Room between two discs; with the inset of both, nodes of two parts are 1.5 spacings apart or more."""

CHAINED = 2000
"""So many discs are packed one by one, the rest, small and alike, on lattices around them."""

ALIKE = 0.93
"""Discs share a lattice while their radius is at least this share of the largest one's."""

DOMINANT = 2.0
"""A disc that is so many times as wide as the next is the middle, and the others lie around it."""

_RIM_WIDTH = 0.3
"""Rings around a circle stay within this share of its radius, if standing closer lets them."""

_CLOSEST, _WIDEST = 0.75 * SPACING, 1.05 * SPACING
"""Between these two, nodes in rings stand as far apart as that allows."""


def pack(sizes: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Pack one disc for each part around the origin, without overlap; around a dominant one all others.

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


@lru_cache(maxsize=8)
def rings(count: int, inner: float) -> Floats:
    """Stand nodes evenly in rings around a circle, or, without one, on a lattice around the origin.

    Kept, because every live frame needs it.

    Parameters
    ----------
    count : int
        Number of nodes.
    inner : float
        Radius of the circle, which is at the origin.

    Returns
    -------
    ndarray, shape (count, 2)
        Read-only. Of few nodes the first is at the upper right, where a frame has room.
    """
    if inner <= 0 or count == 0:
        sites = _WIDEST * _lattice(count)
    else:
        area = math.pi * inner**2 * ((1 + _RIM_WIDTH) ** 2 - 1)
        pitch = float(np.clip(math.sqrt(area / count), _CLOSEST, _WIDEST))
        radii: list[float] = []
        room: list[int] = []
        while sum(room) < count:
            radii.append(inner + GAP + pitch * (len(radii) + 0.5))
            room.append(int(math.pi / math.asin(pitch / (2 * radii[-1]))))
        held = np.array(room) * count // sum(room)
        held[len(held) - (count - int(held.sum())) :] += 1
        ring = np.repeat(np.arange(len(held)), held)
        place = np.arange(count) - np.repeat(np.cumsum(held) - held, held)
        angle = math.pi / 4 + 2 * math.pi * (place + ring % 2 / 2) / held[ring]
        sites = np.array(radii)[ring, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    sites.flags.writeable = False
    return sites


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
    rim = _Rim(radii.tolist(), around_first=bool(radii[0] >= DOMINANT * radii[1]))
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

    def __init__(self, radii: list[float], *, around_first: bool) -> None:
        n = len(radii)
        self.r = radii
        self.middle = -radii[1] if around_first else 0.0  # where the first disc is, or where it touches the second
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
        heapq.heappush(self.pairs, (math.hypot(x - self.middle, y), a, b))

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
