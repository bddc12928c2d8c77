import itertools

import networkx as nx
import numpy as np
import pytest

from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.experiments.block_model import block_model
from graphne_viz.evaluation.methods import walk_kernels
from graphne_viz.evaluation.methods import walks as random_walks
from graphne_viz.evaluation.methods.registry import run_method
from graphne_viz.evaluation.metrics.api import knn_accuracy, neighbor_recall
from graphne_viz.graphs.convert.api import as_graph

QUICK = {
    "deepwalk": {"epochs": 3, "walk_length": 8, "window": 2},
    "node2vec": {"epochs": 3, "walk_length": 6, "context": 3, "walks_per_node": 2},
}
METHODS = tuple(QUICK)


@pytest.fixture(scope="module")
def team():
    with ThreadTeam(2) as team:
        yield team


def weighted_graph():
    """A hub, triangles, a leaf, weights of all sizes and a node alone."""
    G = nx.Graph([(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (3, 4), (4, 5), (5, 6), (1, 6)])
    for k, edge in enumerate(G.edges):
        G.edges[edge]["weight"] = 0.5 + k % 4
    G.add_node(7)
    return G


def take(G, starts, length, team, *, p=1.0, q=1.0, seed=0):
    walker = random_walks.Walker(as_graph(G), p, q)
    return walker.walk(np.asarray(starts, np.int32), length, np.random.default_rng(seed), team)


def test_walks_follow_edges_from_their_starts(team):
    G = nx.barabasi_albert_graph(200, 2, seed=0)
    starts = np.random.default_rng(0).integers(200, size=300)
    for p, q in ((1, 1), (0.25, 4), (1e6, 1e6), (1e-6, 1e6)):
        walks = take(G, starts, 12, team, p=p, q=q)
        assert walks.shape == (300, 12)
        np.testing.assert_array_equal(walks[:, 0], starts)
        assert all(G.has_edge(i, j) for walk in walks.tolist() for i, j in itertools.pairwise(walk))


def test_walks_differ_by_seed_and_by_walk(team):
    G = nx.barabasi_albert_graph(200, 3, seed=0)
    walks = take(G, [0] * 50, 10, team)
    assert len({tuple(walk) for walk in walks.tolist()}) > 45
    np.testing.assert_array_equal(walks, take(G, [0] * 50, 10, team))
    assert not np.array_equal(walks, take(G, [0] * 50, 10, team, seed=1))


def chances(G, before, here, p, q):
    """The formula of node2vec."""
    likes = np.zeros(len(G))
    for there in G[here]:
        bias = 1 / p if there == before else 1 if G.has_edge(before, there) else 1 / q
        likes[there] = bias * G.edges[here, there]["weight"]
    return likes / likes.sum()


@pytest.mark.parametrize(("p", "q"), [(1, 1), (0.25, 4), (4, 0.25), (2, 3), (1000, 1000), (0.001, 1)])
def test_steps_have_the_chances_of_node2vec(p, q, team):
    G = weighted_graph()
    walks = take(G, np.repeat(np.arange(7), 20_000), 4, team, p=p, q=q)
    first = np.bincount(walks[walks[:, 0] == 0, 1], minlength=len(G)) / 20_000
    expected = np.array([G.edges[0, j]["weight"] if G.has_edge(0, j) else 0 for j in G])
    np.testing.assert_allclose(first, expected / expected.sum(), atol=0.015)
    compared = 0
    for before, here in (pair for edge in G.edges for pair in (edge, edge[::-1])):
        there = np.concatenate([walks[(walks[:, t] == before) & (walks[:, t + 1] == here), t + 2] for t in (0, 1)])
        expected = chances(G, before, here, p, q)
        off = np.bincount(there, minlength=len(G)) - len(there) * expected
        assert not off[expected == 0].any()
        deviation = np.sqrt(len(there) * expected * (1 - expected))
        assert (np.abs(off) <= 4.5 * deviation + 3).all(), (before, here)
        compared += len(there) > 1000
    assert compared >= 14


def test_weights_too_large_or_small_to_add_up(team):
    G = nx.Graph()
    G.add_edge(0, 1, weight=1e308)
    G.add_edge(0, 2, weight=1e308)
    G.add_edge(3, 4, weight=1e-300)
    G.add_edge(3, 5, weight=1e-300)
    walks = take(G, [0] * 2000 + [3] * 2000, 2, team)
    for near, far in ((1, 2), (4, 5)):
        assert abs((walks[:, 1] == near).sum() - (walks[:, 1] == far).sum()) < 250


def numeric_gradient(loss, X):
    gradient = np.empty_like(X)
    for place in np.ndindex(X.shape):
        moved = []
        for shift in (1e-6, -1e-6):
            Z = X.copy()
            Z[place] += shift
            moved.append(loss(Z))
        gradient[place] = (moved[0] - moved[1]) / 2e-6
    return gradient


def log_sigmoid(x):
    return -np.log1p(np.exp(-x))


def add_up(nodes, gradients, n):
    total = np.zeros((n, gradients.shape[-1]))
    np.add.at(total, nodes.ravel(), gradients.reshape(-1, gradients.shape[-1]))
    return total


@pytest.mark.parametrize("sign", [1, -1])
def test_gradient_of_node2vec(sign):
    rng = np.random.default_rng(0)
    X, walks, context, share = rng.normal(size=(7, 5)), rng.integers(7, size=(4, 9)), 4, 0.1

    def loss(X):
        total = 0.0
        for walk in walks:
            for lo in range(len(walk) - context + 1):
                first, *rest = walk[lo : lo + context]
                total -= share * sum(log_sigmoid(sign * X[first] @ X[other]) for other in rest)
        return total

    out = np.full((4, 9, 5), np.nan, np.float32)
    for lo, hi in ((0, 1), (1, 4)):
        walk_kernels.pull_sequences(
            X.astype(np.float32), walks.astype(np.int32), lo, hi, context, np.float32(sign), np.float32(share), out
        )
    np.testing.assert_allclose(add_up(walks, out, 7), numeric_gradient(loss, X), atol=2e-6)


@pytest.mark.parametrize("clip", [6.0, 0.7])
def test_gradient_of_deepwalk(clip):
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(2, 7, 5))
    walks, others = rng.integers(7, size=(3, 9)), rng.integers(7, size=(3, 4))
    window, negatives, share = 2, 5, 0.1

    def loss(X, Y):
        total = 0.0
        for walk, noise in zip(walks, others, strict=True):
            for i, j in np.ndindex(9, 9):
                if 0 < abs(i - j) <= window:
                    total -= share * log_sigmoid(np.clip(X[walk[i]] @ Y[walk[j]], -clip, clip))
                    for z in noise:  # five random nodes in the mean
                        total -= share * 5 / 4 * log_sigmoid(-np.clip(X[walk[i]] @ Y[z], -clip, clip))
        return total

    out, context_out = np.full((3, 9, 5), np.nan, np.float32), np.full((3, 13, 5), np.nan, np.float32)
    tables = (X.astype(np.float32), Y.astype(np.float32), walks.astype(np.int32), others.astype(np.int32))
    sizes = (window, negatives, np.float32(clip), np.float32(share), out, context_out)
    for lo, hi in ((0, 2), (2, 3)):
        walk_kernels.pull_walks(*tables, lo, hi, *sizes)
    np.testing.assert_allclose(add_up(walks, out, 7), numeric_gradient(lambda X: loss(X, Y), X), atol=5e-6)
    nodes = np.hstack([walks, others])
    np.testing.assert_allclose(add_up(nodes, context_out, 7), numeric_gradient(lambda Y: loss(X, Y), Y), atol=5e-6)


