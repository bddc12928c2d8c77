"""The session behind every view: a graph, its run, its columns and what is visible of them.

A host (the notebook's widget, the server of ``graphne view``) subscribes, passes on what the session publishes, and
hands over what the browser sends. The session knows none of them.
"""

from __future__ import annotations

import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from graphne_viz._keywords import keywords_of
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.viewer.keywords import AppearanceKeywords
from graphne_viz.viewer.run.placement import Placement
from graphne_viz.viewer.run.state_machine import MOVING
from graphne_viz.viewer.session import messages
from graphne_viz.viewer.session.callbacks import Callbacks
from graphne_viz.viewer.session.fields import APPEARANCE_FIELDS, BROWSER_FIELDS, DERIVED_FIELDS, ViewFields
from graphne_viz.viewer.session.jobs.automatic_color import color_later
from graphne_viz.viewer.session.jobs.background_jobs import BackgroundJobs
from graphne_viz.viewer.session.view_state.view_settings import check_view
from graphne_viz.viewer.transport.frame_stream import Stream
from graphne_viz.viewer.transport.wire import encode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.comparison import GraphChange
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.column_registry import ColumnRegistry
    from graphne_viz.viewer.session.updating import GraphUpdate, Recipe
    from graphne_viz.viewer.transport.wire import Frame


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
        self.callbacks = Callbacks()
        self._lock = threading.RLock()
        self._hosts: weakref.WeakSet[Host] = weakref.WeakSet()
        self._followers: list[Callable[[ViewSession, str, Any], object]] = []
        self._published: Snapshot | None = run.computed
        me = weakref.ref(self)
        self.stream: Stream[Frame] = Stream(partial(messages.send_frame, me), busy=busy)
        self.jobs = BackgroundJobs()
        self.exporters: Mapping[str, Callable[[ViewSession], bytes]] = {}
        table = keywords_of(AppearanceKeywords)
        looks = {name: table[name].default for name in APPEARANCE_FIELDS} | looks
        values: dict[str, Any] = {
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
        self.fields = ViewFields(self.graph, run, columns, lock=self._lock, values=values)
        values |= {name: self.fields.check(name, value)[0] for name, value in looks.items()}
        values["_extra"] = columns.extra_bytes()
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
            return {name: self.fields.to_wire(name, value) for name, value in self.fields.values.items()}

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
        own = {name: value for name, value in state.items() if name in BROWSER_FIELDS}
        self._set(by, lambda fields: {name: fields.from_wire(name, value) for name, value in own.items()})

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
        return self.fields[name]

    def check(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        """Return a value as a field would hold it.

        Raises
        ------
        TypeError, ValueError
            If it is invalid, in one sentence.
        """
        return self._check(self.fields, name, value)

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
        self._set(by, lambda _fields: values)

    def _set(self, by: Host | None, read: Callable[[ViewFields], Mapping[str, Any]]) -> None:
        """Change fields to the values that a function reads for the present state of the graph."""
        while True:
            fields = self.fields
            values = read(fields)
            checked = {name: self._check(fields, name, value) for name, value in values.items()}  # takes a while
            with self._lock:
                if self.fields is not fields:
                    continue  # the graph was updated meanwhile, and its nodes have other numbers
                changes = fields.changes(fields.translate(checked))
                if not changes:
                    return
                other_legend = "color" in changes and fields.values["_view"]["legend"]["hidden"]
                self._publish(changes, by)
                if other_legend or {"hidden", "filters", "legend"} & values.keys():
                    # Until a browser reports what it shows; it is not told, because it knows better.
                    fields.values["_invisible"] = fields.hidden_in_python()
                if "_pinned" in changes:
                    self.run.place(Placement.decode(changes["_pinned"]))
                break
        if "exaggeration" in changes:
            self.run.exaggeration = changes["exaggeration"]
        self._announce(changes)
        for name in [name for name in values if name in DERIVED_FIELDS and DERIVED_FIELDS[name][0] in changes]:
            for follower in list(self._followers):
                follower(self, name, self[name])

    def _check(self, fields: ViewFields, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        checked, new = fields.check(name, value)
        if new:
            self.publish_columns()
        return checked

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
            if self.fields.values["_pinned"] != (moved := self.run.placement.encode()):
                changes["_pinned"] = moved
            if self.fields.values["exaggeration"] != self.run.exaggeration:
                changes["exaggeration"] = self.run.exaggeration
            self._publish(changes)
        self._announce(changes)

    def follow_layout(self) -> None:
        """Keep a camera that Python has set over the same part of a layout that grows."""
        if self.fields.values["_view"]["camera"] is None:
            return
        with self._lock:
            changes = self._renewed_camera(at_rest=False)
            if not changes:
                return
            self._publish(changes)
        self._announce(changes)

    def _renewed_camera(self, *, at_rest: bool) -> dict[str, Any]:
        """Return the change of `_view` that new positions make necessary; the caller has the lock."""
        view = self.fields.values["_view"]
        camera = None if view["camera"] is None else self.fields.camera.renewed(view["camera"], at_rest=at_rest)
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
        *,
        values: Mapping[str, Any],
        change: GraphChange,
        anew: Callable[[], Task] | None = None,
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
        change : GraphChange
            From the graph before.
        anew : callable, optional
            As for `Run.adopt`.
        """
        with self._lock:
            camera = self["camera"]
            self.run.adopt(task, start, Placement.decode(values["_pinned"]), anew)
            self.stream.discard()
            self.graph, self.source, self.columns = task.graph, source, columns
            self._published, self._updated = self.run.computed, None
            latest = self.run.computed
            changes = dict(values) | {
                "_graph": columns.graph_bytes(),
                "_extra": columns.extra_bytes(),
                "_frame": b"" if latest is None else encode_frame(messages.frame_of(latest, self.run)),
                "_status": self._status(),
            }
            known, numbering = self.fields.values | changes, self.fields.numbering
            numbering.renumber(change)
            self.fields = ViewFields(self.graph, self.run, columns, lock=self._lock, values=known, numbering=numbering)
            changes["_view"] = check_view(changes["_view"] | {"camera": self.fields.camera.to_frame(camera)})
            changes["_invisible"] = self.fields.hidden_in_python()
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
        self.fields.values.update(changes)
        for host in list(self._hosts):
            if host is not by:
                host.publish(changes)

    def _announce(self, changes: Mapping[str, Any]) -> None:
        if "_selected" in changes:
            self.callbacks.call("select", self["selection"])
        for host in list(self._hosts):
            host.announce(changes)


def _close(run: Run, stream: Stream[Frame], jobs: BackgroundJobs) -> None:
    run.close()
    stream.close()
    jobs.close()
