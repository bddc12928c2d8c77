"""Weights by name, ids, attributes, and what is promised about the caller's objects."""

import sys

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import rustworkx as rx
import scipy.sparse as sp
from graph_checks import assert_canonical, dense
from stand_ins import StandInForDGL, StandInForPyG, StandInForTensor

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.graph import Graph


def test_another_attribute_as_weight():
    G = nx.Graph([(0, 1, {"length": 5}), (1, 2, {"weight": 7})])
    assert np.diag(dense(as_graph(G, weight="length")), 1).tolist() == [5, 1]
    r = rx.PyDiGraph()
    r.add_nodes_from([None] * 3)
    r.add_edges_from([(0, 1, {"length": 5}), (1, 2, "text"), (1, 0, {"length": None})])
    assert np.diag(dense(as_graph(r, weight="length")), 1).tolist() == [6, 1]
    data = StandInForPyG(np.array([[0, 1], [1, 2]]), edge_attr=np.array([[2.0], [3.0]]))
    assert np.diag(dense(as_graph(data, weight="edge_attr")), 1).tolist() == [2, 3]
    table = pl.DataFrame({"source": [0], "target": [1], "n": [9]})
    assert dense(as_graph(table, weight="n"))[0, 1] == 9


def test_rustworkx_indices_with_holes():
    r = rx.PyGraph()
    r.add_nodes_from([{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d", "big": True}])
    r.add_edges_from([(0, 2, None), (2, 3, 4.0), (0, 1, 1.0), (3, 2, True)])
    r.remove_node(1)
    graph = as_graph(r)
    assert graph.ids == (0, 2, 3)
    assert graph.origin == "rustworkx"
    assert dense(graph).tolist() == [[0, 1, 0], [1, 0, 5], [0, 5, 0]]
    assert graph.attributes["name"].tolist() == ["a", "c", "d"]
    assert graph.attributes["big"].tolist() == [None, None, True]


def test_anndata_reads_connectivities_names_and_observations():
    import anndata

    A = nx.to_scipy_sparse_array(nx.gnm_random_graph(6, 8, seed=5), nodelist=range(6), dtype=np.float32)
    obs = pd.DataFrame(
        {"cluster": pd.Categorical(["a", "b", None, "a", "b", "a"]), "depth": np.arange(6.0), "n": range(6)},
        index=[f"cell{i}" for i in range(6)],
    )
    adata = anndata.AnnData(obs=obs, obsp={"connectivities": A, "distances": 2 * A})
    graph = as_graph(adata)
    assert graph.ids == tuple(obs.index)
    assert graph.origin == "array"
    np.testing.assert_array_equal(dense(graph), A.toarray())
    np.testing.assert_array_equal(dense(as_graph(adata, weight="distances")), 2 * A.toarray())
    np.testing.assert_array_equal(dense(as_graph(adata, weight=None)), A.toarray() > 0)
    assert graph.attributes["cluster"].tolist() == ["a", "b", None, "a", "b", "a"]
    assert graph.attributes["depth"].dtype == np.float64
    assert graph.attributes["n"].dtype == np.int64
    with pytest.raises(ValueError, match=r"obsp has no 'wrong'; it holds 'connectivities', 'distances'"):
        as_graph(adata, weight="wrong")
    del adata.obsp["connectivities"]
    with pytest.raises(ValueError, match=r"obsp has no 'connectivities'; it holds 'distances'"):
        as_graph(adata)
    negative = anndata.AnnData(obs=obs, obsp={"connectivities": -A})
    with pytest.raises(ValueError, match=r"edge \('cell\d', 'cell\d'\) has weight -"):
        as_graph(negative)


def test_node_attributes_of_networkx_and_igraph(weighted):
    for graph in (as_graph(weighted), as_graph(ig.Graph.from_networkx(weighted))):
        assert graph.attributes["size"].dtype == np.int64
        assert graph.attributes["ratio"].dtype == np.float64
        assert graph.attributes["good"].dtype == np.bool_
        assert graph.attributes["kind"].tolist() == ["first", "second", "<third>", "fourth"]
        assert graph.attributes["only"].tolist() == [1, None, None, None]
    assert dict(as_graph(nx.path_graph(3)).attributes) == {}


def test_node_attributes_of_odd_types():
    G = nx.Graph()
    G.add_node(0, big=2**70, vector=np.zeros(2), nested=[1, [2]], mixed=1, scalar=np.float32(0.5))
    G.add_node(1, big=1, vector=np.ones(2), nested=[], mixed="one", scalar=np.int8(3))
    G.nodes[0][7] = "number as name"
    attributes = as_graph(G).attributes
    assert attributes["big"].tolist() == [2**70, 1]
    assert attributes["vector"].dtype == object
    assert attributes["nested"].tolist() == [[1, [2]], []]
    assert attributes["mixed"].tolist() == [1, "one"]
    assert attributes["scalar"].tolist() == [0.5, 3.0]
    assert attributes["7"].tolist() == ["number as name", None]


def test_node_attributes_of_pyg_and_dgl():
    index = np.array([[0, 1, 2], [1, 2, 0]])
    data = StandInForPyG(
        StandInForTensor(index),
        3,
        y=StandInForTensor([4, 5, 6]),
        x=np.zeros((3, 8)),
        edge_time=np.zeros(3),
        name="g",
    )
    graph = as_graph(data)
    assert {name: values.tolist() for name, values in graph.attributes.items()} == {"y": [4, 5, 6]}
    dgl = StandInForDGL(*index, 3, ndata={"label": StandInForTensor([[1], [2], [3]]), "feat": np.zeros((3, 4))})
    assert {name: values.tolist() for name, values in as_graph(dgl).attributes.items()} == {"label": [1, 2, 3]}


def test_pyg_keys_as_method_and_isolated_nodes():
    class WithKeys(StandInForPyG):
        def keys(self):
            return ["edge_index", "y"]

    data = WithKeys(np.array([[0], [1]]), 5, y=np.arange(5), hidden=np.arange(5))
    graph = as_graph(data)
    assert graph.n_nodes == 5
    assert list(graph.attributes) == ["y"]
    assert as_graph(StandInForPyG(np.array([[0], [3]]))).n_nodes == 4


@pytest.mark.parametrize(
    "nodes",
    [range(3), [0, 1, 2], (0, 1, 2), {0: "a", 1: "b", 2: "c"}, iter([0, 1, 2, 1]), nx.path_graph(3).nodes],
)
def test_any_iterable_of_nodes_is_a_graph_without_edges(nodes):
    graph = as_graph(nodes)
    assert graph.ids == (0, 1, 2)
    assert graph.n_edges == 0
    assert graph.origin == "networkx"
    assert_canonical(graph)


def test_empty_graphs():
    empty = [
        nx.Graph(),
        nx.MultiDiGraph(),
        ig.Graph(),
        rx.PyGraph(),
        [],
        np.zeros((0, 2)),
        sp.csr_array((0, 0)),
    ]
    for G in (*empty, pd.DataFrame({"source": [], "target": []})):
        graph = as_graph(G)
        assert (graph.n_nodes, graph.n_edges) == (0, 0)
        assert_canonical(graph)
    assert as_graph(nx.empty_graph(3)).n_nodes == 3


def test_a_graph_is_returned_as_it_is():
    graph = as_graph(nx.path_graph(3))
    assert as_graph(graph) is graph
    assert as_graph(graph, weight=None) is graph


def test_nothing_of_the_caller_is_changed(weighted):
    before = {"nodes": dict(weighted.nodes(data=True)), "edges": list(weighted.edges(data=True))}
    before = repr(before)
    as_graph(weighted)
    assert repr({"nodes": dict(weighted.nodes(data=True)), "edges": list(weighted.edges(data=True))}) == before
    messy = sp.csr_array((np.array([1.0, 2, 0, 4]), np.array([2, 1, 1, 0]), np.array([0, 3, 3, 4])), shape=(3, 3))
    for form in ("csr", "csc", "coo"):
        matrix = messy.asformat(form)
        parts = [matrix.data, *(matrix.coords if form == "coo" else (matrix.indices, matrix.indptr))]
        copies = [part.copy() for part in parts]
        graph = as_graph(matrix)
        for part, copy in zip(parts, copies, strict=True):
            np.testing.assert_array_equal(part, copy)
            assert part.flags.writeable
            assert not np.shares_memory(part, graph.adjacency.data)
        assert matrix.nnz == 4
    for array in (np.array([[0, 1.0], [1.0, 0]]), np.array([[0, 1], [1, 2], [2, 0]])):
        copy = array.copy()
        as_graph(array)
        np.testing.assert_array_equal(array, copy)
        assert array.flags.writeable


def test_read_only_input_is_accepted():
    edges = np.array([[0, 1], [1, 2], [2, 3]])
    edges.flags.writeable = False
    assert as_graph(edges).n_edges == 3
    matrix = nx.to_scipy_sparse_array(nx.path_graph(4)).tocoo()
    for part in (matrix.data, *matrix.coords):
        part.flags.writeable = False
    assert as_graph(matrix).n_edges == 3


def test_the_result_is_frozen(weighted):
    graph = as_graph(weighted)
    with pytest.raises(ValueError, match="read-only"):
        graph.adjacency.data[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        graph.attributes["size"][0] = 5
    with pytest.raises(TypeError, match="does not support item assignment"):
        graph.attributes["size"] = np.zeros(4)
    with pytest.raises(AttributeError, match="cannot assign to field"):
        graph.ids = ()


def test_edges_weights_and_degrees_agree(weighted):
    graph = as_graph(weighted)
    assert graph.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert graph.pair_weights.tolist() == [2.5, 1.0, 0.1]
    assert graph.degrees.tolist() == [2, 2, 2, 0]
    assert repr(graph) == "Graph(4 nodes, 3 edges, from networkx)"


def test_graph_refuses_parts_that_do_not_fit():
    matrix = sp.csr_array((2, 2), dtype=np.float64)
    with pytest.raises(ValueError, match=r"3 ids do not fit an adjacency of shape \(2, 2\)"):
        Graph(matrix, range(3))
    with pytest.raises(ValueError, match=r"attribute 'a' has shape \(3,\); there are 2 nodes"):
        Graph(matrix, range(2), {"a": np.zeros(3)})


def test_no_library_is_imported_for_recognising():
    import subprocess

    code = (
        "import sys, numpy as np; from graphne_viz.graphs.convert.api import as_graph; "
        "as_graph(np.eye(3)); as_graph([1, 2]); "
        "names = ('networkx', 'igraph', 'pandas', 'polars', 'rustworkx', 'torch', 'anndata', 'sklearn'); "
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
