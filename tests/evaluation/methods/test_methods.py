import random
import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh

from graphne_viz._threads import ThreadTeam
from graphne_viz.evaluation.methods import drgraph, forceatlas2, kernels, libraries, sgtsnepi, tfdp
from graphne_viz.evaluation.methods.registry import FLAT_METHODS, find_method, run_method
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.affinity import jaccard

OURS = ("forceatlas2", "tfdp", "drgraph")
"""Without a package to check them against."""


@pytest.fixture(scope="module")
def caves():
    return nx.connected_caveman_graph(20, 8)


@pytest.fixture(scope="module")
def in_parts():
    """A path of two nodes, a star, a clique, a club, a triangle and isolates."""
    graphs = [nx.path_graph(2), nx.star_graph(20), nx.complete_graph(12), nx.karate_club_graph(), nx.complete_graph(3)]
    return nx.disjoint_union_all([*graphs, nx.empty_graph(3)])


@pytest.fixture(scope="module")
def club():
    """Adjacency of a connected graph with weights, and random points."""
    return as_graph(nx.karate_club_graph()).adjacency, np.random.default_rng(0).normal(0, 2, (34, 2))


def sums(points, strength):
    """Sum over all j of strength(|y_i - y_j|^2) (y_i - y_j), slow and obvious, shape (n, 2)."""
    out = np.zeros_like(points)
    for i, here in enumerate(points):
        for j, there in enumerate(points):
            if i != j:
                out[i] += strength(i, j, ((here - there) ** 2).sum()) * (here - there)
    return out


@pytest.mark.parametrize("name", FLAT_METHODS)
def test_every_method_brings_neighbours_together(name, caves):
    outcome = run_method(name, caves)
    assert outcome.points.shape == (160, 2)
    assert outcome.by
    shuffled = neighbor_recall(caves, np.random.default_rng(0).permutation(outcome.points))
    least = {"laplacian": 0.6, "spring": 0.6, "drl": 0.6}.get(name, 0.8)
    assert shuffled < 0.15
    # Several seeds: where one ends may depend on how a processor rounds.
    others = [run_method(name, caves, seed=seed) for seed in range(1, 5)]
    assert np.mean([neighbor_recall(caves, one.points) for one in [outcome, *others]]) > least


@pytest.mark.parametrize("name", FLAT_METHODS)
def test_parts_and_isolates_get_places_of_their_own(name, in_parts):
    points = run_method(name, in_parts, seed=3).points
    assert np.isfinite(points).all()
    parts = [sorted(nodes) for nodes in nx.connected_components(in_parts)]
    centers = np.array([points[nodes].mean(axis=0) for nodes in parts])
    reach = np.array([np.linalg.norm(points[nodes] - c, axis=1).max() for nodes, c in zip(parts, centers, strict=True)])
    for a, b in zip(*np.triu_indices(5, 1), strict=True):
        # Centres of mass are not those of the discs, so that circles around them may overlap a little.
        assert np.linalg.norm(centers[a] - centers[b]) > 0.8 * (reach[a] + reach[b])
    assert len(np.unique(points[-3:], axis=0)) == 3


@pytest.mark.parametrize("name", FLAT_METHODS)
def test_the_seed_decides(name):
    G = nx.disjoint_union(nx.karate_club_graph(), nx.empty_graph(2))
    first, again, other = (run_method(name, G, seed=seed).points for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other) or name == "laplacian"


@pytest.mark.parametrize("name", FLAT_METHODS)
@pytest.mark.parametrize("edges", [[(0, 1)], [(0, 1), (1, 2), (2, 0)], [(0, k) for k in range(1, 30)]])
def test_the_smallest_graphs_are_placed(name, edges):
    points = run_method(name, nx.Graph(edges)).points
    assert np.isfinite(points).all()
    assert len(np.unique(points, axis=0)) > 1


