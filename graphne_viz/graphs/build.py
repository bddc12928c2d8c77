"""From the edges of any source to a `Graph`: one road for all converters and readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.adjacency import as_symmetric, check_sums, check_weights, sum_entries
from graphne_viz.graphs.attributes import take_columns
from graphne_viz.graphs.edge_table import EdgeTable
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Origin

Direction = Literal["undirected", "directed", "listed", "stored"]
"""Whether edges have a direction, as far as their source says so.

``"undirected"``, ``"directed"``: every entry is an edge of its own; (u, v) and (v, u) add up in the adjacency.
``"stored"``: a format in which an undirected edge stands in both directions. If all of them do, with the same weights
and attributes, it is an undirected graph and each counts once; otherwise they are directed.
``"listed"``: a plain list that does not say. If every edge stands there in both directions it is an undirected graph
written down twice and each counts once. If only some do, and none stands there twice in the same direction, they are
directed. Otherwise they are undirected.
"""


def build_graph(
    ids: Sequence[Hashable],
    rows: NDArray[np.integer],
    columns: NDArray[np.integer],
    weights: NDArray[np.float64] | None,
    direction: Direction | NDArray[np.bool_],
    *,
    edge_attributes: Mapping[str, NDArray[np.generic]] | None = None,
    attributes: Mapping[str, NDArray[np.generic]] | None = None,
    origin: Origin = "array",
    axes: frozenset[str] = frozenset(),
) -> Graph:
    """Make a graph of its edges.

    Parameters
    ----------
    ids : sequence of hashable, length n
    rows, columns : ndarray of int, shape (E,)
        Source and target of each edge, as places within `ids`.
    weights : ndarray, shape (E,), or None
        None means 1 for every edge.
    direction : Direction or ndarray of bool, shape (E,)
        Whether the edges have a direction; an array says so of each.
    edge_attributes : mapping of str to ndarray, shape (E,), optional
        Without the weights, if these are called "weight".
    attributes : mapping of str to ndarray, shape (n,), optional
        Of the nodes.
    origin, axes
        As in `Graph`.

    Returns
    -------
    Graph
        With an edge table only where the adjacency does not say it all: where there are directions, parallel edges,
        self-loops, edges of weight 0 or edge attributes.
    """
    if weights is not None:
        check_weights(weights, lambda k: (ids[int(rows[k])], ids[int(columns[k])]))
    edge_attributes = edge_attributes or {}
    entries = sum_entries(len(ids), rows, columns, weights)
    may_be_twice = isinstance(direction, str) and direction in {"listed", "stored"}
    may_be_twice = may_be_twice and _same_both_ways(rows, columns, edge_attributes)
    symmetric = as_symmetric(entries) if may_be_twice else None
    once: slice | NDArray[np.bool_] = slice(None)
    if symmetric is None:
        adjacency = sp.csr_array(entries + sp.csr_array(entries.T))
        kept = int(np.count_nonzero((rows != columns) & (True if weights is None else weights > 0)))
        directed = _directions(direction, kept, entries, adjacency)
    else:
        adjacency, directed = symmetric, np.zeros((), dtype=bool)
        once = rows <= columns
    check_sums(adjacency, ids)
    graph = Graph(adjacency, ids, attributes or {}, origin, axes)
    sources = rows[once]
    if not directed.any() and not edge_attributes and len(sources) == graph.n_pairs:
        return graph
    table = EdgeTable(
        np.column_stack([sources, columns[once]]).astype(np.int64, copy=False),
        np.broadcast_to(1.0, len(sources)) if weights is None else weights[once],
        take_columns(edge_attributes, once),
        directed=bool(directed.any()),
        mixed=directed if directed.any() and not directed.all() else None,
    )
    return Graph(adjacency, ids, attributes or {}, origin, axes, table)


def _directions(
    direction: Direction | NDArray[np.bool_], n_entries: int, entries: sp.csr_array, adjacency: sp.csr_array
) -> NDArray[np.bool_]:
    """Return which edges have a direction; one value if all are alike."""
    if not isinstance(direction, str):
        return direction
    directed = direction in {"directed", "stored"}
    if direction == "listed":
        some_mutual = adjacency.nnz < 2 * entries.nnz
        directed = some_mutual and entries.nnz == n_entries
    return np.array(directed)


def _same_both_ways(
    rows: NDArray[np.integer], columns: NDArray[np.integer], attributes: Mapping[str, NDArray[np.generic]]
) -> bool:
    """Tell whether edges that stand in both directions may be the same: their attributes do not tell them apart."""
    if not attributes:
        return True
    there, back = np.flatnonzero(rows < columns), np.flatnonzero(rows > columns)
    if len(there) != len(back):
        return False
    there = there[np.lexsort((columns[there], rows[there]))]
    back = back[np.lexsort((rows[back], columns[back]))]
    some, others = take_columns(attributes, there), take_columns(attributes, back)
    return all(_equal(some[name], others[name]) for name in attributes)


def _equal(some: NDArray[np.generic], others: NDArray[np.generic]) -> bool:
    if some.dtype.kind == "f":
        return np.array_equal(some, others, equal_nan=True)
    try:
        pairs = zip(some.tolist(), others.tolist(), strict=True)
        return all(one is other or bool(np.all(one == other)) for one, other in pairs)
    except (TypeError, ValueError):  # values of the caller's own, which may refuse to be compared
        return False
