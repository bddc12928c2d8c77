"""The one form of a graph: read-only, whatever the caller does with what it was made of."""

import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz import Graph, graphne_layout
from graphne_viz.graphs.adjacency import compress


def triangle():
    return sp.csr_array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])


def test_the_callers_arrays_stay_writable():
    A, ages = triangle(), np.array([1, 2, 3])
    graph = Graph(A, ["a", "b", "c"], {"age": ages})
    graphne_layout(graph, n_iter=5, early_exaggeration_iter=5)
    for array in (A.data, A.indices, A.indptr, ages):
        assert array.flags.writeable
    A.data[0] = 2  # raised before
    A.setdiag(1)
    assert graph.n_edges == 3


def test_a_graphs_own_arrays_are_read_only():
    graph = Graph(triangle(), range(3), {"age": np.array([1, 2, 3])})
    for array in (graph.adjacency.data, graph.adjacency.indices, graph.adjacency.indptr, graph.attributes["age"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    with pytest.raises(TypeError, match="does not support item assignment"):
        graph.attributes["age"] = 1


def test_a_matrix_is_not_copied():
    A = triangle()
    assert np.shares_memory(Graph(A, range(3)).adjacency.data, A.data)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="2 ids do not fit"):
        Graph(triangle(), ["a", "b"])
    with pytest.raises(ValueError, match=r"attribute 'age' has shape \(2,\); there are 3 nodes"):
        Graph(triangle(), range(3), {"age": np.zeros(2)})


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
def test_entries_make_the_same_matrix_in_whatever_order_they_come(dtype):
    entries = sp.random_array((50, 50), density=0.2, rng=np.random.default_rng(0), format="csr").tocoo()
    rows, columns = (ends.astype(dtype) for ends in entries.coords)
    in_order = compress(50, rows, columns, entries.data)
    mixed = np.random.default_rng(1).permutation(entries.nnz)
    as_mixed = compress(50, rows[mixed], columns[mixed], entries.data[mixed])
    for array in ("data", "indices", "indptr"):
        assert getattr(in_order, array).dtype == getattr(as_mixed, array).dtype
        assert np.array_equal(getattr(in_order, array), getattr(as_mixed, array))
    assert not np.shares_memory(in_order.data, entries.data)
    twice = compress(50, np.repeat(rows, 2), np.repeat(columns, 2), np.repeat(entries.data, 2))
    assert (twice != 2 * in_order).nnz == 0
