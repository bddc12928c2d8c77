"""Reading Pajek."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, MAX_NODES
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import FileProblem, GraphBuilder, decode
from graphne_viz.graphs.io.size_limit import limit_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit

_VERTEX = 32  # bytes that a vertex takes at least, named by a line or not
_FIELD = re.compile(r'"([^"]*)"|(\S+)')


def read_pajek(stream: BinaryIO, weight: str | None) -> Graph:
    """Read the first network of a Pajek file; node ids are its numbers from 1, labels the attribute "label".

    Coordinates become "x" and "y". Weights have no name in this format, so `weight` is "weight" or None.
    """
    text = decode(stream)
    reader = _Pajek(weight, limit_of(stream))
    for line, row in enumerate(text.splitlines(), start=1):
        fields = [quoted or plain for quoted, plain in _FIELD.findall(row)]
        if fields and not fields[0].startswith("%") and not reader.take(fields, line):
            break
    return reader.finish()


class _Pajek:
    """Reads line by line; what a line means depends on the last one that began with a star."""

    def __init__(self, weight: str | None, limit: SizeLimit) -> None:
        self._builder = GraphBuilder(weight, limit)
        self._builder.edge_attributes.add(DEFAULT_WEIGHT)
        self._limit = limit
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
            self._n = _number(fields[1:2], line)
            if not 0 <= self._n <= MAX_NODES:
                raise FileProblem(f"{self._n} is not a valid number of vertices", line)
            self._limit.check(_VERTEX * self._n, f"{self._n:,} vertices", line)
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
        number = _number(fields, line)
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
        source, target = (_number(fields[k : k + 1], line) for k in (0, 1))
        self._builder.edge(source, target, fields[2] if len(fields) > 2 else None, line, directed=self._arcs)

    def _edges(self, fields: list[str], line: int) -> None:
        source, *targets = (_number([field], line) for field in fields)
        for target in targets:
            self._builder.edge(source, target, None, line, directed=self._arcs)

    def _matrix(self, fields: list[str], line: int) -> None:
        self._builder.is_matrix = True
        self._row += 1
        for column, value in enumerate(fields, start=1):
            if value != "0":
                self._builder.edge(self._row, column, value, line)


def _number(fields: list[str], line: int) -> int:
    try:
        return int(fields[0])
    except (IndexError, ValueError):
        found = repr(fields[0][:80]) if fields else "nothing"
        raise FileProblem(f"expected a number, found {found}", line) from None
