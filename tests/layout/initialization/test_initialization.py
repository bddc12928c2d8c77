"""Starts: right where the eigenvectors are clear, never failing where they are not."""

import os
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from graphne_viz._seeds import as_generator
from graphne_viz.layout.initialization import eigenvectors
from graphne_viz.layout.initialization.eigenvectors import leading
from graphne_viz.layout.initialization.initial_positions import START_STD, fill_missing, random, rescale, spectral

DATA = Path(os.environ.get("GRAPHNE_DATA", Path(__file__).parents[4] / "shared" / "data"))


def adjacency(G):
    return sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))


def path(n, weights=1.0):
    i = np.arange(n - 1)
    upper = sp.coo_array((np.broadcast_to(weights, n - 1).astype(float), (i, i + 1)), shape=(n, n)).tocsr()
    return sp.csr_array(upper + upper.T)


def stored(name):
    """The paper's affinities of a stored graph."""
    file = DATA / f"{name}.npz"
    if not file.exists():
        pytest.skip(f"{file} is absent; set GRAPHNE_DATA to the folder of graphs")
    i, j = np.load(file)["edges"].T
    n = int(max(i.max(), j.max())) + 1
    A = sp.coo_array((np.ones(len(i)), (i, j)), shape=(n, n)).tocsr()
    A = A + A.T
    rows = sp.diags_array(1 / A.sum(axis=1)) @ A
    return sp.csr_array((rows + rows.T) / (2 * n))


def exact(P):
    """Leading non-trivial eigenvalues, shape (4,), and eigenvectors, shape (n, 4), by ARPACK."""
    scale = sp.diags_array(1 / np.sqrt(P.sum(axis=1)))
    guess = np.random.default_rng(0).uniform(-1, 1, P.shape[0])
    values, U = eigsh(scale @ P @ scale, k=5, which="LA", v0=guess, ncv=min(60, P.shape[0]), maxiter=10_000)
    order = np.argsort(-values)[1:]
    return values[order], scale @ U[:, order]


def spread_weights(A, orders):
    upper = sp.triu(A).tocoo()
    upper.data = 10 ** np.random.default_rng(0).uniform(-orders / 2, orders / 2, upper.nnz)
    return sp.csr_array(upper + upper.T)


ODD = {
    "two nodes": path(2),
    "three nodes": path(3),
    "a triangle": adjacency(nx.complete_graph(3)),
    "a path": path(10),
    "a long path": path(100_000),
    "a square": adjacency(nx.cycle_graph(4)),
    "a cycle": adjacency(nx.cycle_graph(1000)),
    "a star": adjacency(nx.star_graph(5)),
    "a large star": adjacency(nx.star_graph(20_000)),
    "a clique": adjacency(nx.complete_graph(50)),
    "a large clique": adjacency(nx.complete_graph(400)),
    "complete bipartite": adjacency(nx.complete_bipartite_graph(30, 50)),
    "a hypercube": adjacency(nx.hypercube_graph(8)),
    "a torus": adjacency(nx.grid_2d_graph(30, 30, periodic=True)),
    "a tree": adjacency(nx.balanced_tree(2, 10)),
    "a barbell": adjacency(nx.barbell_graph(100, 50)),
    "weights over twelve orders": spread_weights(adjacency(nx.barabasi_albert_graph(2000, 3, seed=0)), 12),
    "a path with such weights": spread_weights(path(2000), 12),
    "tiny weights": path(300, 1e-300),
    "huge weights": path(300, 1e300),
    "several parts": sp.csr_array(sp.block_diag([path(3)] * 60)),
    "no edges": sp.csr_array((60, 60)),
}


@pytest.mark.parametrize("P", ODD.values(), ids=ODD)
def test_no_graph_is_too_odd(P):
    before = P.copy()
    Y = spectral(P, seed=0)
    assert Y.shape == (P.shape[0], 2)
    assert Y.dtype == np.float64
    assert np.isfinite(Y).all()
    assert len(np.unique(Y, axis=0)) == len(Y)
    assert Y[:, 0].std() == pytest.approx(START_STD, rel=0.15)
    assert spectral(P, seed=0).tobytes() == Y.tobytes()
    assert (before != P).nnz == 0


