"""From what the caller asks for (an attribute, an array, a colour) to one colour and one size a node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.viewer.dates import are_dates
from graphne_viz.viewer.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR, VALUE_COLORMAP
from graphne_viz.viewer.values import (
    as_classes,
    as_floats,
    as_text,
    class_texts,
    color_values,
    is_missing,
    is_number,
    node_values,
    scale_of,
)

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap, Normalize
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.values import ColorKind, NodeData, Palette

SMALLEST_SIZE, LARGEST_SIZE = 0.4, 8.0
"""Bounds of a node's area where a size is given by values, relative to the area it would have without."""


@dataclass(frozen=True)
class LegendEntry:
    """One line of a legend."""

    label: str
    color: str
    count: int


@dataclass(frozen=True, eq=False)
class NodeColors:
    """The colour of every node, and what explains it.

    Attributes
    ----------
    rgba : ndarray, shape (n, 4)
    grey : ndarray of bool, shape (n,)
        Nodes without a value or without a colour of their own; they belong under the others.
    name : str
        What the colours show, "" if that has no name.
    legend : tuple of LegendEntry
        For classes, otherwise empty.
    scale : matplotlib.cm.ScalarMappable or None
        For values.
    whole : bool
        Whether the values are whole numbers on a linear scale.
    beyond : tuple of bool
        Whether there are values below and above the scale.
    date : bool
        Whether the values are days since 1970-01-01.
    """

    rgba: NDArray[np.float64]
    grey: NDArray[np.bool_]
    name: str = ""
    legend: tuple[LegendEntry, ...] = ()
    scale: ScalarMappable | None = None
    whole: bool = False
    beyond: tuple[bool, bool] = (False, False)
    date: bool = False


def node_colors(
    graph: Graph,
    color: NodeData | tuple[float, ...] | None = None,
    *,
    kind: ColorKind = "auto",
    palette: Palette = CLASS_COLORS,
    cmap: str | Colormap = VALUE_COLORMAP,
    norm: str | Normalize | None = None,
) -> NodeColors:
    """Give every node its colour. See `graphne_viz.viewer.plot.plot` for what `color` may be."""
    if color is None:
        color = palette[0] if isinstance(palette, Sequence) and palette else CLASS_COLORS[0]
    kind, values = color_values(graph, color, kind)
    name = color if isinstance(color, str) else ""
    if kind == "colors":
        return NodeColors(own_rgba(values), np.zeros(graph.n_nodes, dtype=bool))
    if kind == "classes":
        return _class_colors(values, name, palette)
    return _value_colors(graph, values, name, cmap, norm)


def node_sizes(graph: Graph, size: NodeData | float | None, base: float) -> NDArray[np.float64]:
    """Give every node its area in square points.

    Parameters
    ----------
    graph : Graph
    size : None, float, str, mapping or array
        None takes `base`, a number is the area itself, anything else holds values whose range is mapped to
        areas around `base`; a node without a value gets the smallest.
    base : float
        The area that suits the number of nodes.

    Returns
    -------
    ndarray, shape (n,)
    """
    if size is None or is_number(size):
        area = base if size is None else float(cast("float", size))
        if not 0 <= area < np.inf:
            raise ValueError(f"size={size!r} is not an area: a finite number from 0 is accepted")
        return np.full(graph.n_nodes, area)
    values = as_floats(graph, node_values(graph, cast("NodeData", size), "size", alternative=""), "size")
    known = np.isfinite(values)
    low, high = (values[known].min(), values[known].max()) if known.any() else (0.0, 0.0)
    if low == high:
        return np.full(graph.n_nodes, base)
    share = np.where(known, (values - low) / (high - low), 0.0)
    return base * (SMALLEST_SIZE + (LARGEST_SIZE - SMALLEST_SIZE) * share)


def own_rgba(colors: NDArray[np.generic]) -> NDArray[np.float64]:
    """Read values that are colours already.

    Parameters
    ----------
    colors : ndarray, shape (n,) of matplotlib colours, None where there is none; or shape (n, 3) or (n, 4)

    Returns
    -------
    ndarray, shape (n, 4)
    """
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if not len(colors):
        return np.zeros((0, 4))
    given: object = colors
    if colors.ndim == 1:
        given = [MISSING_COLOR if gone else color for color, gone in zip(colors, is_missing(colors), strict=True)]
    try:
        return to_rgba_array(cast("list[str]", given))
    except (TypeError, ValueError) as error:
        raise ValueError(f"color holds something that is no colour: {error}") from None


def _class_colors(values: NDArray[np.generic], name: str, palette: Palette) -> NodeColors:
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    classes = as_classes(class_texts(values), palette)
    hues = [color for color in classes.colors if color is not None]
    entries = [
        LegendEntry(as_text(text) if text.strip() else "(empty)", hue, int(count))
        for text, hue, count in zip(classes.labels, hues, classes.counts, strict=False)
    ]
    rest = len(classes.labels) - len(hues)
    if rest:
        label = f"{rest:,} more class{'es' if rest > 1 else ''}"
        entries.append(LegendEntry(label, OTHER_COLOR, int(classes.counts[len(hues) :].sum())))
    missing = classes.codes == len(classes.labels)
    if missing.any():
        entries.append(LegendEntry("no value", MISSING_COLOR, int(missing.sum())))
    # Row k is the k-th coloured class; the two rows after them are the rest and the missing.
    table = to_rgba_array([*hues, OTHER_COLOR, MISSING_COLOR])
    rows = np.where(missing, len(hues) + 1, np.minimum(classes.codes, len(hues)))
    return NodeColors(table[rows], rows >= len(hues), name, tuple(entries))


def _value_colors(
    graph: Graph, values: NDArray[np.generic], name: str, cmap: str | Colormap, norm: str | Normalize | None
) -> NodeColors:
    from matplotlib.cm import ScalarMappable  # noqa: PLC0415 -- matplotlib is loaded only to draw
    from matplotlib.colors import to_rgba  # noqa: PLC0415 -- matplotlib is loaded only to draw

    numbers = as_floats(graph, values, "color")
    scale = ScalarMappable(norm=cast("Normalize", norm), cmap=cmap)
    known = np.ma.masked_invalid(numbers)
    scale.set_array(known)
    if norm is None and known.count():
        scale.set_clim(*scale_of(known.compressed()))
    scale.autoscale_None()
    rgba = np.array(scale.to_rgba(known), dtype=np.float64)
    missing = ~np.isfinite(numbers)
    rgba[missing] = to_rgba(MISSING_COLOR)
    if missing.all():
        return NodeColors(rgba, missing)
    if missing.any():
        name = f"{name} (grey: {missing.sum():,} without a value)".strip()
    whole = norm is None and values.dtype.kind in "iu"
    low, high = scale.get_clim()
    beyond = (bool(known.min() < low), bool(known.max() > high))
    return NodeColors(rgba, missing, name, scale=scale, whole=whole, beyond=beyond, date=are_dates(values))
