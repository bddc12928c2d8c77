"""How trainings at several temperatures unfold, in one picture like the paper's."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.experiments.learning_dynamics import Dynamics
from graphne_viz.encoding.colors.palette import FIRST_COLORS
from graphne_viz.plotting.plot import plot
from graphne_viz.plotting.training_curves import plot_history

if TYPE_CHECKING:
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from graphne_viz.embedding.experiments.learning_dynamics import Moment, Run
else:
    plt = lazy_import("matplotlib.pyplot")

_ROW_HEIGHT, _WIDTH = 2.9, 11.0  # inches


def plot_dynamics(dynamics: Dynamics) -> Figure:
    """Draw projections from the first epoch and from the end beside the recall by epoch.

    Parameters
    ----------
    dynamics : Dynamics
        What `learning_dynamics` returns.

    Returns
    -------
    matplotlib.figure.Figure
        A row for each temperature, its nodes coloured by their blocks; on the right the recall of all of them, with
        a point for each projection.

    Examples
    --------
    >>> from graphne_viz.embedding.experiments.learning_dynamics import learning_dynamics
    >>> figure = plot_dynamics(learning_dynamics([0.05], n_nodes=100, blocks=2, dim=16, epochs=2))
    >>> len(figure.axes)
    3
    """
    if not isinstance(dynamics, Dynamics):
        raise TypeError(f"plot_dynamics needs the result of learning_dynamics, not a {type(dynamics).__name__}")

    rows = len(dynamics.runs)
    figure = plt.figure(figsize=(_WIDTH, max(rows * _ROW_HEIGHT, 3.6)), layout="constrained")
    grid = figure.add_gridspec(rows, 3, width_ratios=(1, 1, 1.5), hspace=0.08)
    curves = figure.add_subplot(grid[:, 2])
    plot_history({_name(run): run.end.embedding for run in dynamics.runs}, curves)
    letters = iter(ascii_lowercase)
    for row, run in enumerate(dynamics.runs):
        color = FIRST_COLORS[row % len(FIRST_COLORS)]
        for column, moment in enumerate((run.early, run.end)):
            letter = next(letters, "")
            ax = figure.add_subplot(grid[row, column])
            plot(dynamics.graph, moment.positions, ax=ax, color="class", edges=False, legend=False)
            ax.set_title(f"{letter}  {_name(run)}, epoch {round(moment.epoch, 1):g}", loc="left", color=color, size=10)
            _mark(curves, moment, f"{letter}  {moment.recall:.0%}", color, at_end=moment is run.end)
    return figure


def _name(run: Run) -> str:
    return "τ learned" if run.temperature == "learn" else f"τ = {run.temperature:g}"


def _mark(ax: Axes, moment: Moment, text: str, color: str, *, at_end: bool) -> None:
    """Set a point where a projection belongs, and write beside it where the curve leaves room."""
    ax.plot(moment.epoch, moment.recall, "o", color=color, markersize=7, markeredgecolor="white", clip_on=False)
    above = 8 if moment.recall < 0.9 else -8
    ax.annotate(
        text,
        (moment.epoch, moment.recall),
        xytext=(4, above) if at_end else (9, 2),
        textcoords="offset points",
        ha="right" if at_end else "left",
        va="center" if not at_end else "bottom" if above > 0 else "top",
        color=color,
    )
