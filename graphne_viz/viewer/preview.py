"""A small still of a view, for wherever no browser runs it: on GitHub, in a PDF, after the kernel is gone."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphne_viz.viewer import drawing
from graphne_viz.viewer.column import ClassColumn, ColorColumn, ValueColumn
from graphne_viz.viewer.encoding import node_colors, node_sizes
from graphne_viz.viewer.palette import CLASS_COLORS, MISSING_COLOR, NOTE_COLOR, OTHER_COLOR, VALUE_COLORMAP

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.column import Column
    from graphne_viz.viewer.values import NodeData

MOST_DRAWN_NODES = 50_000
"""Of larger graphs only the pixels of the nodes are set, which takes milliseconds."""

MOST_DRAWN_EDGES = 30_000
"""Of more edges a sample is drawn."""

_WIDTH, _HEIGHT, _DPI = 6.0, 5.0, 110
_PALETTE = 240
_MARGIN = 10  # pixels


def preview(
    graph: Graph,
    positions: NDArray[np.floating],
    *,
    color: NodeData | tuple[float, ...] | None = None,
    size: NodeData | float | None = None,
    column: Column | None = None,
    edges: bool = True,
) -> bytes:
    """Draw a graph as a PNG of about 6 by 5 inches and at most some 150 kB, within about a second.

    Parameters
    ----------
    graph : Graph
    positions : ndarray, shape (n, 2)
    color, size
        As in `plot`.
    column : Column, optional
        What `color` stands for.
    edges : bool, default True
        Whether edges are drawn, or a sample of them.

    Returns
    -------
    bytes
    """
    places = positions.astype(np.float64)
    if graph.n_nodes > MOST_DRAWN_NODES:
        return _as_png(_pixels(places, column))
    figure = _figure()
    ax = figure.subplots()
    colors = node_colors(graph, color)
    base = drawing.suitable_size(drawing.drawn_area(ax, places), graph.n_nodes)
    sizes = node_sizes(graph, size, base)
    drawing.frame(ax, places, sizes)
    if edges:
        drawing.draw_edges(ax, places, sample_edges(graph.edges), base, sample=False)
    drawing.draw_nodes(ax, places, colors, sizes)
    drawing.explain_colors(ax, colors)
    return _drawn(figure)


def placeholder(text: str) -> bytes:
    """Draw one line of text as a PNG."""
    figure = _figure(height=1.0)
    drawing.plain(figure.text(0.5, 0.5, "", ha="center", va="center", color=NOTE_COLOR)).set_text(text)
    return _drawn(figure)


def _figure(height: float = _HEIGHT) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 -- matplotlib is loaded only to draw
    from matplotlib.figure import Figure  # noqa: PLC0415 -- matplotlib is loaded only to draw

    # Without pyplot, so that nothing of it stays behind in the caller's session.
    figure = Figure(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _drawn(figure: Figure) -> bytes:
    canvas = cast("Any", figure.canvas)  # whose methods have no types
    with warnings.catch_warnings():
        # The browser shows every letter; a line of warning for each that the still lacks would fill the notebook.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        canvas.draw()
    return _as_png(np.asarray(canvas.buffer_rgba())[..., :3])


def _as_png(rgb: NDArray[np.uint8]) -> bytes:
    """Write an image with few colours: thin lines over each other make a picture of all colours four times as large."""
    from PIL import Image  # noqa: PLC0415 -- comes with matplotlib and is loaded with it

    image = Image.fromarray(np.ascontiguousarray(rgb))
    written = io.BytesIO()
    image.quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        written, format="PNG", optimize=True
    )
    return written.getvalue()


def sample_edges(edges: NDArray[np.int64], most: int = MOST_DRAWN_EDGES) -> NDArray[np.int64]:
    """Return as many edges, shape (m, 2), as are drawn in a small picture; always the same."""
    if len(edges) <= most:
        return edges
    chosen = np.random.default_rng(0).choice(len(edges), most, replace=False, shuffle=False)
    return edges[np.sort(chosen)]


def _pixels(positions: NDArray[np.float64], column: Column | None) -> NDArray[np.uint8]:
    """Set one pixel a node, shape (height, width, 3)."""
    width, height = int(_WIDTH * _DPI), int(_HEIGHT * _DPI)
    image = np.full((height, width, 3), 255, dtype=np.uint8)
    low, span = drawing.extent(positions)
    inner = np.array([width, height]) - 2 * _MARGIN
    unit = float((inner / span).min())
    place = ((positions - low - span / 2) * unit + np.array([width, height]) / 2).astype(np.intp)
    x, y = np.clip(place, 0, [width - 1, height - 1]).T
    image[height - 1 - y, x] = _rgb(column, len(positions))
    return image


def _rgb(column: Column | None, n: int) -> NDArray[np.uint8]:
    """Look up the colour of every node, shape (n, 3)."""
    from matplotlib import colormaps  # noqa: PLC0415 -- matplotlib is loaded only to draw
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if isinstance(column, ColorColumn):
        return np.ascontiguousarray(column.rgba[:, :3])
    if isinstance(column, ValueColumn):
        low, high = column.scale
        share = (column.values - low) / (high - low if high > low else 1.0)
        rgba = colormaps[VALUE_COLORMAP](np.nan_to_num(share))
        rgba[np.isnan(share)] = to_rgba_array([MISSING_COLOR])[0]
    elif isinstance(column, ClassColumn):
        table = [category.color or OTHER_COLOR for category in column.categories]
        rgba = to_rgba_array([*table, MISSING_COLOR])[column.codes]
    else:
        rgba = np.repeat(to_rgba_array([CLASS_COLORS[0]]), n, axis=0)
    rgb: NDArray[np.uint8] = np.rint(255 * rgba[:, :3]).astype(np.uint8)
    return rgb
