"""What training learns, and how it behaves meanwhile."""

import copy

import igraph as ig
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from embedding_examples import assert_equal
from training_examples import block_model, cosines, in_parts, lattice

pytest.importorskip("torch")

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.training.edges.edge_order import EdgeOrder, balanced_weights
from graphne_viz.embedding.training.finish.axes import moments, principal_axes, turned
from graphne_viz.embedding.training.training import Training
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.evaluation.metrics.distances import distance_correlation
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.datasets.api import digits


@pytest.fixture(scope="module")
def numerals():
    return digits()


@pytest.fixture(scope="module")
def learned(numerals):
    """Digits from a random start, so that all there is was learned; fast, for few epochs must do."""
    return embed(numerals, 32, epochs=6, focus=0, initialization="random")


def quick(G, dim=8, **keywords):
    return embed(G, dim, **({"epochs": 4, "batch_size": 16} | keywords))


def test_neighbours_and_classes_are_learned(numerals, learned):
    recall = learned.history["recall"]
    assert recall[0] < 0.6
    assert recall[-1] > 0.9
    assert neighbor_recall(numerals, learned, metric="cosine") > 0.9
    assert knn_accuracy(numerals, learned, "class", repeats=3) > 0.95


def test_the_history_tells_of_every_epoch(numerals, learned):
    history = learned.history
    assert np.array_equal(history["epoch"], np.arange(1, 7))
    assert (history["temperature"] == pytest.approx(0.05)) is True
    assert history["loss"][-1] < 0.7 * history["loss"][0]
    assert learned.complete
    # Recall is measured on a sample of nodes, but it is the real one.
    assert abs(history["recall"][-1] - neighbor_recall(numerals, learned, metric="cosine")) < 0.02


def test_the_spectral_start_is_ahead(numerals, learned):
    E = embed(numerals, 32, epochs=6, learning_rate=0.1, callback=lambda _: True)
    assert E.recall > learned.history["recall"][0] + 0.1


def test_the_dial_leads_from_neighbours_to_order_at_large(numerals, learned):
    found = [learned, *(embed(numerals, 32, epochs=6, focus=focus) for focus in (0.5, 1))]
    recall = [E.recall for E in found]
    order = [distance_correlation(numerals, E, kind="pearson") for E in found]
    assert recall[0] > recall[1] + 0.01 > recall[2] + 0.03
    assert order[0] < min(order[1:]) - 0.05
    assert [E.settings["focus"] for E in found] == [0, 0.5, 1]


@pytest.mark.parametrize(("small", "large"), [(24, 96), (32, 128)])
def test_the_dial_does_not_depend_on_the_size_of_a_batch(numerals, small, large):
    recall = [embed(numerals, 32, epochs=6, focus=0.5, batch_size=size).recall for size in (small, large)]
    assert recall[0] == pytest.approx(recall[1], abs=0.06)


def test_a_high_temperature_keeps_fewer_neighbours(numerals, learned):
    E = embed(numerals, 32, epochs=6, focus=0, temperature=1, initialization="random")
    assert E.recall < learned.recall - 0.2
    assert knn_accuracy(numerals, E, "class", repeats=3) > 0.95  # but the classes


def test_the_temperature_is_learned(numerals):
    E = embed(numerals, 32, epochs=6, focus=0, temperature="learn", initialization="random")
    course = E.history["temperature"]
    assert 0.03 < course[-1] < 0.1
    assert abs(course[-1] - 0.05) > 1e-3
    assert len(set(course)) == 6
    assert E.temperature == course[-1]
    assert E.recall > 0.9


def test_blocks_are_told_apart():
    G, blocks = block_model()
    E = embed(G, 32, focus=0.25)
    assert knn_accuracy(G, E, blocks, repeats=5) > 0.95
    assert E.recall > 0.9


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_vectors_are_unit_and_float32(preset):
    E = quick(lattice(), preset=preset)
    assert E.vectors.dtype == np.float32
    assert E.vectors.shape == (40, 8)
    assert np.allclose(np.linalg.norm(E.vectors, axis=1), 1, atol=1e-5)
    assert E.settings["preset"] == preset


def test_the_papers_preset():
    graph = as_graph(lattice(200))
    settings = Training(graph, preset="paper").settings
    assert (settings.epochs, settings.batch_size, settings.negatives) == (200, 20, "copies")
    assert (settings.learning_rate, settings.temperature, settings.dim) == (0.001, 0.05, 128)
    E = embed(graph, 8, preset="paper", epochs=10)
    assert E.history["loss"][-1] < E.history["loss"][0]


@pytest.mark.parametrize(("n", "preset", "size"), [(1300, "default", 128), (9000, "default", 128), (90, "paper", 9)])
def test_automatic_batches(n, preset, size):
    assert Training(as_graph(lattice(n, 1)), dim=2, preset=preset).settings.batch_size == size


def test_the_papers_batches_are_at_most_8192():
    assert Training(as_graph(lattice(100_000, 1)), dim=2, preset="paper").settings.batch_size == 8192


