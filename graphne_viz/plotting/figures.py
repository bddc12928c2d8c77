"""Figures of our own: their size, what is drawn into them, and how they are written to a file."""

from __future__ import annotations

import io
import json
import os
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.sizes import diameters
from graphne_viz.graphs.io.laid_out import NAME
from graphne_viz.plotting import drawing
from graphne_viz.plotting.legends import draw_legend
from graphne_viz.plotting.picture import draw_picture, explain_sizes
from graphne_viz.plotting.text import HALO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike
    from typing import BinaryIO

    import matplotlib as mpl
    import matplotlib.figure as mpl_figure
    import matplotlib.legend as mpl_legend
    import matplotlib.text as mpl_text
    from matplotlib import font_manager
    from matplotlib.axes import Axes
    from matplotlib.backends import backend_agg
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend as DrawnLegend
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState
else:
    backend_agg = lazy_import("matplotlib.backends.backend_agg")
    font_manager = lazy_import("matplotlib.font_manager")
    mpl = lazy_import("matplotlib")
    mpl_figure = lazy_import("matplotlib.figure")
    mpl_legend = lazy_import("matplotlib.legend")
    mpl_text = lazy_import("matplotlib.text")

GEXF_SCALE = 1000
"""How far a layout reaches in GEXF, unless the caller decides: Gephi is made for coordinates of this order."""

LEAST_WIDTH = 2_000
"""Pixels that a saved picture is wide at least, unless the caller decides."""

_FIGURE_AREA = 49.0  # square inches
_SHORTEST_SIDE, _LONGEST_SIDE = 1.5, 12.0  # inches
_PIXELS_PER_INCH, _WIDEST = 100, 8.0  # of pictures whose size is given in pixels, which have at most so many inches
_NOTE, _GAP = 0.2, 0.15  # inches below a drawing for a line of text, and beside it
_ROUNDS = 3  # of enlarging a figure, whose nodes and their key become larger, too
_BETWEEN = 0.3  # inches between legends above each other
_FLATTEST = 0.5  # height for each width that a legend keeps to
_HALO_STYLE = (
    f'g[id^="{HALO}"] text{{paint-order:stroke;stroke:#fff;stroke-opacity:.85;stroke-width:2px;stroke-linejoin:round}}'
).encode()
_writing = threading.RLock()


def figure_of(state: VisibleState, title: str = "") -> Figure:
    """Draw what a view shows, with its legend, on white; hidden nodes and their edges are left out.

    Parameters
    ----------
    state : VisibleState
    title : str

    Returns
    -------
    matplotlib.figure.Figure
        Without a trace in pyplot. It has the labels that the viewer shows.
    """
    figure = mpl_figure.Figure(
        figsize=figure_size(state.positions[state.visible_nodes]), layout="constrained", facecolor="white"
    )
    ax = figure.subplots()
    draw_picture(ax, state, title=title)
    fit_figure(ax)
    return figure


def figure_of_pixels(state: VisibleState, around: NDArray[np.float64], size: tuple[int, int]) -> tuple[Figure, Axes]:
    """Make a figure of so many pixels with its legend in place, whole, for pictures to be drawn beside it.

    Parameters
    ----------
    state : VisibleState
    around : ndarray, shape (k, 2)
        What the axes will have to hold.
    size : tuple of int
        Width and height in pixels.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Without a trace in pyplot.
    ax : matplotlib.axes.Axes
        Where `draw_picture` draws, with `around` and without a legend.
    """
    inches = np.array(size) / max(_PIXELS_PER_INCH, size[0] / _WIDEST)
    figure = mpl_figure.Figure(figsize=tuple(inches), layout="constrained", facecolor="white")
    backend_agg.FigureCanvasAgg(figure)
    ax = figure.subplots()
    draw_legend(ax, state.legend)
    key = explain_sizes(ax, state, around)
    for _ in range(_ROUNDS):
        wide, high = _legend_sizes(ax)
        shape = max(_FLATTEST, float(np.divide(*drawing.extent(around)[1][::-1])))
        needed = (high + _NOTE) / inches[1], (high / shape + wide + _GAP) / inches[0], 2 * wide / inches[0]
        inches = inches * max(1.0, *needed)
        # Half a pixel more, because matplotlib rounds down.
        figure.set_dpi(size[0] / inches[0])
        figure.set_size_inches(*(inches * (np.array(size) + 0.5) / size).tolist())
        if key is not None:
            key.remove()
            key = explain_sizes(ax, state, around)
    drawing.frame(ax, around, state.areas(1.0))
    wide, _ = _legend_sizes(ax)  # as letters come out at this resolution
    if wide:
        # Not by a layout engine: with a drawing of fixed shape, matplotlib's cut off legends that barely fit.
        figure.set_layout_engine("none")
        left, bottom = _GAP / 3 / inches[0], _NOTE / inches[1]
        ax.set_position((left, bottom, 1 - left - (wide + _GAP / 2) / inches[0], 1 - bottom))
    cast("Any", figure.canvas).draw()  # whose methods have no types
    figure.set_layout_engine("none")  # what it decided stays for all pictures
    if key is not None:
        key.remove()
        explain_sizes(ax, state, around)  # now that the size of the drawing is known
    return figure, ax


