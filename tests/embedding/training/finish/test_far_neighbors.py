"""The last coordinates tell of nodes some steps away."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

pytest.importorskip("torch")

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.training.finish.axes import along_principal_axes
from graphne_viz.embedding.training.finish.far_neighbors import MOST_VARIANCE, STEPS, told_of_far_neighbors
from graphne_viz.embedding.training.training import Training
from graphne_viz.graphs.convert.api import as_graph

DIM, COUNT = 16, 4


@pytest.fixture(scope="module")
def graph():
    G = nx.relaxed_caveman_graph(40, 8, 0.1, seed=3)
    G.add_node("alone")
    return as_graph(G)


@pytest.fixture(scope="module")
def plain(graph):
    """Vectors whose last coordinates hardly vary."""
    vectors = np.random.default_rng(0).standard_normal((graph.n_nodes, DIM)) * 0.7 ** np.arange(DIM)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    history = {"epoch": [1], "loss": [0.9], "temperature": [0.05], "recall": [1.0]}
    return along_principal_axes(Embedding(vectors, graph.ids, history, {"epochs": 1}, graph.degrees == 0))


def test_first_coordinates_stay_but_for_the_length(graph, plain):
    told = told_of_far_neighbors(plain, graph, COUNT).vectors
    scale = (told[:, :-COUNT] * plain.vectors[:, :-COUNT]).sum(1) / (plain.vectors[:, :-COUNT] ** 2).sum(1)
    np.testing.assert_allclose(told[:, :-COUNT], scale[:, None] * plain.vectors[:, :-COUNT], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(told, axis=1), 1, atol=1e-5)


def test_the_last_ones_say_what_the_others_do_not(graph, plain):
    """A linear fit of the means of random walks leaves less with them than with what they replaced."""
    step = graph.adjacency.toarray()
    step = step / np.maximum(step.sum(axis=1, keepdims=True), 1)
    far = np.linalg.matrix_power(step, STEPS) @ plain.vectors
    linked = graph.degrees > 0

    def left(vectors):
        known = np.column_stack([vectors[linked], np.ones(linked.sum())])
        return np.square(far[linked] - known @ np.linalg.lstsq(known, far[linked], rcond=None)[0]).sum()

    assert left(told_of_far_neighbors(plain, graph, COUNT).vectors) < 0.9 * left(plain.vectors)


def test_nodes_without_neighbours_keep_their_vectors(graph, plain):
    told = told_of_far_neighbors(plain, graph, COUNT)
    np.testing.assert_allclose(told["alone"], plain["alone"], atol=1e-6)


def test_nothing_is_told_of_few_nodes_or_at_the_neighbours_end(graph, plain):
    assert told_of_far_neighbors(plain, graph, 0) is plain
    few = as_graph(nx.cycle_graph(200))
    E = embed(few, dim=DIM, epochs=2, seed=0)
    assert told_of_far_neighbors(E, few, COUNT) is E


def test_no_more_is_given_up_than_can_be_spared(graph, plain):
    variances = plain.vectors.var(axis=0)
    told = told_of_far_neighbors(plain, graph, DIM).vectors
    turned_away = np.abs([np.corrcoef(told[:, k], plain.vectors[:, k])[0, 1] for k in range(DIM)]) < 0.9
    assert 0 < turned_away.sum() < DIM
    assert variances[turned_away].sum() <= MOST_VARIANCE * variances.sum()
    few = embed(graph, dim=4, epochs=3, focus=1, seed=0)
    assert told_of_far_neighbors(few, graph, 2) is few


def test_how_many_coordinates_follow_the_dial(graph):
    asked = {
        (dim, focus): Training(graph, dim, focus=focus).settings.far_coordinates
        for dim in (16, 64, 128)
        for focus in (0, 0.5, 1)
    }
    assert [asked[128, focus] for focus in (0, 0.5, 1)] == [0, 16, 64]
    assert not any(asked[dim, focus] for dim in (16, 64) for focus in (0, 0.5, 1))
    assert Training(graph, 128, preset="paper", focus=1).settings.far_coordinates == 0


def test_embed_tells_towards_classes_only():
    G = as_graph(nx.relaxed_caveman_graph(160, 8, 0.1, seed=3))
    turned = {}
    for focus in (0, 1):
        E = embed(G, dim=72, epochs=2, seed=0, focus=focus)
        turned[focus] = bool(np.allclose(E.vectors, along_principal_axes(E).vectors, atol=1e-3))
    assert turned == {0: True, 1: False}
