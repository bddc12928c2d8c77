"""DRGraph (Zhu et al. 2020): tsNET's objective by negative sampling, coarse levels first.

Neighbours in the graph are similar, all others are not. Drawn edges pull their ends together, drawn nodes push. Groups
of nodes are placed first, the largest first of all; smaller ones start where the group stood that they are part of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._checks import check_integer, check_positive
from graphne_viz.evaluation.methods import kernels
from graphne_viz.evaluation.methods.components import as_kernels_read, by_part, read_flat
from graphne_viz.evaluation.methods.registry import Placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_FEWEST = 100
"""Groups down to which levels are made."""

_WORTHWHILE = 0.8
"""Groups as a share of those of the level before; beyond, another level is not worth its while."""

_COARSE_REPULSION = 0.01
"""Repulsion between groups: more of it, and they could not pass each other."""

_RATE = 1.0
"""Learning rate at the beginning of every level."""

_POWER = 0.75
"""A node is drawn as often as its edges' weights sum up to, to this power."""

_SCATTER = 5e-5
"""Half the side of the square in which the parts of a group begin."""


def layout(
    graph: Graph, *, dim: int, seed: int, samples: int = 400, repulsion: float = 0.1, n_negative: int = 5
) -> Placed:
    """Place nodes by DRGraph, with its published settings.

    Parameters
    ----------
    graph : Graph
        Edges are drawn in proportion to their weights.
    dim : int
        Must be 2.
    seed : int
        For everything random.
    samples : int, default 400
        Edges drawn for each node on the finest level.
    repulsion : float, default 0.1
        Weight of the nodes that are drawn; called gamma in the publication.
    n_negative : int, default 5
        Nodes drawn with each edge.

    Returns
    -------
    Placed
    """
    read_flat("drgraph", dim)
    check_integer("samples", samples, least=0)
    check_integer("n_negative", n_negative, least=1)
    check_positive("repulsion", repulsion)

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        descent = _Descent(adjacency, int(n_negative), rng)
        levels = coarsen(adjacency, rng)
        points = _scattered(np.zeros((int(levels[-1].max()) + 1, 2)), rng)
        for depth in range(len(levels) - 1, -1, -1):
            groups = levels[depth]
            count = int(groups.max()) + 1
            if depth < len(levels) - 1:
                points = _scattered(points[_parents(groups, levels[depth + 1])], rng)
            descent.run(points, groups, count * (1000 if count < 500 else 500), _COARSE_REPULSION)
        points = _scattered(points[levels[0]], rng)
        descent.run(points, np.arange(len(points)), len(points) * int(samples), repulsion)
        return points

    return Placed(by_part(graph.adjacency, solve, dim, seed), "graphne_viz, the objective of DRGraph")


def coarsen(adjacency: sp.csr_array, rng: np.random.Generator) -> list[Ints]:
    """Merge nodes with their neighbours, and groups with theirs, until few are left.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, of a connected graph.
    rng : numpy.random.Generator
        Decides in which order nodes take their neighbours.

    Returns
    -------
    list of ndarray, shape (n,)
        The group of each node, the finest level first; at least one level.
    """
    n = adjacency.shape[0]
    levels: list[Ints] = []
    within = np.arange(n)
    ties = adjacency
    while True:
        merged = np.empty(ties.shape[0], np.int64)
        indptr, indices, _ = as_kernels_read(ties)
        count = kernels.gather_neighbours(rng.permutation(ties.shape[0]), indptr, indices, merged)
        if levels and count > _WORTHWHILE * ties.shape[0]:
            return levels
        within = merged[within]
        levels.append(within)
        if count <= _FEWEST:
            return levels
        entries = ties.tocoo()
        ties = sp.csr_array((entries.data, (merged[entries.row], merged[entries.col])), shape=(count, count))


def _scattered(points: Floats, rng: np.random.Generator) -> Floats:
    """Part points that coincide, which nothing else would."""
    return points + rng.uniform(-_SCATTER, _SCATTER, points.shape)


def _parents(groups: Ints, coarser: Ints) -> Ints:
    """Group of the coarser level that each group is part of, shape (number of groups,)."""
    parents = np.empty(int(groups.max()) + 1, np.int64)
    parents[groups] = coarser
    return parents


class _Descent:
    """Tables to draw edges and nodes from."""

    def __init__(self, adjacency: sp.csr_array, n_negative: int, rng: np.random.Generator) -> None:
        self._sources = np.repeat(np.arange(adjacency.shape[0]), np.diff(adjacency.indptr))
        _, self._targets, weights = as_kernels_read(adjacency)
        self._pairs = _table(weights)
        self._nodes = _table((adjacency @ np.ones(adjacency.shape[0])) ** _POWER)
        self._n_negative = n_negative
        self._state = rng.integers(1, 2**63, 1, dtype=np.uint64)

    def run(self, points: Floats, groups: Ints, n_samples: int, repulsion: float) -> None:
        """Move the places of groups, shape (k, 2), in place."""
        kernels.sample(
            n_samples, _RATE, float(repulsion), self._n_negative, self._sources, self._targets, groups,
            *self._pairs, *self._nodes, self._state, points,
        )  # fmt: skip


def _table(weights: Floats) -> tuple[Floats, Ints]:
    """Alias table, see `kernels.alias_table`."""
    share, other = np.empty(weights.size), np.empty(weights.size, np.int64)
    kernels.alias_table(weights, share, other)
    return share, other
