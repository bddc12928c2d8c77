"""Graph objects of other libraries: networkx, igraph, rustworkx, PyTorch Geometric, DGL."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, build_adjacency, unknown_weight
from graphne_viz.graphs.arrays import as_numpy, graph_from_edges, places_of
from graphne_viz.graphs.attributes import as_column, columns_from_records
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.graphs.adjacency import EdgeName
    from graphne_viz.graphs.arrays import Foreign


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
    weights = _record_weights(records, weight, lambda k: (ids[rows[k]], ids[columns[k]]))
    adjacency = build_adjacency(
        len(ids), rows, columns, weights, ids=ids, direction="once" if G.is_directed() else "both"
    )
    attributes = columns_from_records((record for _, record in G.nodes(data=True)), len(ids))
    return Graph(adjacency, ids, attributes, "networkx")


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


def from_igraph(g: Foreign, weight: str | None) -> Graph:
    """Convert an igraph.Graph; ids are the vertex indices."""
    n = g.vcount()
    ends = np.array(g.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = None
    if weight is not None and weight in g.edge_attributes():
        weights = as_weights(g.es[weight], lambda k: (int(ends[k, 0]), int(ends[k, 1])))
    elif weight not in (None, DEFAULT_WEIGHT) and len(ends):
        raise unknown_weight(weight, g.edge_attributes(), "an edge attribute")
    adjacency = build_adjacency(n, ends[:, 0], ends[:, 1], weights, ids=range(n), direction="once")
    attributes = {name: as_column(g.vs[name]) for name in g.vertex_attributes()}
    return Graph(adjacency, range(n), attributes, "igraph")


def to_igraph(adjacency: sp.csr_array) -> Foreign:
    """Make an igraph.Graph with the edge attribute "weight".

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, without self-loops.

    Returns
    -------
    igraph.Graph

    Raises
    ------
    ImportError
        If igraph is missing, with the command that installs it.
    """
    try:
        import igraph  # noqa: PLC0415 -- optional
    except ImportError:
        raise ImportError("this needs igraph: pip install igraph") from None
    graph = Graph(adjacency, range(adjacency.shape[0]))
    return igraph.Graph(n=graph.n_nodes, edges=graph.edges.tolist(), edge_attrs={"weight": graph.edge_weights.tolist()})


def networkx_spring(adjacency: sp.csr_array, n_iter: int, seed: int) -> NDArray[np.float64]:
    """Return the positions that networkx's spring layout gives the nodes, shape (n, 2).

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    n_iter, seed : int
    """
    import networkx as nx  # noqa: PLC0415 -- slow to import

    pos = nx.spring_layout(nx.from_scipy_sparse_array(adjacency), iterations=n_iter, seed=seed)
    return np.array([pos[node] for node in range(adjacency.shape[0])])


def from_rustworkx(g: Foreign, weight: str | None) -> Graph:
    """Convert a rustworkx graph; ids are its node indices, which may have holes.

    The weight of an edge is its payload if that is a number, or ``payload[weight]`` if it is a dict,
    otherwise 1. Node payloads that are dicts become attributes, others the attribute "label".
    """
    ids: tuple[int, ...] = tuple(g.node_indices())
    edges = list(g.weighted_edge_list())
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    payloads = [edge[2] for edge in edges]
    weights = None
    if weight is not None:
        weights = _payload_weights(payloads, weight, lambda k: (int(ends[k, 0]), int(ends[k, 1])))
    rows, columns = places_of(ends, np.array(ids, dtype=np.int64)).T
    adjacency = build_adjacency(len(ids), rows, columns, weights, ids=ids, direction="once")
    nodes = list(g.nodes())
    records: list[Mapping[object, object]] = [
        node if isinstance(node, dict) else {} if node is None else {"label": node} for node in nodes
    ]
    return Graph(adjacency, ids, columns_from_records(records, len(ids)), "rustworkx")


def _payload_weights(payloads: list[object], weight: str, name: EdgeName) -> NDArray[np.float64]:
    dicts = [payload for payload in payloads if isinstance(payload, dict)]
    if weight != DEFAULT_WEIGHT and payloads and not any(weight in payload for payload in dicts):
        raise unknown_weight(weight, chain.from_iterable(dicts), "a key of any edge's payload")

    def value(payload: object) -> object:
        if isinstance(payload, dict):
            found = payload.get(weight)
            return 1 if found is None else found
        is_number = isinstance(payload, (int, float, np.integer, np.floating)) and not isinstance(payload, bool)
        return payload if is_number else 1

    return as_weights([value(payload) for payload in payloads], name)


def from_pyg(data: Foreign, weight: str | None) -> Graph:
    """Convert an object with PyTorch Geometric's ``edge_index``; ids are 0 to n - 1.

    ``edge_weight`` is used if there is one; another `weight` names an attribute with one number per edge.
    Other attributes of one value per node become node attributes.
    """
    edge_index = as_numpy(data.edge_index)
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        raise ValueError(f"edge_index has shape {edge_index.shape}; it must be (2, E)")
    names = _pyg_names(data)
    values = None
    if weight is not None:
        values = getattr(data, "edge_weight" if weight == DEFAULT_WEIGHT else weight, None)
        if values is None and weight != DEFAULT_WEIGHT:
            raise unknown_weight(weight, [name for name in names if name.startswith("edge_")], "an attribute")
    n = getattr(data, "num_nodes", None)
    graph = graph_from_edges(edge_index.T, None if values is None else as_numpy(values), None if n is None else int(n))
    columns = ((name, getattr(data, name, None)) for name in names if not name.startswith("edge_"))
    return Graph(graph.adjacency, graph.ids, _per_node(columns, graph.n_nodes), "array")


def _pyg_names(data: Foreign) -> list[str]:
    keys = getattr(data, "keys", None)
    keys = keys() if callable(keys) else keys  # a property before PyG 2.4
    return [str(name) for name in (vars(data) if keys is None else keys) if not str(name).startswith("_")]


def from_dgl(g: Foreign, weight: str | None) -> Graph:
    """Convert a DGL graph; ids are 0 to n - 1, weights ``edata[weight]``, attributes from ``ndata``."""
    source, target = (as_numpy(end) for end in g.edges())
    edata = getattr(g, "edata", {})
    values = None
    if weight is not None and weight in edata:
        values = as_numpy(edata[weight])
    elif weight not in (None, DEFAULT_WEIGHT):
        raise unknown_weight(weight, edata, "a key of edata")
    graph = graph_from_edges(np.column_stack([source, target]), values, int(g.num_nodes()))
    attributes = _per_node(getattr(g, "ndata", {}).items(), graph.n_nodes)
    return Graph(graph.adjacency, graph.ids, attributes, "array")


def _per_node(named: Iterable[tuple[str, Foreign]], n: int) -> dict[str, NDArray[np.generic]]:
    """Keep what has one value per node, shape (n,) or (n, 1)."""
    columns = {}
    for name, values in named:
        if tuple(getattr(values, "shape", ())) in {(n,), (n, 1)}:
            columns[str(name)] = as_column(as_numpy(values).reshape(n))
    return columns
