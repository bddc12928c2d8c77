"""A layout under way: float32 positions, speeds and gains, and how they advance by an iteration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout import kernels
from graphne_viz.layout.repulsion import Mesh

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.repulsion import Repulsion
    from graphne_viz.layout.team import Team

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

_SMALL_CLIQUE = 150
"""Nodes up to which a clique is held at a size of its own."""

_WATCH_ALWAYS_UP_TO = 10_000
"""Nodes up to which the spread of a layout is looked at in every iteration; beyond in every tenth."""


@dataclass
class Edges:
    """Affinities as the kernels read them: CSR with float32 weights."""

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]
    entropies: NDArray[np.float64]
    """Each node's sum_j p_ij log p_ij, shape (n,), which positions have no part in."""

    @classmethod
    def of(cls, P: sp.csr_matrix) -> Edges:
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
        self, x: NDArray[np.float32], y: NDArray[np.float32], dof: np.float32, team: Team
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

    def __init__(
        self, start: NDArray[np.float64], P: sp.csr_matrix, team: Team, dof: float, offsets: NDArray[np.int64]
    ) -> None:
        n = len(start)
        self.team = team
        self.dof = np.float32(dof)
        self.edges = Edges.of(P)
        self.moving = np.zeros((7, n), np.float32)
        self.moving[:2] = np.asarray(start).T
        self.moving[4:6] = 1
        self.pull = np.empty((3, n), np.float32)
        self._names = np.arange(n)
        self._cliques = _small_cliques(P, offsets)

    def begin(
        self,
        rate: NDArray[np.float32] | np.float32,
        attraction: float,
        momentum: float,
        *,
        stable: float,
        floors: tuple[float, float],
    ) -> None:
        """Set what holds for the iterations to come."""
        self.moving[6] = rate[self._names] if isinstance(rate, np.ndarray) else rate
        self.attraction = np.float32(attraction)
        self.momentum = np.float32(momentum)
        self.stable = np.float32(stable)
        self.floors = np.where(self._cliques, floors[1], floors[0]).astype(np.float32)

    def shake(self, noise: NDArray[np.float64]) -> None:
        """Displace every free node by its noise, shape (n, 2), as a share of its part's spread."""
        free = self.moving[6] > 0
        self.moving[:2] += np.where(free, (noise * self.spreads()[:, None]).T, 0)

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        self.moving[:4] /= np.float32(factor)

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius of each node's part, shape (n,)."""
        raise NotImplementedError


