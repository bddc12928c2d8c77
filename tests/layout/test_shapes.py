"""Well-known graphs come out as one expects: nothing collapses, nothing flies away, neighbours are near."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial import cKDTree

from graphne_viz import graphne_layout


def rows(G, **keywords):
    if keywords.get("engine") == "opentsne":
        keywords["n_jobs"] = 1  # its threads wait for each other longer than they work
    return np.array(list(graphne_layout(G, **keywords).values()))


def span(points):
    return np.ptp(points, axis=0).max()


def nearest(points):
    """Each point's distance to its nearest other point."""
    return cKDTree(points).query(points, k=2)[0][:, 1]


def pitch(points):
    """How far apart nodes would be on a regular grid of the same span."""
    return span(points) / np.sqrt(len(points))


def assert_no_collapse(points, share):
    """No two nodes are closer than a share of that."""
    assert np.isfinite(points).all()
    assert nearest(points).min() > share * pitch(points)


def assert_no_outliers(points, times=4):
    """No node is many times farther from the middle than half of the nodes are."""
    radius = np.hypot(*(points - np.median(points, axis=0)).T)
    assert radius.max() < times * np.median(radius)


def recall(G, points, among=8):
    """Mean share of each node's neighbours among its nearest nodes, eight as on a grid."""
    number = {v: i for i, v in enumerate(G)}
    near = cKDTree(points).query(points, k=among + 1)[1][:, 1:]
    return np.mean([np.isin([number[u] for u in G[v]], near[number[v]]).mean() for v in G if G[v]])


# tiny graphs


def test_no_node_and_one_node():
    assert graphne_layout(nx.empty_graph()) == {}
    assert rows(nx.path_graph(1)).tolist() == [[0, 0]]


@pytest.mark.parametrize("engine", ["auto", "exact", "mesh", "opentsne"])
@pytest.mark.parametrize("edges", [[], [(0, 1)]], ids=["two isolates", "an edge"])
def test_two_nodes_are_one_span_apart(edges, engine):
    G = nx.empty_graph(2)
    G.add_edges_from(edges)
    points = rows(G, engine=engine)
    assert span(points) == pytest.approx(2)
    assert points[0] == pytest.approx(-points[1])


@pytest.mark.parametrize("engine", ["auto", "exact", "mesh", "opentsne"])
def test_three_nodes(engine):
    points = rows(nx.path_graph(3), engine=engine)
    a, b, c = points
    ends = np.hypot(*(a - c))
    assert ends > np.hypot(*(a - b))
    assert ends > np.hypot(*(b - c))
    assert 0.5 < np.hypot(*(a - b)) / np.hypot(*(b - c)) < 2
    assert_no_collapse(points, 0.3)
    for G in (nx.complete_graph(3), nx.empty_graph(3), nx.Graph([(0, 1), (2, 2)])):
        points = rows(G, engine=engine)
        sides = sorted(np.hypot(*(points[i] - points[j])) for i, j in [(0, 1), (0, 2), (1, 2)])
        assert sides[0] > 0.25 * sides[2]


def test_a_triangle_is_equilateral():
    for points in (rows(nx.complete_graph(3)), rows(nx.complete_graph(3), seed=5)):
        sides = sorted(np.hypot(*(points[i] - points[j])) for i, j in [(0, 1), (0, 2), (1, 2)])
        assert sides[0] > 0.8 * sides[2]


@pytest.mark.parametrize("G", nx.graph_atlas_g()[2:53], ids=lambda G: G.name)
def test_every_graph_of_two_to_five_nodes(G):
    points = rows(G)
    assert span(points) == pytest.approx(2)
    assert_no_collapse(points, 0.1)


# families

FAMILIES = {
    "star 5": nx.star_graph(5),
    "star 50": nx.star_graph(50),
    "star 1500": nx.star_graph(1500),
    "path 4": nx.path_graph(4),
    "path 30": nx.path_graph(30),
    "path 500": nx.path_graph(500),
    "clique 4": nx.complete_graph(4),
    "clique 10": nx.complete_graph(10),
    "clique 100": nx.complete_graph(100),
    "cycle 4": nx.cycle_graph(4),
    "cycle 50": nx.cycle_graph(50),
    "cycle 500": nx.cycle_graph(500),
    "binary tree": nx.balanced_tree(2, 7),
    "bushy tree": nx.balanced_tree(9, 3),
    "grid": nx.grid_2d_graph(12, 12),
    "long grid": nx.grid_2d_graph(3, 60),
    "large grid": nx.grid_2d_graph(40, 40),
    "barbell": nx.barbell_graph(20, 10),
    "lollipop": nx.lollipop_graph(30, 30),
    "bipartite": nx.complete_bipartite_graph(3, 40),
    "balanced bipartite": nx.complete_bipartite_graph(30, 30),
    "caveman": nx.connected_caveman_graph(20, 8),
    "wheel": nx.wheel_graph(40),
    "karate": nx.karate_club_graph(),
    "scale-free": nx.barabasi_albert_graph(800, 2, seed=0),
}


