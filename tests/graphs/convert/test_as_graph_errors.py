"""What is not a graph is refused at the door, in the caller's own words."""

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp
from stand_ins import StandInForDGL, StandInForPyG

from graphne_viz.graphs.convert.api import as_graph


@pytest.mark.parametrize("G", [None, "karate", b"karate", 5, 2.5, 1j, np.int64(3), True, np.float64("nan")])
def test_scalars_are_not_graphs(G):
    with pytest.raises(TypeError, match="is not a graph; accepted are a networkx, igraph or rustworkx graph"):
        as_graph(G)


def test_other_objects_are_not_graphs():
    with pytest.raises(TypeError, match="a object is not a graph; accepted are"):
        as_graph(object())
    with pytest.raises(TypeError, match=r"nodes must be hashable \(.*'list'.*\); accepted as a graph are"):
        as_graph([[0], [1]])
    with pytest.raises(ValueError, match="None cannot be a node"):
        as_graph([1, None])


@pytest.mark.parametrize("weight", [1, 2.5, ["weight"], b"weight", True])
def test_a_weight_must_be_a_name(weight):
    with pytest.raises(TypeError, match="weight must be the name of an edge attribute or None, not"):
        as_graph(nx.path_graph(2), weight=weight)


BAD = [(float("nan"), "nan"), (float("inf"), "inf"), (-1, "-1"), (-0.5, "-0.5"), (-np.inf, "-inf")]


