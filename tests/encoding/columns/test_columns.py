from datetime import date, datetime, timedelta, timezone
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import wire_examples
from matplotlib import colormaps
from matplotlib.colors import to_rgba

from graphne_viz.encoding.colors.node_colors import node_colors
from graphne_viz.encoding.colors.palette import MISSING_COLOR, OTHER_COLOR
from graphne_viz.encoding.columns import builders
from graphne_viz.encoding.columns.dates import date_text
from graphne_viz.encoding.columns.node_columns import (
    NAMES,
    attribute_columns,
    attribute_key,
    color_column,
    extra_columns,
    label_column,
    size_column,
)
from graphne_viz.encoding.legend import legend_of
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.transport.wire import decode_container, encode_columns, encode_graph

EAST = timezone(timedelta(hours=5))


def graph_with(n=4, **attributes):
    G = nx.path_graph(n)
    for name, values in attributes.items():
        nx.set_node_attributes(G, dict(enumerate(values)), name)
    return as_graph(G)


def column_of(values, name="x"):
    """Return the column of an attribute, None if it is left out."""
    graph = graph_with(len(values), **{name: values})
    own = attribute_columns(graph)
    encode_graph(graph, own)  # whatever is made can be sent
    return next((column for column in own if column.key == f"a:{name}"), None)


def rgba_of(column):
    """Colour the nodes as the browser does."""
    if column.kind == "colors":
        return column.rgba / 255
    if column.kind == "classes":
        table = [category.color or OTHER_COLOR for category in column.categories]
        return np.array([to_rgba(color) for color in [*table, MISSING_COLOR]])[column.codes]
    low, high = column.scale
    share = np.clip((column.values - low) / max(high - low, 1e-300), 0, 1)
    return np.where(np.isnan(share)[:, None], to_rgba(MISSING_COLOR), colormaps["viridis"](share))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b", None, "a"], "classes"),
        ([True, False, True, True], "classes"),
        ([1, 2, 3, None], "classes"),
        ([1.5, 2.5, float("nan"), 7], "values"),
        ([1, 2.5, None, float("inf")], "values"),
        (["#ff0000", "#00ff00", None, "#0000ff"], "colors"),
        ([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)], "colors"),
        ([[1, 2, 3], [4], [], [1, 2, 3]], "classes"),
        ([{"a": 1}, {}, None, {}], "classes"),
        ([date(2020, 1, 2), date(2021, 1, 2), None, None], "values"),
        (np.array(["2020-01-02T12:00", "NaT", "2021-05-06", "2020-03-04"], dtype="datetime64[ns]"), "values"),
        ([datetime(2020, 1, 2, tzinfo=EAST), np.datetime64("2021-01-01"), None, None], "values"),
        ([Fraction(1, 3), 1, 2, 3], "values"),
        ([*np.linspace(1, 2, 99), 1e6], "values"),
        ([1j, 2j, 0, None], "classes"),
        ([10**400, 1, 2, 3], "classes"),
        ([b"raw", "text", 5, None], "classes"),
    ],
)
def test_attributes_and_the_callers_values_get_the_same_colours(values, kind):
    column = column_of(values)
    assert column.kind == kind
    assert column.name == "x"
    graph = graph_with(len(values), x=values)
    for colored in (column, color_column(graph, "x"), color_column(graph, values)):
        assert np.allclose(rgba_of(column), node_colors(colored, len(values)).rgba, atol=2 / 255)


def test_dates_are_days_on_a_scale():
    column = column_of([date(1970, 1, 3), datetime(1970, 1, 2, 5, tzinfo=EAST), None, np.datetime64("1970-01-01T12")])
    assert column.date
    np.testing.assert_array_equal(column.values, [2, 1, np.nan, 0.5])
    assert (column.low, column.high, column.whole) == (0.5, 2, False)
    assert not column_of([1.5, 2.5, 3, 4]).date


