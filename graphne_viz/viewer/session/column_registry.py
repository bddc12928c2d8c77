"""The columns of a view: by the caller's names or data on one side, by their keys on the other."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from graphne_viz.encoding.automatic import automatic_color, automatic_label, automatic_size, is_auto
from graphne_viz.encoding.colors.node_colors import check_colormap, with_norm
from graphne_viz.encoding.colors.palette import CLASS_COLORS, VALUE_COLORMAP
from graphne_viz.encoding.columns.carried import carried, colors_of, with_kept_colors
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn
from graphne_viz.encoding.columns.edge_columns import AUTO, ENDS, WEIGHT, automatic_width, edge_column, edge_columns
from graphne_viz.encoding.columns.node_columns import (
    DEGREE_KEY,
    NAMES,
    RECALL_KEY,
    attribute_columns,
    attribute_key,
    color_column,
    extra_columns,
    label_column,
    named_key,
    size_column,
    statistic_column,
)
from graphne_viz.encoding.columns.values import DEGREE, RECALL, data_name
from graphne_viz.graphs.statistics import COMMUNITIES, STATISTICS
from graphne_viz.viewer.transport.wire import encode_columns, encode_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import numpy as np
    from matplotlib.colors import Colormap, Normalize
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.carried import KeptColors
    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.columns.edge_columns import EdgeRole
    from graphne_viz.encoding.columns.values import Palette
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.statistics import Statistic

Role = Literal["color", "size", "label"]
Choice: TypeAlias = Any
"""A name, a mapping, one value per node, a colour, a number or None, as for `plot`."""


class ColumnRegistry:
    """The columns of a graph, and those made of the caller's own data.

    Parameters
    ----------
    graph : Graph
    palette, cmap, norm
        For what is coloured by, as in `graphne_viz.plotting.plot.plot`.
    kept_colors : dict, optional
        Colours that classes had before the graph changed, from `colors_of`.

    Attributes
    ----------
    outdated : list of str
        Statistics of the graph before, which are to be computed anew.

    Raises
    ------
    ValueError
        If there is no such colour map.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        palette: Palette = CLASS_COLORS,
        cmap: str | Colormap = VALUE_COLORMAP,
        norm: str | Normalize | None = None,
        kept_colors: KeptColors | None = None,
    ) -> None:
        self._graph = graph
        self._palette = palette
        self._colors: KeptColors = {} if kept_colors is None else kept_colors
        self.outdated: list[str] = []
        self.color_note = ""
        self.cmap, self.norm = check_colormap(cmap), norm
        self.links = graph.links
        self.edge_columns = edge_columns(self.links)
        self._own = [cast("Column", with_kept_colors(column, self._colors)) for column in attribute_columns(graph)]
        self._by_key = {column.key: column for column in self._own}
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
        if is_auto(self._graph, choice):
            choice = self.automatic(role)
        kept = _kept(data_name(self._graph, choice))
        column = self._make(role, kept)
        self._last[role] = (kept, column)
        extra = extra_columns([column], self._known)
        self._add({column.key: (kept, column) for column in extra})
        return kept, bool(extra)

    def column(self, role: Role, choice: Choice) -> Column | None:
        """Return the column of what `take` returned."""
        known, column = self._last.get(role, (None, None))
        if known is not choice:
            column = self._make(role, choice)
        return column

    def automatic(self, role: Role) -> Choice:
        """Return what nodes are coloured, sized or labelled by where the caller leaves it to us."""
        if role == "color":
            choice, self.color_note = automatic_color(self._graph, self._own)
            return choice
        return automatic_size(self._graph) if role == "size" else automatic_label(self._graph)

    def _make(self, role: Role, choice: Choice) -> Column | None:
        if role == "size":
            return size_column(self._graph, choice, self._known)
        if role == "label":
            return label_column(self._graph, choice, self._known)
        column = color_column(self._graph, choice, self._known, palette=self._palette)
        column = with_kept_colors(column, self._colors)
        if isinstance(column, ClassColumn) and self.color_note and isinstance(choice, str) and choice == COMMUNITIES:
            column = replace(column, note="; ".join(filter(None, (column.note, self.color_note))))
        if isinstance(column, ValueColumn) and column.key != RECALL_KEY:  # which is measured where it is shown
            return with_norm(column, self.norm)
        return column

    def take_edge(self, role: EdgeRole, choice: Choice) -> str | None:
        """Check by what edges are to be drawn; return the name of one of their attributes, "ends" or None.

        Raises
        ------
        ValueError, TypeError
            If it does not suit, in one sentence.
        """
        if choice == AUTO and role == "edge_width":
            return automatic_width(self.edge_columns, len(self.links.ends))
        self.edge_key(role, choice)
        return cast("str | None", choice)

    def edge_key(self, role: EdgeRole, choice: Choice) -> str:
        """Return the key of what `take_edge` returned, "" for none."""
        column = self.edge_column(role, choice)
        return column.key if column is not None else choice or ""

    def edge_column(self, role: EdgeRole, choice: Choice) -> Column | None:
        """Return the column of what `take_edge` returned; None also for the colours of the ends."""
        ends = role == "edge_color" and choice == ENDS and ENDS not in self.links.attributes
        return None if choice is None or ends else edge_column(self.edge_columns, role, choice)

    def edge_choice(self, key: object) -> str | None:
        """Return what people call the edge column of a key.

        Raises
        ------
        ValueError
            If there is no such column.
        """
        if key is None or (isinstance(key, str) and not key):
            return None
        if key == ENDS:
            return ENDS
        names = {named_key("e", name): name for name in (WEIGHT, *self.links.attributes)}
        if not isinstance(key, str) or all(column.key != key for column in self.edge_columns):
            raise ValueError(f"there is no edge column {key!r}")
        return names[key]

    def compute(self, name: str, by: Callable[[Graph, str], Statistic] | None = None) -> str:
        """Compute a statistic, whose column `extra_bytes` has from then on, and return its key; in any thread.

        Parameters
        ----------
        name : str
        by : callable, optional
            As for `graphne_viz.graphs.statistics.statistic`.
        """
        column = statistic_column(self._graph, name, by)
        if column.key not in self._custom or name in self.outdated:
            self._add({column.key: (name, column)})
            self.outdated = [other for other in self.outdated if other != name]
        return column.key

    def renewed(self, graph: Graph, at: NDArray[np.intp]) -> ColumnRegistry:
        """Return the columns of another state of the graph.

        Classes keep their colours. Communities stay, and new nodes join those of their neighbours; of other
        statistics the old values stay until they are computed anew, as `outdated` says.

        Parameters
        ----------
        graph : Graph
            As it is now, with n nodes.
        at : ndarray of int, shape (n,)
            The places of its nodes in the graph before; -1 for new ones.
        """
        everything = [*self._own, *(column for _, column in self._custom.values())]
        settings: dict[str, Any] = {"palette": self._palette, "cmap": self.cmap, "norm": self.norm}
        new = ColumnRegistry(graph, kept_colors=self._colors | colors_of(everything), **settings)
        new.color_note = self.color_note
        for key, (name, column) in self._custom.items():
            if key.startswith("s:") and isinstance(column, (ClassColumn, ValueColumn)) and name not in graph.attributes:
                new._add({key: (name, carried(column, graph, at))})
                if name != COMMUNITIES:
                    new.outdated.append(name)
        return new

    def translated(self, choice: Choice, ids: Sequence[Hashable]) -> Choice:
        """Return what `take` of the graph before returned as it can be asked of this one: data by their nodes.

        Parameters
        ----------
        choice
            A name, a mapping, one value per node or whatever else `take` returned.
        ids : sequence of nodes
            Those of the graph before.
        """
        if (
            choice is None
            or isinstance(choice, (str, bool, int, float, tuple, Mapping))
            or not hasattr(choice, "__len__")
        ):
            return choice
        return dict(zip(ids, choice, strict=False)) if len(choice) == len(ids) else choice

    def find(self, name: object) -> Column:
        """Return the column that people call by a name, or the browser by a key; a statistic is computed.

        Raises
        ------
        ValueError
            If there is none.
        """
        if isinstance(name, str):
            name = data_name(self._graph, name)
            key = attribute_key(name) if name in self._graph.attributes else DEGREE_KEY if name == DEGREE else name
            if name == RECALL and RECALL_KEY in self._names:
                key = RECALL_KEY
            known = self.of_key(key)
            if known is None and name in STATISTICS and name not in self._graph.attributes:
                known = self.of_key(self.compute(name))
            if known is not None:
                return known
        raise ValueError(f"there is no column {name!r}")

    def of_key(self, key: str) -> Column | None:
        """Return the column of a key, None if there is none."""
        if key == RECALL_KEY and key in self._names:
            return color_column(self._graph, RECALL)
        return self._custom[key][1] if key in self._custom else self._by_key.get(key)

    def name_of(self, key: str) -> str:
        """Return what people call the column of a key; the key itself where it is made of their own data."""
        name = self._custom[key][0] if key in self._custom else self._names.get(key)
        return name if isinstance(name, str) and name else key

    def _add(self, new: dict[str, tuple[Choice, Column]]) -> None:
        """Add columns; who reads the others meanwhile is not disturbed."""
        with self._adding:
            self._custom = self._custom | new

    @property
    def extra_keys(self) -> tuple[str, ...]:
        """Keys of the columns that `extra_bytes` has."""
        return tuple(self._custom)

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
        if key is None or (isinstance(key, str) and not key):
            return None
        if not isinstance(key, str) or not (key in self._custom or key in self._names):
            raise ValueError(f"there is no column {key!r}")
        return self._custom[key][0] if key in self._custom else self._names[key]

    def graph_bytes(self) -> bytes:
        """Encode the graph with its own columns."""
        return encode_graph(self._graph, self._own, edge_columns=self.edge_columns, cmap=self.cmap)

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
