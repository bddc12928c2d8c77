"""Leading eigenvectors of a graph's random walk, roughly right in bounded time.

A multilevel method: nodes are merged with the neighbour they are tied to most until few remain, the
small problem is solved densely, and the solution is carried back level by level, each time sharpened by
a Chebyshev filter and a Rayleigh-Ritz step. The number of products with the matrix is bounded, so a
graph with crowded eigenvalues gets vectors that are smooth and nearly leading, where ARPACK needs
minutes or fails; with a clear gap they agree with the exact ones.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.row_runs import row_runs

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphne_viz.layout.initialization import kernels
    from graphne_viz.layout.row_runs import Run

    Floats = NDArray[np.float64]
    _Step = Callable[[Floats, Floats, Floats], None]
else:
    kernels = lazy_import("graphne_viz.layout.initialization.kernels")

DENSE = 40
"""Up to this many nodes a dense solver wins, and BLAS is not yet tempted to use threads."""

_DENSE_FOR_EACH = 4
"""Nodes for each eigenvector asked for, up to which it wins as well: fewer could not hold as many."""

GUARD = 2
"""Eigenvectors carried along beyond those asked for; they set where the filter cuts."""

DEGREE = 20
"""Degree of the Chebyshev filter: products with the matrix between two Rayleigh-Ritz steps."""

SPREAD = 1e4
"""How much more a filter may raise the first of a block than the last: beyond, the last ones drown in rounding errors.

