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
