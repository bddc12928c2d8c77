"""What every writer needs: a graph with positions, checked, and its values in plain types."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.attributes import fullest_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.graphs.edge_table import EdgeTable
    from graphne_viz.graphs.graph import Graph

NAME = "graphne_viz"
"""What a file calls the account of how it was made, where it has to have a name; its generator begins with it."""

DIRECTED = "directed"
"""The edge attribute that tells directed edges from others, where a format or library has no mixed graphs."""

Kind = Literal["boolean", "long", "double", "string"]
"""Types of attributes, as GEXF and GraphML call them."""

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # full-width ones, too
_FORMULA_WITHIN = re.compile("(;|(?!\\A)[\t\r\n])(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])")
_MARKED = re.compile("(\\A|[;\t\r\n])'(?=[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")
_HEX_COLOR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


@dataclass(frozen=True, eq=False)
class LaidOut:
    """A graph with everything that is written about it.

    Attributes
    ----------
    graph : Graph
    positions : ndarray, shape (n, 2) or (n, 3)
    attributes : mapping of str to ndarray, shape (n,)
        The graph's, without those that the new positions and colours replace.
    colors : ndarray of uint8, shape (n, 4), or None
        Red, green, blue and alpha.
    sizes : ndarray, shape (n,), or None
    metadata : dict
        Plain JSON values.
    """

    graph: Graph
    positions: NDArray[np.float64]
    attributes: Mapping[str, NDArray[np.generic]]
    colors: NDArray[np.uint8] | None
    sizes: NDArray[np.float64] | None
    metadata: dict[str, object]

    @cached_property
    def links(self) -> EdgeTable:
        """The edges as the caller or a file gave them."""
        links = self.graph.links
        return replace(links, attributes=fullest_columns(links.attributes, "written"))

    @property
    def axes(self) -> str:
        """Names of the axes, "xy" or "xyz"."""
        return "xyz"[: self.positions.shape[1]]

    def beside(self, own: Collection[str]) -> dict[str, NDArray[np.generic]]:
        """Return the attributes as columns beside those of the layout, which have the names in `own`.

        One called like an axis is the caller's and gets another name; colours and sizes replace theirs.
        """
        axes = set(self.axes)
        kept = {name: column for name, column in self.attributes.items() if name in axes or name not in own}
        return renamed(kept, own)

    def plain_columns(self) -> list[tuple[str, list[object]]]:
        """Return everything known about the nodes as named columns of plain values, the positions first."""
        columns: list[tuple[str, list[object]]] = [
            (axis, values.tolist()) for axis, values in zip(self.axes, self.positions.T, strict=True)
        ]
        if self.colors is not None:
            columns.append(("color", [f"#{bytes(color[:3]).hex()}" for color in self.colors.tolist()]))
        if self.sizes is not None:
            columns.append(("size", self.sizes.tolist()))
        others = self.beside({title for title, _ in columns})
        return columns + [(title, typed_values(column)[1]) for title, column in others.items()]

    def edge_columns(self, taken: Collection[str]) -> list[tuple[str, Kind, list[object]]]:
        """Return the attributes of the edges with their types, under names that are not taken."""
        return [(title, *typed_values(column)) for title, column in renamed(self.links.attributes, taken).items()]


def lay_out(
    graph: Graph,
    positions: ArrayLike,
    colors: ArrayLike | Sequence[str] | None,
    sizes: ArrayLike | None,
    metadata: Mapping[str, object] | None,
) -> LaidOut:
    """Check what is to be written; see `graphne_viz.graphs.io.files.write_layout` for the arguments."""
    n = graph.n_nodes
    places = np.array(positions, dtype=np.float64)
    if not n and not places.size:
        places = places.reshape(0, places.shape[1] if places.ndim == 2 and places.shape[1] == 3 else 2)
    if places.ndim != 2 or len(places) != n or places.shape[1] not in {2, 3}:
        raise ValueError(f"positions has shape {places.shape}; it must be ({n}, 2) or ({n}, 3)")
    if not np.isfinite(places).all():
        row = int((~np.isfinite(places).all(axis=1)).argmax())
        raise ValueError(f"the position of node {graph.ids[row]!r} is {places[row].tolist()}; it must be finite")
    replaced = set(graph.axes)
    # A file with positions by name does not say whether its z is one of them; where there is a new one, it is.
    if {"x", "y"} <= replaced and places.shape[1] == 3:
        replaced.add("z")
    # Together these are a colour as Gephi writes it; alone they may be anything.
    if colors is not None and {"r", "g", "b"} <= graph.attributes.keys():
        replaced |= set("rgba")
    attributes = fullest_columns(graph.attributes, "written")
    return LaidOut(
        graph,
        places,
        {name: column for name, column in attributes.items() if name not in replaced},
        None if colors is None else _as_rgba(colors, n),
        None if sizes is None else _as_sizes(sizes, n),
        {str(name): as_json(value) for name, value in (metadata or {}).items()},
    )


def _as_rgba(colors: ArrayLike | Sequence[str], n: int) -> NDArray[np.uint8]:
    accepted = f"accepted are {n} rows of 3 or 4 numbers, floats from 0 to 1 or integers to 255, or '#rrggbb'"
    array = np.asarray(colors)
    if array.dtype.kind in "UO" and array.shape == (n,):
        for text in array.tolist():
            if not isinstance(text, str) or not _HEX_COLOR.fullmatch(text):
                raise ValueError(f"{text!r} in colors is not a colour; {accepted}")
        rows = [bytes.fromhex(text[1:].ljust(8, "f")) for text in array.tolist()]
        return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(n, 4)
    if array.ndim != 2 or array.shape[0] != n or array.shape[1] not in {3, 4} or array.dtype.kind not in "iuf":
        raise ValueError(f"colors has shape {array.shape} and dtype {array.dtype}; {accepted}")
    top = 1 if array.dtype.kind == "f" else 255
    if array.size and not (array.min() >= 0 and array.max() <= top):
        raise ValueError(f"colors reach from {array.min()} to {array.max()}; {accepted}")
    rgba = np.full((n, 4), 255, dtype=np.uint8)
    rgba[:, : array.shape[1]] = np.rint(array * (255 / top))
    return rgba


def _as_sizes(sizes: ArrayLike, n: int) -> NDArray[np.float64]:
    array = np.asarray(sizes, dtype=np.float64)
    if array.shape not in {(), (n,)}:
        raise ValueError(f"sizes has shape {array.shape}; it must be one number or ({n},)")
    if not ((array >= 0) & (array < np.inf)).all():
        raise ValueError("sizes must be finite and not negative")
    return np.array(np.broadcast_to(array, (n,)))


def link_columns(links: EdgeTable) -> dict[str, list[object]]:
    """Return what is known about edges as named columns of plain values, for a graph that is directed as a whole.

    Where only some edges have a direction, "directed" says which.
    """
    columns: dict[str, list[object]] = {DEFAULT_WEIGHT: links.weights.tolist()}
    if links.mixed is not None:
        columns[DIRECTED] = links.mixed.tolist()
    return columns | {name: typed_values(values)[1] for name, values in links.attributes.items()}


def typed_values(column: NDArray[np.generic]) -> tuple[Kind, list[object]]:
    """Return the narrowest type that holds a column, and its values as plain Python ones.

    Examples
    --------
    >>> typed_values(np.array([1, None, 2.5], dtype=object))
    ('double', [1, None, 2.5])
    """
    kinds: dict[str, Kind] = {"b": "boolean", "i": "long", "f": "double"}
    if column.dtype.kind in kinds:
        return kinds[column.dtype.kind], column.tolist()
    values = [value.item() if isinstance(value, np.generic) else value for value in column.tolist()]
    types = {type(value) for value in values if value is not None}
    if types == {bool}:
        return "boolean", values
    if types == {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return "long", values
    if types == {float} or (types == {int, float} and all(_fits_float(value) for value in values)):
        return "double", values
    return "string", values


def _fits_float(value: object) -> bool:
    return not isinstance(value, int) or abs(value) <= 2**53


def unique_names(names: list[str], suffix: str = " ({})") -> list[str]:
    """Tell equal names apart, as 1 and "1" become when both are text.

    Examples
    --------
    >>> unique_names(["1", "a", "1"])
    ['1', 'a', '1 (2)']
    >>> unique_names(["1", "a", "1"], "_{}")
    ['1', 'a', '1_2']
    """
    taken = set(names)
    if len(taken) == len(names):
        return names
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        candidate = name
        while count > 1 and (candidate == name or candidate in taken):
            candidate = name + suffix.format(count)
            count += 1
        seen[name] = max(seen[name], count - 1)
        taken.add(candidate)
        unique.append(candidate)
    return unique


def as_cell(text: str) -> str:
    """Return text as a cell of csv that no spreadsheet takes for a formula, which could call the network.

    Examples
    --------
    >>> as_cell("=HYPERLINK(1)"), as_cell("-7"), as_cell("a=b")
    ("'=HYPERLINK(1)", '-7', 'a=b')

    Some spreadsheets take a semicolon for the end of a cell, quoted or not:

    >>> as_cell("a;=1+1")
    "a;'=1+1"
    """
    text = _FORMULA_WITHIN.sub(r"\1'", text)
    if not text.startswith(_BEGINS_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def from_cell(text: str) -> str:
    """Return the text that `as_cell` made a cell of.

    Examples
    --------
    >>> from_cell("'=HYPERLINK(1)"), from_cell("a;'=1+1"), from_cell("'quoted'")
    ('=HYPERLINK(1)', 'a;=1+1', "'quoted'")
    """
    plain = _MARKED.sub(r"\1", text)
    return plain if as_cell(plain) == text else text


def free_name(name: str, taken: Collection[str], prefix: str) -> str:
    """Put `prefix` before a name until it is not taken."""
    while name in taken:
        name = prefix + name
    return name


def renamed(columns: Mapping[str, NDArray[np.generic]], taken: Collection[str]) -> dict[str, NDArray[np.generic]]:
    """Put "attribute_" before the names that are taken, until no other column has them.

    Examples
    --------
    >>> list(renamed({"x": np.zeros(1), "attribute_x": np.ones(1)}, {"x", "y"}))
    ['attribute_attribute_x', 'attribute_x']
    """
    names = {*taken, *columns}
    return {free_name(name, names, "attribute_") if name in taken else name: columns[name] for name in columns}


def as_json(value: object) -> object:
    """Return a value as JSON can hold it: NaN and infinity become null, unknown types text."""
    try:
        return _as_json(value)
    except RecursionError:  # a list that contains itself
        return object.__repr__(value)


def _as_json(value: object) -> object:
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _as_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_as_json(part) for part in value]
    return str(value)
