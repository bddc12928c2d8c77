"""The live view as an anywidget: what the browser knows of a run, and what it asks for."""

from __future__ import annotations

import base64
import logging
import os
import threading
import weakref
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets as t

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import to_native
from graphne_viz.layout.options import MOST_EXAGGERATION, positive
from graphne_viz.viewer.cells import CELLS
from graphne_viz.viewer.errands import Errands
from graphne_viz.viewer.exploring import Exploring, shown_color
from graphne_viz.viewer.exports import Exports
from graphne_viz.viewer.leg import ACTIVE
from graphne_viz.viewer.messages import Messages, frame_of, on_snapshot, on_state, said, send_frame
from graphne_viz.viewer.preview import placeholder, preview
from graphne_viz.viewer.still import Stills, in_a_kernel
from graphne_viz.viewer.stream import Stream
from graphne_viz.viewer.subgraph import subgraph
from graphne_viz.viewer.view import LEAST_HEIGHT, THEMES
from graphne_viz.viewer.wire import called, encode_frame

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.choices import Choice, Choices, Role
    from graphne_viz.viewer.run import Run
    from graphne_viz.viewer.wire import Frame

log = logging.getLogger(__name__)

_NOT_THE_BROWSERS = {"_graph", "_extra", "_frame", "_status", "_group", "_turn"}
_WAIT_FOR_PICTURE = 0.3


class RefusedError(t.TraitError, ValueError):
    """A value that a trait cannot have; who does not know traitlets expects a ValueError."""


def _static(name: str) -> Path | str:
    """Return a built file: its text, because anywidget never lets go of a widget whose code is a path."""
    path = Path(__file__).with_name("static") / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: the viewer has not been built, which `make` does in a checkout")
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path  # whoever works on the viewer wants to see changes at once
    return path.read_text(encoding="utf-8") + "\n"  # one line could be taken for a path


def _choice(role: Role) -> t.Any:
    """Make a trait that is what the caller asked for in Python, and the key of a column in the browser."""
    return t.Any(None, allow_none=True).tag(
        sync=True,
        to_json=lambda choice, widget: widget._choices.key(role, choice),  # noqa: SLF001 - its own trait
        from_json=lambda key, widget: _refusing(widget._choices.choice, key),  # noqa: SLF001 - the same
    )