@pytest.mark.parametrize(("value", "text"), BAD)
def test_bad_weights_name_the_edge(value, text):
    message = rf"edge \('b', 'c'\) has weight {text}(\.0)?; weights must be finite and not negative"
    for create in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        G = create([("a", "b", {"weight": 1.0}), ("b", "c", {"weight": value})])
        with pytest.raises(ValueError, match=message):
            as_graph(G)
        assert as_graph(G, weight=None).n_edges == 2
    columns = {"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, value]}
    for table in (pd.DataFrame(columns), pl.DataFrame(columns, strict=False)):
        with pytest.raises(ValueError, match=message):
            as_graph(table)


@pytest.mark.parametrize(("value", "text"), BAD)
def test_bad_weights_name_the_edge_by_number(value, text):
    rows = np.array([[0, 1, 1.0], [1, 2, value], [2, 3, 1], [3, 0, 1]])
    A = sp.coo_array((rows[:, 2], rows[:, :2].T.astype(int)), shape=(4, 4))
    r = rx.PyGraph()
    r.add_nodes_from(range(4))
    r.add_edges_from([(int(u), int(v), float(w)) for u, v, w in rows])
    given = [
        rows,
        A,
        A.tocsc(),
        A.toarray(),
        ig.Graph(n=4, edges=rows[:, :2].astype(int).tolist(), edge_attrs={"weight": rows[:, 2].tolist()}),
        r,
        StandInForPyG(rows[:, :2].T, edge_weight=rows[:, 2]),
    ]
    for G in given:
        with pytest.raises(ValueError, match=rf"edge \(1, 2\) has weight {text}(\.0)?; weights must be finite"):
            as_graph(G)


@pytest.mark.parametrize("value", ["heavy", "1", b"1", 1j, [1], np.zeros(2), object(), {}, np.datetime64("2020")])
def test_weights_that_are_no_numbers(value):
    G = nx.Graph([("a", "b", {"weight": 1}), ("b", ("c", 1), {"weight": value})])
    with pytest.raises(
        ValueError, match=r"edge \('b', \('c', 1\)\) has weight .*, which is not a number; weights must"
    ):
        as_graph(G)


def test_numbers_of_other_types_are_weights():
    from decimal import Decimal
    from fractions import Fraction

    values = [Decimal("0.5"), Fraction(1, 4), np.float32(2), np.int8(3), True, 2**70]
    G = nx.Graph([(i, i + 1, {"weight": value}) for i, value in enumerate(values)])
    assert as_graph(G).pair_weights.tolist() == [0.5, 0.25, 2, 3, 1, 2.0**70]
    G.add_edge(0, 5, weight=10**400)
    with pytest.raises(ValueError, match=r"edge \(0, 5\) has weight 10+; weights must be finite"):
        as_graph(G)


def test_weights_that_only_together_are_too_large():
    message = r"the parallel edges \('a', 'b'\) add up to weight inf; weights must be finite"
    with pytest.raises(ValueError, match=message):
        as_graph(nx.MultiGraph([("a", "b", {"weight": 1e308})] * 2))
    with pytest.raises(ValueError, match=message):
        as_graph(nx.DiGraph([("a", "b", {"weight": 1e308}), ("b", "a", {"weight": 1e308})]))
    with pytest.raises(ValueError, match=r"edges \(0, 1\) add up to weight inf"):
        as_graph(np.array([[0, 1, 1e308], [0, 1, 1e308], [1, 2, 1], [2, 3, 1]]))
    huge = np.array([[0, 1e308], [1e308, 0]])
    assert as_graph(huge).pair_weights.tolist() == [1e308]
    duplicates = sp.coo_array((np.array([1e308, 1e308]), ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(ValueError, match=r"edge \(0, 1\) has weight inf"):
        as_graph(duplicates)


def test_an_unknown_weight_names_what_there_is():
    G = nx.Graph([(0, 1, {"length": 1, "cost": 2}), (1, 2, {"cost": 3})])
    with pytest.raises(ValueError, match=r"weight='size' is not an attribute of any edge; there are 'cost', 'length'"):
        as_graph(G, weight="size")
    with pytest.raises(ValueError, match=r"weight='size' is not an attribute of any edge; there are none"):
        as_graph(nx.path_graph(3), weight="size")
    assert as_graph(nx.empty_graph(3), weight="size").n_edges == 0
    with pytest.raises(ValueError, match=r"weight='size' is not an edge attribute; there are 'cost'"):
        as_graph(ig.Graph(edges=[(0, 1)], edge_attrs={"cost": [1]}), weight="size")
    r = rx.PyGraph()
    r.add_nodes_from([0, 1])
    r.add_edge(0, 1, {"cost": 2})
    with pytest.raises(ValueError, match=r"weight='size' is not a key of any edge's payload; there are 'cost'"):
        as_graph(r, weight="size")
    table = pd.DataFrame({"source": [0], "target": [1], "cost": [3]})
    with pytest.raises(ValueError, match=r"weight='size' is not a column.*there are 'cost', 'source', 'target'"):
        as_graph(table, weight="size")
    data = StandInForPyG([[0], [1]], edge_attr=np.ones(1))
    with pytest.raises(ValueError, match=r"weight='size' is not an attribute; there are 'edge_attr', 'edge_index'"):
        as_graph(data, weight="size")
    with pytest.raises(ValueError, match=r"weight='size' is not a key of edata; there are 'w'"):
        as_graph(StandInForDGL([0], [1], 2, edata={"w": [1.0]}), weight="size")
    with pytest.raises(ValueError, match=r"weight='size' names an edge attribute, but arrays and matrices have none"):
        as_graph(np.eye(4), weight="size")


@pytest.mark.parametrize("matrix", [sp.csr_array((3, 4)), sp.coo_matrix((2, 3)), sp.coo_array(np.array([1.0, 2]))])
def test_sparse_matrices_must_be_square(matrix):
    with pytest.raises(ValueError, match=r"the adjacency matrix has shape \(.*\); it must be square"):
        as_graph(matrix)


@pytest.mark.parametrize("shape", [(3, 4), (2, 5), (5,), (5, 1), (2, 2, 2), ()])
def test_arrays_of_other_shapes(shape):
    with pytest.raises(ValueError, match=r"an array of shape \(.*\) is neither a square adjacency matrix nor an edge"):
        as_graph(np.zeros(shape))


def test_matrices_of_other_dtypes():
    with pytest.raises(ValueError, match="the adjacency matrix has dtype complex128; it must be real numbers"):
        as_graph(np.eye(4, dtype=complex))
    with pytest.raises(ValueError, match="the adjacency matrix has dtype object"):
        as_graph(np.eye(4).astype(object))
    with pytest.raises(ValueError, match="the adjacency matrix has dtype complex128"):
        as_graph(sp.csr_array(np.eye(4, dtype=complex)))
    with pytest.raises(ValueError, match="the array has masked entries"):
        as_graph(np.ma.masked_equal(np.eye(4), 1))


def test_nan_in_a_matrix_is_refused_even_without_weights():
    matrix = np.zeros((4, 4))
    matrix[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"edge \(1, 2\) has weight nan"):
        as_graph(matrix, weight=None)


def test_a_malformed_sparse_matrix_does_not_crash():
    matrix = sp.csr_array(np.eye(4))
    matrix.indices[2] = 1000
    with pytest.raises(ValueError, match="exceeds matrix dimension"):
        as_graph(matrix)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (
            [[0, 1], [2, -1], [1, 2]],
            "row 1 of the edge array names node -1; node indices must be whole numbers from 0",
        ),
        ([[0, 1], [1, 2], [2.5, 0]], "row 2 of the edge array names node 2.5"),
        ([[0, 1], [np.nan, 2], [2, 0]], "row 1 of the edge array names node nan"),
        ([[0, 1], [np.inf, 2], [2, 0]], "row 1 of the edge array names node inf"),
        (
            [["a", "b"], ["b", "c"], ["c", "a"]],
            "dtype <U1; node indices must be whole numbers .give names as a table",
        ),
        ([[0, 1], [1, 2], [2, 10**12]], "largest node index is 1000000000000 but there are only 3 edges"),
        ([[0, 1], [1, 2], [2, 2**63]], "row 2 of the edge array names node"),
    ],
)
def test_edge_arrays_with_bad_indices(edges, message):
    with pytest.raises(ValueError, match=message):
        as_graph(np.array(edges))


def test_bool_edge_arrays_are_no_indices():
    with pytest.raises(ValueError, match="the edge array has dtype bool; node indices must be whole numbers"):
        as_graph(np.zeros((5, 2), dtype=bool))


@pytest.mark.parametrize("create", [pd.DataFrame, pl.DataFrame])
def test_tables_need_their_columns(create):
    cannot = "which columns of the edge table are the ends of the edges cannot be told; there are"
    with pytest.raises(ValueError, match=rf"{cannot} 'a', 'b', 'c': name two of them by source and target"):
        as_graph(create({"a": [1], "b": [2], "c": [3]}))
    with pytest.raises(ValueError, match=rf"{cannot} 'source': name"):
        as_graph(create({"source": [1]}))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"source": ["a", "b"], "target": ["b", None]}),
        pd.DataFrame({"source": [1, 2], "target": [2, np.nan]}),
        pd.DataFrame({"source": [1, 2], "target": pd.array([2, None], dtype="Int64")}),
        pl.DataFrame({"source": ["a", "b"], "target": ["b", None]}),
        pl.DataFrame({"source": [1, 2], "target": [2, None]}),
        pl.DataFrame({"source": [1.0, 2.0], "target": [2.0, float("nan")]}),
    ],
)
def test_tables_with_missing_ends(table):
    with pytest.raises(ValueError, match="row 1 of the edge table has no value in column 'target'"):
        as_graph(table)


