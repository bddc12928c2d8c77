"""Camera, tool, filters and legend: what they may be, and in the words of Python."""

import datetime as dt
import math

import networkx as nx
import numpy as np
import pytest

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.session.column_registry import ColumnRegistry
from graphne_viz.viewer.session.view_state import filters, timeline
from graphne_viz.viewer.session.view_state.view_settings import check_camera, check_view

DEFAULT = check_view({})


def test_missing_keys_have_defaults_and_unknown_ones_are_ignored():
    assert DEFAULT == {
        "version": 1,
        "camera": None,
        "tool": "pan",
        "lens": False,
        "filters": {},
        "legend": {"column": "", "isolated": [], "hidden": []},
        "table": None,
        "timeline": None,
    }
    assert (
        check_view({"version": 1, "zoom": 3, "legend": {"column": "a:club", "new": 1}})["legend"]["column"] == "a:club"
    )
    full = {
        "version": 1,
        "camera": {"center": [1, 2.5], "span": 3},
        "tool": "lasso",
        "lens": True,
        "filters": {"degree": {"low": 3, "high": None}, "a:club": {"without": ["Officer", None]}},
        "legend": {"column": "a:club", "isolated": ["0"], "hidden": ["1", "2"]},
        "table": "edges",
        "timeline": {"column": "e:year", "window": 0.25, "speed": 2.0},
    }
    assert check_view(full) == full


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (None, "view settings must be a mapping, got NoneType"),
        ({"version": 2}, "view settings of version 2 cannot be read, only version 1"),
        ({"camera": 3}, "camera must be None or"),
        ({"camera": {"center": [1], "span": 1}}, "camera must be None or"),
        ({"camera": {"center": "12", "span": 1}}, "camera must be None or"),
        ({"camera": {"center": [1, 2], "span": 0}}, "camera must be None or"),
        ({"camera": {"center": [1, math.nan], "span": 1}}, "camera must be None or"),
        ({"camera": {"center": [1, 2], "span": True}}, "camera must be None or"),
        ({"tool": "hammer"}, "tool must be one of 'pan', 'rectangle', 'lasso', got 'hammer'"),
        ({"lens": "on"}, "lens must be"),
        ({"filters": []}, "filters must be a mapping from columns, got list"),
        ({"filters": {"degree": 3}}, "filters must map the keys of columns to limits"),
        ({"filters": {"degree": {"low": "3"}}}, "must have finite limits or None, got '3' and None"),
        ({"filters": {"a:club": {"without": "Officer"}}}, "must name classes, got 'Officer'"),
        ({"legend": {"column": 3}}, "legend must name a column and lists of its entries"),
        ({"legend": {"hidden": [1]}}, "legend must name a column and lists of its entries"),
        ({"legend": 3}, "legend must name a column and lists of its entries"),
        ({"table": "rows"}, "table must be one of 'nodes', 'edges', got 'rows'"),
        ({"timeline": {"window": 0.1}}, "timeline must be None, a column or"),
        ({"timeline": {"column": "year", "window": 1}}, "must be a share from 0 to below 1, got 1"),
        ({"timeline": {"column": "year", "speed": 0}}, "the speed of a timeline must be positive and finite, got 0"),
    ],
)
def test_invalid_settings_are_refused_in_one_sentence(settings, words):
    with pytest.raises((TypeError, ValueError), match=words):
        check_view(settings)


def test_a_camera_may_be_an_array():
    assert check_camera({"center": np.array([1, 2]), "span": np.float32(2)}) == {"center": (1.0, 2.0), "span": 2.0}


@pytest.fixture
def columns():
    G = nx.karate_club_graph()
    for node in G:
        G.nodes[node]["day"] = dt.date(2020, 1, 1 + node % 20)
        G.nodes[node]["text"] = f"node {node} of the graph"
    for node in (0, 5):
        G.nodes[node]["club"] = None
    return ColumnRegistry(as_graph(G))


def test_filters_in_the_words_of_python_come_back(columns):
    wanted = {"degree": (3, None), "club": ["Officer", None]}
    settings = filters.to_settings(wanted, columns)
    assert settings == {"degree": {"low": 3.0, "high": None}, "a:club": {"without": ["Mr. Hi"]}}
    assert filters.from_settings(settings, columns) == wanted
    hidden = filters.hidden_by(settings, columns, 34)
    expected = [G_degree < 3 or club == "Mr. Hi" for G_degree, club in zip(degrees(), clubs(), strict=True)]
    assert hidden.tolist() == expected


def degrees():
    return [degree for _, degree in nx.karate_club_graph().degree]


def clubs():
    return [None if node in {0, 5} else club for node, club in nx.karate_club_graph().nodes(data="club")]


def test_filters_that_show_everything_are_none(columns):
    assert filters.to_settings({"degree": (None, None), "club": ["Officer", "Mr. Hi", None]}, columns) == {}


