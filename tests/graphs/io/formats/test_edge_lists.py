"""Edge lists as Gephi and others write them: names of columns, headers, node tables beside them."""

import pandas as pd
import pytest

from graphne_viz.cli import main
from graphne_viz.graphs.io.files import read_graph

GEPHI = """Source;Target;Type;Id;Label;timeset;Weight
1;2;Directed;0;calls;;2.5
2;1;Undirected;1;;;1
2;3;Directed;2;"a;b";;4
"""


def test_gephi_s_edges(save):
    graph = read_graph(save("e.csv", GEPHI))
    assert graph.ids == (1, 2, 3)
    assert graph.links.ends.tolist() == [[0, 1], [1, 0], [1, 2]]
    assert graph.links.mixed.tolist() == [True, False, True]
    assert graph.links.weights.tolist() == [2.5, 1, 4]
    assert graph.links.attributes["label"].tolist() == ["calls", None, "a;b"]
    assert graph.links.attributes["Id"].tolist() == [0, 1, 2]
    assert set(graph.links.attributes) == {"Id", "label", "timeset"}


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_gephi_s_nodes_beside_them(save, tmp_path, ending):
    save("n.csv", 'Id;Label;age;weight\n3;Cid;7;1.5\n1;"Ann; B";;2\n9;Ida;8;\n')
    if ending == ".parquet":
        frame = pd.DataFrame({"Id": [3, 1, 9], "label": ["Cid", "Ann; B", "Ida"], "age": [7, None, 8]})
        frame.convert_dtypes().to_parquet(tmp_path / "n.parquet")
    graph = read_graph(save("e.csv", GEPHI), nodes=tmp_path / f"n{ending}")
    assert graph.ids == (1, 2, 3, 9)
    assert graph.attributes["label"].tolist() == ["Ann; B", None, "Cid", "Ida"]
    assert graph.attributes["age"].tolist()[2:] == [7, 8]
    assert graph.degrees.tolist() == [1, 2, 1, 0]


def test_ids_of_both_files_fit(save, tmp_path):
    save("n.csv", "id,name\n1,one\nx,ex\n")
    assert read_graph(save("e.csv", "source,target\n1,2\n"), nodes=tmp_path / "n.csv").ids == ("1", "2", "x")


@pytest.mark.parametrize(
    ("content", "keywords"),
    [
        ("from,to\na,b\nb,c\n", {}),
        ("Person,Friend,Weight\na,b,1990\nb,c,2000\n", {}),
        ("Person,Friend\na,b\nb,c\n", {"source": "Person", "target": "Friend"}),
        ("Friend,Person,x\nb,a,y\nc,b,z\n", {"source": "Person", "target": "Friend"}),
        ("Person,Friend\na,b\nb,c\n", {"header": True}),
    ],
)
def test_a_header_never_becomes_an_edge(save, content, keywords):
    graph = read_graph(save("e.csv", content), **keywords)
    assert graph.ids == ("a", "b", "c")
    assert graph.n_edges == 2


def test_what_may_be_a_header_or_an_edge_is_asked(save):
    path = save("e.csv", "Person,Friend\na,b\nb,c\n")
    with pytest.raises(
        ValueError, match=r"e\.csv: the first line, 'Person', 'Friend', may be a header or an edge; say"
    ):
        read_graph(path)
    assert read_graph(path, header=False).n_edges == 3
    with pytest.raises(ValueError, match="the first line, 'Person', 'Friend', 'how', may be a header or an edge"):
        read_graph(save("f.csv", "Person,Friend,how\na,b,x\nb,c,y\n"))
    assert read_graph(save("e.txt", "Person Friend\na b\nb c\n")).n_edges == 3  # such files have no header


@pytest.mark.parametrize(
    ("content", "keywords", "words"),
    [
        (
            "a,b\n1,2\n",
            {"source": "x", "target": "b"},
            r"source='x': the file has no column of that name; there are 'a'",
        ),
        ("a,b\n1,2\n", {"source": "a"}, "source was given without target; both name columns of the file: 'a', 'b'"),
        (
            "source,target,weight\na,b,heavy\n",
            {},
            r"line 2: edge \('a', 'b'\) has weight 'heavy', which is not a number",
        ),
        ("source,target,weight\na,b,-2\n", {}, r"line 2: edge \('a', 'b'\) has weight -2\.0; weights must be finite"),
        ("source,target\na,\n", {}, "line 2: the target is empty"),
        ("Person,Friend,since\na,b,1\nb,c,2\n", {}, "cannot be told; there are 'Person', 'Friend', 'since': name two"),
        ("Id;Label\n1;x\n2;y\n", {}, "the columns 'Id', 'label' look like those of a table of nodes; give it as nodes"),
        ("source,target\na,b\n", {"id": "key"}, "id='key' names a column of the node table, but nodes was not given"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(save, content, keywords, words):
    with pytest.raises(ValueError, match=words):
        read_graph(save("e.csv", content), **keywords)


def test_columns_are_only_for_tables(save):
    with pytest.raises(
        ValueError, match=r"source='a' is for tables of edges \(csv, tsv, txt, Parquet\), not for .*g\.gml"
    ):
        read_graph(save("g.gml", "graph [ ]"), source="a")
    with pytest.raises(ValueError, match=r"n\.gml: a table of nodes ends in \.csv, \.tsv, \.txt or \.parquet"):
        read_graph(save("e.csv", "a,b\n"), nodes=save("n.gml", "graph []"))


def test_direction_can_be_said(save):
    path = save("e.csv", "1,2\n2,3\n")
    assert read_graph(path, directed=True).directed
    assert not read_graph(path).directed


def test_attributes_of_networkx_s_lists_are_kept(save):
    graph = read_graph(save("e.edgelist", "a b {'weight': 2, 'kind': 'x'}\nb c {}\n"))
    assert graph.links.weights.tolist() == [2, 1]
    assert graph.links.attributes["kind"].tolist() == ["x", None]


def test_the_command_has_options_for_columns(save, tmp_path, capsys):
    save("n.csv", "key,age\na,1\nb,2\nz,3\n")
    edges = save("e.csv", "p,q,w\na,b,2\nb,a,3\n")
    options = ["--source", "p", "--target", "q", "--weight", "w", "--directed", "--nodes", str(tmp_path / "n.csv")]
    assert main(["layout", str(edges), *options, "--id", "key", "-o", str(tmp_path / "o.json")]) == 0
    assert "3 nodes, 2 directed edges, 1 part, 1 isolated node" in capsys.readouterr().out
    graph = read_graph(tmp_path / "o.json")
    assert graph.directed
    assert graph.links.weights.tolist() == [2, 3]
    assert graph.attributes["age"].tolist() == [1, 2, 3]
    assert main(["layout", str(edges), "--source", "nope", "--target", "q", "-o", str(tmp_path / "o.json")]) == 2
    assert "source='nope': the file has no column of that name; there are 'p', 'q', 'w'" in capsys.readouterr().err
