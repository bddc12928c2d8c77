"""Figures about every node that the graph alone gives: igraph computes them where it is installed, else networkx."""

from __future__ import annotations

import random
import re
import threading
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.centrality import closeness, eccentricity, eigenvector, modularity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import igraph as ig
    import networkx as nx
    from numpy.typing import NDArray
    from scipy import sparse as sp
    from scipy.sparse import csgraph

    from graphne_viz.graphs.graph import Graph
else:
    sp = lazy_import("scipy.sparse")
    ig = lazy_import("igraph")
    nx = lazy_import("networkx")
    csgraph = lazy_import("scipy.sparse.csgraph")

COMMUNITIES = "communities"

MOST_EXACT = 5_000
"""Nodes up to which betweenness counts the shortest paths from every node; above, from a random sample of them."""

MOST_QUICK, MOST_QUICK_IN_PYTHON = 20_000, 2_000
"""Pairs of neighbours up to which communities are found in less than a tenth of a second, with igraph and without."""

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
    locks: dict[str, threading.Lock] = field(default_factory=dict)


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
            Number of a node's edges; a loop counts twice, as in networkx and igraph.
        "weighted degree"
            Sum of the weights of a node's edges.
        "pagerank"
            Share of a random surfer's time, damping 0.85; edges count by weight, and lead where they point to.
        "betweenness"
            Number of shortest paths between others that lead through a node, each edge a step in its direction. Above
            5,000 nodes it is estimated from the shortest paths from a random sample of nodes, and `Statistic.note`
            says so.
        "k-core"
            Largest k so that the node is in a part of the graph where all have k neighbours there.
        "clustering"
            Share of the pairs of a node's neighbours that are joined; 0 with fewer than two.
        "closeness"
            Share of the other nodes that it reaches, divided by their mean distance in steps; sampled as betweenness.
        "eigenvector"
            First eigenvector of the adjacency; the most central node has 1.
        "eccentricity"
            Steps to the farthest node that it reaches; the note has the largest, the diameter. Sampled as betweenness.
        "communities"
            Groups by the Leiden algorithm, which maximises modularity; edges count by weight. Without igraph by the
            Louvain algorithm. The note says which.
        "modularity class"
            The same groups by their numbers; the note has the modularity.
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
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> star = as_graph(np.array([[0, 1], [0, 2], [0, 3]]))
    >>> statistic(star, "betweenness").values
    array([3., 0., 0., 0.])
    """
    if name not in STATISTICS:
        raise ValueError(f"unknown statistic {name!r}; there are {', '.join(map(repr, STATISTICS))}")
    with _looking:
        known = _known.setdefault(graph, _Known())
        lock = known.locks.setdefault(name, threading.Lock())
    with lock:
        if name not in known.found:
            known.found[name] = (by or compute)(graph, name)
        return known.found[name]


def canonical_name(name: str, also: Iterable[str] = ()) -> str | None:
    """Return what a statistic is called here, however it is spelled; None if there is none.

    Parameters
    ----------
    name : str
        In small or capital letters, with spaces, hyphens or underscores, as menus call it or as functions do.
    also : iterable of str
        Other names that may be meant.

    Examples
    --------
    >>> canonical_name("PageRank"), canonical_name("weighted_degree"), canonical_name("Connected part")
    ('pagerank', 'weighted degree', 'part')
    >>> canonical_name("neighbor_recall", ["neighbour recall"])
    'neighbour recall'
    """
    wanted = _folded(name)
    known = {_folded(other): other for other in (*STATISTICS, *also)}
    return known.get(_folded(_TITLES.get(wanted, wanted)))


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.casefold()).replace("neighbour", "neighbor")


def compute(graph: Graph, name: str) -> Statistic:
    """Compute one of `STATISTICS`, whether it is known or not."""
    return named(name, *_MAKERS[name](graph))


def named(name: str, values: NDArray[np.float64] | NDArray[np.int64], note: str) -> Statistic:
    """Make a statistic of its values, which are read-only from then on."""
    values.flags.writeable = False
    return Statistic(name, "classes" if name in _GROUPS else "values", values, note)


def finds_communities_quickly(graph: Graph) -> bool:
    """Tell whether communities take no longer than a first picture may."""
    return graph.n_pairs <= (MOST_QUICK if _has_igraph() else MOST_QUICK_IN_PYTHON)


def _has_igraph() -> bool:
    return find_spec("igraph") is not None


def _igraph(graph: Graph) -> Any:  # noqa: ANN401 - igraph has no types

    return ig.Graph(n=graph.n_nodes, edges=graph.pairs.tolist())


def _networkx(graph: Graph) -> Any:  # noqa: ANN401 - networkx has no types

    return nx.from_scipy_sparse_array(graph.adjacency)


def _arcs(graph: Graph) -> sp.csr_array:
    """Return a matrix with the weights from row to column; edges without direction stand there in both."""
    ends, weights = graph.links.both_ways()
    return sp.csr_array(sp.coo_array((weights, tuple(ends.T)), shape=graph.adjacency.shape))


def _arc_list(arcs: sp.csr_array) -> list[tuple[int, int]]:
    return list(zip(*(places.tolist() for places in arcs.nonzero()), strict=True))


def _floats(values: Iterable[float]) -> NDArray[np.float64]:
    return np.array(list(values), dtype=np.float64)


def _degree(graph: Graph) -> tuple[NDArray[np.int64], str]:
    if graph.edge_table is None:
        return graph.degrees.copy(), ""
    return np.bincount(graph.links.ends.reshape(-1), minlength=graph.n_nodes), ""


def _weighted_degree(graph: Graph) -> tuple[NDArray[np.float64], str]:
    if graph.edge_table is None:
        return np.asarray(graph.adjacency.sum(axis=1), dtype=np.float64).reshape(-1), ""
    links = graph.links
    sums = np.bincount(links.ends.reshape(-1), np.repeat(links.weights, 2), minlength=graph.n_nodes)
    return sums.astype(np.float64), ""


def _pagerank(graph: Graph) -> tuple[NDArray[np.float64], str]:
    if not graph.n_nodes:
        return np.zeros(0), ""
    if graph.directed:
        arcs = _arcs(graph)
        arcs.eliminate_zeros()
        if _has_igraph():
            g = ig.Graph(n=graph.n_nodes, edges=_arc_list(arcs), directed=True)
            return _floats(g.pagerank(weights=arcs.data.tolist())), ""
        G = nx.from_scipy_sparse_array(arcs, create_using=nx.DiGraph)
        return _floats(nx.pagerank(G, max_iter=1000, tol=1e-10).values()), ""
    if _has_igraph():
        return _floats(_igraph(graph).pagerank(directed=False, weights=graph.pair_weights.tolist())), ""

    return _floats(nx.pagerank(_networkx(graph), max_iter=1000, tol=1e-10).values()), ""


def _betweenness(graph: Graph) -> tuple[NDArray[np.float64], str]:
    n = graph.n_nodes
    sources: list[int] | None = None
    factor, note = 1.0, ""
    if n > MOST_EXACT:
        count = int(np.clip(_EFFORT // (n + graph.n_pairs), _LEAST_SOURCES, _MOST_SOURCES))
        sources = np.sort(np.random.default_rng(0).choice(n, count, replace=False)).tolist()
        factor, note = n / count, f"estimated from the shortest paths from {count:,} of {n:,} nodes"
    if _has_igraph():
        g = ig.Graph(n=n, edges=_arc_list(_arcs(graph)), directed=True) if graph.directed else _igraph(graph)
        return factor * _floats(g.betweenness(directed=graph.directed, sources=sources)), note

    G = nx.from_scipy_sparse_array(_arcs(graph), create_using=nx.DiGraph) if graph.directed else _networkx(graph)
    if sources is None:
        return _floats(nx.betweenness_centrality(G, normalized=False).values()), note
    paths = nx.betweenness_centrality_subset(G, sources=sources, targets=list(G), normalized=False)
    return factor * _floats(paths.values()), note


def _core(graph: Graph) -> tuple[NDArray[np.int64], str]:
    if _has_igraph():
        return np.array(_igraph(graph).coreness(), dtype=np.int64), ""

    return np.array(list(nx.core_number(_networkx(graph)).values()), dtype=np.int64), ""


def _clustering(graph: Graph) -> tuple[NDArray[np.float64], str]:
    if _has_igraph():
        return _floats(_igraph(graph).transitivity_local_undirected(mode="zero")), ""

    return _floats(nx.clustering(_networkx(graph)).values()), ""


def _communities(graph: Graph) -> tuple[NDArray[np.int64], str]:
    if not graph.n_pairs:
        return _by_size(np.arange(graph.n_nodes)), ""
    if _has_igraph():
        g = _igraph(graph)
        # igraph has one source of chance for all; it gets its own back.
        with _drawing_lots:
            ig.set_random_number_generator(random.Random(0))  # noqa: S311 -- no secret
            try:
                found = g.community_leiden("modularity", weights=graph.pair_weights.tolist(), n_iterations=-1)
            finally:
                ig.set_random_number_generator(random)
        return _by_size(np.array(found.membership, dtype=np.int64)), "by the Leiden algorithm"

    groups = np.empty(graph.n_nodes, dtype=np.int64)
    for number, nodes in enumerate(nx.community.louvain_communities(_networkx(graph), seed=0)):
        groups[list(nodes)] = number
    return _by_size(groups), "by the Louvain algorithm; with igraph installed, by the Leiden algorithm"


def _modularity_class(graph: Graph) -> tuple[NDArray[np.int64], str]:
    groups, note = _communities(graph)
    return groups, "; ".join(filter(None, (f"modularity {modularity(graph, groups):.3f}", note)))


def _part(graph: Graph) -> tuple[NDArray[np.int64], str]:
    return _by_size(csgraph.connected_components(graph.adjacency, directed=False)[1].astype(np.int64)), ""


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
    "closeness": closeness,
    "eigenvector": eigenvector,
    "eccentricity": eccentricity,
    COMMUNITIES: _communities,
    "modularity class": _modularity_class,
    "part": _part,
}
_GROUPS = {COMMUNITIES, "modularity class", "part"}

_TITLES = {
    "connectedpart": "part",
    "connectedcomponent": "part",
    "clusteringcoefficient": "clustering",
    "community": "communities",
    "diameter": "eccentricity",
    "eccentricity,diameter": "eccentricity",
    "eigenvectorcentrality": "eigenvector",
    "modularity": "modularity class",
}
"""What the viewer's menus call some of them."""

STATISTICS = tuple(_MAKERS)
"""Names of what `statistic` computes."""
