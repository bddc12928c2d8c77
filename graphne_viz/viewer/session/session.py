"""The session behind every view: a graph, its run, its columns and what is visible of them.

A host (the notebook's widget, the server of ``graphne view``) subscribes, passes on what the session publishes, and
hands over what the browser sends. The session knows none of them.
"""

from __future__ import annotations

import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from graphne_viz._keywords import keywords_of
from graphne_viz.encoding.columns.edge_columns import EDGE_ROLES
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.viewer.keywords import AppearanceKeywords
from graphne_viz.viewer.run.placement import Placement
from graphne_viz.viewer.run.state_machine import MOVING
from graphne_viz.viewer.session import messages
from graphne_viz.viewer.session.callbacks import Callbacks
from graphne_viz.viewer.session.jobs.automatic_color import color_later
from graphne_viz.viewer.session.jobs.background_jobs import BackgroundJobs
from graphne_viz.viewer.session.view_state import appearance, class_colors, filters, timeline
from graphne_viz.viewer.session.view_state.camera import Camera
from graphne_viz.viewer.session.view_state.node_sets import NodeSets
from graphne_viz.viewer.session.view_state.pinned_nodes import PinnedNodes, check_rows
from graphne_viz.viewer.session.view_state.view_settings import (
    check_camera,
    check_lens,
    check_table,
    check_tool,
    check_view,
)
from graphne_viz.viewer.transport.frame_stream import Stream
from graphne_viz.viewer.transport.wire import encode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.column_registry import ColumnRegistry, Role
    from graphne_viz.viewer.session.updating import GraphUpdate, Recipe
    from graphne_viz.viewer.transport.wire import Frame

COLUMN_FIELDS: tuple[Role, ...] = ("color", "size", "label")
"""Fields that are the caller's data in Python and the key of a column in the browser."""

APPEARANCE_FIELDS = (
    *(*COLUMN_FIELDS, *EDGE_ROLES),
    *("edges", "arrows", "curved", "class_names", "colors", "size_range", "theme", "height"),
)
"""Fields that are keywords of `view`."""

BROWSER_FIELDS = (*APPEARANCE_FIELDS, "exaggeration", "_selected", "_hidden", "_invisible", "_pinned", "_view")
"""Fields that the browser may change, too."""

READ_ONLY_FIELDS = ("_graph", "_extra", "_frame", "_status", "_group", "_rotation", "_events")
"""Fields that the browser only reads."""

DERIVED_FIELDS = {
    "selection": ("_selected",),
    "hidden": ("_hidden",),
    "pinned": ("_pinned", "_frame"),
    "camera": ("_view", "_frame"),
    "tool": ("_view",),
    "lens": ("_view",),
    "filters": ("_view",),
    "table": ("_view",),
    "timeline": ("_view",),
}
"""What Python calls a part of a field, and the fields on which it depends; the first holds it."""

_NAMING_COLUMNS: dict[str, Any] = {"filters": filters, "timeline": timeline}
"""Parts of `_view` that name columns, and what translates those from the words of Python and back."""


class Host(Protocol):
    """Whoever shows a session. Sessions hold hosts weakly."""

    def publish(self, changes: Mapping[str, Any]) -> None:
        """Pass changed fields on to the browser. Called under the session's lock, in any thread."""

    def announce(self, changes: Mapping[str, Any]) -> None:
        """Tell observers in Python of the same changes. Called without the lock, so that they may do anything."""

    def send(self, content: Mapping[str, Any], buffers: list[bytes]) -> None:
        """Send a message to the browser, in any thread."""