def _legend_sizes(ax: Axes) -> tuple[float, float]:
    """Return the width and the height of the legends beside a drawing in inches; a colour bar is none."""
    boxes = [legend.get_window_extent() for legend in _legends(ax)]
    if not boxes or len(ax.figure.axes) > 1:
        return 0.0, 0.0
    height = sum(float(box.height) for box in boxes) / ax.figure.dpi
    return legend_width(ax) / ax.figure.dpi, height + _BETWEEN


def save_figure(
    figure: Figure,
    path: str | PathLike[str] | BinaryIO,
    *,
    file_format: str,
    dpi: float,
    about: Mapping[str, object] | None = None,
) -> None:
    """Write a figure; the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib Figure
    path : path-like or binary stream
    file_format : {"png", "svg", "pdf"}
    dpi : float
        Pixels an inch, in vector formats of what is drawn as pixels.
    about : mapping, optional
        What made the layout; kept in the file as JSON.
    """
    note: dict[str, str | None] = dict.fromkeys({"svg": ["Date"], "pdf": ["CreationDate"]}.get(file_format, []))
    if about is not None:
        place = {"png": (NAME, "Software"), "svg": ("Description", "Creator"), "pdf": ("Subject", "Creator")}
        described, by = place[file_format]
        note |= {described: json.dumps(about), by: str(about["generator"])}
    # In memory first: on a full disk matplotlib's PDF ends with an error of zlib's and leaves the file open.
    written = io.BytesIO()
    with steady_svg():
        halos = _without_halos(figure) if file_format == "svg" else []
        figure.savefig(written, format=file_format, dpi=dpi, metadata=note)
        for text, effects in halos:
            text.set_path_effects(effects)
    _forget_fonts()
    picture = written.getvalue()
    _write(path, picture.replace(b"</style>", _HALO_STYLE + b"</style>", 1) if file_format == "svg" else picture)


def _forget_fonts() -> None:
    """Let go of the fonts that matplotlib keeps for this thread, unless that is the main one, which draws again.

    It keeps 64, a megabyte each, and those of threads that have ended as well: every picture of a live view has one.
    """
    if threading.current_thread() is not threading.main_thread():
        cached = getattr(font_manager, "_get_font", None)  # matplotlib has no public name for it
        if cached is not None:
            cached.cache_clear()


def _without_halos(figure: Figure) -> list[tuple[Text, Any]]:
    """Take the rims off all texts, which would be shapes with them, and return what they had."""
    texts = figure.findobj(lambda artist: isinstance(artist, mpl_text.Text) and artist.get_gid() is not None)
    found = [(cast("Text", text), text.get_path_effects()) for text in texts]
    for text, _ in found:
        text.set_path_effects([])
    return found


def _write(path: str | PathLike[str] | BinaryIO, data: bytes) -> None:
    if isinstance(path, (str, os.PathLike)):
        Path(path).write_bytes(data)
    else:
        path.write(data)


@contextmanager
def steady_svg() -> Iterator[None]:
    """Have text stay text in SVG, so that names can be searched, and equal figures give equal files.

    matplotlib's settings are those of the whole process. Pictures are also written beside the kernel, so one is at a
    time, and what else was set meanwhile stays.
    """
    with _writing:
        before = mpl.rcParams["svg.fonttype"], mpl.rcParams["svg.hashsalt"]
        mpl.rcParams["svg.fonttype"], mpl.rcParams["svg.hashsalt"] = "none", NAME
        try:
            yield
        finally:
            mpl.rcParams["svg.fonttype"], mpl.rcParams["svg.hashsalt"] = before


def suitable_area(positions: NDArray[np.floating]) -> tuple[float, float]:
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


def node_diameters(state: VisibleState) -> NDArray[np.float64]:
    """Return the diameters that the nodes have on a figure of our own, in the units of the positions.

    Parameters
    ----------
    state : VisibleState

    Returns
    -------
    ndarray, shape (n,)
    """
    base, unit = suitable_area(state.positions)
    return diameters(state.areas(base)) / unit


def figure_size(positions: NDArray[np.floating]) -> tuple[float, float]:
    """Choose a figure in inches, of the layout's shape and about constant area."""
    span = drawing.extent(positions)[1]
    ratio = span[0] / span[1]
    width = float(np.clip(np.sqrt(_FIGURE_AREA * ratio), _SHORTEST_SIDE, _LONGEST_SIDE))
    return width, float(np.clip(width / ratio, _SHORTEST_SIDE, _LONGEST_SIDE))


def fit_figure(ax: Axes) -> None:
    """Enlarge a figure of our own by what stands beside and below the drawing, so that the drawing keeps its size."""
    figure = cast("Figure", ax.figure)
    height = figure.get_figheight()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    width = min(height * (right - left) / (top - bottom), _LONGEST_SIDE)
    if len(figure.axes) > 1:  # a colour bar; the key of sizes is below the drawing
        below = sum(float(legend.get_window_extent().height) for legend in _legends(ax)) / figure.dpi
        figure.set_size_inches(width + 0.9, height + below)
    elif legend_width(ax) > 0:
        # matplotlib's own layout goes wrong if a drawing of fixed shape and its legend barely fit: some slack.
        figure.set_size_inches(width + legend_width(ax) / figure.dpi + 0.25, height)
    else:
        figure.set_size_inches(width, height)


def legend_width(ax: Axes) -> float:
    """Return the width of the legends beside the axes in pixels, 0 without any."""
    return max((float(legend.get_window_extent().width) for legend in _legends(ax)), default=0.0)


def _legends(ax: Axes) -> list[DrawnLegend]:
    return [child for child in ax.get_children() if isinstance(child, mpl_legend.Legend)]
