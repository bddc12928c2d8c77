"""Layouts for networkx, igraph and arrays: the package's front door."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graphne_viz._keywords import select, with_keywords
from graphne_viz.graphs.convert.api import as_graph, store_positions, to_native
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.layout.keywords import LayoutKeywords, TaskKeywords
from graphne_viz.layout.options import check_callback
from graphne_viz.layout.progress import reporting
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Origin


@with_keywords(LayoutKeywords)
def graphne_layout(
    G: Foreign = None, pos: Foreign = None, *, edges: Foreign = None, **keywords: Unpack[LayoutKeywords]
) -> Foreign:
    """Position nodes by graph t-SNE: neighbours in the graph become neighbours in the plane.

    Parameters
    ----------
    G : graph
        A networkx, igraph or rustworkx graph, a scipy sparse matrix, a square array, an (E, 2) or (E, 3) array of
        edges, a list of pairs or triples, a dict of neighbours, a table of edges (pandas, polars, Arrow, DuckDB), PyG
        data, a DGL graph, AnnData, or any iterable of nodes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from. Nodes that are missing, or NaN in an array, start at the mean of their neighbours.
    edges : table, list or array of edges, optional
        In place of `G`.
    **keywords
        See `LayoutKeywords`.

    Returns
    -------
    dict, igraph.Layout or ndarray of shape (n, 2)
        For networkx, rustworkx and tables ``{node: array([x, y])}``; for igraph a Layout; otherwise an array.

    Notes
    -----
    Parts of a graph that are not connected are laid out each on its own, given discs with areas in proportion to
    their numbers of nodes, and packed; isolated nodes stand in rings around them. The first call on a machine compiles
    for some seconds and keeps the result on disk.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.karate_club_graph()
    >>> pos = graphne_layout(G)
    >>> len(pos), pos[0].shape
    (34, (2,))
    """
    return _lay_out(G, pos, keywords, edges=edges)


@with_keywords(LayoutKeywords)
def nx_graphne_layout(
    G: Foreign, pos: Foreign = None, **keywords: Unpack[LayoutKeywords]
) -> dict[Hashable, NDArray[np.float64]]:
    """Position the nodes of any graph as networkx expects it: ``{node: array([x, y])}``.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` takes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from.
    **keywords
        See `LayoutKeywords`.

    Returns
    -------
    dict
        In the order of the graph's nodes.
    """
    result: dict[Hashable, NDArray[np.float64]] = _lay_out(G, pos, keywords, origin="networkx")
    return result


@with_keywords(LayoutKeywords)
def ig_graphne_layout(G: Foreign, pos: Foreign = None, **keywords: Unpack[LayoutKeywords]) -> Foreign:
    """Position the nodes of any graph as igraph expects it: an ``igraph.Layout``.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` takes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from.
    **keywords
        See `LayoutKeywords`.

    Returns
    -------
    igraph.Layout
    """
    return _lay_out(G, pos, keywords, origin="igraph")


def _lay_out(
    G: Foreign, pos: Foreign, keywords: LayoutKeywords, *, origin: Origin | None = None, edges: Foreign = None
) -> Foreign:
    """Lay out a graph and return what its library expects, or the one that ``origin`` names."""
    store_pos_as, callback = keywords["store_pos_as"], keywords["callback"]
    graph = as_graph(G, edges=edges, weight=keywords["weight"], **select(TableKeywords, keywords))
    if origin is not None:
        graph = replace(graph, origin=origin)
    if store_pos_as is not None:
        store_positions(G, {}, store_pos_as)  # refuses at the door what has no place for them
    check_callback(callback, keywords["callback_every"])
    task = Task(graph, pos, **select(TaskKeywords, keywords))
    with reporting(callback, task.visible_options, show=keywords["progress"]) as watch:
        positions = task.scaled(task.turned(task.run(watch, keywords["callback_every"]).positions))
    if store_pos_as is not None:
        store_positions(G, dict(zip(graph.ids, positions.copy(), strict=True)), store_pos_as)
    return to_native(graph, positions)
