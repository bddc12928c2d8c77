"""Trainings name the device of every tensor: with another default device they compute the same."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

pytest.importorskip("torch")

import torch
from two_ranks import in_two_threads

from graphne_viz import embed
from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.distributed import gradient
from graphne_viz.embedding.distributed.finish import finished
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.embedding.training.infonce import info_nce
from graphne_viz.embedding.training.training import Training
from graphne_viz.graphs.convert.api import as_graph


@pytest.fixture(scope="module")
def graph():
    return as_graph(nx.disjoint_union(nx.relaxed_caveman_graph(30, 8, 0.1, seed=3), nx.empty_graph(2)))


@pytest.mark.parametrize("keywords", [{"copies": True}, {"against": 8.0, "own_share": 0.1, "slope": True}], ids=str)
def test_the_loss_of_a_batch(keywords):
    vectors = torch.from_numpy(np.random.default_rng(0).standard_normal((40, 8)).astype(np.float32))
    pairs = torch.arange(40).view(-1, 2)
    plain = info_nce(vectors, pairs, 0.1, **keywords)
    with torch.device("meta"):  # where tensors go that no device was named for; they have no values
        found = info_nce(vectors, pairs, 0.1, **keywords)
    assert float(found.value) == float(plain.value)
    assert found.gradient.numpy().tobytes() == plain.gradient.numpy().tobytes()
    assert plain.gradient.abs().max() > 0


@pytest.mark.parametrize("keywords", [{"negatives": "copies"}, {"temperature": "learn"}], ids=str)
def test_a_training_by_torch(graph, keywords, monkeypatch):
    monkeypatch.setattr("graphne_viz.embedding.training.trainer.runs_loops", lambda _: False)
    plain = embed(graph, dim=8, epochs=2, **keywords)
    with torch.device("meta"):
        assert embed(graph, dim=8, epochs=2, **keywords).vectors.tobytes() == plain.vectors.tobytes()
    assert plain.recall > 0.1


def test_a_training_by_two(graph, tmp_path, monkeypatch):
    monkeypatch.setattr(gradient, "runs_loops", lambda _: False)  # as on a device that compiled loops do not reach
    settings = Training(graph, 8, epochs=3, temperature="learn").settings
    first = np.random.default_rng(0).standard_normal((graph.n_nodes, 8)).astype(np.float32)
    cuts = [0, 100, graph.n_nodes]

    def share(group):
        own = slice(*cuts[group.rank : group.rank + 2])
        rows = sp.csr_array(graph.adjacency[own])
        tables = first[own].copy(), np.zeros_like(first[own]), np.zeros_like(first[own])
        peers = Peers(group.rank, 2, group.backends)
        with ThreadTeam(1) as team:
            trainer = ShardTrainer(
                peers, cuts, rows, settings, tables,
                mixing=0.3, log_temperature=-3.0, team=team, device=torch.device("cpu"),
            )  # fmt: skip
            recalls = []
            for _ in range(settings.epochs):
                for _ in range(trainer.chunks):
                    trainer.train_chunk()
                recalls.append(trainer.measure()[1])
                trainer.next_epoch()
            vectors = finished(peers, cuts, rows, trainer.vectors().numpy(), 2)
            return recalls, trainer.temperature, vectors.tobytes()

    def elsewhere(group):
        with torch.device("meta"):
            return share(group)

    folders = [tmp_path / name for name in ("plain", "meta")]
    for folder in folders:
        folder.mkdir()
    plain = in_two_threads(folders[0], share)
    assert in_two_threads(folders[1], elsewhere) == plain
    recalls = plain[0][0]
    assert recalls[-1] > recalls[0]
