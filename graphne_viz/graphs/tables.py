"""Tables: edge lists in pandas or polars, and AnnData."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, build_adjacency, unknown_weight
from graphne_viz.graphs.arrays import from_matrix, places_of
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign


def from_table(table: Foreign, weight: str | None) -> Graph:
    """Convert a pandas or polars table with columns ``source``, ``target`` and optionally a weight.

    Ids are the values of the two columns in order of first appearance, row by row.
    """
    names = [str(name) for name in table.columns]
    for needed in ("source", "target"):
        if names.count(needed) != 1:
            raise ValueError(f"the edge table needs one column {needed!r}; it has {', '.join(map(repr, names))}")
    ends = []
    for end in ("source", "target"):
        values, missing = _values(table[end])
        if missing.any():
            raise ValueError(f"row {int(missing.argmax())} of the edge table has no value in column {end!r}")
        ends.append(values)
    weights: Sequence[object] | NDArray[np.generic] | None = None
    if weight is not None and weight in names:
        weights = _weight_column(table[weight])
    elif weight not in (None, DEFAULT_WEIGHT):
        raise unknown_weight(weight, names, "a column of the edge table")
    return graph_from_columns(ends[0], ends[1], weights)


def graph_from_columns(
    source: NDArray[Any], target: NDArray[Any], weights: Sequence[object] | NDArray[Any] | None
) -> Graph:
    """Build a graph from two columns of names and one of weights, each of length E."""
    mixed = source.dtype.kind != target.dtype.kind
    ends = np.empty(2 * len(source), dtype=object if mixed else np.result_type(source, target))
    ends[0::2] = source.astype(object) if mixed else source
    ends[1::2] = target.astype(object) if mixed else target
    ids, codes = factorize(ends)
    rows, columns = codes[0::2], codes[1::2]
    checked = None if weights is None else as_weights(weights, lambda k: (ids[rows[k]], ids[columns[k]]))
    adjacency = build_adjacency(len(ids), rows, columns, checked, ids=ids, direction="listed")
    return Graph(adjacency, ids, origin="table")


def factorize(values: NDArray[Any]) -> tuple[tuple[Hashable, ...], NDArray[np.int64]]:
    """Enumerate the distinct values in order of first appearance.

    Parameters
    ----------
    values : ndarray, shape (m,)

    Returns
    -------
    distinct : tuple
        Plain Python values.
    codes : ndarray of int64, shape (m,)
        Where in `distinct` each value stands.

    Examples
    --------
    >>> distinct, codes = factorize(np.array(["b", "a", "b"]))
    >>> distinct, codes
    (('b', 'a'), array([0, 1, 0]))
    """
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 10 * len(values) and high <= np.iinfo(np.int64).max:
            shifted = values.astype(np.int64) - low
            first = np.full(high - low + 1, len(values))
            first[shifted[::-1]] = np.arange(len(values))[::-1]  # of equal indices the last one assigned stays
            places = np.sort(first)[: int((first < len(values)).sum())]
            known = shifted[places]
            return tuple((known + low).tolist()), places_of(shifted, known)
    listed = values.tolist()
    try:
        index = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    except TypeError as error:
        raise ValueError(f"the names of nodes must be hashable: {error}") from None
    return tuple(index), np.fromiter(map(index.__getitem__, listed), dtype=np.int64, count=len(listed))


def _values(column: Foreign) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return a column's values, and which are missing."""
    if hasattr(column, "isna"):
        return np.asarray(column), np.asarray(column.isna(), dtype=bool)
    values = column.to_numpy()
    missing = column.is_null().to_numpy()
    if values.dtype.kind == "f":
        missing = missing | np.isnan(values)
    return values, missing


def _weight_column(column: Foreign) -> Sequence[object] | NDArray[Any]:
    """Return weights with None where the table says missing; NaN stays and is refused later."""
    if hasattr(column, "isna"):
        if column.dtype != object and (isinstance(column.dtype, np.dtype) or not column.isna().any()):
            return np.asarray(column)
        absent = sys.modules["pandas"].NA  # as object: numpy would turn it into NaN
        return [None if value is absent else value for value in column.astype(object).tolist()]
    weights: Sequence[object] | NDArray[Any] = column.to_list() if column.null_count() else column.to_numpy()
    return weights


def from_anndata(adata: Foreign, weight: str | None) -> Graph:
    """Convert AnnData's neighbour graph; ids are ``obs_names``, attributes the columns of ``obs``.

    The matrix is ``obsp["connectivities"]``, or ``obsp[weight]`` where `weight` names one.
    """
    key = weight if weight is not None and weight in adata.obsp else "connectivities"
    if key not in adata.obsp or (key != weight and weight not in (None, DEFAULT_WEIGHT)):
        keys = ", ".join(map(repr, adata.obsp)) or "nothing"
        raise ValueError(f"obsp has no {key if weight in (None, DEFAULT_WEIGHT) else weight!r}; it holds {keys}")
    graph = from_matrix(adata.obsp[key], weight, tuple(adata.obs_names))
    attributes = {str(name): _obs_column(adata.obs[name]) for name in adata.obs.columns}
    return Graph(graph.adjacency, graph.ids, attributes, "array")


def _obs_column(column: Foreign) -> NDArray[np.generic]:
    values = np.asarray(column)
    if values.dtype.kind in "biufM":
        return as_column(values)
    missing = np.asarray(column.isna(), dtype=bool)
    return as_column([None if gone else value for value, gone in zip(values.tolist(), missing, strict=True)])
