"""What must hold for every Graph."""

import numpy as np
import scipy.sparse as sp


def assert_canonical(graph):
    A = graph.adjacency
    assert isinstance(A, sp.csr_array)
    assert A.dtype == np.float64
    assert A.indices.dtype == A.indptr.dtype == np.int32
    assert (A != A.T).nnz == 0
    assert np.all(A.diagonal() == 0)
    assert np.all(np.isfinite(A.data))
    assert np.all(A.data > 0)
    rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    assert np.all(np.diff(rows * A.shape[0] + A.indices) > 0)  # sorted and without duplicates
    assert len(graph.ids) == A.shape[0]


def dense(graph):
    assert_canonical(graph)
    return graph.adjacency.toarray()
