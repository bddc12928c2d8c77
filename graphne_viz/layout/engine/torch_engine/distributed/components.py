"""Connected parts of a graph of which every process has the rows of its own nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from graphne_viz.layout.components import parts_of

if TYPE_CHECKING:
    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.engine.torch_engine.world import World


def split(world: World, rows: sp.csr_array, low: int) -> Parts:
    """Find the connected parts.

    Every process joins what its own edges join, once. Then all nodes take the least name that any process has for
    their part, and the name of that name, until nothing changes: a few rounds, of 8 bytes a node.

    Parameters
    ----------
    world : World
        All processes.
    rows : csr_array, shape (m, n)
        Rows of this process's nodes; all together are symmetric.
    low : int
        The first of them.

    Returns
    -------
    Parts
        The same in every process.
    """
    m, n = rows.shape
    indptr = np.zeros(n + 1, dtype=rows.indptr.dtype)
    indptr[low : low + m + 1] = rows.indptr
    indptr[low + m + 1 :] = rows.indptr[-1]
    pattern = sp.csr_array((np.ones(rows.nnz, dtype=np.int8), rows.indices, indptr), shape=(n, n))
    count, local = connected_components(pattern, directed=False)
    names = np.arange(n, dtype=np.int64)
    while True:
        least = np.full(count, n, dtype=np.int64)
        np.minimum.at(least, local, names)
        found = world.least(least[local])
        np.minimum.at(found, names, found.copy())  # who bears a name hears what its namesakes have found
        while (jumped := found[found]).tobytes() != found.tobytes():
            found = jumped
        if np.array_equal(found, names):
            break
        names = found
    firsts, labels = np.unique(names, return_inverse=True)
    return parts_of(labels, firsts.size)
