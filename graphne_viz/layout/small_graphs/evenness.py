"""Edges of about one length, for graphs so small that people follow single edges.

t-SNE tells near from far, and to that end packs neighbours tightly and opens gaps where a graph is uniform: a grid is
torn into blocks, and the leaves of a star stand in two rings. `even_edges` evens out edges of middling length, which is
all that grids, paths and stars need; `relax` goes on, for trees and graphs with hubs, by lowering the stress of nodes
that are near each other in the graph, while all others keep their distance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LONG = 2.5
"""Length, in medians, from which an edge is left alone: it leads from one cluster to another."""

ROUNDS = 20
"""Rounds that even out a grid."""

EVEN_ENOUGH = 0.33
"""Standard deviation of edge lengths over their mean at which edges are even enough: spring layouts have as much."""

_STEP = 0.5
"""Share of an edge's excess length that a round takes away."""

_HOPS = 3
"""Steps along edges up to which nodes are near each other, and their distance should be as many lengths of an edge."""

_FAR = 0.1
"""Weight of the distances of all other nodes, which should stay."""

_PORTIONS = (1, 1, 2, 4, 8, 16)
"""Rounds of relaxing between two looks at the result."""


def even_edges(adjacency: sp.csr_array, positions: Floats, rounds: int = ROUNDS) -> Floats:
    """Bring edges of middling length closer to the median length.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    positions : ndarray, shape (n, 2)
        Left unchanged.
    rounds : int
        How often every node is moved: the more, the evener.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> np.diff(even_edges(path, np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]))[:, 0]).round(2)
    array([1.5, 1.5])
    """
    n = len(positions)
    i, j = _edges(adjacency)
    x, y = np.array(positions, dtype=np.float64).T.copy()
    if not i.size:
        return np.column_stack([x, y])
    middle = [(i.size - 1) // 2, i.size // 2]
    share = _STEP / np.maximum(np.diff(adjacency.indptr), 1)
    for _ in range(rounds):
        apart_x, apart_y = x[i] - x[j], y[i] - y[j]
        lengths = np.hypot(apart_x, apart_y)
        median = np.partition(lengths, middle)[middle].mean()
        excess = np.where(lengths < LONG * median, 1 - median / np.maximum(lengths, 1e-300), 0)
        pull_x, pull_y = excess * apart_x, excess * apart_y
        x -= share * (np.bincount(i, pull_x, n) - np.bincount(j, pull_x, n))
        y -= share * (np.bincount(i, pull_y, n) - np.bincount(j, pull_y, n))
    return np.column_stack([x, y])


def relax(adjacency: sp.csr_array, positions: Floats, accept: Callable[[Floats], bool]) -> Floats:
    """Bring near nodes to the distances that they have in the graph, until edges are even enough.

    A round of stress majorization moves every node to the mean of the places where the others would have it.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    positions : ndarray, shape (n, 2)
        Left unchanged.
    accept : callable
        Asked about positions on the way: once it says no, the last ones it accepted are returned.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> np.diff(relax(path, np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]]), lambda _: True)[:, 0]).round(1)
    array([1.9, 3.1])
    """
    i, j = _edges(adjacency)
    if not i.size:
        return positions
    apart = _distances(positions)
    lengths = apart[i, j]
    unit = max(float(np.median(lengths)), 0.3 * float(lengths.mean()), 1e-300)
    hops = _hops(adjacency)
    near = hops > 0
    wanted = np.where(near, hops, np.maximum(apart / unit, _HOPS))
    weights = np.where(near, 1.0, _FAR) / wanted**2
    np.fill_diagonal(weights, 0)
    totals = weights.sum(axis=1)[:, None]
    accepted = positions
    moved = positions / unit
    for rounds in _PORTIONS:
        if _variation(moved, i, j) <= EVEN_ENOUGH:
            break
        for _ in range(rounds):
            pull = weights * wanted / np.maximum(_distances(moved), 1e-9)
            moved = (weights @ moved + pull.sum(axis=1)[:, None] * moved - pull @ moved) / totals
        if not accept(moved):
            break
        accepted = moved * unit
    return accepted


def edge_variation(adjacency: sp.csr_array, positions: Floats) -> float:
    """Return the standard deviation of edge lengths over their mean, 0 where there is no edge."""
    return _variation(positions, *_edges(adjacency))


def _variation(positions: Floats, i: NDArray[np.integer], j: NDArray[np.integer]) -> float:
    lengths = np.hypot(*(positions[i] - positions[j]).T)
    return float(lengths.std() / max(lengths.mean(), 1e-300)) if lengths.size else 0.0


def _edges(adjacency: sp.csr_array) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """List the two ends of all edges, each edge once."""
    rows = np.repeat(np.arange(adjacency.shape[0]), np.diff(adjacency.indptr))
    upper = rows < adjacency.indices
    return rows[upper], adjacency.indices[upper]


def _hops(adjacency: sp.csr_array) -> Floats:
    """Count the steps from node to node, up to `_HOPS`, and 0 where there are more, shape (n, n)."""
    step = sp.csr_array((np.ones_like(adjacency.data), adjacency.indices, adjacency.indptr), shape=adjacency.shape)
    hops = np.zeros(adjacency.shape)
    reached = step
    for count in range(1, _HOPS + 1):
        hops[(hops == 0) & (reached.toarray() > 0)] = count
        reached = reached @ step
    np.fill_diagonal(hops, 0)
    return hops


def _distances(positions: Floats) -> Floats:
    """Distances of all pairs, shape (n, n)."""
    x, y = positions.T
    return np.asarray(np.hypot(x[:, None] - x, y[:, None] - y))
