"""The fields of a view: their names, their values, and what Python, the session and the browser each call them.

A field has one value in the session. The browser has some in a form of its own (a column's key in place of the column),
and Python has names for parts of some (the selected nodes in place of their numbers, the camera in place of all
settings of the view).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.encoding.columns.edge_columns import EDGE_ROLES
from graphne_viz.viewer.session.view_state import appearance, class_colors, filters, legend, timeline
from graphne_viz.viewer.session.view_state.camera import Camera
from graphne_viz.viewer.session.view_state.node_sets import NodeSets
from graphne_viz.viewer.session.view_state.numbering import NODE_FIELDS, Numbering
from graphne_viz.viewer.session.view_state.pinned_nodes import PinnedNodes, check_rows
from graphne_viz.viewer.session.view_state.view_settings import (
    check_camera,
    check_lens,
    check_table,
    check_tool,
    check_view,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.column_registry import ColumnRegistry, Role

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
    "legend": ("_view", "color"),
    "table": ("_view",),
    "timeline": ("_view",),
}
"""What Python calls a part of a field, and the fields on which it depends; the first holds it."""

_WORDS: dict[str, Any] = {"filters": filters, "legend": legend, "timeline": timeline}
"""Parts of `_view` that name columns or classes, and what translates those from the words of Python and back."""

_SIMPLE_PARTS = {"tool": check_tool, "lens": check_lens, "table": check_table}
"""Parts of `_view` that are the same in Python, and what checks them."""


class ViewFields:
    """The fields of a view of one graph.

    Parameters
    ----------
    graph : Graph
        With n nodes.
    run : Run
        Its layout.
    columns : ColumnRegistry
        Its columns.
    lock : context manager
        Held while cameras and pins are translated, which remember what they were asked for; may be entered again.
    values : dict
        By the names of fields. Whoever changes them holds the lock.
    numbering : Numbering, optional
        The numbers of its nodes, where those were others before.
    """

    def __init__(
        self,
        graph: Graph,
        run: Run,
        columns: ColumnRegistry,
        *,
        lock: AbstractContextManager[Any],
        values: dict[str, Any],
        numbering: Numbering | None = None,
    ) -> None:
        self.values = values
        self.numbering = Numbering() if numbering is None else numbering
        self.nodes = NodeSets(graph)
        self.camera = Camera(run)
        self._pins = PinnedNodes(run, self.nodes, self.camera)
        self._size = graph.n_nodes
        self._columns = columns
        self._lock = lock
        self._selection: tuple[bytes, tuple[Any, ...]] = (b"", ())
        self._checks: dict[str, Callable[[Any], Any]] = {
            "_selected": self.nodes.check_numbers,
            "_hidden": self.nodes.check_bits,
            "_invisible": self.nodes.check_bits,
            "_pinned": partial(check_rows, size=graph.n_nodes),
            "_view": check_view,
            "camera": check_camera,
            **_SIMPLE_PARTS,
        }

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 -- as the field is
        """Return a field, or what Python calls a part of one, as `DERIVED_FIELDS` lists them."""
        if name == "selection":
            return self._selected_nodes()
        if name == "hidden":
            return self.nodes.nodes(np.flatnonzero(self.nodes.mask(self.values["_hidden"])))
        if name == "pinned":
            with self._lock:
                return self._pins.to_python(self.values["_pinned"])
        view = self.values["_view"]
        if name == "camera":
            with self._lock:
                return self.camera.to_layout(view["camera"])
        if name in _WORDS:
            return _WORDS[name].from_settings(view[name], self._named_by(name))
        return view[name] if name in _SIMPLE_PARTS else self.values[name]

    def check(self, name: str, value: object) -> tuple[Any, bool]:
        """Check a value of a field, or of what Python calls a part of one.

        Returns
        -------
        value
            As the field would hold it, or as Python would read the part.
        new : bool
            Whether it took a column that the browser does not have yet.

        Raises
        ------
        TypeError, ValueError
            If it is invalid, in one sentence.
        """
        if name in COLUMN_FIELDS:
            return self._columns.take(name, value)
        if name in _WORDS:
            before, words, names = self._columns.extra_keys, _WORDS[name], self._named_by(name)
            checked = words.from_settings(words.to_settings(value, names), names)
            return checked, self._columns.extra_keys != before  # a statistic may have been computed
        return self._check(name, value), False

    def _check(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        if name == "selection" and value is self._selection[1]:
            return value
        if name in {"selection", "hidden"}:
            return self.nodes.nodes(self.nodes.find(name, value))
        if name == "pinned":
            with self._lock:
                return self._pins.check(value)
        check = self._checks.get(name)
        return appearance.check(name, value, self._columns) if check is None else check(value)

    def translate(self, checked: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields by their own names, with what Python calls parts of them put in their places.

        Parameters
        ----------
        checked
            What `check` returned, by name.
        """
        new: dict[str, Any] = {}
        for name, value in checked.items():
            if name not in DERIVED_FIELDS:
                new[name] = value
            elif value == self[name]:
                continue
            elif name == "selection":
                new["_selected"] = self.nodes.find(name, value).astype("<u4").tobytes()
            elif name == "hidden":
                new["_hidden"] = self.nodes.bits(self.nodes.find(name, value))
            elif name == "pinned":
                with self._lock:
                    new["_pinned"] = self._pins.to_rows(value)
            else:
                part = self._part_of_view(name, value)
                new["_view"] = check_view(new.get("_view", self.values["_view"]) | {name: part})
        return new

    def _part_of_view(self, name: str, value: Any) -> Any:  # noqa: ANN401 -- as the field is
        """Translate what Python calls a part of `_view` to what the browser has there."""
        if name == "camera":
            with self._lock:
                return self.camera.to_frame(value)
        return _WORDS[name].to_settings(value, self._named_by(name)) if name in _WORDS else value

    def to_wire(self, name: str, value: Any) -> Any:  # noqa: ANN401 -- as the field is
        """Return a field's value as the browser gets it."""
        if name in COLUMN_FIELDS:
            return self._columns.key(name, value)
        if name in EDGE_ROLES:
            return self._columns.edge_key(name, value)
        if name in NODE_FIELDS:
            return self.numbering.tag(value)
        return class_colors.to_wire(value, self._columns) if name == "colors" else value

    def from_wire(self, name: str, value: object) -> Any:  # noqa: ANN401 -- as the field is
        """Return what the browser has sent for a field as Python has it."""
        if name in COLUMN_FIELDS:
            return self._columns.choice(value)
        if name in EDGE_ROLES:
            return self._columns.edge_choice(value)
        if name in NODE_FIELDS and isinstance(value, (bytes, bytearray, memoryview)):
            numbers = self.numbering.untag(name, bytes(value))
            return self.values[name] if numbers is None else numbers
        return bytes(value) if isinstance(value, (bytearray, memoryview)) else value

    def changes(self, new: Mapping[str, Any]) -> dict[str, Any]:
        """Return those fields whose values are others than now."""
        return {name: value for name, value in new.items() if not _same(name, value, self.values[name])}

    def visible(self) -> NDArray[np.bool_]:
        """Tell which nodes are to be seen, shape (n,): neither hidden nor left out by filters or the legend."""
        return ~(self.nodes.mask(self.values["_hidden"]) | self.nodes.mask(self.values["_invisible"]))

    def hidden_in_python(self) -> bytes:
        """Return which nodes are hidden, or left out by filters or the legend, as far as Python knows: a bit each."""
        view = self.values["_view"]
        left_out = filters.hidden_by(view["filters"], self._columns, self._size)
        left_out |= legend.hidden_by(view["legend"], self._coloring, self._size)
        return self.nodes.mask_bits(left_out | self.nodes.mask(self.values["_hidden"]))

    def _named_by(self, name: str) -> ColumnRegistry | Column | None:
        """Return what knows the names in a part of `_view`: all columns, or that of the classes."""
        return self._coloring if name == "legend" else self._columns

    @property
    def _coloring(self) -> Column | None:
        """The column that the nodes are coloured by, whose classes the legend lists."""
        return self._columns.column("color", self.values["color"])

    def _selected_nodes(self) -> tuple[Any, ...]:
        """Return the selected nodes, the same tuple as long as they are the same."""
        with self._lock:
            data = self.values["_selected"]
            if data is not self._selection[0]:
                self._selection = (data, self.nodes.nodes(np.frombuffer(data, dtype="<u4")))
            return self._selection[1]


def _same(name: str, one: object, other: object) -> bool:
    return one is other if name in COLUMN_FIELDS else one == other
