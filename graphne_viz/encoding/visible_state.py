"""What a picture shows: a graph, where its nodes are, and the columns that decide how they look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.colors.node_colors import color_scale, node_colors
from graphne_viz.encoding.colors.palette import CLASS_COLORS, VALUE_COLORMAP
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn
from graphne_viz.encoding.columns.node_columns import measured
from graphne_viz.encoding.draw_order import draw_order
from graphne_viz.encoding.labels.node_labels import node_labels
from graphne_viz.encoding.legend import legend_of
from graphne_viz.encoding.sizes import node_areas
from graphne_viz.graphs.statistics import statistic

_TINY_PART, _TINY_PROMINENCE = 0.02, 0.55

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.colors import Colormap, Normalize
    from numpy.typing import NDArray

    from graphne_viz.encoding.colors.node_colors import ColorScale, NodeColors
    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.legend import Legend
    from graphne_viz.graphs.graph import Graph


@dataclass(frozen=True, eq=False)
class VisibleState:
    """A graph as `plot` and a view show it. Every picture and every file is made of this.

    Attributes
    ----------
    graph : Graph
    positions : ndarray, shape (n, 2)
    color, size, label : Column or None
        What the nodes are coloured, sized and labelled by.
    edges : bool
        Whether edges are drawn.
    visible : ndarray of bool, shape (n,), or None
        Which nodes are shown, as opposed to hidden; None for all.
    plain : str
        The colour of all nodes where no column decides.
    edge_width : Column or None
        What the widths of edges show.
    edge_color : Column, "ends" or None
        What edges are coloured by.
    arrows, curved : bool
    class_names : bool
        Whether names of classes are written on the map.
    size_range : tuple of float or None
        Diameters of the smallest and the largest node in pixels.
    cmap, norm
        matplotlib's colour map and normalisation for numbers, as in `graphne_viz.plotting.plot.plot`.
    """

    graph: Graph
    positions: NDArray[np.floating]
    color: Column | None = None
    size: Column | None = None
    label: Column | None = None
    edges: bool = True
    visible: NDArray[np.bool_] | None = None
    plain: str = CLASS_COLORS[0]
    edge_width: Column | None = None
    edge_color: Column | str | None = None
    arrows: bool = False
    curved: bool = False
    class_names: bool = True
    size_range: tuple[float, float] | None = None
    cmap: str | Colormap = VALUE_COLORMAP
    norm: str | Normalize | None = None

    @cached_property
    def visible_nodes(self) -> NDArray[np.intp]:
        """The numbers of the nodes that are shown, ascending."""
        return np.arange(self.graph.n_nodes) if self.visible is None else np.flatnonzero(self.visible)

    @cached_property
    def drawn_color(self) -> Column | None:
        """What the nodes are coloured by, with its values in this layout."""
        return measured(self.color, self.graph, self.positions)

    @cached_property
    def _scale(self) -> ColorScale | None:
        return (
            color_scale(self.drawn_color, self.cmap, self.norm) if isinstance(self.drawn_color, ValueColumn) else None
        )

    @cached_property
    def colors(self) -> NodeColors:
        """The colour of every node."""
        return node_colors(self.drawn_color, self.graph.n_nodes, plain=self.plain, scale=self._scale)

    @cached_property
    def legend(self) -> Legend:
        """What explains the colours; classes of which no node is visible are left out."""
        visible = np.ones(self.graph.n_nodes, dtype=bool) if self.visible is None else self.visible
        return legend_of(self.drawn_color, visible, self._scale)

    def moved(self, positions: NDArray[np.floating]) -> VisibleState:
        """Return the same picture with its nodes elsewhere; what the layout decides of colours and sizes stays.

        Parameters
        ----------
        positions : ndarray, shape (n, 2)
        """
        other = replace(self, positions=positions)
        # Found once for all pictures of an animation: they would be the same, or those of another layout.
        kept = ("visible_nodes", "drawn_color", "drawn_size", "_scale", "colors", "legend", "prominence")
        other.__dict__.update({name: getattr(self, name) for name in kept})
        return other

    def areas(self, base: float) -> NDArray[np.float64]:
        """Return the areas of the nodes in square points, shape (n,), where `base` suits their number."""
        return node_areas(self.drawn_size, self.graph.n_nodes, base, self.size_range)

    def areas_of(self, values: NDArray[np.float64], base: float) -> NDArray[np.float64]:
        """Return the areas of nodes that have given values of what they are sized by, in square points."""
        return node_areas(self.drawn_size, len(values), base, self.size_range, values)

    @cached_property
    def drawn_size(self) -> Column | None:
        """What the nodes are sized by, with its values in this layout."""
        return measured(self.size, self.graph, self.positions)

    @cached_property
    def importance(self) -> NDArray[np.float64]:
        """Whose label is written first, shape (n,): that of the greatest size, or else of the most neighbours."""
        if not isinstance(self.drawn_size, ValueColumn):
            return self.graph.degrees.astype(np.float64)
        values = self.drawn_size.values.astype(np.float64)
        return np.where(np.isnan(values), -np.inf, values)

    @cached_property
    def prominence(self) -> NDArray[np.float64]:
        """How strongly each node is drawn, from 0 to 1: those of tiny parts must not outshine the largest one."""
        parts = statistic(self.graph, "part").values.astype(np.int64) if self.graph.n_nodes else np.zeros(0, np.int64)
        sizes = np.bincount(parts)
        tiny = sizes[parts] < _TINY_PART * sizes.max(initial=0)
        return np.where(tiny, _TINY_PROMINENCE, 1.0)

    def labels(self, nodes: Iterable[int] | None = None) -> list[str]:
        """Return what is written beside nodes, "" for nothing; an empty list if there are no labels at all."""
        return node_labels(measured(self.label, self.graph, self.positions), self.graph, nodes)

    def draw_order(self) -> NDArray[np.intp]:
        """Return the nodes from the lowest to the topmost, hidden ones included."""
        return draw_order(self.colors.grey, self.areas(1.0))

    def notes(self) -> list[str]:
        """List what a reader must know of what the colours and sizes show, each once."""
        told = [column for column in (self.color, self.size) if isinstance(column, (ClassColumn, ValueColumn))]
        return list(dict.fromkeys(f"{column.name}: {column.note}" for column in told if column.note))
