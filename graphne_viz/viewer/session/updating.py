"""A view whose graph changes: the map stays, what is new appears at its neighbours, and the run answers."""

from __future__ import annotations

import logging
import weakref
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.encoding.columns.edge_columns import EDGE_ROLES
from graphne_viz.graphs.comparison import compare_graphs
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.statistics_process import compute_in_subprocess
from graphne_viz.layout.engine.schedule import LATE
from graphne_viz.layout.kept_map import onto_map
from graphne_viz.layout.task import Task
from graphne_viz.viewer.run.history import DONE
from graphne_viz.viewer.run.placement import NOWHERE, Placement
from graphne_viz.viewer.session.view_state.filters import column_name
from graphne_viz.viewer.session.view_state.node_sets import NodeSets
from graphne_viz.viewer.session.view_state.timeline import has_times
from graphne_viz.viewer.session.view_state.view_settings import check_view

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.comparison import GraphChange
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.column_registry import ColumnRegistry
    from graphne_viz.viewer.session.session import ViewSession

log = logging.getLogger(__name__)

_NAMED = 3
"""How many of the nodes that moved most are named."""


@dataclass(eq=False)
class Recipe:
    """How a session's graph was read and is laid out, so that another one can be.

    Attributes
    ----------
    tables : mapping
        `TableKeywords`.
    layout : mapping
        `TaskKeywords`, for the graph that is shown.
    store : callable
        Called with the source of each new graph, whose positions are stored there from then on.
    """

    tables: Mapping[str, Any]
    layout: Mapping[str, Any]
    store: Callable[[Foreign], object]


class GraphUpdate:
    """What an update of a view has changed. `GraphWidget.update` returns one.

    Attributes
    ----------
    added, removed : tuple of nodes
    edges_added, edges_removed, edges_changed : int
        Pairs of neighbours that are new, gone, or have another weight.
    dropped : tuple of str
        What the view no longer shows because the new graph does not have it, such as "color='club'".
    """

    def __init__(self, change: GraphChange, dropped: tuple[str, ...], run: Run, before: NDArray[np.float64]) -> None:
        self._change = change
        self.dropped = dropped
        self._run = run
        self._count = run.count
        self._ids = run.task.graph.ids
        self._before = before

    def __repr__(self) -> str:
        moves = self._moves_text()
        return f"GraphUpdate({self.summary}{f'; {moves}' if moves else ''})"

    added = property(lambda self: self._change.added)
    removed = property(lambda self: self._change.removed)
    edges_added = property(lambda self: self._change.edges[0])
    edges_removed = property(lambda self: self._change.edges[1])
    edges_changed = property(lambda self: self._change.edges[2])

    @property
    def summary(self) -> str:
        """What was added, removed and changed, in a few words."""
        counts = [
            (len(self.added), "node", "added"),
            (len(self.removed), "node", "removed"),
            (self.edges_added, "edge", "added"),
            (self.edges_removed, "edge", "removed"),
            (self.edges_changed, "edge", "changed"),
        ]
        parts = [f"{count:,} {what}{'' if count == 1 else 's'} {how}" for count, what, how in counts if count]
        return ", ".join([*parts, *(f"no longer {one}" for one in self.dropped)]) or "nothing changed"

    def moved(self) -> dict[Hashable, float]:
        """Return how far nodes are from where they were, the farthest first.

        Returns
        -------
        dict from node to float
            As a share of the width of the map as it was; without new nodes. While the run goes on it is that of the
            moment: ``w.run.wait()`` waits for its end.

        Raises
        ------
        RuntimeError
            If the graph was updated again, so that this is no longer about what is shown.
        """
        if self._run.count != self._count:
            raise RuntimeError("the layout was started again since, so that how far nodes moved is not known any more")
        now = self._run.layout()
        if now is None or len(now) != len(self._before):
            return {}
        there = np.isfinite(self._before[:, 0])
        if not there.any():
            return {}
        width = float(np.ptp(self._before[there], axis=0).max()) or 1.0
        # An outer node that comes makes all others shrink a little, which nobody would call a move.
        far = np.linalg.norm(onto_map(self._before, now) - self._before, axis=1) / width
        known = np.flatnonzero(there)
        order = known[np.argsort(-far[known], kind="stable")]
        return {self._ids[i]: float(far[i]) for i in order.tolist()}

    def _moves_text(self) -> str:
        """Say who moved, in a few words; "" where that is not known."""
        if self._run.count != self._count or not np.isfinite(self._before).any():
            return ""
        far = self.moved()
        middle = float(np.median(list(far.values())))
        most = ", ".join(f"{str(node)[:40]} by {distance:.1%}" for node, distance in islice(far.items(), _NAMED))
        return f"half of the {len(far):,} nodes moved by less than {middle:.1%} of the map's width, most of all {most}"

    def text(self) -> str:
        """Say what changed and who moved, for who looks at the view."""
        moves = self._moves_text()
        return f"Updated: {self.summary}{f'; {moves}' if moves else ''}."


