"""A small file cannot fill the memory: what it unpacks to is bounded in proportion to its size, in one sentence."""

import gzip
import json
import os
import tracemalloc
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz.cli import main
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.io.metadata import read_metadata

MEGABYTE = 10**6


def zipped(path, begin, middle, times, end=b""):
    """Write what repeats as gzip without ever holding it."""
    with gzip.open(path, "wb", compresslevel=9) as stream:
        stream.write(begin)
        for _ in range(times // 10_000):
            stream.write(middle * 10_000)
        stream.write(end)
    return path


def many_edges(tmp_path):
    return zipped(tmp_path / "a.csv.gz", b"source,target\n", b"1,1\n", 20_000_000)


def one_line(tmp_path):
    return zipped(tmp_path / "a.csv.gz", b"a", b",b", 30_000_000)


def many_columns(tmp_path):
    return zipped(tmp_path / "a.csv.gz", b"source,target", b",", 5_000_000, b"\n1,2\n")


def many_objects(tmp_path):
    return zipped(tmp_path / "a.json.gz", b'{"links": [], "nodes": [{}', b",{}", 4_000_000, b"]}")


def much_xml(tmp_path):
    begin, end = b'<gexf><graph><nodes><node id="a"/>', b"</nodes></graph></gexf>"
    return zipped(tmp_path / "a.gexf.gz", begin, b" " * 1_000, 70_000, end)


def matrix_of_nothing(tmp_path):
    n = 200_000_000
    np.savez(tmp_path / "a.npz", format=b"coo", shape=[n, n], data=np.zeros(0), row=[], col=[])
    return tmp_path / "a.npz"


def zeros(tmp_path):
    with (
        zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("edges.npy", "w") as entry,
    ):
        np.lib.format.write_array_header_1_0(entry, {"descr": "<i8", "fortran_order": False, "shape": (10**7, 2)})
        for _ in range(160):
            entry.write(bytes(MEGABYTE))
    return tmp_path / "a.npz"


def empty_texts(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        with archive.open("edges.npy", "w") as entry:
            np.lib.format.write_array(entry, np.array([[0, 1]]))
        with archive.open("ids.npy", "w") as entry:
            np.lib.format.write_array_header_1_0(entry, {"descr": "<U0", "fortran_order": False, "shape": (10**9,)})
    return tmp_path / "a.npz"


def vertices(tmp_path):
    (tmp_path / "a.net").write_text("*Vertices 10000000\n")
    return tmp_path / "a.net"


def equal_rows(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    part = pa.table({"source": np.zeros(10**6, dtype=np.int64), "target": np.ones(10**6, dtype=np.int64)})
    with parquet.ParquetWriter(tmp_path / "a.parquet", part.schema) as writer:
        for _ in range(20):
            writer.write_table(part)
    return tmp_path / "a.parquet"


def equal_texts(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    long = pa.DictionaryArray.from_arrays(np.zeros(20_000, dtype=np.int32), ["x" * 50_000])
    ends = np.arange(20_000)
    table = pa.table({"source": ends, "target": ends, "note": long})
    with parquet.ParquetWriter(tmp_path / "a.parquet", table.schema, store_schema=False) as writer:
        writer.write_table(table)
    return tmp_path / "a.parquet"


def names_of_their_own(tmp_path):
    nodes = [{"id": i, f"a{i}": 1} for i in range(100_000)]
    with gzip.open(tmp_path / "a.json.gz", "wt") as stream:
        json.dump({"nodes": nodes, "links": []}, stream)
    return tmp_path / "a.json.gz"


def names_of_their_own_in_records(tmp_path):
    with gzip.open(tmp_path / "a.edgelist.gz", "wt") as stream:
        stream.writelines(f"{i} 0 {{'a{i}': 1}}\n" for i in range(100_000))
    return tmp_path / "a.edgelist.gz"


ATTACKS = [
    (many_edges, "its content would take more than"),
    (one_line, "its content would take more than"),
    (many_columns, r"5,000,002 columns would take 640 MB"),
    (many_objects, r"4,000,00\d objects and lists would take 128 MB"),
    (much_xml, "its content would take more than"),
    (matrix_of_nothing, "200,000,000 nodes would take 1.6 GB"),
    (zeros, "its arrays would take 160 MB"),
    (empty_texts, "1,000,000,000 values of 'ids' would take 8 GB"),
    (vertices, r"line 1: 10,000,000 vertices would take 320 MB; a file of 19 bytes may take 33.6 MB"),
    (equal_rows, "20,000,000 rows of 2 columns would take 320 MB"),
    (equal_texts, "the texts of column 'note' would take 1 GB"),
    (names_of_their_own, "100,000 attributes with 100,000 values of nodes would take 35.6 MB"),
    (names_of_their_own_in_records, "100,000 attributes with 100,000 values of edges would take 35.6 MB"),
]


@pytest.mark.parametrize(("attack", "message"), ATTACKS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_small_file_cannot_fill_the_memory(tmp_path, attack, message):
    path = attack(tmp_path)
    assert path.stat().st_size < 4 * MEGABYTE
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"{message}.*unless max_size .--max-size. allows more$"):
            read_graph(path)
        assert tracemalloc.get_traced_memory()[1] < 400 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_who_says_so_reads_more(tmp_path):
    path = vertices(tmp_path)
    path.write_text("*Vertices 1200000\n*Edges\n1 2\n")
    with pytest.raises(ValueError, match=r"1,200,000 vertices would take 38.4 MB; a file of 29 bytes may take 33.6 MB"):
        read_graph(path)
    assert read_graph(path, max_size="40MB").n_nodes == read_graph(path, max_size=40 * MEGABYTE).n_nodes == 1_200_000
    with pytest.raises(ValueError, match=r"max_size must be a number of bytes, or text such as '4GB', got 'much'"):
        read_graph(path, max_size="much")


def test_the_command_reads_no_more_than_it_is_told(tmp_path, capsys):
    (tmp_path / "a.net").write_text("*Vertices 3\n*Edges\n1 2\n")
    assert main(["layout", str(tmp_path / "a.net"), "-o", str(tmp_path / "a.csv"), "--max-size", "50"]) == 2
    assert "3 vertices would take 96 bytes; a file of 23 bytes may take 50 bytes" in capsys.readouterr().err
    assert main(["layout", str(tmp_path / "a.net"), "-o", str(tmp_path / "a.csv"), "--max-size", "1kB", "--quiet"]) == 0


def test_metadata_of_a_small_file_cannot_fill_the_memory(tmp_path):
    with pytest.raises(ValueError, match=r"its content would take more than 33.6 MB"):
        read_metadata(zipped(tmp_path / "a.json.gz", b'{"graph": [1', b",1", 20_000_000, b"]}"), "graphne")


def test_json_beside_the_metadata_of_a_small_file_cannot_fill_the_memory(tmp_path):
    path = zipped(tmp_path / "a.json.gz", b'{"graph": {}, "nodes": [{}', b",{}", 4_000_000, b"]}")
    with pytest.raises(ValueError, match=r"4,000,004 objects and lists would take 128 MB"):
        read_metadata(path, "graphne")


def test_rows_that_end_early_cost_nothing(tmp_path):
    """One long line above short ones once took the product of the two."""
    long = ",".join(f"c{k}" for k in range(2_000))
    (tmp_path / "a.csv").write_text(f"source,target,{long}\n" + "1,2\n" * 200_000)
    with pytest.raises(ValueError, match=r"2,002 columns of 200,001 rows would take 3.2 GB"):
        read_graph(tmp_path / "a.csv")


def test_gaps_at_the_ends_of_rows_are_missing_values(tmp_path):
    (tmp_path / "a.csv").write_text("source,target,a,b\n1,2\n2,3,x\n3,4,,y\n4,5\n")
    attributes = read_graph(tmp_path / "a.csv").links.attributes
    assert {name: column.tolist() for name, column in attributes.items()} == {
        "a": [None, "x", None, None],
        "b": [None, None, "y", None],
    }


@pytest.mark.parametrize("root", ["gexf", "graphml"])
@pytest.mark.parametrize(
    "declaration", ['<!ATTLIST node label CDATA "x">', "<!ELEMENT node ANY>", '<!NOTATION n PUBLIC "n">']
)
def test_document_types_that_declare_something_are_refused(tmp_path, root, declaration):
    path = tmp_path / f"a.{root}"
    path.write_text(f'<!DOCTYPE {root} [\n{declaration}]>\n<{root}><graph><node id="a"/></graph></{root}>')
    message = "XML whose document type declares elements or attributes is refused"
    with pytest.raises(ValueError, match=f"line 2: {message}"):
        read_graph(path)
    with pytest.raises(ValueError, match=message):
        read_metadata(path, "graphne")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.csv")
    for read in (read_graph, lambda path: read_graph(tmp_path / "g.csv", nodes=path)):
        (tmp_path / "g.csv").write_text("source,target\n1,2\n")
        with pytest.raises(ValueError, match=r"a\.csv is a pipe, socket or device, not a file"):
            read(tmp_path / "a.csv")


def test_ordinary_files_stay_below_the_limit(tmp_path):
    """Repetitive ones too: a path of 200,000 nodes in each compressed form."""
    n = 200_000
    lines = "".join(f"{i},{i + 1}\n" for i in range(n))
    with gzip.open(tmp_path / "a.csv.gz", "wt") as stream:
        stream.write("source,target\n" + lines)
    matrix = sp.diags_array(np.ones(n), offsets=1, shape=(n + 1, n + 1), format="csr")
    sp.save_npz(tmp_path / "a.npz", matrix)
    assert read_graph(tmp_path / "a.csv.gz").n_edges == read_graph(tmp_path / "a.npz").n_edges == n
