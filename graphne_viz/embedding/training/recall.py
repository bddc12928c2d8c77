"""Neighbour recall of some nodes, cheap enough to be looked at after every epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz.graphs.graph import Graph

NODES = 500
"""How many are looked at; the same ones every time."""

_BLOCK = 1 << 23


class Probe:
    """Measures how many of their neighbours some nodes have nearest to them.

    Parameters
    ----------
    graph : Graph
    seed : int
        Decides which nodes are looked at.
    device : torch.device
    """

    def __init__(self, graph: Graph, seed: int, device: torch.device) -> None:
        linked = np.flatnonzero(graph.degrees)
        some = np.random.default_rng(seed).permutation(linked)[:NODES]
        # By degree, so that those who need many nearest nodes are looked at together.
        nodes = some[np.argsort(graph.degrees[some], kind="stable")]
        rows = max(_BLOCK // graph.n_nodes, 1)
        self._blocks = [_Block(graph, nodes[at : at + rows], device) for at in range(0, len(nodes), rows)]
        self._count = len(nodes)

    def recall(self, Z: Tensor) -> float:
        """Return the mean share of neighbours among the nearest nodes by cosine; Z has unit rows, shape (n, d)."""
        return sum(block.recalls(Z) for block in self._blocks) / self._count


class _Block:
    """Some of the nodes, with their neighbours in one list."""

    def __init__(self, graph: Graph, nodes: NDArray[np.intp], device: torch.device) -> None:
        A, degrees = graph.adjacency, graph.degrees[nodes]
        neighbors = np.concatenate([A.indices[A.indptr[node] : A.indptr[node + 1]] for node in nodes])
        self._most = int(degrees.max())
        self._nodes = torch.from_numpy(nodes).to(device)
        self._degrees = torch.from_numpy(degrees).to(device)
        self._rows = torch.from_numpy(np.repeat(np.arange(len(nodes)), degrees)).to(device)
        self._neighbors = torch.from_numpy(neighbors.astype(np.int64)).to(device)

    def recalls(self, Z: Tensor) -> float:
        """Sum over the nodes of their recalls."""
        S = Z[self._nodes] @ Z.T
        S.scatter_(1, self._nodes[:, None], -torch.inf)
        # One more than are needed, which tells whether some that are as near as the last one are left out.
        nearest = S.topk(min(self._most + 1, S.shape[1]), dim=1).values
        last = nearest.gather(1, self._degrees[:, None] - 1)
        as_near = (nearest == last).sum(dim=1)
        cut = torch.nonzero(nearest[:, -1] == last[:, 0])[:, 0]
        as_near[cut] = (S[cut] == last[cut]).sum(dim=1)
        # Nodes that are as near as the last one share the places that the nearer ones leave.
        places = self._degrees - (nearest > last).sum(dim=1)
        share = (places / as_near).to(Z.dtype)
        found, border = S[self._rows, self._neighbors], last[self._rows, 0]
        kept = torch.where(found == border, share[self._rows], (found > border).to(Z.dtype))
        shares = torch.zeros_like(share).index_add_(0, self._rows, kept) / self._degrees
        return float(shares.sum())
