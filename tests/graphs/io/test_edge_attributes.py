"""Direction, parallel edges and edge attributes stay on the way from file to file."""

import json

import networkx as nx
import numpy as np
import pytest
from lxml import etree
from test_gexf_schema import SCHEMA

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.io.files import read_graph, write_layout


def write_json(G, path):
    path.write_text(json.dumps(nx.node_link_data(G, edges="edges")))


WRITE = {".gexf": nx.write_gexf, ".graphml": nx.write_graphml, ".gml": nx.write_gml, ".json": write_json}


def read_back(path):
    if path.suffix == ".json":
        return nx.node_link_graph(json.loads(path.read_text()), edges="edges")
    return {".gexf": nx.read_gexf, ".graphml": nx.read_graphml}[path.suffix](path)


def crowd(*, directed):
    """Return 300 edges among 40 nodes, many of them parallel, some loops."""
    rng = np.random.default_rng(0)
    G = (nx.MultiDiGraph if directed else nx.MultiGraph)()
    G.add_nodes_from(f"n{i}" for i in range(40))
    for k, (i, j) in enumerate(rng.integers(0, 40, size=(300, 2)).tolist()):
        G.add_edge(f"n{i}", f"n{j}", weight=float(k % 7 + 1), since=1900 + k, kind="<a>" if k % 2 else "b & c")
    G.add_edge("n0", "n1", weight=2.0)
    return G


def known(G, *, directed):
    """Return all that is known about the edges, by label of their ends."""
    names = {node: data.get("label", node) for node, data in G.nodes(data=True)}
    return sorted(
        (
            *((names[u], names[v]) if directed else sorted((names[u], names[v]))),
            data["weight"],
            data.get("since", 0),
            data.get("kind", ""),
        )
        for u, v, data in G.edges(data=True)
    )


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("ending", [".gexf", ".graphml", ".json"])
@pytest.mark.parametrize("source", WRITE)
def test_a_multigraph_comes_back_whole(tmp_path, source, ending, directed):
    G = crowd(directed=directed)
    WRITE[source](G, tmp_path / f"in{source}")
    graph = read_graph(tmp_path / f"in{source}")
    path = tmp_path / f"out{ending}"
    for _ in range(2):
        write_layout(path, graph, np.zeros((40, 2)))
        back = read_back(path)
        assert (back.is_directed(), back.is_multigraph()) == (directed, True)
        assert back.number_of_edges() == 301
        assert known(back, directed=directed) == known(G, directed=directed)
        again = read_graph(path)
        assert (again.adjacency != graph.adjacency).nnz == 0
        graph = again


def test_a_plain_graph_has_nothing_to_keep(tmp_path, weighted):
    for ending, write in WRITE.items():
        write(weighted, tmp_path / f"g{ending}")
        assert read_graph(tmp_path / f"g{ending}").edge_table is None


def test_weights_of_another_name(tmp_path):
    G = nx.DiGraph()
    G.add_edge("a", "b", cost=5.0, weight=2.0)
    for ending in (".gexf", ".graphml"):
        WRITE[ending](G, tmp_path / f"g{ending}")
        edge_table = read_graph(tmp_path / f"g{ending}", weight="cost").edge_table
        assert edge_table.weights.tolist() == [5]
        assert {name: values.tolist() for name, values in edge_table.attributes.items()} == {"cost": [5], "weight": [2]}
        edge_table = read_graph(tmp_path / f"g{ending}", weight=None).edge_table
        assert edge_table.weights.tolist() == [1]
        assert set(edge_table.attributes) == {"cost", "weight"}
        write_layout(tmp_path / "out.gexf", read_graph(tmp_path / f"g{ending}", weight="cost"), np.zeros((2, 2)))
        assert nx.read_gexf(tmp_path / "out.gexf").edges["a", "b"].items() >= {
            ("weight", 5.0),
            ("cost", 5.0),
            ("attribute_weight", 2.0),
        }