def test_no_nodes_and_one_node():
    assert spectral(sp.csr_array((0, 0)), seed=0).shape == (0, 2)
    assert spectral(sp.csr_array((1, 1)), seed=0).tolist() == [[0, 0]]


@pytest.mark.parametrize(
    "P",
    [
        adjacency(nx.karate_club_graph()),
        path(300),
        adjacency(nx.grid_2d_graph(50, 20)),
        adjacency(nx.barbell_graph(40, 30)),
        adjacency(nx.connected_caveman_graph(20, 12)),
        adjacency(nx.stochastic_block_model([300, 500, 200], np.eye(3) * 0.05 + 0.002, seed=0)),
    ],
    ids=["karate", "path", "grid", "barbell", "caveman", "blocks"],
)
def test_agrees_with_the_exact_eigenvectors_where_these_are_distinct(P):
    values, V = exact(P)
    found, _ = leading(P, 2, np.random.default_rng(0), 1)
    # The walk loses at most a tenth more than it must.
    assert np.all(1 - found <= 1.1 * (1 - values[:2]) + 1e-12)
    Y = spectral(P, seed=0)
    reference = V[:, :2] * (1 + values[:2]) / 2
    for axis in range(2):
        others = np.delete(values, axis)[:3]
        if np.abs(others - values[axis]).min() > 0.1 * (1 - values[axis]):
            assert abs(np.corrcoef(Y[:, axis], reference[:, axis])[0, 1]) > 0.99
    if abs(values[0] - values[1]) > 0.1 * (1 - values[0]):
        assert Y[:, 1].std() / Y[:, 0].std() == pytest.approx(reference[:, 1].std() / reference[:, 0].std(), rel=0.1)


@pytest.mark.parametrize("name", ["email_eu", "citeseer", "cora"])
def test_agrees_with_the_exact_eigenvectors_of_real_graphs(name):
    P = stored(name)
    _, V = exact(P)
    Y = spectral(P, seed=0)
    for axis in range(2):
        assert abs(np.corrcoef(Y[:, axis], V[:, axis])[0, 1]) > 0.99


def test_a_bipartite_graph_shows_its_halves_by_neighbourhood_not_by_side():
    G = nx.disjoint_union(nx.complete_bipartite_graph(40, 40), nx.complete_bipartite_graph(40, 40))
    G.add_edge(0, 159)
    Y = spectral(adjacency(G), seed=0)
    assert np.sign(Y[:80, 0]).tolist() == [np.sign(Y[0, 0])] * 80
    assert np.sign(Y[80:, 0]).tolist() == [-np.sign(Y[0, 0])] * 80


def test_a_long_path_is_unrolled():
    n = 100_000
    Y = spectral(path(n), seed=0)
    where = np.corrcoef(Y[:, 0], np.arange(n))[0, 1]
    assert abs(where) > 0.9


def test_more_coordinates_than_two_and_than_there_are():
    assert spectral(path(300), 5, seed=0).shape == (300, 5)
    assert np.isfinite(spectral(path(3), 5, seed=0)).all()


def test_bytes_depend_on_the_seed_and_not_on_threads():
    P = adjacency(nx.random_regular_graph(60, 4000, seed=0))  # entries enough for several threads
    Y = spectral(P, seed=0)
    assert all(spectral(P, seed=0, n_jobs=jobs).tobytes() == Y.tobytes() for jobs in (2, 3, 5))
    assert spectral(P, seed=1).tobytes() != Y.tobytes()


@pytest.mark.parametrize("threaded", [0, 10**9])
def test_merged_nodes_have_the_sums_of_their_affinities(threaded, monkeypatch):
    monkeypatch.setattr(eigenvectors, "THREADED", threaded)
    rng = np.random.default_rng(0)
    P = sp.random_array((60, 60), density=0.08, rng=rng, format="csr")
    P = sp.csr_array(P + P.T + sp.diags_array(rng.random(60)))
    merged, labels = eigenvectors._merge(P, P @ np.ones(60), rng)
    membership = np.eye(merged.shape[0])[labels]
    assert merged.toarray() == pytest.approx(membership.T @ P.toarray() @ membership)
    assert 1 < merged.shape[0] <= 30
    assert merged.nnz == np.count_nonzero(merged.toarray())


