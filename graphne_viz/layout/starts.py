"""The start of every part of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.layout import initialization

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.initialization import Seed

_TOGETHER_UP_TO = 200
"""Parts up to this size get their spectral start all at once, by averaging over neighbours."""

_ROUNDS = 100
"""Rounds of averaging."""


def starts(
    P: sp.csr_array,
    offsets: NDArray[np.int64],
    start: str | NDArray[np.float64],
    order: NDArray[np.int64],
    *,
    seed: Seed,
    shrink: bool,
) -> NDArray[np.float64]:
    """Initial positions of all nodes, grouped by part.

    Parameters
    ----------
    P : csr_array, shape (n, n)
        Affinities, block diagonal.
    offsets : ndarray of int64, shape (k + 1,)
        Where each part begins; nodes behind the last are isolates.
    start : {"spectral", "random"} or ndarray, shape (n, 2)
        What the caller asked for; an array is in the caller's order of nodes.
    order : ndarray of int64, shape (n,)
        The caller's number of each node.
    seed : int, Generator, RandomState or None
        For everything random.
    shrink : bool
        Whether to scale a given array, part by part, to the small spread that t-SNE likes.

    Returns
    -------
    ndarray of float64, shape (n, 2)
    """
    rng = initialization.as_generator(seed)
    n = P.shape[0]
    if isinstance(start, np.ndarray):
        positions = start[order].astype(np.float64)
        if shrink:
            for lo, hi in zip(offsets[:-1], offsets[1:], strict=True):
                positions[lo:hi] = initialization.rescale(positions[lo:hi], seed=rng)
        return positions
    positions = initialization.random(n, seed=rng)
    if start == "random":
        return positions
    sizes = np.diff(offsets)
    alone = int(np.searchsorted(-sizes, -_TOGETHER_UP_TO)) if sizes.size > 1 else sizes.size
    for lo, hi in zip(offsets[:alone], offsets[1 : alone + 1], strict=True):
        block = P if hi - lo == n else P[lo:hi, lo:hi]
        positions[lo:hi] = initialization.spectral(block, seed=rng)
    if alone < sizes.size:
        lo, hi = offsets[alone], offsets[-1]
        positions[lo:hi] = _smooth(P[lo:hi, lo:hi], offsets[alone:] - lo, positions[lo:hi])
    return positions


def _smooth(P: sp.csr_array, offsets: NDArray[np.int64], noise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rough diffusion maps of many small parts at once: power iteration of the lazy random walk in every part."""
    first = offsets[:-1]
    sizes = np.diff(offsets)

    def spread(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.repeat(sums, sizes, axis=0)

    degree = np.asarray(P.sum(axis=1)).reshape(-1, 1)
    walk = sp.csr_array(sp.diags_array(0.5 / degree.ravel()) @ P)
    total = np.add.reduceat(degree, first)
    X = noise.copy()
    for _ in range(_ROUNDS):
        X = 0.5 * X + walk @ X
        X -= spread(np.add.reduceat(degree * X, first) / total)
        X[:, :1] /= spread(np.sqrt(np.add.reduceat(degree * X[:, :1] ** 2, first) / total) + 1e-300)
        X[:, 1:] -= X[:, :1] * spread(np.add.reduceat(degree * X[:, :1] * X[:, 1:], first) / total)
        X[:, 1:] /= spread(np.sqrt(np.add.reduceat(degree * X[:, 1:] ** 2, first) / total) + 1e-300)
    # In parts of two nodes nothing is left for a second coordinate but rounding errors.
    X[:, 1:][np.repeat(sizes <= 2, sizes)] = 0
    return initialization.START_STD * X + initialization.JITTER * noise