TWINS = {"star 1500", "barbell", "lollipop", "bipartite", "balanced bipartite", "caveman"}
"""Graphs with nodes of the same neighbours, which t-SNE itself puts nearly at one place."""


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_collapses_and_nothing_flies_away(name):
    points = rows(FAMILIES[name])
    assert np.isfinite(points).all()
    assert len(np.unique(points, axis=0)) == len(points)
    assert_no_outliers(points, times=6)
    assert np.ptp(points, axis=0).max() == pytest.approx(2)
    if name not in TWINS:
        near = nearest(points) / pitch(points)
        assert np.mean(near < 0.01) <= 0.002  # nodes drawn at the same place as another
        assert np.median(near) > 0.1


@pytest.mark.parametrize("name", ["barbell", "lollipop", "balanced bipartite"])
def test_the_mesh_keeps_apart_what_the_exact_sum_keeps_apart(name):
    together = {}
    for engine in ("exact", "mesh"):
        points = rows(FAMILIES[name], engine=engine)
        together[engine] = np.mean(nearest(points) < 0.01 * pitch(points))
    assert together["mesh"] < together["exact"] + 0.15


@pytest.mark.parametrize("engine", ["exact", "mesh"])
@pytest.mark.parametrize("n", [4, 5, 7, 10, 30, 100])
def test_a_clique_is_round_and_even(n, engine):
    points = rows(nx.complete_graph(n), engine=engine)
    extent = np.ptp(points, axis=0)
    assert extent.min() > 0.6 * extent.max()
    assert_no_collapse(points, 0.25)


@pytest.mark.parametrize("n", [5, 50])
def test_a_stars_leaves_surround_its_hub(n):
    hub, *leaves = rows(nx.star_graph(n))
    arms = np.array(leaves) - hub
    assert np.hypot(*arms.mean(axis=0)) < 0.35
    angles = np.sort(np.arctan2(*arms.T))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    assert gaps.max() < np.pi  # they are on all sides


@pytest.mark.parametrize("n", [5, 12, 30])
def test_the_leaves_of_a_star_that_fit_on_a_circle_stand_at_equal_angles(n):
    hub, *leaves = rows(nx.star_graph(n))
    arms = np.array(leaves) - hub
    angles = np.sort(np.arctan2(*arms.T))
    assert np.diff(angles) == pytest.approx(2 * np.pi / n, rel=1e-6)
    assert np.hypot(*arms.T) == pytest.approx(np.hypot(*arms[0]), rel=1e-6)


@pytest.mark.parametrize("n", [4, 8, 30, 200])
def test_a_path_is_laid_out_in_order(n):
    points = rows(nx.path_graph(n))
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert steps.max() < 4 * np.median(steps)
    distance = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    first = distance.argmin(axis=1)
    assert np.mean(np.abs(first - np.arange(n)) == 1) > 0.95


@pytest.mark.parametrize("n", [5, 30, 200])
def test_a_cycle_is_laid_out_in_order(n):
    points = rows(nx.cycle_graph(n))
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    assert steps.max() < 4 * np.median(steps)
    distance = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    away = np.abs(distance.argmin(axis=1) - np.arange(n))
    assert np.mean(np.minimum(away, n - away) == 1) > 0.95


@pytest.mark.parametrize("engine", ["exact", "mesh"])
@pytest.mark.parametrize("sides", [(6, 6), (20, 20), (8, 30)], ids=str)
def test_a_grid_keeps_its_neighbours(sides, engine):
    G = nx.grid_2d_graph(*sides)
    assert recall(G, rows(G, engine=engine)) > 0.9


def test_a_trees_children_are_near_their_parents():
    G = nx.balanced_tree(3, 5)
    points = rows(G)
    edges = np.array(G.edges)
    length = np.hypot(*(points[edges[:, 0]] - points[edges[:, 1]]).T)
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, len(G), (2000, 2))
    anywhere = np.hypot(*(points[pairs[:, 0]] - points[pairs[:, 1]]).T)
    assert np.median(length) < 0.2 * np.median(anywhere)


