"""Broken files say where they are broken, and hostile ones do no harm."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.io.registry import READABLE

SAMPLES = Path(__file__).parent / "samples"
GEPHI = (SAMPLES / "gephi.gexf").read_text(encoding="utf-8")
YED = (SAMPLES / "yed.graphml").read_text(encoding="utf-8")
GML = (SAMPLES / "small.gml").read_text(encoding="utf-8")
PAJEK = (SAMPLES / "small.net").read_text(encoding="utf-8")

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
]>
<{root}><graph><nodes><node id="&lol2;"/></nodes></graph></{root}>
"""
EXTERNAL = """<?xml version="1.0"?>
<!DOCTYPE x [ <!ENTITY xxe SYSTEM "file:///etc/passwd"> ]>
<{root}><graph><node id="&xxe;"/></graph></{root}>
"""
PARAMETER = """<?xml version="1.0"?>
<!DOCTYPE x [ <!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p; ]>
<{root}><graph/></{root}>
"""


@pytest.mark.parametrize("root", ["gexf", "graphml"])
@pytest.mark.parametrize(("attack", "line"), [(BOMB, 3), (EXTERNAL, 2), (PARAMETER, 2)])
def test_entities_are_refused(save, root, attack, line):
    message = rf"a\.{root}, line {line}: XML that declares entities or refers to other files is refused"
    with pytest.raises(ValueError, match=message):
        read_graph(save(f"a.{root}", attack.format(root=root)))


