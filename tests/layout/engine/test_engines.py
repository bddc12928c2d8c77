"""The forces and affinities against slow, obvious sums."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from forces import cloud, relative, slow
from openTSNE.tsne import kl_divergence_bh

from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.affinity import affinities, sgtsne
from graphne_viz.layout.engine.parts import one_part
from graphne_viz.layout.engine.parts.one_part import OnePart
from graphne_viz.layout.engine.repulsion import Exact, Mesh


def run(engine, points, n_jobs=1):
    x, y = np.ascontiguousarray(points.T, dtype=np.float32)
    with ThreadTeam(n_jobs) as team:
        engine.deposit(x, y)
        z = engine.collect(team)
    return np.column_stack([engine.push_x, engine.push_y]).astype(np.float64), z


@pytest.mark.parametrize("dof", [1, 0.6, 2])
@pytest.mark.parametrize("shape", ["dense", "medium", "sparse", "clusters", "tiny", "long", "outlier"])
def test_the_mesh_is_close_to_the_true_force(shape, dof):
    points = cloud(shape)
    push, z = slow(points, dof)
    found, found_z = run(Mesh(len(points), dof), points)
    assert relative(found, push) < 0.05
    assert found_z == pytest.approx(z, rel=0.005)


@pytest.mark.parametrize("dof", [1, 0.6, 2])
@pytest.mark.parametrize("shape", ["dense", "medium", "sparse", "clusters", "tiny", "outlier"])
def test_the_exact_sum_is_exact(shape, dof):
    points = cloud(shape, n=1500)
    push, z = slow(points, dof)
    found, found_z = run(Exact(len(points), dof), points)
    assert relative(found, push) < 1e-4
    assert found_z == pytest.approx(z, rel=1e-5)


@pytest.mark.parametrize("engine", [Exact, Mesh])
def test_places_far_from_the_origin_do_not_matter(engine):
    points = cloud("medium", n=1500)
    one, z = run(engine(1500), points)
    other, other_z = run(engine(1500), points + 256)
    assert relative(other, one) < 0.02
    assert other_z == pytest.approx(z, rel=1e-3)


def test_the_mesh_follows_a_layout_that_grows_and_shrinks():
    mesh = Mesh(1500)
    points = cloud("dense", n=1500)
    for size in (1, 3, 20, 4, 0.5):
        for _ in range(21):  # it looks at the density now and then
            found, found_z = run(mesh, points * size)
        push, z = slow((points * size).astype(np.float32).astype(np.float64), 1)
        assert relative(found, push) < 0.05
        assert found_z == pytest.approx(z, rel=0.005)


def test_the_mesh_follows_a_layout_that_grows_between_two_looks():
    mesh = Mesh(1500)
    points = cloud("dense", n=1500)
    for size in (1, 1.4, 2, 2.8, 1.7):
        found, found_z = run(mesh, points * size)
        push, z = slow((points * size).astype(np.float32).astype(np.float64), 1)
        assert relative(found, push) < 0.05
        assert found_z == pytest.approx(z, rel=0.005)


def test_the_mesh_stays_small_when_a_tiny_layout_bursts_open():
    # The sizes of one run, iteration by iteration, when early exaggeration is short.
    mesh = Mesh(1500)
    points = cloud("dense", n=1500) / 10
    for span in (0.08, 0.11, 0.16, 0.25, 4.4, 7, 9.5):
        found, found_z = run(mesh, points * span)
        assert mesh.plan.width * mesh.plan.height < 20_000
        push, z = slow((points * span).astype(np.float32).astype(np.float64), 1)
        assert relative(found, push) < 0.05
        assert found_z == pytest.approx(z, rel=0.005)


@pytest.mark.parametrize("engine", [Exact, Mesh])
def test_the_same_bytes_whatever_the_number_of_threads(engine):
    points = cloud("clusters", n=9000)
    results = [run(engine(9000), points, n_jobs=n) for n in (1, 3)]
    for push, z in results[1:]:
        assert push.tobytes() == results[0][0].tobytes()
        assert z == results[0][1]


@pytest.mark.parametrize("engine", [Exact, Mesh])
@pytest.mark.parametrize("n", [2, 3, 60])
def test_few_nodes_and_nodes_at_one_place(engine, n):
    points = np.zeros((n, 2))
    push, z = run(engine(n), points)
    assert np.isfinite(push).all()
    assert np.abs(push).max() < 0.02 * n
    assert z == pytest.approx(n * (n - 1), rel=0.02)


# the gradient beside openTSNE's


@pytest.fixture(scope="module")
def problem():
    G = nx.connected_watts_strogatz_graph(700, 8, 0.05, seed=0)
    P = affinities(sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float)), "node")
    P = sp.csr_matrix(P / P.sum())
    P.sort_indices()
    return P


@pytest.mark.parametrize("dof", [1, 0.7, 2])
@pytest.mark.parametrize(
    ("engine", "size", "near"),
    [(Exact, 0.01, 2e-3), (Exact, 5, 2e-3), (Exact, 40, 2e-3), (Mesh, 5, 0.05), (Mesh, 40, 0.05)],
)
def test_the_gradient_is_opentsnes(engine, size, near, dof, problem):
    points = np.random.default_rng(1).normal(0, size, (problem.shape[0], 2))
    kl, gradient = kl_divergence_bh(
        points, problem, dof=dof, bh_params={"theta": 0.0}, should_eval_error=True, n_jobs=1
    )
    stored = problem.copy()
    with ThreadTeam(1) as team:
        part = OnePart(points, problem, team, dof, np.full(len(points), 1, np.float32), engine(len(points), dof))
        part.begin(1, 0.8)
        found = part.gradient()
        found_kl = part.divergence(points)()
    assert relative(found, gradient) < near
    assert found_kl == pytest.approx(kl, rel=2e-3, abs=2e-3)
    assert (problem != stored).nnz == 0


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_sorting_the_nodes_leaves_the_gradient(n_jobs, monkeypatch):
    G = nx.barabasi_albert_graph(1200, 4, seed=0)
    P = affinities(sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float)), "node")
    P = sp.csr_array(P / P.sum())
    points = np.random.default_rng(1).normal(0, 5, (1200, 2))
    found = {}
    for sort_from in (10_000, 1000):
        monkeypatch.setattr(one_part, "_SORT_FROM", sort_from)
        with ThreadTeam(n_jobs) as team:
            part = OnePart(points, P, team, 1, np.full(1200, 1e-3, np.float32), Mesh(1200))
            part.begin(1, 0.8)
            part.iterate(2)
            found[sort_from] = part.gradient()
    assert part.edges is not part._given_edges
    assert relative(found[1000], found[10_000]) < 1e-3


def test_the_divergence_is_the_same_when_it_is_read_later(problem):
    points = np.random.default_rng(1).normal(0, 5, (problem.shape[0], 2))
    with ThreadTeam(1) as team:
        part = OnePart(points, problem, team, 1, np.full(len(points), 1, np.float32), Exact(len(points)))
        part.begin(1, 0.8)
        at_once, later, never_evaluated = part.divergence(points), part.divergence(points), part.divergence(points)
        kl = at_once()
        part.iterate(3)
    assert later() == kl == never_evaluated()
    moved = np.empty_like(points)
    part.write(moved)
    assert part.divergence(moved)() != kl


# affinities


def weighted(n=120, p=0.2, seed=0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < p, 1) * rng.uniform(0.1, 5, (n, n))
    return upper + upper.T


def proportional(found, true):
    return np.allclose(found / found.sum(), true / true.sum(), rtol=1e-9, atol=0)


def test_node_normalisation_divides_rows_by_their_sums_and_symmetrises():
    A = weighted()
    rows = A / A.sum(axis=1, keepdims=True)
    assert proportional(affinities(sp.csr_array(A), "node").toarray(), (rows + rows.T) / 2)


def test_graph_normalisation_keeps_the_weights():
    A = weighted()
    assert proportional(affinities(sp.csr_array(A), "graph").toarray(), A)


def slow_sgtsne(A, lam):
    """Jaccard weights raised, row by row, to the power at which they sum to lam."""
    n = len(A)
    closed = (A > 0) | np.eye(n, dtype=bool)
    result = np.zeros_like(A)
    for i in range(n):
        js = np.flatnonzero(A[i])
        jaccard = np.array([(closed[i] & closed[j]).sum() / (closed[i] | closed[j]).sum() for j in js])
        base = jaccard * A[i, js]
        base /= base.max()
        low, high = 0.0, 1e4
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if (base**middle).sum() > lam else (low, middle)
        result[i, js] = base**high if len(js) > lam else 1
    return result


def test_sgtsne_weights():
    A = weighted()
    found = sgtsne(sp.csr_array(A)).toarray()
    assert np.allclose(found, slow_sgtsne(A, 10), rtol=1e-6, atol=1e-12)
    rows = found / found.sum(axis=1, keepdims=True)
    assert proportional(affinities(sp.csr_array(A), "sgtsne").toarray(), (rows + rows.T) / 2)


@pytest.mark.parametrize("seed", [0, 1])
def test_sgtsne_rows_sum_to_ten_where_there_are_more_than_ten_neighbours(seed):
    G = nx.barabasi_albert_graph(400, 6, seed=seed)
    A = sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))
    W = sgtsne(A)
    degrees = np.diff(A.indptr)
    sums = W.sum(axis=1)
    assert sums[degrees > 10] == pytest.approx(10, rel=1e-4)
    assert sums[degrees <= 10] == pytest.approx(degrees[degrees <= 10])
    assert W.data.min() > 0
    assert W.data.max() <= 1


def test_sgtsne_where_all_neighbours_are_alike():
    W = sgtsne(sp.csr_array(1.0 - np.eye(30)))  # no power makes equal weights sum to less
    assert np.isfinite(W.data).all()
    P = affinities(sp.csr_array(1.0 - np.eye(30)), "sgtsne").toarray()
    assert proportional(P, 1.0 - np.eye(30))


@pytest.mark.parametrize("normalization", ["node", "graph", "sgtsne"])
def test_affinities_are_symmetric_positive_finite_and_leave_the_graph(normalization):
    A = sp.csr_array(weighted())
    A = sp.csr_array(sp.block_diag([A, sp.csr_array((3, 3)), np.array([[0, 1e-300], [1e-300, 0]])]))
    A.data[:2] *= 1e12
    A = sp.csr_array(A.maximum(A.T))
    stored = A.copy()
    P = affinities(A, normalization)
    assert np.isfinite(P.data).all()
    assert P.data.min() > 0
    assert np.abs(P - P.T).max() <= 1e-12 * P.max()
    assert P.nnz == A.nnz
    assert (stored != A).nnz == 0
    assert P.dtype == np.float64
