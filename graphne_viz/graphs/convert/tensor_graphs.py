"""Graphs of PyTorch Geometric and DGL, which are tensors of edges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, unknown_weight
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.convert.arrays import as_numpy, graph_from_edges

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph


def from_pyg(data: Foreign, weight: str | None) -> Graph:
    """Convert an object with PyTorch Geometric's ``edge_index``; ids are 0 to n - 1.

    ``edge_weight`` is used if there is one; another `weight` names an attribute with one number per edge.
    Other attributes of one value per node become node attributes, those called ``edge_...`` of one value per edge edge
    attributes.
    """
    if data.edge_index is None:
        raise ValueError("the data has no edge_index; ToSparseTensor keeps it with remove_edge_index=False")
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
    known = {"edge_index", "edge_weight" if weight == DEFAULT_WEIGHT else ""}
    about_edges = (
        (name, getattr(data, name, None)) for name in names if name.startswith("edge_") and name not in known
    )
    graph = graph_from_edges(
        edge_index.T,
        None if values is None else as_numpy(values),
        None if n is None else int(n),
        direction="stored",
        edge_attributes=_per_item(about_edges, edge_index.shape[1]),
    )
    columns = ((name, getattr(data, name, None)) for name in names if not name.startswith("edge_"))
    return replace(graph, attributes=_per_item(columns, graph.n_nodes))


def from_kinds(data: Foreign, _weight: str | None) -> Graph:
    """Refuse PyTorch Geometric's ``HeteroData``, whose nodes are numbered for each kind."""
    raise TypeError(f"a {type(data).__name__} has nodes of several kinds; data.to_homogeneous() makes them one graph")


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
    about_edges = ((name, column) for name, column in edata.items() if not name == weight == DEFAULT_WEIGHT)
    graph = graph_from_edges(
        np.column_stack([source, target]),
        values,
        int(g.num_nodes()),
        direction="stored",
        edge_attributes=_per_item(about_edges, len(source)),
    )
    return replace(graph, attributes=_per_item(getattr(g, "ndata", {}).items(), graph.n_nodes))


def _per_item(named: Iterable[tuple[str, Foreign]], n: int) -> dict[str, NDArray[np.generic]]:
    """Keep what has one value per node, or per edge: shape (n,) or (n, 1)."""
    columns = {}
    for name, values in named:
        if tuple(getattr(values, "shape", ())) in {(n,), (n, 1)}:
            columns[str(name)] = as_column(as_numpy(values).reshape(n))
    return columns
