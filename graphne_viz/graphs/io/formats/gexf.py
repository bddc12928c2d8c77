"""Reading and writing GEXF, Gephi's format."""

from __future__ import annotations

import json
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.attributes import is_absent
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.formats.gexf_time import DEFAULT_TIME, TIMES, read_time, spans
from graphne_viz.graphs.io.laid_out import typed_values
from graphne_viz.graphs.io.size_limit import limit_of
from graphne_viz.graphs.io.xml_text import (
    GraphTarget,
    escape_xml,
    parse_xml,
    per_kind,
    typed,
    typed_if_possible,
    xml_names,
    xml_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO, TextIO

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.laid_out import LaidOut
    from graphne_viz.graphs.io.size_limit import SizeLimit

_GEXF_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://www.gexf.net/1.2draft http://www.gexf.net/1.2draft/gexf.xsd" version="1.2">
"""


def read_gexf(stream: BinaryIO, weight: str | None) -> Graph:
    """Read GEXF 1.1 to 1.3, static or dynamic, flat or nested.

    Node ids are strings. A label that differs from the id becomes the attribute "label", ``viz:position`` the
    attributes "x" and "y" where there are none. Of values that change over time the last one is kept. A mutual edge
    counts as one without direction. When nodes and edges begin and end (``start``, ``end`` and spells) become the
    attributes "start" and "end", numbers or dates; of several spells the first beginning and the last end are kept.
    """
    return parse_xml(stream, _Gexf(weight, limit_of(stream)))


class _Gexf(GraphTarget):
    root = "gexf"

    def __init__(self, weight: str | None, limit: SizeLimit) -> None:
        super().__init__(weight, limit)
        self._class = ""
        self._declared: dict[tuple[str, str], tuple[str, str]] = {}
        self._declaring: tuple[str, str] = ("", "")
        self._time_format = DEFAULT_TIME
        self._times: dict[tuple[int, str], object] = {}

    def _start_graph(self, attributes: Mapping[str, str]) -> None:
        if not self.found_graph:
            self._time_format = attributes.get("timeformat", attributes.get("timetype", DEFAULT_TIME)).lower()
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
            self.builder.default(title, typed(text, kind, self.locate))
        elif self._class == "edge":
            self.builder.edge_default(title, typed_if_possible(text, kind))

    def _start_node(self, attributes: Mapping[str, str]) -> None:
        super()._start_node(attributes)
        if (label := attributes.get("label")) is not None:
            self.builder.set(self._nodes[-1], "label", label)
        self._take_times(attributes)

    def _start_spell(self, attributes: Mapping[str, str]) -> None:
        self._take_times(attributes)

    def _take_times(self, attributes: Mapping[str, str]) -> None:
        """Keep when what we are inside begins and ends: of several spells the first and the last moment."""
        for name, other, choose in (("start", "startopen", min), ("end", "endopen", max)):
            text = attributes.get(name, attributes.get(other))
            if not text:
                continue
            moment = read_time(text, self._time_format, self.locate)
            if moment is None:  # an open end
                continue
            if self._edge is not None:
                self.builder.edge_attributes.add(name)
                self._attributes[name] = _chosen(choose, self._attributes.get(name), moment)
            elif self._nodes:
                known = self._times.get((self._nodes[-1], name))
                self._times[self._nodes[-1], name] = moment = _chosen(choose, known, moment)
                self.builder.set(self._nodes[-1], name, moment)

    def _start_edge(self, attributes: Mapping[str, str]) -> None:
        super()._start_edge(attributes)
        if "weight" in attributes:
            self.builder.edge_attributes.add("weight")
            if self.builder.weight == "weight":
                self._weight = attributes["weight"]
            self._attributes["weight"] = typed_if_possible(attributes["weight"], "double")
        if attributes.get("label"):
            self._attributes["label"] = attributes["label"]
        if "type" in attributes:
            self._directed = attributes["type"].lower() == "directed"
        self._take_times(attributes)

    def _start_attvalue(self, attributes: Mapping[str, str]) -> None:
        key, text = attributes.get("for", attributes.get("id")), attributes.get("value")
        if key is None or text is None:
            return
        if self._edge is not None:
            title, kind = self._declared.get(("edge", key), (key, "string"))
            if self.builder.weight in (title, key):
                self._weight = text
            if self.builder.weight != DEFAULT_WEIGHT or key != DEFAULT_WEIGHT:
                self._attributes[title] = typed_if_possible(text, kind)
        elif self._nodes:
            title, kind = self._declared.get(("node", key), (key, "string"))
            self.builder.set(self._nodes[-1], title, typed(text, kind, self.locate))

    def _start_position(self, attributes: Mapping[str, str]) -> None:
        for axis in ("x", "y"):
            if self._nodes and axis in attributes:
                value = typed(attributes[axis], "double", self.locate)
                self.builder.position(self._nodes[-1], axis, value)


def _chosen(choose: Callable[..., object], known: object, moment: object) -> object:
    return moment if known is None else choose(known, moment)


def write_gexf(stream: TextIO, laid_out: LaidOut) -> None:
    """Write GEXF 1.2 with ``viz`` position, size and colour; metadata as JSON in the description.

    Without sizes, nodes get one that suits the extent of the layout, so that Gephi shows them apart. Attributes "start"
    and "end" that are numbers or dates are written as Gephi's own, for its timeline.
    """
    graph, links = laid_out.graph, laid_out.links
    names = xml_names(graph.ids)
    description = escape_xml(json.dumps(laid_out.metadata, ensure_ascii=False))
    stream.write(f"{_GEXF_HEAD}<meta><creator>graphne_viz</creator>")
    stream.write(f"<description>{description}</description></meta>\n")
    edge_columns = laid_out.edge_columns({"weight"})
    node_times, edge_times, kind = spans(laid_out.attributes, links.attributes, graph.n_nodes, len(links.ends))
    taken = {"label", *(TIMES if kind else ())}
    columns = [(title, *typed_values(column)) for title, column in laid_out.attributes.items() if title not in taken]
    edge_columns = [column for column in edge_columns if not kind or column[0] not in TIMES]
    edge_labels = next((values for title, _, values in edge_columns if title == "label"), None)
    edge_columns = [column for column in edge_columns if column[0] != "label"]
    mode = f' mode="dynamic" timeformat="{kind}"' if kind else ""
    stream.write(f'<graph defaultedgetype="{"directed" if links.directed else "undirected"}"{mode}>\n')
    _declare(stream, "node", columns)
    if edge_columns:
        _declare(stream, "edge", edge_columns)
    stream.write(f'<nodes count="{graph.n_nodes}">\n')
    stream.writelines(
        f'<node id="{name}" label="{label}"{times}>{values}{viz}</node>\n'
        for name, label, times, values, viz in zip(
            names, _labels(laid_out, names), node_times, _attvalues(columns, graph.n_nodes), _viz(laid_out), strict=True
        )
    )
    stream.write(f'</nodes>\n<edges count="{len(links.ends)}">\n')
    ends = (f">{values}</edge>" if values else "/>" for values in _attvalues(edge_columns, len(links.ends)))
    labels = repeat("", len(links.ends)) if edge_labels is None else map(_edge_label, edge_labels)
    kinds = per_kind(links, ' type="undirected"')
    edges = zip(links.ends.tolist(), links.weights.tolist(), labels, kinds, edge_times, ends, strict=True)
    stream.writelines(
        f'<edge id="{k}" source="{names[i]}" target="{names[j]}"{label}{type_}{times} weight="{weight!r}"{end}\n'
        for k, ((i, j), weight, label, type_, times, end) in enumerate(edges)
    )
    stream.write("</edges>\n</graph>\n</gexf>\n")


def _declare(stream: TextIO, what: str, columns: Iterable[tuple[str, str, list[object]]]) -> None:
    stream.write(f'<attributes class="{what}">\n')
    stream.writelines(
        f'<attribute id="{key}" title="{escape_xml(title)}" type="{kind}"/>\n'
        for key, (title, kind, _) in enumerate(columns)
    )
    stream.write("</attributes>\n")


def _edge_label(label: object) -> str:
    return "" if is_absent(label) else f' label="{escape_xml(str(label))}"'


def _labels(laid_out: LaidOut, names: list[str]) -> Iterable[str]:
    """Return the nodes' labels, escaped: the attribute "label" where there is one, otherwise the name."""
    if "label" not in laid_out.attributes:
        return names
    labels = laid_out.attributes["label"].tolist()
    return (name if is_absent(label) else escape_xml(str(label)) for name, label in zip(names, labels, strict=True))


def _attvalues(columns: Iterable[tuple[str, str, list[object]]], n: int) -> Iterable[str]:
    parts = [
        [f'<attvalue for="{key}" value="{text}"/>' if text is not None else "" for text in map(xml_text, values)]
        for key, (_, _, values) in enumerate(columns)
    ]
    if not parts:
        return repeat("", n)
    return (f"<attvalues>{''.join(part)}</attvalues>" for part in zip(*parts, strict=True))


def _viz(laid_out: LaidOut) -> Iterator[str]:
    n = laid_out.graph.n_nodes
    sizes = np.full(n, _fitting_size(laid_out.positions)) if laid_out.sizes is None else laid_out.sizes
    colors: Iterable[list[int] | None] = repeat(None, n)
    if laid_out.colors is not None:
        colors = laid_out.colors.tolist()
    for place, size, color in zip(laid_out.positions.tolist(), sizes.tolist(), colors, strict=True):
        depth = place[2] if len(place) > 2 else 0.0
        paint = ""
        if color is not None:
            red, green, blue, alpha = color
            paint = f'<viz:color r="{red}" g="{green}" b="{blue}" a="{round(alpha / 255, 4)}"/>'
        position = f'<viz:position x="{place[0]!r}" y="{place[1]!r}" z="{depth!r}"/>'
        yield f'{paint}{position}<viz:size value="{size!r}"/>'


def _fitting_size(positions: NDArray[np.float64]) -> float:
    """Return a diameter at which n discs cover a modest part of the layout's extent."""
    if len(positions) < 2:
        return 10.0
    extent = np.ptp(positions[:, :2], axis=0)
    size = 0.5 * float(max(extent.max() * 0.1, extent.min()) * extent.max() / len(positions)) ** 0.5
    return size if size > 0 else 10.0
