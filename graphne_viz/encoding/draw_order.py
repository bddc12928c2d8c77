"""Which node is drawn over which, by the rule of ``js/src/encoding/draw-order.ts``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def draw_order(grey: NDArray[np.bool_], areas: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the nodes from the lowest to the topmost.

    Parameters
    ----------
    grey : ndarray of bool, shape (n,)
        Nodes without a colour of their own; they are drawn first.
    areas : ndarray, shape (n,)
        Large nodes are drawn before small ones, which they would hide; equal ones in the order of the graph.

    Returns
    -------
    ndarray of int, shape (n,)

    Examples
    --------
    >>> draw_order(np.array([False, True, False]), np.array([1.0, 1.0, 4.0])).tolist()
    [1, 2, 0]
    """
    return np.lexsort((-areas, ~grey))
