"""Nodes that are held in place, in cells: far ones repel a free node together, near ones each for itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.engine import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_CELLS = 4.0
"""Cells for each square root of the number of nodes: about as many as there are near nodes, so that both cost alike."""

_REACH = 2
"""Cells up to which nodes are near. Farther ones are replaced by as many at their mean: an error of a few percent."""


class HeldCells:
    """Where held nodes are, sorted by cells of a square mesh.

    Parameters
    ----------
    x, y : ndarray of float32, shape (m,)
        Their places, at least one.
    dof : float32
        Degrees of freedom of the kernel.
    """

    def __init__(self, x: Floats, y: Floats, dof: np.float32) -> None:
        self._dof = dof
        span_x, span_y = float(np.ptp(x)), float(np.ptp(y))
        count = _CELLS * math.sqrt(x.size)
        # A line has as many cells as an area.
        size = max(math.sqrt(span_x * span_y / count), max(span_x, span_y) / count, 1e-6)
        self._width, self._height = int(span_x / size) + 1, int(span_y / size) + 1
        self._origin = x.min(), y.min(), np.float32(1 / size)
        column = np.minimum(((x - x.min()) * self._origin[2]).astype(np.int64), self._width - 1)
        row = np.minimum(((y - y.min()) * self._origin[2]).astype(np.int64), self._height - 1)
        cell = row * self._width + column
        order = np.argsort(cell, kind="stable")
        counts = np.bincount(cell, minlength=self._width * self._height)
        self._start = np.concatenate([[0], np.cumsum(counts)])
        self._x, self._y = x[order], y[order]
        self._counts = counts.astype(np.float32)
        filled = np.maximum(counts, 1)
        self._cell_x = (np.bincount(cell, x, counts.size) / filled).astype(np.float32)
        self._cell_y = (np.bincount(cell, y, counts.size) / filled).astype(np.float32)

    def push(self, lo: int, hi: int, places: Floats, push: Floats, z: Floats) -> None:
        """Add the push on free nodes ``lo:hi``, and write down the sums of their similarities to held ones.

        Parameters
        ----------
        lo, hi : int
        places : ndarray of float32, shape (2, k)
            Of the free nodes.
        push : ndarray of float32, shape (2, k)
        z : ndarray of float32, shape (k,)
        """
        kernels.repel_from_cells(
            lo, hi, *places, self._cell_x, self._cell_y, self._counts, self._start, self._x, self._y, *self._origin,
            self._width, self._height, _REACH, self._dof, *push, z,
        )  # fmt: skip
