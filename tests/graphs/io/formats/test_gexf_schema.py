"""GEXF as written, against a schema of the format."""

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from lxml import etree

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.io.files import read_graph, write_layout

SCHEMA = etree.XMLSchema(file=Path(__file__).with_name("schemas") / "gexf.xsd")


def written(path, G, **keywords):
    graph = as_graph(G)
    positions = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    write_layout(path, graph, positions, **keywords)
    return etree.parse(path)


def many_kinds():
    G = nx.MultiDiGraph()
    G.add_node("<&>\0", text="two\nlines", number=1, real=-2.5, flag=True, mixed=None, gone=float("nan"))
    G.add_node((1, "tuple"), text='quo"ted', number=2**70, real=float("inf"), flag=False, mixed=[1, 2])
    G.add_node(1, label="\ud800 one")
    G.add_node("1", label="")
    G.add_edge(1, "1", weight=2, kind="a", since=1990)
    G.add_edge("1", 1, weight=1e-300, kind=None)
    G.add_edge("1", 1, kind="<b>")
    G.add_edge(1, 1, weight=3)
    return G


@pytest.mark.parametrize("how", ["plain", "colours", "empty", "alone"])
def test_what_is_written_is_valid(tmp_path, how):
    G = {"empty": nx.empty_graph(0), "alone": nx.empty_graph(1)}.get(how, many_kinds())
    keywords = {"metadata": {"</meta>": "\0<script>"}}
    if how == "colours":
        keywords |= {"colors": np.linspace(0, 1, 16).reshape(4, 4), "sizes": [0, 1e-9, 1, 1e9]}
    tree = written(tmp_path / "g.gexf", G, **keywords)
    SCHEMA.assertValid(tree)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('version="1.2"', 'version="1.1"'),
        ('r="0"', 'r="256"'),
        ('a="1.0"', 'a="1.5"'),
        ('defaultedgetype="undirected"', 'defaultedgetype="both"'),
        ('type="string"', 'type="text"'),
        ('<edge id="0"', '<edge id="0" start="1"'),
        ('target="1"', 'target="nobody"'),
        ('<node id="1"', '<node id="0"'),
    ],
)
def test_the_schema_refuses_what_is_not_gexf(tmp_path, before, after):
    G = nx.path_graph(2)
    nx.set_node_attributes(G, "a", "text")
    written(tmp_path / "g.gexf", G, colors=[(0, 0, 0)] * 2)
    text = (tmp_path / "g.gexf").read_text(encoding="utf-8")
    assert text.count(before) >= 1
    assert not SCHEMA.validate(etree.fromstring(text.replace(before, after).encode()))


def test_direction_attributes_and_parallel_edges_come_back(tmp_path):
    G = many_kinds()
    written(tmp_path / "g.gexf", G)
    back = nx.read_gexf(tmp_path / "g.gexf")
    assert back.is_directed()
    assert back.is_multigraph()
    found = [(u, v, data["weight"], data.get("kind"), data.get("since")) for u, v, data in back.edges(data=True)]
    assert set(found) == {
        ("1", "1 (2)", 2, "a", 1990),
        ("1 (2)", "1", 1e-300, None, None),
        ("1 (2)", "1", 1, "<b>", None),
        ("1", "1", 3, None, None),
    }
    assert len(found) == 4
    ours = read_graph(tmp_path / "g.gexf")
    assert (ours.adjacency != as_graph(G).adjacency).nnz == 0


def test_links_follow_the_weights_that_were_asked_for():
    G = nx.path_graph(3)
    G[0][1].update(cost=5, weight=2)
    links = as_graph(G, weight="cost").links
    assert links.weights.tolist() == [5, 1]
    assert set(links.attributes) == {"cost", "weight"}
    assert as_graph(G, weight=None).links.weights.tolist() == [1, 1]
