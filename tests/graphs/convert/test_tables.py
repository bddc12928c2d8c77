"""Tables of edges and nodes, with any names of columns, from any library."""

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from graphne_viz import embed, graphne_layout, plot, view
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.subgraph import subgraph

EDGES = {"from": ["a", "b", "b"], "to": ["b", "c", "d"], "since": [1990, 2000, 2010], "weight": [1.0, 2.0, 3.0]}
NODES = {"key": ["d", "a", "e"], "age": [40, 10, 50], "title": ["Dora", None, "Eve"]}


def from_duckdb(columns):
    return duckdb.from_arrow(pa.table(columns))


class OnlyAStream:
    """What any library can give: a table that says nothing but that it can be streamed."""

    def __init__(self, columns):
        self._table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "arrow": pa.table,
    "duckdb": from_duckdb,
    "stream": OnlyAStream,
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_edges_and_nodes_of_every_library(library):
    make = LIBRARIES[library]
    graph = as_graph(edges=make(EDGES), nodes=make(NODES), source="from", target="to", id="key")
    assert graph.ids == ("a", "b", "c", "d", "e")
    assert graph.n_edges == 3
    assert graph.links.weights.tolist() == [1, 2, 3]
    assert graph.links.attributes["since"].tolist() == [1990, 2000, 2010]
    assert graph.attributes["age"].tolist() == [10, None, None, 40, 50]
    assert graph.attributes["title"].tolist() == [None, None, None, "Dora", "Eve"]
    assert graph.degrees.tolist() == [1, 3, 1, 1, 0]


@pytest.mark.parametrize(
    "names", [("source", "target"), ("Source", "TARGET"), ("from", "to"), ("src", "dst"), ("u", "v"), ("x", "y")]
)
def test_names_that_need_not_be_said(names):
    graph = as_graph(pd.DataFrame(dict(zip(names, [[1, 2], [2, 3]], strict=True))))
    assert graph.ids == (1, 2, 3)
    assert graph.n_edges == 2


def test_gephi_s_columns_say_which_edges_are_directed():
    frame = pd.DataFrame(
        {"Source": [1, 2, 2], "Target": [2, 1, 3], "Type": ["Directed", "Undirected", "directed"], "Weight": [1, 2, 3]}
    )
    links = as_graph(frame).links
    assert links.mixed.tolist() == [True, False, True]
    assert links.weights.tolist() == [1, 2, 3]
    assert not links.attributes
    assert as_graph(frame, directed=False).links.mixed is None
    other = as_graph(frame.assign(Type=["friend", "Directed", "foe"]))
    assert other.links.attributes["Type"].tolist() == ["friend", "Directed", "foe"]


@pytest.mark.parametrize("directed", [True, False])
def test_direction_can_be_said(directed):
    ends = [[0, 1], [1, 2], [2, 3], [3, 4]]
    for edges in (ends, np.array(ends), pd.DataFrame(ends, columns=["u", "v"]), np.eye(5, k=1) + np.eye(5, k=-2)):
        assert as_graph(edges, directed=directed).directed is directed


def test_every_function_takes_tables():
    make = pd.DataFrame
    tables = {"nodes": make(NODES), "source": "from", "target": "to", "id": "key"}
    pos = graphne_layout(edges=make(EDGES), **tables, n_iter=10)
    assert list(pos) == ["a", "b", "c", "d", "e"]
    ax = plot(edges=make(EDGES), pos=pos, color="age", **tables)
    assert len(ax.collections[-1].get_offsets()) == 5
    w = view(edges=make(EDGES), **tables, live=False, n_iter=10)
    assert (len(w.pos), w.edges) == (5, True)
    w.close()
    assert view(make(EDGES), pos, **tables, edges=False).edges is False
    assert embed(edges=make(EDGES), dim=2, epochs=1, **tables).ids == ("a", "b", "c", "d", "e")