@pytest.mark.parametrize("negatives", ["batch", "copies"])
def test_either_kind_of_negatives_keeps_a_ring(negatives):
    E = embed(lattice(60), 16, negatives=negatives)
    assert E.recall > 0.9
    assert E.settings["negatives"] == negatives


@pytest.mark.parametrize("temperature", [0.001, 10])
def test_extreme_temperatures_give_finite_vectors(temperature):
    E = quick(lattice(), temperature=temperature)
    assert np.isfinite(E.vectors).all()
    assert np.isfinite(E.history["loss"]).all()


def test_one_edge_is_enough():
    E = embed(np.array([[0, 1]]), 2, focus=0)
    assert np.allclose(np.linalg.norm(E.vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(E.history["loss"], 0, atol=1e-5)


@pytest.mark.parametrize("initialization", ["spectral", "random"])
def test_graphs_in_parts_with_isolates(initialization):
    G = in_parts()
    E = embed(G, 16, initialization=initialization)
    assert np.allclose(np.linalg.norm(E.vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(np.flatnonzero(E.isolated), [0, 1, 44, 45])
    assert neighbor_recall(G, E, metric="cosine") > 0.95
    similarity = cosines(E.vectors)
    # The pair is a part of its own: its two nodes must find each other, too.
    assert similarity[46, 47] > 0.7
    isolates = similarity[E.isolated][:, ~E.isolated]
    assert np.abs(isolates).mean() < 0.4


def test_many_pairs_find_each_other():
    E = embed(np.arange(120).reshape(60, 2), 8)
    assert E.recall == 1


def test_isolates_are_never_moved():
    G = in_parts()
    seen = []
    E = quick(G, callback=lambda progress: seen.append(progress.vectors()))
    assert E.isolated.any()
    assert np.array_equal(seen[0][E.isolated], seen[-1][E.isolated])
    assert not np.array_equal(seen[0], seen[-1])
    assert np.allclose(cosines(E.vectors), cosines(seen[-1]), atol=1e-5)


def test_heavier_neighbours_end_up_nearer():
    rng = np.random.default_rng(0)
    edges = np.array(nx.random_regular_graph(6, 100, seed=1).edges)
    weights = rng.choice([1.0, 20.0], len(edges))
    E = embed(np.column_stack([edges, weights]), 8)
    nearness = cosines(E.vectors)[edges[:, 0], edges[:, 1]]
    assert nearness[weights == 20].mean() > nearness[weights == 1].mean() + 0.2
    plain = embed(edges, 8)
    nearness = cosines(plain.vectors)[edges[:, 0], edges[:, 1]]
    assert abs(nearness[weights == 20].mean() - nearness[weights == 1].mean()) < 0.1


def test_edges_are_visited_in_proportion_to_their_weights():
    rng = np.random.default_rng(0)
    edges = lattice(50)
    weights = rng.lognormal(0, 2, len(edges))
    graph = as_graph(np.column_stack([edges, weights]))
    order, epochs = EdgeOrder(graph.pair_weights), 400
    visits = np.zeros(graph.n_edges)
    for epoch in range(epochs):
        chosen = order.order(0, epoch)
        assert len(chosen) == graph.n_edges
        visits += np.bincount(chosen, minlength=graph.n_edges)
    expected = graph.pair_weights / graph.pair_weights.sum() * graph.n_edges * epochs
    # A share p of one visit an epoch varies by at most the root of p(1 - p) times the epochs.
    assert (np.abs(visits - expected) < 5 * np.sqrt(np.minimum(expected, 0.25 * epochs)) + 1).all()
    assert np.corrcoef(visits, expected)[0, 1] > 0.999


@pytest.mark.parametrize("scale", [1.0, 1e-300])
def test_no_node_is_visited_less_than_half_as_often_as_the_mean(scale):
    G = nx.compose(nx.complete_graph(40), nx.path_graph(range(39, 60)))
    for number, (_, _, data) in enumerate(G.edges(data=True)):
        data["weight"] = scale * (1 + number % 3)
    graph = as_graph(G)
    plain, balanced = (
        np.bincount(graph.pairs.ravel(), np.repeat(weights, 2))
        for weights in (graph.pair_weights, balanced_weights(graph))
    )
    assert plain.min() < 0.1 * plain.mean()
    assert balanced.min() >= 0.5 * balanced.mean()


def test_edges_of_a_regular_graph_are_visited_equally_often():
    assert np.ptp(balanced_weights(as_graph(nx.cycle_graph(9)))) == 0


@pytest.mark.parametrize("weight", [1.0, 1e-300, 7.5])
def test_equal_weights_visit_every_edge_once_an_epoch(weight):
    edges = lattice(50)
    graph = as_graph(np.column_stack([edges, np.full(len(edges), weight)]))
    orders = [EdgeOrder(graph.pair_weights).order(3, epoch) for epoch in range(3)]
    for order in orders:
        assert np.array_equal(np.sort(order), np.arange(len(edges)))
    assert not np.array_equal(orders[0], orders[1])


def test_weights_can_be_ignored():
    G = nx.random_regular_graph(4, 40, seed=0)
    for number, (_, _, data) in enumerate(G.edges(data=True)):
        data["weight"], data["strength"] = 1 + number % 5, 1 + number % 3
    plain = nx.create_empty_copy(G)
    plain.add_edges_from(G.edges)
    unweighted = quick(G, weight=None)
    assert_equal(unweighted, quick(plain))
    weighted, strong = quick(G), quick(G, weight="strength")
    assert not np.array_equal(weighted.vectors, unweighted.vectors)
    assert not np.array_equal(weighted.vectors, strong.vectors)


@pytest.mark.parametrize("initialization", ["spectral", "random"])
def test_the_same_seed_gives_the_same_bytes(initialization):
    one, same, other = (
        quick(lattice(80), initialization=initialization, temperature="learn", seed=seed) for seed in (1, 1, 2)
    )
    assert_equal(one, same)
    assert not np.array_equal(one.vectors, other.vectors)


def test_seeds_of_every_kind():
    G = lattice()
    generators = [quick(G, seed=np.random.default_rng(5)) for _ in range(2)]
    assert_equal(*generators)
    assert_equal(quick(G, seed=3), quick(G, seed=np.int64(3)))
    states = [quick(G, seed=np.random.RandomState(5)) for _ in range(2)]
    assert_equal(*states)
    assert not np.array_equal(states[0].vectors, generators[0].vectors)


def test_a_seed_decides_whatever_else_was_drawn_before():
    import torch

    G = lattice()
    one = quick(G)
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002 -- on purpose
    torch.rand(5)
    before = torch.get_rng_state()
    assert_equal(one, quick(G))
    assert torch.equal(torch.get_rng_state(), before)


def test_graphs_of_every_library():
    edges = lattice(30)
    names = [f"node {i}" for i in range(30)]
    N = nx.Graph()
    N.add_nodes_from(names)
    N.add_edges_from([(names[i], names[j]) for i, j in edges])
    vectors = []
    for G, ids, origin in (
        (edges, list(range(30)), "array"),
        (sp.csr_matrix(nx.to_scipy_sparse_array(N)), list(range(30)), "array"),
        (N, names, "networkx"),
        (ig.Graph(30, edges.tolist()), list(range(30)), "igraph"),
    ):
        E = quick(G)
        assert list(E.ids) == ids
        assert E.origin == origin
        vectors.append(E.vectors)
    for other in vectors[1:]:
        assert np.array_equal(vectors[0], other)


def test_arguments_are_unchanged():
    G, _ = block_model(2, 20)
    matrix = nx.to_scipy_sparse_array(G).astype(np.float64)
    start = np.random.default_rng(0).normal(size=(40, 8))
    before = copy.deepcopy((matrix, start))
    quick(matrix, initialization=start)
    assert (matrix != before[0]).nnz == 0
    assert matrix.data.flags.writeable
    assert np.array_equal(start, before[1])
    assert start.flags.writeable
    edges = lattice()
    quick(edges)
    assert np.array_equal(edges, lattice())
    G.nodes[0]["colour"] = "red"
    had = copy.deepcopy((dict(G.nodes(data=True)), list(G.edges(data=True))))
    quick(G)
    assert (dict(G.nodes(data=True)), list(G.edges(data=True))) == had


def test_a_callback_sees_every_epoch_and_gets_copies():
    seen, kept = [], []

    def callback(progress):
        seen.append(progress)
        vectors = progress.vectors()
        kept.append(vectors.copy())
        vectors[:] = np.nan

    E = quick(lattice(), callback=callback)
    assert_equal(E, quick(lattice()))
    assert [(progress.epoch, progress.epochs) for progress in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    for name in ("loss", "temperature", "recall"):
        assert [getattr(progress, name) for progress in seen] == E.history[name].tolist()
    assert np.array_equal(turned(kept[-1], principal_axes(moments(kept[-1]))), E.vectors)
    assert all(np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5) for vectors in kept)
    assert not np.array_equal(kept[0], kept[1])


def test_a_truthy_answer_ends_the_training():
    E = quick(lattice(), callback=lambda progress: "enough" if progress.epoch == 2 else 0)
    assert (E.epochs, E.complete) == (2, False)
    assert E.history["epoch"].tolist() == [1, 2]
    assert E.settings["epochs"] == 4


def test_what_a_callback_raises_comes_through():
    def callback(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        quick(lattice(), callback=callback)


def test_the_bar_shows_loss_and_recall(capsys):
    E = quick(lattice(), progress=True)
    said = capsys.readouterr().err
    assert f"loss={E.history['loss'][-1]:.3f}, recall={E.recall:.3f}" in said
    assert "epoch 4.0/4" in said
    quick(lattice())
    assert capsys.readouterr().err == ""
