"""Reading and writing GraphML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.laid_out import typed_values
from graphne_viz.graphs.io.size_limit import limit_of
from graphne_viz.graphs.io.xml_text import (
    GraphTarget,
    escape_xml,
    local_name,
    parse_xml,
    per_kind,
    typed,
    typed_if_possible,
    xml_names,
    xml_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO, TextIO

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.laid_out import LaidOut
    from graphne_viz.graphs.io.size_limit import SizeLimit

_GRAPHML_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def read_graphml(stream: BinaryIO, weight: str | None) -> Graph:
    """Read the first graph of a GraphML file; node ids are strings.

    Nodes of nested graphs count as nodes. yEd's labels and positions become "label", "x" and "y". Other programs keep
    positions as "x" and "y".
    """
    return parse_xml(stream, _GraphML(weight, limit_of(stream)))


class _GraphML(GraphTarget):
    root = "graphml"

    def __init__(self, weight: str | None, limit: SizeLimit) -> None:
        super().__init__(weight, limit, places_by_name=True)
        self._keys: dict[str, tuple[str, str, str]] = {}
        self._key: str | None = None
        self._graphs: list[bool] = []  # those we are inside, innermost last: whether their edges have a direction
        self._ignored = False
        self._default_weight: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._ignored and local_name(tag) != "graph":  # a second graph of the same file
            self._depth += 1
            return
        super().start(tag, attributes)

    def end(self, tag: str) -> None:
        if self._ignored and local_name(tag) != "graph":
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
            self.builder.default(name, typed(text, kind, self.locate))
        if domain in {"edge", "all"} and name == self.builder.weight:
            self._default_weight = text
        if domain == "edge":
            self.builder.edge_default(name, typed_if_possible(text, kind))

    def _start_edge(self, attributes: Mapping[str, str]) -> None:
        super()._start_edge(attributes)
        self._weight = self._default_weight
        self._directed = self._graphs[-1] if self._graphs else None
        if "directed" in attributes:
            self._directed = attributes["directed"].strip().lower() in {"true", "1"}

    def _start_hyperedge(self, _: Mapping[str, str]) -> None:
        raise FileProblem("hyperedges are not supported, only edges between two nodes", self.locate())

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
                self._attributes[name] = typed_if_possible(text, kind)
        elif self._nodes and (text.strip() or kind == "string") and key in self._keys:
            self.builder.set(self._nodes[-1], name, typed(text, kind, self.locate))

    def _start_NodeLabel(self, _: Mapping[str, str]) -> None:  # noqa: N802 -- yEd's element
        self._text = []

    def _end_NodeLabel(self) -> None:  # noqa: N802 -- yEd's element
        label, self._key = self._take_text().strip(), None
        if self._nodes and label:
            self.builder.set(self._nodes[-1], "label", label)

    def _start_Geometry(self, attributes: Mapping[str, str]) -> None:  # noqa: N802 -- yEd's element
        for axis in ("x", "y"):
            if self._nodes and axis in attributes:
                value = typed(attributes[axis], "double", self.locate)
                self.builder.position(self._nodes[-1], axis, value)


def write_graphml(stream: TextIO, laid_out: LaidOut) -> None:
    """Write GraphML with the positions as "x" and "y", colours as "r", "g", "b", and sizes as "size"."""
    graph, links = laid_out.graph, laid_out.links
    names = xml_names(graph.ids)
    columns: list[tuple[str, str, str, list[object]]] = [
        (axis, axis, "double", values.tolist())
        for axis, values in zip(laid_out.axes, laid_out.positions.T, strict=True)
    ]
    if laid_out.sizes is not None:
        columns.append(("size", "size", "double", laid_out.sizes.tolist()))
    if laid_out.colors is not None:
        columns += [(c, c, "int", laid_out.colors[:, k].tolist()) for k, c in enumerate("rgb")]
    others = laid_out.beside({title for _, title, _, _ in columns})
    for k, (title, column) in enumerate(others.items()):
        columns.append((f"attribute{k}", escape_xml(title), *typed_values(column)))
    stream.write(_GRAPHML_HEAD)
    for k, title in enumerate(laid_out.metadata):
        stream.write(f'<key id="graph{k}" for="graph" attr.name="{escape_xml(title)}" attr.type="string"/>\n')
    for key, title, kind, _ in columns:
        stream.write(f'<key id="{key}" for="node" attr.name="{title}" attr.type="{kind}"/>\n')
    stream.write('<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
    edge_columns = [(f"edge{k}", *column) for k, column in enumerate(laid_out.edge_columns({"weight"}))]
    for key, title, kind, _ in edge_columns:
        stream.write(f'<key id="{key}" for="edge" attr.name="{escape_xml(title)}" attr.type="{kind}"/>\n')
    stream.write(f'<graph edgedefault="{"directed" if links.directed else "undirected"}">\n')
    for k, value in enumerate(laid_out.metadata.values()):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        stream.write(f'<data key="graph{k}">{escape_xml(text)}</data>\n')
    stream.writelines(
        f'<node id="{name}">{"".join(parts)}</node>\n' for name, *parts in zip(names, *_data(columns), strict=True)
    )
    kinds = per_kind(links, ' directed="false"')
    edges = zip(links.ends.tolist(), links.weights.tolist(), kinds, *_data(edge_columns), strict=True)
    stream.writelines(
        f'<edge source="{names[i]}" target="{names[j]}"{kind}><data key="weight">{weight!r}</data>'
        f"{''.join(parts)}</edge>\n"
        for (i, j), weight, kind, *parts in edges
    )
    stream.write("</graph>\n</graphml>\n")


def _data(columns: Iterable[tuple[str, str, str, list[object]]]) -> Iterator[list[str]]:
    """Return the cells of GraphML column by column, empty where there is no value."""
    for key, _, _, values in columns:
        yield [f'<data key="{key}">{text}</data>' if text is not None else "" for text in map(xml_text, values)]
