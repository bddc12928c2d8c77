"""A whole picture in some axes: nodes and edges, names and labels, legends, and what a reader must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.plotting import drawing
from graphne_viz.plotting.class_names import draw_class_names
from graphne_viz.plotting.labels import MOST_LABELS, draw_labels
from graphne_viz.plotting.legends import draw_legend, draw_size_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState


def draw_picture(
    ax: Axes,
    state: VisibleState,
    *,
    title: str = "",
    legend: bool = True,
    sample: bool = True,
    some_labels: bool = True,
    most_edges: int | None = None,
    around: NDArray[np.float64] | None = None,
) -> None:
    """Draw what is visible of a graph.

    Parameters
    ----------
    ax : matplotlib Axes
    state : VisibleState
    title : str
    legend : bool
        Whether colours and sizes are explained.
    sample : bool
        Whether a random sample may stand for very many edges.
    some_labels : bool
        Whether only as many labels are written as the viewer shows, not all that find a place.
    most_edges : int, optional
        Edges that are drawn at most.
    around : ndarray, shape (k, 2), optional
        What the axes have to hold; by default the visible nodes.
    """
    drawn = drawing.draw_graph(ax, state, sample=sample, most_edges=most_edges, around=around)
    rank = state.importance[drawn.nodes]
    names = draw_class_names(ax, state, drawn)
    texts = _foremost_labels(state, drawn.nodes, rank)
    rgba = state.colors.rgba[drawn.nodes]
    written = draw_labels(ax, drawn, rgba, texts, rank, taken=names, some=some_labels)
    drawing.write_around(ax, title, "; ".join([*state.notes(), *drawn.notes(), *written.notes()]))
    if legend:
        draw_legend(ax, state.legend)
        explain_sizes(ax, state, drawn.positions if around is None else around)


def explain_sizes(ax: Axes, state: VisibleState, around: NDArray[np.float64]) -> Legend | None:
    """Draw the key of the sizes beside a picture of these bounds, where there is one to draw."""
    base = drawing.suitable_size(drawing.drawn_area(ax, around), state.graph.n_nodes)
    return draw_size_key(ax, state.drawn_size, lambda values: state.areas_of(values, base))


def _foremost_labels(state: VisibleState, nodes: NDArray[np.intp], rank: NDArray[np.float64]) -> list[str]:
    """Return the labels of nodes, "" but for those of the highest rank where they are too many."""
    foremost = np.sort(np.argsort(-rank, kind="stable")[:MOST_LABELS])
    found = state.labels(nodes[foremost].tolist())
    if not found:
        return []
    texts = [""] * len(nodes)
    for place, text in zip(foremost.tolist(), found, strict=True):
        texts[place] = text
    return texts