def test_descends_as_sparse_adam_of_torch(team):
    import torch

    rng = np.random.default_rng(2)
    values = rng.normal(size=(40, 6)).astype(np.float32)
    table = random_walks.Table(values, 0.01)
    weight = torch.nn.Parameter(torch.tensor(values))
    adam = torch.optim.SparseAdam([weight], lr=0.01)
    for _ in range(20):
        nodes = rng.integers(40, size=30).astype(np.int32)
        gradients = rng.normal(size=(30, 6)).astype(np.float32)
        table.descend(nodes, gradients, team)
        weight.grad = torch.sparse_coo_tensor(nodes[None], gradients, (40, 6), check_invariants=True)
        adam.step()
    assert np.abs(table.values - values).max() > 0.05
    np.testing.assert_allclose(table.values, weight.detach().numpy(), atol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_vectors_on_any_number_of_threads(method, monkeypatch):
    G = nx.barabasi_albert_graph(300, 3, seed=0)
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(random_walks, "count_cores", lambda threads=threads: threads)
        found.append(run_method(method, G, dim=16, seed=5, **QUICK[method]).points)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(found[0], run_method(method, G, dim=16, seed=6, **QUICK[method]).points)


@pytest.mark.parametrize("method", METHODS)
def test_parts_and_isolates(method):
    G = nx.disjoint_union_all([nx.karate_club_graph(), nx.star_graph(5), nx.path_graph(2), nx.empty_graph(3)])
    G.add_edge(3, 3)
    found = run_method(method, G, dim=8, **QUICK[method])
    assert found.points.shape == (len(G), 8)
    assert np.isfinite(found.points).all()
    assert np.linalg.norm(found.points, axis=1).min() > 0
    assert method in found.by.lower()
    assert run_method(method, nx.path_graph(2), dim=8, **QUICK[method]).points.shape == (2, 8)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("deepwalk", {"epochs": 60, "walk_length": 20}),
        ("node2vec", {"epochs": 40, "walk_length": 10, "context": 5, "learning_rate": 0.1}),
        ("node2vec", {"epochs": 40, "walk_length": 10, "context": 5, "learning_rate": 0.1, "p": 1, "q": 1}),
    ],
)
def test_finds_blocks_and_neighbours(method, options):
    G = block_model(400, 4, within=0.15, between=0.005)
    points = run_method(method, G, dim=16, **options).points
    chance = np.random.default_rng(0).normal(size=points.shape)
    assert knn_accuracy(G, chance, G.attributes["class"]) < 0.5
    assert knn_accuracy(G, points, G.attributes["class"]) > 0.95
    assert neighbor_recall(G, points) > 4 * neighbor_recall(G, chance)