def _as_bytes(value: object, _widget: object) -> bytes:
    """Read what came from the browser; a Bytes trait refuses a memoryview."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise RefusedError(f"bytes are needed, not {type(value).__name__}")
    return bytes(value)


class GraphWidget(Messages, Exploring, Exports, anywidget.AnyWidget):
    """A graph and the run that lays it out, in a notebook. `graphne_viz.view` makes one.

    Parameters
    ----------
    source : graph
        As the caller gave it.
    run : Run
        Its layout.
    choices : Choices
        Its columns.
    weight : str or None
        Edge attribute that held the weights.
    **traits
        Values of the traits.

    Attributes
    ----------
    graph : Graph
    run : Run
        `pause`, `resume`, `play`, `stop`, `restart`, `wait`; `state`, `iteration`, `kl`, `error`.
    color, size, label
        As the keywords of `graphne_viz.view`; can be set at any time.
    edges : bool
        Whether edges are drawn.
    exaggeration : float
        Attraction against repulsion; a change takes effect in the running optimisation.
    selection : tuple of nodes
        In the order of the graph; can be set, and observed.
    theme : {"auto", "light", "dark"}
    height : int
        In pixels.
    """

    _esm = _static("widget.js")
    _css = _static("widget.css")

    _graph = t.Bytes().tag(sync=True)
    _extra = t.Bytes().tag(sync=True)
    _frame = t.Bytes().tag(sync=True)
    _status = t.Dict().tag(sync=True)
    _selected = t.Bytes().tag(sync=True, from_json=_as_bytes)
    _hidden = t.Bytes().tag(sync=True, from_json=_as_bytes)
    color = _choice("color")
    size = _choice("size")
    label = _choice("label")
    edges = t.Bool(True).tag(sync=True)  # noqa: FBT003 - the default
    exaggeration = t.Float(1.0).tag(sync=True)
    theme = t.Enum(THEMES, "auto").tag(sync=True)
    height = t.Int(520, min=LEAST_HEIGHT).tag(sync=True)
    selection: Any = t.TraitType(())
    _group = t.Unicode("").tag(sync=True)
    _turn: Any = t.List().tag(sync=True)

    def __init__(
        self, source: Foreign, run: Run, choices: Choices, *, weight: str | None = DEFAULT_WEIGHT, **traits: object
    ) -> None:
        self.graph: Graph = run.task.graph
        self.run = run
        self._source = source
        self._weight = weight
        self._choices = choices
        self._publishing = threading.Lock()
        self._shown: Snapshot | None = run.latest
        self._stills = Stills()
        self._came: tuple[Hashable, ...] | None = None
        me: weakref.ref[Messages] = weakref.ref(self)
        self._stream: Stream[Frame] = Stream(partial(send_frame, me), busy=lambda: CELLS.running)
        self._errands = Errands()
        self._end = weakref.finalize(self, _end, run, self._stream, self._errands)
        super().__init__(
            _graph=choices.graph_bytes(),
            _extra=choices.extra_bytes(),
            _frame=b"" if run.latest is None else encode_frame(frame_of(run.latest, run)),
            _status=run.status(),
            exaggeration=run.exaggeration,
            **traits,
        )
        self.on_msg(Messages._hear)  # noqa: SLF001 - its own, and not bound to it: that would keep it alive
        CELLS.watch(self._stream)
        run.attach(partial(on_snapshot, me), partial(on_state, me))

    def __repr__(self) -> str:
        return f"GraphWidget({self.graph.n_nodes:,} nodes, {self.graph.n_edges:,} edges, {self.run!r})"

    @property
    def pos(self) -> Foreign:
        """What `graphne_layout` would return now; None before the first snapshot."""
        positions = self.run.layout()
        return None if positions is None else to_native(self.graph, positions)

    @property
    def embedding(self) -> Foreign:
        """The `Embedding` that is projected; None without one, and until a training has ended."""
        return getattr(self.run.task, "embedding", None)

    def selected_subgraph(self) -> Foreign:
        """Return the selected nodes and the edges between them as a graph of the kind that was given.

        Returns
        -------
        graph
            A copy of the same kind: a networkx, igraph or rustworkx graph, a table, AnnData, a sparse or square
            matrix; for everything else a `Graph`.
        """
        return subgraph(self._source, self.graph, self._chosen.astype(np.intp))

    def close(self) -> None:
        """End the run and take the view away. Twice is fine."""
        if hasattr(self, "_end"):
            self._end()
        super().close()

    def set_state(self, sync_data: Mapping[str, object]) -> None:
        """Take changes from the browser; one that cannot be is logged, and the browser told what is."""
        try:
            super().set_state({name: value for name, value in sync_data.items() if name not in _NOT_THE_BROWSERS})
        except (t.TraitError, TypeError, ValueError) as error:
            log.warning("the viewer sent what cannot be: %s", said(error))
            self.send_state([name for name in sync_data if name in self.keys])

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - ipywidgets' own
        """Return the state, in which the viewer itself is never left out: a page without a kernel needs it."""
        state = super().get_state(key, drop_defaults)
        if key is None and drop_defaults:
            state |= super().get_state(("_esm", "_css", "_anywidget_id"))
        return state

    def _repr_mimebundle_(self, **keywords: Any) -> Any:  # noqa: ANN401 - as anywidget has it
        """Show the view, and where there is no browser to run it, a picture."""
        bundle = super()._repr_mimebundle_(**keywords)
        # marimo asks without looking at the answer.
        if bundle is None or type(self.comm).__module__.startswith("marimo"):
            return bundle
        self._stream.displayed()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        try:
            data["image/png"] = base64.b64encode(self._picture()).decode()
        except Exception:
            log.exception("no picture could be drawn for readers without a browser")
        return bundle

    def _ipython_display_(self) -> None:
        """Show a run that is under way with a picture beside it that can be renewed; IPython does the rest itself."""
        live = self.comm is not None and in_a_kernel() and self.run.state in ACTIVE
        bundle = super()._repr_mimebundle_() if live else None
        if bundle is None:
            raise NotImplementedError
        self._stream.displayed()
        self._stills.show(bundle[0] if isinstance(bundle, tuple) else bundle, self._picture)

    def _picture(self) -> bytes:
        if not self.run.wait_for_positions(_WAIT_FOR_PICTURE) or self.run.latest is None:
            return placeholder("The layout was under way.")
        positions = self.run.latest.positions
        look = {name: shown_color(self.graph, getattr(self, name), positions) for name in ("color", "size")}
        column = self._choices.column("color", look["color"])
        turned = positions @ np.reshape(self._turn, (2, 2)).T if self._turn else positions
        return preview(self.graph, turned, column=column, edges=self.edges, **look)

    # ---- What the traits may be, and how they hang together ----

    @t.validate("color", "size", "label")
    def _check_choice(self, proposal: Any) -> Choice:  # noqa: ANN401 - traitlets has no types
        role: Role = proposal["trait"].name
        kept, new = _refusing(self._choices.take, role, proposal["value"])
        if new:
            self._tell_columns()
        return kept

    @t.validate("exaggeration")
    def _check_exaggeration(self, proposal: Any) -> float:  # noqa: ANN401 - traitlets has no types
        _refusing(partial(positive, most=MOST_EXAGGERATION), "exaggeration", proposal["value"])
        return float(proposal["value"])

    @t.observe("exaggeration")
    def _steer(self, change: Any) -> None:  # noqa: ANN401 - traitlets has no types
        self.run.exaggeration = change["new"]

    @t.validate("selection")
    def _check_selection(self, proposal: Any) -> tuple[Hashable, ...]:  # noqa: ANN401 - traitlets has no types
        nodes = proposal["value"]
        if self._came is not None and nodes is self._came:
            return self._came
        if isinstance(nodes, (str, bytes, Mapping)) or not isinstance(nodes, Iterable):
            raise RefusedError(f"selection must be an iterable of nodes, got {nodes!r}")
        indices = set()
        for node in nodes:
            try:
                indices.add(self._index[node])
            except (KeyError, TypeError):
                raise RefusedError(f"selection has {node!r}, which is no node of the graph") from None
        return tuple(self.graph.ids[i] for i in sorted(indices))

    @t.observe("selection")
    def _select(self, change: Any) -> None:  # noqa: ANN401 - traitlets has no types
        if change["new"] is not self._came:
            self._selected = np.array([self._index[node] for node in change["new"]], dtype="<u4").tobytes()

    @t.validate("_selected")
    def _check_selected(self, proposal: Any) -> bytes:  # noqa: ANN401 - traitlets has no types
        if len(proposal["value"]) % 4:
            raise RefusedError(f"a selection has 4 bytes a node, not {len(proposal['value']):,} in all")
        chosen = np.unique(np.frombuffer(proposal["value"], dtype="<u4"))
        if chosen.size and chosen[-1] >= self.graph.n_nodes:
            raise RefusedError(f"node {chosen[-1]:,} was selected, but the graph has {self.graph.n_nodes:,}")
        return chosen.tobytes()

    @t.validate("_hidden")
    def _check_hidden(self, proposal: Any) -> bytes:  # noqa: ANN401 - traitlets has no types
        bits: bytes = proposal["value"]
        if len(bits) not in {0, -(-self.graph.n_nodes // 8)}:
            raise RefusedError(f"hidden nodes are a bit each, not {len(bits):,} bytes in all")
        return bits

    @t.observe("_selected")
    def _selection_came(self, _change: object) -> None:
        self._came = tuple(self.graph.ids[i] for i in self._chosen)
        self.selection = self._came

    @t.observe("comm")
    def _watch_comm(self, _change: object) -> None:
        """End the run with the comm, whoever closes it: marimo does when a cell is run again, and tells nobody."""
        comm, end = self.comm, self._end
        if comm is None:
            return
        close = comm.close

        def close_all(*args: object, **keywords: object) -> None:
            end()
            close(*args, **keywords)

        comm.close = close_all
        comm.on_close(lambda _message: end())

    @property
    def _chosen(self) -> NDArray[np.uint32]:
        return np.frombuffer(self._selected, dtype="<u4")

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        names = {name: i for i, name in enumerate(called(self.graph)) if isinstance(name, str)}
        return names | {node: i for i, node in enumerate(self.graph.ids)}

    def _tell(self) -> None:
        """Bring the traits up to date with the run, in whatever thread it changed."""
        with self._publishing:
            new: dict[str, object] = {"_status": self.run.status()}
            latest, rests = self.run.latest, self.run.state not in {"starting", "running"}
            # Between start and rest frames go through the stream, which heeds how fast the browser is.
            if latest is not None and latest is not self._shown and (rests or latest.iteration == 0):
                new["_frame"] = encode_frame(frame_of(latest, self.run))
                self._shown = latest
            if self.exaggeration != self.run.exaggeration:
                new["exaggeration"] = self.run.exaggeration
            changes = self._publish(new)
        if self.run.state not in {"starting", "running"}:
            self._stills.renew(self._picture)
        for change in changes:
            t.HasTraits.notify_change(self, change)

    def _tell_columns(self) -> None:
        """Send the columns that the graph itself does not have, in whatever thread one was added."""
        with self._publishing:
            changes = self._publish({"_extra": self._choices.extra_bytes()})
        for change in changes:
            t.HasTraits.notify_change(self, change)

    def _publish(self, new: dict[str, object]) -> list[t.Bunch]:
        """Set traits in any thread and send them; returns the changes.

        Not by assignment: traitlets' and ipywidgets' ways of holding back changes are not for several threads.
        """
        changes = [t.Bunch(name=k, old=getattr(self, k), new=v, owner=self, type="change") for k, v in new.items()]
        self._trait_values.update(new)
        self.send_state(list(new))
        return changes


def _end(run: Run, stream: Stream[Frame], errands: Errands) -> None:
    run.close()
    stream.close()
    errands.close()


def _refusing(check: Any, *args: object) -> Any:  # noqa: ANN401 - any function of ours
    """Call something that refuses bad input, and refuse it as traitlets expects it."""
    try:
        return check(*args)
    except (TypeError, ValueError) as error:
        raise RefusedError(str(error)) from None
