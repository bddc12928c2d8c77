"""What is written reads back equal, here and in networkx and igraph."""

import csv
import gzip
import json
import os
import stat

import igraph as ig
import networkx as nx
import numpy as np
import pytest

from graphne_viz._atomic import replace_when_complete
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.vectors import write_csv
from graphne_viz.graphs.io.files import read_graph, write_layout
from graphne_viz.graphs.io.registry import WRITABLE

COLORS = np.array([[1, 0, 0], [0, 0.5, 0], [0, 0, 1], [1, 1, 1]])


@pytest.mark.parametrize("ending", [".gexf", ".gexf.gz", ".graphml", ".graphml.gz", ".json", ".json.gz", ".npz"])
def test_what_is_written_reads_back_equal(tmp_path, weighted, positions, ending):
    graph = as_graph(weighted)
    write_layout(tmp_path / f"g{ending}", graph, positions, metadata={"seed": 0})
    again = read_graph(tmp_path / f"g{ending}")
    assert again.ids == graph.ids
    np.testing.assert_array_equal(again.adjacency.toarray(), graph.adjacency.toarray())
    np.testing.assert_array_equal(again.attributes["x"], positions[:, 0])
    np.testing.assert_array_equal(again.attributes["y"], positions[:, 1])
    assert set(again.attributes) == {"x", "y", *graph.attributes}
    for name in ("size", "ratio", "good", "kind"):
        assert again.attributes[name].tolist() == graph.attributes[name].tolist()
        assert again.attributes[name].dtype == graph.attributes[name].dtype
    only = again.attributes["only"].tolist()
    assert only[0] == 1
    assert only[1:] == [None] * 3 or (ending == ".npz" and np.isnan(only[1:]).all())


def test_a_second_layout_replaces_the_first(tmp_path, weighted, positions):
    for ending in (".gexf", ".graphml", ".json", ".npz"):
        path = tmp_path / f"g{ending}"
        write_layout(path, as_graph(weighted), positions, sizes=1.0, colors=COLORS)
        write_layout(path, read_graph(path), 2 * positions, sizes=2.0, colors=COLORS)
        np.testing.assert_array_equal(read_graph(path).attributes["y"], 2 * positions[:, 1])


def test_gexf_in_networkx(tmp_path, weighted, positions):
    path = tmp_path / "g.gexf"
    write_layout(
        path,
        as_graph(weighted),
        positions,
        colors=COLORS,
        sizes=[1, 2, 3, 4.5],
        metadata={"seed": 7, "what": "<b>"},
    )
    G = nx.read_gexf(path)
    assert list(G) == list(weighted)
    assert {frozenset(edge): w for *edge, w in G.edges(data="weight")} == {
        frozenset("ab"): 2.5,
        frozenset("bc"): 0.1,
        frozenset("ca"): 1.0,
    }
    assert G.nodes["b"]["viz"]["position"] == {"x": -2e-17, "y": 1e9, "z": 0.0}
    assert G.nodes["b"]["viz"]["color"] == {"r": 0, "g": 128, "b": 0, "a": 1.0}
    assert [data["viz"]["size"] for _, data in G.nodes(data=True)] == [1, 2, 3, 4.5]
    assert G.nodes["c"]["kind"] == "<third>"
    assert G.nodes["c"]["good"] is True
    assert G.nodes["c"]["label"] == "c"
    assert "only" not in G.nodes["b"]
    from defusedxml.ElementTree import parse

    description = parse(path).find(".//{*}meta/{*}description").text
    assert json.loads(description) == {"seed": 7, "what": "<b>"}


def test_gexf_and_npz_keep_attributes_with_the_names_of_colours_and_sizes(tmp_path, weighted, positions):
    own = {"a": "alpha", "b": False, "color": "red", "size": 7, "r": 1}
    for name, value in own.items():
        nx.set_node_attributes(weighted, value, name)
    for ending in (".gexf", ".npz"):
        write_layout(tmp_path / f"g{ending}", as_graph(weighted), positions, colors=COLORS, sizes=2)
        again = read_graph(tmp_path / f"g{ending}").attributes
        assert {name: again[name].tolist() for name in own} == {name: [value] * 4 for name, value in own.items()}
    # All three are a colour, as Gephi writes it to GraphML.
    nx.set_node_attributes(weighted, 255, "g")
    write_layout(tmp_path / "g.gexf", as_graph(weighted), positions, colors=COLORS, sizes=2)
    assert not {"r", "g", "b", "a"} & read_graph(tmp_path / "g.gexf").attributes.keys()