def test_the_tree_sums_what_all_pairs_do():
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(size=(300, 2)), rng.normal(5, 1e-3, (60, 2)), np.full((7, 2), 2.0)])
    mass = rng.uniform(1, 9, len(points))
    order = np.empty(len(points), np.int64)
    first, last, after = np.empty((3, 4000), np.int64)
    cells, push = np.empty((4000, 4)), np.empty_like(points)
    n_cells = kernels.plant(points, mass, order, first, last, after, cells)
    assert sorted(order) == list(range(len(points)))
    assert cells[0, 0] == pytest.approx(mass.sum())
    exact = sums(points, lambda i, j, s: mass[i] * mass[j] / s if s else 0.0)
    for theta, most in ((1e-6, 1e-9), (1.2, 0.05)):
        kernels.repel(0, len(points), points, mass, order, first, last, after, cells, n_cells, theta, push)
        assert np.linalg.norm(push - exact) < most * np.linalg.norm(exact)
    assert kernels.plant(points, mass, order, *np.empty((3, 10), np.int64), cells) == -1


def test_forceatlas2_has_the_published_forces(club):
    adjacency, points = club
    mass = 1 + np.diff(adjacency.indptr)
    A = adjacency.toarray()
    expected = sums(points, lambda i, j, s: 3 * mass[i] * mass[j] / s - A[i, j])
    expected -= 0.5 * mass[:, None] * points / np.linalg.norm(points, axis=1, keepdims=True)
    with ThreadTeam(2) as team:
        forces = forceatlas2._Forces(adjacency, 3, 0.5, 1e-6, team)(points)
    np.testing.assert_allclose(forces, expected, rtol=1e-9)


@pytest.mark.parametrize("gamma", [2, 3.5])
def test_tfdp_has_the_published_forces(club, gamma):
    adjacency, points = club
    degree = np.diff(adjacency.indptr)
    A = adjacency.toarray() > 0
    pull = -sums(points, lambda i, j, s: A[i, j] * (degree[j] / (degree[i] + degree[j]) + 8 / (1 + s)))
    push = sums(points, lambda _i, _j, s: 10 / (1 + s) ** gamma)
    with ThreadTeam(1) as team:
        forces = tfdp._Forces(adjacency, 0.1, 8, gamma, team)
        np.testing.assert_allclose(forces.pull(points), pull, rtol=1e-9)
        np.testing.assert_allclose(forces.push(points), push, rtol=1e-3, atol=1e-4)


def test_tfdp_repels_right_where_nodes_crowd():
    n = 1500
    points = np.random.default_rng(0).normal(size=(n, 2)) / 10 + [0.4, 0.2]
    points[:150] *= 30  # eigenmaps, from which it starts, have most nodes on nearly one spot and a few far out
    ring = sp.csr_array(nx.to_scipy_sparse_array(nx.cycle_graph(n)))
    apart = points[:, None] - points
    push = (apart * (10 / (1 + (apart**2).sum(axis=2)) ** 2)[:, :, None]).sum(axis=1)
    with ThreadTeam(1) as team:
        found = tfdp._Forces(ring, 0.1, 8, 2, team).push(points)
    assert np.linalg.norm(found - push) < 1e-5 * np.linalg.norm(push)


def test_tables_draw_in_proportion_to_the_weights():
    weights = np.random.default_rng(0).uniform(0, 1, 50) ** 4
    share, other = drgraph._table(weights)
    chances = share.copy()
    np.add.at(chances, other, 1 - share)
    np.testing.assert_allclose(chances / 50, weights / weights.sum(), atol=1e-12)


def test_samples_follow_the_published_gradient():
    points = np.array([[0.0, 0.0], [0.15, 0.2], [0.0, 5.0]])
    edge, node = drgraph._table(np.ones(1)), drgraph._table(np.array([0.0, 0.0, 1.0]))
    moved = points.copy()
    arguments = (np.array([0]), np.array([1]), np.arange(3), *edge, *node, np.ones(1, np.uint64), moved)
    kernels.sample(1, 0.1, 2.0, 1, *arguments)

    def loss(y):
        near, far = ((y[0] - y[1]) ** 2).sum(), ((y[0] - y[2]) ** 2).sum()
        return np.log(1 + 2 * near) - 2 * np.log(far / (1 + 2 * far))

    step = 1e-6
    slopes = [(loss(points + step * e) - loss(points - step * e)) / (2 * step) for e in np.eye(6).reshape(6, 3, 2)]
    np.testing.assert_allclose(moved - points, -0.1 * np.reshape(slopes, (3, 2)), atol=1e-4)


