"""A graph put together piece by piece while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, bad_weight, unknown_weight
from graphne_viz.graphs.attributes import SparseColumns, are_sparse, filled
from graphne_viz.graphs.build import build_graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import BinaryIO, TypeAlias

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit

    _Values: TypeAlias = Mapping[int, object]

PARALLEL_KEY = "key"
"""By which networkx tells parallel edges apart; no attribute, and its readers stumble over one."""


class FileProblem(Exception):  # noqa: N818 -- never reaches a user: `read_graph` turns it into a ValueError
    """What is wrong in a file, and in which line if that is known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


def decode(stream: BinaryIO) -> str:
    """Decode as UTF-8 or, where that fails, as Latin-1: the charset these old formats were defined with."""
    content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def parse_weight(value: object, edge: tuple[Hashable, Hashable], line: int | None) -> float | None:
    """Read a weight as it stands in a file; None or empty text is a missing one."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever it is, float() decides
    except (TypeError, ValueError, OverflowError):
        raise FileProblem(str(bad_weight(edge, value)), line) from None
    if not 0 <= number < np.inf:
        raise FileProblem(str(bad_weight(edge, number)), line)
    return number


class GraphBuilder:
    """Collects nodes, attributes and edges in any order.

    Parameters
    ----------
    weight : str or None
        The edge attribute the caller wants as weight.
    limit : SizeLimit
        What the file may take in memory.
    places_by_name : bool
        Whether the format has no place for positions, so that finite real numbers "x" and "y" of all nodes are these.
    """

    def __init__(self, weight: str | None, limit: SizeLimit, *, places_by_name: bool = False) -> None:
        self.weight = weight
        self._limit = limit
        self.directed = False
        self.is_matrix = False  # then an undirected edge stands there in both directions
        self.edge_attributes: set[str] = set()
        self._places: dict[Hashable, int] = {}
        self._columns: dict[str, dict[int, object]] = {}
        self._defaults: dict[str, object] = {}
        self._places_by_name = places_by_name
        self._positions: dict[str, dict[int, object]] = {}
        self._edge_columns: dict[str, dict[int, object]] = {}
        self._edge_defaults: dict[str, object] = {}
        self._directed: list[bool | None] = []
        self._sources: list[Hashable] = []
        self._targets: list[Hashable] = []
        self._weights: list[float | None] = []
        self._lines: list[int | None] = []

    @property
    def n_edges(self) -> int:
        """Number of edges so far."""
        return len(self._sources)

    def node(self, name: Hashable) -> int:
        """Declare a node, a second time without effect, and return its place."""
        return self._places.setdefault(name, len(self._places))

    def new_node(self, name: Hashable, line: int | None = None) -> int:
        """Declare a node that must not be there yet, and return its place; 1 and 1.0 are one."""
        place = len(self._places)
        if self.node(name) != place:
            raise FileProblem(f"the id {name!r} belongs to another node already", line)
        return place

    def set(self, place: int, attribute: str, value: object) -> None:
        """Give a node an attribute; a later value replaces an earlier one."""
        self._columns.setdefault(attribute, {})[place] = value

    def default(self, attribute: str, value: object) -> None:
        """Give an attribute to all nodes that will have no value of their own."""
        self._defaults[attribute] = value

    def position(self, place: int, axis: str, value: object) -> None:
        """Say where the file has a node; an attribute of that name goes before it."""
        self._positions.setdefault(axis, {})[place] = value

    def edge_default(self, attribute: str, value: object) -> None:
        """Give an attribute to all edges that will have no value of their own."""
        if value is not None:
            self._edge_defaults[attribute] = value

    def edge(
        self,
        source: Hashable,
        target: Hashable,
        weight: object,
        line: int | None,
        *,
        attributes: Mapping[str, object] | None = None,
        directed: bool | None = None,
    ) -> None:
        """Add an edge; its nodes may be declared later, a weight of None is missing.

        What is said in `attributes` is kept for writing. An edge that does not say whether it is directed is as
        `self.directed` says in the end.
        """
        value = None if self.weight is None else parse_weight(weight, (source, target), line)
        for name, given in (attributes or {}).items():
            if name == self.weight == DEFAULT_WEIGHT:
                continue
            column = self._edge_columns.setdefault(name, {})
            if given is not None:
                column[self.n_edges] = given
        self._directed.append(directed)
        self._sources.append(source)
        self._targets.append(target)
        self._weights.append(value)
        self._lines.append(line)

    def forget_redundant_labels(self) -> None:
        """Drop labels that only repeat the nodes' ids."""
        labels = self._columns.get("label", {})
        names = list(self._places)
        if all(names[place] == label for place, label in labels.items()):
            self._columns.pop("label", None)

    def finish(self) -> Graph:
        """Return the graph.

        Raises
        ------
        FileProblem
            If an edge names a node that was never declared, or no edge has the weight asked for.
        """
        rows, columns = self._resolve(self._sources), self._resolve(self._targets)
        weights = None
        if any(value is not None for value in self._weights):
            weights = np.array([1.0 if value is None else value for value in self._weights])
        elif self._sources and self.weight not in {None, DEFAULT_WEIGHT, *self.edge_attributes}:
            raise FileProblem(str(unknown_weight(self.weight, self.edge_attributes, "an attribute of any edge")))
        ids = tuple(self._places)
        values = self._with_defaults(self._columns, self._defaults)
        axes = frozenset(self._positions) - values.keys()
        values |= {name: self._positions[name] for name in self._positions if name in axes}
        attributes = self._kept(values, len(ids), self._defaults, "nodes")
        if self._places_by_name and not axes and all(_is_axis(attributes.get(name)) for name in "xy"):
            axes = frozenset("xy")
        directed = np.array([self.directed if own is None else own for own in self._directed], dtype=bool)
        return build_graph(
            ids,
            rows,
            columns,
            weights,
            "stored"
            if self.is_matrix
            else directed
            if len(directed)
            else "directed"
            if self.directed
            else "undirected",
            edge_attributes=self._edge_attributes(),
            attributes=attributes,
            origin="networkx",
            axes=axes,
        )

    def _edge_attributes(self) -> Mapping[str, NDArray[np.generic]]:
        values = self._with_defaults(self._edge_columns, self._edge_defaults)
        kept = {name: column for name, column in values.items() if not name == self.weight == DEFAULT_WEIGHT}
        return self._kept(kept, self.n_edges, self._edge_defaults, "edges")

    @staticmethod
    def _with_defaults(columns: Mapping[str, _Values], defaults: Mapping[str, object]) -> dict[str, _Values]:
        """Return the values of all columns, also of those that have none of their own."""
        return {name: columns.get(name, {}) for name in {**columns, **defaults}}

    def _kept(
        self, columns: Mapping[str, _Values], n: int, defaults: Mapping[str, object], what: str
    ) -> Mapping[str, NDArray[np.generic]]:
        """Return columns of n values; by those that there are where nearly all are missing or there is no room."""
        if not are_sparse(columns, n) and self._limit.has_room_for_columns(n, len(columns)):
            return {name: filled(values, n, defaults.get(name)) for name, values in columns.items()}
        self._limit.check_sparse_columns(len(columns), sum(map(len, columns.values())), what)
        return SparseColumns(columns, n, defaults)

    def _resolve(self, names: list[Hashable]) -> NDArray[np.int64]:
        try:
            return np.fromiter(map(self._places.__getitem__, names), dtype=np.int64, count=len(names))
        except KeyError:
            k = next(k for k, name in enumerate(names) if name not in self._places)
            edge = (self._sources[k], self._targets[k])
            text = f"edge {edge!r} names node {names[k]!r}, which the file does not declare"
            raise FileProblem(text, self._lines[k]) from None


def _is_axis(column: NDArray[np.generic] | None) -> bool:
    """Tell whether a column can be one of positions; whole numbers are rather data."""
    return column is not None and column.dtype.kind == "f" and bool(np.isfinite(column.astype(np.float64)).all())