class OnePart(_State):
    """A connected graph whose repulsion an engine computes.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions.
    P : csr_matrix, shape (n, n)
        Symmetric affinities that sum to 1.
    team : Team
        Threads to compute with.
    dof : float
        Degrees of freedom of the kernel.
    repulsion : Exact or Mesh
        Engine for the repulsion.
    held : bool
        Whether some nodes are held in place, so that the layout must be neither centred nor scaled.
    """

    def __init__(
        self,
        start: NDArray[np.float64],
        P: sp.csr_matrix,
        team: Team,
        dof: float,
        repulsion: Repulsion,
        *,
        held: bool,
    ) -> None:
        super().__init__(start, P, team, dof, np.array([0, len(start)]))
        self.repulsion = repulsion
        self.held = held
        self._z = math.nan
        self._fresh = False
        self._age = 0
        self._cuts = self.edges.cuts()

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        n = self.moving.shape[1]
        pieces = -(-n // _NODES_PER_PIECE)

        def move(k: int) -> None:
            kernels.move(
                k * _NODES_PER_PIECE, min((k + 1) * _NODES_PER_PIECE, n), self.moving, *self.pull,
                self.repulsion.push_x, self.repulsion.push_y, self._z, self.attraction, self.momentum, self.stable,
            )  # fmt: skip

        for _ in range(count):
            self._evaluate()
            self.team.run(move, pieces)
            self._fresh = False
            self._age += 1

    def divergence(self) -> float:
        """KL(P, Q) at the present positions, with the engine's Z."""
        self._evaluate()
        terms = self.edges.divergences(self.moving[0], self.moving[1], self.dof, self.team)
        return float(terms.sum() + math.log(self._z))

    def write(self, embedding: NDArray[np.float64]) -> None:
        """Put the positions, in the caller's order, into ``embedding``."""
        positions = self.moving[:2].T.astype(np.float64)
        if not self.held:
            positions -= positions.mean(axis=0)
        embedding[self._names] = positions

    def shake(self, noise: NDArray[np.float64]) -> None:
        """Displace every free node by its noise, given in the caller's order, as a share of the spread."""
        super().shake(noise[self._names])
        self._fresh = False

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        super().shrink(factor)
        self._fresh = False

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius, shape (1,)."""
        return np.array([_spread(self.moving)])

    def _evaluate(self) -> None:
        """Compute the forces at the present positions."""
        if self._fresh:
            return
        if not self.held and (self._age % 10 == 0 or self.moving.shape[1] <= _WATCH_ALWAYS_UP_TO):
            _blow_up(self.moving, float(self.floors[0]))
        if self._age % _SORT_EVERY == _SORT_EVERY - 1 and self.moving.shape[1] >= _SORT_FROM:
            self._sort()
        x, y = self.moving[:2]

        def attract(k: int) -> None:
            kernels.attract(self._cuts[k], self._cuts[k + 1], *self.edges.csr, x, y, self.dof, *self.pull)

        self.team.begin(attract, len(self._cuts) - 1)
        self.repulsion.deposit(x, y)
        self.team.finish()
        self._z = self.repulsion.collect(self.team)
        self._fresh = True

    def _sort(self) -> None:
        """Sort all arrays by place, so that neighbours on the screen are neighbours in memory."""
        if not isinstance(self.repulsion, Mesh):
            return
        order = self.repulsion.order
        self.moving = np.ascontiguousarray(self.moving[:, order])
        self.edges = self.edges.sort(order)
        self._names = self._names[order]
        self._cuts = self.edges.cuts()


class SmallParts(_State):
    """Many small graphs at once, each with its own normalisation; whole iterations are compiled.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions, nodes grouped by part.
    P : csr_matrix, shape (n, n)
        Affinities, block diagonal; each block sums to 1.
    team : Team
        Threads to compute with.
    dof : float
        Degrees of freedom of the kernel.
    offsets : ndarray of int64, shape (k + 1,)
        Where each part begins.
    held : bool
        Whether some nodes are held in place.
    """

    def __init__(
        self,
        start: NDArray[np.float64],
        P: sp.csr_matrix,
        team: Team,
        dof: float,
        offsets: NDArray[np.int64],
        *,
        held: bool,
    ) -> None:
        super().__init__(start, P, team, dof, offsets)
        self.offsets = offsets
        self.held = held
        self._push = np.empty((2, len(start)), np.float32)
        self._z = np.empty(len(start), np.float32)
        work = np.cumsum(np.diff(offsets) ** 2)
        pieces = np.arange(_PAIRS_PER_PIECE // 50, work[-1], _PAIRS_PER_PIECE // 50)
        self._cuts = np.unique([0, *np.searchsorted(work, pieces), offsets.size - 1])

    def iterate(self, count: int) -> None:
        """Take ``count`` steps in every part."""
        floors = np.zeros_like(self.floors) if self.held else self.floors
        for done in range(0, count, 50):
            steps = min(50, count - done)

            def descend(k: int, steps: int = steps) -> None:
                kernels.descend(
                    self._cuts[k], self._cuts[k + 1], self.offsets, steps, *self.edges.csr, self.moving,
                    *self.pull, *self._push, self._z, self.attraction, self.momentum, self.stable, self.dof, floors,
                )  # fmt: skip

            self.team.run(descend, len(self._cuts) - 1)

    def divergence(self) -> float:
        """Mean over nodes of their parts' KL(P, Q)."""
        x, y = self.moving[:2]
        first = self.offsets[:-1]
        kernels.repel_parts(self.offsets, x, y, self.dof, *self._push, self._z)
        z = np.add.reduceat(self._z, first, dtype=np.float64)
        terms = np.add.reduceat(self.edges.divergences(x, y, self.dof, self.team), first)
        sizes = np.diff(self.offsets)
        return float((terms + np.log(z)) @ sizes / sizes.sum())

    def spreads(self) -> NDArray[np.float64]:
        """Root mean square radius of each node's part, shape (n,)."""
        first, sizes = self.offsets[:-1], np.diff(self.offsets)
        positions = self.moving[:2].astype(np.float64)
        means = np.add.reduceat(positions, first, axis=1) / sizes
        squares = np.add.reduceat(positions**2, first, axis=1) / sizes - means**2
        return np.repeat(np.sqrt(np.maximum(squares.sum(axis=0), 0)), sizes)

    def write(self, embedding: NDArray[np.float64]) -> None:
        """Put the positions into ``embedding``."""
        embedding[:] = self.moving[:2].T


def _small_cliques(P: sp.csr_matrix, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which parts are cliques of at most `_SMALL_CLIQUE` nodes, shape (k,)."""
    sizes = np.diff(offsets)
    cliques: NDArray[np.bool_] = np.diff(P.indptr[offsets]) == sizes * (sizes - 1)
    return cliques & (sizes <= _SMALL_CLIQUE)


def _blow_up(moving: NDArray[np.float32], floor: float) -> None:
    """Scale positions and speeds up to a root mean square radius of ``floor``."""
    spread = _spread(moving)
    if 0 < spread < floor:
        moving[:2] -= moving[:2].mean(axis=1, keepdims=True, dtype=np.float64)
        moving[:4] *= np.float32(floor / spread)


def _spread(moving: NDArray[np.float32]) -> float:
    """Root mean square radius."""
    return math.sqrt(kernels.variance(moving[0], moving[1]))
