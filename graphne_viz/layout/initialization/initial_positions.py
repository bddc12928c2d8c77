"""Where the nodes stand before the optimiser moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz._threads import one_blas_thread

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Floats
    from graphne_viz.layout.initialization import eigenvectors
else:
    eigenvectors = lazy_import("graphne_viz.layout.initialization.eigenvectors")

START_STD = 1e-4
"""Standard deviation of the first coordinate of every start: t-SNE converges best from a small one."""

_DENSE_UP_TO = 128
"""Nodes up to which numpy finds all eigenvectors of a graph at once."""

_ALIKE = 1e-9
"""Difference up to which two eigenvalues count as equal."""

JITTER = 0.01
"""Noise added to a start, as a share of its standard deviation, so that no two nodes coincide."""


def random(n: int, n_components: int = 2, *, seed: Seed) -> Floats:
    """Isotropic normal positions.

    Parameters
    ----------
    n : int
        Number of nodes.
    n_components : int
        Number of coordinates.
    seed : int, Generator, RandomState or None
        See `as_generator`.

    Returns
    -------
    ndarray, shape (n, n_components)
        Positions with standard deviation 1e-4.
    """
    return as_generator(seed).normal(0, START_STD, (n, n_components))


def rescale(Y: NDArray[np.floating], *, seed: Seed = 0) -> Floats:
    """Centre positions and scale them so that the first coordinate has standard deviation 1e-4.

    Parameters
    ----------
    Y : ndarray, shape (n, d)
        Positions in any unit; left unchanged.
    seed : int, Generator, RandomState or None
        Used only where all nodes coincide.

    Returns
    -------
    ndarray, shape (n, d)
        Where the first coordinate is constant, all coordinates together have standard deviation 1e-4;
        where all nodes coincide, they get random places.
    """
    out: Floats = np.array(Y, dtype=np.float64)
    if len(out) < 2:
        return np.zeros_like(out)
    out -= out.mean(axis=0)
    magnitude = float(np.abs(out).max())
    if magnitude > 0:
        out /= magnitude  # so that no square overflows or vanishes
    spread = float(out[:, 0].std())
    if spread < 1e-12:
        spread = float(out.std())
    if spread < 1e-12:
        return random(len(out), out.shape[1], seed=seed)
    return out * (START_STD / spread)


def spectral(P: sp.csr_array, n_components: int = 2, *, seed: Seed, n_jobs: int = 1) -> Floats:
    """Diffusion maps of a connected graph, quickly and never failing.

    The leading non-trivial solutions of ``P v = lambda D v``, where D holds the row sums; see
    `graphne_viz.layout.initialization.eigenvectors` for how they are found, and how exactly.

    Parameters
    ----------
    P : scipy.sparse.csr_array, shape (n, n)
        Symmetric, non-negative: affinities or an adjacency matrix.
    n_components : int
        Number of coordinates.
    seed : int, Generator, RandomState or None
        See `as_generator`.
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    ndarray, shape (n, n_components)
        The first coordinate has standard deviation 1e-4 before a jitter of one percent. Each
        eigenvector is multiplied by its eigenvalue of the lazy walk, ``(1 + lambda) / 2``, which unlike
        lambda itself does not vanish for stars; two nodes, for which it does, still get a line.
    """
    rng = as_generator(seed)
    n = int(P.shape[0])
    if n <= _DENSE_UP_TO:
        values, vectors = _all_at_once(P, n_components, rng)
    else:
        values, vectors = eigenvectors.leading(P, n_components, rng, n_jobs)
    return from_eigenvectors(values, vectors, n_components, rng)


def from_eigenvectors(values: Floats, vectors: Floats, n_components: int, rng: np.random.Generator) -> Floats:
    """Positions from the leading eigenvalues and eigenvectors that there are, as `spectral` explains them."""
    n = len(vectors)
    Y = np.zeros((n, n_components))
    Y[:, : len(values)] = _fix_signs(vectors) * np.maximum((1 + values) / 2, 1e-3)
    Y = rescale(Y, seed=rng)
    return Y + rng.normal(0, JITTER * START_STD, Y.shape) if n > 1 else Y


def leading_eigenvalues(P: sp.csr_array, k: int, *, seed: Seed, n_jobs: int = 1) -> Floats:
    """Leading non-trivial eigenvalues of a connected graph's random walk, at most k, falling."""
    rng = as_generator(seed)
    if P.shape[0] <= _DENSE_UP_TO:
        return _all_at_once(P, k, rng)[0]
    return eigenvectors.leading(P, k, rng, n_jobs)[0]


