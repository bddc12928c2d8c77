"""ForceAtlas2 (Jacomy et al. 2014) with a Barnes-Hut tree.

Along an edge acts a linear spring, between all pairs a repulsion that falls as the inverse distance and grows with
the degrees, and towards the middle a weak gravity. How far nodes move in a step is regulated by how much of their
movement is to and fro.
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

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]


def layout(
    graph: Graph, *, dim: int, seed: int, n_iter: int = 200, scaling: float = 2, gravity: float = 1, theta: float = 1.2
) -> Placed:
    """Place nodes by ForceAtlas2 with Gephi's settings, from the start the paper uses, diffusion maps.

    Parameters
    ----------
    graph : Graph
        Springs are as strong as the edges' weights.
    dim : int
        Must be 2.
    seed : int
        For the start.
    n_iter : int, default 200
        Steps.
    scaling : float, default 2
        Strength of the repulsion.
    gravity : float, default 1
        Strength of the pull towards the middle; 0 for none.
    theta : float, default 1.2
        A cell of the tree acts as one on nodes farther away than its diameter divided by this.

    Returns
    -------
    Placed
    """
    read_flat("forceatlas2", dim)
    check_integer("n_iter", n_iter, least=0)
    check_positive("scaling", scaling)
    check_positive("theta", theta)
    if gravity != 0:
        check_positive("gravity", gravity)

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        points = start_of_part(adjacency, rng)
        with ThreadTeam(count_cores()) as team:
            forces = _Forces(adjacency, scaling, gravity, theta, team)
            pace = _Pace(points)
            for _ in range(n_iter):
                pace.step(forces(points), forces.mass)
        return points

    return Placed(by_part(graph.adjacency, solve, dim, seed), "graphne_viz, ForceAtlas2 with a Barnes-Hut tree")


class _Forces:
    """The force on every node of a connected graph."""

    def __init__(self, adjacency: sp.csr_array, scaling: float, gravity: float, theta: float, team: ThreadTeam) -> None:
        n = adjacency.shape[0]
        self._csr = as_kernels_read(adjacency)
        self.mass: Floats = 1.0 + np.diff(adjacency.indptr)
        self.scaling, self.gravity, self.theta = float(scaling), float(gravity), float(theta)
        self.team = team
        self._cuts = pieces(n)
        self._order = np.empty(n, np.int64)
        self._push, self._pull = np.empty((2, n, 2))
        self._room(2 * n + 64)

    def _room(self, cells: int) -> None:
        """Make room for the cells of a tree."""
        self._first, self._last, self._after = np.empty((3, cells), np.int64)
        self._cells = np.empty((cells, 4))

    def __call__(self, points: Floats) -> Floats:
        """Return the forces at some positions, both of shape (n, 2)."""
        tree = (self._order, self._first, self._last, self._after, self._cells)
        n_cells = kernels.plant(points, self.mass, *tree)
        while n_cells < 0:  # nodes in tight pairs far apart need chains of cells
            self._room(2 * len(self._first))
            tree = (self._order, self._first, self._last, self._after, self._cells)
            n_cells = kernels.plant(points, self.mass, *tree)

        def work(k: int) -> None:
            lo, hi = self._cuts[k], self._cuts[k + 1]
            kernels.repel(lo, hi, points, self.mass, *tree, n_cells, self.theta, self._push)
            kernels.attract(lo, hi, *self._csr, 0.0, points, self._pull)

        self.team.run(work, len(self._cuts) - 1)
        distance = np.maximum(np.hypot(points[:, 0], points[:, 1]), 1e-12)
        weight = self.gravity * self.mass / distance
        return self.scaling * self._push + self._pull - weight[:, None] * points


class _Pace:
    """How far nodes move, after section "Adapting the local temperature" of the publication, as in Gephi.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        Moved in place.
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        self._before = np.zeros_like(points)
        self._speed = self._efficiency = 1.0

    def step(self, force: Floats, mass: Floats) -> None:
        """Move all nodes along their forces."""
        n = len(self.points)
        swinging = np.linalg.norm(force - self._before, axis=1)
        swings = float(mass @ swinging)
        traction = float(mass @ np.linalg.norm(force + self._before, axis=1)) / 2
        self._before = force
        # Larger graphs bear more swinging, denser ones less.
        tolerance = 0.05 * math.sqrt(n)
        tolerance = max(math.sqrt(tolerance), min(10.0, tolerance * traction / n**2))
        if swings > 2 * traction > 0:  # erratic
            self._efficiency *= 0.5 if self._efficiency > 0.05 else 1.0
            tolerance = max(tolerance, 1.0)
        target = tolerance * self._efficiency * traction / swings if swings > 0 else math.inf
        if swings > tolerance * traction:
            self._efficiency *= 0.7 if self._efficiency > 0.05 else 1.0
        elif self._speed < 1000:
            self._efficiency *= 1.3
        self._speed += min(target - self._speed, 0.5 * self._speed)
        self.points += force * (self._speed / (1 + np.sqrt(self._speed * mass * swinging)))[:, None]
