"""From a graph and keywords to a session."""

from __future__ import annotations

import math
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from graphne_viz._keywords import select, with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.convert.api import as_graph, store_positions, to_native
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.layout.keywords import TaskKeywords
from graphne_viz.layout.options import check_callback
from graphne_viz.layout.task import Task
from graphne_viz.plotting.plot import as_positions
from graphne_viz.viewer.keywords import AppearanceKeywords, ViewKeywords
from graphne_viz.viewer.run.frame_callback import CallbackTask
from graphne_viz.viewer.run.run import Run
from graphne_viz.viewer.session.column_registry import ColumnRegistry
from graphne_viz.viewer.session.fields import APPEARANCE_FIELDS, COLUMN_FIELDS
from graphne_viz.viewer.session.jobs.automatic_color import color_at_first
from graphne_viz.viewer.session.session import ViewSession
from graphne_viz.viewer.session.updating import Recipe
from graphne_viz.viewer.session.view_state import appearance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.embedding import embedding as embeddings
    from graphne_viz.embedding import task as embedding_task
    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.graphs.graph import Graph
else:
    embeddings = lazy_import("graphne_viz.embedding.embedding")
    embedding_task = lazy_import("graphne_viz.embedding.task")

PACED_BELOW = 5_000
"""Smaller graphs are done before they could be watched, unless they are slowed down."""

OFTEN = 2
"""By how much fewer iterations lie between two snapshots of a small graph that is slowed down, so that it moves
smoothly."""

SELDOM = 3
"""How many times as many iterations lie between two snapshots of a large graph, if nobody but the viewer looks and they
are fast: more than it can show would only hold the optimiser up."""

CALLBACK = "callback"
"""What `live` is in a view that waits for the frames of someone else's optimisation."""

_PACE, _PACED_ITERATIONS = 3.0, 300
"""Seconds for a run of so many iterations, where the pace is chosen: as many as such graphs have by default."""


