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
from graphne_viz.plotting.picture import draw_picture
from graphne_viz.plotting.text import HALO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike
    from typing import BinaryIO

    import matplotlib as mpl
    import matplotlib.figure as mpl_figure
    import matplotlib.legend as mpl_legend
    import matplotlib.text as mpl_text
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState
else:
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
    with steady_svg():
        if file_format != "svg":
            figure.savefig(path, format=file_format, dpi=dpi, metadata=note)
            return
        halos = _without_halos(figure)
        written = io.BytesIO()
        figure.savefig(written, format=file_format, dpi=dpi, metadata=note)
        for text, effects in halos:
            text.set_path_effects(effects)
    _write(path, written.getvalue().replace(b"</style>", _HALO_STYLE + b"</style>", 1))


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
    """Widen a figure of our own by what stands beside the drawing, so that the drawing keeps its size."""
    figure = cast("Figure", ax.figure)
    height = figure.get_figheight()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    width = min(height * (right - left) / (top - bottom), _LONGEST_SIDE)
    has_bar = len(figure.axes) > 1
    has_legend = legend_width(ax) > 0
    # matplotlib's own layout goes wrong if a drawing of fixed shape and its legend barely fit: some slack.
    figure.set_size_inches(width + legend_width(ax) / figure.dpi + has_legend * 0.25 + has_bar * 0.9, height)


def legend_width(ax: Axes) -> float:
    """Return the width of the legends beside the axes in pixels, 0 without any."""
    legends = [child for child in ax.get_children() if isinstance(child, mpl_legend.Legend)]
    return max((float(legend.get_window_extent().width) for legend in legends), default=0.0)