def test_pandas_has_dates_to_the_nanosecond():
    pd = pytest.importorskip("pandas")
    days = pd.Series(pd.to_datetime(["2020-01-01 12:01", "2021-05-06 00:00", None, "2020-03-04 00:00"])).astype(
        "datetime64[ns]"
    )
    graph = graph_with(4)
    for given in (days, days.to_numpy()):
        column = color_column(graph, given)
        assert (column.kind, column.date) == ("values", True)
        assert date_text(column.values[0], timed=True) == "2020-01-01 12:01"
        assert np.isnan(column.values[2])


def test_more_classes_than_colours():
    values = [f"class {k}" for k in range(300) for _ in range(3 if k < 256 else 2)]
    column = column_of(values)
    legend = legend_of(column, np.ones(len(values), dtype=bool)).entries
    colored = [category for category in column.categories if category.color]
    assert [(c.label, c.color, c.count) for c in colored] == [(e.label, e.color, e.count) for e in legend[:-1]]
    assert len(column.categories) == 300
    assert sum(c.count for c in column.categories if c.color is None) == legend[-1].count == 88
    assert [column.categories[code].label for code in column.codes] == values


@pytest.mark.parametrize(("n_classes", "dtype"), [(255, np.uint8), (256, np.uint16), (4_096, np.uint16)])
def test_codes_are_as_small_as_they_can_be(n_classes, dtype):
    values = [f"c{k}" for k in range(n_classes)] * 2 + [None]
    column = column_of(values)
    assert column.codes.dtype == dtype
    assert column.codes[-1] == len(column.categories) == n_classes


def test_text_that_says_something_else_of_every_node_is_no_class():
    values = [f"title {k}" for k in range(30)] + [None]
    column = column_of(values)
    assert column.kind == "text"
    assert list(column.texts) == [*values[:-1], ""]
    assert column_of([f"title {k}" for k in range(12)]).kind == "classes"
    assert column_of([f"title {k}" for k in range(15)] * 2).kind == "classes"
    assert column_of([f"title {k}" for k in range(4_097)] * 3).kind == "text"
    assert column_of(list(range(30))).kind == "classes"  # numbers from 0 are read as in plot


def test_text_is_coloured_by_if_the_caller_says_so():
    values = [f"title {k}" for k in range(30)]
    graph = graph_with(30, x=values)
    own = attribute_columns(graph)
    column = color_column(graph, "x", own)
    assert (column.key, column.name, column.kind) == ("a:x", "x", "classes")
    assert extra_columns([column], own) == [column]
    assert sum(category.color is not None for category in column.categories) == 30
    assert [column.categories[code].label for code in column.codes] == values
    assert label_column(graph, "x", own).kind == "text"
    many = [f"{k} {'x' * 1_000}" for k in range(5_000)]
    column = color_column(graph_with(5_000), many)
    assert len(column.categories) == 5_000
    assert max(len(category.label) for category in column.categories) == 60


def test_numbers():
    column = column_of([3, 1, 20, 50, 7, 90, 11, 12, 13, 14, 15, 16, 17])
    assert (column.kind, column.low, column.high, column.whole) == ("values", 1, 90, True)
    assert column.values.dtype == np.float32
    column = column_of([0.1, 0.7, None, float("inf"), float("-inf")])
    assert (column.low, column.high, column.whole) == (np.float32(0.1), np.float32(0.7), False)
    assert np.isnan(column.values).tolist() == [False, False, True, True, True]


@pytest.mark.parametrize(
    "values",
    [
        [2**24 + 1, *range(2**24 + 10, 2**24 + 40)],
        [1_700_000_000.25, 1_700_000_001.75],
        [1_000.0001, 1_000.0002, 1_000.0005],
        [1e300, 0.5],
        [1e-300, 0.5],
        [1_234_567.89, 0.5],
    ],
)
def test_numbers_that_single_precision_would_spoil_keep_double(values):
    column = column_of(values)
    assert column.values.dtype == np.float64
    assert column.values.tolist() == values


