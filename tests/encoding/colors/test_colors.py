import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import Normalize, to_hex, to_rgba
from matplotlib.transforms import Affine2D
from pictures import colors_of, grid, legend_of, nodes_of

from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR
from graphne_viz.encoding.columns.node_columns import size_column
from graphne_viz.encoding.sizes import LARGEST_AREA, SMALLEST_AREA
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.plotting import drawing
from graphne_viz.plotting.figures import node_diameters
from graphne_viz.plotting.plot import plot


def test_classes_get_the_palette_and_a_legend_with_counts(karate):
    G, pos = karate
    ax = plot(G, pos, color="club")
    clubs = [club for _, club in G.nodes(data="club")]
    expected = {"Mr. Hi": CLASS_COLORS[0].lower(), "Officer": CLASS_COLORS[1].lower()}
    assert colors_of(ax, [pos[node] for node in G]) == [expected[club] for club in clubs]
    assert legend_of(ax) == ["Mr. Hi (17)", "Officer (17)"]
    assert ax.get_legend().get_title().get_text() == "club"
    assert len(ax.figure.axes) == 1


def test_forty_classes_have_a_colour_each_the_largest_the_most_different_ones():
    # class k has k + 1 members, so the last ones are the largest
    classes = [f"class {k}" for k in range(40) for _ in range(k + 1)]
    n = len(classes)
    ax = plot(nx.empty_graph(n), grid(n), color=classes)
    assert legend_of(ax)[:3] == ["class 39 (40)", "class 38 (39)", "class 37 (38)"]
    shown = colors_of(ax, grid(n))
    assert all(color == CLASS_COLORS[39 - int(name[6:])].lower() for name, color in zip(classes, shown, strict=True))


def test_classes_that_exceed_all_colours_are_grey():
    classes = [f"class {k}" for k in range(300)] + ["class 7"] * 5
    ax = plot(nx.empty_graph(305), grid(305), color=classes)
    assert legend_of(ax)[0] == "class 7 (6)"
    assert len(legend_of(ax)) == 60
    assert legend_of(ax)[-1] == "more classes (241)"
    assert colors_of(ax, grid(305))[299] == OTHER_COLOR.lower()


def test_a_palette_of_too_few_colours_is_refused():
    with pytest.raises(ValueError, match="palette has 2 colours, but 'color' has 3 classes"):
        plot(nx.empty_graph(3), grid(3), color=["x", "y", "z"], palette=["red", "blue"])


def test_classes_come_in_natural_order_and_keep_their_colours():
    ax = plot(nx.empty_graph(4), grid(4), color=["b10", "b9", "b9", "a"])
    assert legend_of(ax) == ["a (1)", "b9 (2)", "b10 (1)"]


def test_a_palette_may_map_classes_to_colours():
    ax = plot(nx.empty_graph(3), grid(3), color=["x", "y", "z"], palette={"y": "red", "x": "blue"})
    assert colors_of(ax, grid(3)) == ["#0000ff", "#ff0000", OTHER_COLOR.lower()]
    assert legend_of(ax) == ["x (1)", "y (1)", "1 more class (1)"]


def test_missing_classes_are_grey_and_counted():
    ax = plot(nx.empty_graph(4), grid(4), color=["a", None, float("nan"), "b"])
    assert legend_of(ax) == ["a (1)", "b (1)", "no value (2)"]
    assert colors_of(ax, grid(4))[1:3] == [MISSING_COLOR.lower()] * 2


def test_values_get_a_colour_bar_and_missing_ones_are_grey():
    values = {0: 0.0, 1: 5.0, 2: float("nan"), 3: 10.0}
    ax = plot(nx.path_graph(5), grid(5), color=values)
    assert ax.get_legend() is None
    bar = ax.figure.axes[1]
    assert bar.get_ylim() == (0, 10)
    assert bar.get_ylabel() == "color (grey: 2 without a value)"
    viridis = plt.get_cmap("viridis")
    assert colors_of(ax, grid(5)) == [
        to_hex(viridis(0.0)),
        to_hex(viridis(0.5)),
        MISSING_COLOR.lower(),
        to_hex(viridis(1.0)),
        MISSING_COLOR.lower(),
    ]


@pytest.mark.parametrize(
    ("values", "ends", "pointed"),
    [
        ([*range(100), 5000], (0, 98), "max"),
        ([*range(100), -5000], (1, 99), "min"),
        ([*range(100), 5000, -5000], (1, 98), "both"),
        ([*range(100), 150], (0, 150), "neither"),
        ([0] * 200 + [7], (0, 7), "neither"),
        ([1, 2, 1000], (1, 1000), "neither"),
    ],
)
def test_a_long_tail_leaves_the_others_their_colours(values, ends, pointed):
    ax = plot(nx.empty_graph(len(values)), grid(len(values)), color=values, color_kind="values")
    bar = ax.figure.axes[1]._colorbar
    assert (bar.vmin, bar.vmax, bar.extend) == (*ends, pointed)


def test_a_colour_bar_of_dates_has_dates():
    days = np.datetime64("2019-11-01") + np.arange(200)
    ax = plot(nx.empty_graph(200), grid(200), color=days)
    ax.figure.draw_without_rendering()
    written = [text.get_text() for text in ax.figure.axes[1].get_yticklabels()]
    assert "2020" in written
    assert {"Mar", "May"} <= set(written)