class ViewSession:
    """A graph, the run that lays it out, and what is to be seen of both.

    No thread keeps a session alive: the run and the stream hold it weakly, and end with it.

    Parameters
    ----------
    source : graph
        As the caller gave it.
    run : Run
        Its layout.
    columns : ColumnRegistry
        Its columns.
    weight : str or None
        Edge attribute that held the weights.
    busy : callable, optional
        Whether the host cannot hear the browser at the moment, as a kernel while a cell runs.
    awaits_color : bool
        Whether communities are to be found in the background, and coloured by.
    recipe : Recipe, optional
        How another state of the graph is read and laid out; None where that cannot be.
    **looks
        Values of `APPEARANCE_FIELDS`.
    """

    def __init__(
        self,
        source: Foreign,
        run: Run,
        columns: ColumnRegistry,
        *,
        weight: str | None = DEFAULT_WEIGHT,
        busy: Callable[[], bool] = lambda: False,
        awaits_color: bool = False,
        recipe: Recipe | None = None,
        **looks: object,
    ) -> None:
        self.graph: Graph = run.task.graph
        self.source = source
        self.run = run
        self.columns = columns
        self.weight = weight
        self.recipe = recipe
        self._updated: GraphUpdate | None = None
        self._awaits_color = awaits_color
        self.nodes = NodeSets(self.graph)
        self._camera = Camera(run)
        self._pins = PinnedNodes(run, self.nodes, self._camera)
        self.callbacks = Callbacks()
        self._lock = threading.RLock()
        self._hosts: weakref.WeakSet[Host] = weakref.WeakSet()
        self._followers: list[Callable[[ViewSession, str, Any], object]] = []
        self._selection: tuple[bytes, tuple[Any, ...]] = (b"", ())
        self._published: Snapshot | None = run.computed
        me = weakref.ref(self)
        self.stream: Stream[Frame] = Stream(partial(messages.send_frame, me), busy=busy)
        self.jobs = BackgroundJobs()
        self.exporters: Mapping[str, Callable[[ViewSession], bytes]] = {}
        table = keywords_of(AppearanceKeywords)
        looks = {name: table[name].default for name in APPEARANCE_FIELDS} | looks
        self._values: dict[str, Any] = {
            "_graph": columns.graph_bytes(),
            "_extra": b"",
            "_frame": b"" if run.computed is None else encode_frame(messages.frame_of(run.computed, run)),
            "_status": run.status(),
            "_selected": b"",
            "_hidden": b"",
            "_invisible": b"",
            "_pinned": run.placement.encode(),
            "_events": [],
            "_view": check_view({}),
            "_group": "",
            "_rotation": [],
            "exaggeration": run.exaggeration,
        }
        self._values |= {name: self.check(name, value) for name, value in looks.items()}
        self._values["_extra"] = columns.extra_bytes()
        self.close = weakref.finalize(self, _close, run, self.stream, self.jobs)
        run.attach(partial(messages.on_snapshot, me), partial(messages.on_state, me))

    def __repr__(self) -> str:
        return f"ViewSession({self.graph.n_nodes:,} nodes, {self.graph.n_edges:,} edges, {self.run!r})"

    # ---- What a host needs ----

    def subscribe(self, host: Host, exporters: Mapping[str, Callable[[ViewSession], bytes]] | None = None) -> None:
        """Add a host, which is told of everything from now on and held weakly.

        Parameters
        ----------
        host : Host
        exporters : mapping from format to callable, optional
            What makes the files that its browser may ask for.
        """
        with self._lock:
            self.exporters = {**self.exporters, **(exporters or {})}
            self._hosts.add(host)

    def follow(self, follower: Callable[[ViewSession, str, Any], object]) -> None:
        """Have a function called with the session, the name and the value of each `DERIVED_FIELDS` set in Python."""
        self._followers.append(follower)

    def state(self) -> dict[str, Any]:
        """Return all fields as the browser gets them: plain JSON values and bytes."""
        with self._lock:
            return {name: self.to_wire(name, value) for name, value in self._values.items()}

    def handle(self, content: object) -> None:
        """Take a message of the browser: the answer to a frame, or a command, which is answered."""
        messages.handle(self, content)

    def receive(self, state: Mapping[str, object], by: Host | None = None) -> None:
        """Take fields that the browser has changed, all or none; those that are not its own are ignored.

        Raises
        ------
        TypeError, ValueError
            If a value is invalid, in one sentence.
        """
        own = {name: self.from_wire(name, value) for name, value in state.items() if name in BROWSER_FIELDS}
        self.set(by, **own)

    def send(self, content: Mapping[str, Any], buffers: Sequence[bytes] = ()) -> None:
        """Send a message to every browser, in any thread."""
        for host in list(self._hosts):
            host.send(content, list(buffers))

    def send_frame(self, content: Mapping[str, Any], data: bytes, *, run: int) -> bool:
        """Send a frame of a run, unless that has been started again since; returns whether it was sent."""
        with self._lock:  # a frame of another graph must not overtake the graph
            current = run == self.run.count
            if current:
                self.send(content, [data])
        return current

    # ---- Fields ----

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 -- as the field is
        """Return a field, or what Python calls a part of one, as `DERIVED_FIELDS` lists them."""
        if name == "selection":
            return self._selected_nodes()
        if name == "hidden":
            return self.nodes.nodes(np.flatnonzero(self.nodes.mask(self._values["_hidden"])))
        if name == "pinned":
            with self._lock:
                return self._pins.to_python(self._values["_pinned"])
        view = self._values["_view"]
        if name == "camera":
            with self._lock:
                return self._camera.to_layout(view["camera"])
        if name in _NAMING_COLUMNS:
            return _NAMING_COLUMNS[name].from_settings(view[name], self.columns)
        return view[name] if name in {"tool", "lens", "table"} else self._values[name]

    def check(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        """Return a value as a field would hold it.

        Raises
        ------
        TypeError, ValueError
            If it is invalid, in one sentence.
        """
        if name in COLUMN_FIELDS:
            kept, new = self.columns.take(name, value)
            if new:
                self.publish_columns()
            return kept
        if name in DERIVED_FIELDS:
            return self._check_derived(name, value)
        if name == "_selected":
            return self.nodes.check_numbers(value)
        if name in {"_hidden", "_invisible"}:
            return self.nodes.check_bits(value)
        if name == "_pinned":
            return check_rows(value, self.graph.n_nodes)
        return check_view(value) if name == "_view" else appearance.check(name, value, self.columns)

    def set(self, by: Host | None = None, /, **values: object) -> None:
        """Change fields, or what Python calls parts of them: all or none.

        Parameters
        ----------
        by : Host, optional
            Who has these values already and need not be given them.
        **values

        Raises
        ------
        TypeError, ValueError
            If a value is invalid, in one sentence.
        """
        new = self._as_fields(values)
        with self._lock:
            changes = {name: value for name, value in new.items() if not _same(name, value, self._values[name])}
            if not changes:
                return
            self._publish(changes, by)
            if {"hidden", "filters"} & values.keys():
                # Until a browser reports what it shows; it is not told, because it knows better.
                self._values["_invisible"] = self.nodes.mask_bits(self._hidden_in_python())
        if "exaggeration" in changes:
            self.run.exaggeration = changes["exaggeration"]
        if "_pinned" in changes:
            self.run.place(Placement.decode(changes["_pinned"]))
        self._announce(changes)
        for name in [name for name in values if name in DERIVED_FIELDS and DERIVED_FIELDS[name][0] in changes]:
            for follower in list(self._followers):
                follower(self, name, self[name])

    def _as_fields(self, values: Mapping[str, object]) -> dict[str, Any]:
        """Check values, and translate what Python calls parts of fields to the fields."""
        new: dict[str, Any] = {}
        for name, value in values.items():
            checked = self.check(name, value)
            if name in DERIVED_FIELDS and checked == self[name]:
                continue
            if name == "selection":
                new["_selected"] = self.nodes.find(name, checked).astype("<u4").tobytes()
            elif name == "hidden":
                new["_hidden"] = self.nodes.bits(self.nodes.find(name, checked))
            elif name == "pinned":
                with self._lock:
                    new["_pinned"] = self._pins.to_rows(checked)
            elif name in DERIVED_FIELDS:
                part = self._part_of_view(name, checked)
                new["_view"] = check_view(new.get("_view", self._values["_view"]) | {name: part})
            else:
                new[name] = checked
        return new

    def _part_of_view(self, name: str, value: Any) -> Any:  # noqa: ANN401 -- as the field is
        """Translate what Python calls a part of `_view` to what the browser has there."""
        if name == "camera":
            with self._lock:
                return self._camera.to_frame(value)
        return _NAMING_COLUMNS[name].to_settings(value, self.columns) if name in _NAMING_COLUMNS else value

    def to_wire(self, name: str, value: Any) -> Any:  # noqa: ANN401 -- as the field is
        """Return a field's value as the browser gets it."""
        if name in COLUMN_FIELDS:
            return self.columns.key(name, value)
        if name in EDGE_ROLES:
            return self.columns.edge_key(name, value)
        return class_colors.to_wire(value, self.columns) if name == "colors" else value

    def from_wire(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        """Return what the browser has sent for a field as Python has it."""
        if name in COLUMN_FIELDS:
            return self.columns.choice(value)
        if name in EDGE_ROLES:
            return self.columns.edge_choice(value)
        return bytes(value) if isinstance(value, (bytearray, memoryview)) else value

    def visible(self) -> NDArray[np.bool_]:
        """Tell which nodes are to be seen, shape (n,): neither hidden nor left out by filters or the legend."""
        hidden = self.nodes.mask(self._values["_hidden"]) | self.nodes.mask(self._values["_invisible"])
        return ~hidden

    # ---- What changes by itself ----

    def refresh(self) -> None:
        """Publish what has changed about the run, in whatever thread it changed."""
        with self._lock:
            changes: dict[str, Any] = {"_status": self._status()}
            latest, at_rest = self.run.computed, self.run.state not in MOVING
            # Between start and rest frames go through the stream, which keeps to the speed of the browser.
            if latest is not None and latest is not self._published and (at_rest or latest.iteration == 0):
                changes["_frame"] = encode_frame(messages.frame_of(latest, self.run))
                self._published = latest
                self.stream.discard()  # whatever still waits there is older
                changes |= self._renewed_camera(at_rest=at_rest)
            if self._values["_pinned"] != (moved := self.run.placement.encode()):
                changes["_pinned"] = moved
            if self._values["exaggeration"] != self.run.exaggeration:
                changes["exaggeration"] = self.run.exaggeration
            self._publish(changes)
        self._announce(changes)

    def follow_layout(self) -> None:
        """Keep a camera that Python has set over the same part of a layout that grows."""
        if self._values["_view"]["camera"] is None:
            return
        with self._lock:
            changes = self._renewed_camera(at_rest=False)
            if not changes:
                return
            self._publish(changes)
        self._announce(changes)

    def _renewed_camera(self, *, at_rest: bool) -> dict[str, Any]:
        """Return the change of `_view` that new positions make necessary; the caller has the lock."""
        view = self._values["_view"]
        camera = None if view["camera"] is None else self._camera.renewed(view["camera"], at_rest=at_rest)
        return {} if camera is None else {"_view": check_view(view | {"camera": camera})}

    def _status(self) -> dict[str, Any]:
        """Return what is known of the run, and once it rests, what an update of the graph has changed."""
        rests = self._updated is not None and self.run.state not in MOVING
        return self.run.status() | ({"update": self._updated.text()} if rests and self._updated else {})

    def exchange(
        self,
        source: Foreign,
        task: Task,
        columns: ColumnRegistry,
        start: NDArray[np.float64] | None,
        values: Mapping[str, Any],
    ) -> None:
        """Show another state of the graph, all of it at once.

        Parameters
        ----------
        source : graph
            As the caller gave it.
        task : Task
            Its layout.
        columns : ColumnRegistry
            Its columns.
        start : ndarray, shape (n, 2), or None
            Where its nodes are at first, in the units of the task's snapshots.
        values
            Fields that say something about nodes or columns, translated.
        """
        camera = self["camera"]
        with self._lock:
            self.run.adopt(task, start, Placement.decode(values["_pinned"]))
            self.stream.discard()
            self.graph, self.source, self.columns = task.graph, source, columns
            self.nodes, self._camera = NodeSets(task.graph), Camera(self.run)
            self._pins = PinnedNodes(self.run, self.nodes, self._camera)
            self._published, self._updated = self.run.computed, None
            latest = self.run.computed
            changes = dict(values) | {
                "_graph": columns.graph_bytes(),
                "_extra": columns.extra_bytes(),
                "_frame": b"" if latest is None else encode_frame(messages.frame_of(latest, self.run)),
                "_status": self._status(),
            }
            changes["_view"] = check_view(changes["_view"] | {"camera": self._camera.to_frame(camera)})
            self._values |= changes
            changes["_invisible"] = self.nodes.mask_bits(self._hidden_in_python())
            self._publish(changes)
        self._announce(changes)

    def report_update(self, update: GraphUpdate) -> None:
        """Say below the picture what an update of the graph has changed, once the run rests."""
        self._updated = update
        self.refresh()

    def publish_columns(self) -> None:
        """Publish the columns that the graph itself does not have, in whatever thread one was added."""
        with self._lock:
            changes = {"_extra": self.columns.extra_bytes()}
            self._publish(changes)
        self._announce(changes)

    def publish_events(self) -> None:
        """Tell browsers which events somebody wants to hear of."""
        with self._lock:
            self._publish({"_events": self.callbacks.wanted})

    def start(self) -> None:
        """Begin the run, unless there is a layout already, and what else goes on in the background."""
        if self._awaits_color:
            self._awaits_color = False
            color_later(self)
        if self.run.latest is None and self.run.state == "idle":
            self.run.play()

    def freeze(self) -> None:
        """End the run for good: what is shown stays, and cannot be steered."""
        self.run.close()
        self.refresh()

    def _publish(self, changes: Mapping[str, Any], by: Host | None = None) -> None:
        """Hold new values and pass them on; the caller has the lock."""
        self._values.update(changes)
        for host in list(self._hosts):
            if host is not by:
                host.publish(changes)

    def _announce(self, changes: Mapping[str, Any]) -> None:
        if "_selected" in changes:
            self.callbacks.call("select", self["selection"])
        for host in list(self._hosts):
            host.announce(changes)

    def _check_derived(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        if name == "selection" and value is self._selection[1]:
            return value
        if name in {"selection", "hidden"}:
            return self.nodes.nodes(self.nodes.find(name, value))
        if name == "pinned":
            with self._lock:
                return self._pins.check(value)
        if name in _NAMING_COLUMNS:
            before = self.columns.extra_keys
            words = _NAMING_COLUMNS[name]
            checked = words.from_settings(words.to_settings(value, self.columns), self.columns)
            if self.columns.extra_keys != before:
                self.publish_columns()  # a statistic was computed
            return checked
        return {"camera": check_camera, "tool": check_tool, "lens": check_lens, "table": check_table}[name](value)

    def _selected_nodes(self) -> tuple[Any, ...]:
        """Return the selected nodes, the same tuple as long as they are the same."""
        with self._lock:
            data = self._values["_selected"]
            if data is not self._selection[0]:
                self._selection = (data, self.nodes.nodes(np.frombuffer(data, dtype="<u4")))
            return self._selection[1]

    def _hidden_in_python(self) -> NDArray[np.bool_]:
        view = self._values["_view"]
        left_out = filters.hidden_by(view["filters"], self.columns, self.graph.n_nodes)
        return left_out | self.nodes.mask(self._values["_hidden"])


def _same(name: str, one: object, other: object) -> bool:
    return one is other if name in COLUMN_FIELDS else one == other


def _close(run: Run, stream: Stream[Frame], jobs: BackgroundJobs) -> None:
    run.close()
    stream.close()
    jobs.close()
