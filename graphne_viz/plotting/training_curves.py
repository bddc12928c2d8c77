"""How a training went, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.encoding.colors.palette import EDGE_COLOR, FIRST_COLORS, NOTE_COLOR
from graphne_viz.encoding.labels.text import as_text
from graphne_viz.plotting.text import verbatim

if TYPE_CHECKING:
    import matplotlib.pyplot as plt
    import matplotlib.ticker as mpl_ticker
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from numpy.typing import NDArray
else:
    plt = lazy_import("matplotlib.pyplot")
    mpl_ticker = lazy_import("matplotlib.ticker")

RECALL_COLOR, LOSS_COLOR, TEMPERATURE_COLOR = FIRST_COLORS[:3]

_FIGURE_SIZE = (6.4, 4.0)  # inches
_FEW = 25  # epochs that are each marked by a dot
_STYLES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.")


def plot_history(E: Embedding | Mapping[object, Embedding], ax: Axes | None = None) -> Axes:
    """Draw how neighbour recall and loss changed while an embedding was trained.

    Parameters
    ----------
    E : Embedding, or mapping from a label to an Embedding
        Of one embedding the recall is drawn, the loss with an axis of its own on the right, and the temperature
        if it was learned. Of several the recall is drawn, a line for each.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        That of the recall.

    Raises
    ------
    ValueError
        If there is nothing to draw: no embedding, or one without a single epoch.

    Examples
    --------
    >>> history = {"epoch": [1, 2], "loss": [3.1, 2.4], "temperature": [0.05, 0.05], "recall": [0.6, 0.8]}
    >>> E = Embedding(np.eye(2), "ab", history, {"epochs": 2}, [False, False])
    >>> plot_history(E).get_ylabel()
    'neighbour recall'
    """
    _check(list(E.values()) if isinstance(E, Mapping) else [E])
    if ax is None:
        _, ax = plt.subplots(figsize=_FIGURE_SIZE, layout="constrained")
    if isinstance(E, Embedding):
        _draw_one(ax, E)
    else:
        _draw_several(ax, E)
    return ax


def _check(embeddings: list[Any]) -> None:
    """Refuse what has no history."""
    if not embeddings:
        raise ValueError("there is nothing to draw: the mapping holds no embedding")
    for embedding in embeddings:
        if not isinstance(embedding, Embedding):
            kind = type(embedding).__name__
            raise TypeError(f"plot_history needs an Embedding, or a mapping from labels to Embeddings, not a {kind}")
        if not len(embedding.history["epoch"]):
            raise ValueError("there is nothing to draw: the embedding was not trained for a single epoch")


def _draw_one(ax: Axes, E: Embedding) -> None:
    """Draw recall over loss over temperature, each with a scale of its own in its own colour."""
    epochs = E.history["epoch"]
    _frame(ax, [E])
    right = ax.twinx()
    _draw_line(right, epochs, E.history["loss"], LOSS_COLOR)
    right.margins(y=0.08)
    for axes, side, name, color in (
        (ax, "left", "neighbour recall", RECALL_COLOR),
        (right, "right", "loss", LOSS_COLOR),
    ):
        axes.set_ylabel(name, color=color)
        axes.tick_params(axis="y", colors=color)
        for edge, spine in axes.spines.items():
            spine.set_visible(edge in {side, "bottom"})
            spine.set_color(color if edge == side else EDGE_COLOR)
    if _learned(E):
        _draw_temperature(ax, epochs, E.history["temperature"])
    _draw_line(ax, epochs, E.history["recall"], RECALL_COLOR)
    ax.set_zorder(right.get_zorder() + 1)  # recall, which matters most, lies on top
    ax.patch.set_visible(False)


def _draw_several(ax: Axes, embeddings: Mapping[object, Embedding]) -> None:
    """Draw the recall of each, with a legend."""
    _frame(ax, list(embeddings.values()))
    ax.set_ylabel("neighbour recall")
    for edge in ("top", "right"):
        ax.spines[edge].set_visible(False)
    lines = []
    for place, E in enumerate(embeddings.values()):
        again, color = divmod(place, len(FIRST_COLORS))
        line = _draw_line(ax, E.history["epoch"], E.history["recall"], FIRST_COLORS[color])
        line.set_linestyle(_STYLES[again % len(_STYLES)])
        lines.append(line)
    legend = ax.legend(lines, ["-"] * len(lines), frameon=False, fontsize="small", ncols=1 + len(lines) // 9)
    for text, label in zip(legend.get_texts(), embeddings, strict=True):
        verbatim(text).set_text(as_text(label))


def _frame(ax: Axes, embeddings: list[Embedding]) -> None:

    last = max(float(E.history["epoch"][-1]) for E in embeddings)
    ax.set_xlim(0, 1.02 * last)
    ax.set_ylim(0, 1.02)
    ax.xaxis.set_major_locator(mpl_ticker.MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10]))
    ax.set_xlabel("epoch")
    ax.grid(axis="y", color=EDGE_COLOR, alpha=0.15, linewidth=0.8)
    unfinished = [E for E in embeddings if not E.complete]
    if len(embeddings) == 1 and unfinished:
        note = f"stopped after {unfinished[0].epochs:,} of {unfinished[0].settings['epochs']:,} epochs"
        ax.text(1, 1.01, note, transform=ax.transAxes, fontsize=7, color=NOTE_COLOR, ha="right", va="bottom")


def _draw_line(ax: Axes, epochs: NDArray[np.float64], values: NDArray[np.float64], color: str) -> Line2D:
    (line,) = ax.plot(epochs, values, color=color, linewidth=1.8, solid_capstyle="round")
    if len(epochs) <= _FEW:
        line.set(marker="o", markersize=3.5)
    return line


def _learned(E: Embedding) -> bool:
    values = E.history["temperature"]
    return E.settings.get("temperature") == "learn" or bool(np.ptp(values) > 0)


def _draw_temperature(ax: Axes, epochs: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Draw the temperature without an axis: what it began and ended with stands above the curves."""
    own = ax.twinx()
    own.set_axis_off()
    own.margins(y=0.15)
    own.plot(epochs, values, color=TEMPERATURE_COLOR, linewidth=1.4, linestyle=(0, (4, 2)))
    course = f"temperature (dashed): {values[0]:.3g} to {values[-1]:.3g}"
    ax.text(0, 1.01, course, transform=ax.transAxes, fontsize="small", color=TEMPERATURE_COLOR, va="bottom")
