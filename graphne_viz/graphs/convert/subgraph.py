"""A part of the caller's graph, of the caller's own kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.attributes import take_columns
from graphne_viz.graphs.convert.recognition import is_instance
from graphne_viz.graphs.convert.table_columns import as_table
from graphne_viz.graphs.convert.tables import find_ends
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign


def subgraph(G: Foreign, graph: Graph, nodes: NDArray[np.intp]) -> Foreign:  # noqa: PLR0911 - one a kind of graph
    """Return the part of a graph that some nodes and the edges between them make.

    Parameters
    ----------
    G : graph
        As the caller gave it.
    graph : Graph
        The same graph in our form.
    nodes : ndarray of int, shape (k,)
        Indices of the nodes, ascending.

    Returns
    -------
    graph
        A copy of the same kind: a networkx, igraph or rustworkx graph with its attributes, a table with the edges
        between these nodes, AnnData, a sparse or square matrix. Otherwise (edge arrays, PyG, DGL) a `Graph`, whose ids
        say which nodes these are.
    """
    ids = [graph.ids[i] for i in nodes]
    if graph.origin == "networkx" and hasattr(G, "subgraph"):
        return G.subgraph(ids).copy()
    if graph.origin == "igraph" and hasattr(G, "induced_subgraph"):
        return G.induced_subgraph(nodes.tolist())
    if graph.origin == "rustworkx" and hasattr(G, "subgraph"):
        return G.subgraph(ids)
    if graph.origin == "table" and (rows := _rows_between(G, graph, set(ids))) is not None:
        return G.filter(rows) if hasattr(G, "with_columns") else G.loc[rows].copy()
    if hasattr(G, "obsp"):
        return G[nodes].copy()
    if sp.issparse(G):
        return G.tocsr()[nodes][:, nodes]  # type: ignore[attr-defined]
    if isinstance(G, np.ndarray) and G.shape == (graph.n_nodes, graph.n_nodes):
        return G[np.ix_(nodes, nodes)]
    part = graph.adjacency[nodes][:, nodes]
    attributes = take_columns(graph.attributes, nodes)
    edge_table = None if graph.edge_table is None else graph.edge_table.among(nodes, graph.n_nodes)
    return Graph(sp.csr_array(part), tuple(ids), attributes, graph.origin, axes=graph.axes, edge_table=edge_table)


def _rows_between(G: Foreign, graph: Graph, chosen: set[Hashable]) -> list[bool] | None:
    """Return which rows of a table are edges between some nodes; None if it does not say where they end."""
    if not is_instance(G, "pandas", "DataFrame") and not is_instance(G, "polars", "DataFrame"):
        return None
    table = as_table(G, "the edge table")
    try:
        source, target = (table.keys(k).tolist() for k in find_ends(table))
        if not {*source, *target} <= set(graph.ids):  # the caller named other columns
            return None
    except (ValueError, TypeError):
        return None
    return [u in chosen and v in chosen for u, v in zip(source, target, strict=True)]
