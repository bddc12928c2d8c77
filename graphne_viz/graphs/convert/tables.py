"""Graphs in tables: edges, beside them nodes, with any names of columns; and AnnData."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, unknown_weight
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.build import build_graph
from graphne_viz.graphs.convert.arrays import from_matrix, places_of
from graphne_viz.graphs.convert.genes import Genes
from graphne_viz.graphs.convert.recognition import is_instance
from graphne_viz.graphs.convert.table_columns import as_table, plain_column

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.build import Direction
    from graphne_viz.graphs.convert.table_columns import Table
    from graphne_viz.graphs.graph import Graph

_ENDS = (("source", "target"), ("from", "to"), ("src", "dst"), ("u", "v"))
_IDS = ("id", "node", "key", "name")
_TYPES = {"directed": True, "undirected": False, "mutual": False}  # as Gephi has them
_SHOWN = 3


def find_ends(table: Table, source: str | None = None, target: str | None = None) -> tuple[int, int]:
    """Return which columns hold the two ends of the edges.

    Raises
    ------
    ValueError
        If they cannot be told, with the names there are.
    """
    if (source is None) != (target is None):
        given, other = ("source", "target") if target is None else ("target", "source")
        raise ValueError(f"{given} was given without {other}; both name columns of {table.what}: {table.listed()}")
    if source is not None and target is not None:
        return table.place(source, "source"), table.place(target, "target")
    for names in _ENDS:
        places = [table.find([name]) for name in names]
        if places[0] is not None and places[1] is not None:
            return places[0], places[1]
    if len(table.names) == 2 and table.find(["id"]) is None:
        return 0, 1
    raise ValueError(
        f"which columns of {table.what} are the ends of the edges cannot be told; there are {table.listed()}: "
        "name two of them by source and target"
    )


def from_table(
    edges: Foreign,
    weight: str | None,
    *,
    source: str | None = None,
    target: str | None = None,
    directed: bool | None = None,
) -> Graph:
    """Convert a table of edges.

    Ids are the values of the two columns in order of first appearance, row by row. A column "type" of nothing but
    "Directed" and "Undirected" says which edges have a direction, as in Gephi. Other columns are attributes.

    Parameters
    ----------
    edges : table
        See `as_table`.
    weight : str or None
        Column of the weights; "weight" also in capital letters.
    source, target, directed
        As in `TableKeywords`.
    """
    table = as_table(edges, "the edge table")
    ends = find_ends(table, source, target)
    at = find_weight(table, weight)
    others = [k for k in range(len(table.names)) if k not in {*ends, at if weight == DEFAULT_WEIGHT else None}]
    attributes = {table.names[k]: table.attribute(k) for k in others}
    direction = read_direction(table, attributes, directed=directed)
    return graph_from_columns(
        table.keys(ends[0]),
        table.keys(ends[1]),
        None if at is None else table.weights(at),
        attributes,
        direction=direction,
    )


def find_weight(table: Table, weight: str | None) -> int | None:
    """Return which column holds the weights, None if there are none."""
    if weight is None:
        return None
    if weight in table.names:
        return table.place(weight, "weight")
    if weight != DEFAULT_WEIGHT:
        raise unknown_weight(weight, table.names, f"a column of {table.what}")
    return table.find([weight])


def read_direction(
    table: Table, attributes: dict[str, NDArray[np.generic]], *, directed: bool | None
) -> Direction | NDArray[np.bool_]:
    """Tell whether edges have a direction; a column that says so is taken out of the attributes."""
    kind = table.find(["type"])
    directions = None if kind is None or table.names[kind] not in attributes else _types(attributes[table.names[kind]])
    if directions is not None and kind is not None:
        del attributes[table.names[kind]]
    if directed is not None:
        return "directed" if directed else "undirected"
    return "listed" if directions is None else directions


def _types(column: NDArray[np.generic]) -> NDArray[np.bool_] | None:
    """Return which edges have a direction, None if a column is about something else."""
    directions = [_TYPES.get(str(value).strip().lower()) for value in column.tolist()]
    return None if not directions or None in directions else np.array(directions, dtype=bool)


def with_nodes(graph: Graph, nodes: Foreign, id: str | None, *, more: bool) -> Graph:  # noqa: A002 -- as the keyword
    """Give the nodes of a graph the attributes that a table has of them.

    Parameters
    ----------
    graph : Graph
    nodes : table
        See `as_table`.
    id : str, optional
        Column of the ids; as in `TableKeywords`.
    more : bool
        Whether nodes that are only in the table become nodes without neighbours.

    Raises
    ------
    ValueError
        If the column of ids cannot be told, an id is missing or there twice, or the ids do not fit the graph's.
    """
    ids, columns = _read_nodes(nodes, id)
    index: dict[Hashable, int] = {node: place for place, node in enumerate(graph.ids)}
    new = [node for node in ids if node not in index]
    if new and (not more or (graph.n_nodes and len(new) == len(ids))):
        some = ", ".join(map(repr, graph.ids[:_SHOWN]))
        raise ValueError(f"the graph has no node {new[0]!r}, which the node table has; its nodes are like {some}")
    index.update((node, graph.n_nodes + k) for k, node in enumerate(new))
    places, n = [index[node] for node in ids], len(index)
    attributes = {name: _resized(column, range(graph.n_nodes), n) for name, column in graph.attributes.items()}
    attributes |= {name: _resized(column, places, n) for name, column in columns.items()}
    if not new:
        return replace(graph, attributes=attributes)
    old = graph.adjacency
    pointers = np.concatenate([old.indptr, np.full(len(new), old.nnz, dtype=old.indptr.dtype)])
    adjacency = sp.csr_array((old.data, old.indices, pointers), shape=(n, n))
    return replace(graph, adjacency=adjacency, ids=tuple(index), attributes=attributes)


def _resized(column: NDArray[np.generic], places: Sequence[int], n: int) -> NDArray[np.generic]:
    """Put a column's values into the places of n nodes; the others have none."""
    if len(column) == n:
        full = np.empty_like(column)
        full[np.asarray(places, dtype=np.int64)] = column
        return full
    if column.dtype.kind == "f":
        floats = np.full(n, np.nan)
        floats[np.asarray(places, dtype=np.int64)] = column
        return floats
    values: list[object] = [None] * n
    for place, value in zip(places, column.tolist(), strict=True):
        values[place] = value
    return as_column(values)


