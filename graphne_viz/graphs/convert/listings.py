"""Graphs in Python's own collections: lists of edges, dicts of neighbours, and nodes alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, bad_weight, unknown_weight
from graphne_viz.graphs.attributes import columns_from_records
from graphne_viz.graphs.build import build_graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from graphne_viz.graphs.build import Direction
    from graphne_viz.graphs.graph import Graph

_EMPTY = np.zeros(0, dtype=np.int64)


def from_iterable(G: Iterable[object], weight: str | None, *, directed: bool | None = None) -> Graph:
    """Convert a list of edges, a dict of neighbours, or an iterable of nodes.

    Pairs are edges, and so are triples with a weight or a dict of attributes in the third place; a dict of lists, sets
    or dicts has the neighbours of each node. Anything else is a node, as are the keys of other dicts, and there are no
    edges then.

    Parameters
    ----------
    G : iterable
    weight : str or None
        Key of the weights in dicts of attributes.
    directed : bool, optional
        Whether edges have a direction; by default as they look.

    Raises
    ------
    TypeError
        If a node cannot be hashed.
    ValueError
        If some items are edges and others cannot be.
    """
    direction: Direction = "listed"
    if directed is not None:
        direction = "directed" if directed else "undirected"
    items = list(G)
    kind = type(G).__name__ if type(G).__module__.startswith("networkx.") else ""
    if "Edge" in kind:  # G.edges: networkx knows what they are, and a third place may be a key
        if directed is None:
            direction = "directed" if kind.startswith(("Out", "In")) else "undirected"
        return _from_edges((), [_without_key(edge) for edge in items], weight, direction)  # type: ignore[arg-type]
    if isinstance(G, Mapping) and not kind and any(map(_has_neighbours, G.values())):
        return _from_edges(tuple(G), _neighbours(G), weight, direction)
    edges = [False] if "Node" in kind or isinstance(G, Mapping) else [_is_edge(item) for item in items]
    if items and all(edges):
        return _from_edges((), items, weight, direction)  # type: ignore[arg-type] # pairs and triples
    if sum(edges) * 2 >= len(items) > 0:  # a few pairs among other nodes are nodes, as networkx has them
        at = edges.index(not edges[0])
        raise ValueError(
            f"item {at} is {items[at]!r}, but item {at - 1} {items[at - 1]!r} is {'a pair' if edges[0] else 'none'}: "
            "either all are edges, pairs or triples of hashable nodes, or none is"
        )
    try:
        ids = tuple(dict.fromkeys(items))
    except TypeError as error:
        raise TypeError(f"nodes must be hashable ({error})") from None
    if None in ids:
        raise ValueError("None cannot be a node")
    return build_graph(ids, _EMPTY, _EMPTY, None, "undirected", origin="networkx")


def _without_key(edge: Sequence[object]) -> Sequence[object]:
    return (*edge[:2], edge[-1]) if isinstance(edge[-1], dict) else edge[:2]


def _is_edge(item: object) -> bool:
    return isinstance(item, (tuple, list)) and len(item) in {2, 3}


def _has_neighbours(value: object) -> bool:
    return isinstance(value, Collection) and not isinstance(value, (str, bytes)) and not hasattr(value, "dtype")


def _neighbours(G: Mapping[object, object]) -> list[tuple[object, ...]]:
    """Return the edges of a dict with the neighbours of each node."""
    edges: list[tuple[object, ...]] = []
    for node, others in G.items():
        if isinstance(others, Mapping):
            edges += [(node, other, value) for other, value in others.items()]
        elif _has_neighbours(others):
            edges += [(node, other) for other in cast("Collection[object]", others)]
        else:
            raise TypeError(
                f"the value of {node!r} is a {type(others).__name__}: a dict is a graph if its values are lists, sets "
                "or dicts of neighbours"
            )
    return edges


def _from_edges(
    known: tuple[Hashable, ...], edges: Sequence[Sequence[object]], weight: str | None, direction: Direction
) -> Graph:
    try:
        index = {node: i for i, node in enumerate(dict.fromkeys(chain(known, *(edge[:2] for edge in edges))))}
    except TypeError as error:
        raise TypeError(f"nodes must be hashable ({error})") from None
    if None in index:
        raise ValueError("None cannot be a node")
    ids = tuple(index)
    ends = np.array([(index[edge[0]], index[edge[1]]) for edge in edges], dtype=np.int64).reshape(-1, 2)
    records: list[Mapping[object, object]] = []
    for edge in edges:
        value = edge[2] if len(edge) > 2 else None
        if isinstance(value, Mapping):
            records.append(value)
        elif value is None or (isinstance(value, (Real, np.generic)) and not isinstance(value, (bool, np.bool_))):
            records.append({} if value is None else {weight: value})
        else:
            pair = (edge[0], edge[1])
            text = f"{bad_weight(pair, value)}, or a dict of attributes"
            raise ValueError(text)
    weights = None
    if weight is not None:
        values = [record.get(weight) for record in records]
        if any(value is not None for value in values):
            weights = as_weights(
                [1 if value is None else value for value in values], lambda k: (ids[ends[k, 0]], ids[ends[k, 1]])
            )
        elif weight != DEFAULT_WEIGHT and records:
            raise unknown_weight(weight, chain.from_iterable(records), "an attribute of any edge")
    columns = columns_from_records(
        records, len(records), without=str(weight) if weight in {None, DEFAULT_WEIGHT} else None
    )
    rows, targets = ends.T
    return build_graph(ids, rows, targets, weights, direction, edge_attributes=columns, origin="networkx")
