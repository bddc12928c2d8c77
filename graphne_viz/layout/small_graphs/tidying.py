"""The last touch on graphs of a few hundred nodes: even edges, and nodes that do not hide each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.components import split
from graphne_viz.layout.overlap import NX_NODE_SIZE, make_room
from graphne_viz.layout.small_graphs.evenness import ROUNDS, edge_variation, even_edges, relax
from graphne_viz.layout.small_graphs.leaves import even_stars

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_LOST_EVENING, _LOST_RELAXING, _LOST_IN_TREES = 0.08, 0.05, 0.2
"""Neighbour recall that even edges, and more even ones, may cost.

A tree is read along its edges. Where there are cycles, clusters tell more: relaxed as far, the karate club would keep
no more neighbours than in a spring layout.
"""

_UNIFORM = 0.05
"""Variation of edge lengths below which a layout is that of a grid, a path or a star, and may cost anything."""

_LOST_APART, _LOST_APART_UNEVEN = 0.2, 0.05
"""Neighbour recall that visible nodes may cost, where edges are even and where attraction was asked for."""


def tidy_up(adjacency: sp.csr_array, positions: Floats, *, even: bool) -> Floats:
    """Make the edges of a small graph even and its nodes visible, as far as nodes stay beside their neighbours.

    Evened out, a graph with hubs would lose its clusters; and a long path has no room for all of its nodes on nx.draw's
    page: pushed apart, it would be crumpled, so it is drawn with nodes that overlap.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    positions : ndarray, shape (n, 2)
        Left unchanged.
    even : bool
        Whether edges are made even: who asks for more attraction asks for short ones within clusters.

    Returns
    -------
    ndarray, shape (n, 2)
    """
    if even:
        positions = _even_out(adjacency, positions)
    before = _recall(adjacency, positions)
    for share in (1.0, 0.5, 0.2, 0.05):
        moved = make_room(positions, share * NX_NODE_SIZE)
        if _recall(adjacency, moved) > before - (_LOST_APART if even else _LOST_APART_UNEVEN):
            positions = moved
            break
    return even_stars(adjacency, positions) if even else positions


def _even_out(adjacency: sp.csr_array, positions: Floats) -> Floats:
    """Make edges even by two ways, each as far as it may."""
    before = _recall(adjacency, positions)
    for rounds in (ROUNDS, ROUNDS // 4):
        evener = even_edges(adjacency, positions, rounds)
        if _recall(adjacency, evener) > before - _LOST_EVENING or edge_variation(adjacency, evener) < _UNIFORM:
            positions = evener
            break
    may_lose = _LOST_IN_TREES if _is_forest(adjacency) else _LOST_RELAXING
    relaxed = relax(adjacency, positions, lambda at: _recall(adjacency, at) > before - may_lose)
    return _with_parts_in_place(adjacency, positions, relaxed)


def _is_forest(adjacency: sp.csr_array) -> bool:
    sizes = split(adjacency).sizes
    return bool(adjacency.nnz // 2 == sizes.sum() - sizes.size)


def _with_parts_in_place(adjacency: sp.csr_array, before: Floats, after: Floats) -> Floats:
    """Give every part of a graph the place and the size that it was packed with."""
    parts = split(adjacency)
    if parts.is_one:
        return after
    packed = before.copy()
    for k in range(parts.n_parts):
        nodes = parts.nodes(k)
        old, new = before[nodes], after[nodes] - after[nodes].mean(axis=0)
        middle = old.mean(axis=0)
        packed[nodes] = middle + new * ((old - middle).std() / max(new.std(), 1e-300))
    return packed


def _recall(adjacency: sp.csr_array, points: Floats) -> float:
    """Mean share of each node's neighbours that are among its as many nearest."""
    degrees = np.diff(adjacency.indptr)
    x, y = points.T
    squares = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    np.fill_diagonal(squares, np.inf)
    # As far as the last of its as many nearest, for every node; one without neighbours has none within reach.
    reach = np.sort(squares, axis=1)[np.arange(len(points)), np.maximum(degrees, 1) - 1]
    rows = np.repeat(np.arange(len(points)), degrees)
    near = squares[rows, adjacency.indices] <= reach[rows]
    found = np.bincount(rows, near, len(points))[degrees > 0] / degrees[degrees > 0]
    return float(found.mean()) if found.size else 1.0
