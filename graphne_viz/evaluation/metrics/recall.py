"""Who is near whom: neighbours of the graph among the nearest nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.evaluation.metrics.graph_distances import most_shared
from graphne_viz.evaluation.metrics.neighbors import Nearest, graph_neighbors
from graphne_viz.evaluation.metrics.points import as_points, in_space
from graphne_viz.evaluation.metrics.samples import some_nodes, with_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.points import Metric


@overload
def neighbor_recall(
    G: Foreign,
    Y: Foreign,
    *,
    metric: Metric = ...,
    sample: int | None = ...,
    seed: Seed = ...,
    per_node: Literal[False] = ...,
) -> float: ...
@overload
def neighbor_recall(
    G: Foreign, Y: Foreign, *, metric: Metric = ..., sample: int | None = ..., seed: Seed = ..., per_node: Literal[True]
) -> NDArray[np.float64]: ...
def neighbor_recall(
    G: Foreign,
    Y: Foreign,
    *,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
    per_node: bool = False,
) -> float | NDArray[np.float64]:
    """Measure how many of a node's neighbours in the graph are among its as many nearest nodes.

    Parameters
    ----------
    G : graph
        With n nodes and at least one edge.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means. ``"auto"`` is Euclidean in up to three dimensions and cosine above.
    sample : int, optional
        Most nodes to take the mean over, chosen at random; their nearest nodes are still searched among all.
    seed : int, RandomState, Generator or None, default 0
        For the sample.
    per_node : bool, default False
        Return the recall of every node instead of the mean.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        From 0 to 1. Per node it is NaN for nodes without neighbours and those outside the sample; the mean leaves them
        out.

    Notes
    -----
    Where more nodes are as far as the last nearest one than there are places left, each of them has its part of a
    place: the value expected if ties were broken at random. Nodes on one point thus count the same in any order.

    Examples
    --------
    A path laid out straight keeps all neighbours. One end moved beyond the other loses its neighbour, is lost to it,
    and is as near to the other end as that one's own neighbour, with which it shares the place:

    >>> edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
    >>> neighbor_recall(edges, np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]))
    1.0
    >>> neighbor_recall(edges, np.array([[5, 0], [1, 0], [2, 0], [3, 0], [4, 0]]), per_node=True)
    array([0. , 0.5, 1. , 1. , 0.5])
    """
    graph = with_edges(G)
    space = in_space(as_points(graph, Y), metric)
    rows = some_nodes(np.flatnonzero(graph.degrees > 0), sample, seed)
    places = graph.degrees[rows]
    values = np.full(graph.n_nodes, np.nan)
    values[rows] = Nearest(*space).found(graph_neighbors(graph, rows), places) / places
    return values if per_node else float(values[rows].mean())


@overload
def two_hop_recall(
    G: Foreign,
    Y: Foreign,
    *,
    k: int = ...,
    metric: Metric = ...,
    sample: int | None = ...,
    seed: Seed = ...,
    per_node: Literal[False] = ...,
) -> float: ...
@overload
def two_hop_recall(
    G: Foreign,
    Y: Foreign,
    *,
    k: int = ...,
    metric: Metric = ...,
    sample: int | None = ...,
    seed: Seed = ...,
    per_node: Literal[True],
) -> NDArray[np.float64]: ...
def two_hop_recall(
    G: Foreign,
    Y: Foreign,
    *,
    k: int = 10,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
    per_node: bool = False,
) -> float | NDArray[np.float64]:
    """Measure how many of the k nodes that share most neighbours with a node are among its k nearest nodes.

    Parameters
    ----------
    G : graph
        With n nodes and at least one edge.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    k : int, default 10
        Number of nodes on both sides.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means; see `neighbor_recall`.
    sample : int, optional
        Most nodes to take the mean over, chosen at random.
    seed : int, RandomState, Generator or None, default 0
        For the sample.
    per_node : bool, default False
        Return the recall of every node instead of the mean.

    Returns
    -------
    float or ndarray of float64, shape (n,)
        From 0 to 1. Per node it is NaN for nodes without neighbours and those outside the sample.

    Notes
    -----
    As in the paper, a node that shares neighbours with fewer than k others finds at most those, out of k: the mean
    over a sparse graph cannot reach 1. Ties on both sides, in shared neighbours and in distances, are broken by the
    average over all ways to break them.
    """
    graph = with_edges(G)
    check_integer("k", k, least=1)
    nearest = Nearest(*in_space(as_points(graph, Y), metric))
    rows = some_nodes(np.flatnonzero(graph.degrees > 0), sample, seed)
    values = np.full(graph.n_nodes, np.nan)
    for wanted in most_shared(graph, rows, int(k)):
        values[wanted.rows] = nearest.found(wanted, np.full(len(wanted.rows), int(k))) / int(k)
    return values if per_node else float(values[rows].mean())
