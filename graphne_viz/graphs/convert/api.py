"""Any graph the caller has becomes our `Graph`, and positions become what the caller's library expects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._keywords import with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, check_weight_name
from graphne_viz.graphs.convert.arrays import as_numpy, from_edge_array, from_matrix
from graphne_viz.graphs.convert.igraph_graphs import from_igraph
from graphne_viz.graphs.convert.listings import from_iterable
from graphne_viz.graphs.convert.networkx_graphs import from_networkx
from graphne_viz.graphs.convert.recognition import is_dgl, is_instance
from graphne_viz.graphs.convert.rustworkx_graphs import from_rustworkx
from graphne_viz.graphs.convert.table_columns import is_table
from graphne_viz.graphs.convert.tables import from_anndata, from_table, with_nodes
from graphne_viz.graphs.convert.tensor_graphs import from_dgl, from_kinds, from_pyg
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Unpack

    import igraph
    from numpy.typing import ArrayLike, NDArray

    from graphne_viz._types import Foreign
else:
    igraph = lazy_import("igraph")

_ACCEPTED = (
    "a networkx, igraph or rustworkx graph, a scipy sparse matrix, a square array, an (E, 2) or (E, 3) edge "
    "array, a list of pairs or triples, a dict of neighbours, a table of edges (pandas, polars, Arrow, DuckDB), PyG "
    "data, a DGL graph, AnnData, or an iterable of nodes"
)


@with_keywords(TableKeywords)
def as_graph(
    G: Foreign = None,
    *,
    edges: Foreign = None,
    weight: str | None = DEFAULT_WEIGHT,
    **tables: Unpack[TableKeywords],
) -> Graph:
    """Convert any graph to the one frozen form the package works with. `G` is never changed.

    Parameters
    ----------
    G : graph, optional
        One of, recognised without importing its library:

        - `Graph`: returned as it is, whatever `weight` says.
        - networkx Graph, DiGraph, MultiGraph, MultiDiGraph with any nodes.
        - igraph.Graph; ids are the vertex indices.
        - rustworkx PyGraph, PyDiGraph; ids are the node indices. An edge's weight is its payload if that
          is a number, ``payload[weight]`` if it is a dict, otherwise 1.
        - scipy sparse matrix or array of any format, or a dense square array.
        - edge array of shape (E, 2), or (E, 3) with weights in the third column; nodes are 0 to the largest
          index. A 2 x 2 or 3 x 3 array is square, so it is read as an adjacency matrix.
        - list of pairs, or of triples with a weight or a dict of attributes in the third place; dict of lists, sets or
          dicts with the neighbours of each node.
        - table of edges of pandas, polars, Arrow or DuckDB, or anything else that gives an Arrow stream; ids in order
          of first appearance. See `source`, `target` and `directed`.
        - PyTorch Geometric data (``edge_index``, optionally ``num_nodes`` and ``edge_weight``).
        - DGL graph; weights in ``edata[weight]``.
        - AnnData: ``obsp["connectivities"]``, or ``obsp[weight]`` if `weight` names one.
        - any other iterable of hashable nodes, as networkx layouts take it: a graph without edges.
    edges : table, list or array of edges, optional
        In place of `G`.
    weight : str or None, default "weight"
        Name of the edge attribute or column that holds the weights. An edge that lacks it, or has None there,
        counts 1. None ignores weights: every edge counts 1.
    **keywords
        See `TableKeywords`.

    Returns
    -------
    Graph
        `Graph.links` are the edges as they were given, with direction, weight, parallel ones, loops and attributes.
        `Graph.adjacency`, which layouts read, is symmetric: loops and edges of weight 0 are left out, and all edges
        between two nodes add up. Where every edge stands in both directions, with the same weight and attributes, in
        a matrix, an edge array, a table, PyG or DGL, it is an undirected graph and each counts once. Other matrices,
        unless they are triangular, and PyG and DGL are directed. Other edge arrays and tables are directed where some
        pair stands in both directions and none twice in the same; otherwise they do not say, and are undirected.

    Raises
    ------
    TypeError
        If `G` is nothing of the above, or `weight` is neither a string nor None.
    ValueError
        If a weight is negative, NaN, infinite or no number, with the edge in the caller's names; if `weight`
        is not the default and no edge carries it; if a matrix is not square, an index is not an integer
        from 0, or a column is missing.

    Examples
    --------
    >>> import numpy as np
    >>> graph = as_graph(np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> graph
    Graph(4 nodes, 4 edges, from array)
    >>> graph.degrees
    array([2, 2, 3, 1])
    """
    check_weight_name(weight)
    if G is not None and edges is not None:
        raise TypeError("G and edges were both given; edges stands in place of a graph")
    G = edges if G is None else G
    if G is None or isinstance(G, (str, bytes, bytearray, int, float, complex, np.generic)):
        raise TypeError(f"{G!r} is not a graph; accepted are {_ACCEPTED}")
    graph = _converted(G, weight, tables)
    nodes = tables["nodes"]
    if nodes is None:
        if tables["id"] is not None:
            raise TypeError(f"id={tables['id']!r} names a column of the node table, but nodes was not given")
        return graph
    return with_nodes(graph, nodes, tables["id"], more=is_table(G) or isinstance(G, list | tuple))


def _converted(G: Foreign, weight: str | None, tables: TableKeywords) -> Graph:
    columns = {name: tables[name] for name in ("source", "target") if tables[name] is not None}
    if is_table(G):
        return from_table(G, weight, directed=tables["directed"], **columns)
    if columns:
        name, value = next(iter(columns.items()))
        raise TypeError(f"{name}={value!r} names a column, but a {type(G).__name__} has none")
    direction = {} if tables["directed"] is None else {"directed": tables["directed"]}
    if isinstance(G, Graph) and not direction:
        return G
    for matches, read in (
        (is_instance(G, "networkx", "Graph"), from_networkx),
        (is_instance(G, "igraph", "GraphBase"), from_igraph),
        (is_instance(G, "rustworkx", "PyGraph", "PyDiGraph"), from_rustworkx),
        (hasattr(G, "obsp") and hasattr(G, "obs_names"), from_anndata),
        (hasattr(G, "to_homogeneous") and hasattr(G, "node_types"), from_kinds),
        (hasattr(G, "edge_index"), from_pyg),
        (is_dgl(G), from_dgl),
    ):
        if matches and not direction:
            return read(G, weight)
        if matches or isinstance(G, Graph):
            raise TypeError(
                f"directed={tables['directed']!r} is for tables, lists and arrays; a {type(G).__name__} says so"
            )
    if sp.issparse(G) or hasattr(G, "__array__"):
        return _from_numbers(G, weight, **direction)
    if isinstance(G, Iterable):
        try:
            return from_iterable(G, weight, **direction)
        except TypeError as error:
            raise TypeError(f"{error}; accepted as a graph are {_ACCEPTED}") from None
    raise TypeError(f"a {type(G).__name__} is not a graph; accepted are {_ACCEPTED}")


def _from_numbers(G: Foreign, weight: str | None, *, directed: bool | None = None) -> Graph:
    if weight not in (None, DEFAULT_WEIGHT):
        raise ValueError(f"weight={weight!r} names an edge attribute, but arrays and matrices have none")
    if sp.issparse(G):
        return from_matrix(G, weight, directed=directed)
    if np.ma.is_masked(G):
        raise ValueError("the array has masked entries; fill them, with 0 where there is no edge")
    array = as_numpy(G)
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        return from_matrix(array, weight, directed=directed)
    if array.ndim == 2 and array.shape[1] in {2, 3}:
        return from_edge_array(array, weight, directed=directed)
    raise ValueError(
        f"an array of shape {array.shape} is neither a square adjacency matrix nor an edge array "
        "of shape (E, 2) or (E, 3)"
    )


def to_native(graph: Graph, positions: ArrayLike) -> Foreign:
    """Return positions as the library the graph came from expects a layout.

    Parameters
    ----------
    graph : Graph
    positions : array_like, shape (n, dim)
        One row per node, in the order of ``graph.ids``.

    Returns
    -------
    dict, igraph.Layout or ndarray
        networkx, rustworkx and tables: ``{id: ndarray of shape (dim,)}`` in the order of the ids.
        igraph: an ``igraph.Layout``. Arrays, matrices and the rest: an (n, dim) array.
        The numbers are float64 and share no memory with `positions`.
    """
    array = np.array(positions, dtype=np.float64)
    if array.ndim != 2 or len(array) != graph.n_nodes:
        raise ValueError(f"positions has shape {array.shape}; it must be ({graph.n_nodes}, dim)")
    if graph.origin == "array":
        return array
    if graph.origin == "igraph":
        return igraph.Layout(array.tolist(), dim=array.shape[1])
    return {node: row.copy() for node, row in zip(graph.ids, array, strict=True)}


def store_positions(G: Foreign, pos: Mapping[Hashable, NDArray[np.float64]], name: str) -> None:
    """Store positions as a node attribute of a networkx graph, as its layouts do for ``store_pos_as``.

    Parameters
    ----------
    G : networkx graph
    pos : dict of node to ndarray
    name : str
        Name of the node attribute.

    Raises
    ------
    ValueError
        If `G` is not a networkx graph: others have no place to store them.
    TypeError
        If the name is not text.
    """
    if not isinstance(name, str):
        raise TypeError(f"store_pos_as must be the name of a node attribute, got {name!r}")
    if not is_instance(G, "networkx", "Graph"):
        raise ValueError(f"store_pos_as={name!r} needs a networkx graph, not a {type(G).__name__}")
    for node, position in pos.items():
        G.nodes[node][name] = position
