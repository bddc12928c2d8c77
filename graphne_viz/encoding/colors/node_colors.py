"""From a column to the colour of every node, by the rules of ``js/src/encoding/colors.ts``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR, VALUE_COLORMAP
from graphne_viz.encoding.columns.column import ClassColumn, ColorColumn, ValueColumn

if TYPE_CHECKING:
    import matplotlib as mpl
    import matplotlib.cm as mpl_cm
    import matplotlib.colors as mpl_colors
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap, Normalize
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
else:
    mpl = lazy_import("matplotlib")
    mpl_cm = lazy_import("matplotlib.cm")
    mpl_colors = lazy_import("matplotlib.colors")


COLORMAP_STEPS = 256
"""Colours of a scale: as many as matplotlib has, so that no value is a step away from its colour there."""


@dataclass(frozen=True, eq=False)
class NodeColors:
    """The colour of every node.

    Attributes
    ----------
    rgba : ndarray, shape (n, 4)
        From 0 to 1.
    grey : ndarray of bool, shape (n,)
        Nodes without a value, or of a class without a colour of its own; they are drawn below the others.
    """

    rgba: NDArray[np.float64]
    grey: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ColorScale:
    """How numbers become colours, and what a colour bar shows of it.

    Attributes
    ----------
    mappable : matplotlib.cm.ScalarMappable
        Colour map and normalisation.
    tails : tuple of bool
        Whether values lie below and above the ends of the scale; they have the colours of these ends.
    whole : bool
        Whether all values are whole numbers on a linear scale.
    date : bool
        Whether they are days since 1970-01-01.
    constant : float or None
        The value that all nodes share, in the middle of the scale; None if they differ.
    """

    mappable: ScalarMappable
    tails: tuple[bool, bool] = (False, False)
    whole: bool = False
    date: bool = False
    constant: float | None = None

    def rgba(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the colours of values, shape (n, 4); that of a missing value is `MISSING_COLOR`."""
        known = np.isfinite(values)
        if self.constant is not None:
            rgba = np.tile(self.mappable.cmap(0.5), (len(values), 1))
        else:
            rgba = np.array(self.mappable.to_rgba(np.ma.masked_invalid(values.astype(np.float64))), dtype=np.float64)
        rgba[~known] = mpl_colors.to_rgba(MISSING_COLOR)
        return rgba


def color_scale(
    column: ValueColumn, cmap: str | Colormap = VALUE_COLORMAP, norm: str | Normalize | None = None
) -> ColorScale | None:
    """Return the scale of a column of numbers; None if it holds none.

    Parameters
    ----------
    column : ValueColumn
    cmap, norm
        As in `graphne_viz.plotting.plot.plot`. Without `norm` the scale is linear and ends where a long tail of values
        begins.
    """
    values = np.ma.masked_invalid(column.values.astype(np.float64))
    if not values.count():
        return None
    if norm is not None:
        mappable = mpl_cm.ScalarMappable(norm=cast("Normalize", norm), cmap=cmap)
        mappable.set_array(values)
        mappable.autoscale_None()
        low, high = mappable.get_clim()
        tails = (low is not None and column.low < low, high is not None and column.high > high)
        return ColorScale(mappable, tails, date=column.date)
    low, high = column.scale
    constant = None if high > low else low
    # A bar needs two ends, also around a single value; one so large that 0.5 is lost in its rounding needs more.
    half = 0.0 if constant is None else max(0.5, 1e-6 * abs(low))
    mappable = mpl_cm.ScalarMappable(norm=mpl_colors.Normalize(low - half, high + half), cmap=cmap)
    return ColorScale(mappable, (column.low < low, column.high > high), column.whole, column.date, constant)


def check_colormap(cmap: str | Colormap) -> str | Colormap:
    """Return a colour map of matplotlib, by name or itself; refuse anything else."""
    if isinstance(cmap, str) and cmap not in mpl.colormaps:
        near = get_close_matches(cmap, mpl.colormaps, n=1)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"cmap={cmap!r} is not a colour map of matplotlib{hint}")
    if not isinstance(cmap, (str, mpl_colors.Colormap)):
        raise TypeError(f"cmap must be the name of a colour map or a Colormap, got {cmap!r}")
    return cmap


def with_norm(column: ValueColumn, norm: str | Normalize | None) -> ValueColumn:
    """Return a column of numbers with the places on its scale where the colours of a normalisation change.

    Raises
    ------
    ValueError
        If it has no inverse, so that there are no such places.
    """
    scale = None if norm is None else color_scale(column, norm=norm)
    if scale is None:
        return column
    try:
        inverse = cast("Normalize", scale.mappable.norm).inverse
        stops = np.asarray(inverse(np.linspace(0, 1, COLORMAP_STEPS + 1)[1:-1]), dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"norm={norm!r} cannot be used in a view: {error}") from None
    low, high = (float(end or 0.0) for end in scale.mappable.get_clim())
    return replace(column, scale=(low, high), stops=stops)


def node_colors(
    column: Column | None, n: int, *, plain: str = CLASS_COLORS[0], scale: ColorScale | None = None
) -> NodeColors:
    """Give every node its colour.

    Parameters
    ----------
    column : Column or None
        None for one colour for all.
    n : int
        Number of nodes.
    plain : str
        The colour of all nodes where no column decides.
    scale : ColorScale, optional
        For numbers; by default that of `color_scale`.

    Returns
    -------
    NodeColors
    """
    if isinstance(column, ClassColumn):
        table = [*(category.color or OTHER_COLOR for category in column.categories), MISSING_COLOR]
        grey = np.array([*(category.color is None for category in column.categories), True])
        return NodeColors(mpl_colors.to_rgba_array(table)[column.codes], grey[column.codes])
    if isinstance(column, ValueColumn):
        scale = color_scale(column) if scale is None else scale
        missing = ~np.isfinite(column.values)
        rgba = np.tile(mpl_colors.to_rgba(MISSING_COLOR), (n, 1)) if scale is None else scale.rgba(column.values)
        return NodeColors(rgba, missing)
    if isinstance(column, ColorColumn):
        # A node without a colour has that of a missing value, and whoever chose that grey gets what it stands for.
        missing = (column.rgba == np.rint(255 * np.array(mpl_colors.to_rgba(MISSING_COLOR)))).all(axis=1)
        return NodeColors(column.rgba / 255, missing)
    return NodeColors(np.tile(mpl_colors.to_rgba(plain), (n, 1)), np.zeros(n, dtype=bool))
