"""The anywidget that shows a session in a notebook: its traits mirror the session's fields, in both directions."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, cast

import anywidget
import traitlets as t

from graphne_viz.viewer.delegation import session_method
from graphne_viz.viewer.export import exports
from graphne_viz.viewer.export.static_preview import StaticPreviews
from graphne_viz.viewer.session import callbacks, results, updating
from graphne_viz.viewer.session.fields import BROWSER_FIELDS, DERIVED_FIELDS, READ_ONLY_FIELDS
from graphne_viz.viewer.session.jobs import class_metrics
from graphne_viz.viewer.session.messages import truncate
from graphne_viz.viewer.transport.bundle import widget_source
from graphne_viz.viewer.transport.comm_lifetime import end_with_comm
from graphne_viz.viewer.transport.kernel_busy import KERNEL
from graphne_viz.viewer.transport.shiny_comm import send_from_any_thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphne_viz.viewer.session.session import ViewSession

log = logging.getLogger(__name__)


class RefusedError(t.TraitError, ValueError):
    """An invalid value of a trait; who does not know traitlets expects a ValueError."""


def _field(trait: Any) -> Any:  # noqa: ANN401 -- traitlets has no types
    """Make a trait that is a field of the session, by the same name, and has a form of its own in the browser."""
    return trait.tag(
        sync=True,
        to_json=lambda value, widget: widget.session.fields.to_wire(trait.name, value),
        from_json=lambda value, widget: widget.session.fields.from_wire(trait.name, value),
    )


class GraphWidget(anywidget.AnyWidget):
    """A graph and the run that lays it out, in a notebook. `graphne_viz.view` makes one.

    Attributes
    ----------
    graph : Graph
    run : Run
        `pause`, `resume`, `play`, `stop`, `restart`, `wait`; `state`, `iteration`, `kl`, `error`.
    color, size, label, edges, edge_width, edge_color, edge_label, arrows, curved, class_names, colors, size_range, \
    theme, height
        As the keywords of `graphne_viz.view`; can be set at any time.
    exaggeration : float
        Attraction relative to repulsion; a change takes effect in the running optimisation.
    selection, hidden : tuple of nodes
        In the order of the graph; can be set, and observed.
    pinned : dict
        Nodes that stay where they were put, and where: ``{node: (x, y)}`` in the coordinates of `pos`. Can be set to
        such a dict, or to nodes, which are pinned where they are; a run that is under way forms around them.
    filters : dict
        Which nodes are shown: ``{"degree": (3, None), "department": ["A", "B"]}``; attributes of edges leave out edges.
    legend : dict
        ``{"isolated": ["A"], "hidden": ["B"]}``: classes of the colours that stand out alone, or are not shown; None
        for the nodes without one.
    timeline : None or dict
        ``{"column": "year", "window": 0.1, "speed": 1.0}`` while it is open: a date or number of nodes or edges, the
        share of the time that is seen at once (0 for all until then) and the speed. Can be set to such a dict or to a
        column. What is seen at the moment is the filter of that column.
    table : None, "nodes" or "edges"
        Which table is open beside the picture.
    camera : None or dict
        ``{"center": (x, y), "span": s}`` in the coordinates of `pos`; `span` is what the shorter side shows. None shows
        the whole layout and follows it.
    tool : {"pan", "rectangle", "lasso"}
    lens : bool
        Whether hovering shows where a node's neighbours are, and which near nodes are none.
    """

    _esm, _css = widget_source("widget.js"), widget_source("widget.css")
    _graph, _extra, _frame = _field(t.Bytes()), _field(t.Bytes()), _field(t.Bytes())
    _status, _view = _field(t.Dict()), _field(t.Dict())
    _selected, _hidden, _invisible, _pinned = (_field(t.Bytes()) for _ in range(4))
    _events, _rotation, _group = _field(t.List()), _field(t.List()), _field(t.Unicode())
    color, size, label, size_range = (_field(t.Any()) for _ in range(4))
    edge_width, edge_color, edge_label = (_field(t.Any()) for _ in range(3))
    edges, class_names = _field(t.Bool()), _field(t.Bool())
    # Not t.Any(), which takes None without asking: here it stands for what suits.
    arrows, curved, colors = (_field(t.TraitType()) for _ in range(3))
    exaggeration, theme, height = _field(t.Float()), _field(t.Unicode()), _field(t.Int())
    selection, hidden, pinned, filters, legend, table, timeline = (cast("Any", t.TraitType()) for _ in range(7))
    camera, tool, lens = t.Any(), t.Unicode(), t.Bool()

    def __init__(self, session: ViewSession) -> None:
        self.session = session
        self._pending: deque[t.Bunch] = deque()
        self._previews = StaticPreviews(session)
        names = (*BROWSER_FIELDS, *READ_ONLY_FIELDS, *DERIVED_FIELDS)
        super().__init__(**{name: session[name] for name in names})
        self.on_msg(_receive)  # not bound to it: that would keep it alive
        KERNEL.watch(session.stream)
        session.subscribe(self, exports.EXPORTERS)

    def __repr__(self) -> str:
        return repr(self.session).replace("ViewSession", "GraphWidget", 1)

    graph, run = property(lambda self: self.session.graph), property(lambda self: self.session.run)
    pos = property(session_method(results.positions))
    embedding = property(session_method(results.embedding))
    callback = property(session_method(results.callback))
    provenance = property(session_method(exports.provenance_of))
    selected_subgraph = session_method(results.selected_subgraph)
    update = session_method(updating.update_graph)
    on_click = session_method(callbacks.on_click)
    on_hover = session_method(callbacks.on_hover)
    on_select = session_method(callbacks.on_select)
    classes = session_method(class_metrics.classes)
    misplaced = session_method(class_metrics.misplaced_nodes)
    to_html = session_method(exports.to_html)
    to_png = session_method(exports.to_png)
    to_svg = session_method(exports.to_svg)
    to_gexf = session_method(exports.to_gexf)
    to_gif = session_method(exports.to_gif)
    to_mp4 = session_method(exports.to_mp4)
    to_networkx = session_method(exports.to_networkx)
    to_igraph = session_method(exports.to_igraph)

    def close(self) -> None:
        """End the run and remove the view. Twice is fine."""
        if hasattr(self, "session"):
            self.session.close()
        super().close()

    # ---- From the session: see `Host` ----

    def publish(self, changes: Mapping[str, Any]) -> None:
        """Set traits in any thread and send them.

        Not by assignment: traitlets' and ipywidgets' ways of holding back changes are not for several threads.
        """
        self._set_quietly(changes)
        self.send_state(list(changes))

    def announce(self, changes: Mapping[str, Any]) -> None:
        """Tell observers, who may do anything."""
        if "_status" in changes:
            self._previews.renew()
        derived = {name: self.session[name] for name, fields in DERIVED_FIELDS.items() if changes.keys() & fields}
        self._set_quietly({name: value for name, value in derived.items() if value != getattr(self, name)})
        while (change := self._next_pending()) is not None:
            t.HasTraits.notify_change(self, change)

    def _set_quietly(self, values: Mapping[str, Any]) -> None:
        for name, new in values.items():
            change = t.Bunch(name=name, old=getattr(self, name), new=new, owner=self, type="change", by_session=True)
            self._pending.append(change)
        self._trait_values.update(values)

    def _next_pending(self) -> t.Bunch | None:
        try:
            return self._pending.popleft()
        except IndexError:  # another thread may have taken the last
            return None

    # ---- To the session ----

    @t.validate(*BROWSER_FIELDS, *DERIVED_FIELDS)
    def _check(self, proposal: Any) -> Any:  # noqa: ANN401 - traitlets has no types
        try:
            return self.session.check(proposal["trait"].name, proposal["value"])
        except (TypeError, ValueError) as error:
            raise RefusedError(str(error)) from None

    @t.observe(*BROWSER_FIELDS, *DERIVED_FIELDS)
    def _changed(self, change: Any) -> None:  # noqa: ANN401 - traitlets has no types
        name, new = change["name"], change["new"]
        if not change.get("by_session"):  # which may know better by now
            self.session.set(None if name in DERIVED_FIELDS else self, **{name: new})

    def set_state(self, sync_data: Mapping[str, object]) -> None:
        """Take changes from the browser; an invalid one is logged, and the browser gets the present values."""
        try:
            super().set_state({name: value for name, value in sync_data.items() if name not in READ_ONLY_FIELDS})
        except (t.TraitError, TypeError, ValueError) as error:
            log.warning("invalid value from the viewer: %s", truncate(error))
            self.send_state([name for name in sync_data if name in self.keys])

    @t.observe("comm")
    def _take_comm(self, _change: object) -> None:
        end_with_comm(self.comm, self.session.close)
        send_from_any_thread(self.comm)

    # ---- What a notebook shows ----

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - ipywidgets' own
        """Return the state, in which the viewer itself is never left out: a page without a kernel needs it."""
        state = super().get_state(key, drop_defaults)
        if key is None and drop_defaults:
            state |= super().get_state(("_esm", "_css", "_anywidget_id"))
        return state

    def _repr_mimebundle_(self, **keywords: Any) -> Any:  # noqa: ANN401 - as anywidget has it
        """Show the view, and where there is no browser to run it, a picture."""
        return self._previews.add_picture(super()._repr_mimebundle_(**keywords), self.comm)

    def _ipython_display_(self) -> None:
        """Show a run that is under way with a picture beside it that can be renewed; IPython does the rest itself."""
        if not self._previews.show(super()._repr_mimebundle_, self.comm):
            raise NotImplementedError


def _receive(widget: GraphWidget, content: object, _buffers: object) -> None:
    widget.session.handle(content)