def test_gexf_sizes_suit_the_extent(tmp_path):
    rng = np.random.default_rng(0)
    graph = as_graph(nx.path_graph(100))
    for scale in (1, 1000):
        write_layout(tmp_path / "g.gexf", graph, scale * rng.uniform(-1, 1, (100, 2)))
        sizes = {data["viz"]["size"] for _, data in nx.read_gexf(tmp_path / "g.gexf").nodes(data=True)}
        (size,) = sizes
        assert 0.02 * scale < size < 0.2 * scale
    for n, places in ((0, np.zeros((0, 2))), (1, np.zeros((1, 2))), (3, np.zeros((3, 2)))):
        write_layout(tmp_path / "g.gexf", as_graph(nx.empty_graph(n)), places)
        assert nx.read_gexf(tmp_path / "g.gexf").number_of_nodes() == n


def test_graphml_in_networkx_and_igraph(tmp_path, weighted, positions):
    path = tmp_path / "g.graphml"
    write_layout(path, as_graph(weighted), positions, colors=COLORS, sizes=2, metadata={"seed": 7, "who": "me"})
    G = nx.read_graphml(path)
    assert G.graph["seed"] == "7"
    assert G.graph["who"] == "me"
    place = {"x": -2e-17, "y": 1e9, "size": 2, "r": 0, "g": 128, "b": 0}
    assert G.nodes["b"] == {**place, "ratio": -1.5, "good": False, "kind": "second"}
    assert G.edges["a", "b"]["weight"] == 2.5
    g = ig.Graph.Read_GraphML(str(path))
    assert g.vs["id"] == list(weighted)
    assert g.vs["x"] == positions[:, 0].tolist()
    assert g.vs["kind"] == ["first", "second", "<third>", "fourth"]
    assert g.vs["good"] == [True, False, True, False]
    assert g.es["weight"] == [2.5, 1.0, 0.1]


def test_json_in_networkx(tmp_path, weighted, positions):
    weighted.nodes["a"].update(ratio=float("nan"), id="taken", list=[1, (2, np.int64(3))])
    write_layout(tmp_path / "g.json", as_graph(weighted), positions, colors=COLORS, metadata={"kl": np.float32(0.5)})
    text = (tmp_path / "g.json").read_text()
    assert "NaN" not in text
    data = json.loads(text)
    G = nx.node_link_graph(data, edges="edges")
    assert list(G) == list(weighted)
    assert G.graph == {"kl": 0.5}
    assert G.nodes["a"]["color"] == "#ff0000"
    assert G.nodes["a"]["attribute_id"] == "taken"
    assert G.nodes["a"]["list"] == [1, [2, 3]]
    assert G.nodes["a"]["ratio"] is None
    assert G.edges["a", "b"]["weight"] == 2.5


