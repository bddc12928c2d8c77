"""What the XML formats share: a guarded parser that reads the stream once, and escaped text.

networkx's readers are not used: they parse with entities on, build the whole tree, and refuse files that
Gephi writes (mixed edge types, undeclared attributes). This one reads without recursion and knows the line it
is at. Writing goes line by line: no tree of a million elements is ever built.
"""

from __future__ import annotations

import math
import re
from itertools import repeat
from typing import TYPE_CHECKING
from xml.parsers.expat import ErrorString

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import FileProblem, GraphBuilder
from graphne_viz.graphs.io.laid_out import unique_names

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import BinaryIO

    from graphne_viz.graphs.edge_table import EdgeTable
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit

_CHUNK = 1 << 18
_INTEGERS = frozenset({"integer", "int", "long", "short", "byte", "biginteger"})
_REALS = frozenset({"float", "double", "bigdecimal"})
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile("[^\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


class DeclarationError(ValueError):
    """Raised where a document type declares something: defaults of attributes alone can fill the memory."""

    def __init__(self, *_: object) -> None:
        super().__init__("XML whose document type declares elements or attributes is refused")


def guarded_parser(target: object) -> DefusedXMLParser:
    """Return a parser that refuses entities, other files and every declaration; a bare document type is harmless."""
    parser = DefusedXMLParser(target=target, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    expat = parser.parser
    expat.AttlistDeclHandler = expat.ElementDeclHandler = expat.NotationDeclHandler = _refuse_declaration
    return parser


def _refuse_declaration(*_: object) -> None:
    raise DeclarationError


def parse_xml(stream: BinaryIO, target: GraphTarget) -> Graph:
    """Read a file with what knows its format, and refuse entities, other files and declarations."""
    parser = guarded_parser(target)
    expat = parser.parser
    target.locate = lambda: expat.CurrentLineNumber
    # defusedxml's guards stay; the events only take a shorter way past its tree building in pure Python.
    expat.ordered_attributes = False
    expat.StartElementHandler, expat.EndElementHandler = target.start, target.end
    expat.CharacterDataHandler = target.data
    try:
        while chunk := stream.read(_CHUNK):
            parser.feed(chunk)
        parser.close()
    except ParseError as error:
        raise FileProblem(ErrorString(error.code), error.position[0]) from None
    except LookupError as error:
        if type(error) is not LookupError:  # KeyError and IndexError would be ours
            raise
        raise FileProblem(str(error), 1) from None
    except DeclarationError as error:
        raise FileProblem(str(error), target.locate()) from None
    except DefusedXmlException:
        line = target.locate()
        raise FileProblem("XML that declares entities or refers to other files is refused", line) from None
    if not target.found_graph:
        raise FileProblem("there is no <graph> element")
    target.builder.forget_redundant_labels()
    return target.builder.finish()


def typed(text: str, kind: str, locate: Callable[[], int]) -> object:
    """Convert an attribute's text; empty text for a number or a truth value is a missing one."""
    stripped = text.strip()
    try:
        if kind in _INTEGERS:
            return int(stripped) if stripped else None
        if kind in _REALS:
            return float(stripped) if stripped else None
    except ValueError:
        raise FileProblem(f"{text[:80]!r} is not of type {kind}", locate()) from None
    if kind == "boolean":
        return stripped.lower() in {"true", "1"} if stripped else None
    return text


def typed_if_possible(text: str, kind: str) -> object:
    """Convert an attribute of an edge, which is only kept for writing: a wrong one stays text and refuses no graph."""
    try:
        return typed(text, kind, lambda: 0)
    except FileProblem:
        return text


class GraphTarget:
    """What both formats share: the parser calls `start`, `data` and `end` as it reads."""

    root = ""

    def __init__(self, weight: str | None, limit: SizeLimit, *, places_by_name: bool = False) -> None:
        self.builder = GraphBuilder(weight, limit, places_by_name=places_by_name)
        self.locate: Callable[[], int] = lambda: 0
        self.found_graph = False
        self._nodes: list[int] = []  # the nodes we are inside, innermost last
        self._edge: tuple[str, str, int] | None = None
        self._weight: object = None
        self._attributes: dict[str, object] = {}  # of the edge we are inside
        self._directed: bool | None = None
        self._text: list[str] | None = None
        self._depth = 0
        self._handlers: dict[str, Callable[[Mapping[str, str]], None] | None] = {}
        self._enders: dict[str, Callable[[], None] | None] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if not self._depth and local_name(tag) != self.root:
            raise FileProblem(f"the file begins with <{local_name(tag)[:80]}>, not with <{self.root}>", self.locate())
        self._depth += 1
        if tag not in self._handlers:
            self._handlers[tag] = getattr(self, f"_start_{local_name(tag)}", None)
            self._enders[tag] = getattr(self, f"_end_{local_name(tag)}", None)
        handler = self._handlers[tag]
        if handler is not None:
            handler(attributes)

    def data(self, text: str) -> None:
        """Take text within an element."""
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
        """End an element."""
        self._depth -= 1
        handler = self._enders[tag]
        if handler is not None:
            handler()

    def close(self) -> None:
        """Do nothing: the builder holds the result."""

    def _need(self, attributes: Mapping[str, str], name: str, element: str) -> str:
        value = attributes.get(name)
        if value is None:
            raise FileProblem(f"<{element}> has no {name}", self.locate())
        return value

    def _take_text(self) -> str:
        text, self._text = "".join(self._text or ()), None
        return text

    def _start_edge(self, attributes: Mapping[str, str]) -> None:
        ends = (self._need(attributes, "source", "edge"), self._need(attributes, "target", "edge"))
        self._edge = (*ends, self.locate())
        self._weight, self._attributes, self._directed = None, {}, None

    def _end_edge(self) -> None:
        if self._edge is not None:
            source, target, line = self._edge
            self.builder.edge(source, target, self._weight, line, attributes=self._attributes, directed=self._directed)
            self._edge = None

    def _start_node(self, attributes: Mapping[str, str]) -> None:
        self._nodes.append(self.builder.node(self._need(attributes, "id", "node")))

    def _end_node(self) -> None:
        self._nodes.pop()


def local_name(tag: str) -> str:
    """Return the name of an element without its namespace."""
    return tag.rpartition("}")[2]


def legal_xml(text: str) -> str:
    """Replace the characters that XML 1.0 cannot hold in any spelling, such as NUL, by U+FFFD."""
    return _ILLEGAL.sub("\ufffd", text)


def escape_xml(text: str) -> str:
    """Escape text for an attribute or an element; line breaks survive in both.

    Examples
    --------
    >>> escape_xml('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], "\ufffd"), text)


def xml_names(ids: Sequence[Hashable]) -> list[str]:
    """Return the names of nodes as escaped text, all of them different."""
    return [escape_xml(name) for name in unique_names([legal_xml(str(name)) for name in ids])]


def xml_text(value: object) -> str | None:
    """Return a value as escaped text; NaN and infinity in the spelling that Java, and so Gephi, reads."""
    if value is None or isinstance(value, str):
        return value if value is None else escape_xml(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else _not_finite(value)
    return escape_xml(str(value))


def _not_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def per_kind(links: EdgeTable, undirected: str) -> Iterable[str]:
    """Return what to write in each edge, where some have a direction and some have none."""
    if links.mixed is None:
        return repeat("", len(links.ends))
    return ("" if directed else undirected for directed in links.mixed.tolist())