def node_ids(nodes: Foreign, id: str | None) -> list[Hashable]:  # noqa: A002 -- as the keyword
    """Return the ids in a table of nodes, in its order."""
    return _read_nodes(nodes, id)[0]


def _read_nodes(nodes: Foreign, id: str | None) -> tuple[list[Hashable], dict[str, NDArray[np.generic]]]:  # noqa: A002
    """Return the ids and the attributes of a table of nodes."""
    table = as_table(nodes, "the node table")
    place = table.find(_IDS) if id is None else table.place(id, "id")
    if place is not None:
        ids = table.keys(place).tolist()
    elif is_instance(nodes, "pandas", "DataFrame") and not is_instance(nodes.index, "pandas", "RangeIndex"):
        ids = nodes.index.tolist()  # what pandas calls the rows
    else:
        raise ValueError(
            f"which column of {table.what} has the ids cannot be told; there are {table.listed()}: name it by id"
        )
    seen: dict[Hashable, int] = {}
    for row, node in enumerate(ids):
        if seen.setdefault(node, row) != row:
            raise ValueError(f"rows {seen[node]} and {row} of {table.what} have the same id {node!r}")
    return ids, {table.names[k]: table.attribute(k) for k in range(len(table.names)) if k != place}


def graph_from_columns(
    source: NDArray[Any],
    target: NDArray[Any],
    weights: Sequence[object] | NDArray[Any] | None,
    edge_attributes: Mapping[str, NDArray[np.generic]] | None = None,
    *,
    direction: Direction | NDArray[np.bool_] = "listed",
) -> Graph:
    """Build a graph from two columns of names, one of weights and others, each of length E."""
    mixed = source.dtype.kind != target.dtype.kind
    ends = np.empty(2 * len(source), dtype=object if mixed else np.result_type(source, target))
    ends[0::2] = source.astype(object) if mixed else source
    ends[1::2] = target.astype(object) if mixed else target
    ids, codes = factorize(ends)
    rows, columns = codes[0::2], codes[1::2]
    checked = None if weights is None else as_weights(weights, lambda k: (ids[rows[k]], ids[columns[k]]))
    return build_graph(ids, rows, columns, checked, direction, edge_attributes=edge_attributes, origin="table")


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


def from_anndata(adata: Foreign, weight: str | None) -> Graph:
    """Convert AnnData's neighbour graph; ids are ``obs_names``, attributes the columns of ``obs``, genes ``var_names``.

    The matrix is ``obsp["connectivities"]``, or ``obsp[weight]`` where `weight` names one.
    """
    key = weight if weight is not None and weight in adata.obsp else "connectivities"
    if key not in adata.obsp or (key != weight and weight not in (None, DEFAULT_WEIGHT)):
        keys = ", ".join(map(repr, adata.obsp)) or "nothing"
        raise ValueError(f"obsp has no {key if weight in (None, DEFAULT_WEIGHT) else weight!r}; it holds {keys}")
    graph = from_matrix(adata.obsp[key], weight, tuple(adata.obs_names))
    attributes = {str(name): plain_column(adata.obs[name]) for name in adata.obs.columns}
    return replace(graph, attributes=attributes, genes=Genes(adata))
