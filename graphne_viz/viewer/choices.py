"""Which columns a view shows: in the caller's words on one side, as keys of columns on the other."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from graphne_viz.viewer.columns import (
    DEGREE_KEY,
    NAMES,
    RECALL,
    RECALL_KEY,
    attribute_columns,
    attribute_key,
    color_column,
    extra_columns,
    label_column,
    size_column,
    statistic_column,
)
from graphne_viz.viewer.values import DEGREE
from graphne_viz.viewer.wire import encode_columns, encode_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.statistics import Statistic
    from graphne_viz.viewer.column import Column

Role = Literal["color", "size", "label"]
Choice: TypeAlias = Any
"""A name, a mapping, one value a node, a colour, a number or None, as for `plot`."""

_MAKERS: dict[str, Callable[..., Column | None]] = {
    "color": color_column,
    "size": size_column,
    "label": label_column,
}


class Choices:
    """The columns of a graph, and those made of the caller's own data.

    Parameters
    ----------
    graph : Graph
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._own = attribute_columns(graph)
        self._names: dict[str, Choice] = {attribute_key(name): name for name in graph.attributes}
        self._names |= {NAMES.key: True, DEGREE_KEY: DEGREE}
        if RECALL not in graph.attributes:
            self._names[RECALL_KEY] = RECALL
        self._adding = threading.Lock()
        self._custom: dict[str, tuple[Choice, Column]] = {}
        self._last: dict[str, tuple[Choice, Column | None]] = {}

    def take(self, role: Role, choice: Choice) -> tuple[Choice, bool]:
        """Check what the caller asks for.

        Parameters
        ----------
        role : {"color", "size", "label"}
        choice
            As the keyword of that name of `view`.

        Returns
        -------
        choice : object
            A copy that nobody else can change.
        new : bool
            Whether `extra_bytes` has changed.

        Raises
        ------
        ValueError, TypeError
            If it does not suit, in one sentence.
        """
        if role in self._last and self._last[role][0] is choice:
            return choice, False
        kept = _kept(choice)
        column = _MAKERS[role](self._graph, kept, self._known)
        self._last[role] = (kept, column)
        extra = extra_columns([column], self._known)
        self._add({column.key: (kept, column) for column in extra})
        return kept, bool(extra)

    def column(self, role: Role, choice: Choice) -> Column | None:
        """Return the column of what `take` returned."""
        known, column = self._last.get(role, (None, None))
        if known is not choice:
            column = _MAKERS[role](self._graph, choice, self._known)
        return column

    def compute(self, name: str, by: Callable[[Graph, str], Statistic] | None = None) -> str:
        """Compute a statistic, whose column `extra_bytes` has from then on, and return its key; in any thread.

        Parameters
        ----------
        name : str
        by : callable, optional
            As for `graphne_viz.graphs.statistics.statistic`.
        """
        column = statistic_column(self._graph, name, by)
        if column.key not in self._custom:
            self._add({column.key: (name, column)})
        return column.key

    def _add(self, new: dict[str, tuple[Choice, Column]]) -> None:
        """Add columns; who reads the others meanwhile is not disturbed."""
        with self._adding:
            self._custom = self._custom | new

    @property
    def _known(self) -> list[Column]:
        """What the browser has: the graph's own columns, and statistics that were computed."""
        return [*self._own, *(column for key, (_, column) in self._custom.items() if key.startswith("s:"))]

    def key(self, role: Role, choice: Choice) -> str:
        """Return the key of what `take` returned, "" for none."""
        column = self.column(role, choice)
        return "" if column is None else column.key

    def choice(self, key: object) -> Choice:
        """Return what a key stands for.

        Raises
        ------
        ValueError
            If there is no such column.
        """
        if key in {"", None}:
            return None
        if not isinstance(key, str) or not (key in self._custom or key in self._names):
            raise ValueError(f"there is no column {key!r}")
        return self._custom[key][0] if key in self._custom else self._names[key]

    def graph_bytes(self) -> bytes:
        """Encode the graph with its own columns."""
        return encode_graph(self._graph, self._own)

    def extra_bytes(self) -> bytes:
        """Encode the columns made of the caller's own data; the newest of each key."""
        return encode_columns(self._graph.n_nodes, [column for _, column in self._custom.values()])


def _kept(choice: Choice) -> Choice:
    """Copy what the caller could change later; it would change behind our back, and setting it again would not help."""
    if choice is None or isinstance(choice, (str, bool, tuple, int, float)):
        return choice
    if isinstance(choice, (Mapping, Sequence)) or hasattr(choice, "__array__") or not isinstance(choice, Iterable):
        return copy.copy(choice)
    return list(choice)
