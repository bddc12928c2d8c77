"""Every kind of graph becomes the same frozen Graph."""

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp
from graph_checks import dense
from stand_ins import StandInForDGL, StandInForPyG, StandInForTensor

from graphne_viz.graphs.convert.api import as_graph

FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


def random_graph(seed, n=40, m=120, *, weighted=True):
    """Return a random undirected networkx graph on 0..n-1 that has no isolate at its end."""
    rng = np.random.default_rng(seed)
    G = nx.gnm_random_graph(n, m, seed=seed)
    G.add_edge(0, n - 1)
    if weighted:
        for _, _, data in G.edges(data=True):
            data["weight"] = float(rng.integers(1, 100)) / 8
    return G


def edge_rows(G):
    return np.array([(u, v, d.get("weight", 1)) for u, v, d in G.edges(data=True)])


def as_every_kind(G):
    """Give the same undirected graph on 0..n-1 in every form there is."""
    n, rows = G.number_of_nodes(), edge_rows(G)
    ends, weights = rows[:, :2].astype(np.int64), rows[:, 2]
    twice = np.vstack([rows, rows[:, [1, 0, 2]]])
    directed = nx.DiGraph()
    directed.add_nodes_from(G)
    directed.add_edges_from(G.edges(data=True))
    multi = nx.MultiGraph()
    multi.add_nodes_from(G)
    for u, v, w in rows.tolist():
        multi.add_edge(int(u), int(v), weight=w / 4)
        multi.add_edge(int(v), int(u), weight=3 * w / 4)
    g = ig.Graph(n=n, edges=ends.tolist())
    g.es["weight"] = weights.tolist()
    r = rx.PyGraph()
    r.add_nodes_from(list(range(n)))
    r.add_edges_from([(int(u), int(v), w) for u, v, w in rows.tolist()])
    A = nx.to_scipy_sparse_array(G, nodelist=range(n))
    both = twice[:, :2].astype(np.int64)
    return {
        "networkx": G,
        "networkx DiGraph": directed,
        "networkx MultiGraph": multi,
        "networkx MultiDiGraph": nx.MultiDiGraph(directed),
        "igraph": g,
        "igraph directed": ig.Graph(n=n, edges=ends.tolist(), directed=True, edge_attrs={"weight": weights.tolist()}),
        "rustworkx": r,
        **{f"scipy {name}": A.asformat(name) for name in FORMATS},
        "scipy matrix": sp.csr_matrix(A),
        "upper triangle": sp.triu(A),
        "dense": A.toarray(),
        "float32": A.astype(np.float32),
        "edges": rows,
        "edges twice": twice,
        "edges, Fortran order": np.asfortranarray(rows),
        "PyG": StandInForPyG(both.T, n, edge_weight=twice[:, 2]),
        "PyG tensors": StandInForPyG(
            StandInForTensor(both.T, on_gpu=True), n, edge_weight=StandInForTensor(twice[:, 2], on_gpu=True)
        ),
        "DGL": StandInForDGL(*both.T, n, edata={"weight": StandInForTensor(twice[:, [2]])}),
    }


@pytest.mark.parametrize("kind", as_every_kind(random_graph(0)))
@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_graph_is_the_same_in_every_form(kind, seed):
    G = random_graph(seed)
    expected = nx.to_numpy_array(G, nodelist=range(len(G)))
    graph = as_graph(as_every_kind(G)[kind])
    np.testing.assert_array_equal(dense(graph), expected)
    assert list(graph.ids) == list(range(len(G)))


@pytest.mark.parametrize("kind", as_every_kind(random_graph(0)))
def test_weight_none_counts_every_edge_as_one(kind):
    G = random_graph(3)
    expected = nx.to_numpy_array(G, nodelist=range(len(G)), weight=None)
    if kind == "networkx MultiGraph":
        expected *= 2  # its edges were split in two parallel ones
    np.testing.assert_array_equal(dense(as_graph(as_every_kind(G)[kind], weight=None)), expected)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_name_nodes_in_order_of_first_appearance(library):
    columns = {
        "source": ["x", "z", "x"],
        "target": ["y", "x", "q"],
        "weight": [1.0, 2.0, 4.0],
        "note": [0, 0, 0],
    }
    table = pd.DataFrame(columns) if library == "pandas" else pl.DataFrame(columns)
    graph = as_graph(table)
    assert graph.ids == ("x", "y", "z", "q")
    assert graph.origin == "table"
    np.testing.assert_array_equal(dense(graph)[0], [0, 1, 2, 4])
    np.testing.assert_array_equal(dense(as_graph(table, weight=None))[0], [0, 1, 1, 1])


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.int32, np.float64, object])
def test_ids_of_a_table_keep_their_values_whatever_the_dtype(dtype):
    table = pd.DataFrame({"source": np.array([7, 200, 7], dtype), "target": np.array([3, 7, 9], dtype)})
    assert as_graph(table).ids == (7, 3, 200, 9)
    assert as_graph(pl.DataFrame({"source": [7, 200, 7], "target": [3, 7, 9]})).ids == (7, 3, 200, 9)


