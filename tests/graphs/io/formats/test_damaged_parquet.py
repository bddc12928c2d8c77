"""Damaged Parquet files are refused in a sentence; what pyarrow makes of some would end the process."""

import io
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.sample import read_sample
from graphne_viz.graphs.shards.writer import write_graph

TRY_ALL = """
import sys
from pathlib import Path
from graphne_viz.graphs.io.files import read_graph

path, whole, outcomes = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), {}
begin = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
for at in range(begin, len(whole)):
    for cut, piece in ((1, b"\\0"), (1, b"\\xff")):
        path.write_bytes(whole[:at] + piece + whole[at + cut :])
        try:
            read_graph(path)
            outcome = "graph"
        except ValueError as error:
            outcome = "sentence" if str(path) in str(error) and "\\n" not in str(error) else str(error)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(outcomes)
"""


def edges(**options):
    stream = io.BytesIO()
    table = pa.table({"source": ["aaaa", "bbbb"], "target": ["bbbb", "cccc"], "weight": [1.0, None]})
    parquet.write_table(table, stream, **options)
    return stream.getvalue()


def test_no_byte_of_what_a_file_says_of_itself_ends_the_process(tmp_path):
    """In a process of its own, which pyarrow would end."""
    (tmp_path / "whole").write_bytes(edges())
    command = [sys.executable, "-c", TRY_ALL, str(tmp_path / "a.parquet"), str(tmp_path / "whole")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-500:]
    assert set(eval(done.stdout)) == {"graph", "sentence"}  # noqa: S307 -- printed above


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "a.parquet"
    whole = edges(compression="none", use_dictionary=False, write_statistics=False)
    path.write_bytes(whole)
    assert read_graph(path).ids == ("aaaa", "bbbb", "cccc")
    path.write_bytes(whole.replace(b"cccc", b"\xff\xfe\xff\xff"))
    with pytest.raises(ValueError, match=r"a\.parquet: not a readable Parquet file: .*UTF8"):
        read_graph(path)


def test_results_of_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table({"id": ["aaaa", "bbbb"], "x": [0.0, 1.0], "y": [0.0, 1.0]})
    parquet.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"\xff\xfe\xff\xff"))
    with pytest.raises(ValueError, match=r"a\.parquet: not a readable Parquet file: .*UTF8"):
        read_sample(path)


def test_a_damaged_page_of_a_shard_is_named(tmp_path):
    write_graph(tmp_path / "shards", as_graph(np.array([[0, 1], [1, 2], [2, 3], [3, 4]])))
    (path,) = (tmp_path / "shards").glob("edges-*.parquet")
    content = path.read_bytes()
    path.write_bytes(b"PAR1" + bytes(12) + content[16:])
    with pytest.raises(ValueError, match=r"the shard .*edges-00000\.parquet is not a readable Parquet file; prepare"):
        open_shards(tmp_path / "shards").graph()
