"""Where the nodes stand before the optimiser moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Seed = int | np.integer | np.random.Generator | np.random.RandomState | None
    """What a caller may pass as ``seed``, as in networkx."""

START_STD = 1e-4
"""Standard deviation of the first coordinate of every start: t-SNE converges best from a small one."""

JITTER = 0.01
"""Noise added to a start, as a share of its standard deviation, so that no two nodes coincide."""


def as_generator(seed: Seed) -> np.random.Generator:
    """Turn any seed networkx accepts into a Generator.

    Parameters
    ----------
    seed : int, Generator, RandomState or None
        A Generator is used as it is. A RandomState is drawn from, and so advances. None draws from
        numpy's global state, so that ``np.random.seed`` governs it, as it does in networkx.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> int(as_generator(0).integers(100)) == int(as_generator(np.int64(0)).integers(100))
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        # networkx reads None as numpy's global state, and so do the notebooks written against it.
        return np.random.default_rng(np.random.randint(2**31, size=4))  # noqa: NPY002
    if isinstance(seed, np.random.RandomState):
        return np.random.default_rng(seed.randint(2**31, size=4))
    if isinstance(seed, int | np.integer):
        if seed < 0:
            raise ValueError(f"seed must not be negative, got {seed}")
        return np.random.default_rng(int(seed))
    raise TypeError(f"seed must be an int, a numpy Generator, a numpy RandomState or None, got {type(seed).__name__}")


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
    `graphne_viz.layout.eigenvectors` for how they are found, and how exactly.

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
    from graphne_viz.layout.eigenvectors import leading  # noqa: PLC0415 -- brings scipy.linalg

    rng = as_generator(seed)
    n = int(P.shape[0])
    values, vectors = leading(P, n_components, rng, n_jobs)
    Y = np.zeros((n, n_components))
    Y[:, : len(values)] = _fix_signs(vectors) * np.maximum((1 + values) / 2, 1e-3)
    Y = rescale(Y, seed=rng)
    return Y + rng.normal(0, JITTER * START_STD, Y.shape) if n > 1 else Y


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
