"""The live view's front door."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import as_graph, store_positions, to_native
from graphne_viz.layout.options import check_callback, whole
from graphne_viz.layout.task import Task
from graphne_viz.viewer.choices import Choices
from graphne_viz.viewer.plot import as_positions
from graphne_viz.viewer.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.affinity import Normalization
    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.options import Engine
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.choices import Choice, Role
    from graphne_viz.viewer.values import NodeData
    from graphne_viz.viewer.widget import GraphWidget

THEMES = ("auto", "light", "dark")
LEAST_HEIGHT = 100

PACED_BELOW = 5_000
"""Smaller graphs are done before they could be watched, unless they are slowed down."""

SELDOM = 3
"""How many times as many iterations lie between two snapshots of a large graph, if nobody but the viewer looks and they
are fast: more than it can show would only hold the optimiser up."""

_PACE, _PACED_ITERATIONS = 3.0, 750
"""Seconds for a run of so many iterations, where the pace is chosen."""


def view(
    G: Foreign,
    pos: Any = None,  # noqa: ANN401 - a dict, a Layout or an array
    *,
    embedding: Embedding | Literal["train"] | None = None,
    training: Mapping[str, Any] | None = None,
    color: NodeData | tuple[float, ...] | None = None,
    size: NodeData | float | None = None,
    label: NodeData | bool | None = None,
    edges: bool = True,
    live: bool | None = None,
    theme: Literal["auto", "light", "dark"] = "auto",
    height: int = 520,
    pace: float | Literal["auto"] = "auto",
    fixed: Iterable[Hashable] | None = None,
    weight: str | None = DEFAULT_WEIGHT,
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
) -> GraphWidget:
    """Look at a graph in a notebook while its layout forms, and steer it.

    The layout runs in the background: the cell returns at once, and the kernel stays free.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` accepts. It is not changed, except by `store_pos_as`.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        A finished layout, which is shown as it is; with ``live=True`` or `fixed`, positions to start from.
    embedding : Embedding or "train", optional
        Lay out what `embed` has made of the graph, instead of the graph itself; "train" makes it now, and its
        projection is seen while it is trained. The edges that are drawn are the graph's.
    training : mapping, optional
        Keywords of `embed` for "train", such as ``{"temperature": 0.5}``.
    color : str, tuple, mapping or array_like of length n, optional
        Name of a node attribute or of a statistic ("degree", "weighted degree", "pagerank", "betweenness", "k-core",
        "clustering", "communities", "part"), "neighbour recall", a mapping from node to value, one value a node, or a
        colour for all. A statistic is computed once, when it is asked for; neighbour recall is measured in the view,
        whenever the layout rests.
    size : float, str, mapping or array_like of length n, optional
        Area of the nodes in square points, or numbers as for `color`, whose range is mapped to areas that suit.
    label : str, bool, mapping or array_like of length n, optional
        What is written beside nodes where there is room; True or ``"name"`` for their names.
    edges : bool, default True
        Whether edges are drawn.
    live : bool, optional
        False lays out first and shows the result. By default a layout without `pos` is shown while it forms.
    theme : {"auto", "light", "dark"}, default "auto"
        By default that of the notebook.
    height : int, default 520
        In pixels.
    pace : float or "auto", default "auto"
        Seconds that a run takes at least. By default graphs of fewer than 5,000 nodes are slowed down to about 3,
        because nothing could be seen otherwise; waiting for the run, with ``run.wait()``, hurries it. 0 never slows.
    fixed, weight, scale, center, dim, seed, store_pos_as, normalization, initialization, exaggeration, n_iter
        As for `graphne_layout`. Positions are stored, as `store_pos_as` says, whenever a run ends.
    early_exaggeration, early_exaggeration_iter, dof, engine, n_jobs, callback, callback_every, progress
        As for `graphne_layout`. The callback is called in the run's thread, and the view gets a frame as
        often; without one, a large graph's view gets about 30 a second at most.

    Returns
    -------
    GraphWidget
        A widget with `run` (``pause()``, ``resume()``, ``stop()``, ``restart()``, ``wait()``), `exaggeration`, `pos`,
        `selection`, `selected_subgraph()`, `color`, `size`, `label`, `classes()` and `misplaced()`.

    Raises
    ------
    ImportError
        If anywidget is not installed.
    TypeError, ValueError
        If an argument cannot be, before anything is started.

    Notes
    -----
    ipywidgets keeps every widget until it is closed: one that is only forgotten goes on until its run ends.
    ``w.close()`` ends both.

    Examples
    --------
    >>> import networkx as nx
    >>> w = view(nx.karate_club_graph(), color="club", live=False)
    >>> w.run.state, len(w.pos)
    ('finished', 34)
    >>> w.close()
    """
    graph = as_graph(G, weight=weight)
    if store_pos_as is not None:
        store_positions(G, {}, store_pos_as)  # refuses at the door what has no place for them
    check_callback(callback, callback_every)
    task = _task(
        graph,
        pos,
        embedding,
        training,
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
    _check_looks(edges=edges, live=live, theme=theme, height=height)
    slow = _seconds_an_iteration(pace, graph.n_nodes, sum(count for _, count, _ in task.shown.phases))
    shown = None if pos is None or fixed is not None or live else _finished(graph, pos)
    choices = Choices(graph)
    looks: dict[Role, Choice] = {"color": color, "size": size, "label": label}
    kept = {role: choices.take(role, choice)[0] for role, choice in looks.items()}
    widget = _widget()

    def store(ended: Run) -> None:
        positions = ended.layout()
        if store_pos_as is not None and positions is not None:
            store_positions(G, to_native(graph, positions), store_pos_as)

    every = int(callback_every) * (1 if callback is not None or slow else SELDOM)
    settings: dict[str, Any] = {"every": every, "pace": slow, "callback": callback, "progress": progress}
    run = Run(task, given=shown, store=store, **settings)
    if live is False and shown is None:
        run.compute()
    made = widget(G, run, choices, weight=weight, edges=edges, theme=theme, height=int(height), **kept)
    if live is not False and shown is None:
        run.play()
    return made


def _task(
    graph: Graph,
    pos: Foreign,
    embedding: Embedding | Literal["train"] | None,
    training: Mapping[str, Any] | None,
    **keywords: Any,  # noqa: ANN401 - Task checks them
) -> Task:
    """Make what is to be computed: a layout of the graph, or of an embedding."""
    train = isinstance(embedding, str) and embedding == "train"  # an array would be compared number by number
    if training is not None and not train:
        raise ValueError("training says how to train, which needs embedding='train'")
    if embedding is None:
        return Task(graph, pos, **keywords)
    from graphne_viz.embedding.embedding import Embedding  # noqa: PLC0415 -- not needed for a layout
    from graphne_viz.embedding.task import ProjectionTask, TrainingTask  # noqa: PLC0415 -- the same

    if pos is not None:
        raise ValueError(
            "embedding is laid out anew, so pos cannot be given; view(G, pos=project(E)) shows a finished one"
        )
    if isinstance(embedding, Embedding):
        return ProjectionTask(graph, embedding, **keywords)
    if isinstance(embedding, str) and not train:
        raise ValueError(f"embedding must be an Embedding or 'train', got {embedding!r}")
    if not train:
        raise TypeError(
            f"embedding must be an Embedding or 'train', got a {type(embedding).__name__}; "
            "view(G, pos=project(array)) shows other vectors"
        )
    return TrainingTask(graph, {} if training is None else training, **keywords)


def _widget() -> type[GraphWidget]:
    """Load the widget, which needs what a program that only computes layouts need not install."""
    try:
        from graphne_viz.viewer.widget import GraphWidget  # noqa: PLC0415 -- an optional dependency
    except ModuleNotFoundError as error:
        if error.name not in {"anywidget", "ipywidgets", "traitlets"}:
            raise
        raise ImportError("view needs anywidget: pip install 'graphne-viz[viewer]'") from error
    return GraphWidget


def _check_looks(*, edges: object, live: object, theme: object, height: object) -> None:
    """Refuse what the widget could not show."""
    if not isinstance(edges, bool):
        raise TypeError(f"edges must be True or False, got {edges!r}")
    if live is not None and not isinstance(live, bool):
        raise TypeError(f"live must be True, False or None, got {live!r}")
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {theme!r}")
    whole("height", height, least=LEAST_HEIGHT)


def _finished(graph: Graph, pos: Foreign) -> NDArray[np.float64]:
    """Read a layout that is to be shown as it is."""
    try:
        return as_positions(graph, pos).copy()
    except ValueError as error:
        raise ValueError(f"{error}; live=True starts a layout from what there is") from None


def _seconds_an_iteration(pace: object, n_nodes: int, iterations: int) -> float:
    """Return the time that an iteration takes at least."""
    if pace == "auto":
        return _PACE / _PACED_ITERATIONS if n_nodes < PACED_BELOW else 0.0
    if isinstance(pace, bool) or not isinstance(pace, Real) or not 0 <= float(pace) < math.inf:
        raise ValueError(f"pace must be 'auto' or a number of seconds from 0, got {pace!r}")
    return float(pace) / max(iterations, 1)
