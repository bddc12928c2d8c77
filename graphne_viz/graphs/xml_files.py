"""Reading GEXF and GraphML.

networkx's readers are not used: they parse with entities on, build the whole tree, and refuse files that
Gephi writes (mixed edge types, undeclared attributes). These read the stream once, without recursion, and
know the line they are at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers.expat import ErrorString

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.builder import FileProblem, GraphBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

    from graphne_viz.graphs.graph import Graph

_CHUNK = 1 << 18

_INTEGERS = frozenset({"integer", "int", "long", "short", "byte", "biginteger"})
_REALS = frozenset({"float", "double", "bigdecimal"})


def read_gexf(stream: BinaryIO, weight: str | None) -> Graph:
    """Read GEXF 1.1 to 1.3, static or dynamic, flat or nested.

    Node ids are strings. A label that differs from the id becomes the attribute "label", ``viz:position`` the
    attributes "x" and "y" where there are none. Of values that change over time the last one is kept. A mutual edge
    counts as one without direction.
    """
    return _parse(stream, _Gexf(weight))


def read_graphml(stream: BinaryIO, weight: str | None) -> Graph:
    """Read the first graph of a GraphML file; node ids are strings.

    Nodes of nested graphs count as nodes. yEd's labels and positions become "label", "x" and "y". Other programs keep
    positions as "x" and "y".
    """
    return _parse(stream, _GraphML(weight))


def _parse(stream: BinaryIO, target: _Target) -> Graph:
    parser = DefusedXMLParser(target=target, forbid_dtd=False, forbid_entities=True, forbid_external=True)
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
    except DefusedXmlException:
        line = target.locate()
        raise FileProblem("XML that declares entities or refers to other files is refused", line) from None
    if not target.found_graph:
        raise FileProblem("there is no <graph> element")
    target.builder.forget_redundant_labels()
    return target.builder.finish()


def _typed(text: str, kind: str, locate: Callable[[], int]) -> object:
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


def _typed_if_it_can_be(text: str, kind: str) -> object:
    """Convert an attribute of an edge, which is only kept for writing: a wrong one stays text and refuses no graph."""
    try:
        return _typed(text, kind, lambda: 0)
    except FileProblem:
        return text


class _Target:
    """What both formats share: the parser calls `start`, `data` and `end` as it reads."""

    root = ""

    def __init__(self, weight: str | None, *, places_by_name: bool = False) -> None:
        self.builder = GraphBuilder(weight, places_by_name=places_by_name)
        self.locate: Callable[[], int] = lambda: 0
        self.found_graph = False
        self._nodes: list[int] = []  # the nodes we are inside, innermost last
        self._edge: tuple[str, str, int] | None = None
        self._weight: object = None
        self._said: dict[str, object] = {}  # the attributes of the edge we are inside
        self._directed: bool | None = None
        self._text: list[str] | None = None
        self._depth = 0
        self._handlers: dict[str, Callable[[Mapping[str, str]], None] | None] = {}
        self._enders: dict[str, Callable[[], None] | None] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self._depth and _local(tag) != self.root:
            raise FileProblem(f"the file begins with <{_local(tag)[:80]}>, not with <{self.root}>", self.locate())
        self._depth += 1
        if tag not in self._handlers:
            self._handlers[tag] = getattr(self, f"_start_{_local(tag)}", None)
            self._enders[tag] = getattr(self, f"_end_{_local(tag)}", None)
        handler = self._handlers[tag]
        if handler is not None:
            handler(attributes)

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
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
        self._weight, self._said, self._directed = None, {}, None

    def _end_edge(self) -> None:
        if self._edge is not None:
            source, target, line = self._edge
            self.builder.edge(source, target, self._weight, line, attributes=self._said, directed=self._directed)
            self._edge = None

    def _start_node(self, attributes: Mapping[str, str]) -> None:
        self._nodes.append(self.builder.node(self._need(attributes, "id", "node")))

    def _end_node(self) -> None:
        self._nodes.pop()


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


class _Gexf(_Target):
    root = "gexf"

    def __init__(self, weight: str | None) -> None:
        super().__init__(weight)
        self._class = ""
        self._declared: dict[tuple[str, str], tuple[str, str]] = {}
        self._declaring: tuple[str, str] = ("", "")

    def _start_graph(self, attributes: Mapping[str, str]) -> None:
        if not self.found_graph:
            self.builder.directed = attributes.get("defaultedgetype") == "directed"
        self.found_graph = True

    def _start_attributes(self, attributes: Mapping[str, str]) -> None:
        self._class = attributes.get("class", "node")

    def _start_attribute(self, attributes: Mapping[str, str]) -> None:
        key = self._need(attributes, "id", "attribute")
        title = attributes.get("title", key)
        self._declaring = (title, attributes.get("type", "string").lower())
        self._declared[self._class, key] = self._declaring
        if self._class == "edge":
            self.builder.edge_attributes.add(title)

    def _start_default(self, _: Mapping[str, str]) -> None:
        self._text = []

    def _end_default(self) -> None:
        (title, kind), text = self._declaring, self._take_text()
        if self._class == "node":
            self.builder.default(title, _typed(text, kind, self.locate))
        elif self._class == "edge":
            self.builder.edge_default(title, _typed_if_it_can_be(text, kind))

    def _start_node(self, attributes: Mapping[str, str]) -> None:
        super()._start_node(attributes)
        if (label := attributes.get("label")) is not None:
            self.builder.set(self._nodes[-1], "label", label)

    def _start_edge(self, attributes: Mapping[str, str]) -> None:
        super()._start_edge(attributes)
        if "weight" in attributes:
            self.builder.edge_attributes.add("weight")
            if self.builder.weight == "weight":
                self._weight = attributes["weight"]
            self._said["weight"] = _typed_if_it_can_be(attributes["weight"], "double")
        if attributes.get("label"):
            self._said["label"] = attributes["label"]
        if "type" in attributes:
            self._directed = attributes["type"].lower() == "directed"

    def _start_attvalue(self, attributes: Mapping[str, str]) -> None:
        key, text = attributes.get("for", attributes.get("id")), attributes.get("value")
        if key is None or text is None:
            return
        if self._edge is not None:
            title, kind = self._declared.get(("edge", key), (key, "string"))
            if self.builder.weight in (title, key):
                self._weight = text
            if self.builder.weight != DEFAULT_WEIGHT or key != DEFAULT_WEIGHT:
                self._said[title] = _typed_if_it_can_be(text, kind)
        elif self._nodes:
            title, kind = self._declared.get(("node", key), (key, "string"))
            self.builder.set(self._nodes[-1], title, _typed(text, kind, self.locate))

    def _start_position(self, attributes: Mapping[str, str]) -> None:
        for axis in ("x", "y"):
            if self._nodes and axis in attributes:
                value = _typed(attributes[axis], "double", self.locate)
                self.builder.position(self._nodes[-1], axis, value)


class _GraphML(_Target):
    root = "graphml"

    def __init__(self, weight: str | None) -> None:
        super().__init__(weight, places_by_name=True)
        self._keys: dict[str, tuple[str, str, str]] = {}
        self._key: str | None = None
        self._graphs: list[bool] = []  # those we are inside, innermost last: whether their edges have a direction
        self._ignored = False
        self._default_weight: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._ignored and _local(tag) != "graph":  # a second graph of the same file
            self._depth += 1
            return
        super().start(tag, attributes)

    def end(self, tag: str) -> None:
        if self._ignored and _local(tag) != "graph":
            self._depth -= 1
            return
        super().end(tag)

    def _start_graph(self, attributes: Mapping[str, str]) -> None:
        self._ignored = self._ignored or (self.found_graph and not self._graphs)
        self._graphs.append(attributes.get("edgedefault") == "directed")
        self.found_graph = True

    def _end_graph(self) -> None:
        self._graphs.pop()

    def _start_key(self, attributes: Mapping[str, str]) -> None:
        key = self._need(attributes, "id", "key")
        if "yfiles.type" in attributes:  # drawings, read element by element below
            return
        domain, name = attributes.get("for", "all"), attributes.get("attr.name", key)
        self._keys[key] = (domain, name, attributes.get("attr.type", "string").lower())
        self._key = key
        if domain in {"edge", "all"}:
            self.builder.edge_attributes.add(name)

    def _end_key(self) -> None:
        self._key = None

    def _start_default(self, _: Mapping[str, str]) -> None:
        self._text = []

    def _end_default(self) -> None:
        text = self._take_text()
        domain, name, kind = self._keys.get(self._key or "", ("", "", "string"))
        if domain in {"node", "all"}:
            self.builder.default(name, _typed(text, kind, self.locate))
        if domain in {"edge", "all"} and name == self.builder.weight:
            self._default_weight = text
        if domain == "edge":
            self.builder.edge_default(name, _typed_if_it_can_be(text, kind))

    def _start_edge(self, attributes: Mapping[str, str]) -> None:
        super()._start_edge(attributes)
        self._weight = self._default_weight
        self._directed = self._graphs[-1] if self._graphs else None
        if "directed" in attributes:
            self._directed = attributes["directed"].strip().lower() in {"true", "1"}

    def _start_hyperedge(self, _: Mapping[str, str]) -> None:
        raise FileProblem("hyperedges cannot be laid out; only edges between two nodes can", self.locate())

    def _start_data(self, attributes: Mapping[str, str]) -> None:
        self._key = attributes.get("key")
        self._text = []

    def _end_data(self) -> None:
        text, key = self._take_text(), self._key
        self._key = None
        if key is None:
            return
        _, name, kind = self._keys.get(key, ("", key, "string"))
        if self._edge is not None:
            if name == self.builder.weight:
                self._weight = text
            if (text.strip() or kind == "string") and key in self._keys:
                self._said[name] = _typed_if_it_can_be(text, kind)
        elif self._nodes and (text.strip() or kind == "string") and key in self._keys:
            self.builder.set(self._nodes[-1], name, _typed(text, kind, self.locate))

    def _start_NodeLabel(self, _: Mapping[str, str]) -> None:  # noqa: N802 -- yEd's element
        self._text = []

    def _end_NodeLabel(self) -> None:  # noqa: N802 -- yEd's element
        label, self._key = self._take_text().strip(), None
        if self._nodes and label:
            self.builder.set(self._nodes[-1], "label", label)

    def _start_Geometry(self, attributes: Mapping[str, str]) -> None:  # noqa: N802 -- yEd's element
        for axis in ("x", "y"):
            if self._nodes and axis in attributes:
                value = _typed(attributes[axis], "double", self.locate)
                self.builder.position(self._nodes[-1], axis, value)