def test_levels_merge_neighbours_and_get_smaller(caves):
    adjacency = as_graph(nx.barabasi_albert_graph(3000, 2, seed=0)).adjacency
    levels = drgraph.coarsen(adjacency, np.random.default_rng(0))
    sizes = [len(np.unique(groups)) for groups in levels]
    assert sizes == sorted(sizes, reverse=True)
    assert len(levels) > 1
    assert sizes[0] < 1800
    assert all(len(groups) == 3000 for groups in levels)
    groups = drgraph.coarsen(as_graph(caves).adjacency, np.random.default_rng(0))[0]
    for group in range(groups.max() + 1):
        nodes = np.flatnonzero(groups == group)
        assert any({*nodes} <= {node, *caves[node]} for node in nodes)


@pytest.mark.parametrize("dim", [2, 5, 20])
def test_eigenmaps_solve_the_generalised_problem(dim):
    G = nx.random_geometric_graph(150, 0.2, seed=1)
    assert nx.is_connected(G)
    A = nx.to_numpy_array(G)
    D = np.diag(A.sum(axis=1))
    values, vectors = eigh(D - A, D)
    points = run_method("laplacian", G, dim=dim).points
    expected = vectors[:, 1 : dim + 1] * np.sqrt(A.sum())
    # Beyond a few dimensions the functions are near the smoothest ones, not exactly them.
    overlap = np.abs(np.einsum("ij,ij,i->j", points, expected, np.diag(D))) / A.sum()
    assert overlap[:2].min() > 0.999
    stretch = np.einsum("ij,ij->j", points, (D - A) @ points) / A.sum()
    np.testing.assert_allclose(stretch.sum(), values[1 : dim + 1].sum(), rtol=1e-4 if dim <= 8 else 0.05)


def test_eigenmaps_in_many_dimensions_keep_parts_together(in_parts):
    points = run_method("laplacian", in_parts, dim=16).points
    assert points.shape == (75, 16)
    assert neighbor_recall(in_parts, points) > 0.5


def test_a_graph_with_structure_is_told_from_one_without():
    blocks = nx.planted_partition_graph(4, 60, 0.3, 0.005, seed=0)
    classes = np.repeat(np.arange(4), 60)
    for name in OURS:
        points = run_method(name, blocks).points
        centers = np.array([points[classes == k].mean(axis=0) for k in range(4)])
        nearest = np.linalg.norm(points[:, None] - centers, axis=2).argmin(axis=1)
        assert (nearest == classes).mean() > 0.95, name


def test_weights_count_where_a_method_has_them():
    G = nx.planted_partition_graph(2, 30, 0.5, 0.5, seed=0)
    for u, v, record in G.edges(data=True):
        record["weight"] = 20.0 if (u < 30) == (v < 30) else 0.05
    classes = np.arange(60) < 30
    for name in ("forceatlas2", "drgraph", "umap", "spring", "drl", "laplacian"):
        points = run_method(name, G).points
        apart = np.linalg.norm(points[classes].mean(axis=0) - points[~classes].mean(axis=0))
        within = np.mean([points[side].std(axis=0).max() for side in (classes, ~classes)])
        assert apart > 2 * within, name


def test_sgtsnepi_says_which_engine_it_was(monkeypatch, caves):
    monkeypatch.setitem(sys.modules, "sgtsnepi", None)
    assert run_method("sgtsnepi", caves).by == "graphne_viz, normalization='sgtsne'"
    given = {}

    def run(matrix, **options):
        given.update(options, matrix=matrix)
        return options["y0"]

    monkeypatch.setitem(sys.modules, "sgtsnepi", SimpleNamespace(sgtsnepi=run))
    outcome = run_method("sgtsnepi", caves, seed=5)
    assert outcome.by.startswith("sgtsnepi ")
    assert outcome.points.shape == (160, 2)
    assert (given["lambda_par"], given["max_iter"], given["early_exag"]) == (10, 1000, 250)
    adjacency = as_graph(caves).adjacency
    np.testing.assert_allclose(given["matrix"].toarray(), _weighed(adjacency).toarray())
    np.testing.assert_array_equal(outcome.points, run_method("sgtsnepi", caves, seed=5).points)


