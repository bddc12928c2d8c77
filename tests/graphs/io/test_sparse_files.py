"""Files with thousands of attributes that hardly any node or edge has: read and written in proportion to their size."""

import gzip
import json
import logging
import time
import tracemalloc

import numpy as np
import pytest

from graphne_viz.cli import main
from graphne_viz.graphs import attributes
from graphne_viz.graphs.attributes import SparseColumns
from graphne_viz.graphs.io.files import read_graph, write_layout

MANY = 20_000


def gexf(n):
    declared = "".join(f'<attribute id="{i}" title="only{i}" type="integer"/>' for i in range(n))
    nodes = "".join(f'<node id="n{i}"><attvalues><attvalue for="{i}" value="1"/></attvalues></node>' for i in range(n))
    return f'<gexf><graph><attributes class="node">{declared}</attributes><nodes>{nodes}</nodes></graph></gexf>'


def gexf_with_defaults(n):
    default = "<default>1</default>"
    declared = "".join(f'<attribute id="{i}" title="only{i}" type="integer">{default}</attribute>' for i in range(n))
    nodes = "".join(f'<node id="n{i}"/>' for i in range(n))
    return f'<gexf><graph><attributes class="node">{declared}</attributes><nodes>{nodes}</nodes></graph></gexf>'


def graphml(n):
    keys = "".join(f'<key id="k{i}" for="node" attr.name="only{i}" attr.type="int"/>' for i in range(n))
    nodes = "".join(f'<node id="n{i}"><data key="k{i}">1</data></node>' for i in range(n))
    return f"<graphml>{keys}<graph>{nodes}</graph></graphml>"


def graphml_of_edges(n):
    keys = "".join(f'<key id="k{i}" for="edge" attr.name="only{i}" attr.type="int"/>' for i in range(n))
    edges = "".join(f'<edge source="a" target="a"><data key="k{i}">1</data></edge>' for i in range(n))
    return f'<graphml>{keys}<graph><node id="a"/>{edges}</graph></graphml>'


def gml(n):
    return "graph [\n" + "".join(f"node [ id {i} only{i} 1 ]\n" for i in range(n)) + "]\n"


def node_link(n):
    return json.dumps({"nodes": [{"id": i, f"only{i}": 1} for i in range(n)], "links": []})


def edgelist(n):
    return "".join(f"{i} 0 {{'only{i}': 1}}\n" for i in range(n))


FORMATS = {
    "a.gexf": gexf,
    "defaults.gexf": gexf_with_defaults,
    "a.graphml": graphml,
    "edges.graphml": graphml_of_edges,
    "a.gml": gml,
    "a.json": node_link,
    "a.edgelist": edgelist,
}


def write(folder, name, n):
    path = folder / name
    path.write_text(FORMATS[name](n))
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_attributes_of_their_own_take_memory_and_time_by_what_the_file_holds(tmp_path, name):
    path = write(tmp_path, name, MANY)
    begun = time.process_time()
    graph = read_graph(path)
    assert time.process_time() - begun < 20, "column by column it takes minutes"
    columns = graph.attributes or graph.links.attributes
    assert isinstance(columns, SparseColumns)
    assert len(columns) == MANY
    expected = [1] * MANY if name == "defaults.gexf" else [None] * 7 + [1] + [None] * (MANY - 8)
    assert columns["only7"].tolist() == expected
    tracemalloc.start()
    try:
        read_graph(path)
        assert tracemalloc.get_traced_memory()[1] < 10**8, "columns of all places take 3.2 GB"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["a.gexf", "edges.graphml"])
@pytest.mark.parametrize("ending", ["csv", "gexf", "graphml", "json", "npz"])
def test_they_are_written_as_far_as_there_is_room(tmp_path, name, ending, caplog):
    graph = read_graph(write(tmp_path, name, 6_000))
    tracemalloc.start()
    try:
        with caplog.at_level(logging.WARNING, "graphne_viz"):
            write_layout(tmp_path / f"out.{ending}", graph, np.zeros((graph.n_nodes, 2)))
        assert tracemalloc.get_traced_memory()[1] < 3e8, "all places of all columns take a gigabyte"
    finally:
        tracemalloc.stop()
    if (name, ending) != ("edges.graphml", "csv"):  # which holds no edges
        assert "6,000 attributes, each of which hardly any has, are too many: the 699 with the most" in caplog.text
    if ending in {"gexf", "json"}:
        again = read_graph(tmp_path / f"out.{ending}")
        columns = again.attributes if name == "a.gexf" else again.links.attributes
        assert len({*columns} - {"x", "y"}) == 699
        assert columns["only5"].tolist() == [None] * 5 + [1] + [None] * 5_994


def test_the_fullest_columns_are_kept_in_their_order(monkeypatch):
    monkeypatch.setattr(attributes, "_MOST_CELLS", 20)
    columns = SparseColumns({"a": {0: 1}, "b": {1: 1, 2: 2}, "c": {}, "d": {3: 1}}, 10, {"c": 7})
    kept = attributes.fullest_columns(columns, "shown")
    assert list(kept) == ["b", "c"]
    assert kept["c"].tolist() == [7] * 10
    assert kept.take(np.array([2, 9]))["c"].tolist() == [7, 7]
    assert kept.take(np.array([2, 9]))["b"].tolist() == [2, None]
    dense = {"a": np.zeros(30)}
    assert attributes.fullest_columns(dense, "shown") is dense


@pytest.mark.parametrize("name", ["a.gexf", "defaults.gexf", "a.graphml", "edges.graphml", "a.gml", "a.json"])
def test_columns_of_a_file_are_as_those_kept_place_by_place(tmp_path, name, monkeypatch):
    path = write(tmp_path, name, 40)
    plain = read_graph(path)
    monkeypatch.setattr(attributes, "_MOST_CELLS", 0)
    monkeypatch.setattr(attributes, "_CELLS_PER_VALUE", 1)
    sparse = read_graph(path)
    for kept, other in ((plain.attributes, sparse.attributes), (plain.links.attributes, sparse.links.attributes)):
        assert not isinstance(kept, SparseColumns)
        assert {name: (column.dtype, column.tolist()) for name, column in kept.items()} == {
            name: (column.dtype, column.tolist()) for name, column in other.items()
        }
    assert isinstance(sparse.attributes or sparse.links.attributes, SparseColumns)
    assert plain.axes == sparse.axes


def test_the_command_lays_such_a_file_out(tmp_path, capsys):
    """In seconds, with all nodes, and says which attributes it leaves out."""
    path = write(tmp_path, "a.gexf", MANY)
    begun = time.process_time()
    words = ["layout", str(path), "-o", str(tmp_path / "out.json.gz"), "--quiet"]
    assert main(words) == 0
    assert time.process_time() - begun < 60
    with gzip.open(tmp_path / "out.json.gz") as stream:
        assert len(json.load(stream)["nodes"]) == MANY
    capsys.readouterr()