@pytest.mark.parametrize("threaded", [0, 10**9])
def test_a_node_merges_with_the_neighbour_it_is_tied_to_most(threaded, monkeypatch):
    monkeypatch.setattr(eigenvectors, "THREADED", threaded)
    rng = np.random.default_rng(0)
    weights = np.array([[9, 5, 0, 0], [5, 9, 1, 0], [0, 1, 0, 0], [0, 0, 0, 3]], dtype=float)
    _, labels = eigenvectors._merge(sp.csr_array(weights), np.ones(4), rng)
    assert labels[0] == labels[1] == labels[2] != labels[3]  # the last has none but itself


def test_compiled_code_finds_the_same_as_products_of_matrices(monkeypatch):
    n, reach = 5000, 25
    i, steps = np.arange(n - reach), np.arange(1, reach + 1)
    upper = sp.coo_array((np.ones(i.size * reach), (np.repeat(i, reach), (i[:, None] + steps).ravel())), shape=(n, n))
    P = sp.csr_array(upper + upper.T)
    assert P.nnz > eigenvectors.THREADED
    values, vectors = leading(P, 2, as_generator(0), 2)
    for n_jobs in (1, 3):
        assert leading(P, 2, as_generator(0), n_jobs)[1].tobytes() == vectors.tobytes()
    monkeypatch.setattr(eigenvectors, "COMPILED_COLUMNS", 0)
    expected_values, expected = leading(P, 2, as_generator(0), 2)
    assert values == pytest.approx(expected_values, abs=1e-6)
    # The cosines of the angles between the two planes, in the scalar product that the vectors are orthonormal in.
    cosines = np.linalg.svd(vectors.T @ (P.sum(axis=1)[:, None] * expected), compute_uv=False)
    assert cosines.min() > 0.9999


def test_bytes_do_not_depend_on_the_threads_of_blas():
    program = (
        "import hashlib, networkx as nx, scipy.sparse as sp\n"
        "from graphne_viz.layout.initialization.initial_positions import spectral\n"
        "for n in (30, 40, 41, 3000):\n"
        "    G = nx.barabasi_albert_graph(n, 3, seed=0)\n"
        "    A = sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))\n"
        "    print(hashlib.sha256(spectral(A, seed=0).tobytes()).hexdigest())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "OPENBLAS_NUM_THREADS": str(threads)},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in (1, 4)
    }
    assert len(outputs) == 1


def test_a_small_graph_is_a_matter_of_a_millisecond():
    P = adjacency(nx.karate_club_graph())
    times = []
    for _ in range(20):
        began = time.perf_counter()
        spectral(P, seed=0)
        times.append(time.perf_counter() - began)
    assert min(times) < 5e-3  # a third of a millisecond on an idle machine


def test_pubmed_takes_well_under_a_second():
    P = stored("pubmed")
    times = []
    for _ in range(3):
        began = time.perf_counter()
        spectral(P, seed=0)
        times.append(time.perf_counter() - began)
    assert min(times) < 1


def test_seeds_of_every_kind():
    first = random(5, seed=0)
    assert np.array_equal(first, random(5, seed=np.int64(0)))
    assert np.array_equal(first, random(5, seed=np.random.default_rng(0)))
    state = np.random.RandomState(0)
    drawn, again = random(5, seed=state), random(5, seed=state)
    assert not np.array_equal(drawn, again)
    assert np.array_equal(drawn, random(5, seed=np.random.RandomState(0)))
    generator = np.random.default_rng(1)
    assert as_generator(generator) is generator


