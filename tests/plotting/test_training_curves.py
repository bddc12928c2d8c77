import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from pictures import legend_of

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.plotting.training_curves import LOSS_COLOR, RECALL_COLOR, TEMPERATURE_COLOR, plot_history


def trained(epochs=40, *, temperature=0.05, planned=None):
    done = np.arange(1, epochs + 1)
    learned = temperature == "learn"
    history = {
        "epoch": done,
        "loss": 1 + 2 / done,
        "temperature": 0.05 + 0.45 / done if learned else 0 * done + temperature,
        "recall": 1 - 0.5 / done,
    }
    settings = {"epochs": epochs if planned is None else planned, "temperature": temperature}
    return Embedding(np.eye(2), "ab", history, settings, [False, False])


def lines_of(ax):
    return {to_hex(line.get_color()).upper(): line.get_xydata().T for line in ax.lines}


def texts_of(ax):
    return [text.get_text() for text in ax.texts]


def test_recall_stands_left_and_loss_right():
    E = trained()
    ax = plot_history(E)
    ax.figure.canvas.draw()
    _, right = ax.figure.axes
    assert (ax.get_xlabel(), ax.get_ylabel(), right.get_ylabel()) == ("epoch", "neighbour recall", "loss")
    assert list(lines_of(ax)) == [RECALL_COLOR]
    assert list(lines_of(right)) == [LOSS_COLOR]
    assert np.array_equal(lines_of(ax)[RECALL_COLOR], [E.history["epoch"], E.history["recall"]])
    assert np.array_equal(lines_of(right)[LOSS_COLOR], [E.history["epoch"], E.history["loss"]])
    assert right.yaxis.get_label_position() == "right"
    assert ax.get_ylim()[0] == 0
    assert ax.get_zorder() > right.get_zorder()
    for axes, color in ((ax, RECALL_COLOR), (right, LOSS_COLOR)):
        assert to_hex(axes.yaxis.label.get_color()).upper() == color
        assert {to_hex(tick.label1.get_color()).upper() for tick in axes.yaxis.get_major_ticks()} == {color}
    assert all(tick == round(tick) for tick in ax.get_xticks())


def test_a_temperature_is_drawn_only_if_it_was_learned():
    ax = plot_history(trained())
    assert len(ax.figure.axes) == 2
    assert texts_of(ax) == []
    E = trained(temperature="learn")
    ax = plot_history(E)
    *_, own = ax.figure.axes
    assert np.array_equal(lines_of(own)[TEMPERATURE_COLOR][1], E.history["temperature"])
    assert texts_of(ax) == ["temperature (dashed): 0.5 to 0.0612"]


def test_no_text_covers_another_or_a_curve():
    ax = plot_history(trained(30, temperature="learn", planned=50))
    ax.figure.canvas.draw()
    one, other = (text.get_window_extent() for text in ax.texts)
    assert not one.overlaps(other)
    assert min(one.y0, other.y0) >= ax.get_window_extent().y1
    assert max(one.y1, other.y1) <= ax.figure.bbox.y1


def test_a_stopped_training_says_so():
    assert texts_of(plot_history(trained(17, planned=50))) == ["stopped after 17 of 50 epochs"]


def test_a_single_epoch_can_be_seen():
    for axes in plot_history(trained(1)).figure.axes:
        assert [line.get_marker() for line in axes.lines] == ["o"]
    assert plot_history(trained(40)).lines[0].get_marker() == "None"


def test_several_are_compared_by_their_recall():
    labels = ["$\\tau$ = 0.05", "_hidden", "</script>", 0.5]
    ax = plot_history({label: trained(3 + place) for place, label in enumerate(labels)})
    assert len(ax.figure.axes) == 1
    assert legend_of(ax) == [str(label) for label in labels]
    assert list(lines_of(ax)) == list(CLASS_COLORS[:4])
    assert ax.get_xlim()[1] == pytest.approx(6 * 1.02)
    ax.figure.canvas.draw()  # would fail if the dollar signs were taken for TeX


def test_many_lines_can_still_be_told_apart():
    ax = plot_history({place: trained(5) for place in range(30)})
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.lines}) == 30


def test_the_callers_axes_are_drawn_into():
    figure, axes = plt.subplots(1, 2)
    assert plot_history(trained(), ax=axes[1]) is axes[1]
    assert plot_history({"a": trained()}, axes[0]) is axes[0]
    assert len(figure.axes) == 3
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize("nothing", [trained(0, planned=5), {}, {"a": trained(), "b": trained(0)}])
def test_nothing_to_draw(nothing):
    with pytest.raises(ValueError, match="there is nothing to draw"):
        plot_history(nothing)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("wrong", [None, [trained(2)], {"a": 1}, np.eye(2)])
def test_what_is_no_embedding_is_refused(wrong):
    with pytest.raises(TypeError, match="plot_history needs an Embedding, or a mapping from labels to Embeddings"):
        plot_history(wrong)