def test_a_barbells_bells_are_apart_and_its_bar_between_them():
    points = rows(nx.barbell_graph(20, 6))
    left, bar, right = points[:20], points[20:26], points[26:]
    apart = np.hypot(*(left.mean(axis=0) - right.mean(axis=0)))
    for bell in (left, right):
        assert np.hypot(*(bell - bell.mean(axis=0)).T).max() < 0.5 * apart
    along = (bar - left.mean(axis=0)) @ (right.mean(axis=0) - left.mean(axis=0)) / apart**2
    assert np.all(np.diff(along) > 0)
    assert along.min() > 0
    assert along.max() < 1


def planted(groups, size, p_in, p_out, seed=0):
    """Adjacency of a planted partition, and the class of each node."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(groups), size)
    same = classes[:, None] == classes
    upper = np.triu(rng.random(same.shape) < np.where(same, p_in, p_out), 1)
    return sp.csr_array((upper | upper.T).astype(float)), classes


def accuracy(points, classes):
    """How often the nearest other node is of the same class."""
    return np.mean(classes[cKDTree(points).query(points, k=2)[1][:, 1]] == classes)


@pytest.mark.parametrize("initialization", ["random", "spectral"])
@pytest.mark.parametrize("engine", ["exact", "mesh"])
def test_a_planted_partition_is_found(engine, initialization):
    A, classes = planted(10, 60, 0.2, 0.002)
    start = np.random.default_rng(1).normal(size=(len(classes), 2))
    assert accuracy(start, classes) < 0.5
    early = graphne_layout(A, initialization="random", n_iter=0, early_exaggeration_iter=0)
    assert accuracy(early, classes) < 0.5
    points = graphne_layout(A, initialization=initialization, engine=engine)
    assert accuracy(points, classes) > 0.95


def test_a_planted_partition_is_found_from_any_start_array():
    A, classes = planted(10, 60, 0.2, 0.002)
    start = np.random.default_rng(1).normal(size=(len(classes), 2)) * 1e4 + 1e6
    assert accuracy(graphne_layout(A, initialization=start), classes) > 0.95
    assert accuracy(graphne_layout(A, pos=start), classes) > 0.95


# several parts


def circles(points, labels):
    """Centre and radius of a circle around each part, and the number of its nodes."""
    centers, radii, counts = [], [], []
    for label in np.unique(labels):
        own = points[labels == label]
        middle = (own.min(axis=0) + own.max(axis=0)) / 2
        # Moving towards the farthest node again and again finds the smallest circle well enough.
        for step in range(1, 150):
            far = own[np.argmax(((own - middle) ** 2).sum(axis=1))]
            middle = middle + (far - middle) / (step + 1)
        centers.append(middle)
        radii.append(np.hypot(*(own - middle).T).max())
        counts.append(len(own))
    return np.array(centers), np.array(radii), np.array(counts)


def many_parts(sizes, seed=0):
    """Paths, cycles, cliques, trees and stars in turn, their nodes shuffled, and the part of each node."""
    makes = (nx.path_graph, nx.cycle_graph, nx.complete_graph, nx.star_graph, nx.path_graph)
    graphs = []
    for k, size in enumerate(sizes):
        make = makes[k % len(makes)]
        graphs.append(make(size - 1) if make is nx.star_graph else make(size))
    whole = nx.disjoint_union_all(graphs)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    order = np.random.default_rng(seed).permutation(len(labels))
    G = nx.Graph()
    G.add_nodes_from(order.tolist())
    G.add_edges_from(whole.edges)
    return G, labels[order]


def test_three_hundred_parts_do_not_overlap():
    sizes = np.random.default_rng(0).integers(2, 40, 300)
    G, labels = many_parts(sizes)
    points = rows(G)
    assert len(np.unique(points, axis=0)) == len(points)
    centers, radii, counts = circles(points, labels)
    distance = np.hypot(*(centers[:, None] - centers).transpose(2, 0, 1))
    room = distance - radii[:, None] - radii
    np.fill_diagonal(room, np.inf)
    assert room.min() > -5e-3 * span(points)
    # area by number of nodes, and packed tightly: the discs of the parts cover much of the picture
    large = counts > 10
    share = radii[large] ** 2 / counts[large]
    assert share.max() < 2.5 * share.min()
    assert np.pi * (radii**2).sum() > 0.3 * np.pi * (span(points) / 2) ** 2


def test_parts_of_very_different_size_do_not_overlap():
    G, labels = many_parts(np.append([1200, 300, 100], np.full(60, 3)))
    points = rows(G)
    centers, radii, _ = circles(points, labels)
    distance = np.hypot(*(centers[:, None] - centers).transpose(2, 0, 1))
    room = distance - radii[:, None] - radii
    np.fill_diagonal(room, np.inf)
    assert room.min() > -5e-3 * span(points)


def test_a_part_looks_the_same_beside_others():
    grid = nx.grid_2d_graph(12, 12)
    G = nx.union(grid, nx.path_graph(50))
    points = rows(G)[: len(grid)]
    assert recall(grid, points) > 0.9


@pytest.mark.parametrize("isolates", [1, 3, 40])
def test_isolates_stand_around_the_others_and_not_far_away(isolates):
    G = nx.connected_watts_strogatz_graph(60, 6, 0.1, seed=0)
    G.add_nodes_from(f"alone {k}" for k in range(isolates))
    points = rows(G)
    crowd, alone = points[:60], points[60:]
    middle = (crowd.max(axis=0) + crowd.min(axis=0)) / 2
    radius = np.hypot(*(crowd - middle).T).max()
    assert np.hypot(*(alone - middle).T).max() < 1.8 * radius
    assert np.hypot(*(alone - middle).T).min() > 0.9 * radius
    if isolates > 1:
        assert np.hypot(*(alone.mean(axis=0) - middle)) < 0.2 * radius
    near = cKDTree(points).query(alone, k=2)[0][:, 1]
    assert near.min() > 0.3 * np.median(nearest(crowd))


def test_isolates_anywhere_in_the_order_of_nodes():
    G = nx.Graph()
    G.add_nodes_from(range(90))
    nx.add_cycle(G, range(1, 90, 3))
    points = rows(G)
    assert len(np.unique(points, axis=0)) == 90
    ring = np.arange(1, 90, 3)
    step = np.hypot(*(points[ring] - np.roll(points[ring], 1, axis=0)).T)
    assert step.max() < 3 * np.median(step)


@pytest.mark.parametrize("n", [2, 7, 100, 5000])
def test_only_isolates(n):
    points = rows(nx.empty_graph(n))
    assert_no_collapse(points, 0.5)
    assert_no_outliers(points)


def test_one_giant_and_many_isolates():
    giant = nx.grid_2d_graph(36, 36)
    G = giant.copy()
    G.add_nodes_from(range(400))
    points = rows(G)
    crowd, alone = points[: len(giant)], points[len(giant) :]
    assert recall(giant, crowd) > 0.85
    # each takes a share of the picture by its number of nodes, the isolates in rings around the giant
    away = np.hypot(*(alone - (points.max(axis=0) + points.min(axis=0)) / 2).T)
    areas = [np.prod(np.ptp(crowd, axis=0)) / len(crowd), np.pi * (away.max() ** 2 - away.min() ** 2) / len(alone)]
    assert 0.25 < areas[0] / areas[1] < 4
    assert span(crowd) > 0.5 * span(points)


def test_twenty_thousand_tiny_parts():
    n = 20_000
    starts = np.arange(n) * 3
    edges = np.concatenate([np.column_stack([starts, starts + 1]), np.column_stack([starts, starts + 2])])
    points = graphne_layout(edges, n_iter=100, early_exaggeration_iter=50)
    assert points.shape == (3 * n, 2)
    assert np.isfinite(points).all()
    apart = np.hypot(*(points[starts] - points[starts + 1]).T)
    assert apart.min() > 0
    assert apart.max() < 0.05
    triple = points.reshape(n, 3, 2)
    nearby = cKDTree(triple.mean(axis=1)).query(triple.mean(axis=1), k=2)[0][:, 1]
    assert nearby.min() > 0.9 * apart.max()


@pytest.mark.parametrize("engine", ["exact", "mesh", "opentsne"])
def test_parts_are_packed_by_every_engine(engine):
    G, labels = many_parts([60, 8, 5, 2, 2])
    points = rows(G, engine=engine, n_iter=40, early_exaggeration_iter=20)
    centers, radii, _ = circles(points, labels)
    distance = np.hypot(*(centers[:, None] - centers).transpose(2, 0, 1))
    room = distance - radii[:, None] - radii
    np.fill_diagonal(room, np.inf)
    assert room.min() > -5e-3 * span(points)