@pytest.mark.parametrize("gone", [[], [None]])
def test_numbers_of_accounts_are_text(gone):
    values = [2**60 + k for k in range(99)] + gone
    column = column_of(values)
    assert column.kind == "text"
    assert list(column.texts) == [*map(str, values[:99]), *([""] * len(gone))]
    assert column_of([2**53 - k for k in range(99)]).kind == "values"


def test_the_largest_numbers_still_have_a_difference():
    column = column_of([1.7e308, -1.7e308, 0.5])
    assert np.isfinite(column.high - column.low)


class Unspeakable:
    def __str__(self):
        raise RuntimeError("no")


class Incomparable:
    def __ne__(self, other):
        raise RuntimeError("no")

    __hash__ = None

    def __str__(self):
        return "incomparable"


@pytest.mark.parametrize("values", [[None] * 4, [float("nan")] * 4, [Unspeakable()] * 4, [10**5_000, 1, 2, 3], []])
def test_what_cannot_be_shown_is_left_out(values):
    assert column_of(values) is None


def test_weird_attributes_do_not_hinder_the_others():
    graph = graph_with(4, bad=[Unspeakable()] * 4, odd=[Incomparable()] * 4, good=["a", "b", "a", "b"])
    assert {column.key for column in attribute_columns(graph)} >= {"degree", "a:good"}
    assert "a:bad" not in {column.key for column in attribute_columns(graph)}


def test_names_of_attributes_may_be_anything():
    names = ["", "two\nlines", "\ud800", "\\ud800x", "x" * 10**6, "x" * 10**6 + "y", "<b>", "degree "]
    graph = graph_with(3, **{name: ["a", "b", "c"] for name in names})
    own = attribute_columns(graph)
    found = decode_container(encode_graph(graph, own))["columns"]
    keys = [column["key"] for column in found]
    assert keys[:3] == ["degree", "a:", "a:two\nlines"]
    assert len(set(keys)) == len(names) + 1
    assert all(len(column["name"]) <= 500 and "\n" not in column["name"] for column in found)
    for name in names:
        assert color_column(graph, name, own).key == attribute_key(name)
        assert extra_columns([color_column(graph, name, own)], own) == []


def test_the_degree_is_there_unless_an_attribute_has_its_name():
    graph = graph_with(4)
    (degree,) = attribute_columns(graph)
    assert (degree.key, degree.kind, degree.whole) == ("degree", "values", True)
    assert degree.values.tolist() == [1, 2, 2, 1]
    assert color_column(graph, "degree", [degree]) is degree
    assert size_column(graph, "degree", [degree]) is degree
    assert label_column(graph, "degree", [degree]) is degree
    graph = graph_with(4, degree=["a", "b", "c", "d"])
    (column,) = attribute_columns(graph)
    assert (column.key, column.kind) == ("a:degree", "classes")
    assert color_column(graph, "degree", [column]) is column


def test_colours_of_the_caller():
    graph = graph_with(4, red=["a", "b", "a", "b"])
    own = attribute_columns(graph)
    assert color_column(graph, None, own) is None
    assert color_column(graph, "red", own) is own[1]  # an attribute wins over a colour of the same name
    column = color_column(graph, "blue", own)
    assert (column.key, column.kind, column.name) == ("custom:color", "colors", "color")
    assert column.rgba.tolist() == [[0, 0, 255, 255]] * 4
    assert color_column(graph, (1.0, 0.0, 0.0, 0.5)).rgba.tolist() == [[255, 0, 0, 128]] * 4
    column = color_column(graph, {0: "x", 2: "y"})
    assert column.codes.tolist() == [0, 2, 1, 2]
    assert color_column(graph, np.eye(4)[:, :3]).rgba[1].tolist() == [0, 255, 0, 255]
    assert color_column(graph, [0, 1, 0, 1], kind="values").kind == "values"
    column = color_column(graph, [None] * 4)
    assert (column.kind, column.categories, column.codes.tolist()) == ("classes", (), [0] * 4)
    assert decode_container(encode_columns(4, [column]))["columns"][0]["categories"] == []


