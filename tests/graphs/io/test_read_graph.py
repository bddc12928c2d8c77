"""Files of every format are read."""

import json
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from networkx.readwrite.gexf import GEXFWriter

from graphne_viz.graphs.io.files import read_graph

SAMPLES = Path(__file__).parent / "samples"
GEPHI = (SAMPLES / "gephi.gexf").read_text(encoding="utf-8")
YED = (SAMPLES / "yed.graphml").read_text(encoding="utf-8")
GML = (SAMPLES / "small.gml").read_text(encoding="utf-8")
PAJEK = (SAMPLES / "small.net").read_text(encoding="utf-8")


def matrix(graph):
    return graph.adjacency.toarray().tolist()


@pytest.mark.parametrize("name", ["gephi.gexf", "GEPHI.GEXF", "gephi.gexf.gz"])
def test_gexf_as_gephi_writes_it(save, name):
    graph = read_graph(save(name, GEPHI))
    assert graph.ids == ("n0", "n1", "n2")
    assert matrix(graph) == [[0, 6.5, 0], [6.5, 0, 1], [0, 1, 0]]
    attributes = {name: values.tolist() for name, values in graph.attributes.items()}
    assert attributes == {
        "label": ["Myriel & Co", None, "inside"],
        "Modularity Class": [2, 0, 0],
        "score": [0.75, None, None],
        "undeclared": ["u", None, None],
        "x": [-266.82776, 1.0, None],
        "y": [299.6904, 2.0, None],
        "frog": [None, False, True],
        "start": [1.0, 1.0, None],
    }
    assert graph.attributes["Modularity Class"].dtype == np.int64
    assert matrix(read_graph(save(name, GEPHI), weight=None)) == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]


def written_by_networkx(graph, version):
    if version in GEXFWriter.versions:
        return "\n".join(nx.generate_gexf(graph, version=version))
    # networkx writes 1.3 from 3.6 on; it is 1.2 but for the names.
    content = written_by_networkx(graph, "1.2draft").replace('version="1.2"', 'version="1.3"')
    return content.replace("www.gexf.net/1.2draft", "gexf.net/1.3").replace("www.w3.org", "w3.org")


@pytest.mark.parametrize("version", ["1.1draft", "1.2draft", "1.3"])
def test_gexf_of_every_version_networkx_writes(save, version, weighted):
    content = written_by_networkx(weighted, version)
    assert f'version="{version[:3]}"' in content
    graph = read_graph(save("g.gexf", content))
    assert graph.ids == tuple(weighted)
    np.testing.assert_array_equal(graph.adjacency.toarray(), nx.to_numpy_array(weighted))
    assert graph.attributes["good"].tolist() == [True, False, True, False]
    assert graph.attributes["kind"].tolist() == ["first", "second", "<third>", "fourth"]


def test_gexf_without_a_namespace(save):
    nodes, edges = (
        '<nodes><node id="a"/><node id="b"/></nodes>',
        '<edges><edge source="a" target="b"/></edges>',
    )
    content = f"<gexf><graph>{nodes}{edges}</graph></gexf>"
    assert read_graph(save("g.gexf", content)).n_edges == 1


def test_gexf_in_another_encoding(save):
    content = GEPHI.replace("UTF-8", "ISO-8859-1").replace("Myriel", "Müller").encode("latin-1")
    assert read_graph(save("g.gexf", content)).attributes["label"][0] == "Müller & Co"
    assert read_graph(save("g.gexf", GEPHI.replace("UTF-8", "UTF-16").encode("utf-16"))).n_nodes == 3


def test_graphml_as_yed_writes_it(save):
    graph = read_graph(save("y.graphml", YED))
    assert graph.ids == ("a", "b", "c")
    assert matrix(graph) == [[0, 2, 0], [2, 0, 0.25], [0, 0.25, 0]]
    attributes = {name: values.tolist() for name, values in graph.attributes.items()}
    assert attributes == {
        "url": ["http://x/?a&b", None, None],
        "label": ["First", None, None],
        "x": [10.5, None, None],
        "y": [-20.0, None, None],
        "level": [3, 7, 7],
        "good": [True, None, None],
    }