It matters where many are asked for: of 128 eigenvectors of a dense graph, many were lost otherwise.
"""

ROUNDS = 5
"""Filters at most on the finest level; a coarser one only hands on a guess and gets one."""

WORK = 4e8
"""Multiplications the filters of a level may cost, so that 100,000 nodes and more get fewer rounds."""

ENOUGH = 0.1
"""Residual, as a share of the gap to the next eigenvalue, at which a start is good enough."""

THREADED = 200_000
"""Entries from which a matrix is worth handing to several threads, and to compiled code."""

COMPILED_COLUMNS = 2 + GUARD
"""Columns of a block that compiled code is there for: those of a start in the plane."""

ROWS = 4096
"""Rows multiplied at once: so few that BLAS stays on one thread, whose sums come out the same anywhere."""


def leading(P: sp.csr_array, k: int, rng: np.random.Generator, n_jobs: int) -> tuple[Floats, Floats]:
    """Find the leading non-trivial solutions of ``P v = lambda D v``, where D holds the row sums.

    Leading means largest, not largest in magnitude: a bipartite graph has -1, which shows no structure.

    Parameters
    ----------
    P : scipy.sparse.csr_array, shape (n, n)
        Symmetric, non-negative; its graph connected.
    k : int
        How many; fewer come back where the graph has no more.
    rng : numpy.random.Generator
        Decides how nodes merge.
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    values : ndarray, shape (m,)
        With m <= k, in falling order.
    vectors : ndarray, shape (n, m)
        Orthonormal with respect to D.
    """
    d: Floats = P @ np.ones(P.shape[1])
    block = k + GUARD
    finer: list[tuple[sp.csr_array, Floats, NDArray[np.int32]]] = []
    while True:
        n = int(P.shape[0])
        if n <= max(DENSE, _DENSE_FOR_EACH * k):
            # numpy's solver wakes the threads of BLAS from 25 nodes on, which costs 30 ms on a busy machine.
            values, U = eigh(_normalise(P, d).toarray(), driver="ev", check_finite=False)
            values, U = values[::-1], U[:, ::-1]
            keep = slice(1, (block if finer else k) + 1)
            values, V = values[keep], U[:, keep] * _inverse_root(d)[:, None]
            break
        P_coarse, labels = _merge(P, d, rng, n_jobs)
        if P_coarse.shape[0] <= block or P_coarse.shape[0] == n:
            # A star merges into one node, and many parts do not merge: coarser levels teach nothing.
            guess = rng.standard_normal((n, block))
            values, V = _sharpen(_normalise(P, d), d, guess, k, most=ROUNDS, n_jobs=n_jobs)
            break
        finer.append((P, d, labels))
        d = np.bincount(labels, d).astype(np.float64, copy=False)
        P = P_coarse
    while finer:
        P, d, labels = finer.pop()
        guess = V[labels] * np.sqrt(d)[:, None]
        values, V = _sharpen(_normalise(P, d), d, guess, k, most=1 if finer else ROUNDS, n_jobs=n_jobs)
    return values[:k], V[:, :k]


def _inverse_root(d: Floats) -> Floats:
    """One over the square root, and 0 where there is nothing."""
    return np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)


def _normalise(P: sp.csr_array, d: Floats) -> sp.csr_array:
    """``D^-1/2 P D^-1/2``, which has the eigenvalues of the walk and is symmetric."""
    scale = _inverse_root(d)
    data = np.empty(P.nnz)
    for run in row_runs(P):
        data[run.entries] = _normalised(P, scale, run)
    return sp.csr_array((data, P.indices, P.indptr), shape=P.shape)


def _normalised(P: sp.csr_array, scale: Floats, run: Run) -> Floats:
    """Entries of that in some rows."""
    some = run.spread(scale)
    some *= scale[P.indices[run.entries]]
    some *= P.data[run.entries]
    return some


def _merge(
    P: sp.csr_array, d: Floats, rng: np.random.Generator, n_jobs: int = 1
) -> tuple[sp.csr_array, NDArray[np.int32]]:
    """Merge each node with the neighbour it is tied to most, which at least halves a connected graph.

    Returns the affinities between the merged nodes, those within one on the diagonal, and the merged
    node of each node, shape (n,).
    """
    n = int(P.shape[0])
    noise = rng.random(n)
    # Symmetric noise: with equal weights everywhere a path would merge into a single node.
    if P.nnz >= THREADED:
        partner = _compiled_partners(P, _inverse_root(d), noise, n_jobs)
    else:
        partner = _partners(P, _inverse_root(d), noise)
    pairs = sp.csr_array((np.ones(n, dtype=np.int8), partner, np.arange(n + 1, dtype=np.int32)), shape=(n, n))
    m, labels = connected_components(pairs, directed=False)
    return _compiled_sums(P, m, labels, n_jobs) if P.nnz >= THREADED else _sums(P, m, labels), labels


def _partners(P: sp.csr_array, scale: Floats, noise: Floats) -> NDArray[np.int32]:
    """Return for each node the neighbour it is tied to most, or itself where it has none, shape (n,)."""
    degrees = np.diff(P.indptr)
    rows = np.repeat(np.arange(degrees.size, dtype=np.int32), degrees)
    chance = noise[rows] + noise[P.indices]
    tie = (chance + (1 - np.floor(chance))) * (scale[rows] * scale[P.indices] * P.data)
    tie[rows == P.indices] = 0
    filled = np.flatnonzero(degrees)
    strongest = np.maximum.reduceat(tie, P.indptr[filled]) if filled.size else np.empty(0)
    chosen = np.flatnonzero(tie == np.repeat(strongest, degrees[filled]))
    partner = np.arange(degrees.size, dtype=np.int32)
    partner[rows[chosen]] = P.indices[chosen]
    return partner


def _compiled_partners(P: sp.csr_array, scale: Floats, noise: Floats, n_jobs: int) -> NDArray[np.int32]:
    """Return the same of large graphs."""
    partner = np.empty(P.shape[0], dtype=np.int32)

    def find(low: int, high: int) -> None:
        kernels.strongest_tie(low, high, P.indptr, P.indices, P.data, scale, noise, partner)

    _share(find, _cuts(P.indptr, n_jobs))
    return partner


def _sums(P: sp.csr_array, m: int, labels: NDArray[np.int32]) -> sp.csr_array:
    """Add up the affinities between merged nodes, shape (m, m)."""
    rows = np.repeat(labels, np.diff(P.indptr))
    return sp.coo_array((P.data, (rows, labels[P.indices])), shape=(m, m)).tocsr()


def _compiled_sums(P: sp.csr_array, m: int, labels: NDArray[np.int32], n_jobs: int) -> sp.csr_array:
    """Add up those of large graphs, without holding every entry of P once more."""
    order, offsets = np.argsort(labels, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(labels))])
    cuts = _cuts(np.concatenate([[0], np.cumsum(np.diff(P.indptr)[order])])[offsets], n_jobs)
    indptr = np.zeros(m + 1, dtype=P.indptr.dtype)

    def count(low: int, high: int) -> None:
        kernels.count_merged(low, high, order, offsets, labels, P.indptr, P.indices, np.full(m, -1), indptr[1:])

    def add(low: int, high: int) -> None:
        given, found = (P.indptr, P.indices, P.data), (indptr, indices, data)
        kernels.add_merged(low, high, order, offsets, labels, *given, np.full(m, -1), *found)

    _share(count, cuts)
    np.cumsum(indptr, out=indptr)
    indices, data = np.empty(indptr[-1], dtype=P.indices.dtype), np.empty(indptr[-1])
    _share(add, cuts)
    return sp.csr_array((data, indices, indptr), shape=(m, m))


def _share(job: Callable[[int, int], None], cuts: list[int]) -> None:
    """Do a job on several runs of rows, which do not depend on each other, each in a thread."""
    with ThreadPoolExecutor(len(cuts) - 1) as pool:
        for _done in pool.map(job, cuts[:-1], cuts[1:]):
            pass


def _sharpen(S: sp.csr_array, d: Floats, X: Floats, k: int, *, most: int, n_jobs: int) -> tuple[Floats, Floats]:
    """Turn a guess, shape (n, b), into eigenvectors of S by at most ``most`` filters.

    Ends when the first k are good enough for a start, or when the work is spent.
    """
    trivial = np.sqrt(d / (d.sum() or 1.0))
    values, X, SX = _ritz(S, X, trivial, n_jobs)
    for _ in range(int(np.clip(WORK / (DEGREE * max(S.nnz, 1) * X.shape[1]), 1, most))):
        values, X, SX = _ritz(S, _filter(S, X, SX, float(values[-1]), n_jobs), trivial, n_jobs)
        last = values[min(k, len(values)) - 1]
        # Within a crowd of eigenvalues any of the crowd will do, so the gap is not taken too literally.
        gap = max(last - values[-1], 0.35 * (1 - last))
        if np.linalg.norm((SX - values * X)[:, :k], axis=0).max() < ENOUGH * gap:
            break
    return values, X * _inverse_root(d)[:, None]


def _ritz(S: sp.csr_array, X: Floats, trivial: Floats, n_jobs: int) -> tuple[Floats, Floats, Floats]:
    """Best eigenpairs of S within the span of X, beside the trivial one: values, X and S X, sorted."""
    X = X - trivial[:, None] * _inner(trivial[:, None], X)
    norms = np.sqrt(np.einsum("ij,ij->j", X, X))
    X = X[:, norms > 0] / norms[norms > 0]
    overlap, W = np.linalg.eigh(_inner(X, X))
    keep = overlap > 1e-10
    X = _times(X, W[:, keep] / np.sqrt(overlap[keep]))
    SX = _product(S, X, n_jobs)
    values, W = np.linalg.eigh(_inner(X, SX))
    W = np.ascontiguousarray(W[:, ::-1])
    return values[::-1], _times(X, W), _times(SX, W)


def _product(S: sp.csr_array, X: Floats, n_jobs: int) -> Floats:
    """``S @ X``, shape (n, b)."""
    if S.nnz < THREADED or n_jobs == 1:
        return np.asarray(S @ X)
    out = np.empty_like(X)
    parts = _rows(S, n_jobs)

    def multiply(k: int, _: int) -> None:
        rows, part = parts[k]
        out[rows] = part @ X

    _share(multiply, list(range(len(parts) + 1)))
    return out


def _filter(S: sp.csr_array, X: Floats, SX: Floats, cut: float, n_jobs: int) -> Floats:
    """Apply to X the Chebyshev polynomial of S that is small on [-1, cut] and grows fast above."""
    middle, half, degree = chebyshev_interval(cut)
    jobs = n_jobs if S.nnz >= THREADED else 1
    compiled = S.nnz >= THREADED and X.shape[1] == COMPILED_COLUMNS
    # Pieces enough that no thread waits long for another, which a busy machine may hold up.
    step = (_compiled_steps if compiled else _steps)(S, middle, half, jobs if jobs == 1 else 4 * jobs)
    before, now = X, (SX - middle * X) / half
    if compiled:
        # What float32 rounds away is small beside what a start needs, and `_ritz` sees to the rest.
        before, now = before.astype(np.float32), now.astype(np.float32)
    with ThreadPoolExecutor(jobs) as pool:
        for _ in range(degree - 1):
            after = np.empty_like(now)
            # Products let go of the interpreter, and rows do not depend on each other.
            pieces = [partial(one, now, before, after) for one in step]
            for _done in map(_call, pieces) if jobs == 1 else pool.map(_call, pieces):
                pass
            before, now = now, after
    return now.astype(np.float64, copy=False)


def _call(piece: Callable[[], None]) -> None:
    piece()


def _steps(S: sp.csr_array, middle: float, half: float, pieces: int) -> list[_Step]:
    """Return what makes the next polynomial of the two before it, a function for each run of rows."""

    def step(rows: slice, part: sp.csr_array, now: Floats, before: Floats, after: Floats) -> None:
        out = part @ now
        out -= middle * now[rows]
        out *= 2 / half
        np.subtract(out, before[rows], out=after[rows])

    return [partial(step, rows, part) for rows, part in _rows(S, pieces)]


def _compiled_steps(S: sp.csr_array, middle: float, half: float, pieces: int) -> list[_Step]:
    """Return the same for blocks of four columns in float32."""
    csr = S.indptr, S.indices, S.data.astype(np.float32)
    numbers = np.float32(middle), np.float32(2 / half)
    cuts = _cuts(S.indptr, pieces)
    return [partial(kernels.filter_step, low, high, *csr, *numbers) for low, high in pairwise(cuts)]


def _cuts(indptr: NDArray[np.integer], pieces: int) -> list[int]:
    """Where to cut a matrix into runs of rows with about as many entries each."""
    cuts = np.searchsorted(indptr, np.linspace(0, indptr[-1], pieces + 1))
    cuts[0], cuts[-1] = 0, len(indptr) - 1
    return [int(cut) for cut in cuts]


def chebyshev_interval(cut: float) -> tuple[float, float, int]:
    """Middle and half length of [-1, cut], where a filter is to be small, and the degree of its polynomial."""
    middle = (cut - 1) / 2
    half = max((cut + 1) / 2, 0.1)
    degree = np.arccosh(SPREAD) / np.arccosh(max((1 - middle) / half, 1 + 1e-9))
    return middle, half, int(np.clip(degree, 2, DEGREE))


def _rows(S: sp.csr_array, pieces: int) -> list[tuple[slice, sp.csr_array]]:
    """Cut a matrix so, sharing its memory."""
    out = []
    for low, high in pairwise(_cuts(S.indptr, pieces)):
        start, end = S.indptr[low], S.indptr[high]
        arrays = (S.data[start:end], S.indices[start:end], S.indptr[low : high + 1] - start)
        out.append((slice(low, high), sp.csr_array(arrays, shape=(high - low, S.shape[1]))))
    return out


def _inner(X: Floats, Y: Floats) -> Floats:
    """``X.T @ Y`` in an order that no number of threads changes, shape (a, b)."""
    total = np.zeros((X.shape[1], Y.shape[1]))
    for start in range(0, len(X), ROWS):
        total += X[start : start + ROWS].T @ Y[start : start + ROWS]
    return total


def _times(X: Floats, W: Floats) -> Floats:
    """``X @ W`` in an order that no number of threads changes, shape (n, b)."""
    out = np.empty((len(X), W.shape[1]))
    for start in range(0, len(X), ROWS):
        np.matmul(X[start : start + ROWS], W, out=out[start : start + ROWS])
    return out
