"""Graphs given as numbers: sparse and dense adjacency matrices, edge arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.adjacency import MAX_NODES, as_weights, bad_weight, compress
from graphne_viz.graphs.build import build_graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.build import Direction
    from graphne_viz.graphs.graph import Graph

_SPARSE_INDEX = 10_000_000  # edge arrays may leave gaps in the numbering up to here without a question


def is_matrix(X: Foreign) -> bool:
    """Tell whether scikit-learn can check it as a matrix; tensors, masked arrays and tables of edges it cannot."""
    if hasattr(X, "detach") or np.ma.isMaskedArray(X) or {"source", "target"} <= set(getattr(X, "columns", ())):
        return False
    return sp.issparse(X) or hasattr(X, "__array__") or isinstance(X, list | tuple)


def column_names(X: Foreign) -> list[str] | None:
    """Return the names of a table's columns, if it has any and all are text."""
    names = list(getattr(X, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


def as_numpy(values: Foreign) -> NDArray[Any]:
    """Bring a tensor or array to numpy; one that lives on a GPU or needs a gradient is copied first."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    return np.asarray(values)


def places_of(values: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where in `known` each value stands.

    Parameters
    ----------
    values : ndarray of int64, any shape
        Each must be among `known`.
    known : ndarray of int64, shape (n,)
        Distinct.

    Examples
    --------
    >>> places_of(np.array([7, 5, 7]), known=np.array([5, 7]))
    array([1, 0, 1])
    """
    if not len(known):
        return values
    low, high = int(known.min()), int(known.max())
    if high - low < 10 * (len(known) + values.size):
        if np.array_equal(known, np.arange(len(known))):
            return values
        table = np.zeros(high - low + 1, dtype=np.int64)
        table[known - low] = np.arange(len(known))
        return table[values - low]
    order = np.argsort(known)
    return order[np.searchsorted(known, values, sorter=order)]


def from_matrix(
    matrix: Foreign, weight: str | None, ids: Sequence[Hashable] | None = None, *, directed: bool | None = None
) -> Graph:
    """Convert a square scipy sparse matrix or array in any format, or a dense square array.

    A symmetric matrix, or one half of it alone, is an undirected graph; any other is directed, from row to column.
    Zeros, stored ones included, are no edges. ``weight=None`` makes every other entry 1.

    Parameters
    ----------
    matrix : sparse or dense, shape (n, n)
    weight : str or None
        None makes every edge count 1; a matrix has no names for its weights.
    ids : sequence of hashable, length n, optional
        Node names; 0 to n - 1 by default.
    directed : bool, optional
        Whether every entry is an edge of its own, from row to column, or none is.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the adjacency matrix has shape {matrix.shape}; it must be square")
    if matrix.dtype.kind not in "biuf":
        raise ValueError(f"the adjacency matrix has dtype {matrix.dtype}; it must be real numbers")
    n = matrix.shape[0]
    rows, columns, values = _sparse_entries(matrix) if sp.issparse(matrix) else _dense_entries(matrix)
    names = range(n) if ids is None else ids
    if weight is None and np.isnan(values).any():  # is it an edge or not? nobody can say
        k = int(np.isnan(values).argmax())
        raise bad_weight((names[int(rows[k])], names[int(columns[k])]), values[k])
    weights = None if weight is None else values
    direction: Direction = "directed" if directed else "stored"
    if directed is None and ((rows <= columns).all() or (rows >= columns).all()):
        direction = "undirected"
    graph = build_graph(names, rows, columns, weights, direction)
    if directed is False and graph.directed:
        return build_graph(names, rows, columns, weights, "undirected")
    return graph


def _sparse_entries(matrix: Foreign) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.float64]]:
    entries = sp.coo_array(matrix)  # checks every index, which the loops of the other formats trust
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf and is refused later
        data = entries.data.astype(np.float64)  # before duplicates add up: int8 would wrap around
    rows, columns = entries.coords
    summed = compress(entries.shape[0], rows, columns, data)
    summed.eliminate_zeros()
    filled = np.repeat(np.arange(matrix.shape[0]), np.diff(summed.indptr))
    return filled, summed.indices, summed.data


def _dense_entries(
    matrix: NDArray[Any],
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.float64]]:
    rows, columns = np.nonzero(matrix)
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf and is refused later
        return rows, columns, matrix[rows, columns].astype(np.float64)


def from_edge_array(edges: NDArray[Any], weight: str | None, *, directed: bool | None = None) -> Graph:
    """Convert an edge array of shape (E, 2), or (E, 3) with the weight in the third column."""
    weights = edges[:, 2] if weight is not None and edges.shape[1] == 3 else None
    direction: Direction = "listed" if directed is None else "directed" if directed else "undirected"
    return graph_from_edges(edges[:, :2], weights, direction=direction)


def graph_from_edges(
    ends: NDArray[Any],
    values: NDArray[Any] | None,
    n: int | None = None,
    *,
    direction: Direction | NDArray[np.bool_],
    edge_attributes: Mapping[str, NDArray[np.generic]] | None = None,
) -> Graph:
    """Build a graph from node indices.

    Parameters
    ----------
    ends : ndarray, shape (E, 2)
        Whole numbers from 0, of any dtype.
    values : ndarray, shape (E,) or (E, 1), or None
        Weights; None means 1.
    n : int, optional
        Number of nodes; by default the largest index plus one.
    direction, edge_attributes
        As in `build_graph`.
    """
    checked = _node_indices(ends)
    largest = int(checked.max(initial=-1))
    if n is None:
        n = largest + 1
        if n > _SPARSE_INDEX and n > 100 * len(checked):
            raise ValueError(
                f"the largest node index is {largest} but there are only {len(checked)} edges; indices count "
                "from 0 without large gaps (give arbitrary ids as a table with columns source and target)"
            )
    if n > MAX_NODES:
        raise ValueError(f"{n} nodes are too many; at most {MAX_NODES} are supported")
    if largest >= n:
        raise ValueError(f"an edge names node {largest}, but there are only {n} nodes")
    weights = None
    if values is not None:
        if values.size != len(checked) or values.ndim > 2:
            raise ValueError(
                f"the weights have shape {values.shape}; there must be one for each of {len(checked)} edges"
            )
        weights = as_weights(values.reshape(-1), lambda k: (int(checked[k, 0]), int(checked[k, 1])))
    ids = range(n)
    return build_graph(ids, checked[:, 0], checked[:, 1], weights, direction, edge_attributes=edge_attributes)


def _node_indices(ends: NDArray[Any]) -> NDArray[np.int64]:
    if ends.dtype.kind not in "iuf":
        if ends.size == 0:
            return np.zeros((0, 2), dtype=np.int64)
        raise ValueError(
            f"the edge array has dtype {ends.dtype}; node indices must be whole numbers "
            "(give names as a table with columns source and target)"
        )
    # Half precision does not reach as far as it is compared with, and up to numpy 2.1 a process may crash that compares
    # smaller integers with one beyond them.
    widest = {"i": np.int64, "u": np.uint64, "f": np.float64}[ends.dtype.kind]
    ends = ends.astype(np.promote_types(ends.dtype, widest), copy=False)
    with np.errstate(invalid="ignore"):
        wrong = ~((ends >= 0) & (ends < 2**62))
        if ends.dtype.kind == "f":
            wrong |= ends != np.floor(ends)
    if wrong.any():
        row, column = (int(k) for k in np.argwhere(wrong)[0])
        raise ValueError(
            f"row {row} of the edge array names node {ends[row, column].item()!r}; "
            "node indices must be whole numbers from 0"
        )
    return ends.astype(np.int64)
