"""Layouts for networkx, igraph and arrays: the package's front door."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.convert import as_graph, store_positions, to_native
from graphne_viz.layout.options import check_callback
from graphne_viz.layout.progress import reporting
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.graphs.graph import Origin
    from graphne_viz.layout.affinity import Normalization
    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.options import Engine
    from graphne_viz.layout.snapshot import Snapshot


def graphne_layout(
    G: Any,  # noqa: ANN401 - any graph of any library
    pos: Any = None,  # noqa: ANN401 - a dict, a Layout or an array
    *,
    fixed: Iterable[Hashable] | None = None,
    weight: str | None = "weight",
    scale: float | None = 1,
    center: ArrayLike | None = None,
    dim: int = 2,
    seed: Seed = 0,
    store_pos_as: str | None = None,
    normalization: Normalization = "node",
    initialization: str | ArrayLike = "spectral",
    exaggeration: float = 1,
    n_iter: int = 500,
    early_exaggeration: float = 12,
    early_exaggeration_iter: int = 250,
    dof: float = 1,
    engine: Engine = "auto",
    n_jobs: int | None = None,
    callback: Callable[[Snapshot], object] | None = None,
    callback_every: int = 10,
    progress: bool = False,
) -> Any:  # noqa: ANN401 - what the caller's library expects
    """Position nodes by graph t-SNE: neighbours in the graph become neighbours in the plane.

    Parameters
    ----------
    G : graph
        A networkx, igraph or rustworkx graph, a scipy sparse matrix, a square array, an (E, 2) or (E, 3) array of
        edges, a pandas or polars table with columns ``source`` and ``target``, PyG data, a DGL graph, AnnData, or
        any iterable of nodes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from. Nodes that are missing, or NaN in an array, start at the mean of their neighbours.
    fixed : iterable of nodes, optional
        Nodes to keep exactly at their ``pos``; nothing is rescaled then.
    weight : str or None, default "weight"
        Edge attribute or column that holds the weights, larger meaning closer; None counts every edge as 1.
    scale : float or None, default 1
        Positive; the layout fills ``[center - scale, center + scale]`` in its longer direction. None leaves t-SNE's own
        units.
    center : array of shape (2,), optional
        Centre of the layout, default the origin.
    dim : int
        Must be 2.
    seed : int, RandomState, Generator or None, default 0
        The same seed gives the same layout, whatever the number of threads. None gives another one each time.
    store_pos_as : str, optional
        Node attribute of the networkx graph to store the positions in, too.
    normalization : {"node", "graph", "sgtsne"}, default "node"
        How edge weights become affinities: every node pulls alike, every edge pulls alike, or as in SGtSNEpi.
    initialization : {"spectral", "random"} or array of shape (n, 2), default "spectral"
        Where to start when ``pos`` is not given.
    exaggeration : float, default 1
        Attraction against repulsion: 1 is t-SNE, about 4 resembles UMAP, about 30 ForceAtlas2.
    n_iter : int, default 500
        Iterations after the early phase.
    early_exaggeration : float, default 12
        Exaggeration in the early phase, in which the large-scale order forms.
    early_exaggeration_iter : int, default 250
        Iterations of the early phase.
    dof : float, default 1
        Degrees of freedom of the similarity (1 + d^2/dof)^-dof: less than 1 shows finer clusters.
    engine : {"auto", "exact", "mesh", "opentsne"}, default "auto"
        All pairs, a particle mesh, the faster of these two, or openTSNE's own code as a reference.
    n_jobs : int or None
        Threads; None and -1 mean all cores.
    callback : callable, optional
        Called with a `Snapshot` every ``callback_every`` iterations; a truthy answer ends the run and returns what
        there is.
    callback_every : int, default 10
        Iterations between two calls.
    progress : bool, default False
        Show a progress bar.

    Returns
    -------
    dict, igraph.Layout or ndarray of shape (n, 2)
        For networkx, rustworkx and tables ``{node: array([x, y])}``; for igraph a Layout; otherwise an array.

    Notes
    -----
    Parts of a graph that are not connected are laid out each on its own, given discs with areas in proportion to
    their numbers of nodes, and packed; isolated nodes are parked together. The first call on a machine compiles for
    some seconds and keeps the result on disk.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.karate_club_graph()
    >>> pos = graphne_layout(G)
    >>> len(pos), pos[0].shape
    (34, (2,))
    """
    graph = as_graph(G, weight=weight)
    if store_pos_as is not None:
        store_positions(G, {}, store_pos_as)  # refuses at the door what has no place for them
    check_callback(callback, callback_every)
    task = Task(
        graph,
        pos,
        fixed=fixed,
        scale=scale,
        center=center,
        dim=dim,
        seed=seed,
        initialization=initialization,
        normalization=normalization,
        exaggeration=exaggeration,
        n_iter=n_iter,
        early_exaggeration=early_exaggeration,
        early_exaggeration_iter=early_exaggeration_iter,
        dof=dof,
        engine=engine,
        n_jobs=n_jobs,
    )
    with reporting(callback, task.shown, show=progress) as watch:
        positions = task.scaled(task.run(watch, callback_every).positions)
    result = to_native(graph, positions)
    if store_pos_as is not None:
        store_positions(G, result, store_pos_as)
    return result


def nx_graphne_layout(G: Any, pos: Any = None, **keywords: Any) -> dict[Hashable, NDArray[np.float64]]:  # noqa: ANN401
    """Position the nodes of any graph as networkx expects it: ``{node: array([x, y])}``.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` takes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from.
    **keywords
        As for `graphne_layout`.

    Returns
    -------
    dict
        In the order of the graph's nodes.
    """
    result: dict[Hashable, NDArray[np.float64]] = _as_if_from("networkx", G, pos, **keywords)
    return result


def ig_graphne_layout(G: Any, pos: Any = None, **keywords: Any) -> Any:  # noqa: ANN401
    """Position the nodes of any graph as igraph expects it: an ``igraph.Layout``.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` takes.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        Positions to start from.
    **keywords
        As for `graphne_layout`.

    Returns
    -------
    igraph.Layout
    """
    return _as_if_from("igraph", G, pos, **keywords)


def _as_if_from(
    origin: Origin,
    G: Any,  # noqa: ANN401 - any graph of any library
    pos: Any,  # noqa: ANN401 - a dict, a Layout or an array
    *,
    weight: str | None = "weight",
    store_pos_as: str | None = None,
    **keywords: Any,  # noqa: ANN401 - checked by graphne_layout
) -> Any:  # noqa: ANN401 - what that library expects
    """Lay out any graph and return what ``origin`` would."""
    graph = replace(as_graph(G, weight=weight), origin=origin)
    if store_pos_as is not None:
        store_positions(G, {}, store_pos_as)
    result = graphne_layout(graph, pos, **keywords)
    if store_pos_as is not None:
        points = result.values() if isinstance(result, dict) else result
        store_positions(G, {node: np.array(at) for node, at in zip(graph.ids, points, strict=True)}, store_pos_as)
    return result
