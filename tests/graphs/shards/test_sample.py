"""A table of results too large to look at is shown by a sample that is like it."""

import numpy as np
import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

from graphne_viz.graphs.shards.sample import has_results, read_sample


def test_a_sample_is_fair_and_has_its_own_positions(tmp_path):
    n = 100_000
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, n)).astype(np.float32)
    path = tmp_path / "out.parquet"
    table = pa.table({"id": [f"node {k}" for k in range(n)], "x": x, "y": y})
    parquet.write_table(table, path, row_group_size=7_000)
    assert has_results(path)
    graph, total = read_sample(path, most=10_000)
    assert (graph.n_nodes, total, graph.n_edges) == (10_000, n, 0)
    places = np.array([int(name.removeprefix("node ")) for name in graph.ids])
    assert len(np.unique(places)) == 10_000
    assert np.allclose(graph.positions, np.column_stack([x, y])[places])
    assert np.histogram(places, 10, (0, n))[0] == pytest.approx(1_000, abs=120)
    whole, _ = read_sample(path)
    assert whole.n_nodes == n


def test_edges_are_no_results(tmp_path):
    parquet.write_table(pa.table({"source": [1], "target": [2]}), tmp_path / "edges.parquet")
    (tmp_path / "broken.parquet").write_text("no")
    assert not any(has_results(tmp_path / name) for name in ("edges.parquet", "broken.parquet", "none.parquet"))


def equal_rows(path):
    nothing = np.zeros(10**6)
    part = pa.table({"id": nothing, "x": nothing, "y": nothing})
    with parquet.ParquetWriter(path, part.schema) as writer:
        for _ in range(20):
            writer.write_table(part)


def equal_texts(path):
    long = pa.DictionaryArray.from_arrays(np.zeros(20_000, dtype=np.int32), ["x" * 50_000])
    table = pa.table({"id": long, "x": np.zeros(20_000), "y": np.zeros(20_000)})
    with parquet.ParquetWriter(path, table.schema, store_schema=False) as writer:
        writer.write_table(table)


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (equal_rows, "20,000,000 rows of 3 columns would take 480 MB"),
        (equal_texts, "the texts of column 'id' would take 1 GB"),
    ],
)
def test_small_results_cannot_fill_the_memory(tmp_path, attack, message):
    attack(tmp_path / "out.parquet")
    with pytest.raises(ValueError, match=f"{message}.*unless max_size .--max-size. allows more$"):
        read_sample(tmp_path / "out.parquet")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["a", "a"], "x": [0, 1], "y": [0, 1]}, "the column 'id' must name each node once"),
        ({"id": ["a", None], "x": [0, 1], "y": [0, 1]}, "the column 'id' must name each node once"),
        ({"id": ["a", "b"], "x": ["here", "there"], "y": [0, 1]}, "not a readable Parquet file: Failed to parse"),
    ],
)
def test_tables_that_are_no_results_are_refused(tmp_path, columns, message):
    parquet.write_table(pa.table(columns), tmp_path / "out.parquet")
    with pytest.raises(ValueError, match=message):
        read_sample(tmp_path / "out.parquet")