def test_graphml_of_networkx_and_igraph(tmp_path, weighted):
    import igraph as ig

    nx.write_graphml(weighted, tmp_path / "n.graphml")
    ig.Graph.from_networkx(weighted).write_graphml(str(tmp_path / "i.graphml"))
    ours = read_graph(tmp_path / "n.graphml")
    assert ours.ids == tuple(weighted)
    np.testing.assert_array_equal(ours.adjacency.toarray(), nx.to_numpy_array(weighted))
    theirs = read_graph(tmp_path / "i.graphml")
    assert theirs.attributes["_nx_name"].tolist() == list(weighted)
    assert theirs.n_edges == 3


def test_gml(save):
    graph = read_graph(save("g.gml", GML))
    assert graph.ids == (10, -2)
    assert matrix(graph) == [[0, 0.6], [0.6, 0]]
    assert matrix(read_graph(save("g.gml", GML), weight="value")) == [[0, 4], [4, 0]]
    assert graph.attributes["label"].tolist() == ["A ä & B", "two\nlines"]
    assert graph.attributes["x"].tolist() == [1.0, None]
    latin = save("l.gml", 'graph [ node [ id 1 label "Müller" ] ]'.encode("latin-1"))
    assert read_graph(latin).attributes["label"].tolist() == ["Müller"]


def test_gml_of_networkx(tmp_path):
    G = nx.les_miserables_graph()
    G.nodes["Valjean"]["odd"] = float("inf")
    nx.write_gml(G, tmp_path / "g.gml")
    graph = read_graph(tmp_path / "g.gml")
    assert graph.attributes["label"].tolist() == list(G)
    np.testing.assert_array_equal(graph.adjacency.toarray(), nx.to_numpy_array(G))


@pytest.mark.parametrize("name", ["p.net", "p.pajek", "p.net.gz"])
def test_pajek(save, name):
    graph = read_graph(save(name, PAJEK))
    assert graph.ids == (1, 2, 3, 4)
    assert matrix(graph) == [[0, 4, 0, 1], [4, 0, 0.5, 1], [0, 0.5, 0, 0], [1, 1, 0, 0]]
    assert graph.attributes["label"].tolist() == ["first one", "second", "third", None]
    assert graph.attributes["x"].tolist() == [0.25, None, None, None]


def test_pajek_matrix_and_second_network(save):
    content = "*Vertices 3\n*Matrix\n0 2 0\n2 0 1\n0 1 0\n*Vertices 9\n*Edges\n8 9\n"
    assert matrix(read_graph(save("p.net", content))) == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]


def test_pajek_of_networkx(tmp_path):
    G = nx.karate_club_graph()
    nx.write_pajek(nx.Graph(G.edges(data=True)), tmp_path / "k.net")
    assert read_graph(tmp_path / "k.net").n_edges == G.number_of_edges()


@pytest.mark.parametrize("key", ["edges", "links"])
def test_json_node_link(save, key, weighted):
    weighted.add_node(("p", 1))
    data = nx.node_link_data(weighted, edges=key)
    graph = read_graph(save("g.json", json.dumps(data)))
    assert graph.ids == tuple(weighted)
    np.testing.assert_array_equal(graph.adjacency.toarray(), nx.to_numpy_array(weighted))
    assert graph.attributes["size"].tolist() == [1, 2, 3, 4, None]


def test_json_nodes_without_ids(save):
    content = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 0, "target": 1, "value": 3}]}
    assert matrix(read_graph(save("d3.json", json.dumps(content)), weight="value")) == [[0, 3], [3, 0]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("e.csv", "source,target,weight\na,b,2\nb,c,\n"),
        ("e.csv", "\ufeffid,Target,Source,Weight,Type\r\n0,b,a,2,Undirected\r\n1,c,b,1,Undirected\r\n"),
        ("e.csv", "a,b,2\nb,c\n"),
        ("e.csv", "from,to,weight\na,b,2\nb,c,1\n"),
        ("e.csv", "a;b;2\nb;c;1\n"),
        ("e.csv.gz", '# comment\n"a","b",2\n% another\n\n"b","c",1\n'),
        ("e.tsv", "source\ttarget\tweight\na\tb\t2\nb\tc\t1\n"),
        ("e.tsv.gz", "a\tb\t2\nb\tc\t1\n"),
        ("e.txt", "% comment\n  a   b 2\n\tb c\n"),
        ("e.txt", "a\tb\t2\nb\tc\t1\n"),
        ("e.edges", "a,b,2\nb,c,1\n"),
        ("e.edgelist", "a b {'weight': 2}\nb c {}\n"),
        ("e.edgelist.gz", "#h\na b {'weight': 2.0, 'x y': 'z'}\nb c {'x': 1}"),
        ("e.csv", "a,b,2\nb,a,2\nc,b,1\nb,c,1\n"),
    ],
)
def test_edge_lists(save, name, content):
    graph = read_graph(save(name, content))
    assert sorted(graph.ids) == ["a", "b", "c"]
    places = [graph.ids.index(name) for name in "abc"]
    assert graph.adjacency.toarray()[np.ix_(places, places)].tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert graph.origin == "table"


