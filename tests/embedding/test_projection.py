"""An embedding on a flat screen."""

import igraph as ig
import networkx as nx
import numpy as np
import pytest
from embedding_examples import an_embedding

from graphne_viz.embedding.projection import nearest_graph, project
from graphne_viz.embedding.task import ProjectionTask
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.graphs.convert.api import as_graph

QUICK = {"n_iter": 150, "early_exaggeration_iter": 100}


def clusters(sizes=(40, 60, 50), dim=12, noise=0.15, seed=0):
    """Return vectors around some directions, of any length, and which direction each is around."""
    rng = np.random.default_rng(seed)
    which = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    directions = np.linalg.qr(rng.normal(size=(dim, len(sizes))))[0].T
    vectors = directions[which] + noise * rng.normal(size=(len(which), dim))
    return vectors * rng.uniform(0.1, 10, (len(which), 1)), which


def embedded(vectors, ids=None, isolated=None, origin="array"):
    n = len(vectors)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alone = np.zeros(n, dtype=bool) if isolated is None else isolated
    return an_embedding(ids=ids or range(n), vectors=unit, isolated=alone, origin=origin, state=False)


def brute_force(vectors, k):
    """Return the pairs (i, j) of which one is among the other's k nearest by cosine."""
    pairs = set()
    for i, vector in enumerate(vectors):
        cosine = [
            -2 if i == j else vector @ other / np.linalg.norm(vector) / np.linalg.norm(other)
            for j, other in enumerate(vectors)
        ]
        for j in sorted(range(len(vectors)), key=lambda j: -cosine[j])[:k]:
            pairs |= {(i, j), (j, i)}
    return pairs


@pytest.mark.parametrize("k", [1, 4, 15])
def test_the_nearest_by_cosine_are_joined(k):
    vectors, _ = clusters((10, 15))
    A = nearest_graph(vectors, k)
    assert set(zip(*(side.tolist() for side in A.nonzero()), strict=True)) == brute_force(vectors, k)
    assert (A.data == 1).all()
    assert abs(A - A.T).nnz == 0


def test_more_neighbours_than_nodes_are_all_others():
    vectors, _ = clusters((3, 4))
    assert nearest_graph(vectors, 15).nnz == 7 * 6


def test_nodes_apart_are_joined_with_none():
    vectors, _ = clusters((20, 20))
    apart = np.arange(40) % 5 == 0
    A = nearest_graph(vectors, 4, apart=apart)
    assert A.shape == (40, 40)
    assert not np.diff(A.indptr)[apart].any()
    assert (np.diff(A.indptr)[~apart] >= 4).all()
    alone = nearest_graph(vectors, 4, apart=np.ones(40, dtype=bool))
    assert (alone.shape, alone.nnz) == ((40, 40), 0)


def test_clusters_stay_together():
    vectors, which = clusters()
    Y = project(vectors, **QUICK)
    assert Y.shape == (150, 2)
    assert np.isfinite(Y).all()
    edges = np.column_stack([np.arange(149), np.arange(1, 150)])
    assert knn_accuracy(edges, Y, which, k=5, repeats=5) > 0.95
    shuffled = np.random.default_rng(0).permutation(Y)
    assert knn_accuracy(edges, shuffled, which, k=5, repeats=5) < 0.5


def test_what_the_callers_library_expects():
    vectors, _ = clusters((10, 12))
    names = [f"node {i}" for i in range(22)]
    Y = project(embedded(vectors), **QUICK)
    assert isinstance(Y, np.ndarray)
    N = project(embedded(vectors, names, origin="networkx"), **QUICK)
    assert list(N) == names
    assert np.allclose(np.array(list(N.values())), Y)
    layout = project(embedded(vectors, names, origin="igraph"), **QUICK)
    assert isinstance(layout, ig.Layout)
    assert np.allclose(layout.coords, Y)


def test_an_embedding_and_its_vectors_are_projected_alike():
    E = embedded(clusters()[0])
    assert np.array_equal(project(E, **QUICK), project(E.vectors, **QUICK))


def test_only_directions_count():
    vectors, _ = clusters()
    assert np.allclose(project(vectors, **QUICK), project(vectors * 2.0, **QUICK), atol=1e-5)


