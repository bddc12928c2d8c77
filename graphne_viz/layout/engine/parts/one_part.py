"""A connected graph on its way, whose repulsion an engine computes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from threading import get_ident
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.parts.state import State
from graphne_viz.layout.engine.repulsion import Mesh
from graphne_viz.layout.engine.settings import WATCH_ALWAYS_UP_TO

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.engine.repulsion import Repulsion

_SORT_FROM = 30_000
"""Nodes from which on it pays to keep the arrays sorted by place."""

_SORT_EVERY = 50
"""Iterations between two such sorts, the first of which follows upon the first look at the places."""

_NODES_PER_PIECE = 32_768
"""Nodes in one thread's helping of moving."""


@dataclass
class _Evaluation:
    """What was computed at one set of positions."""

    z: float = math.nan


class OnePart(State):
    """A connected graph whose repulsion an engine computes.

    Parameters
    ----------
    start, P, team, dof, rates
        As for `State`, of one part.
    repulsion : Exact or Mesh
        Engine for the repulsion.
    """

    def __init__(  # noqa: PLR0917 - called in one place
        self,
        start: NDArray[np.float64],
        P: sp.csr_array,
        team: ThreadTeam,
        dof: float,
        rates: NDArray[np.float32],
        repulsion: Repulsion,
    ) -> None:
        super().__init__(start, P, team, dof, rates, np.array([0, len(start)]))
        self.repulsion = repulsion
        self._evaluation = _Evaluation()
        self._age = 0
        self._cuts = self.edges.cuts()

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        n = self.moving.shape[1]
        pieces = -(-n // _NODES_PER_PIECE)

        def move(k: int) -> None:
            kernels.move(
                k * _NODES_PER_PIECE, min((k + 1) * _NODES_PER_PIECE, n), self.moving, *self.pull,
                self.repulsion.push_x, self.repulsion.push_y, z, self.attraction, self.momentum, self.stable,
            )  # fmt: skip

        for _ in range(count):
            if self._scaled_up[0] and (self._age % 10 == 0 or n <= WATCH_ALWAYS_UP_TO):
                self._blow_up()
            z = self._evaluate()
            self.team.run(move, pieces)
            self._evaluation = _Evaluation()
            self._age += 1

    def gradient(self) -> NDArray[np.float32]:
        """Gradient of KL(P, Q) by the positions, up to a factor of 4, shape (n, 2)."""
        z = self._evaluate()
        gradient = np.empty((self.moving.shape[1], 2), np.float32)
        push = np.stack([self.repulsion.push_x, self.repulsion.push_y])
        gradient[self._names] = (self.attraction * self.pull[:2] - push / np.float32(z)).T
        return gradient

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells KL(P, Q) at the present positions, now or later, in any thread.

        Parameters
        ----------
        positions : ndarray, shape (n, 2)
            As `write` gave them; not to be changed.
        """
        evaluation = self._evaluation

        def tell() -> float:
            x, y = np.ascontiguousarray(positions.T, dtype=np.float32)
            if math.isnan(evaluation.z) and self._evaluation is evaluation and self.running_in == get_ident():
                self._evaluate()
            with ThreadTeam(1) as alone:
                z = evaluation.z
                if math.isnan(z):
                    engine = type(self.repulsion)(x.size, float(self.dof))
                    engine.deposit(x, y)
                    z = engine.collect(alone)
                terms = self._given_edges.divergences(x, y, self.dof, alone)
            return float(terms.sum() + math.log(z))

        return tell

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions, in the caller's order, into an array of shape (n, 2)."""
        found = self.moving[:2].T.astype(np.float64)
        if not self.held:
            found -= found.mean(axis=0)
        positions[self._names] = found

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call; nothing is centred any more."""
        super().hold(nodes, places)
        self._evaluation = _Evaluation()

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""
        super().shake(rng)
        self._evaluation = _Evaluation()

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        super().shrink(factor)
        self._evaluation = _Evaluation()

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius, shape (1,)."""
        return np.array([_spread(self.moving)])

    def _evaluate(self) -> float:
        """Compute the forces at the present positions, unless that is done; returns Z."""
        if not math.isnan(self._evaluation.z):
            return self._evaluation.z
        if self._age % _SORT_EVERY == 1 and self.moving.shape[1] >= _SORT_FROM:
            self._sort()
        x, y = self.moving[:2]

        def attract(k: int) -> None:
            kernels.attract(self._cuts[k], self._cuts[k + 1], *self.edges.csr, x, y, self.dof, *self.pull)

        self.team.begin(attract, len(self._cuts) - 1)
        self.repulsion.deposit(x, y)
        self.team.finish()
        self._evaluation.z = self.repulsion.collect(self.team)
        return self._evaluation.z

    def _blow_up(self) -> None:
        """Scale positions and speeds up to the least root mean square radius."""
        spread, floor = _spread(self.moving), float(self.floors[0])
        if 0 < spread < floor:
            self.moving[:2] -= self.moving[:2].mean(axis=1, keepdims=True, dtype=np.float64)
            self.moving[:4] *= np.float32(floor / spread)
            self._evaluation = _Evaluation()

    def _sort(self) -> None:
        """Sort all arrays by place, so that neighbours on the screen are neighbours in memory, and nearby by degree."""
        if not isinstance(self.repulsion, Mesh):
            return
        order = self.edges.by_degree(self.repulsion.order)
        self.moving = np.ascontiguousarray(self.moving[:, order])
        self._names = self._names[order]
        # From the edges as they were given into the arrays of those sorted before: there are never more than two.
        before = None if self.edges is self._given_edges else self.edges
        self.edges = self._given_edges.sort(self._names.astype(order.dtype), self.team, before)
        self._cuts = self.edges.cuts()


def _spread(moving: NDArray[np.float32]) -> float:
    """Root mean square radius."""
    return math.sqrt(kernels.variance(moving[0], moving[1]))