def test_tables_with_odd_columns():
    twice = pd.DataFrame([[1, 2, 3]], columns=["source", "source", "target"])
    with pytest.raises(ValueError, match="cannot be told; there are 'source', 'source', 'target'"):
        as_graph(twice)
    with pytest.raises(ValueError, match="the names of nodes must be hashable: unhashable type: 'list'"):
        as_graph(pd.DataFrame({"source": [[1]], "target": [[2]]}))
    weights = pd.DataFrame({"source": ["a"], "target": ["b"], "weight": ["heavy"]})
    with pytest.raises(ValueError, match=r"edge \('a', 'b'\) has weight 'heavy', which is not a number"):
        as_graph(weights)


def test_pyg_without_edges_and_with_several_kinds_of_nodes():
    without = StandInForPyG([[0], [1]])
    without.edge_index = None
    with pytest.raises(ValueError, match="the data has no edge_index; ToSparseTensor keeps it with remove_edge_index"):
        as_graph(without)
    kinds = type("HeteroData", (), {"node_types": ["a", "b"], "to_homogeneous": None})()
    with pytest.raises(TypeError, match=r"a HeteroData has nodes of several kinds; data.to_homogeneous\(\) makes"):
        as_graph(kinds)


def test_pyg_and_dgl_of_wrong_shapes():
    with pytest.raises(ValueError, match=r"edge_index has shape \(3, 2\); it must be \(2, E\)"):
        as_graph(StandInForPyG([[0, 1], [1, 2], [2, 3]]))
    with pytest.raises(ValueError, match="an edge names node 7, but there are only 3 nodes"):
        as_graph(StandInForPyG([[0], [7]], num_nodes=3))
    with pytest.raises(ValueError, match=r"the weights have shape \(3,\); there must be one for each of 1 edges"):
        as_graph(StandInForPyG([[0], [1]], edge_weight=np.ones(3)))
    with pytest.raises(ValueError, match="3000000000 nodes are too many"):
        as_graph(StandInForPyG([[0], [1]], num_nodes=3 * 10**9))


def test_complex_weights_are_refused_and_half_precision_is_read():
    table = {"source": [0], "target": [1], "weight": np.array([1 + 2j])}
    with pytest.raises(ValueError, match=r"edge \(0, 1\) has weight \(1\+2j\), which is not a number"):
        as_graph(pytest.importorskip("pandas").DataFrame(table))
    assert as_graph(np.array([[0, 1], [1, 2]], dtype=np.float16)).n_edges == 2
