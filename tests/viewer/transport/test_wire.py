import json
import struct
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import wire_examples
from matplotlib import colormaps
from matplotlib.colors import to_hex

from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR
from graphne_viz.encoding.columns.column import TextColumn, Texts
from graphne_viz.encoding.columns.edge_columns import edge_columns
from graphne_viz.encoding.columns.node_columns import attribute_columns
from graphne_viz.encoding.labels.text import encode_texts
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.edge_table import EdgeTable
from graphne_viz.viewer.transport import wire
from graphne_viz.viewer.transport.wire import (
    Frame,
    decode_container,
    decode_frame,
    encode_columns,
    encode_container,
    encode_frame,
    encode_graph,
)


def texts_of(found):
    return list(Texts(found["text"], found["ends"]))


def test_the_committed_examples_are_what_is_written_today():
    for file, data in wire_examples.examples().items():
        assert (wire_examples.FOLDER / file).read_bytes() == data, file


def test_the_committed_frame_is_read():
    frame = decode_frame((wire_examples.FOLDER / "frame.bin").read_bytes(), 14)
    assert (frame.seq, frame.iteration, frame.phase, frame.kl, frame.exaggeration, frame.run) == (
        7,
        120,
        2,
        1.25,
        4.5,
        3,
    )
    assert frame.positions.dtype == np.float32
    assert np.array_equal(frame.positions, wire_examples.example_frame().positions)
    assert not frame.positions.flags.writeable


def test_the_committed_graph_is_read():
    graph = wire_examples.example_graph()
    found = decode_container((wire_examples.FOLDER / "graph.bin").read_bytes())
    assert (found["nodes"], found["edges"]) == (14, 15)
    pairs = set(map(tuple, found["pairs"].reshape(-1, 2).tolist()))
    assert len(pairs) == 12
    assert pairs < set(map(tuple, graph.pairs.tolist()))
    assert found["notes"] == []
    assert texts_of(found["names"]) == list(map(str, graph.ids))
    assert (found["other"], found["missing"], found["plain"]) == (OTHER_COLOR, MISSING_COLOR, CLASS_COLORS[0])
    assert found["colormap"] == [to_hex(colormaps["viridis"](k)) for k in range(256)]
    columns = {column["key"]: column for column in found["columns"]}
    kinds = {key: column["kind"] for key, column in columns.items()}
    assert kinds == {
        "degree": "values",
        "a:title": "text",
        "a:year": "values",
        "a:time": "values",
        "a:share": "values",
        "a:paint": "colors",
        "a:class": "classes",
        "a:group": "classes",
    }
    assert columns["a:year"]["values"].dtype == np.float32
    assert columns["a:time"]["values"].dtype == np.float64
    assert np.array_equal(columns["a:time"]["values"], 1_700_000_000.25 + np.arange(14))
    assert columns["a:class"]["codes"][5] == len(columns["a:class"]["categories"])
    assert [category["color"] for category in columns["a:group"]["categories"]] == list(CLASS_COLORS[:13])
    titles = texts_of(columns["a:title"])
    assert titles[1] == wire_examples.TITLES[1]  # text stays text: nothing is escaped on the way
    assert titles[2:5] == ["two lines", "nul byte", "lone   surrogate"]
    assert titles[5:8] == wire_examples.TITLES[5:8]
    assert titles[8] == "overridden   text"
    assert titles[12] == "x" * 499 + "…"


def test_the_committed_directed_graph_is_read():
    G = wire_examples.example_directed()
    found = decode_container((wire_examples.FOLDER / "directed.bin").read_bytes())
    assert (found["nodes"], found["edges"], found["directed"]) == (6, 9, True)
    names = texts_of(found["names"])
    pairs = [(names[i], names[j]) for i, j in found["pairs"].reshape(-1, 2)]
    assert pairs == list(G.edges())  # mutual, parallel and looped ones, each from source to target
    weight, relation, since = found["edge_columns"]
    assert [column["key"] for column in (weight, relation, since)] == ["e:weight", "e:relation", "e:since"]
    assert weight["values"].tolist() == [w for _, _, w in G.edges(data="weight")]
    labels = [*(category["label"] for category in relation["categories"]), None]
    assert [labels[code] for code in relation["codes"]] == [r for _, _, r in G.edges(data="relation")]
    assert np.isnan(since["values"]).tolist() == [year is None for _, _, year in G.edges(data="since")]