def test_going_back_keeps_neighbours_better():
    G = nx.connected_watts_strogatz_graph(300, 6, 0.2, seed=0)
    options = {"dim": 32, "epochs": 40, "walk_length": 12, "context": 6, "learning_rate": 0.05}
    back, far = (run_method("node2vec", G, p=p, q=q, **options).points for p, q in ((0.25, 4), (4, 0.25)))
    assert neighbor_recall(G, back) > neighbor_recall(G, far) + 0.02


@pytest.mark.parametrize(
    ("method", "options", "error", "sentence"),
    [
        ("node2vec", {"p": 0}, ValueError, "p must be positive and finite, got 0"),
        ("node2vec", {"q": -1}, ValueError, "q must be positive and finite, got -1"),
        ("node2vec", {"q": float("nan")}, ValueError, "q must be positive and finite, got nan"),
        ("node2vec", {"p": "1"}, TypeError, "p must be a number, got '1'"),
        ("node2vec", {"context": 21}, ValueError, "context must be from 2 to walk_length, 20, got 21"),
        ("node2vec", {"context": 1}, ValueError, "context must be from 2 to walk_length, 20, got 1"),
        ("node2vec", {"walks_per_node": 0}, ValueError, "walks_per_node must be at least 1, got 0"),
        ("node2vec", {"window": 5}, TypeError, "node2vec has no option 'window'; it has p, q, epochs"),
        ("deepwalk", {"p": 1}, TypeError, "deepwalk has no option 'p'"),
        ("deepwalk", {"epochs": 1.5}, TypeError, "epochs must be an integer, got 1.5"),
        ("deepwalk", {"walk_length": 5}, ValueError, "walk_length must be above window, 5, got 5"),
        ("deepwalk", {"learning_rate": 0}, ValueError, "learning_rate must be positive and finite, got 0"),
    ],
)
def test_refusals(method, options, error, sentence):
    with pytest.raises(error, match=sentence):
        run_method(method, nx.karate_club_graph(), dim=8, **options)


def test_the_graph_stays_as_it_is():
    graph = as_graph(weighted_graph())
    before = graph.adjacency.toarray()
    run_method("node2vec", graph, dim=4, **QUICK["node2vec"])
    np.testing.assert_array_equal(graph.adjacency.toarray(), before)
