"""Leading eigenvectors of a connected graph's random walk, each process having the rows of its own nodes.

The method is that of `graphne_viz.layout.initialization.eigenvectors`, with the same merging of nodes. Vectors are
divided as rows are; a product gathers 8 bytes a node for each column. Sums are exact, so that any number of processes
finds the same; where that does not matter, or hundreds of columns would make it slow, BLAS has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.distributed.affinity import join_column
from graphne_viz.layout.engine.torch_engine.distributed.exchange import as_rows, even_cuts, send_entries
from graphne_viz.layout.engine.torch_engine.distributed.sums import exact_inner
from graphne_viz.layout.engine.torch_engine.ranks import Shares
from graphne_viz.layout.initialization.eigenvectors import (
    DEGREE,
    DENSE,
    ENOUGH,
    GUARD,
    ROUNDS,
    WORK,
    chebyshev_interval,
)

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    from graphne_viz._types import Floats
    from graphne_viz.layout.engine.torch_engine.world import World
else:
    torch = lazy_import("torch")


@dataclass(frozen=True)
class _Level:
    """A graph, fine or merged."""

    world: World
    shares: Shares
    S: sp.csr_array
    """Own rows of ``D^-1/2 P D^-1/2``, shape (m, n)."""
    d: Floats
    """Row sums of P, of all nodes, shape (n,)."""
    entries: int
    """Of all processes."""
    exact: bool
    """Whether sums do not depend on how the nodes are divided."""

    @classmethod
    def of(cls, world: World, shares: Shares, P: sp.csr_array, d: Floats, *, exact: bool) -> _Level:
        scale = _inverse_root(d)
        data = np.repeat(scale[shares.share(0)], np.diff(P.indptr))
        data *= scale[P.indices]
        data *= P.data
        entries = int(world.total(np.array([P.nnz]))[0])
        return cls(world, shares, sp.csr_array((data, P.indices, P.indptr), shape=P.shape), d, entries, exact)

    @property
    def n(self) -> int:
        return int(self.S.shape[1])

    @property
    def own(self) -> slice:
        return self.shares.share(self.n)

    def times(self, X: Floats) -> Floats:
        """Own rows of S X, shape (m, b)."""
        found = np.empty_like(X)
        for column in range(X.shape[1]):
            found[:, column] = self.S @ join_column(self.shares, X[:, column], self.n)
        return found

    def inner(self, X: Floats, Y: Floats, *, symmetric: bool = False) -> Floats:
        """Inner products of all columns of X and Y, of which this process has its rows, shape (a, b)."""
        if self.exact:
            return exact_inner(self.world, X, Y, self.n, symmetric=symmetric)
        return self.world.total(np.ascontiguousarray(X.T @ Y))

    def combine(self, X: Floats, W: Floats) -> Floats:
        """``X @ W``; where sums are to be exact, so that no row depends on where it stands, as BLAS has it."""
        if not self.exact:
            return np.asarray(X @ W)
        found = np.zeros((len(X), W.shape[1]))
        for i in range(X.shape[1]):
            for j in range(W.shape[1]):
                found[:, j] += X[:, i] * W[i, j]
        return found


def leading(
    world: World, cuts: list[int], P: sp.csr_array, k: int, rng: np.random.Generator, *, exact: bool = True
) -> tuple[Floats, Floats]:
    """Find the leading non-trivial solutions of ``P v = lambda D v``, where D holds the row sums.

    Parameters
    ----------
    world : World
        All processes.
    cuts : list of int
        Where the nodes of each process begin, and their number.
    P : csr_array, shape (m, n)
        Rows of this process; all together are symmetric, not negative and connected.
    k : int
        How many; fewer come back where the graph has no more.
    rng : numpy.random.Generator
        In the same state in every process; decides how nodes merge.
    exact : bool
        Whether any number of processes is to find the same, to the last bit.

    Returns
    -------
    values : ndarray, shape (j,)
        With j <= k, in falling order.
    vectors : ndarray, shape (m, j)
        Own rows; orthonormal with respect to D.
    """
    shares = Shares(world, cuts)
    d: Floats = join_column(shares, P @ np.ones(P.shape[1]), P.shape[1])
    finer: list[tuple[_Level, NDArray[np.int64]]] = []
    while True:
        level = _Level.of(world, shares, P, d, exact=exact)
        if level.n <= max(DENSE, 4 * k):
            values, V = _dense(level, k + GUARD if finer else k)
            break
        labels = _merge(level, P, rng)
        count = int(labels.max()) + 1
        if count <= k + GUARD or count == level.n:
            # A star merges into one node: coarser levels teach nothing. Every process draws the same.
            guess = rng.standard_normal((level.n, k + GUARD))[level.own]
            values, V = _sharpen(level, guess, k, most=ROUNDS)
            break
        finer.append((level, labels))
        cuts = even_cuts(count, world.size)
        P = _coarse(world, level, P, labels, cuts)
        d = np.bincount(labels, d).astype(np.float64, copy=False)
        shares = Shares(world, cuts)
    while finer:
        coarse = shares
        level, labels = finer.pop()
        shares = level.shares
        # Every node takes the vector of what it was merged into.
        whole = np.column_stack([join_column(coarse, column, coarse.cuts[-1])[labels[level.own]] for column in V.T])
        guess = whole * np.sqrt(level.d[level.own])[:, None]
        values, V = _sharpen(level, guess, k, most=1 if finer else ROUNDS)
    return values[:k], V[:, :k]


def _inverse_root(d: Floats) -> Floats:
    return np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)


def _dense(level: _Level, count: int) -> tuple[Floats, Floats]:
    """Solve a small problem: everybody gets the whole matrix, and the first process's solution."""
    whole = np.zeros((level.n, level.n))
    whole[level.own] = level.S.toarray()
    values, U = eigh(level.world.total(whole), driver="ev", check_finite=False)
    level.world.send(torch.from_numpy(values))
    U = level.world.send(torch.from_numpy(np.ascontiguousarray(U))).numpy()
    keep = slice(-2, -count - 2 if count + 2 <= level.n else None, -1)
    return values[keep], (U[:, keep] * _inverse_root(level.d)[:, None])[level.own]