def test_a_harmless_doctype_is_read(save):
    content = (
        '<!DOCTYPE graphml SYSTEM "http://127.0.0.1:9/graphml.dtd">\n<graphml><graph><node id="a"/></graph></graphml>'
    )
    assert read_graph(save("g.graphml", content)).ids == ("a",)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.gexf", GEPHI.replace("</edges>", "</edge>"), r"line 33: mismatched tag"),
        ("b.gexf", GEPHI[:900], r"line \d+: (unclosed token|no element found)"),
        ("b.gexf", "<html></html>", r"line 1: the file begins with <html>, not with <gexf>"),
        ("b.gexf", "not xml at all", r"line 1: syntax error"),
        ("b.gexf", GEPHI.replace("UTF-8", "UTF-no"), r"line 1: unknown encoding: UTF-no"),
        ("b.gexf", "<gexf/>", r"b\.gexf: there is no <graph> element"),
        (
            "b.gexf",
            GEPHI.replace('weight="2.5"', 'weight="NaN"'),
            r"line 28: edge \('n0', 'n1'\) has weight nan; weights",
        ),
        (
            "b.gexf",
            GEPHI.replace('weight="2.5"', 'weight="x"'),
            r"line 28: edge \('n0', 'n1'\) has weight 'x', which is",
        ),
        (
            "b.gexf",
            GEPHI.replace('source="n2" target="n2"', 'source="n2" target="n9"'),
            r"line 31: .*names node 'n9', which",
        ),
        ("b.gexf", GEPHI.replace('value="0.5"', 'value="half"'), r"line 16: 'half' is not of type float"),
        ("b.gexf", GEPHI.replace('<node id="n1">', "<node>"), r"line 21: <node> has no id"),
        ("b.graphml", YED.replace('source="a" ', ""), r"line 9: <edge> has no source"),
        ("b.graphml", YED.replace("> 3 <", "> three <"), r"line 12: ' three ' is not of type int"),
        (
            "b.graphml",
            "<graphml><graph>\n<hyperedge/></graph></graphml>",
            r"line 2: hyperedges are not supported",
        ),
        ("b.graphml", "<graphml>\x00</graphml>", r"line 1: not well-formed"),
        (
            "b.gml",
            GML.replace("target -2", "target"),
            r"line 8: expected a value after 'target', found 'value'",
        ),
        ("b.gml", GML.rstrip()[:-1], r"line 9: the '\[' after 'graph' is never closed"),
        ("b.gml", GML + "]", r"line 11: expected a name|line 11: '\]' without '\['"),
        ("b.gml", GML.replace("id 10", "no 10"), r"line 5: the node has no id"),
        ("b.gml", GML.replace("source -2", "sauce -2"), r"line 9: the edge has no source"),
        (
            "b.gml",
            GML.replace("source -2", "source 77"),
            r"line 9: .*names node 77, which the file does not declare",
        ),
        (
            "b.gml",
            GML.replace("weight 0.5", "weight -0.5"),
            r"line 8: edge \(10, -2\) has weight -0.5; weights must",
        ),
        ("b.gml", GML.replace("id 10", "id " + "1" * 5000), r"line 5: a number is too long"),
        ("b.gml", "graph [ @ ]", r"line 1: expected a name, found '@'"),
        ("b.gml", "node", r"line 1: expected a value after 'node', found the end"),
        ("b.gml", 'Creator "x"', r"b\.gml: there is no 'graph \['"),
        ("b.net", PAJEK.replace("*Vertices 4", "*Vertices four"), r"line 3: expected a number, found 'four'"),
        ("b.net", PAJEK.replace("*Vertices 4", "*Vertices"), r"line 3: expected a number, found nothing"),
        (
            "b.net",
            PAJEK.replace("*Vertices 4", "*Vertices 999999999999"),
            r"line 3: 999999999999 is not a valid number of vertices",
        ),
        ("b.net", PAJEK.replace("2 3 0.5", "2 x 0.5"), r"line 10: expected a number, found 'x'"),
        ("b.net", PAJEK.replace("2 3 0.5", "2 9 0.5"), r"line 10: edge \(2, 9\) names node 9, which"),
        ("b.net", PAJEK.replace('3 "third"', '8 "third"'), r"line 6: vertex 8 is not between 1 and 4"),
        ("b.net", PAJEK.replace("1 2 3", "1 2 inf"), r"line 8: edge \(1, 2\) has weight inf"),
        ("b.net", "1 2\n", r"line 1: the file must begin with \*Vertices"),
        ("b.net", "*Edges\n1 2\n", r"line 1: the file must begin with \*Vertices"),
        ("b.net", "% nothing\n", r"b\.net: there is no \*Vertices"),
        ("b.json", '{"nodes": [],\n "links": [}', r"line 2: Expecting value"),
        ("b.json", "[" * 100_000, r"nested too deeply"),
        ("b.json", "[]", r"node-link JSON is an object with lists"),
        ("b.json", b'"\xff"', r"b\.json: the file is not UTF-8 text"),
        ("b.json", '{"nodes": [1], "links": []}', r"node 0 is not an object"),
        ("b.json", '{"nodes": [{"id": {}}], "links": []}', r"\{\} cannot be a node's id"),
        (
            "b.json",
            '{"nodes": [], "links": [{"source": 1}]}',
            r"edge 0 is not an object with source and target",
        ),
        (
            "b.json",
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
            r"names node 2, which the file",
        ),
        (
            "b.json",
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": NaN}]}',
            r"has weight nan",
        ),
        ("b.csv", "a,b\nc\n", r"line 2: expected at least 2 columns, found 1"),
        (
            "b.csv",
            "# c\na,b,1\nb,c,heavy\n",
            r"line 3: edge \('b', 'c'\) has weight 'heavy', which is not a number",
        ),
        ("b.csv", "a,b,1\nb,c,nan\n", r"line 2: edge \('b', 'c'\) has weight nan; weights must be finite"),
        (
            "b.csv",
            "source,target,weight\na,b,-1\n",
            r"line 2: edge \('a', 'b'\) has weight -1.0; weights must",
        ),
        ("b.csv", "a,b\n,c\n", r"line 2: the source is empty"),
        ("b.csv", "a,b\nc,\n", r"line 2: the target is empty"),
        ("b.csv", 'a,b\nc,"d\n', r"line 2: unexpected end of data"),
        ("b.csv", b"a,b\nc,\xff\n", r"line 2: the file is not UTF-8 text"),
        ("b.csv", "# only a comment\n", r"b\.csv: the file holds no edges"),
        ("b.csv", "source,target\n", r"b\.csv: the file holds no edges"),
        (
            "b.csv",
            "id,x,y\n1,0.5,0.25\n",
            r"b\.csv: the columns 'id', 'x', 'y' look like those of a table of nodes; give it as nodes",
        ),
        ("b.edgelist", "a b {'weight': 1\n", r"line 1: .* is not a dict of edge attributes"),
        ("b.edgelist", "a b {1, 2}\n", r"line 1: '{1, 2}' is not a dict of edge attributes"),
        ("b.parquet", "no parquet", r"b\.parquet: not a readable Parquet file"),
    ],
)
def test_broken_files_name_their_line(save, name, content, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_graph(save(name, content))
    assert name in str(caught.value)


@pytest.mark.parametrize("name", ["w.gexf", "w.graphml", "w.gml", "w.json"])
def test_an_unknown_weight_names_what_there_is(save, name):
    content = {
        "w.gexf": GEPHI,
        "w.graphml": YED,
        "w.gml": GML,
        "w.json": '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": 2}]}',
    }[name]
    with pytest.raises(ValueError, match=rf"{name}: weight='n' is not an attribute of any edge; there are .*eight'"):
        read_graph(save(name, content), weight="n")


def test_a_weight_must_be_a_name(save):
    with pytest.raises(TypeError, match="weight must be the name of an edge attribute or None, not 3"):
        read_graph(save("e.csv", "a,b"), weight=3)


def test_files_nested_deeply_do_not_crash(save):
    deep = 20_000
    nested = '<node id="a"><nodes>' * deep + "</nodes></node>" * deep
    assert read_graph(save("d.gexf", f"<gexf><graph><nodes>{nested}</nodes></graph></gexf>")).n_nodes == 1
    nested = '<node id="a"><graph>' * deep + "</graph></node>" * deep
    assert read_graph(save("d.graphml", f"<graphml><graph>{nested}</graph></graphml>")).n_nodes == 1
    nested = "graph [ node [ id 1 " + "x [ " * deep + "] " * deep + "] ]"
    assert read_graph(save("d.gml", nested)).n_nodes == 1


def test_what_is_not_there_or_not_a_graph(tmp_path, save):
    with pytest.raises(FileNotFoundError, match=r"missing\.gexf does not exist"):
        read_graph(tmp_path / "missing.gexf")
    with pytest.raises(IsADirectoryError, match="is a folder, not a file"):
        read_graph(tmp_path)
    with pytest.raises(ValueError, match=r"g\.docx does not end in one of \.gexf, \.graphml, \.gml, \.net"):
        read_graph(save("g.docx", "x"))
    with pytest.raises(ValueError, match=r"does not end in one of"):
        read_graph(save("g.npz.gz", "x"))
    for ending in READABLE:
        with pytest.raises(ValueError, match=rf"e\{ending} is empty"):
            read_graph(save(f"e{ending}", ""))
    with pytest.raises(ValueError, match=r"e\.csv\.gz is empty"):
        read_graph(save("e.csv.gz", ""))


def test_broken_gzip(tmp_path):
    (tmp_path / "b.csv.gz").write_bytes(b"not gzip")
    with pytest.raises(ValueError, match=r"b\.csv\.gz is not a complete gzip file"):
        read_graph(tmp_path / "b.csv.gz")
    (tmp_path / "c.gexf.gz").write_bytes(gzip.compress(GEPHI.encode())[:-20])
    with pytest.raises(ValueError, match=r"c\.gexf\.gz is not a complete gzip file"):
        read_graph(tmp_path / "c.gexf.gz")


def test_paths_may_be_strings(save):
    assert read_graph(str(save("e.csv", "a,b"))).n_edges == 1


@pytest.mark.parametrize("ids", [["a", "b", "a"], [["a"], ["b"], ["c"]]])
def test_npz_names_each_node_once(tmp_path, ids):
    np.savez(tmp_path / "g.npz", edges=np.array([[0, 1], [1, 2]]), ids=np.array(ids))
    with pytest.raises(ValueError, match=r"g\.npz: 'ids' has shape \(3(, 1|,)\); it must name each of 3 nodes once"):
        read_graph(tmp_path / "g.npz")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999, 1), }",
        "{'descr': 7, 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1e400,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': None, }",
        "{'descr': '<f8', 'fortran_order': (((((",
    ],
)
def test_npz_with_damaged_headers_is_refused_in_one_sentence(tmp_path, header):
    text = header.ljust(117).encode() + b"\n"
    with zipfile.ZipFile(tmp_path / "g.npz", "w") as archive:
        archive.writestr("edges.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(8))
    with pytest.raises(ValueError, match=r"g\.npz: not an? "):
        read_graph(tmp_path / "g.npz")


def test_truth_values_are_no_ids(save):
    """Python has True == 1: two nodes became one."""
    for content in ('[{"id": 1}, {"id": true}], "links": []', '[{"id": 1}], "links": [{"source": 1, "target": true}]'):
        with pytest.raises(ValueError, match="true cannot be a node's id"):
            read_graph(save("b.json", f'{{"nodes": {content}}}'))


def test_a_table_of_nodes_without_ids_is_named(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\n")
    (tmp_path / "nodes.csv").write_text("size,x\n1,2\n")
    with pytest.raises(ValueError, match=r"nodes\.csv: which column of the node table has the ids cannot be told"):
        read_graph(tmp_path / "edges.csv", nodes=tmp_path / "nodes.csv")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", '{"nodes": [{"id": 1}, {"id": 1.0}], "links": []}', r"the id 1\.0 belongs to another node already"),
        ("a.json", '{"nodes": [{"id": 1}, {}], "links": []}', "the id 1 belongs to another node already"),
        ("a.json", '{"nodes": [{"id": NaN}], "links": []}', "NaN cannot be a node's id"),
        ("a.json", '{"nodes": [{"id": [1, NaN]}], "links": []}', "NaN cannot be a node's id"),
        ("a.gml", "graph [\nnode [ id 1 ]\nnode [ id 1 ]\n]", "line 3: the id 1 belongs to another node already"),
        ("a.gml", "graph [\nnode [ id 1 ]\nnode [ id 1.0 ]\n]", r"line 3: the id 1\.0 belongs to another node already"),
    ],
)
def test_nodes_of_one_id_are_not_merged(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=message):
        read_graph(tmp_path / name)
