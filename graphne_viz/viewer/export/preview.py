"""A small picture of a view, for wherever no browser runs it: on GitHub, in a PDF, after the kernel is gone."""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import NOTE_COLOR
from graphne_viz.plotting import drawing
from graphne_viz.plotting.figures import figure_of_pixels
from graphne_viz.plotting.legends import draw_legend
from graphne_viz.plotting.picture import draw_picture
from graphne_viz.plotting.text import verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator

    import matplotlib.figure as mpl_figure
    from matplotlib.backends import backend_agg
    from matplotlib.figure import Figure
    from numpy.typing import NDArray
    from PIL import Image

    from graphne_viz.encoding.visible_state import VisibleState
else:
    backend_agg = lazy_import("matplotlib.backends.backend_agg")
    mpl_figure = lazy_import("matplotlib.figure")
    Image = lazy_import("PIL.Image")

MOST_DRAWN_NODES = 50_000
"""Of larger graphs only the pixels of the nodes are set, which takes milliseconds."""

MOST_DRAWN_EDGES = 30_000
"""Of more edges a sample is drawn."""

_WIDTH, _HEIGHT, _DPI = 6.0, 5.0, 110
_PALETTE = 240
_MARGIN = 10  # pixels


def preview(state: VisibleState, *, draft: bool = False) -> bytes:
    """Draw what a view shows as a PNG of about 6 by 5 inches and at most some 150 kB, within about a second.

    Parameters
    ----------
    state : VisibleState
        It is drawn as in saved pictures, with names, labels and the whole legend; of more than 30,000 edges a sample.
    draft : bool
        Whether nodes, edges and the colours' legend are enough, in a third of the time.

    Returns
    -------
    bytes
    """
    if len(state.visible_nodes) > MOST_DRAWN_NODES:
        return _as_png(_pixels(state))
    if draft:
        figure = _figure(_HEIGHT)
        ax = figure.subplots()
        drawing.draw_graph(ax, state, sample=False, most_edges=MOST_DRAWN_EDGES)
        draw_legend(ax, state.legend)
        return _drawn(figure)
    around = state.positions[state.visible_nodes].astype(np.float64)
    with _without_warnings():
        figure, ax = figure_of_pixels(state, around, (int(_WIDTH * _DPI), int(_HEIGHT * _DPI)))
        draw_picture(ax, state, legend=False, sample=False, most_edges=MOST_DRAWN_EDGES, around=around)
    return _drawn(figure)


def placeholder(text: str) -> bytes:
    """Draw one line of text as a PNG."""
    figure = _figure(1.0)
    verbatim(figure.text(0.5, 0.5, "", ha="center", va="center", color=NOTE_COLOR)).set_text(text)
    return _drawn(figure)


def _figure(height: float) -> Figure:
    # Without pyplot, so that nothing of it stays behind in the caller's session.
    figure = mpl_figure.Figure(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained", facecolor="white")
    backend_agg.FigureCanvasAgg(figure)
    return figure


def _drawn(figure: Figure) -> bytes:
    canvas = cast("Any", figure.canvas)  # whose methods have no types
    with _without_warnings():
        canvas.draw()
    return _as_png(np.asarray(canvas.buffer_rgba())[..., :3])


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Say nothing of letters that the picture lacks: the browser shows them; such lines would fill the notebook."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


def _as_png(rgb: NDArray[np.uint8]) -> bytes:
    """Write an image with few colours: thin lines over each other make a picture of all colours four times as large."""
    image = Image.fromarray(np.ascontiguousarray(rgb))
    written = io.BytesIO()
    image.quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        written, format="PNG", optimize=True
    )
    return written.getvalue()


def _pixels(state: VisibleState) -> NDArray[np.uint8]:
    """Set one pixel a visible node, shape (height, width, 3)."""
    width, height = int(_WIDTH * _DPI), int(_HEIGHT * _DPI)
    image = np.full((height, width, 3), 255, dtype=np.uint8)
    order = state.draw_order()
    nodes = order if state.visible is None else order[state.visible[order]]
    positions = state.positions[nodes].astype(np.float64)
    low, span = drawing.extent(positions)
    inner = np.array([width, height]) - 2 * _MARGIN
    unit = float((inner / span).min())
    place = ((positions - low - span / 2) * unit + np.array([width, height]) / 2).astype(np.intp)
    x, y = np.clip(place, 0, [width - 1, height - 1]).T
    rgba = state.colors.rgba[nodes]
    on_white = 1 - rgba[:, 3:] * (1 - rgba[:, :3])
    image[height - 1 - y, x] = np.rint(255 * on_white).astype(np.uint8)
    return image
