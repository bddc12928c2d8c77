"""Edge files become the shards of the graph that they are, whatever their kind, their ids and their size."""

import gzip

import numpy as np
import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

from graphne_viz.cli import main
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.shards import prepare as preparation
from graphne_viz.graphs.shards.prepare import prepare
from graphne_viz.graphs.shards.reader import open_shards

SMALL = {"bucket_rows": 500, "shard_rows": 1500}


def edges(n=200, m=3000, seed=0):
    """Edges with loops, parallel ones and hubs."""
    rng = np.random.default_rng(seed)
    return (n * rng.random(m) ** 2).astype(int), rng.integers(0, n, m), rng.integers(0, 5, m) / 2


def write(path, columns):
    if path.suffix == ".parquet":
        parquet.write_table(pa.table(columns), path)
        return
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def matrix(graph, order):
    """Weights between nodes in the order of their ids."""
    place = {node: k for k, node in enumerate(graph.ids)}
    chosen = [place[node] for node in order]
    return graph.adjacency[chosen][:, chosen].toarray()


@pytest.mark.parametrize("name", ["edges.parquet", "edges.csv", "edges.csv.gz"])
@pytest.mark.parametrize("ids", ["text", "integers", "sparse integers"])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_shards_are_the_graph_of_the_file(tmp_path, name, ids, weighted):
    source, target, weight = edges()
    names = {"text": lambda k: f"näme {k}", "integers": int, "sparse integers": lambda k: int(k) ** 2 - 7}[ids]
    columns = {"source": [names(k) for k in source], "target": [names(k) for k in target]}
    if weighted:
        columns["weight"] = weight.tolist()
    write(tmp_path / name, columns)
    shards = prepare(tmp_path / name, tmp_path / "shards", **SMALL)
    expected = read_graph(tmp_path / name)
    found = shards.graph()
    assert len(shards.manifest.shards) > 2
    assert list(found.ids) == sorted(expected.ids)
    assert np.allclose(found.adjacency.toarray(), matrix(expected, found.ids))
    assert shards.n_edges == expected.n_pairs
    assert shards.manifest.versions.keys() >= {"graphne_viz", "duckdb", "pyarrow"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_edges_listed_in_both_directions_count_once(tmp_path):
    source, target, _ = edges()
    once = np.unique(np.sort(np.column_stack([source, target]), axis=1), axis=0)
    once = once[once[:, 0] != once[:, 1]]
    both = np.concatenate([once, once[:, ::-1]])
    write(tmp_path / "both.parquet", {"source": both[:, 0], "target": both[:, 1]})
    shards = prepare(tmp_path / "both.parquet", tmp_path / "shards", **SMALL)
    assert (shards.n_edges, shards.manifest.weighted) == (len(once), False)
    write(tmp_path / "some.parquet", {"source": both[:-1, 0], "target": both[:-1, 1]})  # but for one
    shards = prepare(tmp_path / "some.parquet", tmp_path / "some", **SMALL)
    assert (shards.n_edges, shards.manifest.weighted) == (len(once), True)
    assert set(shards.graph().adjacency.data) == {1.0, 2.0}


def test_a_folder_of_files_is_one_graph_by_the_command(tmp_path, capsys):
    source, target, _ = edges()
    (tmp_path / "in").mkdir()
    for k, part in enumerate(np.array_split(np.arange(len(source)), 3)):
        write(tmp_path / "in" / f"part {k} [of 3].csv", {"u": source[part], "v": target[part]})
    assert main(["prepare", str(tmp_path / "in"), "-o", str(tmp_path / "shards"), "--progress"]) == 0
    shards = open_shards(tmp_path / "shards")
    said = capsys.readouterr()
    assert said.out.startswith(f"{shards.n_nodes} nodes, {shards.n_edges:,} edges, 1 shards, ")
    assert "writing: 100%" in said.err
    write(tmp_path / "whole.csv", {"u": source, "v": target})
    expected = read_graph(tmp_path / "whole.csv")
    assert np.allclose(shards.graph().adjacency.toarray(), matrix(expected, shards.ids().to_pylist()))


def test_plain_lists_with_comments_are_read(tmp_path):
    (tmp_path / "snap.txt").write_text("# Directed graph\n% two\n1\t2\n2\t007\n2\t2\n")
    shards = prepare(tmp_path / "snap.txt", tmp_path / "shards")
    assert shards.ids().to_pylist() == ["007", "1", "2"]
    assert shards.n_edges == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "source,target\na,b\nb,\n", r"an edge in .*a.csv has no source or no target"),
        (
            "a.csv",
            "source,target,weight\na,b,-1\n",
            r"a\.csv: edge \('a', 'b'\) has weight -1.0; weights must be finite",
        ),
        (
            "a.csv",
            "source,target,weight\na,b,much\n",
            r"a\.csv: edge \('a', 'b'\) has weight nan; weights must be finite",
        ),
        ("a.csv", "one,two,three\na,b,c\nb,c,d\nc,d,e\n", r"a.csv: the first line.* may be a header or an edge"),
        ("a.csv", "# nothing\n", r"a.csv: the file holds no edges"),
        ("a.csv", "source,target\n", r"a.csv holds no edges"),
        ("a.csv", "source,target\na,b\nb,c,d\n", r"a.csv cannot be read: "),
        ("a.parquet", "text", r"a.parquet: not a readable Parquet file"),
        ("a.gexf", "<gexf/>", r"a.gexf does not end in one of \.parquet, \.csv"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(tmp_path, capsys, name, content, message):
    (tmp_path / name).write_text(content)
    assert main(["prepare", str(tmp_path / name), "-o", str(tmp_path / "shards")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(said)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def much_text(tmp_path):
    with gzip.open(tmp_path / "a.csv.gz", "wb") as stream:
        stream.write(b"source,target\n")
        for _ in range(400):
            stream.write(b"1,2\n" * 100_000)
    return tmp_path / "a.csv.gz"


def much_text_in_a_folder(tmp_path):
    (tmp_path / "in").mkdir()
    for k in range(8):
        lines = b"1,2\n" * 2_000_000
        (tmp_path / "in" / f"{k}.csv.gz").write_bytes(gzip.compress(b"source,target\n" + lines))
    return tmp_path / "in"


def equal_rows(tmp_path):
    nothing = np.zeros(10**6, dtype=np.int64)
    part = pa.table({"source": nothing, "target": nothing + 1, "note": nothing})
    with parquet.ParquetWriter(tmp_path / "a.parquet", part.schema) as writer:
        for _ in range(20):
            writer.write_table(part)
    return tmp_path / "a.parquet"


def equal_texts(tmp_path):
    long = pa.DictionaryArray.from_arrays(np.zeros(20_000, dtype=np.int32), ["x" * 50_000])
    table = pa.table({"source": long, "target": np.arange(20_000)})
    with parquet.ParquetWriter(tmp_path / "a.parquet", table.schema, store_schema=False) as writer:
        writer.write_table(table)
    return tmp_path / "a.parquet"


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (much_text, r"a\.csv\.gz: its content would take more than 33.6 MB; a file of \d+ kB may take 33.6 MB"),
        (much_text_in_a_folder, r"0\.csv\.gz: its content would take more than 33.6 MB"),
        (equal_rows, r"a\.parquet: 20,000,000 rows of 2 columns would take 320 MB"),
        (equal_texts, r"a\.parquet: the texts of column \"source\" would take 1 GB"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_small_edge_files_cannot_fill_the_disk(tmp_path, attack, message):
    path = attack(tmp_path)
    with pytest.raises(ValueError, match=f"{message}.*unless max_size .--max-size. allows more$"):
        prepare(path, tmp_path / "shards")
    assert [each for each in tmp_path.iterdir() if each != path] == []


def test_who_says_so_prepares_more(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("source,target\n" + "1,2\n" * 100)
    command = ["prepare", str(tmp_path / "a.csv"), "-o", str(tmp_path / "shards"), "--max-size"]
    assert main([*command, "400"]) == 2
    assert "its content would take more than 400 bytes; a file of 414 bytes may take 400" in capsys.readouterr().err
    assert main([*command, "1kB", "--quiet"]) == 0
    assert open_shards(tmp_path / "shards").n_edges == 1


def test_an_interrupt_leaves_nothing(tmp_path, monkeypatch):
    source, target, _ = edges()
    write(tmp_path / "edges.parquet", {"source": source, "target": target})

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation.EdgeSorter, "ranges", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prepare(tmp_path / "edges.parquet", tmp_path / "shards")
    assert [path.name for path in tmp_path.iterdir()] == ["edges.parquet"]


def test_a_folder_that_is_there_and_too_little_memory_are_refused(tmp_path):
    write(tmp_path / "edges.csv", {"source": [1], "target": [2]})
    prepare(tmp_path / "edges.csv", tmp_path / "shards")
    with pytest.raises(FileExistsError, match=r"shards exists already; name a new folder, or remove it first"):
        prepare(tmp_path / "edges.csv", tmp_path / "shards")
    with pytest.raises(ValueError, match=r"memory must be at least 200, got 1"):
        prepare(tmp_path / "edges.csv", tmp_path / "other", memory=1)


@pytest.mark.parametrize(
    "damage", [lambda packed: packed[:-20], lambda packed: packed[:30] + b"\xff" * 9 + packed[39:]]
)
def test_a_gzip_file_that_is_cut_or_damaged_is_named(tmp_path, damage):
    (tmp_path / "in").mkdir()
    for name in "ab":
        write(tmp_path / "in" / f"{name}.csv.gz", {"source": [*range(99)], "target": [*range(1, 100)]})
    path = tmp_path / "in" / "b.csv.gz"
    path.write_bytes(damage(path.read_bytes()))
    for given in (path, tmp_path / "in"):
        with pytest.raises(ValueError, match=r"b\.csv\.gz is not a complete gzip file$"):
            prepare(given, tmp_path / "shards")
    assert [each.name for each in tmp_path.iterdir()] == ["in"]
