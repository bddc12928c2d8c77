"""Graphs of igraph, and back to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, as_weights, unknown_weight
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.build import build_graph
from graphne_viz.graphs.convert.recognition import changed, is_instance
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.laid_out import link_columns, typed_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    import igraph
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
else:
    igraph = lazy_import("igraph", needs="this needs igraph: pip install igraph")


def from_igraph(g: Foreign, weight: str | None) -> Graph:
    """Convert an igraph.Graph; ids are the vertex indices."""
    n = g.vcount()
    ends = np.array(g.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = None
    if weight is not None and weight in g.edge_attributes():
        weights = as_weights(g.es[weight], lambda k: (int(ends[k, 0]), int(ends[k, 1])))
    elif weight not in (None, DEFAULT_WEIGHT) and len(ends):
        raise unknown_weight(weight, g.edge_attributes(), "an edge attribute")
    kept = [name for name in g.edge_attributes() if not name == weight == DEFAULT_WEIGHT]
    return build_graph(
        range(n),
        ends[:, 0],
        ends[:, 1],
        weights,
        "directed" if g.is_directed() else "undirected",
        edge_attributes={name: as_column(g.es[name]) for name in kept},
        attributes={name: as_column(g.vs[name]) for name in g.vertex_attributes()},
        origin="igraph",
    )


def as_igraph(
    G: Foreign,
    graph: Graph,
    columns: Mapping[str, NDArray[np.generic]],
    about: tuple[str, object],
) -> Foreign:
    """Make an igraph graph; see `as_networkx`. Names of nodes become the attribute "name", as text."""
    if is_instance(G, "igraph", "GraphBase"):
        if G.vcount() != graph.n_nodes:
            raise changed(G.vcount(), graph)
        made = G.copy()
    else:
        links = graph.links
        made = igraph.Graph(n=graph.n_nodes, edges=links.ends.tolist(), directed=links.directed)
        if not isinstance(graph.ids, range):
            made.vs["name"] = [str(node) for node in graph.ids]
        for name, values in graph.attributes.items():
            made.vs[name] = typed_values(values)[1]
        for name, column in link_columns(links).items():
            made.es[name] = column
    for name, values in columns.items():
        made.vs[name] = values.tolist()
    name, value = about
    made[name] = json.dumps(value)
    return made


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
    graph = Graph(adjacency, range(adjacency.shape[0]))
    return igraph.Graph(n=graph.n_nodes, edges=graph.pairs.tolist(), edge_attrs={"weight": graph.pair_weights.tolist()})
