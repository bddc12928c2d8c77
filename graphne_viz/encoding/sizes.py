"""From a column to the area of every node, by the rules of ``js/src/encoding/sizes.ts``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.columns.column import AREA_KEY, ValueColumn
from graphne_viz.encoding.dots import PIXELS_PER_POINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column

SMALLEST_AREA, LARGEST_AREA = 0.4, 8.0
"""Bounds of a node's area where a size is given by values, relative to the area it would have without."""


MOST_ON_AVERAGE = 2.5
"""The same of all nodes together: where most of them have a large value, discs would cover each other."""


def node_areas(
    column: Column | None,
    n: int,
    base: float,
    size_range: tuple[float, float] | None = None,
    values: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Give every node its area in square points, as matplotlib's scatter has it: that of the square around the disc.

    Parameters
    ----------
    column : Column or None
        Values whose range is mapped to areas around `base`; nodes without a value get the smallest. If all values are
        the same, or there is no column of numbers, all nodes get `base`. Values under the key `AREA_KEY` are areas.
    n : int
        Number of nodes.
    base : float
        The area that suits the number of nodes.
    size_range : tuple of float, optional
        Diameters of the smallest and the largest node in pixels, in place of what suits.
    values : ndarray, shape (n,), optional
        What to give areas to in place of the column's own values, as a key of sizes does.

    Returns
    -------
    ndarray, shape (n,)
    """
    areas = np.full(n, float(base))
    if not isinstance(column, ValueColumn):
        return areas
    asked = column.values.astype(np.float64) if values is None else values
    if column.key == AREA_KEY:
        return np.where(asked >= 0, asked, areas)
    if not column.high > column.low:
        return areas
    if size_range is not None:
        low, high = ((pixels / PIXELS_PER_POINT) ** 2 for pixels in size_range)
    else:
        mean = float(_shares(column, column.values.astype(np.float64)).mean())
        low = base * SMALLEST_AREA
        high = min(base * LARGEST_AREA, low + base * (MOST_ON_AVERAGE - SMALLEST_AREA) / max(mean, 1e-9))
    return low + (high - low) * _shares(column, asked)


def _shares(column: ValueColumn, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tell where values lie in the whole range, tails included: sizes are there to show the few that are large."""
    share = np.clip((values - column.low) / (column.high - column.low), 0, 1)
    return np.where(np.isfinite(values), share, 0.0)


def diameters(areas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the diameters, in points, of discs whose sizes are areas as `node_areas` has them."""
    return np.sqrt(areas)
