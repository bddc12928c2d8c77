"""A few nodes that move among many that are held: only the forces on those few are computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.parts.held_cells import HeldCells
from graphne_viz.layout.engine.parts.state import Edges
from graphne_viz.layout.engine.repulsion import Mesh
from graphne_viz.layout.engine.settings import LEAST_Z, SHAKE, stable_at

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

PAIRS = 200
"""Pairs of nodes that cost as much as one node on a mesh."""

_PAIRS_WITH_HELD = 10
"""Pairs of a free node with held ones and their cells, for each square root of their number."""

_NODES_PER_PIECE = 64


def are_few(free: int, n: int) -> bool:
    """Whether to sum the forces on so many free nodes of ``n`` is faster than a mesh for all of them."""
    return free * (_PAIRS_WITH_HELD * math.sqrt(n) + free) <= PAIRS * n


class FewFree:
    """A connected graph most of whose nodes are held in place.

    An iteration costs in proportion to the free nodes. Held ones are sorted into cells, and the similarity between them
    is summed up, once.

    Parameters
    ----------
    start, P, team, dof, rates
        As for `State`, of one part; rates are 0 for nodes that are held.
    """

    def __init__(
        self, start: NDArray[np.float64], P: sp.csr_array, team: ThreadTeam, dof: float, rates: NDArray[np.float32]
    ) -> None:
        self.running_in: int | None = None
        self.team = team
        self.dof = np.float32(dof)
        self._start, self._given = np.array(start, dtype=np.float64), P
        free = rates > 0
        order = np.argsort(~free, kind="stable").astype(np.int32)
        self._count = int(free.sum())
        self._names = order[: self._count]
        self._rates = self._given_rates = rates[self._names]
        # Free nodes come first, so that kernels work on a range of them.
        inverse = np.empty_like(order)
        inverse[order] = np.arange(order.size, dtype=np.int32)
        self._column = inverse
        rows = P[self._names]
        self._csr = rows.indptr.astype(np.int32), inverse[rows.indices], rows.data.astype(np.float32)
        self._moving = np.zeros((6, order.size), np.float32)
        self._moving[:2] = self._start[order].T
        self._moving[4] = 1
        self._pull = np.empty((3, self._count), np.float32)
        self._push = np.empty((2, self._count), np.float32)
        self._z, self._z_to_held = np.zeros((2, self._count), np.float32)
        self._see_held()

    def _see_held(self) -> None:
        """Sort the held nodes into cells, and sum up the similarities between them."""
        x, y = np.ascontiguousarray(self._moving[:2, self._count :])
        self._cells = HeldCells(x, y, self.dof) if x.size else None
        self._z_held = 0.0
        if x.size > 1:
            mesh = Mesh(x.size, float(self.dof))
            mesh.deposit(x, y)
            self._z_held = mesh.collect(self.team)

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        self._moving[5, : self._count] = self._rates / np.float32(exaggeration)
        self._attraction, self._momentum = np.float32(exaggeration), np.float32(momentum)
        self._stable = np.float32(stable_at(exaggeration))

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        x, y = self._moving[:2]
        pieces = -(-self._count // _NODES_PER_PIECE)

        def push(k: int) -> None:
            lo, hi = k * _NODES_PER_PIECE, min((k + 1) * _NODES_PER_PIECE, self._count)
            kernels.repel(lo, hi, 0, self._count, x, y, self.dof, *self._push, self._z)
            if self._cells is not None:
                self._cells.push(lo, hi, self._moving[:2], self._push, self._z_to_held)
            kernels.attract(lo, hi, *self._csr, x, y, self.dof, *self._pull)

        for _ in range(count):
            self.team.run(push, pieces)
            # Pairs of a free and a held node count twice, as do all pairs.
            z = self._z_held + float(self._z.sum(dtype=np.float64)) + 2 * float(self._z_to_held.sum(dtype=np.float64))
            z = max(z, LEAST_Z * x.size)
            kernels.move(
                0, self._count, self._moving, *self._pull, *self._push, z,
                self._attraction, self._momentum, self._stable,
            )  # fmt: skip

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells KL(P, Q) at the present positions, now or later, in any thread."""

        def tell() -> float:
            x, y = np.ascontiguousarray(positions.T, dtype=np.float32)
            mesh = Mesh(x.size, float(self.dof))
            mesh.deposit(x, y)
            with ThreadTeam(1) as alone:
                z = mesh.collect(alone)
                terms = Edges.of(self._given).divergences(x, y, self.dof, alone)
            return float(terms.sum() + math.log(z))

        return tell

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions, in the caller's order, into an array of shape (n, 2)."""
        positions[:] = self._start
        positions[self._names] = self._moving[:2, : self._count].T

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call."""
        at = self._column[nodes]
        free = at < self._count
        self._rates = self._given_rates.copy()
        self._rates[at[free]] = 0
        self._moving[:2, at] = places.T
        self._moving[2:4, at] = 0
        self._moving[4, at] = 1
        if not free.all():
            self._start[nodes[~free]] = places[~free]
            self._see_held()

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""
        spread = math.sqrt(kernels.variance(*np.ascontiguousarray(self._moving[:2])))
        self._moving[:2, : self._count] += rng.normal(0, SHAKE * spread, (self._count, 2)).T

    def shrink(self, factor: float) -> None:
        """Leave positions as they are: around held nodes nothing is scaled."""
