"""Small multiples: the same graph by several methods, with the figures of each below it."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import NOTE_COLOR
from graphne_viz.encoding.columns.node_columns import color_column
from graphne_viz.encoding.labels.text import as_text
from graphne_viz.encoding.legend import legend_of
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.evaluation.methods.registry import FLAT
from graphne_viz.plotting import drawing
from graphne_viz.plotting.edges import FEWEST_SAMPLED
from graphne_viz.plotting.legends import list_entries
from graphne_viz.plotting.text import verbatim

if TYPE_CHECKING:
    import matplotlib as mpl
    import matplotlib.colors as mpl_colors
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.legend import Legend
    from graphne_viz.evaluation.compare import Comparison, Result
else:
    mpl = lazy_import("matplotlib")
    mpl_colors = lazy_import("matplotlib.colors")

# Inches.
_PICTURE = 3.1
_HEAD, _FOOT = 0.46, 0.48
_GAP, _MARGIN = 0.28, 0.12
_NOTE = 0.24

_LINE, _MOST_LINES = 44, 9  # of the reason why a method failed
_LONGEST_BY = 52


def spelled_seconds(seconds: float) -> str:
    """Write a time with two or three digits that mean something.

    Examples
    --------
    >>> spelled_seconds(0.0053), spelled_seconds(0.361), spelled_seconds(12.34), spelled_seconds(345.6)
    ('5 ms', '0.36 s', '12.3 s', '346 s')
    """
    if seconds < 0.095:
        return f"{1000 * seconds:.0f} ms"
    digits = 2 if seconds < 9.995 else 1 if seconds < 99.95 else 0
    return f"{seconds:,.{digits}f} s"


CAPTION = {"neighbor_recall": "recall", "knn_accuracy": "15-NN accuracy"}
"""What is written below each picture, where it is known, beside the time."""

_FASTER = 1.1
"""How many times as long the next fastest must take: times of equal runs differ by less."""


def captions(comparison: Comparison) -> dict[str, list[tuple[str, str, bool]]]:
    """List title, text and whether it is better than all others', for each figure below each method's picture."""
    listed: dict[str, list[tuple[str, str, bool]]] = {result.method: [] for result in comparison.results}
    for name, title in CAPTION.items():
        if all(math.isnan(result.scores[name]) for result in comparison.results):
            continue
        best = comparison.winner(name)
        for result in comparison.results:
            listed[result.method].append((title, comparison.text(result, name), result.method == best))
    fastest = fastest_of(comparison)
    for result in comparison.results:
        seconds = spelled_seconds(result.outcome.seconds)
        listed[result.method].append(("time", seconds, result.method == fastest))
    return listed


def fastest_of(comparison: Comparison) -> str | None:
    """Return the method that took less time than all others by more than such times differ; None if there is none."""
    ranked = sorted(comparison.results, key=lambda result: result.outcome.seconds)
    if len(ranked) < 2 or ranked[1].outcome.seconds < _FASTER * ranked[0].outcome.seconds:
        return None
    return ranked[0].method


def check_results(comparison: Comparison) -> None:
    """Refuse a comparison of which nothing came out, with the reasons."""
    if not comparison.results:
        reasons = "; ".join(f"{failure.method}: {failure.reason}" for failure in comparison.failures)
        raise ValueError(f"there is nothing to show, because no method succeeded ({reasons})")


def draw_comparison(
    figure: Figure,
    comparison: Comparison,
    *,
    columns: int | None = None,
    edges: bool | Literal["auto"] = "auto",
) -> None:
    """Draw every method's picture into an empty figure, whose size becomes what they need.

    Parameters
    ----------
    figure : matplotlib Figure
    comparison : Comparison
    columns : int, optional
        Pictures in a row; by default at most three, from ten on four.
    edges : bool or "auto", default "auto"
        As in `plot`.
    """
    count = len(comparison.methods)
    across = min(suitable_columns(count) if columns is None else columns, count)
    rows = -(-count // across)
    color = class_column_of(comparison)
    legend = legend_of(color, np.ones(comparison.graph.n_nodes, dtype=bool))
    notes = []
    if comparison.dim > FLAT:
        notes.append(f"figures of {comparison.dim} dimensions, pictures of their projections")
    if bounds := comparison.bounds_text():
        notes.append(bounds)
    cell = _HEAD + _PICTURE + _FOOT
    wide = 2 * _MARGIN + across * _PICTURE + (across - 1) * _GAP
    bottom = _MARGIN + (_NOTE if notes or comparison.graph.n_edges > FEWEST_SAMPLED else 0)
    high = _MARGIN + rows * cell + (rows - 1) * _GAP + bottom
    beside = _room_beside(figure, legend)
    figure.set_size_inches(wide + beside, high)
    if legend.entries:
        list_entries(figure, legend, ((wide + _GAP / 2) / (wide + beside), 1 - (_MARGIN + 0.1) / high))
    listed, why = captions(comparison), dict(comparison.failures)
    least = comparison.graph.n_edges
    for place, method in enumerate(comparison.methods):
        row, column = divmod(place, across)
        corner = (_MARGIN + column * (_PICTURE + _GAP), high - _MARGIN - (row + 1) * cell - row * _GAP)
        panel = _Panel(figure, corner)
        if method in why:
            panel.fail(method, why[method])
            continue
        result = comparison[method]
        panel.head(method, result.outcome.by)
        least = min(least, panel.draw(comparison, result, color, edges=edges))
        panel.caption(listed[method])
    if edges and least < comparison.graph.n_edges:
        notes.append(f"{least:,} of {comparison.graph.n_edges:,} edges drawn")
    if notes:
        figure.text(_MARGIN / (wide + beside), _MARGIN / high, "; ".join(notes), size=7.5, color=_faint())


def suitable_columns(count: int) -> int:
    """Choose how many pictures stand in a row."""
    return 2 if count == 4 else 3 if count <= 9 else 4


def class_column_of(comparison: Comparison) -> Column | None:
    """Return what all pictures are coloured by: the classes, which are classes even where they are numbers."""
    if comparison.classes is None:
        return None
    return color_column(comparison.graph, comparison.classes, kind="classes")


def _room_beside(figure: Figure, legend: Legend) -> float:
    """Return the width of the legend in inches, 0 without one."""
    if not legend.entries:
        return 0.0
    figure.set_size_inches(20, 8)  # in a figure that is too small a legend has another width
    drawn = list_entries(figure, legend, (0, 1))
    width = float(drawn.get_window_extent().width / figure.dpi)
    drawn.remove()
    return width + _GAP


class _Panel:
    """A method's place in the figure: a head, a square for the picture, a foot for its figures."""

    def __init__(self, figure: Figure, corner: tuple[float, float]) -> None:
        self._figure = figure
        self._left, self._low = corner

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Turn inches within the panel into shares of the figure."""
        width, height = self._figure.get_size_inches()
        return (self._left + x) / width, (self._low + y) / height

    def _write(self, x: float, y: float, text: str, **style: object) -> Text:
        written = self._figure.text(*self._at(x, y), "", **style)  # type: ignore[arg-type]
        verbatim(written).set_text(text)
        return written

    def head(self, method: str, by: str) -> None:
        top = _FOOT + _PICTURE
        self._write(_PICTURE / 2, top + 0.22, method, size=11, weight="bold", ha="center")
        self._write(_PICTURE / 2, top + 0.06, as_text(by, _LONGEST_BY), size=7, color=_faint(), ha="center")

    def draw(
        self, comparison: Comparison, result: Result, color: Column | None, *, edges: bool | Literal["auto"]
    ) -> int:
        """Draw the picture and return how many edges are in it."""
        (left, low), (right, high) = self._at(0, _FOOT), self._at(_PICTURE, _FOOT + _PICTURE)
        ax = self._figure.add_axes((left, low, right - left, high - low))
        ax.set_label(result.method)
        state = VisibleState(comparison.graph, result.positions, color, edges=bool(edges), class_names=False)
        return drawing.draw_graph(ax, state, sample=edges == "auto").edges

    def caption(self, figures: list[tuple[str, str, bool]]) -> None:
        for place, (title, text, best) in enumerate(figures):
            x = _PICTURE * (place + 0.5) / len(figures)
            self._write(x, 0.22, text, size=10, weight="bold" if best else "normal", ha="center")
            self._write(x, 0.06, title, size=7.5, color=_faint(), ha="center")

    def fail(self, method: str, reason: str) -> None:
        self._write(_PICTURE / 2, _FOOT + _PICTURE + 0.22, method, size=11, weight="bold", ha="center", color=_faint())
        lines = textwrap.wrap(as_text(reason, 1000), _LINE, break_on_hyphens=False)
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1] + " …"]
        text = "\n".join(["no result", "", *lines])
        self._write(_PICTURE / 2, _FOOT + _PICTURE / 2, text, size=8, color=_faint(), ha="center", va="center")


def _faint() -> str:
    """Return the colour of what is said in passing, on a light or a dark ground."""
    return "#A8A8A8" if sum(mpl_colors.to_rgb(mpl.rcParams["text.color"])) > 1.5 else NOTE_COLOR
