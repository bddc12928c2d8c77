"""A still picture of a graph, drawn with matplotlib."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import as_graph
from graphne_viz.viewer import drawing
from graphne_viz.viewer.encoding import node_colors, node_sizes
from graphne_viz.viewer.labels import draw_labels, node_labels
from graphne_viz.viewer.palette import CLASS_COLORS, VALUE_COLORMAP
from graphne_viz.viewer.provenance import NAME
from graphne_viz.viewer.values import as_text, statistic_notes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.values import ColorKind, NodeData, Palette

GEXF_SCALE = 1000
"""How far a layout reaches in GEXF, unless the caller decides: Gephi is made for coordinates of this order."""

_FIGURE_AREA = 49.0  # square inches
_SHORTEST_SIDE, _LONGEST_SIDE = 1.5, 12.0  # inches
_writing = threading.RLock()


def plot(
    G: Foreign,
    pos: Foreign = None,
    *,
    color: NodeData | tuple[float, ...] | None = None,
    size: NodeData | float | None = None,
    ax: Axes | None = None,
    edges: bool | Literal["auto"] = "auto",
    labels: bool | str | Mapping[object, object] = False,
    title: str | None = None,
    legend: bool = True,
    color_kind: ColorKind = "auto",
    palette: Palette = CLASS_COLORS,
    cmap: str | Colormap = VALUE_COLORMAP,
    norm: str | Normalize | None = None,
    weight: str | None = DEFAULT_WEIGHT,
) -> Axes:
    """Draw a graph with matplotlib.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` accepts.
    pos : dict, igraph.Layout or array_like of shape (n, 2), optional
        Where the nodes are. By default `graphne_layout` with its defaults decides.
    color : str, tuple, mapping or array_like of length n, optional
        Name of a node attribute or of a statistic ("degree", "pagerank", "communities" and the others that
        `graphne_viz.graphs.statistics.statistic` lists), a mapping from node to value, one value a node, or a colour of
        matplotlib for all nodes. Nodes without a value (None, NaN, not in the mapping) are grey.
    size : float, str, mapping or array_like of length n, optional
        Area of the nodes in square points, as matplotlib's scatter has it; or a node attribute, a
        statistic, a mapping or one value a node, whose range is mapped to areas that suit the graph.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure that suits the shape of the layout.
    edges : bool or "auto", default "auto"
        Whether edges are drawn. ``"auto"`` draws a random sample where there are more than 100,000 and all of
        them would be a blot, or more than 500,000; the picture says so below.
    labels : bool, str or mapping, default False
        True writes its name on every node, a string the attribute of that name, a mapping what it has.
    title : str, optional
    legend : bool, default True
        Whether classes are explained by a legend with their counts, and values by a colour bar.
    color_kind : {"auto", "classes", "values", "colors"}, default "auto"
        How `color` is read. By default text, bools and whole numbers that are few (at most 12 different ones,
        or 64 that run from 0 or 1 without a gap) are classes, other numbers are values, and rows of RGB(A)
        and text such as "#0072B2" are colours.
    palette : sequence of colours, or mapping from class to colour
        Colours of the classes in their natural order. If there are more classes than colours, the largest
        classes get them and the others are grey.
    cmap, norm : optional
        matplotlib's colour map and normalisation for values; ``norm="log"`` suits degrees. By default the scale is
        linear and ends where a long tail of values begins, which its pointed end says.
    weight : str or None, default "weight"
        Edge attribute with the weights, for the layout.

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
    graph = as_graph(G, weight=weight)
    colors = node_colors(graph, color, kind=color_kind, palette=palette, cmap=cmap, norm=norm)
    node_sizes(graph, size, base=1)  # refuse bad input before a layout is computed
    texts = node_labels(graph, labels=labels)
    if edges not in {True, False, "auto"}:
        raise ValueError(f'edges={edges!r} is not one of True, False, "auto"')
    if pos is None:
        from graphne_viz.layout.api import graphne_layout  # noqa: PLC0415 -- compiled code, slow to import

        pos = graphne_layout(graph, weight=weight)
    positions = as_positions(graph, pos)

    own_figure = ax is None
    if ax is None:
        import matplotlib.pyplot as plt  # noqa: PLC0415 -- matplotlib is loaded only to draw

        _, ax = plt.subplots(figsize=figure_size(positions), layout="constrained")
    base = drawing.suitable_size(drawing.drawn_area(ax, positions), graph.n_nodes)
    sizes = node_sizes(graph, size, base)
    drawing.frame(ax, positions, sizes)
    notes = statistic_notes(graph, color, size)
    if edges:
        drawn = drawing.draw_edges(ax, positions, graph.edges, base, sample=edges == "auto")
        if drawn < graph.n_edges:
            notes.append(f"{drawn:,} of {graph.n_edges:,} edges drawn")
    drawing.draw_nodes(ax, positions, colors, sizes)
    left_out = draw_labels(ax, positions=positions, sizes=sizes, rgba=colors.rgba, texts=texts, rank=graph.degrees)
    if left_out:
        notes.append(f"{left_out:,} of {sum(map(bool, texts)):,} labels left out for lack of room")
    drawing.write_around(ax, title or "", "; ".join(notes))
    if legend:
        drawing.explain_colors(ax, colors)
    if own_figure:
        fit_figure(ax)
    else:
        _make_room(ax)
    return ax


def save_plot(
    path: str | PathLike[str],
    G: Foreign,
    pos: Foreign,
    *,
    file_format: str,
    color: NodeData | None = None,
    size: NodeData | float | None = None,
    edges: bool | Literal["auto"] = "auto",
    labels: bool | str = False,
    title: str | None = None,
    dpi: int = 200,
    about: Mapping[str, object] | None = None,
) -> None:
    """Draw a graph into a file, without a trace in pyplot. The same input gives the same bytes.

    Parameters
    ----------
    path : path
        Where to write.
    G, pos, color, size, edges, labels, title
        As in `plot`.
    file_format : {"png", "svg", "pdf"}
    dpi : int, default 200
        Pixels an inch, in vector formats of what is drawn as pixels.
    about : mapping, optional
        What made the layout, as from `graphne_viz.viewer.provenance`; kept in the file as JSON.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 -- matplotlib is loaded only to draw

    graph = as_graph(G)
    positions = as_positions(graph, pos)
    figure = Figure(figsize=figure_size(positions), layout="constrained")
    ax = figure.subplots()
    plot(graph, positions, ax=ax, color=color, size=size, edges=edges, labels=labels, title=title)
    fit_figure(ax)
    save_figure(figure, path, file_format=file_format, dpi=dpi, about=about)


def save_figure(
    figure: Figure,
    path: str | PathLike[str] | BinaryIO,
    *,
    file_format: str,
    dpi: float,
    about: Mapping[str, object] | None = None,
) -> None:
    """Write a figure; see `save_plot`. The same figure gives the same bytes."""
    note: dict[str, str | None] = dict.fromkeys({"svg": ["Date"], "pdf": ["CreationDate"]}.get(file_format, []))
    if about is not None:
        place = {"png": (NAME, "Software"), "svg": ("Description", "Creator"), "pdf": ("Subject", "Creator")}
        described, by = place[file_format]
        note |= {described: json.dumps(about), by: str(about["generator"])}
    with steady_svg():
        figure.savefig(path, format=file_format, dpi=dpi, metadata=note)


@contextmanager
def steady_svg() -> Iterator[None]:
    """Have text stay text in SVG, so that names can be searched, and equal figures give equal files.

    matplotlib's settings are those of the whole process. Pictures are also written beside the kernel, so one is at a
    time, and what else was set meanwhile stays.
    """
    from matplotlib import rcParams  # noqa: PLC0415 -- matplotlib is loaded only to draw

    with _writing:
        before = rcParams["svg.fonttype"], rcParams["svg.hashsalt"]
        rcParams["svg.fonttype"], rcParams["svg.hashsalt"] = "none", NAME
        try:
            yield
        finally:
            rcParams["svg.fonttype"], rcParams["svg.hashsalt"] = before


def node_diameters(graph: Graph, positions: NDArray[np.float64], size: NodeData | float | None) -> NDArray[np.float64]:
    """Return the diameters that the nodes have in the file `save_plot` makes, in the units of the positions.

    Parameters
    ----------
    graph : Graph
    positions : ndarray, shape (n, 2)
    size
        As in `plot`.

    Returns
    -------
    ndarray, shape (n,)
    """
    base, unit = suitable_area(positions)
    return diameters(node_sizes(graph, size, base), unit)


def suitable_area(positions: NDArray[np.float64]) -> tuple[float, float]:
    """Return the area of a node, and the length of a unit of the positions, on a figure of our own.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)

    Returns
    -------
    area : float
        In square points.
    unit : float
        In points.
    """
    span = drawing.extent(positions)[1]
    unit = float((72 * np.array(figure_size(positions)) / span).min())
    return drawing.suitable_size(float(span.prod()) * unit**2, len(positions)), unit


def diameters(areas: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Return the diameters of discs of some areas in square points, in units of so many points."""
    wide: NDArray[np.float64] = 2 * np.sqrt(areas / np.pi) / unit
    return wide


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
        raise ValueError(f"pos must hold two numbers a node, not {as_text(repr(pos))}") from None
    if not graph.n_nodes and not positions.size:
        return np.zeros((0, 2))
    if positions.shape != (graph.n_nodes, 2):
        raise ValueError(f"pos has shape {positions.shape}, but the graph needs ({graph.n_nodes}, 2)")
    bad = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if bad.size:
        raise ValueError(f"pos of node {graph.ids[bad[0]]!r} is not finite: {positions[bad[0]]}")
    return positions


def figure_size(positions: NDArray[np.float64]) -> tuple[float, float]:
    """Choose a figure in inches, of the layout's shape and about constant area."""
    span = drawing.extent(positions)[1]
    ratio = span[0] / span[1]
    width = float(np.clip(np.sqrt(_FIGURE_AREA * ratio), _SHORTEST_SIDE, _LONGEST_SIDE))
    return width, float(np.clip(width / ratio, _SHORTEST_SIDE, _LONGEST_SIDE))


def fit_figure(ax: Axes) -> None:
    """Widen a figure of our own by what stands beside the drawing, so that the drawing keeps its size."""
    figure = cast("Figure", ax.figure)
    height = figure.get_figheight()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    width = min(height * (right - left) / (top - bottom), _LONGEST_SIDE)
    has_legend, has_bar = ax.get_legend() is not None, len(figure.axes) > 1
    # matplotlib's own layout goes wrong if a drawing of fixed shape and its legend barely fit: some slack.
    figure.set_size_inches(width + _legend_width(ax) / figure.dpi + has_legend * 0.25 + has_bar * 0.9, height)


def _legend_width(ax: Axes) -> float:
    """Return the width of the legend beside the axes in pixels, 0 without one."""
    legend = ax.get_legend()
    return 0.0 if legend is None else float(legend.get_window_extent().width)


def _make_room(ax: Axes) -> None:
    """Take the place the legend lacks from the caller's axes, as matplotlib's colour bars do."""
    figure = ax.figure
    if figure.get_layout_engine() is not None:
        return
    ax.apply_aspect()
    box, drawn = ax.get_position(original=True), ax.get_position()
    needed = _legend_width(ax) / figure.bbox.width
    if needed > box.width - drawn.width:
        ax.set_position((box.x0, box.y0, box.width - min(needed, box.width / 2), box.height))