def test_edges_that_are_sampled_keep_their_columns_and_directions():
    ends = np.column_stack([np.arange(50), np.arange(1, 51)])
    kinds = np.array([None if k == 7 else f"kind {k % 3}" for k in range(50)], dtype=object)
    notes = np.array([f"note {k}" for k in range(50)], dtype=object)
    links = EdgeTable(
        ends, 1.0 + np.arange(50), {"kind": kinds, "note": notes}, directed=True, mixed=ends[:, 0] % 2 > 0
    )
    graph = replace(as_graph(nx.path_graph(51)), edge_table=links)
    found = decode_container(encode_graph(graph, [], edge_columns=edge_columns(links), max_edges=20))
    sources = found["pairs"].reshape(-1, 2)[:, 0]
    assert (found["edges"], len(sources)) == (50, 20)
    assert found["directed"].tolist() == (sources % 2).tolist()
    weight, kind, note = found["edge_columns"]
    assert weight["values"].tolist() == (1 + sources).tolist()
    assert [category["count"] for category in kind["categories"]] == [17, 16, 16]  # of all edges
    assert kind["codes"].tolist() == [3 if k == 7 else k % 3 for k in sources]
    assert texts_of(note) == [f"note {k}" for k in sources]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_frame_survives_the_way_there_and_back(n):
    frame = Frame(np.arange(2 * n, dtype=np.float32).reshape(n, 2), 2**32 - 1, 5, 3, exaggeration=0.5)
    data = encode_frame(frame)
    assert type(data) is bytes
    assert len(data) == 32 + 8 * n
    found = decode_frame(memoryview(data), n)
    assert np.array_equal(found.positions, frame.positions)
    assert np.isnan(found.kl)
    assert (found.seq, found.iteration, found.phase, found.exaggeration) == (2**32 - 1, 5, 3, 0.5)


def test_a_frame_is_a_copy():
    positions = np.zeros((3, 2), dtype=np.float32)
    data = encode_frame(Frame(positions))
    positions[:] = 9
    assert not decode_frame(data).positions.any()


def test_positions_in_any_memory_order_are_read_by_node():
    positions = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    assert decode_frame(encode_frame(Frame(positions))).positions.tolist() == positions.tolist()


def test_a_divergence_without_bounds_is_unknown():
    assert np.isnan(decode_frame(encode_frame(Frame(np.zeros((1, 2)), kl=float("inf")))).kl)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positions": np.array([[0, 0], [np.nan, 1]])}, r"position of node 1 in a frame is not finite: \[nan, 1"),
        ({"positions": np.array([[0, np.inf]])}, "node 0"),
        ({"positions": np.zeros((2, 3))}, r"shape \(n, 2\), got \(2, 3\)"),
        ({"positions": np.zeros(4)}, r"shape \(n, 2\)"),
        ({"seq": -1}, "seq must be an unsigned integer of 32 bits, got -1"),
        ({"iteration": 2**32}, "iteration must be an unsigned integer"),
        ({"phase": 5}, "phase must be below 5, got 5"),
        ({"exaggeration": float("nan")}, "exaggeration must be finite, got nan"),
    ],
)
def test_a_frame_that_nobody_could_draw_is_not_written(change, message):
    with pytest.raises(ValueError, match=message):
        encode_frame(replace(Frame(np.zeros((2, 2), dtype=np.float32)), **change))


def broken_frames():
    good = encode_frame(Frame(np.ones((3, 2), dtype=np.float32)))
    yield b"", "not a frame: 0 bytes"
    yield good[:31], "not a frame: 31 bytes"
    yield b"GNG1" + good[4:], "not a frame"
    yield good[:-1], "a frame of 3 nodes has 56 bytes, not 55"
    yield good + b"\0", "has 56 bytes, not 57"
    yield good[:4] + struct.pack("<I", 2**32 - 1) + good[8:], "bytes, not 56"
    yield good[:32] + struct.pack("<f", float("inf")) + good[36:], "node 0 in a frame is not finite"
    yield encode_frame(Frame(np.ones((2, 2), dtype=np.float32))), "the frame has 2 nodes, but the graph has 3"


@pytest.mark.parametrize(("data", "message"), list(broken_frames()))
def test_a_broken_frame_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        decode_frame(data, 3)


def test_arrays_lie_where_a_browser_can_look_at_them():
    arrays = [np.arange(k, dtype=dtype) for k, dtype in enumerate(["u1", "u2", "u4", "f4", "f8", "u1"])]
    data = encode_container({"deep": {"list": arrays}, "Ä": "ö"})
    length = struct.unpack_from("<I", data, 4)[0]
    assert (8 + length) % 8 == 0
    header = json.loads(data[8 : 8 + length])
    assert header["Ä"] == "ö"
    for ref, array in zip(header["deep"]["list"], arrays, strict=True):
        assert ref["at"] % 8 == 0
        start = 8 + length + ref["at"]
        assert data[start : start + array.nbytes] == array.astype(array.dtype.newbyteorder("<")).tobytes()
    found = decode_container(data)["deep"]["list"]
    assert all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in zip(found, arrays, strict=True))


