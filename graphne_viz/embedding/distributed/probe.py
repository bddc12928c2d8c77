"""Neighbour recall of some nodes, of which no process has all vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.distributed.shared_table import Requests
from graphne_viz.embedding.training.recall import NODES

if TYPE_CHECKING:
    import scipy.sparse as sp
    from torch import Tensor

    from graphne_viz.embedding.distributed.peers import Peers

_MOST_NEIGHBORS = 1000
"""Of a node that is looked at: for each, so many similarities come from every process."""


class SharedProbe:
    """Measures how many of their neighbours some nodes of every process have nearest to them.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    seed : int
        Decides which nodes are looked at.
    """

    def __init__(self, peers: Peers, cuts: list[int], rows: sp.csr_array, seed: int) -> None:
        self._peers, self._cuts = peers, cuts
        degrees = np.diff(rows.indptr)
        linked = np.flatnonzero((degrees > 0) & (degrees <= _MOST_NEIGHBORS))
        some = np.random.default_rng([seed, peers.rank]).permutation(linked)[: -(-NODES // peers.size)]
        self._nodes = torch.from_numpy(np.sort(some))
        self._degrees = torch.from_numpy(degrees[np.sort(some)].astype(np.int64))
        found = [rows.indices[rows.indptr[node] : rows.indptr[node + 1]] for node in np.sort(some)]
        neighbors = np.concatenate([np.empty(0, np.int64), *found]).astype(np.int64)
        need, self._places = np.unique(neighbors, return_inverse=True)
        self._requests = Requests(peers, cuts, [need])
        self._counts = [round(count) for count in peers.list_of(len(some))]
        self._most = round(max(peers.list_of(float(self._degrees.max()) if len(some) else 0.0)))

    def recall(self, Z: Tensor) -> float:
        """Return the mean share of neighbours among the nearest nodes by cosine; Z has own unit rows, shape (m, d)."""
        peers, own = self._peers, self._counts[self._peers.rank]
        if not sum(self._counts):
            return float("nan")
        neighbors = self._requests.fetch(0, Z)[torch.from_numpy(self._places).to(Z.device)]
        nearest = []
        for rank, count in enumerate(self._counts):
            vectors = peers.send(
                Z[self._nodes].contiguous() if rank == peers.rank else Z.new_empty(count, Z.shape[1]), rank
            )
            S = vectors @ Z.T
            if rank == peers.rank:
                S.scatter_(1, self._nodes.to(Z.device)[:, None], -torch.inf)
            width = min(self._most, S.shape[1])
            nearest.append(torch.full((count, self._most), -torch.inf, device=Z.device))
            nearest[-1][:, :width] = S.topk(width, dim=1).values
        # Every process gets, from each, what is nearest to its own nodes there.
        everywhere = peers.exchange(torch.cat(nearest), self._counts, [own] * peers.size)
        best = torch.cat(torch.split(everywhere, own), dim=1).topk(self._most, dim=1).values if own else everywhere
        degrees = self._degrees.to(Z.device)
        total = torch.zeros(1, dtype=torch.float64, device="cpu")
        if own:
            border = best.gather(1, degrees[:, None] - 1)[:, 0]
            of = torch.arange(own, device=Z.device).repeat_interleave(degrees)
            similar = (neighbors * Z[self._nodes][of]).sum(dim=1)
            kept = (similar >= border[of] - 1e-6).to(Z.dtype)
            total[0] = float((torch.zeros(own, device=Z.device).index_add_(0, of, kept) / degrees).sum())
        return float(peers.add(total)[0]) / sum(self._counts)
