"""What stands beside a picture and explains its colours: a list of classes, or a colour bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import NOTE_COLOR, OTHER_COLOR
from graphne_viz.encoding.columns.column import AREA_KEY, ValueColumn
from graphne_viz.encoding.columns.dates import date_text
from graphne_viz.encoding.labels.node_labels import number_text, value_text
from graphne_viz.encoding.labels.text import as_text
from graphne_viz.encoding.legend import LegendEntry
from graphne_viz.plotting.text import verbatim

if TYPE_CHECKING:
    from collections.abc import Callable

    import matplotlib.dates as mpl_dates
    import matplotlib.legend as mpl_legend
    import matplotlib.lines as mpl_lines
    import matplotlib.ticker as mpl_ticker
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend as DrawnLegend
    from numpy.typing import NDArray

    from graphne_viz.encoding.colors.node_colors import ColorScale
    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.legend import Legend
else:
    mpl_dates = lazy_import("matplotlib.dates")
    mpl_legend = lazy_import("matplotlib.legend")
    mpl_lines = lazy_import("matplotlib.lines")
    mpl_ticker = lazy_import("matplotlib.ticker")

_MOST_ROWS, _MOST_ENTRIES = 30, 60
_LONGEST_OF_MANY = 24
_KEY_TITLE = 8.3  # points, as matplotlib's "small"
_EXTEND = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}


def draw_legend(ax: Axes, legend: Legend) -> None:
    """Explain the colours beside the picture, where no node is covered."""
    if legend.scale is not None:
        _draw_colorbar(ax, legend, legend.scale)
    elif legend.entries:
        list_entries(ax, legend, (1, 1))
        ax.set_anchor("W")  # otherwise layout engines leave half of the legend's place on the other side


def draw_size_key(
    ax: Axes, column: Column | None, area_of: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> DrawnLegend | None:
    """Explain the sizes of nodes beside the picture, by a small, a middling and the largest of them.

    Parameters
    ----------
    ax : matplotlib Axes
    column : Column or None
        What the nodes are sized by; nothing is drawn unless it has different numbers.
    area_of : callable
        Areas of nodes, in square points, that have given values.
    """
    if not isinstance(column, ValueColumn) or column.key == AREA_KEY or not column.high > column.low:
        return None
    values = np.array([column.low, (column.low + column.high) / 2, column.high])
    values = np.unique(np.rint(values)) if column.whole and not column.date else values
    bar = len(ax.figure.axes) > 1
    diameters = np.sqrt(area_of(values))
    key = mpl_legend.Legend(
        ax,
        [
            mpl_lines.Line2D([], [], linestyle="", marker="o", markersize=size, color=NOTE_COLOR, markeredgewidth=0)
            for size in diameters
        ],
        ["-"] * len(values),
        title=" ",
        loc="upper right" if bar else "lower left",
        bbox_to_anchor=(1, 0),
        ncols=len(values) if bar else 1,
        frameon=False,
        fontsize="small",
        title_fontsize=_KEY_TITLE,
        alignment="left",
        labelspacing=max(0.6, float(diameters.max()) / (1.6 * _KEY_TITLE) - 0.4),
        handleheight=max(0.7, float(diameters.max()) / _KEY_TITLE) if bar else None,
        handlelength=max(2.0, float(diameters.max()) / _KEY_TITLE),
    )
    for text, value in zip(key.get_texts(), values, strict=True):
        verbatim(text).set_text(value_text(column, float(value)))
    verbatim(key.get_title()).set_text(as_text(column.name))
    ax.add_artist(key)
    key.set_clip_on(False)  # layout engines leave no room for what the axes clip
    return key


def list_entries(owner: Axes | Figure, legend: Legend, corner: tuple[float, float]) -> DrawnLegend:
    """List the classes, with their counts; the upper left corner of the list is at a place of the axes or figure."""
    entries = legend.entries
    if len(entries) > _MOST_ENTRIES:
        rest = entries[_MOST_ENTRIES - 1 :]
        more = LegendEntry("more classes", OTHER_COLOR, sum(entry.count for entry in rest))
        entries = (*entries[: _MOST_ENTRIES - 1], more)
    many = len(entries) > _MOST_ROWS
    drawn = owner.legend(
        [mpl_lines.Line2D([], [], linestyle="", marker="o", markersize=6, color=entry.color) for entry in entries],
        ["-"] * len(entries),  # names that begin with _ would be left out here; they are set below
        title=" ",
        loc="upper left",
        bbox_to_anchor=corner,
        frameon=False,
        ncols=-(-len(entries) // _MOST_ROWS),
        columnspacing=0.8,
        labelspacing=0.3 if many else 0.5,
        fontsize="x-small" if many else "small",
        title_fontsize="small",
        alignment="left",
        handletextpad=0.2,
    )
    for text, entry in zip(drawn.get_texts(), entries, strict=True):
        verbatim(text).set_text(f"{as_text(entry.label, _LONGEST_OF_MANY) if many else entry.label} ({entry.count:,})")
    verbatim(drawn.get_title()).set_text(as_text(legend.title))
    return drawn


def _draw_colorbar(ax: Axes, legend: Legend, scale: ColorScale) -> None:
    extend = _EXTEND[scale.tails]
    bar = ax.figure.colorbar(scale.mappable, ax=ax, shrink=0.5, fraction=0.05, pad=0.02, aspect=25, extend=extend)
    bar.outline.set_visible(False)
    if scale.constant is not None:
        # Only the value itself: the ends of its bar are nobody's.
        value = scale.constant
        bar.locator = mpl_ticker.FixedLocator([value])
        bar.formatter = mpl_ticker.FixedFormatter(
            [date_text(value, timed=not scale.whole) if scale.date else number_text(value)]
        )
    elif scale.date:
        bar.locator = mpl_dates.AutoDateLocator(maxticks=6)  # type: ignore[no-untyped-call] # it has no types
        bar.formatter = mpl_dates.ConciseDateFormatter(bar.locator)  # type: ignore[no-untyped-call] # the same
    elif scale.whole:
        bar.locator = mpl_ticker.MaxNLocator(nbins=6, integer=True)
    bar.ax.tick_params(labelsize="small")
    missing = "".join(f" (grey: {entry.count:,} without a value)" for entry in legend.entries)
    verbatim(bar.ax.yaxis.label).set_text(as_text(legend.title) + missing)
