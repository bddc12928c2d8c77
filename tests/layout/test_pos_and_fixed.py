"""Positions to start from and nodes that stay, as networkx's layouts have them."""

import copy

import networkx as nx
import numpy as np
import pytest
from layout_checks import assert_contract, assert_fills, letters, rows

from graphne_viz import graphne_layout

QUICK = {"n_iter": 50, "early_exaggeration_iter": 50}


def test_a_full_pos_is_a_start():
    G = nx.grid_2d_graph(5, 5)
    pos = nx.circular_layout(G)
    before = copy.deepcopy(pos)
    assert_contract(G, graphne_layout(G, pos=pos))
    assert_contract(G, graphne_layout(G, pos))
    assert all(np.array_equal(pos[v], before[v]) for v in G)


def test_pos_sets_the_orientation():
    G = nx.path_graph(12)
    start = {v: (v, 0.0) for v in G}
    for angle in (0, 2, 4):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        pos = graphne_layout(G, {v: turn @ p for v, p in start.items()})
        along = rows(pos) @ turn @ [1, 0]
        assert np.corrcoef(along, np.arange(12))[0, 1] > 0.9


@pytest.mark.parametrize("missing", [1, 3, 5])
def test_missing_nodes_are_filled_in(missing):
    G = letters()
    pos = nx.circular_layout(G)
    for node in list(G)[:missing]:
        del pos[node]
    result = graphne_layout(G, pos=pos)
    assert_contract(G, result)
    assert len(pos) == len(G) - missing


def test_missing_nodes_start_at_the_mean_of_their_neighbours():
    G = nx.star_graph(4)
    pos = {1: (0, 0), 2: (8, 0), 3: (0, 8), 4: (8, 8)}
    result = graphne_layout(G, pos=pos, n_iter=0, early_exaggeration_iter=0)
    assert np.abs(result[0]).max() < 0.05
    assert [tuple(np.round(np.sign(result[v]))) for v in (1, 2, 3, 4)] == [(-1, -1), (1, -1), (-1, 1), (1, 1)]


def test_a_node_far_from_all_placed_ones_is_filled_in_too():
    G = nx.path_graph(40)
    G.add_edge("apart", "too")
    G.add_node("alone")
    assert_contract(G, graphne_layout(G, pos={0: (0, 0), 1: (1, 0)}, **QUICK))


def test_pos_of_nodes_that_all_stand_at_one_place():
    G = nx.cycle_graph(12)
    assert_contract(G, graphne_layout(G, pos=dict.fromkeys(G, (3.0, 3.0))))


def test_a_node_at_the_center_divides_nothing_by_zero():
    G = nx.path_graph(3)
    assert_contract(G, graphne_layout(G, pos={v: [v - 1, 0.0] for v in G}))
    assert_contract(G, graphne_layout(G, pos={v: [v - 1, 0.0] for v in range(2)}, seed=42))


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_pos_of_any_size_gives_a_sensible_start(size):
    G = nx.grid_2d_graph(6, 6)
    pos = graphne_layout(G, {v: np.array(v) * size for v in G})
    assert_contract(G, pos)
    assert kept_neighbours(G, pos) > 0.8


def kept_neighbours(G, pos):
    """Mean share of each node's neighbours that are among as many nearest nodes."""
    points = rows(pos)
    number = {v: i for i, v in enumerate(G)}
    distance = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    shares = []
    for v in G:
        near = np.argsort(distance[number[v]])[: len(G[v])]
        shares.append(np.isin(near, [number[u] for u in G[v]]).mean())
    return np.mean(shares)


def test_fixed_without_pos_is_refused():
    G = nx.path_graph(4)
    with pytest.raises(ValueError, match="nodes are fixed without positions"):
        graphne_layout(G, fixed=[0])
    with pytest.raises(ValueError, match="nodes are fixed without positions"):
        graphne_layout(G, fixed=[0], pos={})
    pos = {0: (1, 1), 2: (0, 0)}
    with pytest.raises(ValueError, match=r"nodes are fixed without positions.*1"):
        graphne_layout(G, fixed=[0, 1], pos=pos)
    result = graphne_layout(G, fixed=[0, 2], pos=pos)
    assert_contract(G, result)
    assert all(np.array_equal(result[v], pos[v]) for v in (0, 2))


