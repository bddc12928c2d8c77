"""Reading GML, Pajek and node-link JSON."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, MAX_NODES
from graphne_viz.graphs.builder import FileProblem, GraphBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import BinaryIO

    from graphne_viz.graphs.graph import Graph

_GML_TOKEN = re.compile(
    r"""
      (?P<space>\s+|\#[^\n]*)
    | (?P<key>[A-Za-z_][\w.\-]*)
    | (?P<real>[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?\d+[eE][+-]?\d+|[+-](?:INF|inf)\b)
    | (?P<integer>[+-]?\d+)
    | "(?P<text>[^"]*)"
    | (?P<bracket>[\[\]])
    | (?P<wrong>.)
    """,
    re.VERBOSE,
)
_GML_RECORDS = (["graph", "node"], ["graph", "edge"])
_GML_GRAPHICS = ["graph", "node", "graphics"]

_KEY = "key"  # by which networkx tells parallel edges apart; no attribute, and its readers stumble over one

_PAJEK_FIELD = re.compile(r'"([^"]*)"|(\S+)')


def _decode(stream: BinaryIO) -> str:
    """Decode as UTF-8 or, where that fails, as Latin-1: the charset these old formats were defined with."""
    content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_gml(stream: BinaryIO, weight: str | None) -> Graph:
    """Read GML; node ids are the file's numbers, labels the attribute "label", ``graphics`` gives x and y."""
    reader = _Gml(weight)
    line = 1
    for key, value, line in _gml_pairs(_decode(stream)):
        reader.take(key, value, line)
    return reader.finish(line)


class _Gml:
    """Follows the brackets of a GML file without recursion, however deep they are."""

    def __init__(self, weight: str | None) -> None:
        self._builder = GraphBuilder(weight)
        self._path: list[str] = []  # the keys of the brackets we are inside
        self._record: dict[str, Any] = {}  # what the node or edge we are inside says
        self._graphics: dict[str, Any] = {}
        self._flags: dict[str, Any] = {}
        self._opened = 0
        self._found = False

    def take(self, key: str, value: Any, line: int) -> None:  # noqa: ANN401 -- a bracket, or a tuple of one value
        if value == "[":
            self._path.append(key)
            self._found = self._found or self._path == ["graph"]
            if len(self._path) == 2:
                self._record, self._graphics, self._opened = {}, {}, line
        elif value == "]":
            self._close(line)
        elif self._path in _GML_RECORDS:
            self._record[key] = value[0]
        elif self._path == _GML_GRAPHICS and key in {"x", "y"}:
            self._graphics[key] = value[0]
        elif self._path == ["graph"]:
            self._flags[key] = value[0]

    def _close(self, line: int) -> None:
        if not self._path:
            raise FileProblem("']' without '['", line)
        if self._path == ["graph", "node"]:
            self._node()
        elif self._path == ["graph", "edge"]:
            self._edge()
        self._path.pop()

    def _node(self) -> None:
        if "id" not in self._record:
            raise FileProblem("the node has no id", self._opened)
        place = self._builder.node(self._record.pop("id"))
        for name, value in self._record.items():
            self._builder.set(place, name, value)
        for axis, value in self._graphics.items():
            self._builder.position(place, axis, value)

    def _edge(self) -> None:
        for end in ("source", "target"):
            if end not in self._record:
                raise FileProblem(f"the edge has no {end}", self._opened)
        source, target = self._record.pop("source"), self._record.pop("target")
        if self._flags.get("multigraph") == 1:
            self._record.pop(_KEY, None)
        self._builder.edge_attributes.update(self._record)
        weight = self._record.get(self._builder.weight or "")
        self._builder.edge(source, target, weight, self._opened, attributes=self._record)

    def finish(self, line: int) -> Graph:
        if self._path:
            raise FileProblem(f"the '[' after {self._path[-1]!r} is never closed", line)
        if not self._found:
            raise FileProblem("there is no 'graph ['")
        self._builder.forget_redundant_labels()
        self._builder.directed = self._flags.get("directed") == 1
        return self._builder.finish()


