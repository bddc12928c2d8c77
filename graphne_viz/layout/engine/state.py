"""A layout under way: float32 positions, speeds and gains, and how they advance by an iteration.

The steps are openTSNE's, with three differences: a node has one gain and not one for each coordinate, which would
favour the axes; a node's step is bounded by its stiffness; and a layout that shrinks to a point is blown up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from threading import get_ident
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.repulsion import Mesh
from graphne_viz.layout.engine.settings import (
    LEAST_Z,
    SHAKE,
    WATCH_ALWAYS_UP_TO,
    floors_at,
    small_cliques,
    stable_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.engine.repulsion import Repulsion

_SORT_FROM = 30_000
"""Nodes from which on it pays to keep the arrays sorted by place."""

_SORT_EVERY = 50
"""Iterations between two such sorts."""

_EDGES_PER_PIECE = 30_000
"""Directed edges in one thread's helping of attraction."""

_NODES_PER_PIECE = 32_768
"""Nodes in one thread's helping of moving."""

_PAIRS_PER_PIECE = 10_000_000
"""Pairs of nodes in one helping of small parts: some milliseconds, so that Ctrl-C is heard."""


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
        """Convert a sparse matrix."""
        sums = np.concatenate([[0.0], np.cumsum(P.data * np.log(P.data))])
        entropies = np.diff(sums[P.indptr])
        return cls(P.indptr.astype(np.int32), P.indices.astype(np.int32), P.data.astype(np.float32), entropies)

    @property
    def csr(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """The three arrays in the kernels' order."""
        return self.indptr, self.indices, self.weights

    def sort(self, order: NDArray[np.int32]) -> Edges:
        """Renumber the nodes: what was node ``order[k]`` becomes node k."""
        inverse = np.empty_like(order)
        inverse[order] = np.arange(order.size, dtype=order.dtype)
        new = Edges(
            np.empty_like(self.indptr),
            np.empty_like(self.indices),
            np.empty_like(self.weights),
            self.entropies[order],
        )
        kernels.renumber(order, inverse, *self.csr, *new.csr)
        return new

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


class _State:
    """What one part and many small parts have in common."""

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
        self._offsets = offsets
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
        self._scaled_up[np.searchsorted(self._offsets, nodes, side="right") - 1] = False
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


class OnePart(_State):
    """A connected graph whose repulsion an engine computes.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions.
    P : csr_array, shape (n, n)
        Symmetric affinities that sum to 1.
    team : ThreadTeam
        Threads to compute with.
    dof : float
        Degrees of freedom of the kernel.
    rates : ndarray of float32, shape (n,)
        Learning rates without exaggeration; where one is 0 the node is held in place, and then the layout is neither
        centred nor scaled.
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
        if self._age % _SORT_EVERY == _SORT_EVERY - 1 and self.moving.shape[1] >= _SORT_FROM:
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
        """Sort all arrays by place, so that neighbours on the screen are neighbours in memory."""
        if not isinstance(self.repulsion, Mesh):
            return
        order = self.repulsion.order
        self.moving = np.ascontiguousarray(self.moving[:, order])
        self.edges = self.edges.sort(order)
        self._names = self._names[order]
        self._cuts = self.edges.cuts()


@dataclass
class _Evaluation:
    """What was computed at one set of positions."""

    z: float = math.nan


class SmallParts(_State):
    """Many small graphs at once, each with its own normalisation; whole iterations are compiled.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions, nodes grouped by part.
    P : csr_array, shape (n, n)
        Affinities, block diagonal; each block sums to 1.
    team : ThreadTeam
        Threads to compute with.
    dof : float
        Degrees of freedom of the kernel.
    rates : ndarray of float32, shape (n,)
        Learning rates without exaggeration; where one is 0 the node is held in place.
    offsets : ndarray of int64, shape (k + 1,)
        Where each part begins.
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
        self.offsets = offsets
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


def _spread(moving: NDArray[np.float32]) -> float:
    """Root mean square radius."""
    return math.sqrt(kernels.variance(moving[0], moving[1]))