def update_graph(session: ViewSession, G: Foreign, *, nodes: Foreign = None) -> GraphUpdate:
    """Show another state of the graph: nodes and edges added, removed, changed.

    The map stays: nodes keep their places, new ones appear at their neighbours, and some iterations let the layout
    answer. Selection, hidden nodes, filters, camera and colours stay with their nodes and classes.

    Parameters
    ----------
    G : graph
        The whole graph as it is now, in any form `view` accepts. Nodes are the same if they are equal.
    nodes : table, optional
        Table of the nodes, where `G` is a table of edges.

    Returns
    -------
    GraphUpdate
        What was added, removed and changed; its `moved` tells how far nodes went.

    Raises
    ------
    TypeError, ValueError
        If it is no graph, or its nodes are of other types; the picture stays.
    RuntimeError
        If the view is closed.
    """
    recipe = session.recipe
    if recipe is None:
        raise ValueError(
            "a view of an embedding, or of frames computed elsewhere, cannot be updated; view(G) shows the other graph"
        )
    graph = as_graph(G, weight=session.weight, **(dict(recipe.tables) | {"nodes": nodes}))
    change = compare_graphs(session.graph, graph)
    at = change.old_places
    before = np.full((graph.n_nodes, 2), np.nan)
    layout = session.run.layout()
    if layout is not None:
        before[at >= 0] = layout[at[at >= 0]]
    settings = _settings(graph, at, recipe.layout, session)
    task = _task(graph, before, at, settings, session)
    columns = session.columns.renewed(graph, at)
    changes, dropped = _values(session, columns, NodeSets(graph), change)
    start = None
    if np.isfinite(before).any():
        start = task.placed_start if task.kept_start is None else task.kept_start.own
    changes["_pinned"] = _still_pinned(session, change, start)
    recipe.store(G)
    # Who starts the layout again wants all of it, not the few iterations that a kept map is given.
    anew = partial(Task, graph, **settings) if task.kept else None
    session.exchange(G, task, columns, start, values=changes, change=change, anew=anew)
    recipe.layout = settings
    report = GraphUpdate(change, dropped, session.run, before)
    session.report_update(report)
    for name in columns.outdated:
        _recompute(session, columns, name)
    return report


def _settings(graph: Graph, at: NDArray[np.intp], keywords: Mapping[str, Any], session: ViewSession) -> dict[str, Any]:
    """Translate the keywords of a layout to another state of the graph."""
    settings = dict(keywords) | {"exaggeration": session.run.exaggeration}
    if not isinstance(settings["initialization"], str):
        settings["initialization"] = "spectral"  # positions of nodes that may be gone; the map is what it starts from
    fixed = settings["fixed"]
    if fixed is not None:
        there = set(graph.ids)
        settings["fixed"] = [node for node in fixed if node in there] or None
    if np.ndim(settings["node_size"] if settings["node_size"] is not None else 0):
        sizes = np.asarray(settings["node_size"], dtype=np.float64)
        settings["node_size"] = np.where(at >= 0, sizes[at], np.median(sizes))
    return settings