def _gml_pairs(text: str) -> Iterator[tuple[str, Any, int]]:
    """Yield key, value and line; a value is "[" or "]", or a tuple of one number or string."""
    line, key = 1, ""
    for token in _GML_TOKEN.finditer(text):
        kind, value = token.lastgroup, token.group(token.lastgroup or 0)
        if kind == "space":
            line += value.count("\n")
        elif kind == "key" and not key:
            key = value
        elif kind == "key" and value in {"NAN", "INF"}:  # as networkx writes them
            yield key, (float(value),), line
            key = ""
        elif kind == "bracket" and (value == "[") == bool(key):
            yield key, value, line
            key = ""
        elif kind in {"real", "integer", "text"} and key:
            yield key, (_gml_scalar(kind, value, line),), line
            line += value.count("\n")
            key = ""
        else:
            expected = f"a value after {key!r}" if key else "a name"
            raise FileProblem(f"expected {expected}, found {value[:80]!r}", line)
    if key:
        raise FileProblem(f"expected a value after {key!r}, found the end", line)


def _gml_scalar(kind: str | None, value: str, line: int) -> object:
    if kind == "text":
        return html.unescape(value)
    try:
        return float(value) if kind == "real" else int(value)
    except ValueError:  # thousands of digits
        raise FileProblem("a number is too long", line) from None


def read_pajek(stream: BinaryIO, weight: str | None) -> Graph:
    """Read the first network of a Pajek file; node ids are its numbers from 1, labels the attribute "label".

    Coordinates become "x" and "y". Weights have no name in this format, so `weight` is "weight" or None.
    """
    text = _decode(stream)
    reader = _Pajek(weight, most=min(MAX_NODES, 10_000_000 + len(text)))
    for line, row in enumerate(text.splitlines(), start=1):
        fields = [quoted or plain for quoted, plain in _PAJEK_FIELD.findall(row)]
        if fields and not fields[0].startswith("%") and not reader.take(fields, line):
            break
    return reader.finish()


class _Pajek:
    """Reads line by line; what a line means depends on the last one that began with a star."""

    def __init__(self, weight: str | None, most: int) -> None:
        self._builder = GraphBuilder(weight)
        self._builder.edge_attributes.add(DEFAULT_WEIGHT)
        self._most = most
        self._n: int | None = None
        self._row = 0
        self._arcs = False
        self._read: Callable[[list[str], int], None] = self._before

    def take(self, fields: list[str], line: int) -> bool:
        """Read a line; False says that a second network begins."""
        if not fields[0].startswith("*"):
            self._read(fields, line)
            return True
        section = fields[0].lower()
        if section == "*vertices":
            if self._n is not None:
                return False
            self._n = _pajek_number(fields[1:2], line)
            if not 0 <= self._n <= self._most:
                raise FileProblem(f"{self._n} vertices cannot be", line)
            for number in range(1, self._n + 1):
                self._builder.node(number)
        elif section != "*network" and self._n is None:
            self._before(fields, line)
        self._row, self._arcs = 0, section.startswith("*arcs")
        self._read = {
            "*vertices": self._vertex,
            "*edges": self._edge,
            "*arcs": self._edge,
            "*edgeslist": self._edges,
            "*arcslist": self._edges,
            "*matrix": self._matrix,
        }.get(section, self._ignore)
        return True

    def finish(self) -> Graph:
        if self._n is None:
            raise FileProblem("there is no *Vertices")
        self._builder.forget_redundant_labels()
        return self._builder.finish()

    def _before(self, _: list[str], line: int) -> None:
        raise FileProblem("the file must begin with *Vertices", line)

    def _ignore(self, fields: list[str], line: int) -> None:
        """Skip a line of a section that says nothing about the graph."""

    def _vertex(self, fields: list[str], line: int) -> None:
        number = _pajek_number(fields, line)
        if not 1 <= number <= (self._n or 0):
            raise FileProblem(f"vertex {number} is not between 1 and {self._n}", line)
        if len(fields) > 1:
            self._builder.set(number - 1, "label", fields[1])
        if len(fields) > 3:
            try:
                x, y = float(fields[2]), float(fields[3])
            except ValueError:  # a shape or another parameter, not coordinates
                return
            self._builder.position(number - 1, "x", x)
            self._builder.position(number - 1, "y", y)

    def _edge(self, fields: list[str], line: int) -> None:
        source, target = (_pajek_number(fields[k : k + 1], line) for k in (0, 1))
        self._builder.edge(source, target, fields[2] if len(fields) > 2 else None, line, directed=self._arcs)

    def _edges(self, fields: list[str], line: int) -> None:
        source, *targets = (_pajek_number([field], line) for field in fields)
        for target in targets:
            self._builder.edge(source, target, None, line, directed=self._arcs)

    def _matrix(self, fields: list[str], line: int) -> None:
        self._builder.direction = "listed"
        self._row += 1
        for column, value in enumerate(fields, start=1):
            if value != "0":
                self._builder.edge(self._row, column, value, line)