def _all_at_once(P: sp.csr_array, k: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Find the leading non-trivial eigenvectors of a small graph as those of a full matrix."""
    d = P @ np.ones(P.shape[1])
    scale = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    with one_blas_thread():
        values, vectors = np.linalg.eigh(P.toarray() * scale * scale[:, None])
    values, vectors = values[-2::-1], vectors[:, -2::-1]
    if len(values) > k:
        # Of equal eigenvalues, as symmetric graphs have them, the solver's vectors single out a few nodes.
        alike = np.flatnonzero(np.abs(values - values[k - 1]) < _ALIKE)
        mixed, _ = np.linalg.qr(rng.standard_normal((alike.size, alike.size)))
        vectors[:, alike] = vectors[:, alike] @ mixed
    return values[:k], vectors[:, :k] * scale[:, None]


def fill_missing(adjacency: sp.csr_array, positions: NDArray[np.floating], *, seed: Seed) -> Floats:
    """Give nodes without a position one near their neighbours that have one.

    Parameters
    ----------
    adjacency : scipy.sparse.csr_array, shape (n, n)
        Symmetric, positive weights.
    positions : ndarray, shape (n, d)
        A row with NaN is missing; left unchanged.
    seed : int, Generator, RandomState or None
        See `as_generator`.

    Returns
    -------
    ndarray, shape (n, d)
        The given positions exactly as they were. A missing node stands at the weighted mean of its placed
        neighbours, breadth first for those further away, and one that no placed node can reach anywhere
        within the box of the placed ones; all with a jitter, so that no two coincide.
    """
    rng = as_generator(seed)
    Y: Floats = np.array(positions, dtype=np.float64)
    missing = np.asarray(np.isnan(Y).any(axis=1))
    if missing.all():
        return random(len(Y), Y.shape[1], seed=rng)
    low, high = Y[~missing].min(axis=0), Y[~missing].max(axis=0)
    extent = float((high - low).max()) or START_STD
    adrift = missing.copy()
    front = np.flatnonzero(~missing)
    while len(front):
        source, target, weight = _edges_from(adjacency, front)
        new = adrift[target]
        # Whoever is reached now has all its placed neighbours in the front: earlier ones reached them before.
        front, slot = np.unique(target[new], return_inverse=True)
        total = np.bincount(slot, weight[new])
        for axis in range(Y.shape[1]):
            Y[front, axis] = np.bincount(slot, weight[new] * Y[source[new], axis]) / total
        adrift[front] = False
    Y[adrift] = rng.uniform(low, high, (int(adrift.sum()), Y.shape[1]))
    Y[missing] += rng.normal(0, JITTER * extent, (int(missing.sum()), Y.shape[1]))
    return Y


def _edges_from(
    adjacency: sp.csr_array, nodes: NDArray[np.integer]
) -> tuple[NDArray[np.integer], NDArray[np.integer], Floats]:
    """List sources, targets and weights of all edges that start at some nodes, shape (edges,) each."""
    starts = adjacency.indptr[nodes]
    counts = adjacency.indptr[nodes + 1] - starts
    entries = np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)
    return np.repeat(nodes, counts), adjacency.indices[entries], adjacency.data[entries]


def _fix_signs(V: Floats) -> Floats:
    """Make the first sizeable entry of each column positive; the largest may be tied with its mirror."""
    if V.size == 0:
        return V
    size = np.abs(V)
    first = np.argmax(size > 0.7 * size.max(axis=0), axis=0)
    return V * np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)
