"""The layers of a picture: edges below nodes, in axes that fit them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphne_viz.encoding.colors.palette import NOTE_COLOR
from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.encoding.columns.edge_columns import MOST_STYLED_EDGES
from graphne_viz.encoding.dots import PIXELS_PER_POINT, dot_style
from graphne_viz.encoding.draw_order import draw_order
from graphne_viz.encoding.sizes import diameters
from graphne_viz.plotting.edges import draw_edges, draw_styled_edges, sample_edges, style_note, wants_style
from graphne_viz.plotting.text import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState

MOST_VECTOR_NODES = 50_000
"""More nodes are drawn as pixels in vector formats too."""

NODE_ORDER = 2

_OUTLINED_NODES = 2_000
_TEXT_ROOM = 0.03  # of the longer side, on all sides


class Drawn(NamedTuple):
    """What `draw_graph` drew.

    Attributes
    ----------
    nodes : ndarray of int, shape (m,)
        The visible nodes.
    positions : ndarray, shape (m, 2)
    areas : ndarray, shape (m,)
        In square points.
    usual_area : float
        That of a node that has no size of its own.
    edges, of_edges : int
        How many edges there are in the picture, and how many there could be.
    note : str
        What the edges lack because they are too many.
    """

    nodes: NDArray[np.intp]
    positions: NDArray[np.float64]
    areas: NDArray[np.float64]
    usual_area: float
    edges: int
    of_edges: int
    note: str = ""

    def notes(self) -> list[str]:
        """Say that not all edges are drawn, or not as they should be, where that is so."""
        sampled = self.edges not in {0, self.of_edges}
        told = [f"{self.edges:,} of {self.of_edges:,} edges drawn"] if sampled else []
        return [*told, *([self.note] if self.note else [])]


def draw_graph(
    ax: Axes,
    state: VisibleState,
    *,
    sample: bool = True,
    most_edges: int | None = None,
    around: NDArray[np.float64] | None = None,
) -> Drawn:
    """Draw the visible nodes, and the edges between them, into empty axes.

    Parameters
    ----------
    ax : matplotlib Axes
    state : VisibleState
    sample : bool, default True
        Whether a random sample may stand for very many edges.
    most_edges : int, optional
        Edges that are drawn at most.
    around : ndarray, shape (k, 2), optional
        What the axes have to hold; by default the visible nodes.
    """
    nodes = state.visible_nodes
    positions = state.positions[nodes].astype(np.float64)
    held = positions if around is None else around
    area = drawn_area(ax, held)
    usual = suitable_size(area, state.graph.n_nodes)
    all_areas = state.areas(usual)
    areas = all_areas[nodes]
    written = state.label is not None or (state.class_names and isinstance(state.color, ClassColumn))
    frame(ax, held, areas, room=_TEXT_ROOM if written else 0.0)
    unit = points_per_unit(ax, extent(held)[1])
    drawn, of_edges, note = 0, 0, ""
    if state.edges:
        chosen = visible_edges(state)
        of_edges = len(chosen)
        chosen = chosen if most_edges is None else sample_edges(chosen, most_edges)
        note = style_note(state, len(chosen))
        if wants_style(state) and len(chosen) <= MOST_STYLED_EDGES:
            radii = diameters(all_areas) / 2
            draw_styled_edges(ax, state, chosen, state.positions.astype(np.float64), radii, unit=unit)
            drawn = len(chosen)
        else:
            ends = state.graph.links.ends[chosen]
            drawn = draw_edges(ax, state.positions.astype(np.float64), ends, unit=unit, sample=sample)
    rgba = state.colors.rgba[nodes].copy()
    rgba[:, 3] *= dot_style(state.graph.n_nodes, area * PIXELS_PER_POINT**2).opacity * state.prominence[nodes]
    draw_nodes(ax, positions, rgba, state.colors.grey[nodes], areas)
    return Drawn(nodes, positions, areas, usual, drawn, of_edges, note)


def visible_edges(state: VisibleState) -> NDArray[np.intp]:
    """Return which of the graph's edges lie between visible nodes."""
    ends = state.graph.links.ends
    if state.visible is None:
        return np.arange(len(ends))
    return np.flatnonzero(state.visible[ends].all(axis=1))