def test_no_seed_follows_the_global_state_as_in_networkx():
    kept = np.random.get_state()  # noqa: NPY002
    try:
        np.random.seed(3)  # noqa: NPY002
        first, second = random(5, seed=None), random(5, seed=None)
        np.random.seed(3)  # noqa: NPY002
        assert np.array_equal(first, random(5, seed=None))
        assert not np.array_equal(first, second)
    finally:
        np.random.set_state(kept)  # noqa: NPY002


def test_bad_seeds_are_named():
    with pytest.raises(TypeError, match=r"seed must be an int.*got str"):
        as_generator("0")
    with pytest.raises(ValueError, match="seed must not be negative, got -1"):
        as_generator(-1)


def test_random_is_isotropic_and_small():
    Y = random(20_000, seed=0)
    assert Y.std(axis=0) == pytest.approx([START_STD, START_STD], rel=0.05)
    assert abs(np.corrcoef(Y.T)[0, 1]) < 0.05


@pytest.mark.parametrize("unit", [1e-250, 1.0, 1e250])
def test_rescale_keeps_the_shape(unit):
    Y = np.random.default_rng(0).normal(3, 2, (50, 2)) * [1, 4]
    out = rescale(Y * unit)
    assert out[:, 0].std() == pytest.approx(START_STD)
    assert np.allclose(out / START_STD, (Y - Y.mean(axis=0)) / Y[:, 0].std())


def test_rescale_of_a_column_a_heap_and_nothing():
    column = rescale(np.column_stack([np.full(10, 7.0), np.arange(10)]))
    assert column.std() == pytest.approx(START_STD)
    assert np.ptp(column[:, 0]) == pytest.approx(0, abs=1e-12)
    heap = rescale(np.full((10, 2), 7.0))
    assert len(np.unique(heap, axis=0)) == 10
    assert rescale(np.zeros((0, 2))).shape == (0, 2)
    assert rescale(np.ones((1, 2))).tolist() == [[0, 0]]


def test_missing_nodes_start_at_the_weighted_mean_of_their_placed_neighbours():
    A = sp.csr_array(np.array([[0, 0, 1, 0], [0, 0, 3, 0], [1, 3, 0, 2], [0, 0, 2, 0.0]]))
    given = np.array([[0, 0], [100, 200], [np.nan, np.nan], [np.nan, 5]])
    Y = fill_missing(A, given, seed=0)
    assert Y[:2].tolist() == given[:2].tolist()
    assert Y[2] == pytest.approx([75, 150], abs=10)
    assert Y[3] == pytest.approx(Y[2], abs=20)
    assert np.isnan(given[2:]).any(axis=1).all()


def test_missing_nodes_are_filled_outward_and_never_coincide():
    given = np.full((1000, 2), np.nan)
    given[0], given[999] = (0, 0), (1, 1)
    Y = fill_missing(path(1000), given, seed=0)
    assert np.abs(Y[1:500]).max() < 0.1
    assert np.abs(Y[500:] - 1).max() < 0.1
    assert len(np.unique(Y, axis=0)) == 1000
    assert np.array_equal(Y, fill_missing(path(1000), given, seed=0))


def test_parts_without_a_placed_node_stay_within_the_placed_ones():
    A = sp.csr_array(sp.block_diag([path(4), path(200)]))
    given = np.full((204, 2), np.nan)
    given[:2] = [[10, 20], [30, 60]]
    Y = fill_missing(A, given, seed=0)
    assert np.isfinite(Y).all()
    assert Y[4:].min(axis=0) == pytest.approx([10, 20], abs=3)
    assert Y[4:].max(axis=0) == pytest.approx([30, 60], abs=3)
    assert len(np.unique(Y, axis=0)) == 204


def test_filling_from_one_node_from_none_and_from_all():
    one = np.full((50, 2), np.nan)
    one[7] = 5
    Y = fill_missing(path(50), one, seed=0)
    assert Y[7].tolist() == [5, 5]
    assert len(np.unique(Y, axis=0)) == 50
    assert np.array_equal(fill_missing(path(50), np.full((50, 2), np.nan), seed=0), random(50, seed=0))
    assert np.array_equal(fill_missing(path(50), Y, seed=0), Y)
