"""Parts of a graph: found, given discs that never overlap, and put into them."""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph
from scipy.spatial import cKDTree

from graphne_viz.layout.components import INSET, place, split
from graphne_viz.layout.packing import GAP, SPACING, pack, rings

RNG_SIZES = np.random.default_rng(0)
MIXES = {
    "giant and 300 tiny": np.append(5000, RNG_SIZES.integers(2, 6, 300)),
    "300 equal": np.full(300, 10),
    "power law": (2 * RNG_SIZES.pareto(1.0, 300) + 2).astype(int),
    "2,000 by a power law": (2 * RNG_SIZES.pareto(1.5, 2000) + 2).astype(int),
    "three large": np.append([1000, 900, 800], RNG_SIZES.integers(2, 10, 50)),
    "beyond the chain": RNG_SIZES.integers(2, 9, 2600),
}


def graph(n, edges):
    i, j = np.asarray(edges, dtype=int).reshape(-1, 2).T
    upper = sp.coo_array((np.arange(1.0, len(i) + 1), (i, j)), shape=(n, n)).tocsr()
    return sp.csr_array(upper + upper.T)


def paths(sizes, isolates=0, seed=None):
    """A path for each size, and isolates; the nodes shuffled if there is a seed."""
    ends = np.cumsum(sizes)
    later = np.setdiff1d(np.arange(ends[-1]), np.append(0, ends[:-1]))
    n = int(ends[-1]) + isolates
    names = np.arange(n) if seed is None else np.random.default_rng(seed).permutation(n)
    return graph(n, names[np.column_stack([later - 1, later])])