@with_keywords(ViewKeywords)
def open_session(
    G: Foreign = None,
    pos: Foreign = None,
    *,
    busy: Callable[[], bool] = lambda: False,
    **keywords: Unpack[ViewKeywords],
) -> ViewSession:
    """Make a session; `ViewSession.start` begins its run, once somebody is there to be told.

    Parameters
    ----------
    G, pos
        As for `graphne_viz.view`.
    busy
        As for `ViewSession`.
    **keywords
        See `ViewKeywords`.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, before anything is started.
    """
    store_pos_as, callback, live = keywords["store_pos_as"], keywords["callback"], keywords["live"]
    if not isinstance(keywords["edges"], bool):  # a table in place of a graph; its edges are drawn
        if G is not None:
            value = keywords["edges"] if isinstance(keywords["edges"], str) else type(keywords["edges"])
            raise TypeError(f"edges must be True or False, got {value!r}; a table of edges stands in place of G")
        G, keywords["edges"] = keywords["edges"], True
    tables, layout = select(TableKeywords, keywords), select(TaskKeywords, keywords)
    graph = as_graph(G, weight=keywords["weight"], **tables)
    if store_pos_as is not None:
        store_positions(G, {}, store_pos_as)  # refuses at the door what has no place for them
    check_callback(callback, keywords["callback_every"])
    wait = isinstance(live, str) and live == CALLBACK
    task = _task(graph, pos, keywords["embedding"], keywords["training"], wait=wait, **layout)
    if live is not None and not isinstance(live, bool) and not wait:
        raise TypeError(f"live must be True, False, {CALLBACK!r} or None, got {live!r}")
    iterations = sum(count for _, count, _ in task.visible_options.phases)
    slow = 0.0 if wait else _seconds_an_iteration(keywords["pace"], graph.n_nodes, iterations)
    given = None if pos is None or keywords["fixed"] is not None or live else _finished(graph, pos)
    given_looks = select(AppearanceKeywords, keywords)
    columns = ColumnRegistry(graph, palette=keywords["palette"], cmap=keywords["cmap"], norm=keywords["norm"])
    given_looks["color"], later = color_at_first(graph, columns, keywords["color"], at_once=live is False)
    looks = {name: _checked(name, given_looks[name], columns) for name in APPEARANCE_FIELDS}  # type: ignore[literal-required] # it is there

    target = [G]  # an update of the view puts another graph there

    def store(ended: Run) -> None:
        positions = ended.layout()
        if store_pos_as is not None and positions is not None:
            store_positions(target[0], to_native(ended.task.graph, positions), store_pos_as)

    every = int(keywords["callback_every"])
    if callback is None:
        every = max(every // OFTEN, 1) if slow else every * SELDOM
    settings: dict[str, Any] = {"every": every, "pace": slow, "callback": callback, "progress": keywords["progress"]}
    run = Run(task, given=given, store=store, **settings)
    if isinstance(task, CallbackTask):
        task.callback.attach(run.play)
    if live is False and given is None:
        run.compute()
    own = isinstance(task, CallbackTask) or keywords["embedding"] is not None
    recipe = None if own else Recipe(dict(tables), dict(layout), partial(target.__setitem__, 0))
    return ViewSession(
        G, run, columns, weight=keywords["weight"], busy=busy, awaits_color=later, recipe=recipe, **looks
    )


def _checked(name: str, value: object, columns: ColumnRegistry) -> object:
    """Check how the view is to look, before anything is started."""
    return columns.take(name, value)[0] if name in COLUMN_FIELDS else appearance.check(name, value, columns)


def _task(
    graph: Graph,
    pos: Foreign,
    embedding: Embedding | Literal["train"] | None,
    training: Mapping[str, Any] | None,
    *,
    wait: bool,
    **keywords: Unpack[TaskKeywords],
) -> Task:
    """Make what is to be computed: a layout of the graph, or of an embedding."""
    train = isinstance(embedding, str) and embedding == "train"  # an array would be compared number by number
    if training is not None and not train:
        raise ValueError("training needs embedding='train'")
    if wait and embedding is not None:
        raise ValueError("embedding cannot be given with live='callback', which shows what is optimised elsewhere")
    if wait:
        return CallbackTask(graph, pos, **keywords)
    if embedding is None:
        return Task(graph, pos, **keywords)

    if pos is not None:
        raise ValueError(
            "pos cannot be given with embedding, which is laid out here; view(G, pos=project(E)) shows a finished one"
        )
    if isinstance(embedding, embeddings.Embedding):
        return embedding_task.ProjectionTask(graph, embedding, **keywords)
    if isinstance(embedding, str) and not train:
        raise ValueError(f"embedding must be an Embedding or 'train', got {embedding!r}")
    if not train:
        raise TypeError(
            f"embedding must be an Embedding or 'train', got a {type(embedding).__name__}; "
            "view(G, pos=project(array)) shows other vectors"
        )
    return embedding_task.TrainingTask(graph, {} if training is None else training, **keywords)


def _finished(graph: Graph, pos: Foreign) -> NDArray[np.float64]:
    """Read a layout that is to be shown as it is."""
    try:
        return as_positions(graph, pos).copy()
    except ValueError as error:
        raise ValueError(f"{error}; live=True starts a layout from the positions that are given") from None


def _seconds_an_iteration(pace: object, n_nodes: int, iterations: int) -> float:
    """Return the time that an iteration takes at least."""
    if pace == "auto":
        return _PACE / _PACED_ITERATIONS if n_nodes < PACED_BELOW else 0.0
    if isinstance(pace, bool) or not isinstance(pace, Real) or not 0 <= float(pace) < math.inf:
        raise ValueError(f"pace must be 'auto' or a non-negative number of seconds, got {pace!r}")
    return float(pace) / max(iterations, 1)
