"""Vectors take over a share of their neighbours' mean, as a slow reference says."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz import embed
from graphne_viz.embedding.training.finish.mixing import Mixing
from graphne_viz.graphs.convert.api import as_graph


def some_graph(scale=1.0):
    G = nx.gnm_random_graph(5000, 9000, seed=3)  # more rows than a thread takes at a time, some without neighbours
    for number, (_, _, data) in enumerate(G.edges(data=True)):
        data["weight"] = scale * (1 + number % 5)
    return as_graph(G)


def some_vectors(n):
    Z = np.random.default_rng(0).standard_normal((n, 7)).astype(np.float32)
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


def unit(Z):
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


@pytest.mark.parametrize("scale", [1.0, 1e-300])
def test_mixing_adds_the_weighted_mean_of_the_neighbors(scale):
    graph, Z = some_graph(scale), some_vectors(5000)
    dense = graph.adjacency / scale
    sums = np.asarray(dense.sum(axis=1)).ravel()
    assert (sums == 0).any()
    mean = (dense @ Z.astype(np.float64)) / np.where(sums > 0, sums, 1)[:, None]
    np.testing.assert_allclose(Mixing(graph, 0.4).mix(Z), unit(Z + 0.4 * mean), atol=1e-6)


def test_no_weight_changes_nothing():
    Z = some_vectors(5000)
    assert Mixing(some_graph(), 0).mix(Z) is Z


def test_the_recall_of_a_training_is_that_of_the_vectors_it_returns():
    G = nx.connected_caveman_graph(12, 8)
    recalls = {}

    def note(progress):
        Z = progress.vectors()
        S = Z @ Z.T
        np.fill_diagonal(S, -np.inf)
        nearest = np.argsort(-S, axis=1)
        recalls[progress.epoch] = (
            progress.recall,
            np.mean([len(set(nearest[i, : G.degree(i)].tolist()) & set(G[i])) / G.degree(i) for i in G]),
        )

    E = embed(G, dim=8, epochs=3, focus=1, callback=note)
    for told, measured in recalls.values():
        assert told == pytest.approx(measured, abs=0.02)  # ties share places in one of them
    np.testing.assert_allclose(np.linalg.norm(E.vectors, axis=1), 1, atol=1e-5)


def test_mixing_belongs_to_the_dial_and_not_to_the_paper():
    G = nx.connected_caveman_graph(12, 8)

    def moved(**keywords):
        E = embed(G, dim=8, epochs=2, **keywords)
        return np.abs(E.vectors - unit(E.state.parameters)).max()

    assert moved(focus=0) < 1e-6
    assert moved(preset="paper") < 1e-6
    assert 1e-3 < moved(focus=0.3) < moved(focus=1)