def _weighed(adjacency):
    return sp.csr_array((adjacency.data * jaccard(adjacency), adjacency.indices, adjacency.indptr))


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch, caves):
    monkeypatch.setitem(sys.modules, "igraph", None)
    for name in ("umap", "drl"):
        with pytest.raises(ImportError, match=f"^{name} needs igraph: pip install igraph$"):
            run_method(name, caves)
    outcome = run_method("spring", caves)
    assert outcome.by.startswith("spring_layout of networkx")
    assert neighbor_recall(caves, outcome.points) > 0.5


def test_pythons_own_random_numbers_stay_as_they_were(caves):
    state = random.getstate()
    run_method("umap", caves, epochs=5)
    assert random.getstate() == state


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("forceatlas2", {"n_iter": -1}, "n_iter must be"),
        ("forceatlas2", {"theta": 0}, "theta must be"),
        ("forceatlas2", {"gravity": -1}, "gravity must be"),
        ("tfdp", {"gamma": 1}, "gamma must be above 1, got 1"),
        ("tfdp", {"alpha": -2}, "alpha must be"),
        ("drgraph", {"n_negative": 0}, "n_negative must be"),
        ("drgraph", {"repulsion": 0}, "repulsion must be"),
        ("sgtsnepi", {"n_iter": 100}, "n_iter must be"),
        ("umap", {"epochs": 0}, "epochs must be"),
        ("umap", {"min_dist": -0.1}, r"min_dist must be finite and at least 0, got -0\.1"),
        ("umap", {"min_dist": np.inf}, "min_dist must be finite and at least 0, got inf"),
        ("graphne", {"dim": -5}, "dim must be at least 2, got -5"),
        ("laplacian", {"seed": -1}, "seed must be at least 0, got -1"),
        ("spring", {"n_iter": 0}, "n_iter must be"),
        ("graphne", {"normalization": "none"}, "normalization must be"),
    ],
)
def test_bad_options_are_refused(name, options, message, caves):
    with pytest.raises(ValueError, match=message):
        run_method(name, caves, **options)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("laplacian", {"dim": "a"}, "dim must be an integer, got 'a'"),
        ("laplacian", {"dim": 2.5}, r"dim must be an integer, got 2\.5"),
        ("spring", {"seed": "a"}, "seed must be an integer, got 'a'"),
        ("graphne", {"seed": 1.5}, r"seed must be an integer, got 1\.5"),
        ("umap", {"min_dist": "near"}, "min_dist must be a number, got 'near'"),
    ],
)
def test_options_of_other_types_are_refused(name, options, message, caves):
    with pytest.raises(TypeError, match=message):
        run_method(name, caves, **options)


def test_unknown_names_and_options_are_refused(caves):
    with pytest.raises(ValueError, match="unknown method 'tsnet'; in 2 dimensions there are graphne, sgtsnepi"):
        find_method("tsnet")
    with pytest.raises(ValueError, match="unknown method 'drl'; in 128 dimensions there are"):
        find_method("drl", 128)
    with pytest.raises(TypeError, match="laplacian has no option 'colour'; it has none"):
        run_method("laplacian", caves, colour=1)
    with pytest.raises(ValueError, match="at least one edge"):
        run_method("tfdp", nx.empty_graph(3))
    for layout in (forceatlas2.layout, tfdp.layout, drgraph.layout, sgtsnepi.layout, libraries.umap, libraries.drl):
        with pytest.raises(ValueError, match="in 2 dimensions only, got dim=1"):
            layout(as_graph(caves), dim=1, seed=0)