def test_a_fixed_node_that_is_not_in_the_graph_is_named():
    with pytest.raises(ValueError, match=r"fixed.*'nobody'"):
        graphne_layout(letters(), pos={"a": (0, 0)}, fixed=["a", "nobody"])


def test_one_fixed_node_and_no_other_position():
    G = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    pos = graphne_layout(G, pos={0: (0.0, 0.0)}, fixed=[0])
    assert_contract(G, pos)
    assert pos[0].tolist() == [0, 0]


@pytest.mark.parametrize("side", [5, 25])
def test_fixed_nodes_stay_exactly(side):
    G = nx.grid_2d_graph(side, side)
    pos = nx.circular_layout(G)
    result = graphne_layout(G, pos=pos, fixed=[(0, 0)], **QUICK)
    assert_contract(G, result)
    assert tuple(result[0, 0]) == tuple(pos[0, 0])


@pytest.mark.parametrize("engine", ["auto", "exact", "mesh"])
def test_fixed_corners_stay_and_the_rest_finds_its_place_between_them(engine):
    G = nx.grid_2d_graph(8, 8)
    corners = {(0, 0): (100.1, 200.2), (0, 7): (100.1, 207.3), (7, 0): (107.7, 200.2), (7, 7): (107.7, 207.3)}
    result = graphne_layout(G, pos=corners, fixed=list(corners), engine=engine)
    assert_contract(G, result)
    for v, place in corners.items():
        assert result[v].tolist() == list(place)
    ideal = np.array([(100.1 + 7.6 * x / 7, 200.2 + 7.1 * y / 7) for x, y in G])
    off = np.hypot(*(rows(result) - ideal).T)
    assert np.median(off) < 1  # one step of the grid
    assert off.max() < 4


def test_fixed_nodes_are_never_rescaled():
    G = nx.path_graph(6)
    pos = {0: (-30.0, 5.0), 5: (50.0, 5.0)}
    result = graphne_layout(G, pos=pos, fixed=[0, 5], scale=1, center=(9, 9))
    assert {v: tuple(result[v]) for v in pos} == pos
    assert np.ptp(rows(result)[:, 0]) >= 80


def test_all_nodes_fixed():
    G = nx.cycle_graph(5)
    pos = nx.circular_layout(G, scale=3)
    result = graphne_layout(G, pos=pos, fixed=G)
    assert all(np.array_equal(result[v], pos[v]) for v in G)
    assert all(result[v] is not pos[v] for v in G)


def test_fixed_nodes_in_several_parts():
    G = nx.disjoint_union_all([nx.cycle_graph(10), nx.path_graph(8), nx.complete_graph(6), nx.empty_graph(3)])
    pos = {0: (0.0, 0.0), 10: (4.0, 1.0), 24: (-3.0, 2.0)}
    result = graphne_layout(G, pos=pos, fixed=pos)
    assert_contract(G, result)
    assert {v: tuple(result[v]) for v in pos} == pos
    assert np.abs(rows(result)).max() < 60  # nothing flies off


def test_fixed_part_beside_free_parts_that_do_not_cover_it():
    G = nx.disjoint_union(nx.grid_2d_graph(5, 5), nx.cycle_graph(20))
    pos = {v: (v % 5, v // 5) for v in range(25)}
    result = graphne_layout(G, pos=pos, fixed=range(25))
    assert all(tuple(result[v]) == pos[v] for v in pos)
    free = rows(result)[25:]
    inside = ((free > -0.2) & (free < 4.2)).all(axis=1)
    assert not inside.any()
    assert np.abs(free - 2).max() < 20


def test_an_empty_fixed_fixes_nothing():
    G = nx.path_graph(6)
    pos = {v: (v, 0.0) for v in G}
    assert_fills(graphne_layout(G, pos=pos, fixed=[]), 1, (0, 0))


def test_fixed_takes_any_iterable():
    G = nx.path_graph(6)
    pos = {v: (v, 0.0) for v in G}
    for fixed in ((v for v in [0, 5]), {0, 5}, np.array([0, 5]), {0: "x", 5: "y"}):
        result = graphne_layout(G, pos=pos, fixed=fixed, **QUICK)
        assert [tuple(result[v]) for v in (0, 5)] == [(0, 0), (5, 0)]
