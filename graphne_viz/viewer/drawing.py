"""The layers of a picture: edges, nodes, labels, and the legend or colour bar beside them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.viewer.palette import EDGE_COLOR, NOTE_COLOR
from graphne_viz.viewer.values import as_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text
    from numpy.typing import NDArray

    from graphne_viz.viewer.encoding import NodeColors

MOST_VECTOR_NODES = 50_000
"""More nodes are drawn as pixels in vector formats too."""

MOST_VECTOR_EDGES = 50_000
"""More edges are drawn as pixels in vector formats too."""

FEWEST_SAMPLED, MOST_SAMPLED = 100_000, 500_000
"""Bounds of a sample of edges, which is drawn where all of them would be a mere blot."""

EDGE_ORDER, NODE_ORDER = 1, 2

MORE_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Hiragino Sans",
    "Arial Unicode MS",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Emoji",
    "Segoe UI Emoji",
    "Segoe UI Symbol",
)
"""Fonts that are asked in this order, where the system has them, for letters that the first one lacks."""

_OUTLINED_NODES = 2_000
_SEPARATE_EDGES = 20_000
_EDGES_PER_PATH = 16
_FAINTEST = 0.015  # fainter lines vanish in the rounding of eight-bit pixels
_INK_CELLS = 48


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
    # Many nodes together cover a large share of the picture; few need not.
    share = np.clip(0.18 * _crowd(n), 0.18, 0.7) * area / max(n, 1)
    return float(np.clip(min(share, 1.8 * np.sqrt(area / max(n, 1))), 0.02, 180))


def _crowd(n: int) -> float:
    """Return by how much a picture of n nodes is about its nodes rather than about single edges."""
    return float((max(n, 1) / 2_000) ** 0.3)


def frame(ax: Axes, positions: NDArray[np.float64], sizes: NDArray[np.float64]) -> None:
    """Fit the axes to the nodes: no ticks, equal aspect, as much margin as the largest node needs."""
    low, span = extent(positions)
    radius = np.sqrt(sizes.max(initial=0) / np.pi) + 1
    margin = 0.01 * span.max() + radius / points_per_unit(ax, span)
    ax.set_axis_off()
    ax.set_xlim(low[0] - margin, low[0] + span[0] + margin)
    ax.set_ylim(low[1] - margin, low[1] + span[1] + margin)
    ax.set_aspect("equal", adjustable="box")


def extent(positions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower left corner and the span of the positions; a span of 1 around a single place."""
    if not len(positions):
        return np.zeros(2), np.ones(2)
    low, span = positions.min(axis=0), np.ptp(positions, axis=0)
    if not span.max():
        return low - 0.5, np.ones(2)
    # A path laid out as a straight line still gets a frame with an inside.
    thin = np.maximum(span, 0.02 * span.max())
    return low - (thin - span) / 2, thin


def draw_edges(ax: Axes, positions: NDArray[np.float64], edges: NDArray[np.int64], size: float, *, sample: bool) -> int:
    """Draw the edges as one collection, the fainter the more of them lie on one another.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits set.
    positions : ndarray, shape (n, 2)
    edges : ndarray, shape (E, 2)
    size : float
        Area of a usual node in square points; the width of the lines goes with it.
    sample : bool
        Whether a random sample may stand for very many edges.

    Returns
    -------
    int
        How many edges were drawn.
    """
    from matplotlib.collections import LineCollection  # noqa: PLC0415 -- matplotlib is loaded only to draw

    segments = positions[edges]
    width = float(np.clip(np.sqrt(size) / 10, 0.15, 1))
    opacity = np.clip(0.7 / _crowd(len(positions)), 0.15, 0.7)  # where the edges lie close together
    alpha = min(opacity / max(_coverage(ax, segments, width), 1e-9), 0.7)
    if sample and len(edges) > FEWEST_SAMPLED:
        keep = int(np.clip(len(edges) * alpha / _FAINTEST, FEWEST_SAMPLED, MOST_SAMPLED))
        segments = _sampled(segments, keep)
    ax.add_collection(
        LineCollection(
            _bundled(segments) if len(segments) > _SEPARATE_EDGES else segments,  # type: ignore[arg-type]
            colors=EDGE_COLOR,
            linewidths=width,
            alpha=float(max(alpha, _FAINTEST)),
            zorder=EDGE_ORDER,
            rasterized=len(segments) > MOST_VECTOR_EDGES,
        ),
        autolim=False,
    )
    return len(segments)


def _sampled(segments: NDArray[np.float64], keep: int) -> NDArray[np.float64]:
    if keep >= len(segments):
        return segments
    chosen = np.random.default_rng(0).choice(len(segments), keep, replace=False, shuffle=False)
    return segments[np.sort(chosen)]