def test_nodes_of_a_graph_get_attributes_but_are_no_more():
    G = nx.path_graph(3)
    graph = as_graph(G, nodes=pd.DataFrame({"id": [2, 0], "name": ["two", "zero"]}))
    assert graph.attributes["name"].tolist() == ["zero", None, "two"]
    with pytest.raises(
        ValueError, match=r"the graph has no node 9, which the node table has; its nodes are like 0, 1, 2"
    ):
        as_graph(G, nodes=pd.DataFrame({"id": [2, 9]}))
    by_index = as_graph(G, nodes=pd.DataFrame({"age": [5, 6]}, index=[1, 2]))
    assert by_index.attributes["age"].tolist() == [None, 5, 6]


def frame(**columns):
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"source": "a"}, "source was given without target; both name columns of the edge table: 'a', 'b', 'c'"),
        ({"source": "a", "target": "z"}, "target='z': the edge table has no column of that name; there are 'a', 'b'"),
        (
            {"source": "a", "target": "b", "nodes": frame(x=[1])},
            "has the ids cannot be told; there are 'x': name it by",
        ),
        (
            {"source": "a", "target": "b", "nodes": frame(id=[1, 2, 1])},
            "rows 0 and 2 of the node table have the same id",
        ),
        (
            {"source": "a", "target": "b", "nodes": frame(id=["1", "2"])},
            "no node '1', which the node table has; its nodes",
        ),
        (
            {"source": "a", "target": "b", "nodes": frame(id=[1, None])},
            "row 1 of the node table has no value in column",
        ),
        ({"source": "a", "target": "b", "weight": "c"}, r"edge \(1, 2\) has weight 'heavy', which is not a number"),
    ],
)
def test_tables_that_cannot_be_read_say_why(keywords, words):
    with pytest.raises(ValueError, match=words):
        as_graph(frame(a=[1, 2], b=[2, 3], c=["heavy", "light"]), **keywords)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"G": nx.path_graph(2), "source": "a"}, "source='a' names a column, but a Graph has none"),
        ({"G": nx.path_graph(2), "edges": frame(u=[1], v=[2])}, "G and edges were both given"),
        ({"G": nx.path_graph(2), "directed": True}, "directed=True is for tables, lists and arrays; a Graph says so"),
        ({"G": [(0, 1)], "id": "a"}, "id='a' names a column of the node table, but nodes was not given"),
        (
            {"G": [(0, 1)], "nodes": [1]},
            "the node table must be a table of pandas, polars, Arrow or DuckDB, not a list",
        ),
        ({}, "None is not a graph; accepted are"),
    ],
)
def test_keywords_that_do_not_fit_are_refused(arguments, words):
    with pytest.raises(TypeError, match=words):
        as_graph(**arguments)


def test_a_part_of_a_table_keeps_its_columns():
    edges = pd.DataFrame({"from": ["a", "b", "b"], "to": ["b", "c", "d"], "n": [1, 2, 3]})
    graph = as_graph(edges)
    assert subgraph(edges, graph, np.array([1, 2, 3])).to_dict("list") == {
        "from": ["b", "b"],
        "to": ["c", "d"],
        "n": [2, 3],
    }
    other = edges.rename(columns={"from": "p", "to": "q"})
    part = subgraph(other, as_graph(other, source="p", target="q"), np.array([0, 1]))
    assert part.ids == ("a", "b")
    assert part.n_edges == 1


@pytest.mark.parametrize("kind", ["datetime64[ns]", "datetime64[s]", "timedelta64[ns]"])
def test_dates_are_no_weights(kind):
    table = pd.DataFrame({"source": [1], "target": [2], "weight": np.array([10**9], dtype=kind)})
    with pytest.raises(ValueError, match=r"edge \(1, 2\) has weight .*, which is not a number"):
        as_graph(table)


def test_integers_that_numpy_does_not_have():
    large, others = (pl.Series(values, dtype=pl.Int128) for values in ([2**100, 2], [3, 2**100 + 1]))
    graph = as_graph(pl.DataFrame({"source": large, "target": others, "weight": large, "also": large}))
    assert graph.ids == (2**100, 3, 2, 2**100 + 1)
    assert graph.links.weights.tolist() == [2.0**100, 2.0]
    assert graph.links.attributes["also"].tolist() == [2**100, 2]
