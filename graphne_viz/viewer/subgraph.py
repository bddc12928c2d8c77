"""A part of the caller's graph, of the caller's own kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign


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
    if graph.origin == "table" and hasattr(G, "columns"):
        chosen = set(ids)
        both = [u in chosen and v in chosen for u, v in zip(G["source"], G["target"], strict=True)]
        return G.filter(both) if hasattr(G, "with_columns") else G.loc[both].copy()
    if hasattr(G, "obsp"):
        return G[nodes].copy()
    if sp.issparse(G):
        return G.tocsr()[nodes][:, nodes]  # type: ignore[attr-defined]
    if isinstance(G, np.ndarray) and G.shape == (graph.n_nodes, graph.n_nodes):
        return G[np.ix_(nodes, nodes)]
    part = graph.adjacency[nodes][:, nodes]
    attributes = {name: values[nodes] for name, values in graph.attributes.items()}
    links = None if graph.links is None else graph.links.among(nodes, graph.n_nodes)
    return Graph(sp.csr_array(part), tuple(ids), attributes, graph.origin, axes=graph.axes, links=links)
