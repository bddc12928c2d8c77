"""Means over neighbours, where other processes have the rows of some of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.embedding.distributed.shared_table import Requests
from graphne_viz.layout.affinity import row_normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz.embedding.distributed.peers import Peers

_EDGES = 1 << 16
"""Edges whose far ends are fetched at once, about."""


class SharedMeans:
    """Takes the mean of the rows of each node's neighbours, by the weights of the edges.

    Rows of others are fetched in blocks, so that what is held beside own rows does not grow with the graph.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    """

    def __init__(self, peers: Peers, cuts: list[int], rows: sp.csr_array) -> None:
        means = row_normalised(rows).astype(np.float32)
        count = round(max(peers.list_of(-(-means.nnz // _EDGES))))
        bounds = np.searchsorted(means.indptr, means.nnz * np.arange(1, count) / max(count, 1))
        self._blocks: list[tuple[slice, sp.csr_array]] = []
        needs = []
        for low, high in zip([0, *bounds], [*bounds, means.shape[0]], strict=True):
            block = means[low:high]
            need, places = np.unique(block.indices, return_inverse=True)
            needs.append(need.astype(np.int64))
            near = sp.csr_array((block.data, places, block.indptr), shape=(high - low, len(need)))
            self._blocks.append((slice(int(low), int(high)), near))
        self._requests = Requests(peers, cuts, needs)

    def of(self, table: Tensor) -> NDArray[np.float32]:
        """Return the means for own nodes, shape (m, d); 0 without neighbours.

        Parameters
        ----------
        table : Tensor of float32, shape (m, d)
            Own rows.
        """
        found = np.empty(tuple(table.shape), np.float32)
        for k, (own, near) in enumerate(self._blocks):
            found[own] = near @ self._requests.fetch(k, table).cpu().numpy()
        return found