def _merge(level: _Level, P: sp.csr_array, rng: np.random.Generator) -> NDArray[np.int64]:
    """Merge each node with the neighbour it is tied to most; the merged node of every node, shape (n,)."""
    low, n = level.own.start, level.n
    degrees = np.diff(P.indptr)
    rows = np.repeat(np.arange(low, level.own.stop, dtype=P.indices.dtype), degrees)
    # Symmetric noise: with equal weights everywhere a path would merge into a single node.
    noise = rng.random(n)
    tie = noise[rows] + noise[P.indices]
    tie += 1 - np.floor(tie)
    tie *= level.S.data
    tie[rows == P.indices] = 0
    filled = degrees > 0
    strongest = np.zeros(len(degrees))
    if filled.any():
        strongest[filled] = np.maximum.reduceat(tie, P.indptr[:-1][filled])
    chosen = np.flatnonzero(tie == strongest[rows - low])
    partner = np.arange(low, level.own.stop, dtype=np.int64)
    partner[rows[chosen] - low] = P.indices[chosen]
    whole = join_column(level.shares, partner, n)
    kind = np.int32 if n < 2**31 else np.int64
    pairs = sp.csr_array((np.ones(n, dtype=np.int8), whole.astype(kind), np.arange(n + 1, dtype=kind)), shape=(n, n))
    return np.asarray(connected_components(pairs, directed=False)[1], dtype=np.int64)


def _coarse(world: World, level: _Level, P: sp.csr_array, labels: NDArray[np.int64], cuts: list[int]) -> sp.csr_array:
    """Own rows of the affinities between merged nodes, those within one on the diagonal."""
    rows = np.repeat(labels[level.own], np.diff(P.indptr))
    to = np.searchsorted(cuts, rows, side="right") - 1
    rows, columns, data = send_entries(world, to, rows, labels[P.indices], P.data)
    low, high = cuts[world.rank : world.rank + 2]
    return as_rows(rows - low, columns, data, (high - low, cuts[-1]))


def _sharpen(level: _Level, X: Floats, k: int, *, most: int) -> tuple[Floats, Floats]:
    """Turn own rows of a guess, shape (m, b), into those of eigenvectors of S by at most ``most`` filters."""
    d = level.d[level.own]
    trivial = np.sqrt(d / (level.d.sum() or 1.0))[:, None]
    values, X, SX = _ritz(level, X, trivial)
    for _ in range(int(np.clip(WORK / (DEGREE * max(level.entries, 1) * X.shape[1]), 1, most))):
        values, X, SX = _ritz(level, _filter(level, X, SX, float(values[-1])), trivial)
        last = values[min(k, len(values)) - 1]
        # Within a crowd of eigenvalues any of the crowd will do, so the gap is not taken too literally.
        gap = max(last - values[-1], 0.35 * (1 - last))
        off = (SX - values * X)[:, :k]
        if np.sqrt(level.inner(off, off, symmetric=True).diagonal().max()) < ENOUGH * gap:
            break
    return values, X * _inverse_root(d)[:, None]


def _ritz(level: _Level, X: Floats, trivial: Floats) -> tuple[Floats, Floats, Floats]:
    """Best eigenpairs of S within the span of X, beside the trivial one: values, own rows of X and S X, sorted."""
    world = level.world
    X = X - trivial * level.inner(trivial, X)
    norms = np.sqrt(level.inner(X, X, symmetric=True).diagonal())
    X = X[:, norms > 0] / norms[norms > 0]
    overlap, W = _small_eigh(world, level.inner(X, X, symmetric=True))
    keep = overlap > 1e-10
    X = level.combine(X, W[:, keep] / np.sqrt(overlap[keep]))
    SX = level.times(X)
    values, W = _small_eigh(world, level.inner(X, SX, symmetric=True))
    W = W[:, ::-1]
    return values[::-1], level.combine(X, W), level.combine(SX, W)


def _small_eigh(world: World, matrix: Floats) -> tuple[Floats, Floats]:
    """Solve a tiny symmetric problem; machines may differ in the last digit, so the first one's solution counts."""
    values, W = np.linalg.eigh(matrix)
    found = torch.from_numpy(np.vstack([values, W]))
    both = world.send(found).numpy()
    return both[0], both[1:]


def _filter(level: _Level, X: Floats, SX: Floats, cut: float) -> Floats:
    """Apply to X the Chebyshev polynomial of S that is small on [-1, cut] and grows fast above."""
    middle, half, degree = chebyshev_interval(cut)
    before, now = X, (SX - middle * X) / half
    for _ in range(degree - 1):
        after = level.times(now)
        after -= middle * now
        after *= 2 / half
        after -= before
        before, now = now, after
    return now
