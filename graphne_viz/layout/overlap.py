"""Nodes that have a size: those that overlap are moved apart, no further than needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import spatial

    Floats = NDArray[np.float64]
else:
    spatial = lazy_import("scipy.spatial")

MOST_COVERED = 0.45
"""Share of the layout's area that discs may cover; where they would cover more they count as smaller.

Discs can be packed up to 0.9, but not without moving all of them.
"""

NX_NODE_SIZE = 300.0
"""Area of a node as nx.draw draws it by default, in square points."""

AUTOMATIC_UP_TO = 500
"""Nodes up to which overlap is removed without being asked for; more have no room on nx.draw's page."""

PAGE = 72 * 4.8 / 1.1
"""The shorter side of matplotlib's default page in points, without the margin that nx.draw leaves."""

_PASSES = 4
"""Passes over a layout, whose page shrinks when nodes have been moved outwards."""

_DENSE_UP_TO = 400
"""Nodes up to which all pairs are looked at; beyond, a tree finds those that are near."""

_ROUNDS = 300
"""Rounds of moving at most; few layouts need more than thirty."""

_ENOUGH = 0.02
"""Overlap, as a share of the distance that is wanted, that is left alone."""


def make_room(positions: Floats, node_size: Floats | float, held: NDArray[np.bool_] | None = None) -> Floats:
    """Move nodes apart that would overlap on nx.draw's page.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        In any unit; left unchanged.
    node_size : float or ndarray, shape (n,)
        Areas of the nodes in square points, as for ``nx.draw``.
    held : ndarray of bool, shape (n,), optional
        Nodes that do not move.

    Returns
    -------
    ndarray, shape (n, 2)
    """
    moved = positions
    for _ in range(_PASSES):
        before = np.ptp(moved, axis=0).max()
        moved = remove_overlap(moved, np.sqrt(node_size) / 2 / PAGE * before, held)
        if np.ptp(moved, axis=0).max() < 1.01 * before:
            break
    return moved


def remove_overlap(positions: Floats, radii: Floats | float, held: NDArray[np.bool_] | None = None) -> Floats:
    """Move overlapping discs apart.

    Every round moves the two discs of each overlapping pair along the line between them, by half of what they lack;
    others stay where they are.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        Centres; left unchanged.
    radii : float or ndarray, shape (n,)
        In the same unit.
    held : ndarray of bool, shape (n,), optional
        Discs that do not move.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> remove_overlap(np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 5.0]]), 1).round(1)
    array([[-0.5,  0. ],
           [ 1.5,  0. ],
           [ 9. ,  5. ]])
    """
    n = len(positions)
    moved = np.array(positions, dtype=np.float64)
    wanted = np.broadcast_to(np.asarray(radii, dtype=np.float64), n)
    if n < 2 or not wanted.any():
        return moved
    extent = np.ptp(moved, axis=0)
    room = float(max(extent.prod(), extent.max() * 2 * wanted.max(), 1e-300))
    size = wanted * min(1.0, np.sqrt(MOST_COVERED * room / (np.pi * (wanted**2).sum())))
    free = np.ones(n) if held is None else (~held).astype(np.float64)
    for _ in range(_ROUNDS):
        i, j = _near(moved, 2 * float(size.max()))
        apart = moved[i] - moved[j]
        distance = np.sqrt((apart**2).sum(axis=1))
        lacking = size[i] + size[j] - distance
        close = (lacking > _ENOUGH * (size[i] + size[j])) & (free[i] + free[j] > 0)
        if not close.any():
            break
        i, j, apart, distance, lacking = (values[close] for values in (i, j, apart, distance, lacking))
        same = distance < 1e-12 * size.max()
        # Discs on one point have no line between them: each pair gets a direction of its own.
        angle = 2.4 * (i[same] + j[same])
        apart[same] = np.column_stack([np.cos(angle), np.sin(angle)])
        distance[same] = 1
        push = apart * (lacking / distance / (free[i] + free[j]))[:, None]
        count = np.maximum(np.bincount(i, minlength=n) + np.bincount(j, minlength=n), 1)
        for axis in range(2):
            step = np.bincount(i, push[:, axis], n) - np.bincount(j, push[:, axis], n)
            # A disc between many others is pushed by all of them, and would be thrown out.
            moved[:, axis] += free * step / np.sqrt(count)
    return moved


def _near(points: Floats, distance: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of points that are closer than a distance, each pair once."""
    if len(points) <= _DENSE_UP_TO:
        x, y = points.T
        squares = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
        i, j = np.nonzero(np.triu(squares < distance * distance, 1))
        return i, j
    pairs = spatial.cKDTree(points).query_pairs(distance, output_type="ndarray")
    return pairs[:, 0], pairs[:, 1]