def drawn_area(ax: Axes, positions: NDArray[np.float64]) -> float:
    """Return the area, in square points, that a drawing of this shape will fill within the axes."""
    span = extent(positions)[1]
    return float(points_per_unit(ax, span) ** 2 * span.prod())


def points_per_unit(ax: Axes, span: NDArray[np.float64]) -> float:
    """Return how many points a unit of the layout will take where `span` has to fit into the axes."""
    figure = ax.figure
    box = np.multiply(ax.get_position(original=True).size, figure.bbox.size) * 72 / figure.dpi
    return float((box / span).min())


def suitable_size(area: float, n: int) -> float:
    """Return the area of one of n nodes that suits a picture of the given area, both in square points."""
    radius = dot_style(n, area * PIXELS_PER_POINT**2).radius / PIXELS_PER_POINT
    return (2 * radius) ** 2


def frame(ax: Axes, positions: NDArray[np.float64], sizes: NDArray[np.float64], room: float = 0.0) -> None:
    """Fit the axes to the nodes: no ticks, equal aspect, as much margin as the largest node needs, and as text does."""
    low, span = extent(positions)
    radius = diameters(sizes).max(initial=0) / 2 + 1
    margin = (0.01 + room) * span.max() + radius / points_per_unit(ax, span)
    ax.set_axis_off()
    ax.set_xlim(low[0] - margin, low[0] + span[0] + margin)
    ax.set_ylim(low[1] - margin, low[1] + span[1] + margin)
    ax.set_aspect("equal", adjustable="box")


def extent(positions: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower left corner and the span of the positions; a span of 1 around a single place."""
    if not len(positions):
        return np.zeros(2), np.ones(2)
    low, span = positions.min(axis=0).astype(np.float64), np.ptp(positions, axis=0).astype(np.float64)
    if not span.max():
        return low - 0.5, np.ones(2)
    # A path laid out as a straight line still gets a frame with an inside.
    thin = np.maximum(span, 0.02 * span.max())
    return low - (thin - span) / 2, thin


def draw_nodes(
    ax: Axes,
    positions: NDArray[np.float64],
    rgba: NDArray[np.float64],
    grey: NDArray[np.bool_],
    areas: NDArray[np.float64],
) -> None:
    """Draw the nodes as one collection: grey ones first, and large ones before small ones.

    Parameters
    ----------
    ax : matplotlib Axes
    positions : ndarray, shape (n, 2)
    rgba : ndarray, shape (n, 4)
    grey : ndarray of bool, shape (n,)
        Nodes without a colour of their own.
    areas : ndarray, shape (n,)
        In square points.
    """
    order = draw_order(grey, areas)
    n = len(positions)
    ax.scatter(
        positions[order, 0],
        positions[order, 1],
        s=areas[order],
        c=rgba[order],
        linewidths=_outline(areas) if n <= _OUTLINED_NODES else 0,
        edgecolors="white" if n <= _OUTLINED_NODES else "none",
        zorder=NODE_ORDER,
        rasterized=n > MOST_VECTOR_NODES,
    )


def _outline(sizes: NDArray[np.float64]) -> float:
    """Return the width of an outline, in points, that leaves something of small nodes."""
    return float(min(0.5, 0.09 * np.sqrt(np.median(sizes)))) if len(sizes) else 0.5


def write_around(ax: Axes, title: str, note: str) -> None:
    """Write a title over the picture and a small line under it, where there is one to write."""
    if title:
        verbatim(ax.set_title("")).set_text(title)
    if note:
        text = ax.text(0, 0, "", transform=ax.transAxes, fontsize=7, color=NOTE_COLOR, va="top")
        verbatim(text).set_text(note)
