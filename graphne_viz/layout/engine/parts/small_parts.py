"""Many small graphs on their way at once; whole iterations are compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.parts.state import State
from graphne_viz.layout.engine.settings import LEAST_Z

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

_PAIRS_PER_PIECE = 10_000_000
"""Pairs of nodes in one helping of small parts: some milliseconds, so that Ctrl-C is heard."""


class SmallParts(State):
    """Many small graphs at once, each with its own normalisation; whole iterations are compiled.

    Parameters
    ----------
    start, P, team, dof, rates, offsets
        As for `State`.
    """

    def __init__(  # noqa: PLR0917 - called in one place
        self,
        start: NDArray[np.float64],
        P: sp.csr_array,
        team: ThreadTeam,
        dof: float,
        rates: NDArray[np.float32],
        offsets: NDArray[np.int64],
    ) -> None:
        super().__init__(start, P, team, dof, rates, offsets)
        self._push = np.empty((2, len(start)), np.float32)
        self._z = np.empty(len(start), np.float32)
        work = np.cumsum(np.diff(offsets) ** 2)
        pieces = np.arange(_PAIRS_PER_PIECE // 50, work[-1], _PAIRS_PER_PIECE // 50)
        self._cuts = np.unique([0, *np.searchsorted(work, pieces), offsets.size - 1])

    def iterate(self, count: int) -> None:
        """Take ``count`` steps in every part."""
        floors = np.where(self._scaled_up, self.floors, np.float32(0))
        for done in range(0, count, 50):
            steps = min(50, count - done)

            def descend(k: int, steps: int = steps) -> None:
                kernels.descend(
                    self._cuts[k], self._cuts[k + 1], self.offsets, steps, *self.edges.csr, self.moving,
                    *self.pull, *self._push, self._z, self.attraction, self.momentum, self.stable, self.dof, floors,
                )  # fmt: skip

            self.team.run(descend, len(self._cuts) - 1)

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells the mean over nodes of their parts' KL(P, Q), now or later, in any thread.

        Parameters
        ----------
        positions : ndarray, shape (n, 2)
            As `write` gave them; not to be changed.
        """

        def tell() -> float:
            x, y = np.ascontiguousarray(positions.T, dtype=np.float32)
            first, sizes = self.offsets[:-1], np.diff(self.offsets)
            push, z_nodes = np.empty((2, x.size), np.float32), np.empty(x.size, np.float32)
            kernels.repel_parts(self.offsets, x, y, self.dof, *push, z_nodes)
            z = np.maximum(np.add.reduceat(z_nodes, first, dtype=np.float64), LEAST_Z * sizes)
            with ThreadTeam(1) as alone:
                terms = np.add.reduceat(self.edges.divergences(x, y, self.dof, alone), first)
            return float((terms + np.log(z)) @ sizes / sizes.sum())

        return tell

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius of each node's part, shape (n,)."""
        first, sizes = self.offsets[:-1], np.diff(self.offsets)
        positions = self.moving[:2].astype(np.float64)
        means = np.add.reduceat(positions, first, axis=1) / sizes
        squares = np.add.reduceat(positions**2, first, axis=1) / sizes - means**2
        return np.repeat(np.sqrt(np.maximum(squares.sum(axis=0), 0)), sizes)

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions into an array of shape (n, 2)."""
        positions[:] = self.moving[:2].T