def test_csv(tmp_path, weighted, positions):
    write_layout(tmp_path / "g.csv", as_graph(weighted), positions, sizes=[1, 2, 3, 4], colors=["#ff8000"] * 4)
    with (tmp_path / "g.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["id", "x", "y", "color", "size", "ratio", "good", "kind", "only"]
    assert [row["id"] for row in rows] == list(weighted)
    assert [float(row["y"]) for row in rows] == positions[:, 1].tolist()
    assert rows[0]["color"] == "#ff8000"
    assert [row["good"] for row in rows] == ["true", "false", "true", "false"]
    assert [row["only"] for row in rows] == ["1", "", "", ""]


def test_npz(tmp_path, weighted, positions):
    weighted.nodes["a"]["edges"] = "reserved"
    weighted.nodes["a"]["../up\0"] = 1
    weighted.nodes["a"]["file"] = 2
    write_layout(tmp_path / "g.npz", as_graph(weighted), positions, colors=COLORS, sizes=1, metadata={"seed": 3})
    with np.load(tmp_path / "g.npz", allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["positions"], positions)
        assert arrays["ids"].tolist() == list(weighted)
        assert arrays["edges"].tolist() == [[0, 1], [0, 2], [1, 2]]
        assert arrays["weight"].tolist() == [2.5, 1.0, 0.1]
        assert arrays["attribute_edges"].tolist() == ["reserved", "", "", ""]
        assert arrays[".._up_"].tolist()[0] == 1
        assert arrays["file"].tolist()[0] == 2
        assert arrays["colors"].tolist()[1] == [0, 128, 0, 255]
        assert json.loads(str(arrays["metadata"])) == {"seed": 3}


def test_npz_leaves_out_text_too_long_for_it(tmp_path, caplog):
    G = nx.path_graph(300)
    G.nodes[0]["text"] = "x" * 1_000_000
    write_layout(tmp_path / "g.npz", as_graph(G), np.zeros((300, 2)))
    assert "attribute 'text' is not written" in caplog.text
    assert (tmp_path / "g.npz").stat().st_size < 100_000
    names = nx.relabel_nodes(G, {0: "x" * 1_000_000})
    write_layout(tmp_path / "g.npz", as_graph(names), np.zeros((300, 2)))
    assert "nodes are numbered instead" in caplog.text
    assert read_graph(tmp_path / "g.npz").ids == range(300)


@pytest.mark.parametrize("ending", [".gexf", ".graphml", ".json", ".npz", ".csv"])
def test_hostile_names_survive(tmp_path, hostile, ending):
    graph = as_graph(hostile)
    n = graph.n_nodes
    path = tmp_path / f"h{ending}"
    write_layout(path, graph, np.arange(2.0 * n).reshape(n, 2))
    if ending == ".csv":
        with path.open(newline="", encoding="utf-8") as stream:
            ids = [row["id"] for row in csv.DictReader(stream)]
        assert ids[:4] == list(graph.ids)[:4]
        assert len(set(ids)) == n
        return
    again = read_graph(path)
    np.testing.assert_array_equal(again.adjacency.toarray(), graph.adjacency.toarray())
    assert len(set(again.ids)) == n
    for name, read in zip(graph.ids, again.ids, strict=True):
        expected = name if ending == ".json" and isinstance(name, (str, int)) else str(name)
        if ending == ".json":
            assert read == (expected if name != 2.5 else 2.5)
        elif "\0" in str(name) or "\x1b" in str(name):
            assert read.replace("\ufffd", "") == str(name).replace("\0", "").replace("\x1b", "") or ending == ".npz"
        else:
            assert read == expected or (name == "1" and read == "1 (2)")
    titles = [title for title in again.attributes if title not in {"x", "y"}]
    assert titles == (["<b>title<_b>"] if ending == ".npz" else ["<b>title</b>"])
    values = again.attributes[titles[0]]
    assert [value.rstrip("\0\ufffd") for value in values] == [f"</node>{i}" for i in range(n)]


@pytest.mark.parametrize(("ending", "read"), [(".gexf", nx.read_gexf), (".graphml", nx.read_graphml)])
def test_hostile_names_in_networkx(tmp_path, hostile, ending, read):
    graph = as_graph(hostile)
    write_layout(tmp_path / f"h{ending}", graph, np.zeros((graph.n_nodes, 2)), metadata={"</meta>": "\0<script>"})
    G = read(tmp_path / f"h{ending}")
    assert len(G) == graph.n_nodes
    assert "<img src=x onerror=alert(1)>" in G
    assert "two\nlines\r\tand a tab" in G
    assert "nul\ufffdinside" in G


def test_lone_surrogates_are_written_somehow(tmp_path):
    graph = as_graph(nx.Graph([("lone \ud800", "b")]))
    for ending in WRITABLE:
        write_layout(tmp_path / f"s{ending}", graph, np.zeros((2, 2)))
    assert read_graph(tmp_path / "s.gexf").ids == ("lone \ufffd", "b")
    assert read_graph(tmp_path / "s.json").ids == ("lone \ud800", "b")
    assert "lone \\ud800," in (tmp_path / "s.csv").read_text(encoding="utf-8")


def test_numbers_that_are_not_finite_and_odd_values(tmp_path):
    G = nx.path_graph(3)
    for i, value in enumerate([np.nan, np.inf, -np.inf]):
        G.nodes[i].update(value=value, big=2**70 + i, many=[i], label=f"L{i}")
    for ending in (".gexf", ".graphml"):
        path = tmp_path / f"g{ending}"
        write_layout(path, as_graph(G), np.zeros((3, 2)))
        again = read_graph(path).attributes
        np.testing.assert_array_equal(again["value"], [np.nan, np.inf, -np.inf])
        assert again["big"].tolist() == [str(2**70 + i) for i in range(3)]
        assert again["many"].tolist() == ["[0]", "[1]", "[2]"]
        assert again["label"].tolist() == ["L0", "L1", "L2"]
    write_layout(tmp_path / "g.json", as_graph(G), np.zeros((3, 2)))
    assert read_graph(tmp_path / "g.json").attributes["value"].tolist() == [None, None, None]
    assert read_graph(tmp_path / "g.json").attributes["big"].tolist() == [2**70, 2**70 + 1, 2**70 + 2]


def test_a_list_that_contains_itself_is_written(tmp_path):
    G = nx.empty_graph(1)
    circle = []
    circle.append(circle)
    G.nodes[0]["circle"] = circle
    write_layout(tmp_path / "g.json", as_graph(G), np.zeros((1, 2)))
    assert read_graph(tmp_path / "g.json").attributes["circle"][0].startswith("<list object at")


def test_json_ids_that_become_equal_are_told_apart(tmp_path):
    graph = as_graph(dict.fromkeys([(1, 2), "(1, 2)", np.int64(5), float("inf"), True]))
    write_layout(tmp_path / "g.json", graph, np.zeros((5, 2)))
    assert read_graph(tmp_path / "g.json").ids == ("(1, 2) (2)", "(1, 2)", 5, "inf", "True")


def test_three_dimensions(tmp_path):
    places = np.arange(9.0).reshape(3, 3)
    for ending in (".json", ".graphml", ".npz"):
        write_layout(tmp_path / f"g{ending}", as_graph(nx.path_graph(3)), places)
        assert read_graph(tmp_path / f"g{ending}").attributes["z"].tolist() == [2, 5, 8]
    write_layout(tmp_path / "g.gexf", as_graph(nx.path_graph(3)), places)
    assert nx.read_gexf(tmp_path / "g.gexf").nodes["2"]["viz"]["position"]["z"] == 8


def test_the_same_layout_gives_the_same_bytes(tmp_path, weighted, positions):
    for ending in (*WRITABLE, ".gexf.gz"):
        for name in ("one", "two"):
            write_layout(tmp_path / f"{name}{ending}", as_graph(weighted), positions)
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    assert gzip.decompress((tmp_path / "one.gexf.gz").read_bytes()) == (tmp_path / "one.gexf").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"positions": np.zeros((3, 2))}, r"positions has shape \(3, 2\); it must be \(4, 2\) or \(4, 3\)"),
        ({"positions": np.zeros((4, 5))}, r"positions has shape \(4, 5\)"),
        (
            {"positions": np.full((4, 2), np.nan)},
            r"the position of node 'a' is \[nan, nan\]; it must be finite",
        ),
        ({"colors": np.zeros((3, 3))}, r"colors has shape \(3, 3\) and dtype float64; accepted are 4 rows"),
        ({"colors": np.full((4, 3), 2.0)}, r"colors reach from 2.0 to 2.0; accepted are 4 rows"),
        ({"colors": np.full((4, 3), np.nan)}, r"colors reach from nan to nan"),
        ({"colors": ["red"] * 4}, r"'red' in colors is not a colour; accepted are"),
        ({"sizes": [1, 2]}, r"sizes has shape \(2,\); it must be one number or \(4,\)"),
        ({"sizes": [1, 2, 3, -1]}, r"sizes must be finite and not negative"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, weighted, positions, arguments, message):
    (tmp_path / "g.gexf").write_text("old")
    with pytest.raises(ValueError, match=message):
        write_layout(tmp_path / "g.gexf", as_graph(weighted), **{"positions": positions, **arguments})
    assert (tmp_path / "g.gexf").read_text() == "old"