def test_edge_lists_of_numbers(save):
    assert read_graph(save("e.csv", "10,2\n2,-7\n")).ids == (10, 2, -7)
    assert read_graph(save("e.csv", "id_1,id_2\n10,2\n2,7\n")).ids == (10, 2, 7)
    assert read_graph(save("e.csv", "010,2\n2,7\n")).ids == ("010", "2", "7")
    assert read_graph(save("e.csv", "x,y\n10,x\n")).ids == ("x", "y", "10")
    assert read_graph(save("e.csv", f"{10**30},2\n")).ids == (str(10**30), "2")


@pytest.mark.parametrize(
    "content",
    [
        "1 2\n2 3\n",
        "# c\n\n% d\n1 2 0.5\n2 3 1e-2\n",
        "1 2 0.5\r\n2 3 2\r\n",
        "1 2 3\n2 3\n",
        "1 2\n2 3 5\n",
        "1 2\n# in between\n2 3\n",
        "7 -2\n-2 0\n",
        "1 007\n",
        "1 -0\n0 2\n",
        "1 +5\n",
        "1.5 2\n",
        "1e3 2\n",
        "99999999999999999999 1\n",
        "1 2 1e+5\n2 3 0\n",
        "  1\t2\n",
        "1\t2\t\n2\t3\t4\n",
    ],
)
def test_lists_of_numbers_are_read_the_same_on_the_fast_way(save, monkeypatch, content):
    from graphne_viz.graphs.io.formats import edge_lists

    path = save("e.txt", content)
    fast = read_graph(path)
    monkeypatch.setattr(edge_lists, "_graph_from_numbers", lambda *_: None)
    slow = read_graph(path)
    assert fast.ids == slow.ids
    assert matrix(fast) == matrix(slow)


def test_edge_lists_with_names_of_any_kind(save):
    graph = read_graph(save("e.csv", '"with, comma","two\nlines"\n"two\nlines","say ""hi"""\n'))
    assert graph.ids == ("with, comma", "two\nlines", 'say "hi"')
    assert read_graph(save("e.tsv", "New York\tSan José 🌁\n")).ids == ("New York", "San José 🌁")


def test_edge_list_with_another_weight(save):
    path = save("e.csv", "source,target,n,weight\na,b,5,1\n")
    assert matrix(read_graph(path, weight="n")) == [[0, 5], [5, 0]]
    with pytest.raises(ValueError, match=r"weight='m' is not a column of the file; there are 'n', 'source'"):
        read_graph(path, weight="m")
    with pytest.raises(ValueError, match=r"weight='m' names a column, but the file has no header"):
        read_graph(save("e.csv", "a,b,1\n"), weight="m")


def test_parquet(tmp_path):
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [2.0, 3.0], "extra": [0, 0]})
    table.to_parquet(tmp_path / "e.parquet")
    graph = read_graph(tmp_path / "e.parquet")
    assert graph.ids == ("a", "b", "c")
    assert matrix(graph) == [[0, 2, 0], [2, 0, 3], [0, 3, 0]]
    with pytest.raises(ValueError, match=r"parquet: weight='n' is not a column.*there are 'extra', 'source'"):
        read_graph(tmp_path / "e.parquet", weight="n")
    pd.DataFrame({"source": [1, None], "target": [2, 3]}).convert_dtypes().to_parquet(tmp_path / "m.parquet")
    with pytest.raises(ValueError, match="row 1 of the edge table has no value in column 'source'"):
        read_graph(tmp_path / "m.parquet")
    pd.DataFrame({"source": [1, 5], "target": [2, 3], "weight": [None, 4]}).convert_dtypes().to_parquet(
        tmp_path / "w.parquet"
    )
    assert read_graph(tmp_path / "w.parquet").pair_weights.tolist() == [1, 4]
    pd.DataFrame({"from": [1]}).to_parquet(tmp_path / "n.parquet")
    with pytest.raises(
        ValueError, match=r"n\.parquet: which columns of the edge table .* cannot be told; there are 'from'"
    ):
        read_graph(tmp_path / "n.parquet")