def _task(
    graph: Graph, before: NDArray[np.float64], at: NDArray[np.intp], settings: Mapping[str, Any], session: ViewSession
) -> Task:
    """Make what is to be computed: a layout that begins where the nodes are."""
    if not np.isfinite(before).any():
        return Task(graph, **(dict(settings) | {"fixed": None}))
    run = session.run
    ordered = run.task.kept or (run.latest is not None and run.latest.phase in {LATE, DONE})
    task = Task(graph, before, keep=ordered, **settings)
    if run.given and not task.kept and settings["fixed"] is None:
        # Positions of the caller's own that are no map of the edges, such as places on the earth: only what is new
        # is placed.
        known = [node for node, place in zip(graph.ids, at.tolist(), strict=True) if place >= 0]
        return Task(graph, before, **(dict(settings) | {"fixed": known}))
    return task


def _values(
    session: ViewSession, columns: ColumnRegistry, nodes: NodeSets, change: GraphChange
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Translate the fields of a session to another graph; what that does not have is dropped, and named."""
    values: dict[str, Any] = {}
    dropped: list[str] = []
    place = change.new_places
    chosen = place[np.frombuffer(session["_selected"], dtype="<u4").astype(np.intp)]
    values["_selected"] = np.sort(chosen[chosen >= 0]).astype("<u4").tobytes()
    hidden = place[session.fields.nodes.mask(session["_hidden"])]
    values["_hidden"] = nodes.bits(hidden[hidden >= 0])
    for role in ("color", "size", "label"):
        choice = columns.translated(session[role], session.graph.ids)
        try:
            values[role] = columns.take(role, choice)[0]
        except (TypeError, ValueError):
            values[role] = columns.take(role, None)[0]
            dropped.append(f"{role}={choice!r}" if isinstance(choice, str) else role)
    for role in EDGE_ROLES:
        try:
            values[role] = columns.take_edge(role, session[role])
        except (TypeError, ValueError):
            values[role] = None
            dropped.append(f"{role}={session[role]!r}")
    values["colors"] = {name: own for name, own in session["colors"].items() if _known(columns, name)}
    view = session["_view"]
    keys = {column.key for column in columns.edge_columns}
    filters = {k: rule for k, rule in view["filters"].items() if k in keys or columns.of_key(k) is not None}
    dropped += [f"filtered by {session.columns.name_of(k)!r}" for k in view["filters"] if k not in filters]
    timeline = view["timeline"]
    if timeline is not None and not has_times(timeline["column"], columns):
        dropped.append(f"timeline={column_name(timeline['column'], session.columns)!r}")
        timeline = None
    values["_view"] = check_view(view | {"filters": filters, "timeline": timeline})
    return values, tuple(dropped)


def _still_pinned(session: ViewSession, change: GraphChange, start: NDArray[np.float64] | None) -> bytes:
    """Pin the nodes that were pinned and are still there, where they are at first."""
    nodes = change.new_places[session.run.placement.only_pinned().nodes]
    nodes = np.sort(nodes[nodes >= 0])
    if start is None or not nodes.size:
        return NOWHERE.encode()
    return Placement(nodes, start[nodes], np.ones(nodes.size, dtype=bool)).encode()


def _known(columns: ColumnRegistry, name: str) -> bool:
    try:
        return isinstance(columns.find(name), ClassColumn)
    except ValueError:
        return False


def _recompute(session: ViewSession, columns: ColumnRegistry, name: str) -> None:
    """Compute a statistic of the graph as it is now, in the background."""
    jobs, ref = session.jobs, weakref.ref(session)

    def show(_result: object, error: BaseException | None) -> None:
        live = ref()
        if error is not None:
            log.warning("%s could not be computed for the updated graph: %s", name, error)
        elif live is not None and live.columns is columns:
            live.publish_columns()

    by = partial(compute_in_subprocess, wanted=partial(_is_wanted, ref, columns))
    jobs.run(("update", name, id(columns)), partial(columns.compute, name, by=by), show)


def _is_wanted(ref: weakref.ref[ViewSession], columns: ColumnRegistry) -> bool:
    session = ref()
    return session is not None and session.columns is columns and not session.jobs.closed