def test_statistics_and_dates_can_be_filtered(columns):
    settings = filters.to_settings({"k-core": (2, 3), "day": (dt.date(2020, 1, 3), None)}, columns)
    assert settings["s:k-core"] == {"low": 2.0, "high": 3.0}
    assert settings["a:day"]["low"] == (dt.date(2020, 1, 3) - dt.date(1970, 1, 1)).days
    hidden = filters.hidden_by({"a:day": settings["a:day"]}, columns, 34)
    assert hidden.tolist() == [node % 20 < 2 for node in range(34)]
    assert set(filters.from_settings(settings, columns)) == {"k-core", "day"}


def test_neighbour_recall_is_left_to_the_browser(columns):
    settings = filters.to_settings({"neighbour recall": (0.5, None)}, columns)
    assert settings == {"s:neighbour recall": {"low": 0.5, "high": None}}
    assert not filters.hidden_by(settings, columns, 34).any()
    assert filters.from_settings(settings, columns) == {"neighbour recall": (0.5, None)}


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (3, "filters must be a mapping from names of columns, got 3"),
        ({"nope": (1, 2)}, "there is no column 'nope'"),
        ({3: (1, 2)}, "there is no column 3"),
        ({"text": ["a"]}, "filters has 'text', which holds neither numbers nor classes"),
        ({"degree": 3}, r"the filter by 'degree' must be a range \(low, high\), got 3"),
        ({"degree": (1, 2, 3)}, "the filter by 'degree' must be a range"),
        ({"degree": (5, 2)}, "the filter by 'degree' has its lower limit above the upper one"),
        ({"degree": ("a", None)}, "the filter by 'degree' must have finite limits or None, got 'a'"),
        ({"day": ("yesterday", None)}, "the filter by 'day' must have dates, days since 1970 or None, got 'yesterday'"),
        ({"degree": (math.nan, None)}, "must have finite limits or None, got nan"),
        ({"club": "Officer"}, "the filter by 'club' must list the classes that are shown, got 'Officer'"),
        ({"club": ["Officers"]}, "the filter by 'club' has 'Officers', which is not one of its classes"),
    ],
)
def test_filters_that_cannot_be_are_refused_in_one_sentence(columns, wanted, words):
    with pytest.raises((TypeError, ValueError), match=words):
        filters.to_settings(wanted, columns)


def test_edges_are_filtered_and_played_by_their_attributes():
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, {node: 1900.5 + node for node in G}, "year")
    for k, edge in enumerate(G.edges):
        G.edges[edge].update(since=dt.date(2000, 1, 1) + dt.timedelta(days=k), year=k)
    columns = ColumnRegistry(as_graph(G))
    wanted = {"since": (10_958.0, None), "e:year": (3.0, 5.0), "year": (1901.0, 1903.0)}
    settings = filters.to_settings(wanted, columns)
    assert set(settings) == {"e:since", "e:year", "a:year"}
    assert filters.from_settings(settings, columns) == wanted
    assert filters.hidden_by(settings, columns, 34).sum() == 32  # edges that are left out hide no node
    for name, key in [("since", "e:since"), ("year", "a:year"), ("e:year", "e:year"), ("degree", "degree")]:
        own = timeline.to_settings(name, columns)
        assert own == {"column": key, "window": 0.0, "speed": 1.0}
        assert timeline.from_settings(own, columns)["column"] == name
    assert timeline.to_settings(None, columns) is None


def test_a_few_years_are_classes_and_yet_a_range_and_a_timeline():
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, {node: 2001 + node % 10 for node in G}, "year")
    nx.set_node_attributes(G, {node: node % 3 for node in G}, "community")
    columns = ColumnRegistry(as_graph(G))
    assert columns.find("year").kind == "classes"
    assert timeline.to_settings("year", columns) == {"column": "a:year", "window": 0.0, "speed": 1.0}
    assert timeline.has_times("a:year", columns)
    settings = filters.to_settings({"year": (2002, 2003)}, columns)
    assert filters.from_settings(settings, columns) == {"year": (2002.0, 2003.0)}
    assert (~filters.hidden_by(settings, columns, 34)).sum() == 8
    listed = filters.to_settings({"year": ["2002", 2003]}, columns)
    assert (~filters.hidden_by(listed, columns, 34)).sum() == 8
    with pytest.raises(ValueError, match="timeline='community' holds neither dates nor numbers"):
        timeline.to_settings("community", columns)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("nope", "there is no column 'nope'"),
        ("club", "timeline='club' holds neither dates nor numbers; a timeline needs them"),
        ("text", "timeline='text' holds neither dates nor numbers"),
        ("same", "timeline='same' has no two different values; a timeline needs them"),
        (3, "timeline must be None, a column or"),
        ({"column": "day", "width": 3}, "timeline must be None, a column or"),
    ],
)
def test_a_timeline_that_cannot_be_is_refused_in_one_sentence(wanted, words):
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, 7.5, "same")
    nx.set_node_attributes(G, {node: f"node {node} of the graph" for node in G}, "text")
    with pytest.raises((TypeError, ValueError), match=words):
        timeline.to_settings(wanted, ColumnRegistry(as_graph(G)))
