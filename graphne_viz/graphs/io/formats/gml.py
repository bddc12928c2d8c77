"""Reading GML."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import PARALLEL_KEY, FileProblem, GraphBuilder, decode
from graphne_viz.graphs.io.size_limit import limit_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit

_TOKEN = re.compile(
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
_RECORDS = (["graph", "node"], ["graph", "edge"])
_GRAPHICS = ["graph", "node", "graphics"]


def read_gml(stream: BinaryIO, weight: str | None) -> Graph:
    """Read GML; node ids are the file's numbers, labels the attribute "label", ``graphics`` gives x and y."""
    reader = _Gml(weight, limit_of(stream))
    line = 1
    for key, value, line in _pairs(decode(stream)):
        reader.take(key, value, line)
    return reader.finish(line)


class _Gml:
    """Follows the brackets of a GML file without recursion, however deep they are."""

    def __init__(self, weight: str | None, limit: SizeLimit) -> None:
        self._builder = GraphBuilder(weight, limit)
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
        elif self._path in _RECORDS:
            self._record[key] = value[0]
        elif self._path == _GRAPHICS and key in {"x", "y"}:
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
        place = self._builder.new_node(self._record.pop("id"), self._opened)
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
            self._record.pop(PARALLEL_KEY, None)
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


def _pairs(text: str) -> Iterator[tuple[str, Any, int]]:
    """Yield key, value and line; a value is "[" or "]", or a tuple of one number or string."""
    line, key = 1, ""
    for token in _TOKEN.finditer(text):
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
            yield key, (_scalar(kind, value, line),), line
            line += value.count("\n")
            key = ""
        else:
            expected = f"a value after {key!r}" if key else "a name"
            raise FileProblem(f"expected {expected}, found {value[:80]!r}", line)
    if key:
        raise FileProblem(f"expected a value after {key!r}, found the end", line)


def _scalar(kind: str | None, value: str, line: int) -> object:
    if kind == "text":
        return html.unescape(value)
    try:
        return float(value) if kind == "real" else int(value)
    except ValueError:  # thousands of digits
        raise FileProblem("a number is too long", line) from None