def test_a_header_is_strict_json():
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_container({"low": float("nan")})
    with pytest.raises(TypeError, match="set cannot be in the header"):
        encode_container({"low": set()})
    with pytest.raises(TypeError, match="array of int64 cannot be in a container"):
        encode_container({"low": np.arange(3)})
    assert decode_container(encode_container({"text": "\ud800\u2028"}))["text"] == "?\u2028"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"GN", "not a container: 2 bytes"),
        (b"GNF1\0\0\0\0", "not a container"),
        (b"GNG1\x09\0\0\0", "header of a graph ends at byte 17, but there are only 8"),
        (encode_container({"a": np.zeros(3)})[:-8], "array of 3 items is cut short"),
    ],
)
def test_a_broken_container_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        decode_container(data)


def test_edges_beyond_the_limit_are_sampled_and_all_are_counted():
    graph = as_graph(nx.gnm_random_graph(60, 1_500, seed=1))
    found = decode_container(encode_graph(graph, [], max_edges=1_000))
    pairs = found["pairs"].reshape(-1, 2)
    assert found["edges"] == 1_500
    assert len(np.unique(pairs, axis=0)) == 1_000
    assert set(map(tuple, pairs.tolist())) <= set(map(tuple, graph.pairs.tolist()))
    assert encode_graph(graph, [], max_edges=1_000) == encode_graph(graph, [], max_edges=1_000)
    # a fair sample: the mean of all ends is about that of the graph
    assert pairs.mean() == pytest.approx(graph.pairs.mean(), abs=2)
    whole = decode_container(encode_graph(graph, [], max_edges=1_500))
    assert np.array_equal(whole["pairs"].reshape(-1, 2), graph.pairs)
    assert whole["notes"] == []


def test_text_that_is_too_large_is_left_out_and_that_is_said(monkeypatch):
    G = nx.path_graph(30)
    nx.set_node_attributes(G, {node: f"a long title, number {node}" for node in G}, "title")
    nx.set_node_attributes(G, {node: f"t{node}" for node in G}, "tag")
    graph = as_graph(G)
    monkeypatch.setattr(wire, "MOST_TEXT", 200)
    found = decode_container(encode_graph(graph, attribute_columns(graph)))
    assert texts_of(found["names"]) == [str(node) for node in G]
    assert [column["key"] for column in found["columns"]] == ["degree", "a:tag"]
    assert found["notes"] == ["the text of title is left out because it is too long"]
    monkeypatch.setattr(wire, "MOST_TEXT", 40)
    found = decode_container(encode_graph(graph, [TextColumn("a:x", "x", None)]))
    assert found["names"] is None
    assert found["notes"] == [
        "the names of the nodes are left out because they are too long",
        "the text of x is left out because it is too long",
    ]


def test_texts():
    texts = ["", "a", "ü€😀", "\ud800", "", "z"]
    found = encode_texts(texts)
    assert list(found) == ["", "a", "ü€😀", "?", "", "z"]
    assert found.ends.tolist() == [0, 1, 10, 11, 11, 12]
    assert encode_texts(texts, most=12) is not None
    assert encode_texts(texts, most=11) is None
    assert len(encode_texts([])) == 0


class Unspeakable:
    def __str__(self):
        raise RuntimeError("no")


def test_names_may_be_anything():
    ids = ["\ud800", "a\0b", "x" * 10**6, ("a", 1), Unspeakable(), None, 1.5, frozenset()]
    G = nx.empty_graph(len(ids))
    graph = as_graph(nx.relabel_nodes(G, dict(enumerate(ids[:5])) | {6: 1.5, 7: frozenset()}))
    names = texts_of(decode_container(encode_graph(graph, []))["names"])
    assert names == [" ", "a b", "x" * 499 + "…", "('a', 1)", "node 4", "5", "1.5", "frozenset()"]


def test_a_graph_without_nodes():
    graph = as_graph(nx.empty_graph(0))
    found = decode_container(encode_graph(graph, attribute_columns(graph)))
    assert (found["nodes"], found["edges"], len(found["pairs"])) == (0, 0, 0)
    assert texts_of(found["names"]) == []


def test_columns_of_the_caller_travel_alone():
    graph = wire_examples.example_graph()
    found = decode_container(encode_columns(14, attribute_columns(graph)))
    whole = decode_container((wire_examples.FOLDER / "graph.bin").read_bytes())
    assert found.keys() == {"nodes", "columns"}
    assert found["nodes"] == 14
    assert [column["key"] for column in found["columns"]] == [column["key"] for column in whole["columns"]]