def test_colors_in_every_form(tmp_path, weighted, positions):
    forms = [
        np.array([[255, 128, 0]] * 4),
        np.array([[255, 128, 0, 255]] * 4, dtype=np.uint8),
        [[1.0, 0.5, 0.0]] * 4,
        ["#ff8000"] * 4,
        ["#FF8000FF"] * 4,
    ]
    written = []
    for form in forms:
        write_layout(tmp_path / "g.gexf", as_graph(weighted), positions, colors=form)
        written.append((tmp_path / "g.gexf").read_bytes())
    assert len(set(written)) == 1
    assert b'<viz:color r="255" g="128" b="0" a="1.0"/>' in written[0]


def test_unknown_endings_and_folders(tmp_path, weighted, positions):
    graph = as_graph(weighted)
    with pytest.raises(ValueError, match=r"g\.gml does not end in one of \.gexf, \.graphml, \.json, \.csv, \.npz"):
        write_layout(tmp_path / "g.gml", graph, positions)
    with pytest.raises(ValueError, match="does not end in one of"):
        write_layout(tmp_path / "g.npz.gz", graph, positions)
    with pytest.raises(FileNotFoundError, match=r"the folder of .*g\.gexf does not exist"):
        write_layout(tmp_path / "no" / "g.gexf", graph, positions)
    (tmp_path / "folder.gexf").mkdir()
    with pytest.raises(IsADirectoryError, match=r"folder\.gexf is a folder, not a file"):
        write_layout(tmp_path / "folder.gexf", graph, positions)


