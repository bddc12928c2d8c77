"""Direction, parallel edges and edge attributes stay on the way from file to file."""

import json
import logging

import networkx as nx
import numpy as np
import pytest
from lxml import etree
from test_gexf_schema import SCHEMA

from graphne_viz.graphs.convert import as_graph
from graphne_viz.graphs.files import read_graph, write_layout
from graphne_viz.graphs.links import links_of


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
        assert read_graph(tmp_path / f"g{ending}").links is None


def test_weights_of_another_name(tmp_path):
    G = nx.DiGraph()
    G.add_edge("a", "b", cost=5.0, weight=2.0)
    for ending in (".gexf", ".graphml"):
        WRITE[ending](G, tmp_path / f"g{ending}")
        links = read_graph(tmp_path / f"g{ending}", weight="cost").links
        assert links.weights.tolist() == [5]
        assert {name: values.tolist() for name, values in links.attributes.items()} == {"cost": [5], "weight": [2]}
        links = read_graph(tmp_path / f"g{ending}", weight=None).links
        assert links.weights.tolist() == [1]
        assert set(links.attributes) == {"cost", "weight"}
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
    for links in (read_graph(save(name, content)).links, read_graph(path).links):
        assert links.ends.tolist() == [[0, 1], [0, 1], [1, 0]]
        assert links.directed
        assert links.mixed.tolist() == [True, False, True]
        assert links.attributes["label"].tolist() == ["calls & writes", None, None]
        # What is not of its type refuses no graph; the column is text when it is written.
        assert list(map(str, links.attributes["n"])) == ["7", "3", "three"]
    if ending == ".gexf":
        SCHEMA.assertValid(etree.parse(path))


def test_pajek_tells_arcs_from_edges(save):
    links = read_graph(save("g.net", "*Vertices 3\n*Arcs\n1 2 3\n1 2 4\n*Edges\n2 3 0.5\n*Arcslist\n3 1\n")).links
    assert links.ends.tolist() == [[0, 1], [0, 1], [1, 2], [2, 0]]
    assert links.weights.tolist() == [3, 4, 0.5, 1]
    assert links.mixed.tolist() == [True, True, False, True]
    assert read_graph(save("m.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n")).links is None


def test_what_a_format_cannot_keep_is_said(save, tmp_path, caplog):
    graph = read_graph(save("in.gexf", GEXF))
    with caplog.at_level(logging.WARNING):
        for ending in (".gexf", ".graphml", ".csv"):
            write_layout(tmp_path / f"out{ending}", graph, np.zeros((2, 2)))
        assert caplog.messages == []
        write_layout(tmp_path / "out.npz", graph, np.zeros((2, 2)))
        write_layout(tmp_path / "out.json", graph, np.zeros((2, 2)))
        write_layout(tmp_path / "plain.npz", as_graph(nx.path_graph(2)), np.zeros((2, 2)))
    npz, mixed = caplog.messages
    assert npz.startswith(f"{tmp_path / 'out.npz'} has one edge for each pair of nodes, without direction")
    assert mixed.startswith(f"{tmp_path / 'out.json'} is directed as a whole")


def test_a_view_of_a_file_has_its_edges(save):
    graph = read_graph(save("in.gexf", GEXF))
    assert links_of(graph, graph) is graph.links