def smallest_gap(centers, radii):
    distance = np.hypot(*(centers[:, None] - centers[None]).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    return (distance - radii[:, None] - radii[None]).min()


def density(centers, radii):
    """Share of the circle around the origin that the discs, each with its half of the gap, cover."""
    padded = radii + GAP / 2
    return (padded**2).sum() / (np.hypot(*centers.T) + padded).max() ** 2


def test_split_orders_parts_by_size_then_by_smallest_node_and_keeps_isolates_apart():
    parts = split(graph(9, [(0, 5), (1, 2), (2, 7), (3, 8)]))
    assert parts.n_parts == 3
    assert parts.order.tolist() == [1, 2, 7, 0, 5, 3, 8, 4, 6]
    assert parts.offsets.tolist() == [0, 3, 5, 7]
    assert parts.labels.tolist() == [1, 0, 0, 2, -1, 1, -1, 0, 2]
    assert parts.sizes.tolist() == [3, 2, 2]
    assert parts.isolates.tolist() == [4, 6]
    assert parts.nodes(1).tolist() == [0, 5]
    assert parts.nodes(1, 3).tolist() == [0, 5, 3, 8]


def test_split_of_nothing_and_of_isolates_only():
    for n in (0, 1, 5):
        parts = split(sp.csr_array((n, n)))
        assert parts.n_parts == 0
        assert parts.isolates.tolist() == list(range(n))


def test_submatrix_is_what_slow_indexing_gives_in_canonical_form():
    A = paths([3, 40, 2, 7, 2], isolates=3, seed=1)
    parts = split(A)
    for first, last in [(0, None), (3, None), (1, 4), (0, 5)]:
        nodes = parts.nodes(first, last)
        block = parts.submatrix(A, first, last)
        assert block.toarray().tolist() == A.toarray()[np.ix_(nodes, nodes)].tolist()
        assert all(np.all(np.diff(row.indices) > 0) for row in (block[[i]] for i in range(len(nodes))))
        assert block.sum() == A[nodes].sum()


def test_submatrix_of_a_connected_graph_costs_nothing():
    A = paths([50])
    assert split(A).submatrix(A, 0) is A


@pytest.mark.parametrize("sizes", MIXES.values(), ids=MIXES)
def test_discs_have_area_by_nodes_keep_their_distance_and_fill_the_circle(sizes):
    centers, radii = pack(sizes)
    assert np.allclose(radii**2, sizes)
    assert smallest_gap(centers, radii) > GAP - 1e-6
    assert density(centers, radii) > 0.7


def test_packing_is_the_same_every_time_and_leaves_its_argument():
    sizes = MIXES["power law"].copy()
    first, second = pack(sizes), pack(sizes)
    assert first[0].tobytes() == second[0].tobytes()
    assert np.array_equal(sizes, MIXES["power law"])


@pytest.mark.parametrize("count", range(9))
def test_few_discs(count):
    for sizes in (np.full(count, 5), np.arange(2, 2 + count), np.array([10**6] + [2] * 8)[:count]):
        centers, radii = pack(sizes)
        assert centers.shape == (count, 2)
        assert np.isfinite(centers).all()
        if count == 1:
            assert centers.tolist() == [[0, 0]]
        if count > 1:
            assert smallest_gap(centers, radii) > GAP - 1e-6


@pytest.mark.parametrize("kind", ["pairs", "power law"])
def test_a_hundred_thousand_parts_take_a_moment_and_stay_apart(kind):
    rng = np.random.default_rng(0)
    sizes = np.full(100_000, 2) if kind == "pairs" else (2 * rng.pareto(1.5, 100_000) + 2).astype(int)
    began = time.perf_counter()
    centers, radii = pack(sizes)
    assert time.perf_counter() - began < 5  # a fifth of a second on an idle machine
    assert density(centers, radii) > 0.7
    order = np.argsort(-radii)
    for i in order[:200]:
        gap = np.hypot(*(centers - centers[i]).T) - radii - radii[i]
        gap[i] = np.inf
        assert gap.min() > GAP - 1e-6
    rest = order[200:]
    pairs = cKDTree(centers[rest]).query_pairs(2 * radii[rest[0]] + GAP - 1e-6, output_type="ndarray")
    i, j = rest[pairs].T
    assert np.all(np.hypot(*(centers[i] - centers[j]).T) - radii[i] - radii[j] > GAP - 1e-6)


def test_every_node_stands_in_the_disc_of_its_part_whatever_its_layout():
    A = paths([60, 2, 3, 2, 17], isolates=11, seed=2)
    parts = split(A)
    centers, radii = pack(parts.sizes)
    rng = np.random.default_rng(0)
    for layouts in (rng.normal(size=(84, 2)), rng.standard_cauchy((84, 2)) * 1e6 + 1e9, np.zeros((84, 2))):
        Y = place(layouts, parts, centers, radii)
        assert np.isfinite(Y).all()
        linked = parts.labels >= 0
        disc = parts.labels[linked]
        assert np.all(np.hypot(*(Y[linked] - centers[disc]).T) <= radii[disc] - INSET + 1e-9)
        assert np.hypot(*Y[~linked].T).min() > (np.hypot(*centers.T) + radii).max() + GAP


def test_a_part_keeps_its_shape_and_fills_its_disc():
    parts = split(paths([400, 5]))
    centers, radii = pack(parts.sizes)
    layouts = np.random.default_rng(0).uniform(-1, 1, (405, 2))
    Y = place(layouts, parts, centers, radii)
    before, after = layouts[:400] - layouts[:400].mean(0), Y[:400] - Y[:400].mean(0)
    scale = after.std() / before.std()
    assert scale > 0
    assert np.allclose(after, scale * before)
    reach = np.hypot(*(Y[:400] - centers[0]).T).max()
    assert reach == pytest.approx(radii[0] - INSET)


def test_an_outlier_does_not_shrink_the_others_and_stays_outside_them():
    parts = split(paths([401, 2]))
    centers, radii = pack(parts.sizes)
    angle, distance = np.random.default_rng(0).random((2, 400)) * [[2 * np.pi], [1.0]]
    crowd = np.sqrt(distance)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    outlier = [[30.0, 0.0]]
    Y = place(np.concatenate([crowd, outlier, [[0, 0], [1, 1]]]), parts, centers, radii)
    own = np.hypot(*(Y[:401] - Y[:400].mean(0)).T)
    assert own[:400].max() > 0.25 * radii[0]  # one part in thirty, had it been to scale
    assert own[400] > own[:400].max()


def test_two_nodes_are_as_far_apart_as_neighbours_elsewhere():
    parts = split(paths([2, 2, 500]))
    centers, radii = pack(parts.sizes)
    side = np.arange(500)
    layouts = np.concatenate([np.column_stack([side % 23, side // 23]), [[0, 0], [5, 0], [0, 0], [0, 1e-9]]])
    Y = place(layouts, parts, centers, radii)
    grid_step = np.hypot(*(Y[4 + 1] - Y[4]))
    for pair in (0, 2):
        edge = np.hypot(*(Y[pair] - Y[pair + 1]))
        assert edge == pytest.approx(0.8 * SPACING, rel=0.01)
        assert 0.5 < edge / grid_step < 2


@pytest.mark.parametrize("isolates", [1, 2, 3, 7, 1000])
def test_isolates_are_parked_apart_from_each_other_and_from_the_rest(isolates):
    parts = split(paths([30], isolates=isolates))
    centers, radii = pack(parts.sizes)
    Y = place(np.random.default_rng(0).normal(size=(30, 2)), parts, centers, radii)
    nearest = cKDTree(Y).query(Y[30:], k=2)[0][:, 1]
    assert nearest.min() > 0.7 * SPACING


@pytest.mark.parametrize(("isolates", "sizes"), [(5, [900]), (800, [2000, *RNG_SIZES.integers(2, 9, 299)])])
def test_a_dominant_part_is_the_middle_with_small_ones_and_then_isolates_around_it(isolates, sizes):
    sizes = np.sort(sizes)[::-1]
    centers, radii = pack(sizes)
    extent = (np.hypot(*centers.T) + radii).max()
    assert np.hypot(*centers[0]) < 0.1 * radii[0]
    outside = rings(isolates, extent)
    assert np.hypot(*outside.T).max() < 1.35 * extent
    around = np.sort(np.arctan2(outside[:, 1], outside[:, 0]))
    gaps = np.diff(np.append(around, around[0] + 2 * np.pi))
    assert gaps.max() < 2.1 * np.pi / min(isolates, 60), "on all sides alike"


def test_nothing_and_isolates_only():
    for n in (0, 1, 2, 50):
        parts = split(sp.csr_array((n, n)))
        Y = place(np.zeros((0, 2)), parts, *pack(parts.sizes))
        assert Y.shape == (n, 2)
        assert np.isfinite(Y).all()
        assert len(np.unique(Y, axis=0)) == n


def test_many_parts_are_placed_fast_enough_for_live_frames():
    A = paths(np.full(100_000, 2), isolates=1000, seed=0)
    began = time.perf_counter()
    parts = split(A)
    discs = pack(parts.sizes)
    block = parts.submatrix(A, 0, parts.n_parts)
    assert time.perf_counter() - began < 5
    assert csgraph.connected_components(block, directed=False)[0] == 100_000
    layouts = np.random.default_rng(0).normal(size=(200_000, 2))
    began = time.perf_counter()
    Y = place(layouts, parts, *discs)
    assert time.perf_counter() - began < 1  # a twentieth on an idle machine
    assert len(np.unique(Y, axis=0)) == 201_000
