"""What a view shows, as arrays: from columns to colours, sizes and labels, as the browser does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.viewer.column import ClassColumn, ColorColumn, TextColumn, ValueColumn
from graphne_viz.viewer.columns import AREA_KEY
from graphne_viz.viewer.dates import date_text
from graphne_viz.viewer.encoding import LARGEST_SIZE, SMALLEST_SIZE, LegendEntry, NodeColors
from graphne_viz.viewer.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR, VALUE_COLORMAP
from graphne_viz.viewer.values import as_text
from graphne_viz.viewer.wire import called, clean_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.column import Column


@dataclass(frozen=True, eq=False)
class Shown:
    """A graph as a view shows it.

    Attributes
    ----------
    graph : Graph
    positions : ndarray, shape (n, 2)
    color, size, label : Column or None
        What the view colours, sizes and labels by.
    edges : bool
        Whether edges are drawn.
    visible : ndarray of bool, shape (n,)
        Which nodes are there, as opposed to hidden.
    """

    graph: Graph
    positions: NDArray[np.float64]
    color: Column | None
    size: Column | None
    label: Column | None
    edges: bool
    visible: NDArray[np.bool_]

    def colors(self) -> NodeColors:
        """Return the colour of every node and what explains it; classes of which no node is visible are left out."""
        return column_colors(self.color, self.visible)

    def areas(self, base: float) -> NDArray[np.float64]:
        """Return the areas of the nodes in square points, shape (n,), where `base` suits their number."""
        return column_areas(self.size, self.graph.n_nodes, base)

    def labels(self) -> list[str]:
        """Return what is written beside each node, "" for nothing; an empty list if there are no labels at all."""
        return column_texts(self.label, self.graph)

    def notes(self) -> list[str]:
        """List what a reader must know of what the colours and sizes show, each once."""
        told = [column for column in (self.color, self.size) if isinstance(column, (ClassColumn, ValueColumn))]
        return list(dict.fromkeys(f"{column.name}: {column.note}" for column in told if column.note))


def column_colors(column: Column | None, visible: NDArray[np.bool_]) -> NodeColors:
    """Give every node its colour.

    Parameters
    ----------
    column : Column or None
        None for one colour for all.
    visible : ndarray of bool, shape (n,)

    Returns
    -------
    NodeColors
    """
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    n = len(visible)
    if isinstance(column, ClassColumn):
        return _class_colors(column, visible)
    if isinstance(column, ValueColumn):
        return _value_colors(column, visible)
    nobody = np.zeros(n, dtype=bool)
    if isinstance(column, ColorColumn):
        return NodeColors(column.rgba / 255, nobody)
    return NodeColors(np.repeat(to_rgba_array([CLASS_COLORS[0]]), n, axis=0), nobody)


def _class_colors(column: ClassColumn, visible: NDArray[np.bool_]) -> NodeColors:
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    categories = column.categories
    there = np.bincount(column.codes[visible], minlength=len(categories) + 1)
    rest = [k for k, category in enumerate(categories) if category.color is None]
    entries = [
        LegendEntry(as_text(category.label), category.color, category.count)
        for category, count in zip(categories, there, strict=False)
        if count and category.color is not None
    ]
    if there[rest].any():
        label = f"{len(rest):,} more class{'es' if len(rest) > 1 else ''}"
        entries.append(LegendEntry(label, OTHER_COLOR, sum(categories[k].count for k in rest)))
    missing = column.codes == len(categories)
    if there[-1]:
        entries.append(LegendEntry("no value", MISSING_COLOR, int(missing.sum())))
    table = to_rgba_array([*(category.color or OTHER_COLOR for category in categories), MISSING_COLOR])
    grey = missing | np.isin(column.codes, rest)
    return NodeColors(table[column.codes], grey, column.name, tuple(entries))


def _value_colors(column: ValueColumn, visible: NDArray[np.bool_]) -> NodeColors:
    from matplotlib.cm import ScalarMappable  # noqa: PLC0415 -- matplotlib is loaded only to draw
    from matplotlib.colors import Normalize, to_rgba  # noqa: PLC0415 -- matplotlib is loaded only to draw

    # One value for all is in the middle of the scale.
    low, high = column.scale
    half = 0.0 if high > low else 0.5
    scale = ScalarMappable(norm=Normalize(low - half, high + half), cmap=VALUE_COLORMAP)
    values = np.ma.masked_invalid(column.values.astype(np.float64))
    rgba = np.array(scale.to_rgba(values), dtype=np.float64)
    missing = ~np.isfinite(column.values)
    rgba[missing] = to_rgba(MISSING_COLOR)
    if missing.all():
        return NodeColors(rgba, missing)
    gone = int((missing & visible).sum())
    name = f"{column.name} (grey: {gone:,} without a value)".strip() if gone else column.name
    beyond = (column.low < low, column.high > high)
    return NodeColors(rgba, missing, name, scale=scale, whole=column.whole, beyond=beyond, date=column.date)


def column_areas(column: Column | None, n: int, base: float) -> NDArray[np.float64]:
    """Give every node its area in square points; see `graphne_viz.viewer.encoding.node_sizes`."""
    areas = np.full(n, base)
    if not isinstance(column, ValueColumn):
        return areas
    values = column.values.astype(np.float64)
    if column.key == AREA_KEY:
        return np.where(values >= 0, values, base)
    if not column.high > column.low:
        return areas
    share = np.nan_to_num((values - column.low) / (column.high - column.low))
    return base * (SMALLEST_SIZE + (LARGEST_SIZE - SMALLEST_SIZE) * np.clip(share, 0, 1))


def column_texts(column: Column | None, graph: Graph) -> list[str]:
    """Return the text of every node's label; an empty list without a column."""
    if column is None or isinstance(column, ColorColumn):
        return []
    if isinstance(column, TextColumn):
        if column.texts is None:
            return [clean_text(name) for name in called(graph)]
        return [column.texts[node] for node in range(len(column.texts))]
    if isinstance(column, ClassColumn):
        names = [*(category.label for category in column.categories), ""]
        return [names[code] for code in column.codes.tolist()]
    spell = date_text if column.date else "{:.4g}".format
    return [spell(value) if np.isfinite(value) else "" for value in column.values.tolist()]