@pytest.mark.parametrize(
    ("color", "message"),
    [
        ("colour", "color='colour' is not a node attribute; there are: 'red'"),
        ([1, 2], "color has 2 values, but the graph has 4 nodes"),
        ({"a": 1}, "color contains none of the graph's nodes"),
        (np.ones((4, 7)), "color contains an invalid colour"),
    ],
)
def test_colours_that_make_no_sense_are_refused(color, message):
    with pytest.raises(ValueError, match=message):
        color_column(graph_with(4, red=["a", "b", "a", "b"]), color)


def test_sizes_of_the_caller():
    graph = graph_with(4, year=[2001, 2002, 2001, 2005], weight=[0.5, 1.5, 2.5, 3.5], club=["a", "b", "a", "b"])
    own = attribute_columns(graph)
    assert size_column(graph, None, own) is None
    assert size_column(graph, "weight", own) is own[2]
    column = size_column(graph, "year", own)  # few whole numbers are classes to colour by, but sizes are sizes
    assert (column.key, column.name, column.values.tolist()) == ("custom:size", "year", [2001, 2002, 2001, 2005])
    assert extra_columns([column, own[2], None], own) == [column]
    assert size_column(graph, {1: 3}).values[1] == 3
    column = size_column(graph, 7)
    assert (column.key, column.low, column.high) == ("custom:area", 7, 7)
    with pytest.raises(ValueError, match="size must hold numbers, but node 0 has 'a'"):
        size_column(graph, "club", own)
    with pytest.raises(ValueError, match="size=-1 is not an area"):
        size_column(graph, -1)
    with pytest.raises(ValueError, match=r"also accepted are 'degree', .* or a number"):
        size_column(graph, "degre")


def test_labels_of_the_caller(monkeypatch):
    graph = graph_with(4, club=["a", "b", "a", "b"])
    own = attribute_columns(graph)
    assert label_column(graph, None) is None
    assert label_column(graph, label=False) is None
    assert label_column(graph, label=True) is NAMES
    assert label_column(graph, "name") is NAMES
    assert NAMES.key == "name"
    assert extra_columns([NAMES], own) == []
    named = graph_with(2, name=["x", "y"])
    assert label_column(named, "name", attribute_columns(named)).key == "a:name"
    assert label_column(graph, "club", own) is own[1]
    column = label_column(graph, {0: "zero", 3: 3})
    assert (column.key, list(column.texts)) == ("custom:label", ["zero", "", "", "3"])
    assert list(label_column(graph, ["a", None, 1.5, "<b>"]).texts) == ["a", "", "1.5", "<b>"]
    with pytest.raises(ValueError, match=r"label='nam' is not a node attribute; .* or True"):
        label_column(graph, "nam")
    monkeypatch.setattr(builders, "encode_texts", lambda _: None)
    with pytest.raises(ValueError, match="label holds more text than the 32 MB that can be sent"):
        label_column(graph, ["x"] * 4)


def test_the_same_graph_gives_the_same_bytes():
    graph = wire_examples.example_graph()
    assert encode_columns(14, attribute_columns(graph)) == encode_columns(14, attribute_columns(graph))


def test_the_callers_own_data_have_a_name():
    pd = pytest.importorskip("pandas")
    graph = graph_with(4)
    values = [1.5, 2.5, 3.5, 4.5]
    for make, argument in ((color_column, "color"), (size_column, "size"), (label_column, "label")):
        for data in (values, np.array(values), dict(enumerate(values)), pd.Series(values)):
            assert make(graph, data).name == argument
        assert make(graph, pd.Series(values, name="income")).name == "income"


def test_a_column_that_depends_on_the_layout_is_measured_for_pictures():
    graph = graph_with(4)
    positions = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    column = color_column(graph, "neighbour recall")
    state = VisibleState(graph, positions, column)
    assert np.isnan(column.values).all()
    assert not state.colors.grey.any()
    assert (state.legend.title, state.legend.scale.mappable.get_clim()) == ("neighbour recall", (0, 1))
