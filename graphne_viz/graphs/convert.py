"""Any graph the caller has becomes our `Graph`, and positions become what the caller's library expects."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, check_weight_name
from graphne_viz.graphs.arrays import as_numpy, from_edge_array, from_matrix
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.networks import from_dgl, from_igraph, from_networkx, from_pyg, from_rustworkx
from graphne_viz.graphs.tables import from_anndata, from_table

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.graphs.arrays import Foreign

_ACCEPTED = (
    "a networkx, igraph or rustworkx graph, a scipy sparse matrix, a square array, an (E, 2) or (E, 3) edge "
    "array, a pandas or polars table with columns source and target, PyG data, a DGL graph, AnnData, or an "
    "iterable of nodes"
)


def as_graph(G: Foreign, *, weight: str | None = DEFAULT_WEIGHT) -> Graph:
    """Convert any graph to the one frozen form the package works with. `G` is never changed.

    Parameters
    ----------
    G : graph
        One of, recognised without importing its library:

        - `Graph`: returned as it is, whatever `weight` says.
        - networkx Graph, DiGraph, MultiGraph, MultiDiGraph with any nodes.
        - igraph.Graph; ids are the vertex indices.
        - rustworkx PyGraph, PyDiGraph; ids are the node indices. An edge's weight is its payload if that
          is a number, ``payload[weight]`` if it is a dict, otherwise 1.
        - scipy sparse matrix or array of any format, or a dense square array.
        - edge array of shape (E, 2), or (E, 3) with weights in the third column; nodes are 0 to the largest
          index. A 2 x 2 or 3 x 3 array is square, so it is read as an adjacency matrix.
        - pandas or polars table with columns ``source`` and ``target``; ids in order of first appearance.
        - PyTorch Geometric data (``edge_index``, optionally ``num_nodes`` and ``edge_weight``).
        - DGL graph; weights in ``edata[weight]``.
        - AnnData: ``obsp["connectivities"]``, or ``obsp[weight]`` if `weight` names one.
        - any other iterable of hashable nodes, as networkx layouts take it: a graph without edges. A list of
          pairs is a list of nodes that are pairs.
    weight : str or None, default "weight"
        Name of the edge attribute or column that holds the weights. An edge that lacks it, or has None there,
        counts 1. None ignores weights: every edge counts 1.

    Returns
    -------
    Graph
        Undirected. Self-loops and edges of weight 0 are dropped and parallel edges add up. In a graph object
        that says it is directed, u -> v and v -> u are parallel edges. Matrices, edge arrays, tables, PyG and
        DGL do not say, so a symmetric one is an undirected graph whose edges stand there in both directions
        and count once; any other becomes A + A.T. An undirected graph is thus the same whether it comes from
        networkx, as its symmetric matrix, or as a list that names each edge once or each edge both ways.

    Raises
    ------
    TypeError
        If `G` is nothing of the above, or `weight` is neither a string nor None.
    ValueError
        If a weight is negative, NaN, infinite or no number, with the edge in the caller's names; if `weight`
        is not the default and no edge carries it; if a matrix is not square, an index is no whole number
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
    if isinstance(G, Graph):
        return G
    if G is None or isinstance(G, (str, bytes, bytearray, int, float, complex, np.generic)):
        raise TypeError(f"{G!r} is not a graph; accepted are {_ACCEPTED}")
    for matches, read in (
        (is_instance(G, "networkx", "Graph"), from_networkx),
        (is_instance(G, "igraph", "GraphBase"), from_igraph),
        (is_instance(G, "rustworkx", "PyGraph", "PyDiGraph"), from_rustworkx),
        (is_instance(G, "pandas", "DataFrame") or is_instance(G, "polars", "DataFrame"), from_table),
        (hasattr(G, "obsp") and hasattr(G, "obs_names"), from_anndata),
        (hasattr(G, "edge_index"), from_pyg),
        (_is_dgl(G), from_dgl),
        (sp.issparse(G) or hasattr(G, "__array__"), _from_numbers),
        (isinstance(G, Iterable), _from_nodes),
    ):
        if matches:
            return read(G, weight)
    raise TypeError(f"a {type(G).__name__} is not a graph; accepted are {_ACCEPTED}")


def is_instance(G: object, module: str, *names: str) -> bool:
    """Check for a class of a library that, if `G` is one of its objects, must be imported already."""
    library = sys.modules.get(module)
    classes = (getattr(library, name, None) for name in names)
    return any(isinstance(candidate, type) and isinstance(G, candidate) for candidate in classes)


def _is_dgl(G: object) -> bool:
    return all(callable(getattr(G, name, None)) for name in ("edges", "num_nodes")) and hasattr(G, "ndata")


def _from_numbers(G: Foreign, weight: str | None) -> Graph:
    if weight not in (None, DEFAULT_WEIGHT):
        raise ValueError(f"weight={weight!r} names an edge attribute, but arrays and matrices have none")
    if sp.issparse(G):
        return from_matrix(G, weight)
    if np.ma.is_masked(G):
        raise ValueError("the array has masked entries; fill them, with 0 where there is no edge")
    array = as_numpy(G)
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        return from_matrix(array, weight)
    if array.ndim == 2 and array.shape[1] in {2, 3}:
        return from_edge_array(array, weight)
    raise ValueError(
        f"an array of shape {array.shape} is neither a square adjacency matrix nor an edge array "
        "of shape (E, 2) or (E, 3)"
    )


def _from_nodes(G: Iterable[Hashable], weight: str | None) -> Graph:
    del weight  # no edges, so nothing can lack it
    try:
        ids = tuple(dict.fromkeys(G))
    except TypeError as error:
        raise TypeError(f"nodes must be hashable ({error}); accepted as a graph are {_ACCEPTED}") from None
    if None in ids:
        raise ValueError("None cannot be a node")
    return Graph(sp.csr_array((len(ids), len(ids)), dtype=np.float64), ids, origin="networkx")


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
        import igraph  # noqa: PLC0415 -- optional: only who has an igraph graph has igraph

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
    """
    if not is_instance(G, "networkx", "Graph"):
        raise ValueError(f"store_pos_as={name!r} needs a networkx graph, not a {type(G).__name__}")
    for node, position in pos.items():
        G.nodes[node][name] = position
