"""Figures about every node that the graph alone gives: igraph computes them where it is installed, else networkx."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

MOST_EXACT = 5_000
"""Nodes up to which betweenness counts the shortest paths from every node; above, from a random sample of them."""

_MOST_SOURCES, _LEAST_SOURCES = 500, 32
_EFFORT = 50_000_000
"""Nodes and edges that are looked at for a sampled betweenness, about; a graph has at least `_LEAST_SOURCES` turns."""


@dataclass(frozen=True, eq=False)
class Statistic:
    """One figure a node.

    Attributes
    ----------
    name : str
        One of `STATISTICS`.
    kind : {"values", "classes"}
        Whether they are amounts, or numbers of groups: 1 is the largest group.
    values : ndarray, shape (n,)
        float64 or int64, read-only.
    note : str
        What a reader must know: by which algorithm, from which sample; "" for nothing.
    """

    name: str
    kind: Literal["values", "classes"]
    values: NDArray[np.float64] | NDArray[np.int64]
    note: str = ""


@dataclass(frozen=True, eq=False)
class _Known:
    """What was computed of one graph, and who computes it now: a second one waits for the first."""

    found: dict[str, Statistic] = field(default_factory=dict)
    turns: dict[str, threading.Lock] = field(default_factory=dict)


# A graph never changes, and colour and size often ask for the same.
_known: WeakKeyDictionary[Graph, _Known] = WeakKeyDictionary()
_looking = threading.Lock()
_drawing_lots = threading.Lock()


def statistic(graph: Graph, name: str, by: Callable[[Graph, str], Statistic] | None = None) -> Statistic:
    """Compute a figure about every node, or return it if it was computed before.

    Parameters
    ----------
    graph : Graph
    name : str
        "degree"
            Number of neighbours.
        "weighted degree"
            Sum of the weights of a node's edges.
        "pagerank"
            Share of a random surfer's time, damping 0.85; edges count by weight.
        "betweenness"
            Number of shortest paths between others that lead through a node, each edge a step. Above 5,000 nodes it is
            estimated from the paths that begin at a random sample of nodes, and `Statistic.note` says so.
        "k-core"
            Largest k so that the node is in a part of the graph where all have k neighbours there.
        "clustering"
            Share of the pairs of a node's neighbours that are joined; 0 with fewer than two.
        "communities"
            Groups by the Leiden algorithm, which maximises modularity; edges count by weight. Without igraph by the
            Louvain algorithm. The note says which.
        "part"
            Connected parts.
    by : callable, optional
        Who computes it, if it has to be; by default `compute`. Of several who ask at once one computes it.

    Returns
    -------
    Statistic

    Raises
    ------
    ValueError
        If there is no such statistic.

    Examples
    --------
    >>> from graphne_viz.graphs.convert import as_graph
    >>> star = as_graph(np.array([[0, 1], [0, 2], [0, 3]]))
    >>> statistic(star, "betweenness").values
    array([3., 0., 0., 0.])
    """
    if name not in STATISTICS:
        raise ValueError(f"{name!r} is no statistic; there are {', '.join(map(repr, STATISTICS))}")
    with _looking:
        known = _known.setdefault(graph, _Known())
        turn = known.turns.setdefault(name, threading.Lock())
    with turn:
        if name not in known.found:
            known.found[name] = (by or compute)(graph, name)
        return known.found[name]


def compute(graph: Graph, name: str) -> Statistic:
    """Compute one of `STATISTICS`, whether it is known or not."""
    return named(name, *_MAKERS[name](graph))


def named(name: str, values: NDArray[np.float64] | NDArray[np.int64], note: str) -> Statistic:
    """Make a statistic of its values, which are read-only from then on."""
    values.flags.writeable = False
    return Statistic(name, "classes" if name in _GROUPS else "values", values, note)


def _has_igraph() -> bool:
    return find_spec("igraph") is not None


def _igraph(graph: Graph) -> Any:  # noqa: ANN401 - igraph has no types
    import igraph as ig  # noqa: PLC0415 -- optional

    return ig.Graph(n=graph.n_nodes, edges=graph.edges.tolist())


def _networkx(graph: Graph) -> Any:  # noqa: ANN401 - networkx has no types
    import networkx as nx  # noqa: PLC0415 -- slow to import

    return nx.from_scipy_sparse_array(graph.adjacency)


def _floats(values: Iterable[float]) -> NDArray[np.float64]:
    return np.array(list(values), dtype=np.float64)


def _degree(graph: Graph) -> tuple[NDArray[np.int64], str]:
    return graph.degrees.copy(), ""


def _weighted_degree(graph: Graph) -> tuple[NDArray[np.float64], str]:
    return np.asarray(graph.adjacency.sum(axis=1), dtype=np.float64).reshape(-1), ""


def _pagerank(graph: Graph) -> tuple[NDArray[np.float64], str]:
    if not graph.n_nodes:
        return np.zeros(0), ""
    if _has_igraph():
        return _floats(_igraph(graph).pagerank(directed=False, weights=graph.edge_weights.tolist())), ""
    import networkx as nx  # noqa: PLC0415 -- slow to import

    return _floats(nx.pagerank(_networkx(graph), max_iter=1000, tol=1e-10).values()), ""


def _betweenness(graph: Graph) -> tuple[NDArray[np.float64], str]:
    n = graph.n_nodes
    sources: list[int] | None = None
    factor, note = 1.0, ""
    if n > MOST_EXACT:
        count = int(np.clip(_EFFORT // (n + graph.n_edges), _LEAST_SOURCES, _MOST_SOURCES))
        sources = np.sort(np.random.default_rng(0).choice(n, count, replace=False)).tolist()
        factor, note = n / count, f"estimated from the paths that begin at {count:,} of {n:,} nodes"
    if _has_igraph():
        return factor * _floats(_igraph(graph).betweenness(directed=False, sources=sources)), note
    import networkx as nx  # noqa: PLC0415 -- slow to import

    G = _networkx(graph)
    if sources is None:
        return _floats(nx.betweenness_centrality(G, normalized=False).values()), note
    paths = nx.betweenness_centrality_subset(G, sources=sources, targets=list(G), normalized=False)
    return factor * _floats(paths.values()), note


def _core(graph: Graph) -> tuple[NDArray[np.int64], str]:
    if _has_igraph():
        return np.array(_igraph(graph).coreness(), dtype=np.int64), ""
    import networkx as nx  # noqa: PLC0415 -- slow to import

    return np.array(list(nx.core_number(_networkx(graph)).values()), dtype=np.int64), ""


def _clustering(graph: Graph) -> tuple[NDArray[np.float64], str]:
    if _has_igraph():
        return _floats(_igraph(graph).transitivity_local_undirected(mode="zero")), ""
    import networkx as nx  # noqa: PLC0415 -- slow to import

    return _floats(nx.clustering(_networkx(graph)).values()), ""


def _communities(graph: Graph) -> tuple[NDArray[np.int64], str]:
    if not graph.n_edges:
        return _by_size(np.arange(graph.n_nodes)), ""
    if _has_igraph():
        import igraph as ig  # noqa: PLC0415 -- optional

        g = _igraph(graph)
        # igraph has one source of chance for all; it gets its own back.
        with _drawing_lots:
            ig.set_random_number_generator(random.Random(0))  # noqa: S311 -- no secret
            try:
                found = g.community_leiden("modularity", weights=graph.edge_weights.tolist(), n_iterations=-1)
            finally:
                ig.set_random_number_generator(random)
        return _by_size(np.array(found.membership, dtype=np.int64)), "by the Leiden algorithm"
    import networkx as nx  # noqa: PLC0415 -- slow to import

    groups = np.empty(graph.n_nodes, dtype=np.int64)
    for number, nodes in enumerate(nx.community.louvain_communities(_networkx(graph), seed=0)):
        groups[list(nodes)] = number
    return _by_size(groups), "by the Louvain algorithm; with igraph installed by Leiden's"


def _part(graph: Graph) -> tuple[NDArray[np.int64], str]:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 -- slow to import

    return _by_size(connected_components(graph.adjacency, directed=False)[1].astype(np.int64)), ""


def _by_size(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give groups numbers from 1, the largest first, of equal ones that with the first node."""
    _, first, which, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(1, len(sizes) + 1)
    return rank[which]


_MAKERS: dict[str, Callable[[Graph], tuple[Any, str]]] = {
    "degree": _degree,
    "weighted degree": _weighted_degree,
    "pagerank": _pagerank,
    "betweenness": _betweenness,
    "k-core": _core,
    "clustering": _clustering,
    "communities": _communities,
    "part": _part,
}
_GROUPS = {"communities", "part"}

STATISTICS = tuple(_MAKERS)
"""Names of what `statistic` computes."""
