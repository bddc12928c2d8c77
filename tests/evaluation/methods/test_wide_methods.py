"""The methods for many dimensions that are not walks, and what all of them have in common."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz import embed
from graphne_viz.embedding.training.training import Training
from graphne_viz.evaluation.methods.registry import methods, run_method
from graphne_viz.evaluation.metrics.api import neighbor_recall

OURS = {"graphne": 0.05, "cne": 0.5, "graphne-tau": "learn"}
QUICK = {name: {"epochs": 2} for name in methods(128) if name != "laplacian"}


@pytest.mark.parametrize(("method", "temperature"), OURS.items())
def test_ours_are_embeddings_at_a_temperature(method, temperature):
    G = nx.karate_club_graph()
    found = run_method(method, G, dim=16, seed=3, epochs=5)
    E = embed(G, dim=16, temperature=temperature, epochs=5, seed=3)
    np.testing.assert_array_equal(found.points, E.vectors)
    assert found.by.startswith(f"graphne_viz, temperature {E.temperature:.2g}")
    assert found.by.endswith("learned") == (method == "graphne-tau")


def test_low_temperature_keeps_neighbours_better():
    G = nx.connected_watts_strogatz_graph(300, 6, 0.2, seed=0)
    recall = {name: neighbor_recall(G, run_method(name, G, dim=32, epochs=60).points) for name in OURS}
    assert recall["graphne"] > recall["cne"] + 0.05
    assert recall["graphne-tau"] > recall["cne"] + 0.05


def test_an_interrupted_training_is_no_result(monkeypatch):
    run = Training.run
    monkeypatch.setattr(Training, "run", lambda self: run(self, lambda progress: progress.epoch == 1))
    with pytest.raises(KeyboardInterrupt):
        run_method("graphne", nx.karate_club_graph(), dim=8, epochs=3)


@pytest.mark.parametrize("method", methods(128))
def test_every_method_takes_parts_isolates_and_weights(method):
    G = nx.disjoint_union_all([nx.karate_club_graph(), nx.star_graph(5), nx.path_graph(2), nx.empty_graph(3)])
    G.add_edge(3, 3)
    first, again = (run_method(method, G, dim=20, seed=1, **QUICK.get(method, {})) for _ in range(2))
    assert first.points.shape == (len(G), 20)
    assert np.isfinite(first.points).all()
    np.testing.assert_array_equal(first.points, again.points)
    assert first.by


def test_options_of_ours_are_checked():
    G = nx.karate_club_graph()
    with pytest.raises(ValueError, match="dim must be at most the number of nodes, 34, got 128"):
        run_method("graphne", G, dim=128)
    with pytest.raises(TypeError, match="graphne-tau has no option 'temperature'"):
        run_method("graphne-tau", G, dim=8, temperature=0.1)
    with pytest.raises(ValueError, match="temperature must be positive and finite, got 0"):
        run_method("cne", G, dim=8, temperature=0)