def _coverage(ax: Axes, segments: NDArray[np.float64], width: float) -> float:
    """Estimate how many edges lie on one another where an average piece of an edge lies."""
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    if not length.any():
        return 0.0
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    pieces = int(np.clip(500_000 // len(segments), 2, _INK_CELLS))
    ink = np.zeros((_INK_CELLS, _INK_CELLS))
    for part in (np.arange(pieces) + 0.5) / pieces:
        x, y = (segments[:, 0] * (1 - part) + segments[:, 1] * part).T
        ink += np.histogram2d(x, y, bins=_INK_CELLS, range=np.transpose([low, high]), weights=length / pieces)[0]
    cell = np.prod(high - low) / ink.size
    covered = ink * width / (cell * points_per_unit(ax, high - low))
    return float((covered**2).sum() / covered.sum())


def _bundled(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join segments to paths of several, with gaps of NaN: matplotlib needs far less time for fewer paths."""
    paths = -(-len(segments) // _EDGES_PER_PATH)
    joined = np.full((paths * _EDGES_PER_PATH, 3, 2), np.nan)
    joined[: len(segments), :2] = segments
    return joined.reshape(paths, 3 * _EDGES_PER_PATH, 2)


def draw_nodes(ax: Axes, positions: NDArray[np.float64], colors: NodeColors, sizes: NDArray[np.float64]) -> None:
    """Draw the nodes as one collection: grey ones first, and large ones before small ones."""
    order = np.lexsort((-sizes, ~colors.grey))
    n = len(positions)
    ax.scatter(
        positions[order, 0],
        positions[order, 1],
        s=sizes[order],
        c=colors.rgba[order],
        linewidths=_outline(sizes) if n <= _OUTLINED_NODES else 0,
        edgecolors="white" if n <= _OUTLINED_NODES else "none",
        zorder=NODE_ORDER,
        rasterized=n > MOST_VECTOR_NODES,
    )


def _outline(sizes: NDArray[np.float64]) -> float:
    """Return the width of an outline, in points, that leaves something of small nodes."""
    return float(min(0.5, 0.09 * np.sqrt(np.median(sizes)))) if len(sizes) else 0.5


def explain_colors(ax: Axes, colors: NodeColors) -> None:
    """Explain classes by a legend, values by a colour bar; beside the picture, where no node is covered."""
    if colors.legend:
        _draw_legend(ax, colors)
    elif colors.scale is not None:
        _draw_colorbar(ax, colors, colors.scale)


def _draw_legend(ax: Axes, colors: NodeColors) -> None:
    list_classes(ax, colors, (1, 1))
    ax.set_anchor("W")  # otherwise layout engines leave half of the legend's place on the other side


def list_classes(owner: Axes | Figure, colors: NodeColors, corner: tuple[float, float]) -> Legend:
    """List the classes, with their counts, in a legend whose upper left corner is at a place of the axes or figure."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 -- matplotlib is loaded only to draw

    handles = [Line2D([], [], linestyle="", marker="o", markersize=6, color=c.color) for c in colors.legend]
    legend = owner.legend(
        handles,
        ["-"] * len(handles),  # names that begin with _ would be left out here; they are set below
        title=" ",
        loc="upper left",
        bbox_to_anchor=corner,
        frameon=False,
        fontsize="small",
        title_fontsize="small",
        alignment="left",
        handletextpad=0.2,
    )
    for text, entry in zip(legend.get_texts(), colors.legend, strict=True):
        plain(text).set_text(f"{entry.label} ({entry.count:,})")
    plain(legend.get_title()).set_text(as_text(colors.name))
    return legend


def _draw_colorbar(ax: Axes, colors: NodeColors, scale: ScalarMappable) -> None:
    from matplotlib.dates import (  # noqa: PLC0415 -- matplotlib is loaded only to draw
        AutoDateLocator,
        ConciseDateFormatter,
    )
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 -- matplotlib is loaded only to draw

    pointed = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
    extend = pointed[colors.beyond]
    bar = ax.figure.colorbar(scale, ax=ax, shrink=0.5, fraction=0.05, pad=0.02, aspect=25, extend=extend)
    bar.outline.set_visible(False)
    if colors.date:
        bar.locator = AutoDateLocator(maxticks=6)  # type: ignore[no-untyped-call] # matplotlib has no types there
        bar.formatter = ConciseDateFormatter(bar.locator)  # type: ignore[no-untyped-call] # the same
    elif colors.whole:
        bar.locator = MaxNLocator(nbins=6, integer=True)
    bar.ax.tick_params(labelsize="small")
    plain(bar.ax.yaxis.label).set_text(as_text(colors.name))


def write_around(ax: Axes, title: str, note: str) -> None:
    """Write a title over the picture and a small line under it, where there is one to write."""
    if title:
        plain(ax.set_title("")).set_text(title)
    if note:
        text = ax.text(0, 0, "", transform=ax.transAxes, fontsize=7, color=NOTE_COLOR, va="top")
        plain(text).set_text(note)


def plain(text: Text) -> Text:
    """Have names shown as they are: without this, dollar signs and TeX in them would be interpreted.

    Scripts that matplotlib's own font lacks are taken from fonts of the system, where it has them.
    """
    text.set_parse_math(False)
    text.set_usetex(False)
    text.set_fontfamily([*text.get_fontfamily(), *_more_fonts()])
    return text


@cache
def _more_fonts() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 -- matplotlib is loaded only to draw

    installed = set(fontManager.get_font_names())
    return tuple(name for name in MORE_FONTS if name in installed)
