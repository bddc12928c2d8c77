"""The start of every part of a graph."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._seeds import as_generator
from graphne_viz.layout.components import diagonal_block
from graphne_viz.layout.initialization import initial_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz._seeds import Seed
    from graphne_viz.layout.components import Parts

_TOGETHER_UP_TO = 200
"""Parts up to this size get their spectral start all at once, by averaging over neighbours."""

_ROUNDS = 100
"""Rounds of averaging."""


def initialize(
    P: sp.csr_array,
    parts: Parts,
    start: str | NDArray[np.float64],
    *,
    seed: Seed,
    shrink: bool,
    n_jobs: int,
) -> NDArray[np.float64]:
    """Choose the initial positions of all nodes, grouped by part.

    Parameters
    ----------
    P : csr_array, shape (m, m)
        Affinities, block diagonal, isolates left out.
    parts : Parts
        The parts of the graph.
    start : {"spectral", "random"} or ndarray, shape (n, 2)
        What the caller asked for; an array is in the caller's order of nodes.
    seed : int, Generator, RandomState or None
        For everything random.
    shrink : bool
        Whether to scale a given array, part by part, to the small spread that t-SNE likes.
    n_jobs : int
        Threads to compute with.

    Returns
    -------
    ndarray of float64, shape (m, 2)
    """
    rng = as_generator(seed)
    m = P.shape[0]
    offsets, sizes = parts.offsets, parts.sizes
    if isinstance(start, np.ndarray):
        positions: NDArray[np.float64] = start[parts.order[:m]].astype(np.float64)
        if shrink:
            for lo, hi in pairwise(offsets):
                positions[lo:hi] = initial_positions.rescale(positions[lo:hi], seed=rng)
        return positions
    positions = initial_positions.random(m, seed=rng)
    if m == 2:
        return np.array([[-0.5, 0.0], [0.5, 0.0]])  # no force changes the distance of two nodes alone
    if start == "random":
        return positions
    alone = int(np.searchsorted(-sizes, -_TOGETHER_UP_TO)) if sizes.size > 1 else sizes.size
    for lo, hi in pairwise(offsets[: alone + 1].tolist()):
        positions[lo:hi] = initial_positions.spectral(diagonal_block(P, lo, hi), seed=rng, n_jobs=n_jobs)
    if alone < sizes.size:
        lo, hi = int(offsets[alone]), int(offsets[-1])
        positions[lo:hi] = _smooth(diagonal_block(P, lo, hi), offsets[alone:] - lo, positions[lo:hi])
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
    return initial_positions.START_STD * X + initial_positions.JITTER * noise
