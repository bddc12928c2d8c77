"""Where the nodes are: any layout or embedding as one array, and what near means in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from graphne_viz.graphs.convert.arrays import as_numpy

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph

Metric = Literal["auto", "euclidean", "cosine"]
METRICS: tuple[str, ...] = get_args(Metric)

Value = TypeVar("Value")

_FLAT = 3
"""Most dimensions in which ``"auto"`` means Euclidean: those one can look at."""

_ROUNDING = 5e-14
"""Farthest that a unit vector ends from its right place."""

_LARGEST = 1e100
"""Largest coordinate that can be squared and added up."""


def as_points(graph: Graph, Y: Foreign) -> NDArray[np.float64]:
    """Read a layout or an embedding.

    Parameters
    ----------
    graph : Graph
        The graph with n nodes.
    Y : array of shape (n, d), dict of node to d numbers, igraph.Layout or Embedding
        An array and a Layout are in the order of the graph's nodes. An Embedding, or whatever has ``vectors`` of shape
        (n, d), is put in that order by its ``ids``, if it has them.

    Returns
    -------
    ndarray of float64, shape (n, d)
        May be `Y` itself, so it must not be written to.

    Raises
    ------
    TypeError
        If `Y` holds no numbers.
    ValueError
        If a node is missing, the shape does not fit the graph, or a number is not finite.
    """
    if isinstance(Y, Mapping):
        values: Foreign = [_of_node(Y, node) for node in graph.ids]
    elif hasattr(Y, "vectors"):
        values = _in_order(graph, as_numpy(Y.vectors), getattr(Y, "ids", None))
    else:
        values = Y
    try:
        points = _floats(values)
    except (TypeError, ValueError):
        raise TypeError(
            f"Y must be an array of shape ({graph.n_nodes}, d), a dict of node to d numbers, an igraph.Layout or an "
            f"Embedding, got {type(Y).__name__} that contains something else"
        ) from None
    if points.ndim != 2 or len(points) != graph.n_nodes or not points.shape[1]:
        raise ValueError(f"Y has shape {points.shape}; this graph needs ({graph.n_nodes}, d) with d at least 1")
    bad = np.flatnonzero(~(np.abs(points) <= _LARGEST).all(axis=1))
    if bad.size:
        raise ValueError(
            f"Y of node {graph.ids[bad[0]]!r} is {points[bad[0]]}; every number must be finite and within {_LARGEST:g}"
        )
    return np.ascontiguousarray(points)


def resolve_metric(metric: Metric, dimension: int) -> Literal["euclidean", "cosine"]:
    """Decide what ``"auto"`` stands for: Euclidean in up to three dimensions, cosine above, as in the paper.

    Examples
    --------
    >>> resolve_metric("auto", 2), resolve_metric("auto", 128)
    ('euclidean', 'cosine')
    """
    if not isinstance(metric, str) or metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(map(repr, METRICS))}, got {metric!r}")
    if metric == "auto":
        return "euclidean" if dimension <= _FLAT else "cosine"
    return metric


class Space(NamedTuple):
    """Points among which Euclidean distances rank as the metric does.

    Attributes
    ----------
    points : ndarray of float64, shape (n, d)
    slack : float
        How far from its right place rounding may have put a point.
    """

    points: NDArray[np.float64]
    slack: float

    def squares(self, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Squared distances between the nodes of some pairs, shape (m,) for pairs of shape (m, 2)."""
        squares = np.empty(len(pairs))
        step = max(1, 10_000_000 // self.points.shape[1])
        for lo in range(0, len(pairs), step):
            source, target = pairs[lo : lo + step].T
            apart = self.points[source] - self.points[target]
            squares[lo : lo + step] = (apart * apart).sum(axis=1)
        return squares.round(12) if self.slack else squares

    def distances(self, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Euclidean distances, or half the squared ones, which are the cosine distances, shape (m,)."""
        squares = self.squares(pairs)
        return squares / 2 if self.slack else np.sqrt(squares)


def in_space(points: NDArray[np.float64], metric: Metric) -> Space:
    """Move points so that Euclidean distances rank as the metric does.

    Parameters
    ----------
    points : ndarray, shape (n, d)
    metric : {"auto", "euclidean", "cosine"}

    Returns
    -------
    Space
        With the points themselves, or for cosine the unit vectors of their directions: of those the squared distance
        is twice the cosine distance. Points at the origin have no direction. They share one in a further dimension, at
        right angles to all others: their similarity is 1 to each other, and 0 to all other points.

    Examples
    --------
    >>> in_space(np.array([[3.0, 4.0], [0.0, 0.0]]), "cosine").points
    array([[0.6, 0.8, 0. ],
           [0. , 0. , 1. ]])
    """
    if resolve_metric(metric, points.shape[1]) == "euclidean":
        return Space(points, 0)
    largest = np.abs(points).max(axis=1, keepdims=True)
    nowhere = largest[:, 0] == 0
    units = points / np.where(largest > 0, largest, 1)  # so that small numbers can be squared, too
    units /= np.where(largest > 0, np.linalg.norm(units, axis=1, keepdims=True), 1)
    return Space(np.column_stack([units, nowhere]) if nowhere.any() else units, _ROUNDING)


def _floats(values: Foreign) -> NDArray[np.float64]:
    """Read numbers; a TypeError or ValueError says that they are none."""
    listed = hasattr(values, "__array__") or isinstance(values, list)
    numbers = as_numpy(values if listed else list(values))
    if numbers.dtype.kind == "c":
        raise TypeError("positions must be real numbers, not complex ones")
    return np.asarray(numbers, dtype=np.float64)


def _of_node(Y: Mapping[Hashable, Value], node: Hashable) -> Value:
    if node not in Y:
        raise ValueError(f"Y has no position for node {node!r}; it must contain every node of the graph")
    return Y[node]


def _in_order(graph: Graph, vectors: NDArray[np.generic], ids: Foreign) -> NDArray[np.generic]:
    """Sort an embedding's rows, shape (m, d), as the graph's nodes are, shape (n, d)."""
    if ids is None:
        return vectors
    listed = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    if len(listed) != len(vectors):
        raise ValueError(f"Y has {len(listed)} ids, but {len(vectors)} vectors")
    if listed == list(graph.ids):
        return vectors
    place = {node: i for i, node in enumerate(listed)}
    return vectors[np.array([_of_node(place, node) for node in graph.ids], dtype=np.int64)]
