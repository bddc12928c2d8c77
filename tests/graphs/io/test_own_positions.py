"""Attributes of the caller's own that are called like positions, and positions that are none of these."""

import csv
import json
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.io.files import read_graph, write_layout

PLACES = np.array([[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]])
OWN = {"x": [0.0, 1.5, 3.0], "y": [9.5, 8.5, 7.5], "z": [0, 10, 20]}
ENDINGS = [".gexf", ".graphml", ".json", ".npz"]


@pytest.fixture
def owned():
    """Return a graph whose nodes have x, y and z of their own."""
    G = nx.path_graph(3)
    for name, values in OWN.items():
        nx.set_node_attributes(G, dict(enumerate(values)), name)
    return G


def columns(path):
    return {name: values.tolist() for name, values in read_graph(path).attributes.items()}


@pytest.mark.parametrize("ending", [".gexf", ".npz"])
def test_formats_with_a_place_for_positions_keep_own_names(tmp_path, owned, ending):
    path = tmp_path / f"g{ending}"
    write_layout(path, as_graph(owned), PLACES)
    for _ in range(3):
        assert columns(path) == OWN
        assert read_graph(path).axes == frozenset()
        write_layout(path, read_graph(path), PLACES)
    if ending == ".npz":
        np.testing.assert_array_equal(np.load(path)["positions"], PLACES)
    else:
        places = ET.parse(path).getroot().iter("{http://www.gexf.net/1.2draft/viz}position")  # noqa: S314 -- written by us
        assert [[float(place.get("x")), float(place.get("y"))] for place in places] == PLACES.tolist()


@pytest.mark.parametrize("ending", [".graphml", ".json"])
def test_formats_with_positions_among_the_attributes_keep_them_under_other_names(tmp_path, owned, ending):
    path = tmp_path / f"g{ending}"
    write_layout(path, as_graph(owned), PLACES)
    for _ in range(3):
        found = columns(path)
        assert found == {
            "x": PLACES[:, 0].tolist(),
            "y": PLACES[:, 1].tolist(),
            "z": OWN["z"],
            "attribute_x": OWN["x"],
            "attribute_y": OWN["y"],
        }
        assert read_graph(path).axes == {"x", "y"}
        write_layout(path, read_graph(path), PLACES)


def test_csv_keeps_them_under_other_names(tmp_path, owned):
    nx.set_node_attributes(owned, "already", "attribute_x")
    write_layout(tmp_path / "g.csv", as_graph(owned), PLACES)
    with (tmp_path / "g.csv").open(newline="") as stream:
        row = list(csv.DictReader(stream))[1]
    assert row == {
        "id": "1",
        "x": "2.5",
        "y": "3.5",
        "z": "10",
        "attribute_x": "already",
        "attribute_attribute_x": "1.5",
        "attribute_y": "8.5",
    }


@pytest.mark.parametrize("first", ENDINGS)
@pytest.mark.parametrize("second", ENDINGS)
def test_positions_of_a_file_are_not_attributes_of_the_next(tmp_path, first, second):
    G = nx.path_graph(3)
    nx.set_node_attributes(G, "a", "kind")
    write_layout(tmp_path / f"one{first}", as_graph(G), PLACES)
    write_layout(tmp_path / f"two{second}", read_graph(tmp_path / f"one{first}"), -PLACES)
    assert columns(tmp_path / f"two{second}") == {
        "x": (-PLACES[:, 0]).tolist(),
        "y": (-PLACES[:, 1]).tolist(),
        "kind": ["a"] * 3,
    }


@pytest.mark.parametrize("ending", ENDINGS[1:])
def test_the_third_axis_is_a_position_where_there_is_a_new_one(tmp_path, ending):
    path = tmp_path / f"g{ending}"
    places = np.arange(9.0).reshape(3, 3)
    write_layout(path, as_graph(nx.path_graph(3)), places)
    write_layout(path, read_graph(path), 2 * places)
    assert columns(path) == {axis: (2 * places[:, k]).tolist() for k, axis in enumerate("xyz")}


@pytest.mark.parametrize(
    ("nodes", "axes"),
    [
        ([{"x": 1.5, "y": 2.5}, {"x": 3.5, "y": 4.5}], {"x", "y"}),
        ([{"x": 1.5}, {"x": 3.5}], set()),
        ([{"x": 1.5, "y": 2.5}, {"x": 3.5}], set()),
        ([{"x": 1, "y": 2}, {"x": 3, "y": 4}], set()),
        ([{"x": "left", "y": "up"}, {"x": "right", "y": "down"}], set()),
        ([{"x": float("nan"), "y": 2.5}, {"x": 3.5, "y": 4.5}], set()),
    ],
)
def test_what_is_a_position_where_the_format_does_not_say(tmp_path, nodes, axes):
    content = {"nodes": [{"id": i, **node} for i, node in enumerate(nodes)], "edges": []}
    (tmp_path / "g.json").write_text(json.dumps(content))
    assert read_graph(tmp_path / "g.json").axes == axes


def test_positions_in_gml_and_pajek_are_replaced(save, tmp_path):
    gml = "graph [ node [ id 1 x 7 graphics [ x 1.0 y 2.0 ] ] node [ id 2 ] edge [ source 1 target 2 ] ]"
    graph = read_graph(save("g.gml", gml))
    assert graph.axes == {"y"}
    assert graph.attributes["x"].tolist() == [7, None]
    graph = read_graph(save("g.net", '*Vertices 2\n1 "a" 0.5 0.5\n2 "b" 0.1 0.2\n*Edges\n1 2\n'))
    write_layout(tmp_path / "g.gexf", graph, PLACES[:2])
    assert 'title="x"' not in (tmp_path / "g.gexf").read_text()


@pytest.mark.parametrize("gone", [float("nan"), np.float64("nan"), None, np.datetime64("NaT", "ns")])
def test_a_label_that_is_absent_gives_way_to_the_id(tmp_path, gone):
    G = nx.path_graph(2)
    G.nodes[0]["label"], G.nodes[1]["label"] = "first", gone
    write_layout(tmp_path / "g.gexf", as_graph(G), PLACES[:2])
    back = nx.read_gexf(tmp_path / "g.gexf")
    assert [back.nodes[node]["label"] for node in back] == ["first", "1"]
