"""Writing a layout as GEXF, GraphML, node-link JSON and csv.

Everything is written as it goes, line by line: no tree of a million elements is ever built.
"""

from __future__ import annotations

import csv
import json
import math
import re
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.attributes import is_absent
from graphne_viz.graphs.laid_out import as_json, free_name, renamed, typed_values, unique_names

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    from graphne_viz.graphs.laid_out import Kind, LaidOut
    from graphne_viz.graphs.links import Links

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile("[^\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}

_GEXF_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://www.gexf.net/1.2draft http://www.gexf.net/1.2draft/gexf.xsd" version="1.2">
"""
_GRAPHML_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


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


def write_gexf(stream: TextIO, laid_out: LaidOut) -> None:
    """Write GEXF 1.2 with ``viz`` position, size and colour; metadata as JSON in the description.

    Without sizes, nodes get one that suits the extent of the layout, so that Gephi shows them apart.
    """
    graph, links = laid_out.graph, laid_out.links
    names = _xml_names(graph.ids)
    description = escape_xml(json.dumps(laid_out.metadata, ensure_ascii=False))
    stream.write(f"{_GEXF_HEAD}<meta><creator>graphne_viz</creator>")
    stream.write(f"<description>{description}</description></meta>\n")
    stream.write(f'<graph defaultedgetype="{"directed" if links.directed else "undirected"}">\n')
    columns = [(title, *typed_values(column)) for title, column in laid_out.attributes.items() if title != "label"]
    edge_columns = _edge_columns(links, {"weight"})
    edge_labels = next((values for title, _, values in edge_columns if title == "label"), None)
    edge_columns = [column for column in edge_columns if column[0] != "label"]
    _declare(stream, "node", columns)
    if edge_columns:
        _declare(stream, "edge", edge_columns)
    stream.write(f'<nodes count="{graph.n_nodes}">\n')
    stream.writelines(
        f'<node id="{name}" label="{label}">{values}{viz}</node>\n'
        for name, label, values, viz in zip(
            names, _labels(laid_out, names), _attvalues(columns, graph.n_nodes), _viz(laid_out), strict=True
        )
    )
    stream.write(f'</nodes>\n<edges count="{len(links.ends)}">\n')
    ends = (f">{values}</edge>" if values else "/>" for values in _attvalues(edge_columns, len(links.ends)))
    labels = repeat("", len(links.ends)) if edge_labels is None else map(_edge_label, edge_labels)
    kinds = _per_kind(links, ' type="undirected"')
    edges = zip(links.ends.tolist(), links.weights.tolist(), labels, kinds, ends, strict=True)
    stream.writelines(
        f'<edge id="{k}" source="{names[i]}" target="{names[j]}"{label}{kind} weight="{weight!r}"{end}\n'
        for k, ((i, j), weight, label, kind, end) in enumerate(edges)
    )
    stream.write("</edges>\n</graph>\n</gexf>\n")


def _declare(stream: TextIO, what: str, columns: Iterable[tuple[str, str, list[object]]]) -> None:
    stream.write(f'<attributes class="{what}">\n')
    stream.writelines(
        f'<attribute id="{key}" title="{escape_xml(title)}" type="{kind}"/>\n'
        for key, (title, kind, _) in enumerate(columns)
    )
    stream.write("</attributes>\n")


def _xml_names(ids: Sequence[Hashable]) -> list[str]:
    return [escape_xml(name) for name in unique_names([legal_xml(str(name)) for name in ids])]


def _edge_columns(links: Links, taken: Collection[str]) -> list[tuple[str, Kind, list[object]]]:
    return [(title, *typed_values(column)) for title, column in renamed(links.attributes, taken).items()]


def _per_kind(links: Links, undirected: str) -> Iterable[str]:
    """Return what to write in each edge, where some have a direction and some have none."""
    if links.mixed is None:
        return repeat("", len(links.ends))
    return ("" if directed else undirected for directed in links.mixed.tolist())


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
        [f'<attvalue for="{key}" value="{text}"/>' if text is not None else "" for text in map(_xml_text, values)]
        for key, (_, _, values) in enumerate(columns)
    ]
    if not parts:
        return repeat("", n)
    return (f"<attvalues>{''.join(part)}</attvalues>" for part in zip(*parts, strict=True))


def _xml_text(value: object) -> str | None:
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


def write_graphml(stream: TextIO, laid_out: LaidOut) -> None:
    """Write GraphML with the positions as "x" and "y", colours as "r", "g", "b", and sizes as "size"."""
    graph, links = laid_out.graph, laid_out.links
    names = _xml_names(graph.ids)
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
    edge_columns = [(f"edge{k}", *column) for k, column in enumerate(_edge_columns(links, {"weight"}))]
    for key, title, kind, _ in edge_columns:
        stream.write(f'<key id="{key}" for="edge" attr.name="{escape_xml(title)}" attr.type="{kind}"/>\n')
    stream.write(f'<graph edgedefault="{"directed" if links.directed else "undirected"}">\n')
    for k, value in enumerate(laid_out.metadata.values()):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        stream.write(f'<data key="graph{k}">{escape_xml(text)}</data>\n')
    stream.writelines(
        f'<node id="{name}">{"".join(parts)}</node>\n' for name, *parts in zip(names, *_data(columns), strict=True)
    )
    kinds = _per_kind(links, ' directed="false"')
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
        yield [f'<data key="{key}">{text}</data>' if text is not None else "" for text in map(_xml_text, values)]


def write_json(stream: TextIO, laid_out: LaidOut) -> None:
    """Write networkx's node-link JSON; what JSON cannot hold as an id becomes text."""
    names, links = [_dumps(name) for name in _json_ids(laid_out.graph.ids)], laid_out.links
    kind = f'"directed": {_dumps(links.directed)}, "multigraph": {_dumps(links.parallel)}'
    stream.write(f'{{{kind}, "graph": {_dumps(laid_out.metadata)},\n"nodes": [')
    cells = _members((free_name(title, {"id"}, "attribute_"), values) for title, values in _plain_columns(laid_out))
    records = (f'{{"id": {name}{"".join(parts)}}}' for name, *parts in zip(names, *cells, strict=True))
    stream.writelines(_separated(records))
    stream.write('\n],\n"edges": [')
    own = {"source", "target", "weight", "key"}  # by "key" networkx tells parallel edges apart
    said = _members((title, values) for title, _, values in _edge_columns(links, own))
    edges = zip(links.ends.tolist(), links.weights.tolist(), *said, strict=True)
    stream.writelines(
        _separated(
            f'{{"source": {names[i]}, "target": {names[j]}, "weight": {weight!r}{"".join(parts)}}}'
            for (i, j), weight, *parts in edges
        )
    )
    stream.write("\n]}\n")


def _members(columns: Iterable[tuple[str, list[object]]]) -> Iterator[list[str]]:
    """Return the members of JSON objects column by column, empty where there is no value."""
    for title, values in columns:
        key = _dumps(title)
        yield [f", {key}: {_dumps(as_json(value))}" if value is not None else "" for value in values]


def _separated(records: Iterable[str]) -> Iterator[str]:
    """Put each record on a line of its own, with commas between them."""
    separator = "\n"
    for record in records:
        yield separator + record
        separator = ",\n"


_dumps = json.JSONEncoder(allow_nan=False).encode


def _json_ids(ids: Sequence[Hashable]) -> list[object]:
    """Keep text and finite numbers, turn the rest into text that none of the others is."""
    plain = [name.item() if isinstance(name, np.generic) else name for name in ids]
    kept = [_is_json_id(name) for name in plain]
    first = sorted(range(len(plain)), key=lambda i: not kept[i])
    texts = unique_names([str(plain[i]) for i in first])
    return [plain[i] if kept[i] else text for i, text in sorted(zip(first, texts, strict=True))]


def _is_json_id(name: object) -> bool:
    if isinstance(name, float):
        return math.isfinite(name)
    return isinstance(name, (str, int)) and not isinstance(name, bool)


def _plain_columns(laid_out: LaidOut) -> list[tuple[str, list[object]]]:
    """Return everything known about the nodes as named columns of plain values, the positions first."""
    columns: list[tuple[str, list[object]]] = [
        (axis, values.tolist()) for axis, values in zip(laid_out.axes, laid_out.positions.T, strict=True)
    ]
    if laid_out.colors is not None:
        columns.append(("color", [f"#{bytes(color[:3]).hex()}" for color in laid_out.colors.tolist()]))
    if laid_out.sizes is not None:
        columns.append(("size", laid_out.sizes.tolist()))
    others = laid_out.beside({title for title, _ in columns})
    return columns + [(title, typed_values(column)[1]) for title, column in others.items()]


def write_csv(stream: TextIO, laid_out: LaidOut) -> None:
    """Write one row per node: id, position, colour and size if there are, attributes."""
    columns = _plain_columns(laid_out)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["id", *(free_name(title, {"id"}, "attribute_") for title, _ in columns)])
    ids = unique_names([str(name) for name in laid_out.graph.ids])
    writer.writerows(zip(ids, *(map(_csv_cell, values) for _, values in columns), strict=True))


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
