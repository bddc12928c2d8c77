"""A layout under way: float32 positions, speeds and gains, and how they advance by an iteration.

The steps are openTSNE's, with three differences: a node has one gain and not one for each coordinate, which would
favour the axes; a node's step is bounded by its stiffness; and a layout that shrinks to a point is blown up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.settings import (
    SHAKE,
    floors_at,
    small_cliques,
    stable_at,
)
from graphne_viz.layout.row_runs import row_runs

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._threads import ThreadTeam


_EDGES_PER_PIECE = 30_000
"""Directed edges in one thread's helping of attraction."""

_NEAR = 512
"""Nodes in a row that count as being at one place."""


@dataclass
class Edges:
    """Affinities as the kernels read them: CSR with float32 weights."""

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]
    entropies: NDArray[np.float64]
    """Each node's sum_j p_ij log p_ij, shape (n,), which positions have no part in."""

    @classmethod
    def of(cls, P: sp.csr_array) -> Edges:
        """Convert a sparse matrix, whose indices may be shared."""
        entropies = np.empty(P.shape[0])
        total = 0.0
        for run in row_runs(P):
            some = P.data[run.entries]
            sums = np.cumsum(np.concatenate([[total], some * np.log(some)]))
            entropies[run.low : run.high] = np.diff(sums[P.indptr[run.low : run.high + 1] - run.entries.start])
            total = sums[-1]
        indptr, indices = (array.astype(np.int32, copy=False) for array in (P.indptr, P.indices))
        return cls(indptr, indices, P.data.astype(np.float32), entropies)

    @property
    def csr(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """The three arrays in the kernels' order."""
        return self.indptr, self.indices, self.weights

    def sort(self, order: NDArray[np.int32], team: ThreadTeam, into: Edges | None = None) -> Edges:
        """Renumber the nodes: what was node ``order[k]`` becomes node k.

        Parameters
        ----------
        order : ndarray of int32, shape (n,)
        team : ThreadTeam
            Threads to compute with.
        into : Edges, optional
            Others of the same graph, whose arrays are written over.
        """
        inverse = np.empty_like(order)
        inverse[order] = np.arange(order.size, dtype=order.dtype)
        if into is None:
            into = Edges(
                np.empty_like(self.indptr), np.empty_like(self.indices), np.empty_like(self.weights), self.entropies
            )
        np.cumsum(np.diff(self.indptr)[order], out=into.indptr[1:])
        into.indptr[0] = 0
        cuts = into.cuts()

        def renumber(k: int) -> None:
            kernels.renumber(cuts[k], cuts[k + 1], order, inverse, *self.csr, *into.csr)

        team.run(renumber, len(cuts) - 1)
        return replace(into, entropies=self.entropies[order])

    def by_degree(self, order: NDArray[np.int32]) -> NDArray[np.int32]:
        """Sort nodes by degree within runs of `_NEAR` nodes: processors foresee rows of like lengths best."""
        n = order.size
        lengths = np.zeros(-(-n // _NEAR) * _NEAR, np.uint16)
        lengths[:n] = np.minimum(np.diff(self.indptr)[order], 65_535)
        within = np.argsort(~lengths.reshape(-1, _NEAR), axis=1, kind="stable")
        within += np.arange(0, lengths.size, _NEAR)[:, None]
        return order[within.ravel()[:n]]

    def cuts(self) -> NDArray[np.int64]:
        """Where to cut the nodes into ranges with about equally many edges, shape (pieces + 1,)."""
        marks = np.arange(_EDGES_PER_PIECE, self.indptr[-1], _EDGES_PER_PIECE)
        return np.unique([0, *np.searchsorted(self.indptr, marks), self.indptr.size - 1])

    def divergences(
        self, x: NDArray[np.float32], y: NDArray[np.float32], dof: np.float32, team: ThreadTeam
    ) -> NDArray[np.float64]:
        """Each node's share of KL(P, Q) without log Z, shape (n,)."""
        terms = np.empty(x.size, np.float32)
        cuts = self.cuts()

        def stretch(k: int) -> None:
            kernels.stretch(cuts[k], cuts[k + 1], *self.csr, x, y, dof, terms)

        team.run(stretch, len(cuts) - 1)
        return self.entropies + terms


class State:
    """What one part and many small parts have in common.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions, nodes grouped by part.
    P : csr_array, shape (n, n)
        Symmetric affinities, block diagonal; each block sums to 1.
    team : ThreadTeam
        Threads to compute with.
    dof : float
        Degrees of freedom of the kernel.
    rates : ndarray of float32, shape (n,)
        Learning rates without exaggeration; where one is 0 the node is held in place, and then the layout is neither
        centred nor scaled.
    offsets : ndarray of int64, shape (k + 1,)
        Where each part begins.
    """

    def __init__(  # noqa: PLR0917 - called in two places
        self,
        start: NDArray[np.float64],
        P: sp.csr_array,
        team: ThreadTeam,
        dof: float,
        rates: NDArray[np.float32],
        offsets: NDArray[np.int64],
    ) -> None:
        n = len(start)
        self.team = team
        self.dof = np.float32(dof)
        self.edges = self._given_edges = Edges.of(P)
        self.rates = self._given_rates = rates
        self.held = bool((rates == 0).any())
        """Whether nodes are held, or were: then nothing is centred."""
        self._scaled_up = np.full(offsets.size - 1, not self.held)
        """Which parts are kept from shrinking to a point."""
        self.offsets = offsets
        self.moving = np.zeros((6, n), np.float32)
        self.moving[:2] = np.asarray(start).T
        self.moving[4] = 1
        self.pull = np.empty((3, n), np.float32)
        self._names = np.arange(n)
        self._cliques = small_cliques(P, offsets)
        self.running_in: int | None = None
        """The thread of the run, which alone may compute here; None when it is over."""

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        self.moving[5] = self.rates[self._names] / np.float32(exaggeration)
        self.attraction = np.float32(exaggeration)
        self.momentum = np.float32(momentum)
        self.stable = np.float32(stable_at(exaggeration))
        floor, floor_of_cliques = floors_at(exaggeration)
        self.floors = np.where(self._cliques, floor_of_cliques, floor).astype(np.float32)

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call; nothing is centred any more."""
        self.held = True
        if not nodes.size and self.rates is self._given_rates:
            return
        self.rates = self._given_rates.copy()
        self.rates[nodes] = 0
        self._scaled_up[np.searchsorted(self.offsets, nodes, side="right") - 1] = False
        column = np.empty_like(self._names)
        column[self._names] = np.arange(column.size)
        at = column[nodes]
        self.moving[:2, at] = places.T
        self.moving[2:4, at] = 0
        self.moving[4, at] = 1

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""
        noise = rng.normal(0, SHAKE, (self.moving.shape[1], 2))[self._names]
        free = self.rates[self._names] > 0
        self.moving[:2] += np.where(free, (noise * self.spreads()[:, None]).T, 0)

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        self.moving[:4] /= np.float32(factor)

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius of each node's part, shape (n,) or (1,)."""
        raise NotImplementedError