def test_parquet_without_pyarrow_says_how_to_get_it(save, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="reading Parquet needs pyarrow: pip install pyarrow"):
        read_graph(save("e.parquet", b"PAR1"))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
def test_npz_with_a_sparse_matrix(tmp_path, kind):
    G = nx.karate_club_graph()
    sp.save_npz(tmp_path / "k.npz", nx.to_scipy_sparse_array(G).asformat(kind))
    np.testing.assert_array_equal(read_graph(tmp_path / "k.npz").adjacency.toarray(), nx.to_numpy_array(G))
    with pytest.raises(ValueError, match=r"weight='n' names an edge attribute, but a matrix has none"):
        read_graph(tmp_path / "k.npz", weight="n")


def test_npz_with_edges_and_attributes(tmp_path):
    np.savez(
        tmp_path / "e.npz",
        edges=np.array([[0, 1], [1, 2]], dtype=np.int32),
        weight=np.array([2.0, 3.0]),
        labels=np.array([1, 0, -1, 1, 0], dtype=np.int16),
        label_names=np.array(["no", "yes"]),
        year=np.arange(5),
        name=np.array("a scalar"),
        lonlat=np.zeros((5, 2)),
    )
    graph = read_graph(tmp_path / "e.npz")
    assert graph.n_nodes == 5
    assert graph.pair_weights.tolist() == [2, 3]
    attributes = {name: values.tolist() for name, values in graph.attributes.items()}
    assert attributes == {"labels": ["yes", "no", None, "yes", "no"], "year": [0, 1, 2, 3, 4]}


def test_npz_tells_the_number_of_nodes_from_its_arrays(tmp_path):
    np.savez(tmp_path / "e.npz", edges=np.array([[0, 1], [1, 2]]), time=np.zeros(2), age=np.zeros(7))
    graph = read_graph(tmp_path / "e.npz")
    assert graph.n_nodes == 7
    assert list(graph.attributes) == ["age"]
    np.savez(tmp_path / "e.npz", edges=np.array([[0, 1], [1, 2]]), time=np.zeros(2))
    assert read_graph(tmp_path / "e.npz").n_nodes == 3


def test_npz_never_unpickles(tmp_path):
    np.savez(tmp_path / "e.npz", edges=np.array([[0, 1]]), evil=np.array([print], dtype=object))
    with pytest.raises(ValueError, match=r"e\.npz: not a plain npz file, or one with pickled objects"):
        read_graph(tmp_path / "e.npz")
    np.array([print], dtype=object).dump(tmp_path / "p.npz")
    with pytest.raises(ValueError, match=r"p\.npz: not a plain npz file, or one with pickled objects") as caught:
        read_graph(tmp_path / "p.npz")
    assert "unsafely" not in str(caught.value)


def test_npz_that_is_broken(tmp_path, save):
    with pytest.raises(ValueError, match=r"b\.npz: not a readable npz file"):
        read_graph(save("b.npz", b"PK\x03\x04 and nothing else"))
    np.savez(tmp_path / "n.npz", other=np.zeros(3))
    with pytest.raises(ValueError, match=r"there must be an array 'edges' of shape \(E, 2\).*there are other \(3,\)"):
        read_graph(tmp_path / "n.npz")
    np.save(tmp_path / "a.npy", np.eye(2))
    with pytest.raises(ValueError, match="not an npz archive"):
        read_graph((tmp_path / "a.npy").rename(tmp_path / "a.npz"))
    np.savez(tmp_path / "w.npz", edges=np.array([[0, 1]]))
    with pytest.raises(ValueError, match=r"weight='n' is not an array of the file; there are 'edges'"):
        read_graph(tmp_path / "w.npz", weight="n")
    np.savez(tmp_path / "i.npz", edges=np.array([[0, 9]]), labels=np.zeros(3))
    with pytest.raises(ValueError, match=r"i\.npz: an edge names node 9, but there are only 3 nodes"):
        read_graph(tmp_path / "i.npz")


def test_npz_with_a_malicious_sparse_matrix(tmp_path):
    A = sp.csc_array(np.eye(4))
    A.indices[1] = 10**6
    sp.save_npz(tmp_path / "m.npz", A)
    with pytest.raises(ValueError, match=r"m\.npz: .*ind"):
        read_graph(tmp_path / "m.npz")
