"""The edges of a graph as the caller gave them: directed or not, parallel ones, loops, and with all attributes.

A `Graph` has none of these: a layout does not need them. What is taken away from a view should have them still.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.attributes import as_column, columns_from_records
from graphne_viz.graphs.convert import is_instance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph


@dataclass(frozen=True, eq=False)
class Links:
    """Edges with all that is known about them.

    Attributes
    ----------
    ends : ndarray of int, shape (E, 2)
        Places of the nodes within the graph's ids.
    weights : ndarray, shape (E,)
    attributes : mapping of str to ndarray, shape (E,)
        Without the weights, if these are called "weight".
    directed : bool
    mixed : ndarray of bool, shape (E,), or None
        Which edges have a direction, where not all are alike. Then `directed` is true, for what cannot tell them apart.
    """

    ends: NDArray[np.int64]
    weights: NDArray[np.float64]
    attributes: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    directed: bool = False
    mixed: NDArray[np.bool_] | None = None

    @property
    def parallel(self) -> bool:
        """Whether two edges have the same ends."""
        pairs = self.ends if self.directed else np.sort(self.ends, axis=1)
        codes = pairs[:, 0] * (int(pairs.max(initial=0)) + 1) + pairs[:, 1]
        return len(np.unique(codes)) < len(codes)

    def among(self, nodes: NDArray[np.intp], n: int) -> Links:
        """Return those between some of `n` nodes, whose numbers are their places among these."""
        place = np.full(n, -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        ends = place[self.ends]
        kept = (ends >= 0).all(axis=1)
        return replace(
            self,
            ends=ends[kept],
            weights=self.weights[kept],
            attributes={name: values[kept] for name, values in self.attributes.items()},
            mixed=None if self.mixed is None else self.mixed[kept],
        )

    def more_than(self, graph: Graph) -> bool:
        """Tell whether they say what the graph's own edges do not."""
        return bool(self.directed or self.attributes or len(self.ends) != graph.n_edges)


def links_of(G: Foreign, graph: Graph, *, weight: str | None = DEFAULT_WEIGHT) -> Links:
    """Read the edges of the caller's graph.

    Parameters
    ----------
    G : graph
        As the caller gave it.
    graph : Graph
        The same graph in our form.
    weight : str or None
        As for `as_graph`.

    Returns
    -------
    Links
        Of a networkx or igraph graph its own edges, of a file those it has, of anything else those of `graph`.

    Raises
    ------
    ValueError
        If `G` has other nodes by now than `graph`.
    """
    if is_instance(G, "networkx", "Graph"):
        places = {node: i for i, node in enumerate(graph.ids)}
        found = list(G.edges(data=True))
        try:
            pairs = [(places[u], places[v]) for u, v, _ in found]
        except KeyError as error:
            raise _changed(error.args[0]) from None
        return _links(pairs, columns_from_records((record for _, _, record in found), len(found)), weight, G)
    if is_instance(G, "igraph", "GraphBase"):
        if G.vcount() != graph.n_nodes:
            raise _changed(graph.n_nodes)
        return _links(G.get_edgelist(), {name: as_column(G.es[name]) for name in G.edge_attributes()}, weight, G)
    return graph.links or Links(graph.edges, graph.edge_weights)


def _changed(node: object) -> ValueError:
    return ValueError(f"the graph was changed since it was laid out: node {node!r} was not there, or is gone")


def _links(
    pairs: list[tuple[int, int]], attributes: dict[str, NDArray[np.generic]], weight: str | None, G: Foreign
) -> Links:
    weights = np.ones(len(pairs))
    if weight is not None and weight in attributes:
        # An edge without a weight counts 1; what is no number was refused when the graph was laid out.
        weights = np.array([1.0 if value is None else value for value in attributes[weight].tolist()], dtype=np.float64)
    kept = {name: column for name, column in attributes.items() if not name == weight == DEFAULT_WEIGHT}
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Links(ends, weights, kept, bool(G.is_directed()))
