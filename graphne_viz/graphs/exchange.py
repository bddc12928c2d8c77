"""A graph with what a view knows about it, as a graph of networkx or igraph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import is_instance
from graphne_viz.graphs.laid_out import typed_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.links import Links


def as_networkx(
    G: Foreign, graph: Graph, links: Links, columns: Mapping[str, NDArray[np.generic]], about: tuple[str, object]
) -> Foreign:
    """Make a networkx graph.

    Parameters
    ----------
    G : graph
        As the caller gave it; a networkx graph is copied, with all it has.
    graph : Graph
        The same graph in our form.
    links : Links
        Its edges.
    columns : mapping of str to ndarray, shape (n,)
        Node attributes to add, or to put in the place of its own.
    about : (str, object)
        Name and value of a graph attribute, which is stored as JSON.

    Returns
    -------
    networkx graph
    """
    import networkx as nx  # noqa: PLC0415 -- slow to import

    if is_instance(G, "networkx", "Graph"):
        made = G.copy()
    else:
        made = (nx.MultiDiGraph if links.directed else nx.MultiGraph)() if links.parallel else _simple(links)
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


def as_igraph(
    G: Foreign, graph: Graph, links: Links, columns: Mapping[str, NDArray[np.generic]], about: tuple[str, object]
) -> Foreign:
    """Make an igraph graph; see `as_networkx`. Names of nodes become the attribute "name", as text."""
    try:
        import igraph  # noqa: PLC0415 -- optional
    except ModuleNotFoundError as error:
        raise ImportError("to_igraph needs igraph: pip install igraph") from error
    if is_instance(G, "igraph", "GraphBase"):
        made = G.copy()
    else:
        made = igraph.Graph(n=graph.n_nodes, edges=links.ends.tolist(), directed=links.directed)
        if not isinstance(graph.ids, range):
            made.vs["name"] = [str(node) for node in graph.ids]
        for name, values in graph.attributes.items():
            made.vs[name] = typed_values(values)[1]
        made.es[DEFAULT_WEIGHT] = links.weights.tolist()
        for name, values in links.attributes.items():
            made.es[name] = typed_values(values)[1]
    for name, values in columns.items():
        made.vs[name] = values.tolist()
    name, value = about
    made[name] = json.dumps(value)
    return made


def _simple(links: Links) -> Foreign:
    import networkx as nx  # noqa: PLC0415 -- slow to import

    return nx.DiGraph() if links.directed else nx.Graph()


def _set_nodes(made: Foreign, graph: Graph, name: str, values: NDArray[np.generic]) -> None:
    for node, value in zip(graph.ids, typed_values(values)[1], strict=True):
        if value is not None:
            made.nodes[node][name] = value


def _records(links: Links) -> Iterable[dict[str, object]]:
    columns = {DEFAULT_WEIGHT: links.weights.tolist()}
    columns |= {name: typed_values(values)[1] for name, values in links.attributes.items()}
    for row in zip(*columns.values(), strict=True):
        yield {name: value for name, value in zip(columns, row, strict=True) if value is not None}
