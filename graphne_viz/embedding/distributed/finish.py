"""What is done to vectors in the end, where every process has those of its own nodes.

It is what `graphne_viz.embedding.training.finish` does where one has all: processes add up sums of as many numbers as
two vectors have entries when multiplied, and fetch rows of neighbours in blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.distributed.means import SharedMeans
from graphne_viz.embedding.training.finish.axes import moments, principal_axes, turned
from graphne_viz.embedding.training.finish.far_neighbors import STEPS, with_far_coordinates

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.embedding.distributed.peers import Peers
    from graphne_viz.embedding.training.finish.axes import Axes


def finished(
    peers: Peers, cuts: list[int], rows: sp.csr_array, vectors: NDArray[np.float32], count: int
) -> NDArray[np.float32]:
    """Turn own vectors along the principal axes of all, and tell them of nodes some steps away.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    vectors : ndarray of float32, shape (m, d)
        Of own nodes, of unit length.
    count : int
        Most coordinates that tell of nodes some steps away.
    """

    def solved(sums: Axes, solve: Callable[[Axes], Axes]) -> Axes:
        total = peers.add(torch.from_numpy(sums)).numpy()
        # Machines may differ in the last digit, so the first one's solution counts.
        return np.asarray(peers.send(torch.from_numpy(np.ascontiguousarray(solve(total)))).numpy())

    def walk(values: NDArray[np.float32]) -> NDArray[np.float32]:
        means = SharedMeans(peers, cuts, rows)
        for _ in range(STEPS):
            values = means.of(torch.from_numpy(values))
        return values

    along = turned(vectors, solved(moments(vectors), principal_axes))
    return with_far_coordinates(along, np.diff(rows.indptr) > 0, count, walk, solved)