def _pajek_number(fields: list[str], line: int) -> int:
    try:
        return int(fields[0])
    except (IndexError, ValueError):
        found = repr(fields[0][:80]) if fields else "nothing"
        raise FileProblem(f"expected a number, found {found}", line) from None


def read_json(stream: BinaryIO, weight: str | None) -> Graph:
    """Read networkx's node-link JSON, with its edges under "edges" or "links".

    A node without an id has its place in the list as id, as in D3's examples. Positions are "x" and "y", as there.
    """
    try:
        return _graph_from_json(json.loads(stream.read()), weight)
    except json.JSONDecodeError as error:
        raise FileProblem(error.msg, error.lineno) from None
    except UnicodeDecodeError:
        raise FileProblem("the file is not UTF-8 text") from None
    except RecursionError:
        raise FileProblem("the JSON is nested too deeply") from None


def _graph_from_json(content: object, weight: str | None) -> Graph:
    nodes, edges = _json_lists(content)
    builder = GraphBuilder(weight, places_by_name=True)
    flags = content if isinstance(content, dict) else {}
    builder.directed = flags.get("directed") is True
    skipped = {"source", "target", *([_KEY] if flags.get("multigraph") is True else [])}
    for i, node in enumerate(nodes):
        if not isinstance(node, dict):
            raise FileProblem(f"node {i} is not an object")
        place = builder.node(_json_id(node.get("id", i)))
        for name, value in node.items():
            if name != "id":
                builder.set(place, name, value)
    for i, edge in enumerate(edges):
        if not isinstance(edge, dict) or "source" not in edge or "target" not in edge:
            raise FileProblem(f"edge {i} is not an object with source and target")
        said = {name: value for name, value in edge.items() if name not in skipped}
        builder.edge_attributes.update(said)
        builder.edge(_json_id(edge["source"]), _json_id(edge["target"]), edge.get(weight), None, attributes=said)
    return builder.finish()


def _json_lists(content: object) -> tuple[list[Any], list[Any]]:
    if isinstance(content, dict):
        nodes, edges = content.get("nodes"), content.get("edges", content.get("links"))
        if isinstance(nodes, list) and isinstance(edges, list):
            return nodes, edges
    raise FileProblem('node-link JSON is an object with lists "nodes" and "edges" (or "links")')


def _json_id(value: object) -> Hashable:
    """Return an id as networkx does: lists become tuples."""
    if isinstance(value, list):
        return tuple(_json_id(part) for part in value)
    if isinstance(value, dict):
        raise FileProblem(f"{str(value)[:80]} cannot be a node's id")
    return value
