"""Positions come back as the caller's library expects them."""

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rustworkx as rx

from graphne_viz.graphs.convert.api import as_graph, store_positions, to_native


@pytest.fixture
def rows():
    return np.arange(6, dtype=np.float32).reshape(3, 2)


def test_networkx_tables_and_rustworkx_get_a_dict(rows):
    G = nx.Graph([("c", "a"), ("a", 5)])
    table = pd.DataFrame({"source": ["c", "a"], "target": ["a", 5]})
    r = rx.PyGraph()
    r.add_nodes_from("wxyz")
    r.remove_node(1)
    for given, ids in (
        (G, ["c", "a", 5]),
        (table, ["c", "a", 5]),
        (r, [0, 2, 3]),
        (["c", "a", 5], ["c", "a", 5]),
    ):
        pos = to_native(as_graph(given), rows)
        assert list(pos) == ids
        assert all(place.shape == (2,) and place.dtype == np.float64 for place in pos.values())
        np.testing.assert_array_equal(np.array(list(pos.values())), rows)
        pos[ids[0]][:] = 99
        np.testing.assert_array_equal(pos[ids[1]], [2, 3])
        assert rows[0, 0] == 0


def test_igraph_gets_a_layout(rows):
    layout = to_native(as_graph(ig.Graph(n=3)), rows)
    assert isinstance(layout, ig.Layout)
    assert layout.coords == rows.tolist()
    assert to_native(as_graph(ig.Graph(n=3)), np.zeros((3, 3))).dim == 3
    assert len(to_native(as_graph(ig.Graph()), np.zeros((0, 2)))) == 0


def test_arrays_get_an_array_of_their_own(rows):
    result = to_native(as_graph(np.eye(3)), rows)
    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, rows)
    doubles = rows.astype(np.float64)
    assert not np.shares_memory(to_native(as_graph(np.eye(3)), doubles), doubles)


@pytest.mark.parametrize("shape", [(2, 2), (4, 2), (3,), (3, 2, 1)])
def test_positions_must_fit(shape):
    with pytest.raises(ValueError, match=r"positions has shape \(.*\); it must be \(3, dim\)"):
        to_native(as_graph(np.eye(3)), np.zeros(shape))


def test_positions_are_stored_on_networkx_graphs():
    G = nx.path_graph(3)
    pos = {node: np.full(2, float(node)) for node in G}
    store_positions(G, pos, "pos")
    assert {node: place.tolist() for node, place in G.nodes(data="pos")} == {0: [0, 0], 1: [1, 1], 2: [2, 2]}


@pytest.mark.parametrize("G", [ig.Graph(n=2), np.eye(2), [0, 1]])
def test_positions_are_stored_nowhere_else(G):
    with pytest.raises(ValueError, match="store_pos_as='pos' needs a networkx graph, not a"):
        store_positions(G, {}, "pos")
