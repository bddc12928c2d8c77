"""What is done to vectors in the end is the same where one process has all of them and where each has some."""

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from pyarrow import parquet

from graphne_viz.cli import main
from graphne_viz.embedding.distributed import means
from graphne_viz.embedding.distributed.finish import finished
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.training.finish.axes import along_principal_axes
from graphne_viz.embedding.training.finish.far_neighbors import told_of_far_neighbors
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.writer import write_graph
from graphne_viz.layout.engine.torch_engine.ranks import Group

DIM, COUNT = 128, 16

SECOND = """
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from graphne_viz.embedding.distributed.finish import finished
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.layout.engine.torch_engine.ranks import Group

folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
group = Group(folder, 1, 2)
rows, vectors = sp.csr_array(sp.load_npz(folder / "graph.npz")), np.load(folder / "vectors.npy")
peers, cuts = Peers(1, 2, group.backends), [0, first, len(vectors)]
np.save(folder / "second.npy", finished(peers, cuts, rows[first:], vectors[first:], count))
group.close()
"""


@pytest.fixture(scope="module")
def graph():
    """Groups in rings, weights, and isolated nodes at both ends of the second share."""
    G = nx.relaxed_caveman_graph(264, 8, 0.1, seed=3)
    rng = np.random.default_rng(0)
    for _, _, data in G.edges(data=True):
        data["weight"] = float(rng.integers(1, 4))
    return as_graph(nx.disjoint_union_all([nx.empty_graph(2), G, nx.empty_graph(3)]))


def ordinarily(vectors, graph, count):
    """What `embed` does."""
    history = {"epoch": [1], "loss": [0.9], "temperature": [0.05], "recall": [1.0]}
    plain = Embedding(vectors, graph.ids, history, {"epochs": 1}, graph.degrees == 0)
    along = along_principal_axes(plain)
    return along.vectors, told_of_far_neighbors(along, graph, count).vectors


@pytest.fixture(scope="module")
def vectors(graph):
    """Vectors whose last coordinates hardly vary, on axes that are not principal ones."""
    rng = np.random.default_rng(0)
    found = rng.standard_normal((graph.n_nodes, DIM)) * 0.97 ** np.arange(DIM)
    found = found @ np.linalg.qr(rng.standard_normal((DIM, DIM)))[0]
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_two_processes_and_one_find_the_vectors_of_embed(graph, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(means, "_EDGES", 3000)  # so that there are several blocks
    assert graph.n_nodes > 2048
    along, expected = ordinarily(vectors, graph, COUNT)
    assert np.abs(expected - along)[:, -COUNT:].max() > 0.01
    rows = sp.csr_array(graph.adjacency)
    alone = finished(Peers(), [0, graph.n_nodes], rows, vectors, COUNT)
    assert alone.dtype == np.float32
    np.testing.assert_allclose(alone, expected, atol=2e-6)
    isolated = graph.degrees == 0
    np.testing.assert_allclose(alone[isolated], along[isolated], atol=2e-6)

    first = graph.n_nodes - 900
    sp.save_npz(tmp_path / "graph.npz", rows)
    np.save(tmp_path / "vectors.npy", vectors)
    with subprocess.Popen([sys.executable, "-c", SECOND, tmp_path, str(first), str(COUNT)]) as second:
        group = Group(tmp_path, 0, 2)
        peers, cuts = Peers(0, 2, group.backends), [0, first, graph.n_nodes]
        low = finished(peers, cuts, rows[:first], vectors[:first], COUNT)
        assert second.wait() == 0
        group.close()
    np.testing.assert_allclose(np.vstack([low, np.load(tmp_path / "second.npy")]), expected, atol=2e-6)


@pytest.mark.parametrize("count", [0, COUNT])
def test_nothing_is_told_of_few_nodes(count):
    few = as_graph(nx.relaxed_caveman_graph(30, 8, 0.1, seed=3))
    vectors = np.random.default_rng(1).standard_normal((240, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    along, _ = ordinarily(vectors, few, 0)
    found = finished(Peers(), [0, 240], sp.csr_array(few.adjacency), vectors, count)
    np.testing.assert_allclose(found, along, atol=2e-6)


def test_the_command_writes_what_embed_would(tmp_path, monkeypatch):
    """Far coordinates too, which `graphne embed SHARDS` once left out."""
    G = as_graph(nx.relaxed_caveman_graph(150, 8, 0.1, seed=3))
    write_graph(tmp_path / "shards", G)
    trained = []
    vectors = ShardTrainer.vectors
    monkeypatch.setattr(ShardTrainer, "vectors", lambda self: trained.append(vectors(self)) or trained[-1])
    output = tmp_path / "x.parquet"
    asked = ["--dim", "72", "--epochs", "2", "--focus", "1", "--checkpoint", str(tmp_path / "kept")]
    assert main(["embed", str(tmp_path / "shards"), "-o", str(output), *asked]) == 0
    table = parquet.read_table(output)
    found = np.column_stack([table[f"x{axis}"].to_numpy() for axis in range(72)])
    graph = open_shards(tmp_path / "shards").graph()
    along, expected = ordinarily(trained[-1].numpy(), graph, 8)
    assert np.abs(expected - along).max() > 0.01
    np.testing.assert_allclose(found, expected, atol=2e-6)
