"""Graphs of networkx, and back to them."""

from __future__ import annotations

import json
from itertools import chain, compress
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, unknown_weight
from graphne_viz.graphs.attributes import columns_from_records
from graphne_viz.graphs.build import build_graph
from graphne_viz.graphs.convert.arrays import places_of
from graphne_viz.graphs.convert.recognition import changed, is_instance
from graphne_viz.graphs.io.laid_out import link_columns, typed_values

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import networkx as nx
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.adjacency import EdgeName
    from graphne_viz.graphs.edge_table import EdgeTable
    from graphne_viz.graphs.graph import Graph
else:
    nx = lazy_import("networkx")


def from_networkx(G: Foreign, weight: str | None) -> Graph:
    """Convert a networkx graph of any of the four kinds; ids are its nodes."""
    ids = tuple(G)
    neighbours = [nbrs for _, nbrs in G.adjacency()]
    columns = _places(ids, neighbours)
    rows = np.repeat(np.arange(len(ids)), np.fromiter(map(len, neighbours), dtype=np.int64))
    records: list[Mapping[str, object]] = list(chain.from_iterable(nbrs.values() for nbrs in neighbours))
    if G.is_multigraph():
        parallel = np.fromiter(map(len, records), dtype=np.int64)
        rows, columns = np.repeat(rows, parallel), np.repeat(columns, parallel)
        records = list(chain.from_iterable(keyed.values() for keyed in records))  # type: ignore[misc]
    if not G.is_directed():  # each edge once, in the order of G.edges; a node names its loops once anyway
        once = rows <= columns
        rows, columns, records = rows[once], columns[once], list(compress(records, once.tolist()))
    weights = _record_weights(records, weight, lambda k: (ids[rows[k]], ids[columns[k]]))
    return build_graph(
        ids,
        rows,
        columns,
        weights,
        "directed" if G.is_directed() else "undirected",
        edge_attributes=_edge_columns(records, weight),
        attributes=columns_from_records((record for _, record in G.nodes(data=True)), len(ids)),
        origin="networkx",
    )


def _edge_columns(records: Sequence[Mapping[str, object]], weight: str | None) -> Mapping[str, NDArray[np.generic]]:
    """Return the attributes of the edges, without the weights."""
    names = set(chain.from_iterable(records))
    if weight == DEFAULT_WEIGHT:
        names.discard(weight)
    if not names:
        return {}
    kept: Iterable[Mapping[object, object]] = (
        {name: value for name, value in record.items() if name in names} for record in records
    )
    return columns_from_records(kept, len(records))


def _places(ids: Sequence[Hashable], neighbours: Sequence[Iterable[Hashable]]) -> NDArray[np.int64]:
    """Return the place within `ids` of every neighbour, one node's neighbours after another's."""
    if all(type(node) is int for node in ids):  # by arithmetic, several times faster than by hashing
        try:
            values = np.fromiter(chain.from_iterable(neighbours), dtype=np.int64)
            known = np.array(ids, dtype=np.int64)
        except OverflowError:
            pass
        else:
            return places_of(values, known)
    index = {node: i for i, node in enumerate(ids)}
    return np.fromiter(map(index.__getitem__, chain.from_iterable(neighbours)), dtype=np.int64)


def _record_weights(
    records: Sequence[Mapping[str, object]], weight: str | None, name: EdgeName
) -> NDArray[np.float64] | None:
    """Weights of edges that carry a dict of attributes; None if every edge counts 1."""
    if weight is None:
        return None
    values = [record.get(weight) for record in records]
    if not any(value is not None for value in values):
        if weight != DEFAULT_WEIGHT and records and not any(weight in record for record in records):
            raise unknown_weight(weight, chain.from_iterable(records), "an attribute of any edge")
        return None
    return as_weights([1 if value is None else value for value in values], name)


def as_networkx(
    G: Foreign,
    graph: Graph,
    columns: Mapping[str, NDArray[np.generic]],
    about: tuple[str, object],
) -> Foreign:
    """Make a networkx graph.

    Parameters
    ----------
    G : graph
        As the caller gave it; a networkx graph is copied, with all it has.
    graph : Graph
        The same graph in our form.
    columns : mapping of str to ndarray, shape (n,)
        Node attributes to add, or to put in the place of its own.
    about : (str, object)
        Name and value of a graph attribute, which is stored as JSON.

    Returns
    -------
    networkx graph

    Raises
    ------
    ValueError
        If `G` has other nodes by now than `graph`.
    """
    if is_instance(G, "networkx", "Graph"):
        if G.number_of_nodes() != graph.n_nodes or not all(node in G for node in graph.ids):
            raise changed(G.number_of_nodes(), graph)
        made = G.copy()
    else:
        links = graph.links
        kinds = (nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph)
        made = kinds[links.parallel][links.directed]()
        made.add_nodes_from(graph.ids)
        for name, values in graph.attributes.items():
            _set_nodes(made, graph, name, values)
        ends = [(graph.ids[i], graph.ids[j]) for i, j in links.ends.tolist()]
        made.add_edges_from((u, v, record) for (u, v), record in zip(ends, _records(links), strict=True))
    for name, values in columns.items():
        _set_nodes(made, graph, name, values)
    name, value = about
    made.graph[name] = json.dumps(value)
    return made


def _set_nodes(made: Foreign, graph: Graph, name: str, values: NDArray[np.generic]) -> None:
    for node, value in zip(graph.ids, typed_values(values)[1], strict=True):
        if value is not None:
            made.nodes[node][name] = value


def _records(links: EdgeTable) -> Iterable[dict[str, object]]:
    columns = link_columns(links)
    for row in zip(*columns.values(), strict=True):
        yield {name: value for name, value in zip(columns, row, strict=True) if value is not None}


def networkx_spring(adjacency: sp.csr_array, n_iter: int, seed: int) -> NDArray[np.float64]:
    """Return the positions that networkx's spring layout gives the nodes, shape (n, 2).

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    n_iter, seed : int
    """
    pos = nx.spring_layout(nx.from_scipy_sparse_array(adjacency), iterations=n_iter, seed=seed)
    return np.array([pos[node] for node in range(adjacency.shape[0])])