GEXF = """<gexf version="1.2"><graph defaultedgetype="directed">
<attributes class="edge"><attribute id="0" title="n" type="integer"><default>7</default></attribute></attributes>
<nodes><node id="a"/><node id="b"/></nodes><edges>
<edge id="0" source="a" target="b" label="calls &amp; writes"/>
<edge id="1" source="a" target="b" type="undirected"><attvalues><attvalue for="0" value="3"/></attvalues></edge>
<edge id="2" source="b" target="a"><attvalues><attvalue for="0" value="three"/></attvalues></edge>
</edges></graph></gexf>"""
GRAPHML = """<graphml><key id="k" for="edge" attr.name="n" attr.type="int"><default>7</default></key>
<key id="l" for="edge" attr.name="label" attr.type="string"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/>
<edge source="a" target="b"><data key="l">calls &amp; writes</data></edge>
<edge source="a" target="b" directed="false"><data key="k">3</data></edge>
<edge source="b" target="a"><data key="k">three</data></edge></graph></graphml>"""


@pytest.mark.parametrize("ending", [".gexf", ".graphml"])
@pytest.mark.parametrize(("name", "content"), [("in.gexf", GEXF), ("in.graphml", GRAPHML)])
def test_mixed_edges_defaults_and_labels(save, tmp_path, name, content, ending):
    path = tmp_path / f"out{ending}"
    write_layout(path, read_graph(save(name, content)), np.zeros((2, 2)))
    for edge_table in (read_graph(save(name, content)).edge_table, read_graph(path).edge_table):
        assert edge_table.ends.tolist() == [[0, 1], [0, 1], [1, 0]]
        assert edge_table.directed
        assert edge_table.mixed.tolist() == [True, False, True]
        assert edge_table.attributes["label"].tolist() == ["calls & writes", None, None]
        # What is not of its type refuses no graph; the column is text when it is written.
        assert list(map(str, edge_table.attributes["n"])) == ["7", "3", "three"]
    if ending == ".gexf":
        SCHEMA.assertValid(etree.parse(path))


def test_pajek_tells_arcs_from_edges(save):
    edge_table = read_graph(
        save("g.net", "*Vertices 3\n*Arcs\n1 2 3\n1 2 4\n*Edges\n2 3 0.5\n*Arcslist\n3 1\n")
    ).edge_table
    assert edge_table.ends.tolist() == [[0, 1], [0, 1], [1, 2], [2, 0]]
    assert edge_table.weights.tolist() == [3, 4, 0.5, 1]
    assert edge_table.mixed.tolist() == [True, True, False, True]
    assert read_graph(save("m.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n")).edge_table is None


@pytest.mark.parametrize("ending", [".json", ".npz"])
def test_formats_without_mixed_edges_say_which_are_directed(save, tmp_path, ending):
    graph = read_graph(save("in.gexf", GEXF))
    path = tmp_path / f"out{ending}"
    write_layout(path, graph, np.zeros((2, 2)))
    links = read_graph(path).links
    assert links.ends.tolist() == [[0, 1], [0, 1], [1, 0]]
    assert links.mixed.tolist() == [True, False, True]
    assert "directed" not in links.attributes
    assert links.attributes["label"].tolist()[0] == "calls & writes"


@pytest.mark.parametrize("directed", [True, False])
def test_npz_keeps_parallel_edges_loops_and_attributes(tmp_path, directed):
    graph = as_graph(crowd(directed=directed))
    write_layout(tmp_path / "g.npz", graph, np.zeros((40, 2)))
    again = read_graph(tmp_path / "g.npz")
    assert (again.adjacency != graph.adjacency).nnz == 0
    assert again.links.ends.tolist() == graph.links.ends.tolist()
    assert again.links.weights.tolist() == graph.links.weights.tolist()
    assert again.directed is directed
    kinds = [kind or "" for kind in graph.links.attributes["kind"].tolist()]
    assert again.links.attributes["kind"].tolist() == kinds
    assert again.n_edges == 301


def test_a_direction_that_cannot_be_is_refused(tmp_path):
    np.savez(tmp_path / "g.npz", edges=np.array([[0, 1], [1, 2]]), directed=np.array([True, False, True]))
    with pytest.raises(ValueError, match=r"'directed' has shape \(3,\) and dtype bool; it must be one truth value"):
        read_graph(tmp_path / "g.npz")
