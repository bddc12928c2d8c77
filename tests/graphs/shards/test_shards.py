"""A graph in a folder of shards: every range of rows is that of the graph, and a broken folder is refused."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.shards.reader import is_shards, open_shards
from graphne_viz.graphs.shards.results import write_results
from graphne_viz.graphs.shards.writer import Rows, ShardWriter, new_folder, write_graph


def made(n=300, *, weighted=True, ids=None, seed=0):
    A = sp.random_array((n, n), density=0.02, rng=np.random.default_rng(seed), format="csr")
    A = sp.csr_array(A + A.T)
    A.setdiag(0)
    A.eliminate_zeros()
    if not weighted:
        A.data[:] = 1
    return Graph(A, ids or tuple(f"node {i}" for i in range(n)))


@pytest.fixture
def graph():
    return made()


@pytest.fixture
def folder(graph, tmp_path):
    write_graph(tmp_path / "shards", graph, shard_rows=400)
    return tmp_path / "shards"


def test_every_range_of_rows_is_that_of_the_graph(graph, folder):
    shards = open_shards(folder)
    assert is_shards(folder)
    assert len(shards.manifest.shards) > 5
    assert (shards.n_nodes, shards.n_edges, shards.manifest.weighted) == (300, graph.n_pairs, True)
    for first, stop in [(0, 300), (0, 1), (37, 38), (13, 211), (299, 300), (150, 150)]:
        rows = shards.rows(first, stop)
        expected = graph.adjacency[first:stop]
        assert rows.shape == (stop - first, 300)
        assert rows.has_canonical_format
        assert np.array_equal(rows.toarray(), expected.toarray())
        assert np.array_equal(shards.degrees(first, stop), np.diff(expected.indptr))
        assert shards.ids(first, stop).to_pylist() == list(graph.ids[first:stop])
    again = shards.graph()
    assert again.ids == graph.ids
    assert (again.adjacency != graph.adjacency).nnz == 0


def test_shares_cover_all_nodes_with_about_equal_work(graph, folder):
    shards = open_shards(folder)
    for size in (1, 2, 4, 7):
        cuts = shards.cuts(size)
        work = [(graph.degrees[a:b] + 10).sum() for a, b in pairwise(cuts)]
        assert (cuts[0], cuts[-1], len(cuts)) == (0, 300, size + 1)
        assert max(work) < 1.2 * min(work)
    assert shards.cuts(300) == list(range(301))  # none without a node
    with pytest.raises(ValueError, match=r"^there are 300 nodes, which cannot be shared among 301 processes$"):
        shards.cuts(301)


def test_ids_of_other_types_and_graphs_without_weights_or_nodes_come_back(tmp_path):
    plain = made(weighted=False, ids=tuple(range(1000, 1300)))
    write_graph(tmp_path / "plain", plain)
    shards = open_shards(tmp_path / "plain")
    assert not shards.manifest.weighted
    assert shards.graph().ids == plain.ids
    assert (shards.graph().adjacency != plain.adjacency).nnz == 0
    write_graph(tmp_path / "mixed", made(3, ids=(1, "two", (3, 4))))
    assert open_shards(tmp_path / "mixed").ids().to_pylist() == ["1", "two", "(3, 4)"]
    write_graph(tmp_path / "empty", Graph(sp.csr_array((0, 0)), ()))
    assert open_shards(tmp_path / "empty").graph().n_nodes == 0


def test_results_are_joined_to_the_ids(graph, folder, tmp_path):
    shards = open_shards(folder)
    x, y = np.random.default_rng(0).random((2, 300), dtype=np.float32)
    write_results(tmp_path / "out.parquet", shards, {"x": x, "y": y})
    write_results(tmp_path / "parts.parquet", shards, lambda a, b: {"x": x[a:b], "y": y[a:b]}, metadata={"seed": "0"})
    for name in ("out", "parts"):
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        assert table.column_names == ["id", "x", "y"]
        assert table["id"].to_pylist() == list(graph.ids)
        assert np.array_equal(table["y"].to_numpy(), y)
    assert parquet.read_schema(tmp_path / "parts.parquet").metadata[b"seed"] == b"0"
    with pytest.raises(ValueError, match=r"column 'x' has shape \(299,\); there are 300 nodes"):
        write_results(tmp_path / "out.parquet", shards, {"x": x[1:]})


def test_a_shard_that_is_missing_or_of_another_run_is_refused(graph, folder, tmp_path):
    write_graph(tmp_path / "other", graph, shard_rows=400)
    shutil.copy(tmp_path / "other" / "edges-00001.parquet", folder)
    with pytest.raises(
        ValueError, match=r"edges-00001.parquet is of another run than manifest.json beside it; prepare"
    ):
        open_shards(folder)
    (folder / "edges-00001.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ValueError, match=r"edges-00001.parquet is not a readable Parquet file; prepare"):
        open_shards(folder)
    (folder / "edges-00001.parquet").unlink()
    with pytest.raises(FileNotFoundError, match=r"the shard .*edges-00001.parquet is missing; copy the whole folder"):
        open_shards(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, r"manifest.json has format 2; this version reads format 1"),
        ({"nodes": 301}, r"manifest.json is damaged; prepare the folder again"),
        ({"shards": 7}, r"manifest.json is damaged; prepare the folder again"),
        (None, r"is not a folder of shards: it has no manifest.json; graphne prepare makes one"),
    ],
)
def test_another_manifest_is_refused(folder, change, message):
    path = folder / "manifest.json"
    if change is None:
        path.unlink()
    else:
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        open_shards(folder)


def test_nothing_is_left_of_a_folder_that_was_not_completed_and_none_is_replaced(folder, graph, tmp_path):
    before = sorted(path.name for path in tmp_path.iterdir())

    def interrupted():
        with new_folder(tmp_path / "new") as unfinished, ShardWriter(unfinished, pa.int64()) as writer:
            writer.add(Rows(np.array([0]), np.array([1]), np.ones(1)), pa.array([5]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(FileExistsError, match=r"shards exists already; name a new folder, or remove it first"):
        write_graph(folder, graph)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