class BreaksWhenWritten:
    """A node attribute whose text cannot be had, as when Ctrl-C comes half way."""

    def __str__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("ending", WRITABLE)
def test_an_interrupted_write_leaves_the_old_file(tmp_path, weighted, positions, ending):
    path = tmp_path / f"g{ending}"
    path.write_bytes(b"old")
    weighted.nodes["d"]["late"] = BreaksWhenWritten()
    with pytest.raises(KeyboardInterrupt):
        write_layout(path, as_graph(weighted), positions)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_replace_when_complete_keeps_ending_permissions_and_links(tmp_path):
    path = tmp_path / "picture.svg.gz"
    mask = os.umask(0o027)
    try:
        with replace_when_complete(path) as unfinished:
            assert unfinished.parent == tmp_path
            assert unfinished.name.endswith(".svg.gz")
            unfinished.write_text("new")
            assert not path.exists()
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    link = tmp_path / "link.svg"
    link.symlink_to(path)
    with replace_when_complete(link) as unfinished:
        unfinished.write_text("newer")
    assert link.is_symlink()
    assert path.read_text() == "newer"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_replace_when_complete_cleans_up(tmp_path):
    path = tmp_path / "a.png"
    path.write_text("old")

    def write():
        with replace_when_complete(path) as unfinished:
            unfinished.write_text("half")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_replace_when_complete_refuses_devices():
    with pytest.raises(ValueError, match="/dev/null is a device or a pipe; only files can be written"):
        replace_when_complete("/dev/null").__enter__()


def test_nothing_of_the_caller_is_changed(tmp_path, weighted, positions):
    colors, sizes, before = COLORS.copy(), np.ones(4), positions.copy()
    for ending in WRITABLE:
        write_layout(tmp_path / f"g{ending}", as_graph(weighted), positions, colors=colors, sizes=sizes)
    np.testing.assert_array_equal(positions, before)
    np.testing.assert_array_equal(colors, COLORS)
    np.testing.assert_array_equal(sizes, np.ones(4))


def test_csv_has_no_formulas(tmp_path):
    bad = ["=HYPERLINK(1)", "@SUM(1)", "-1+cmd|x", "+1+1", "\uff1d1+1", "\t=1"]
    G = nx.empty_graph(len(bad) + 1)
    nx.set_node_attributes(G, dict(enumerate([*bad, "-7"])), "=note")
    H = nx.relabel_nodes(G, {0: "=cmd()", 1: -5, 2: "-5.5"})
    write_layout(tmp_path / "g.csv", as_graph(H), np.full((len(H), 2), -1.0))
    with (tmp_path / "g.csv").open(newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == ["id", "x", "y", "'=note"]
    assert [row[3] for row in rows] == [*(f"'{text}" for text in bad), "-7"]
    assert [row[0] for row in rows[:3]] == ["'=cmd()", "-5", "-5.5"]
    assert rows[0][1] == "-1.0"
    write_csv(tmp_path / "v.csv", ["=1+1", "b"], np.zeros((2, 1), dtype=np.float32))
    assert (tmp_path / "v.csv").read_text().splitlines()[1] == "'=1+1,0.0"


def test_lone_surrogates_survive_npz_spelled_out(tmp_path):
    G = nx.Graph([("lone \ud800", "b")])
    G.nodes["b"]["\udfff name"] = "\ud800 value"
    graph = as_graph(G)
    write_layout(tmp_path / "s.npz", graph, np.zeros((2, 2)))
    back = read_graph(tmp_path / "s.npz")
    assert back.ids == ("lone \\ud800", "b")
    assert back.attributes["_ name"].tolist() == ["", "\\ud800 value"]