def test_ids_of_a_table_far_apart_mixed_and_categorical():
    assert as_graph(pd.DataFrame({"source": [10**18, -5], "target": [3, 10**18]})).ids == (10**18, 3, -5)
    mixed = pd.DataFrame({"source": [1, 2], "target": ["1", "2"]})
    assert as_graph(mixed).ids == (1, "1", 2, "2")
    categorical = pd.DataFrame({"source": ["u", "v"], "target": ["v", "w"]}, dtype="category")
    assert as_graph(categorical).ids == ("u", "v", "w")
    large = pl.DataFrame(
        {"source": [2**64 - 1, 1], "target": [1, 5]}, schema={"source": pl.UInt64, "target": pl.UInt64}
    )
    assert as_graph(large).ids == (2**64 - 1, 1, 5)


def test_missing_weights_count_one():
    G = nx.Graph([("a", "b", {"weight": 3}), ("b", "c", {}), ("c", "d", {"weight": None})])
    expected = [3, 1, 1]
    assert np.diag(dense(as_graph(G)), 1).tolist() == expected
    g = ig.Graph(n=4, edges=[(0, 1), (1, 2), (2, 3)], edge_attrs={"weight": [3, None, None]})
    assert np.diag(dense(as_graph(g)), 1).tolist() == expected
    columns = {"source": [0, 1, 2], "target": [1, 2, 3], "weight": [3, None, None]}
    assert np.diag(dense(as_graph(pl.DataFrame(columns))), 1).tolist() == expected
    for dtype in (object, "Int64"):
        table = pd.DataFrame(columns).astype({"weight": dtype})
        table["weight"] = table["weight"].where(table["weight"].notna(), None)
        assert np.diag(dense(as_graph(table)), 1).tolist() == expected


def test_loops_are_dropped_and_zeros_are_no_edges():
    G = nx.MultiDiGraph([(0, 0), (0, 1), (0, 1), (1, 0), (1, 2)])
    G.add_edge(2, 3, weight=0)
    assert dense(as_graph(G)).tolist() == [[0, 3, 0, 0], [3, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    stored = sp.csr_array(([0.0, 2.0, 5.0], ([0, 1, 2], [1, 2, 2])), shape=(3, 3))
    assert as_graph(stored).pairs.tolist() == [[1, 2]]
    assert as_graph(stored, weight=None).pairs.tolist() == [[1, 2]]
    assert as_graph(np.array([[0, 1, 0.0], [1, 2, 1], [2, 2, 1], [3, 1, 1]])).pairs.tolist() == [
        [1, 2],
        [1, 3],
    ]


def test_a_symmetric_matrix_counts_once_and_another_adds_its_transpose():
    symmetric = np.array([[0, 2.0, 0], [2, 0, 3], [0, 3, 0]])
    assert dense(as_graph(symmetric)).tolist() == symmetric.tolist()
    lopsided = np.array([[0, 2.0, 0], [1, 0, 3], [0, 0, 0]])
    assert dense(as_graph(lopsided)).tolist() == (lopsided + lopsided.T).tolist()
    nearly = symmetric.copy()
    nearly[0, 1] += 1e-9
    assert dense(as_graph(nearly))[0, 1] == pytest.approx(2)


def test_small_integer_duplicates_do_not_wrap_around():
    ends = (np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    matrix = sp.coo_array((np.full(4, 100, dtype=np.int8), ends), shape=(2, 2))
    assert dense(as_graph(matrix))[0, 1] == 200


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float32, np.longdouble])
def test_matrices_of_any_real_dtype(dtype):
    matrix = np.array([[0, 1], [1, 0]], dtype=dtype)
    assert dense(as_graph(matrix)).tolist() == [[0, 1], [1, 0]]


def test_edge_arrays_of_two_and_three_rows():
    assert as_graph(np.array([[0, 1], [1, 2]])).n_nodes == 2  # square, so an adjacency matrix
    assert as_graph(np.array([[0, 1], [1, 2], [2, 3]])).n_nodes == 4
    assert as_graph(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])).n_edges == 3
    assert as_graph(np.array([[0, 4, 2.5]])).n_nodes == 5
    assert as_graph(np.zeros((0, 2))).n_nodes == 0
    assert as_graph(np.zeros((0, 0))).n_nodes == 0


def test_networkx_nodes_may_be_anything(hostile):
    graph = as_graph(hostile)
    assert list(graph.ids) == list(hostile)
    assert graph.n_edges == hostile.number_of_edges()
    np.testing.assert_array_equal(dense(graph), nx.to_numpy_array(hostile))


@pytest.mark.parametrize(
    "nodes",
    [
        list(range(100, 130)),
        [2**70 + i for i in range(30)],
        [-5 * i for i in range(30)],
        [10**15 * i for i in range(30)],
    ],
)
def test_networkx_integer_nodes_of_any_spacing(nodes):
    G = nx.relabel_nodes(nx.gnm_random_graph(30, 60, seed=1), dict(enumerate(nodes)))
    np.testing.assert_array_equal(dense(as_graph(G)), nx.to_numpy_array(G))


def test_networkx_views_and_subclasses():
    G = random_graph(4)
    half = G.subgraph(range(0, 40, 2))
    np.testing.assert_array_equal(dense(as_graph(half)), nx.to_numpy_array(half))
    np.testing.assert_array_equal(dense(as_graph(nx.freeze(G))), nx.to_numpy_array(G))
    directed = nx.gn_graph(20, seed=1)
    np.testing.assert_array_equal(dense(as_graph(directed.reverse(copy=False))), dense(as_graph(directed)))
