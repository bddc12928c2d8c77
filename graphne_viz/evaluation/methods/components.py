"""Methods that place one connected graph, applied to graphs in several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.components import place, split
from graphne_viz.layout.packing import pack

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Solve = Callable[[sp.csr_array, np.random.Generator], Floats]

FLAT = 2

_PAIR = np.array([[-0.5, 0.0], [0.5, 0.0]])
"""Two nodes alone, which some methods would put on one point."""

NODES_PER_PIECE = 512
"""Nodes in one helping of a thread."""


def by_part(adjacency: sp.csr_array, solve: Solve, dim: int, seed: int) -> Floats:
    """Place every connected part on its own and put the parts side by side.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights, at least one edge.
    solve : callable
        Given the adjacency of a connected part of m nodes, more than two in the plane, and a generator, returns
        positions, shape (m, dim).
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

    def solved(part: int) -> Floats:
        if dim == FLAT and parts.sizes[part] == 2:
            return _PAIR
        return solve(parts.submatrix(adjacency, part), rng)

    placed = [solved(part) for part in range(parts.n_parts)]
    if parts.is_one:
        return placed[0]
    if dim <= FLAT:
        return place(np.concatenate([*placed, np.empty((0, FLAT))]), parts, *pack(parts.sizes))
    points = rng.standard_normal((adjacency.shape[0], dim))  # isolates keep these
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for part, own in enumerate(placed):
        spread = float(np.sqrt(np.square(own).sum(axis=1).mean())) or 1.0
        away = rng.standard_normal(dim)
        points[parts.nodes(part)] = own / spread + away / np.linalg.norm(away)
    return points


def read_flat(name: str, dim: int) -> None:
    """Refuse more than the two dimensions that a layout has."""
    if dim != FLAT:
        raise ValueError(f"{name} works in 2 dimensions only, got dim={dim!r}")


def as_kernels_read(adjacency: sp.csr_array) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Copy the arrays of a matrix, so that a kernel is compiled for one type only: indptr, indices, data.

    The graph's own cannot be written to, which numba counts as another type.
    """
    return adjacency.indptr.astype(np.int64), adjacency.indices.astype(np.int64), adjacency.data.astype(np.float64)


def pieces(n: int) -> list[int]:
    """Cut ``range(n)`` for threads to share."""
    return [*range(0, n, NODES_PER_PIECE), n]
