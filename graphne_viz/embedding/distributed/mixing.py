"""What vectors take over from their neighbours, where other processes have some of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from graphne_viz.embedding.distributed.means import SharedMeans

if TYPE_CHECKING:
    import scipy.sparse as sp
    from torch import Tensor

    from graphne_viz.embedding.distributed.peers import Peers


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
        self._means = SharedMeans(peers, cuts, rows) if weight else None

    def mix(self, unit: Tensor) -> Tensor:
        """Return the mixed vectors of own nodes, shape (m, d)."""
        if self._means is None:
            return unit
        mixed = unit + self._weight * torch.from_numpy(self._means.of(unit)).to(unit.device)
        return torch.nn.functional.normalize(mixed, dim=1)
