"""Methods that place one connected graph, applied to graphs in several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.components import pack, place, split

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Solve = Callable[[sp.csr_array, np.random.Generator], Floats]

FLAT = 2


def by_part(adjacency: sp.csr_array, solve: Solve, dim: int, seed: int) -> Floats:
    """Place every connected part on its own and put the parts side by side.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights, at least one edge.
    solve : callable
        Given the adjacency of a connected part of m nodes, m > 1, and a generator, returns positions, shape (m, dim).
    dim : int
        In two dimensions parts get discs, as in our own layouts; in more, a direction each.
    seed : int
        The generator's.

    Returns
    -------
    ndarray, shape (n, dim)
        What ``solve`` returned where the graph is connected.
    """
    rng = np.random.default_rng(seed)
    parts = split(adjacency)
    if parts.shares.size == 1:
        return solve(adjacency, rng)
    solved = [solve(parts.submatrix(adjacency, part), rng) for part in range(parts.n_parts)]
    if dim <= FLAT:
        return place(np.concatenate(solved), parts, *pack(parts.shares))
    points = rng.standard_normal((adjacency.shape[0], dim))  # isolates keep these
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for part, own in enumerate(solved):
        spread = float(np.sqrt(np.square(own).sum(axis=1).mean())) or 1.0
        away = rng.standard_normal(dim)
        points[parts.nodes(part)] = own / spread + away / np.linalg.norm(away)
    return points