def test_isolates_lie_around_the_others():
    vectors, _ = clusters()
    isolated = np.zeros(150, dtype=bool)
    isolated[[3, 50, 51, 100]] = True
    Y = project(embedded(vectors, isolated=isolated), **QUICK)
    away = np.linalg.norm(Y - (Y.max(axis=0) + Y.min(axis=0)) / 2, axis=1)
    assert away[isolated].min() > away[~isolated].max()


def test_keywords_of_the_layout():
    vectors, _ = clusters((20, 20))
    Y = project(vectors, scale=5, center=(10, 20), seed=3, **QUICK)
    assert np.abs(Y - (10, 20)).max() == pytest.approx(5, abs=1e-4)
    seen = []
    project(vectors, callback=seen.append, **QUICK)
    assert seen[-1].iteration == 250
    fewer = project(vectors, neighbors=3, **QUICK)
    assert not np.allclose(fewer, project(vectors, **QUICK))


def test_the_same_seed_gives_the_same_picture():
    vectors, _ = clusters()
    assert np.array_equal(project(vectors, seed=1, **QUICK), project(vectors, seed=1, **QUICK))


@pytest.mark.parametrize("n", [1, 2, 3, 16])
def test_few_vectors(n):
    Y = project(np.random.default_rng(0).normal(size=(n, 4)))
    assert Y.shape == (n, 2)
    assert np.isfinite(Y).all()
    assert len(np.unique(Y, axis=0)) == n


def test_equal_and_zero_vectors():
    vectors = np.vstack([np.ones((20, 3)), np.zeros((20, 3)), [[0, 0, 1]]])
    Y = project(vectors, **QUICK)
    assert np.isfinite(Y).all()


def test_arguments_are_unchanged():
    vectors, _ = clusters()
    before = vectors.copy()
    project(vectors, **QUICK)
    assert np.array_equal(vectors, before)
    assert vectors.flags.writeable


@pytest.mark.parametrize(
    ("given", "keywords", "error", "words"),
    [
        (np.ones(5), {}, ValueError, r"vectors must have the shape \(n, dim\) .*, got \(5,\)"),
        (np.ones((5, 0)), {}, ValueError, r"with dim at least 1, got \(5, 0\)"),
        (np.full((5, 3), np.nan), {}, ValueError, "vectors must be finite .* contain NaN"),
        (np.full((5, 3), 1e300), {}, ValueError, "vectors must be finite .* too large"),
        ("vectors", {}, TypeError, "E must be an Embedding or an array of real numbers, got a str"),
        (np.eye(5) * 1j, {}, TypeError, "E must be an Embedding or an array of real numbers, got a ndarray"),
        (nx.path_graph(4), {}, (TypeError, ValueError), "Embedding or an array|shape"),
        (np.eye(5), {"neighbors": 0}, ValueError, "neighbors must be at least 1, got 0"),
        (np.eye(5), {"neighbors": 2.5}, TypeError, r"neighbors must be an integer, got 2\.5"),
        (np.eye(5), {"perplexity": 30}, TypeError, "unexpected keyword argument 'perplexity'"),
        (np.eye(5), {"dim": 3}, ValueError, "dim must be 2"),
    ],
)
def test_what_cannot_be_projected(given, keywords, error, words):
    with pytest.raises(error, match=words):
        project(given, **keywords)


def test_a_task_projects_in_the_order_of_the_graph():
    vectors, which = clusters((20, 20))
    ids = [f"node {i}" for i in range(40)]
    E = embedded(vectors, ids, origin="networkx")
    G = nx.Graph()
    G.add_nodes_from(reversed(ids))
    nx.add_path(G, ids)
    task = ProjectionTask(as_graph(G), E, **QUICK)
    assert knn_accuracy(G, task.run().positions, which[::-1], k=3, repeats=5) > 0.95


def test_a_task_for_another_graph():
    with pytest.raises(ValueError, match="embedding has 7 nodes, which are not the 8 nodes of this graph"):
        ProjectionTask(as_graph(nx.path_graph(8)), an_embedding(7))
    with pytest.raises(ValueError, match="which are not the 7 nodes of this graph"):
        ProjectionTask(as_graph(nx.path_graph("abcdefg")), an_embedding(7))
