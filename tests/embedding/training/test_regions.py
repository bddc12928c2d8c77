"""Batches from regions of a large graph."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz.embedding.distributed.local_edges import LocalEdges
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.training.edges.edge_order import EdgeOrder, balanced_weights
from graphne_viz.embedding.training.edges.regions import Regions
from graphne_viz.embedding.training.settings import FEWEST_EPOCHS, LEAST_EPOCHS, enough_epochs
from graphne_viz.embedding.training.training import Training
from graphne_viz.graphs.convert.api import as_graph

GRID = as_graph(nx.convert_node_labels_to_integers(nx.grid_2d_graph(60, 60)))
PARTS = as_graph(
    nx.disjoint_union_all([nx.path_graph(400), *[nx.cycle_graph(9)] * 60, nx.star_graph(300), nx.empty_graph(7)])
)


def regions_of(graph, nodes, seed=0):
    return Regions(graph, nodes).grow(np.random.default_rng(seed))


@pytest.mark.parametrize("graph", [GRID, PARTS], ids=["grid", "parts"])
@pytest.mark.parametrize("nodes", [1, 50, 200, 10_000])
def test_every_node_is_in_one_region_of_limited_size(graph, nodes):
    labels, count = regions_of(graph, nodes)
    sizes = np.bincount(labels, minlength=count)
    assert labels.min() == 0
    assert len(sizes) == count
    assert sizes.min() >= 1
    assert sizes.max() <= nodes


@pytest.mark.parametrize("graph", [GRID, PARTS], ids=["grid", "parts"])
def test_regions_are_connected(graph):
    labels, count = regions_of(graph, 120)
    left, right = graph.pairs.T
    inside = nx.Graph(graph.pairs[labels[left] == labels[right]].tolist())
    inside.add_nodes_from(range(graph.n_nodes))
    assert nx.number_connected_components(inside) == count


def test_most_edges_of_a_grid_lie_within_regions():
    labels, _ = regions_of(GRID, 200)
    assert np.mean(labels[GRID.pairs[:, 0]] == labels[GRID.pairs[:, 1]]) > 0.8


def test_regions_differ_from_epoch_to_epoch_and_follow_from_the_seed():
    first, again, other = (regions_of(GRID, 200, seed)[0] for seed in (0, 0, 1))
    left, right = GRID.pairs.T
    assert np.array_equal(first, again)
    assert not np.array_equal(first[left] == first[right], other[left] == other[right])


def steps_of(graph, nodes, epoch=0):
    order = EdgeOrder(balanced_weights(graph), Regions(graph, nodes))
    return order.steps(3, epoch, 20, 64)


def nearness(steps):
    """Mean share of pairs of nodes, of batches of edges between them, that are at most 20 steps of the grid apart."""
    shares = []
    for batch in (batch for step in steps for batch in step):
        rows, columns = np.divmod(batch.ravel(), 60)
        apart = np.abs(rows[:, None] - rows) + np.abs(columns[:, None] - columns)
        shares.append(np.mean(apart <= 20))
    return np.mean(shares)


def test_batches_lie_in_regions_and_steps_everywhere():
    whole, parted = steps_of(GRID, 10_000), steps_of(GRID, 200)
    near, far = ([[GRID.pairs[batch] for batch in step] for step in steps] for steps in (parted, whole))
    assert nearness(near) > 2.5 * nearness(far)
    rows = np.divmod(GRID.pairs[np.concatenate(parted[0])].ravel(), 60)
    assert all(np.ptp(row) > 30 for row in rows)


def test_an_epoch_visits_as_many_edges_in_batches_as_large():
    whole, parted = steps_of(PARTS, 10_000), steps_of(PARTS, 100)
    assert sum(len(batch) for step in parted for batch in step) == PARTS.n_edges
    assert len(parted) == len(whole)
    assert max(len(batch) for step in parted for batch in step) <= 64
    weights = balanced_weights(PARTS)
    expected = weights / weights.sum() * PARTS.n_edges
    visits = np.bincount(np.concatenate([batch for step in parted for batch in step]), minlength=PARTS.n_edges)
    assert (np.abs(visits - expected) < 1).all()


def test_small_graphs_have_one_region_and_the_same_batches_as_without():
    with_one = steps_of(GRID, 3600)
    without = EdgeOrder(balanced_weights(GRID)).steps(3, 0, 20, 64)
    assert Regions(GRID, 3600).count == 1
    for one, other in zip(with_one, without, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_large_graph_needs_fewer_epochs_to_a_limit():
    class Counts:
        def __init__(self, n_nodes):
            self.n_nodes, self.n_pairs = n_nodes, 7 * n_nodes
            self.degrees = np.full(n_nodes, 14)

    epochs = [enough_epochs(Counts(n)) for n in (1000, 20_000, 170_000, 10**6, 10**7)]
    assert epochs[0] == epochs[1] == FEWEST_EPOCHS
    assert epochs == sorted(epochs, reverse=True)
    assert 12 <= epochs[2] <= 16
    assert epochs[-1] >= LEAST_EPOCHS


def test_only_the_default_has_regions():
    assert Training(GRID, 8).settings.defaults.region
    assert Training(GRID, 8, preset="paper").settings.defaults.region is None


def test_a_process_that_shares_a_graph_has_batches_in_regions_too():
    def batches_of(nodes):
        edges = LocalEdges(Peers(), [0, GRID.n_nodes], GRID.adjacency, balanced=True, region=nodes)
        chunks = edges.chunks(0, 0, 3)
        rng = np.random.default_rng(0)
        steps = [edges.steps(chunk, 10, 64, rng) for chunk in chunks]
        assert sum(len(step) for chunk in steps for step in chunk) == GRID.n_edges
        return [np.array_split(step, -(-len(step) // 64)) for chunk in steps for step in chunk]

    assert nearness(batches_of(200)) > 2 * nearness(batches_of(10_000))
    assert all(len(batch) <= 64 for step in batches_of(200) for batch in step)


def test_chunks_of_a_shared_graph_are_as_long_as_each_other():
    edges = LocalEdges(Peers(), [0, GRID.n_nodes], GRID.adjacency, balanced=True, region=200)
    lengths = [len(chunk) for chunk in edges.chunks(0, 0, 7)]
    assert np.ptp(lengths) <= 80
    assert sum(lengths) == GRID.n_edges
