"""Where training starts."""

import networkx as nx
import numpy as np
import pytest
from training_examples import block_model, cosines, in_parts, lattice

from graphne_viz.embedding.training.settings import settle
from graphne_viz.embedding.training.start import read_start, starting_vectors
from graphne_viz.graphs.convert.api import as_graph

USUAL = {
    "temperature": 0.05,
    "focus": None,
    "epochs": 5,
    "batch_size": "auto",
    "negatives": None,
    "learning_rate": None,
}


def begin(G, start="spectral", dim=8, *, seed=0, preset="default"):
    graph = as_graph(G)
    settings = settle(graph, dim=dim, initialization=start, preset=preset, seed=seed, **USUAL)
    return starting_vectors(graph, read_start(start, graph.n_nodes, dim), settings)


def diffusion_map(G, dim):
    """Return the leading eigenvectors of the random walk, by brute force, shape (n, dim)."""
    A = nx.to_numpy_array(G)
    degrees = A.sum(axis=1)
    values, vectors = np.linalg.eigh(A / np.sqrt(np.outer(degrees, degrees)))
    largest = np.argsort(-values)[1 : dim + 1]
    return vectors[:, largest] / np.sqrt(degrees)[:, None] * (1 + values[largest]) / 2


@pytest.mark.parametrize("start", ["spectral", "random"])
def test_all_vectors_have_the_length_the_preset_wants(start):
    for G in (lattice(), in_parts()):
        for preset, length in (("default", np.sqrt(8)), ("paper", 1)):
            vectors = begin(G, start, preset=preset)
            assert vectors.dtype == np.float32
            assert np.allclose(np.linalg.norm(vectors, axis=1), length, rtol=1e-5)


def test_spectral_is_the_diffusion_map():
    G, _ = block_model(4, 30, inside=0.6)
    ours = cosines(begin(G, dim=3) / np.sqrt(3))
    exact = diffusion_map(G, 3)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert np.corrcoef(ours.ravel(), cosines(exact).ravel())[0, 1] > 0.98


def test_spectral_knows_the_blocks_and_random_does_not():
    G, blocks = block_model()
    same = blocks[:, None] == blocks
    np.fill_diagonal(same, val=False)
    different = blocks[:, None] != blocks
    for start, least, most in (("spectral", 0.3, 1), ("random", -0.05, 0.05)):
        similarity = cosines(begin(G, start, dim=6) / np.sqrt(6))
        assert least < similarity[same].mean() - similarity[different].mean() < most


@pytest.mark.parametrize("dim", [2, 8, 40, 48])
def test_parts_begin_apart_and_neighbours_do_not_begin_opposite(dim):
    G = in_parts()
    vectors = begin(G, dim=dim) / np.sqrt(dim)
    similarity = cosines(vectors)
    ends = G.pairs
    assert np.isfinite(vectors).all()
    assert similarity[ends[:, 0], ends[:, 1]].min() > -0.99
    if dim >= 8:
        across = similarity[2:32, 32:44]  # the grid and the ring
        assert np.abs(across).mean() < 0.5


def test_isolates_begin_in_random_directions():
    vectors = begin(nx.disjoint_union(nx.cycle_graph(20), nx.empty_graph(200)), dim=16) / 4
    similarity = cosines(vectors[20:])
    np.fill_diagonal(similarity, 0)
    assert np.abs(similarity).max() < 0.95
    assert abs(similarity.mean()) < 0.02


def test_as_many_dimensions_as_nodes():
    for G in (nx.path_graph(2), nx.complete_graph(6), nx.star_graph(9), nx.cycle_graph(50)):
        assert np.isfinite(begin(G, dim=len(G))).all()


def test_seeds():
    for start in ("spectral", "random"):
        one, same, other = (begin(in_parts(), start, seed=seed) for seed in (0, 0, 1))
        assert np.array_equal(one, same)
        assert not np.array_equal(one, other)


def test_of_an_array_only_the_directions_count():
    rng = np.random.default_rng(0)
    given = rng.normal(size=(40, 8))
    lengths = 10.0 ** np.linspace(-300, 300, 40)[:, None]
    plain, scaled = begin(lattice(), given), begin(lattice(), given * lengths)
    assert np.allclose(plain, scaled, rtol=1e-5)
    unit = given / np.linalg.norm(given, axis=1, keepdims=True)
    assert np.allclose(plain / np.sqrt(8), unit, atol=1e-6)


def test_lists_and_whole_numbers_will_do():
    given = (np.arange(320).reshape(40, 8) % 7 + 1).tolist()
    assert np.array_equal(begin(lattice(), given), begin(lattice(), np.array(given, dtype=np.float64)))


def test_zero_vectors_have_no_direction():
    given = np.random.default_rng(0).normal(size=(40, 8))
    given[[3, 5]] = 0
    words = "initialization must not contain zero vectors, because only directions count; got 2, the first in row 3"
    with pytest.raises(ValueError, match=words):
        begin(lattice(), given)
    with pytest.raises(ValueError, match=r"must not contain zero vectors, .*; got 40, the first in row 0"):
        begin(lattice(), np.zeros((40, 8)))
    given[[3, 5], 0] = 1e-300
    assert np.allclose(begin(lattice(), given)[3], [np.sqrt(8), *[0] * 7])


def test_an_array_is_not_changed():
    given = np.random.default_rng(0).normal(size=(40, 8))
    before = given.copy()
    begin(lattice(), given)
    assert np.array_equal(given, before)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("umap", ValueError, r"initialization must be one of 'spectral', 'random' or an array of shape \(40, 8\)"),
        (np.zeros((40, 7)), ValueError, r"initialization must have the shape \(40, 8\), got \(40, 7\)"),
        (np.zeros(40), ValueError, r"initialization must have the shape \(40, 8\), got \(40,\)"),
        (np.full((40, 8), np.nan), ValueError, "initialization must be finite"),
        (np.full((40, 8), -np.inf), ValueError, "initialization must be finite"),
        ([["a"] * 8] * 40, TypeError, "a name or an array of real numbers, got a list that contains something else$"),
        (
            np.full((40, 8), 1 + 1j),
            TypeError,
            "a name or an array of real numbers, got a ndarray that contains something else",
        ),
        ([[1j] * 8] * 40, TypeError, "a name or an array of real numbers, got a list that contains something else$"),
        (None, (TypeError, ValueError), "initialization must"),
    ],
)
def test_starts_that_cannot_be(given, error, words):
    with pytest.raises(error, match=words):
        read_start(given, 40, 8)
