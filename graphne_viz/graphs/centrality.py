"""Centralities that follow from shortest paths and eigenvectors, and the figures of a whole graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse as sp
    from scipy.sparse import csgraph
    from scipy.sparse import linalg as sparse_linalg

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]
else:
    sp = lazy_import("scipy.sparse")
    csgraph = lazy_import("scipy.sparse.csgraph")
    sparse_linalg = lazy_import("scipy.sparse.linalg")

MOST_EXACT = 5_000
"""Nodes up to which paths from every node are counted; above, from a random sample of them."""

_MOST_SOURCES, _LEAST_SOURCES, _EFFORT = 500, 32, 50_000_000
"""Sources of a sample, and nodes and edges that are looked at in all, about."""

_AT_ONCE = 4_000_000
"""Distances that are held at once."""

_DENSE = 64


def closeness(graph: Graph) -> tuple[Floats, str]:
    """Return how near each node is to all it can reach, as networkx has it, and what a reader must know.

    Returns
    -------
    values : ndarray, shape (n,)
        ``r / (n - 1) * r / s`` for a node that reaches r others, s steps away in sum; 0 for one without neighbours.
    note : str
    """
    sums, counts, _, note = _distances(graph)
    labels = csgraph.connected_components(graph.adjacency, directed=False)[1]
    reached = (np.bincount(labels)[labels] - 1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = reached / (sums / counts) / max(graph.n_nodes - 1, 1)
    values[reached == 0] = 0.0
    return values, note


def eccentricity(graph: Graph) -> tuple[Floats, str]:
    """Return the steps to the farthest node that each can reach, and the diameter in words."""
    _, _, farthest, note = _distances(graph)
    longest = int(farthest.max(initial=0))
    if note:
        return farthest, f"{note}; the diameter is at least {longest:,}"
    return farthest, f"the diameter is {longest:,}"


def eigenvector(graph: Graph) -> tuple[Floats, str]:
    """Return the first eigenvector of the adjacency, edges of any weight alike; the most central node has 1."""
    n = graph.n_nodes
    if not graph.n_pairs:
        return np.zeros(n), ""
    ones = graph.adjacency.copy()
    ones.data = np.ones_like(ones.data)
    if n <= _DENSE:
        vector = np.linalg.eigh(ones.toarray())[1][:, -1]
    else:
        vector = sparse_linalg.eigsh(ones, k=1, which="LA", v0=np.ones(n))[1][:, 0]
    values = np.abs(vector)
    return values / values.max(), ""


def modularity(graph: Graph, groups: NDArray[np.integer]) -> float:
    """Return by how much more edges, by weight, lie within groups than chance would put there.

    Parameters
    ----------
    graph : Graph
    groups : ndarray of int, shape (n,)

    Examples
    --------
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> two = as_graph([(0, 1), (2, 3)])
    >>> modularity(two, np.array([0, 0, 1, 1]))
    0.5
    """
    total = float(graph.pair_weights.sum())
    if total == 0:
        return 0.0
    first, second = groups[graph.pairs].T
    within = float(graph.pair_weights[first == second].sum())
    strength = np.asarray(graph.adjacency.sum(axis=1)).reshape(-1)
    shares = np.bincount(groups, strength) / (2 * total)
    return within / total - float((shares**2).sum())


def _distances(graph: Graph) -> tuple[Floats, Floats, Floats, str]:
    """Return for every node the sum of steps to the sources it reaches, their number, the most steps, and a note."""
    n = graph.n_nodes
    sources, note = np.arange(n), ""
    if n > MOST_EXACT:
        count = min(int(np.clip(_EFFORT // (n + graph.n_pairs), _LEAST_SOURCES, _MOST_SOURCES)), n)
        sources = np.sort(np.random.default_rng(0).choice(n, count, replace=False))
        note = f"estimated from the shortest paths from {count:,} of {n:,} nodes"
    sums, counts, farthest = np.zeros(n), np.zeros(n), np.zeros(n)
    step = max(_AT_ONCE // max(n, 1), 1)
    for begin in range(0, len(sources), step):
        some = sources[begin : begin + step]
        found = csgraph.dijkstra(graph.adjacency, directed=False, indices=some, unweighted=True)
        reached = np.isfinite(found)
        reached[np.arange(len(some)), some] = False
        found[~reached] = 0
        sums += found.sum(axis=0)
        counts += reached.sum(axis=0)
        np.maximum(farthest, found.max(axis=0, initial=0), out=farthest)
        if note:  # a source knows its own
            farthest[some] = np.maximum(farthest[some], found.max(axis=1, initial=0))
    return sums, counts, farthest, note