def test_a_scale_of_the_callers_own_is_left_alone():
    values = [*range(100), 5000]
    ax = plot(nx.empty_graph(101), grid(101), color=values, color_kind="values", norm=Normalize(0, 6000))
    assert ax.figure.axes[1].get_ylim() == (0, 6000)


def test_a_colour_bar_of_whole_numbers_has_whole_ticks(karate):
    ax = plot(*karate, color="degree")
    ticks = [text.get_text() for text in ax.figure.axes[1].get_yticklabels()]
    assert ticks
    assert all(tick.isdigit() for tick in ticks)
    assert ax.figure.axes[1].get_ylabel() == "degree"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b", "c", "a"], "classes"),
        ([True, False, True, True], "classes"),
        ([1, 2, 3, None], "classes"),
        (np.array([3, 1, 2, 2]), "classes"),
        ([1.5, 2.0, 3.0, 1.0], "values"),
        ([1, 2.5, None, 7], "values"),
        (np.array([1, 2, 3, 4], dtype=np.float32), "values"),
        (["x", 1, 2.0, None], "classes"),
        ([float("nan")] * 4, "classes"),  # grey, which a legend explains
        (["#ff0000", "#00ff00", "#0000ff", None], "nothing"),
        (np.eye(4)[:, :3], "nothing"),
        ([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)], "nothing"),
        (["r", "g", "b", "r"], "classes"),
    ],
)
def test_what_values_are_is_seen_from_them(values, kind):
    ax = plot(nx.empty_graph(4), grid(4), color=values)
    shown = "classes" if ax.get_legend() else "values" if len(ax.figure.axes) > 1 else "nothing"
    assert shown == kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [(np.arange(100) % 40, "classes"), (1990 + np.arange(100) % 40, "values"), (np.arange(100), "values")],
)
def test_many_whole_numbers_are_classes_only_if_they_count_from_0_or_1(values, kind):
    ax = plot(nx.empty_graph(100), grid(100), color=values)
    assert ("classes" if ax.get_legend() else "values") == kind


def test_the_kind_can_be_chosen():
    ax = plot(nx.empty_graph(3), grid(3), color=[1, 2, 3], color_kind="values")
    assert ax.get_legend() is None
    ax = plot(nx.empty_graph(3), grid(3), color=[1.5, 2.5, 2.5], color_kind="classes")
    assert legend_of(ax) == ["1.5 (1)", "2.5 (2)"]
    ax = plot(nx.empty_graph(3), grid(3), color=["r", "g", "b"], color_kind="colors")
    assert colors_of(ax, grid(3)) == ["#ff0000", "#008000", "#0000ff"]


@pytest.mark.parametrize("color", ["red", "#ff0000", (1.0, 0.0, 0.0), (1, 0, 0, 1)])
def test_one_colour_for_all(color):
    ax = plot(nx.path_graph(3), grid(3), color=color)
    assert colors_of(ax, grid(3)) == ["#ff0000"] * 3
    assert ax.get_legend() is None


def test_an_attribute_wins_over_a_colour_of_the_same_name():
    G = nx.path_graph(2)
    nx.set_node_attributes(G, {0: "a", 1: "b"}, "red")
    assert legend_of(plot(G, grid(2), color="red")) == ["a (1)", "b (1)"]


def test_grey_nodes_lie_under_coloured_ones():
    ax = plot(nx.empty_graph(3), grid(3), color=["a", "a", None])
    assert to_hex(nodes_of(ax).get_facecolor()[0]) == MISSING_COLOR.lower()


def test_sizes(karate):
    G, pos = karate
    degrees = np.array([d for _, d in G.degree])
    areas = nodes_of(plot(G, pos, size="degree")).get_sizes()
    assert np.allclose(np.sort(areas)[::-1], areas)  # large ones first
    assert areas.max() / areas.min() == pytest.approx(LARGEST_AREA / SMALLEST_AREA)
    by_array = nodes_of(plot(G, pos, size=degrees)).get_sizes()
    by_mapping = nodes_of(plot(G, pos, size=dict(G.degree))).get_sizes()
    assert np.array_equal(areas, by_array)
    assert np.array_equal(areas, by_mapping)
    assert (nodes_of(plot(G, pos, size=7)).get_sizes() == 7).all()
    assert len(set(nodes_of(plot(G, pos, size=np.ones(34))).get_sizes())) == 1


def test_diameters_for_files_are_those_of_the_picture(karate):
    G, pos = karate
    positions = 1000 * np.array([pos[node] for node in G])
    ax = plot(G, positions, size=100, class_names=False)
    ax.figure.canvas.draw()
    graph = as_graph(G)
    diameters = node_diameters(VisibleState(graph, positions, size=size_column(graph, 100)))
    disc = nodes_of(ax)
    drawn = disc.get_paths()[0].get_extents(Affine2D(disc.get_transforms()[0])).width  # pixels
    per_unit = np.ptp(ax.transData.transform([[0, 0], [1000, 0]])[:, 0]) / 1000
    assert diameters == pytest.approx(drawn / per_unit, rel=0.1)


def test_node_sizes_suit_the_number_of_nodes():
    areas = [drawing.suitable_size(254_016, n) for n in (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)]
    assert areas == sorted(areas, reverse=True)
    assert 100 < areas[0] <= 180
    assert areas[-1] > 0.1
    assert all(n * area < 254_016 for n, area in zip((10, 1_000, 100_000), areas[1::2], strict=True))


def test_default_colour_is_the_first_of_the_palette(karate):
    assert (nodes_of(plot(*karate, color=None)).get_facecolor() == to_rgba(CLASS_COLORS[0])).all()
