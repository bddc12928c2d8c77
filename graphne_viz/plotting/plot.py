"""A picture of a graph, drawn with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphne_viz._checks import check_flag
from graphne_viz._keywords import select, with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.automatic import AUTO, automatic_color, automatic_label, automatic_size, is_auto
from graphne_viz.encoding.colors.node_colors import color_scale
from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn
from graphne_viz.encoding.columns.edge_columns import edge_styles
from graphne_viz.encoding.columns.node_columns import attribute_columns, color_column, label_column, size_column
from graphne_viz.encoding.keywords import DrawingKeywords
from graphne_viz.encoding.labels.text import as_text
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.plotting.figures import LEAST_WIDTH, figure_size, fit_figure, legend_width, save_figure
from graphne_viz.plotting.keywords import PlotKeywords
from graphne_viz.plotting.labels import check_labels
from graphne_viz.plotting.picture import draw_picture

if TYPE_CHECKING:
    from os import PathLike
    from typing import Unpack

    import matplotlib.figure as mpl_figure
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    import graphne_viz.layout.api as layout
    from graphne_viz._types import Foreign
    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.columns.values import ColorKind, NodeData
    from graphne_viz.graphs.graph import Graph
else:
    layout = lazy_import("graphne_viz.layout.api")
    mpl_figure = lazy_import("matplotlib.figure")
    plt = lazy_import("matplotlib.pyplot")


@with_keywords(PlotKeywords)
def plot(
    G: Foreign = None,
    pos: Foreign = None,
    *,
    ax: Axes | None = None,
    edges: Foreign | bool | Literal["auto"] = "auto",
    title: str | None = None,
    legend: bool = True,
    color_kind: ColorKind = "auto",
    weight: str | None = DEFAULT_WEIGHT,
    **keywords: Unpack[PlotKeywords],
) -> Axes:
    """Draw a graph with matplotlib.

    More than 50,000 edges are thin lines, and a scale that leaves out a long tail of values has a pointed end; the
    picture says below what it does not show.

    Parameters
    ----------
    G : graph, optional
        Anything `graphne_layout` accepts. Left out, `edges` are the graph.
    pos : dict, igraph.Layout or array_like of shape (n, 2), optional
        Where the nodes are. By default `graphne_layout` with its defaults decides.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure that suits the shape of the layout.
    edges : bool, "auto" or table of edges, default "auto"
        Whether edges are drawn. ``"auto"`` draws a random sample where there are more than 100,000 and all of
        them would be a blot; the picture says so below. Or a table, list or array of edges, in place of `G`.
    title : str, optional
    legend : bool, default True
        Whether classes are explained by a legend with their counts, and values by a colour bar.
    color_kind : {"auto", "classes", "values", "colors"}, default "auto"
        How `color` is read. By default text, bools and whole numbers that are few (at most 12 different ones,
        or 64 that run from 0 or 1 without a gap) are classes, other numbers are values, and rows of RGB(A)
        and text such as "#0072B2" are colours.
    weight : str or None, default "weight"
        Edge attribute with the weights, for the layout.
    **keywords
        See `PlotKeywords`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If an attribute does not exist, or an array does not have one entry a node.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.karate_club_graph()
    >>> ax = plot(G, nx.circular_layout(G), color="club", size="degree")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Mr. Hi (17)', 'Officer (17)']
    """
    if G is None and not isinstance(edges, bool | str):
        G, edges = edges, "auto"
    graph = as_graph(G, weight=weight, **select(TableKeywords, keywords))
    looks = select(DrawingKeywords, keywords)
    color, size, label, palette = looks["color"], looks["size"], looks["label"], looks["palette"]
    # Bad input is refused before a layout is computed.
    own = attribute_columns(graph)
    note = ""
    if is_auto(graph, color):
        color, note = automatic_color(graph, own)
    size = automatic_size(graph) if is_auto(graph, size) else size
    some_labels = is_auto(graph, label)
    colored = _with_note(color_column(graph, color, own, kind=color_kind, palette=palette), note)
    if isinstance(colored, ValueColumn):
        color_scale(colored, looks["cmap"], looks["norm"])
    sized = size_column(graph, size, own)
    labelled = label_column(graph, automatic_label(graph) if some_labels else label, own)
    if not some_labels:
        check_labels(graph, labelled)
    styles = edge_styles(
        graph,
        width=looks["edge_width"],
        color=looks["edge_color"],
        arrows=looks["arrows"],
        curved=looks["curved"],
    )
    check_flag("class_names", looks["class_names"])
    if not isinstance(edges, bool) and not (isinstance(edges, str) and edges == AUTO):
        raise ValueError(f'edges={edges!r} is not one of True, False, "auto"')
    if pos is None:
        pos = layout.graphne_layout(graph, weight=weight)
    state = VisibleState(
        graph,
        as_positions(graph, pos),
        color=colored,
        size=sized,
        label=labelled,
        edges=bool(edges),
        edge_width=styles.width,
        edge_color=styles.color,
        arrows=styles.arrows,
        curved=styles.curved,
        class_names=looks["class_names"],
        plain=palette[0] if isinstance(palette, Sequence) and palette else CLASS_COLORS[0],
        cmap=looks["cmap"],
        norm=looks["norm"],
    )

    own_figure = ax is None
    if ax is None:
        _, ax = plt.subplots(figsize=figure_size(state.positions), layout="constrained")
    draw_picture(ax, state, title=title or "", legend=legend, sample=edges == AUTO, some_labels=some_labels)
    if own_figure:
        fit_figure(ax)
    else:
        _make_room(ax)
    return ax


def _with_note(column: Column | None, note: str) -> Column | None:
    if not note or not isinstance(column, ClassColumn):
        return column
    return replace(column, note="; ".join(filter(None, (column.note, note))))


def save_plot(
    path: str | PathLike[str],
    G: Foreign,
    pos: Foreign,
    *,
    file_format: str,
    color: NodeData | None = AUTO,
    size: NodeData | float | None = AUTO,
    edges: bool | Literal["auto"] = "auto",
    label: bool | str | None = AUTO,
    title: str | None = None,
    dpi: int = 300,
    about: Mapping[str, object] | None = None,
) -> None:
    """Draw a graph into a file, without a trace in pyplot. The same input gives the same bytes.

    Parameters
    ----------
    path : path
        Where to write.
    G, pos, color, size, edges, label, title
        As in `plot`.
    file_format : {"png", "svg", "pdf"}
    dpi : int, default 300
        Pixels an inch, in vector formats of what is drawn as pixels; more where a picture would have less than 2,000
        pixels across.
    about : mapping, optional
        What made the layout, as from `graphne_viz.viewer.export.provenance`; kept in the file as JSON.
    """
    graph = as_graph(G)
    positions = as_positions(graph, pos)
    figure = mpl_figure.Figure(figsize=figure_size(positions), layout="constrained")
    ax = figure.subplots()
    plot(graph, positions, ax=ax, color=color, size=size, edges=edges, label=label, title=title)
    fit_figure(ax)
    dpi = max(dpi, math.ceil(LEAST_WIDTH / figure.get_figwidth()))
    save_figure(figure, path, file_format=file_format, dpi=dpi, about=about)


def as_positions(graph: Graph, pos: Foreign) -> NDArray[np.float64]:
    """Bring a dict, a Layout of igraph or an array to an (n, 2) array in the graph's order."""
    if isinstance(pos, Mapping):
        for node in graph.ids:
            if node not in pos:
                raise ValueError(f"pos has no position for node {node!r}")
        pos = [pos[node] for node in graph.ids]
    try:
        positions = np.asarray(pos if hasattr(pos, "__array__") else list(pos), dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"pos must hold two numbers per node, not {as_text(repr(pos))}") from None
    if not graph.n_nodes and not positions.size:
        return np.zeros((0, 2))
    if positions.shape != (graph.n_nodes, 2):
        raise ValueError(f"pos has shape {positions.shape}, but the graph needs ({graph.n_nodes}, 2)")
    bad = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if bad.size:
        raise ValueError(f"pos of node {graph.ids[bad[0]]!r} is not finite: {positions[bad[0]]}")
    return positions


def _make_room(ax: Axes) -> None:
    """Take the place the legend lacks from the caller's axes, as matplotlib's colour bars do."""
    figure = ax.figure
    if figure.get_layout_engine() is not None:
        return
    ax.apply_aspect()
    box, drawn = ax.get_position(original=True), ax.get_position()
    needed = legend_width(ax) / figure.bbox.width
    if needed > box.width - drawn.width:
        ax.set_position((box.x0, box.y0, box.width - min(needed, box.width / 2), box.height))
