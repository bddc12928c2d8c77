"""What vectors take over from their neighbours, where other processes have some of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
import torch

from graphne_viz.embedding.distributed.shared_table import Requests

if TYPE_CHECKING:
    from torch import Tensor

    from graphne_viz.embedding.distributed.peers import Peers

_EDGES = 1 << 16
"""Edges whose far ends are fetched at once, about."""


class SharedMixing:
    """Adds to unit vectors the mean of their neighbours' ones, as `Mixing` does for a process that has all.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    weight : float
        Of the mean; 0 leaves everything as it is.
    """

    def __init__(self, peers: Peers, cuts: list[int], rows: sp.csr_array, weight: float) -> None:
        self._weight = weight
        self._blocks: list[tuple[slice, sp.csr_array]] = []
        if not weight:
            return
        sums = np.asarray(rows.sum(axis=1)).reshape(-1)
        means = sp.csr_array(sp.diags_array(np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0)) @ rows)
        count = round(max(peers.list_of(-(-means.nnz // _EDGES))))
        bounds = np.searchsorted(means.indptr, means.nnz * np.arange(1, count) / max(count, 1))
        needs = []
        for low, high in zip([0, *bounds], [*bounds, means.shape[0]], strict=True):
            block = means[low:high]
            need, places = np.unique(block.indices, return_inverse=True)
            needs.append(need.astype(np.int64))
            near = sp.csr_array((block.data, places, block.indptr), shape=(high - low, len(need)))
            self._blocks.append((slice(int(low), int(high)), near))
        self._requests = Requests(peers, cuts, needs)

    def mix(self, unit: Tensor) -> Tensor:
        """Return the mixed vectors of own nodes, shape (m, d)."""
        if not self._weight:
            return unit
        mixed = unit.clone()
        for k, (own, near) in enumerate(self._blocks):
            mean = near @ self._requests.fetch(k, unit).cpu().numpy()
            mixed[own] += torch.from_numpy(self._weight * mean).to(unit)
        return torch.nn.functional.normalize(mixed, dim=1)
