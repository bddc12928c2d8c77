"""t-FDP (Zhong et al. 2023): springs and forces after Student's t-distribution, which stay bounded at short range.

Between all pairs acts a repulsion ``d / (1 + d^2)^gamma / alpha`` of the distance d, and along an edge a spring
together with an attraction ``beta d / (1 + d^2)``. With gamma = 2 the repulsion is that of t-SNE without its
normalisation, and with any other that of t-SNE with ``gamma - 1`` degrees of freedom in another unit of length: our own
engine computes it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer, check_positive
from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.evaluation.methods import kernels
from graphne_viz.evaluation.methods.components import as_kernels_read, by_part, pieces, read_flat
from graphne_viz.evaluation.methods.laplacian import start_of_part
from graphne_viz.evaluation.methods.registry import Placed
from graphne_viz.layout.engine.repulsion import Exact, Mesh

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]

_EXACT_UP_TO = 5_000
"""Nodes up to which all pairs are summed. The mesh is made for layouts that have spread: on the start, where many nodes
lie on nearly one spot, it pushes them astray, and what happens then is never undone."""

_COOLING = 1 - 0.02 ** (1 / 300)
"""Share of the way to its last value that the step's size takes in every step."""

_COLDEST = 0.01
"""Size of a step in the end, as a share of the first."""

_FRICTION = 0.4
"""Share of its speed that a node loses in every step."""

_LONGEST = 1.0
"""Farthest that a node moves in a step."""

_LONGEST_PULL = 2000.0
"""Strongest pull that edges have on a node in a step."""

_NOISE = 0.01
"""Of a node's speed in every step."""


def layout(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    n_iter: int = 100,
    alpha: float = 0.1,
    beta: float = 8,
    gamma: float = 2,
) -> Placed:
    """Place nodes by t-FDP from the start the paper uses, diffusion maps.

    100 steps are what the paper took, and come near its recall. The method's own number is 300, which finds more. The
    program of its authors, which the paper used, is coarser: for the first nine tenths of the steps nodes repel each
    other as if they were in the middle of their cells, on a grid of about a hundred cells a side.

    Parameters
    ----------
    graph : Graph
        Weights of edges are not used; t-FDP has none.
    dim : int
        Must be 2.
    seed : int
        For the start and the noise.
    n_iter : int, default 100
        Steps.
    alpha : float, default 0.1
        One over the strength of the repulsion.
    beta : float, default 8
        Strength of the bounded attraction.
    gamma : float, default 2
        How fast the repulsion falls, above 1.

    Returns
    -------
    Placed
    """
    read_flat("tfdp", dim)
    check_integer("n_iter", n_iter, least=0)
    check_positive("alpha", alpha)
    check_positive("beta", beta)
    check_positive("gamma", gamma)
    if gamma <= 1:
        raise ValueError(f"gamma must be above 1, got {gamma!r}")

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        points = start_of_part(adjacency, rng)
        with ThreadTeam(count_cores()) as team:
            _descend(points, _Forces(adjacency, alpha, beta, gamma, team), n_iter, rng)
        return points

    return Placed(by_part(graph.adjacency, solve, dim, seed), "graphne_viz, the forces of t-FDP")


def _descend(points: Floats, forces: _Forces, n_iter: int, rng: np.random.Generator) -> None:
    """Move points, shape (n, 2), in place."""
    # Dense graphs would fly apart at the pace of others.
    size = 1.0 if forces.mean_degree < 15 else 0.1 if forces.mean_degree < 50 else 0.01
    coldest = _COLDEST * size
    points -= (points.min(axis=0) + points.max(axis=0)) / 2
    speed = np.zeros_like(points)
    for _ in range(n_iter):
        pull = size * forces.pull(points + speed)
        pull *= _at_most(_LONGEST_PULL, pull)
        speed += pull + size * forces.push(points) - _NOISE * size * rng.standard_normal(points.shape)
        points += speed * _at_most(_LONGEST, speed)
        points -= (points.min(axis=0) + points.max(axis=0)) / 2
        speed *= 1 - _FRICTION
        size += (coldest - size) * _COOLING


def _at_most(length: float, vectors: Floats) -> Floats:
    """Factors that shorten vectors to a length, shape (n, 1)."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.minimum(1.0, length / np.maximum(lengths, 1e-32)))


class _Forces:
    """The forces on the nodes of a connected graph."""

    def __init__(self, adjacency: sp.csr_array, alpha: float, beta: float, gamma: float, team: ThreadTeam) -> None:
        n = adjacency.shape[0]
        indptr, indices, _ = as_kernels_read(adjacency)
        degrees = np.diff(indptr)
        rows = np.repeat(np.arange(n), degrees)
        # A spring moves its end of lower degree more.
        self._edges = (indptr, indices, degrees[indices] / (degrees[rows] + degrees[indices]))
        self.mean_degree = float(degrees.mean())
        self._beta = float(beta)
        self._factor, self._unit = 1 / alpha, math.sqrt(gamma - 1)
        self._repulsion = (Exact if n <= _EXACT_UP_TO else Mesh)(n, gamma - 1)
        self._team = team
        self._cuts = pieces(n)
        self._pull = np.empty((n, 2))

    def pull(self, points: Floats) -> Floats:
        """Return what edges do, shape (n, 2)."""

        def attract(k: int) -> None:
            kernels.attract(self._cuts[k], self._cuts[k + 1], *self._edges, self._beta, points, self._pull)

        self._team.run(attract, len(self._cuts) - 1)
        return self._pull

    def push(self, points: Floats) -> Floats:
        """Return the repulsion between all pairs, shape (n, 2)."""
        x, y = np.ascontiguousarray((self._unit * points).T, dtype=np.float32)
        self._repulsion.deposit(x, y)
        self._repulsion.collect(self._team)
        push = np.column_stack([self._repulsion.push_x, self._repulsion.push_y]).astype(np.float64)
        return push * (self._factor / self._unit)
