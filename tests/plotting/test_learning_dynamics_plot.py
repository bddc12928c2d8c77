import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text
from pictures import legend_of, nodes_of

from graphne_viz.embedding.experiments.learning_dynamics import learning_dynamics
from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.plotting.learning_dynamics import plot_dynamics


@pytest.fixture(scope="module")
def dynamics():
    return learning_dynamics(n_nodes=150, blocks=3, dim=8, epochs=3)


def panels(figure):
    curves, *projections = figure.axes
    return curves, projections


def test_a_projection_for_each_moment_beside_the_curves(dynamics):
    curves, projections = panels(plot_dynamics(dynamics))
    moments = [moment for run in dynamics.runs for moment in (run.early, run.end)]
    assert len(projections) == 4
    for ax, moment in zip(projections, moments, strict=True):
        drawn = {tuple(place) for place in np.asarray(nodes_of(ax).get_offsets())}
        assert drawn == {tuple(place) for place in moment.positions}
        assert len({to_hex(color) for color in nodes_of(ax).get_facecolor()}) == 3
        assert ax.get_legend() is None
    assert legend_of(curves) == ["τ = 0.05", "τ = 0.5"]
    assert curves.get_ylabel() == "neighbour recall"


def test_points_and_letters_tie_the_projections_to_the_curves(dynamics):
    curves, projections = panels(plot_dynamics(dynamics))
    moments = [moment for run in dynamics.runs for moment in (run.early, run.end)]
    titles = [ax.get_title(loc="left") for ax in projections]
    assert [title[0] for title in titles] == ["a", "b", "c", "d"]
    assert titles[1] == "b  τ = 0.05, epoch 3"
    notes = [text for text in curves.texts if text.get_text()]
    assert [note.get_text() for note in notes] == [
        f"{letter}  {moment.recall:.0%}" for letter, moment in zip("abcd", moments, strict=True)
    ]
    assert [note.xy for note in notes] == [(moment.epoch, moment.recall) for moment in moments]
    colors = [to_hex(note.get_color()).upper() for note in notes]
    assert colors == [CLASS_COLORS[0]] * 2 + [CLASS_COLORS[1]] * 2


def test_the_curves_are_the_recall_by_epoch(dynamics):
    curves, _ = panels(plot_dynamics(dynamics))
    lines = [line for line in curves.lines if len(line.get_xdata()) > 1]
    for line, run in zip(lines, dynamics.runs, strict=True):
        history = run.end.embedding.history
        assert np.array_equal(line.get_xdata(), history["epoch"])
        assert np.array_equal(line.get_ydata(), history["recall"])


def test_what_is_written_lies_within_the_picture(dynamics):
    figure = plot_dynamics(dynamics)
    figure.canvas.draw()
    inside = figure.bbox
    for ax in figure.axes:
        for text in filter(Text.get_text, [*ax.texts, ax._left_title]):
            box = text.get_window_extent()
            assert inside.x0 <= box.x0 < box.x1 <= inside.x1
            assert inside.y0 <= box.y0 < box.y1 <= inside.y1


@pytest.mark.parametrize("temperatures", [[0.05], [0.05, 0.2, "learn"]])
def test_any_number_of_temperatures(temperatures):
    d = learning_dynamics(temperatures, n_nodes=60, blocks=2, dim=4, epochs=1)
    curves, projections = panels(plot_dynamics(d))
    assert len(projections) == 2 * len(temperatures)
    assert legend_of(curves)[-1] == ("τ learned" if "learn" in temperatures else "τ = 0.05")


def test_anything_else_is_refused_and_leaves_no_figure(dynamics):
    plt.close("all")
    with pytest.raises(TypeError, match="plot_dynamics needs the result of learning_dynamics, not a Graph"):
        plot_dynamics(dynamics.graph)
    assert not plt.get_fignums()
