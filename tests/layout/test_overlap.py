"""Nodes with a size, and edges of small graphs."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.overlap import PAGE, make_room, remove_overlap
from graphne_viz.layout.small_graphs.evenness import even_edges


def rows(G, **keywords):
    return np.array(list(graphne_layout(G, **keywords).values()))


def overlapping(points, node_size=300.0):
    """Pairs of nodes that overlap by more than a tenth when nx.draw draws them."""
    page = points * PAGE / np.ptp(points, axis=0).max()
    apart = np.linalg.norm(page[:, None] - page, axis=2)
    return int(np.triu(apart < 0.9 * np.sqrt(node_size), 1).sum())


SMALL = {
    "karate": nx.karate_club_graph(),
    "les miserables": nx.les_miserables_graph(),
    "caveman": nx.connected_caveman_graph(8, 8),
    "tree": nx.balanced_tree(2, 5),
    "star": nx.star_graph(20),
}


@pytest.mark.parametrize("name", SMALL)
def test_no_nodes_of_a_small_graph_hide_each_other(name):
    points = rows(SMALL[name])
    assert overlapping(points) <= 2
    assert np.abs(points).max() == pytest.approx(1)


def edge_variation(G, points):
    at = dict(zip(G, points, strict=True))
    lengths = [np.linalg.norm(at[u] - at[v]) for u, v in G.edges]
    return np.std(lengths) / np.mean(lengths)


@pytest.mark.parametrize(
    ("G", "most"),
    [
        (nx.grid_2d_graph(20, 20), 0.12),
        (nx.grid_2d_graph(8, 8), 0.05),
        (nx.path_graph(30), 0.05),
        (nx.cycle_graph(40), 0.05),
        (nx.star_graph(30), 0.05),
    ],
    ids=str,
)
def test_the_edges_of_regular_graphs_are_even(G, most):
    assert edge_variation(G, rows(G)) < most


def test_a_size_of_zero_leaves_nodes_where_t_sne_puts_them():
    G = nx.connected_caveman_graph(8, 8)
    assert overlapping(rows(G, node_size=0)) > 100


def test_sizes_may_be_given_for_graphs_of_any_size():
    G = nx.random_geometric_graph(900, 0.06, seed=1)
    plain, moved = rows(G, scale=None), rows(G, scale=None, node_size=30)
    assert overlapping(plain, 30) > 100
    assert overlapping(moved, 30) < 0.02 * overlapping(plain, 30)


def test_every_node_may_have_a_size_of_its_own():
    points = np.random.default_rng(0).uniform(-1, 1, (60, 2))
    sizes = np.linspace(0.02, 0.12, 60)
    moved = remove_overlap(points, sizes)
    apart = np.linalg.norm(moved[:, None] - moved, axis=2) + 10 * np.eye(60)
    assert (apart > 0.9 * (sizes[:, None] + sizes)).all()


def test_nodes_that_do_not_overlap_stay_where_they_are():
    points = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [9.0, 1.0]])
    moved = remove_overlap(points, 0.5)
    assert np.array_equal(moved[2:], points[2:])
    assert np.linalg.norm(moved[0] - moved[1]) == pytest.approx(1, rel=0.03)
    assert np.linalg.norm(moved - points, axis=1).max() < 0.5


def test_held_nodes_do_not_move():
    points = np.array([[0.0, 0.0], [0.1, 0.0], [3.0, 3.0]])
    moved = remove_overlap(points, 0.5, np.array([True, False, False]))
    assert np.array_equal(moved[0], points[0])
    assert np.linalg.norm(moved[1]) == pytest.approx(1, rel=0.03)


def test_nodes_on_one_point_are_parted():
    moved = make_room(np.append(np.zeros((5, 2)), [[1.0, 1.0], [-1.0, 1.0]], axis=0), 300)
    assert overlapping(moved) == 0


def test_long_edges_between_clusters_stay_long():
    G = nx.connected_caveman_graph(4, 6)
    A = sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))
    rng = np.random.default_rng(0)
    points = np.repeat([[0, 0], [10, 0], [10, 10], [0, 10]], 6, axis=0) + rng.normal(0, 0.5, (24, 2))
    moved = even_edges(A, points)
    middles = moved.reshape(4, 6, 2).mean(axis=1)
    assert np.linalg.norm(middles[0] - middles[2]) > 12


@pytest.mark.parametrize("size", [-1, np.nan, [1.0, 2.0]])
def test_sizes_that_cannot_be_are_refused(size):
    with pytest.raises(ValueError, match="node_size must"):
        graphne_layout(nx.path_graph(5), node_size=size)


@pytest.mark.parametrize("size", ["big", True])
def test_sizes_that_are_no_numbers_are_refused(size):
    with pytest.raises(TypeError, match="node_size must be a number"):
        graphne_layout(nx.path_graph(5), node_size=size)
