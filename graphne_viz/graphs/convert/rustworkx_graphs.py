"""Graphs of rustworkx."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, unknown_weight
from graphne_viz.graphs.attributes import columns_from_records
from graphne_viz.graphs.build import build_graph
from graphne_viz.graphs.convert.arrays import places_of
from graphne_viz.graphs.convert.recognition import is_instance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.adjacency import EdgeName
    from graphne_viz.graphs.graph import Graph


def from_rustworkx(g: Foreign, weight: str | None) -> Graph:
    """Convert a rustworkx graph; ids are its node indices, which may have holes.

    The weight of an edge is its payload if that is a number, or ``payload[weight]`` if it is a dict,
    otherwise 1. Payloads that are dicts become attributes, of nodes and of edges, others the attribute "label".
    """
    ids: tuple[int, ...] = tuple(g.node_indices())
    edges = list(g.weighted_edge_list())
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    payloads = [edge[2] for edge in edges]
    weights = None
    if weight is not None:
        weights = _payload_weights(payloads, weight, lambda k: (int(ends[k, 0]), int(ends[k, 1])))
    rows, columns = places_of(ends, np.array(ids, dtype=np.int64)).T
    records = map(_record, (None if _is_number(payload) else payload for payload in payloads))
    edge_attributes = columns_from_records(
        records, len(payloads), without=DEFAULT_WEIGHT if weight == DEFAULT_WEIGHT else None
    )
    return build_graph(
        ids,
        rows,
        columns,
        weights,
        "directed" if is_instance(g, "rustworkx", "PyDiGraph") else "undirected",
        edge_attributes=edge_attributes,
        attributes=columns_from_records(map(_record, g.nodes()), len(ids)),
        origin="rustworkx",
    )


def _record(payload: object) -> Mapping[object, object]:
    return payload if isinstance(payload, dict) else {} if payload is None else {"label": payload}


def _is_number(payload: object) -> bool:
    return isinstance(payload, (int, float, np.integer, np.floating)) and not isinstance(payload, bool)


def _payload_weights(payloads: list[object], weight: str, name: EdgeName) -> NDArray[np.float64]:
    dicts = [payload for payload in payloads if isinstance(payload, dict)]
    if weight != DEFAULT_WEIGHT and payloads and not any(weight in payload for payload in dicts):
        raise unknown_weight(weight, chain.from_iterable(dicts), "a key of any edge's payload")

    def value(payload: object) -> object:
        if isinstance(payload, dict):
            found = payload.get(weight)
            return 1 if found is None else found
        return payload if _is_number(payload) else 1

    return as_weights([value(payload) for payload in payloads], name)
