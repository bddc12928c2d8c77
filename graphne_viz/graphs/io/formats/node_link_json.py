"""Reading and writing networkx's node-link JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import PARALLEL_KEY, FileProblem, GraphBuilder
from graphne_viz.graphs.io.laid_out import DIRECTED, as_json, free_name, unique_names
from graphne_viz.graphs.io.size_limit import limit_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from typing import BinaryIO, TextIO

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.laid_out import LaidOut
    from graphne_viz.graphs.io.size_limit import SizeLimit


def read_json(stream: BinaryIO, weight: str | None) -> Graph:
    """Read networkx's node-link JSON, with its edges under "edges" or "links".

    A node without an id has its place in the list as id, as in D3's examples. Positions are "x" and "y", as there. An
    edge with a truth value "directed" differs in that from the others.
    """
    content, limit = stream.read(), limit_of(stream)
    limit.check_json(content)
    try:
        return _graph_of(json.loads(content), weight, limit)
    except json.JSONDecodeError as error:
        raise FileProblem(error.msg, error.lineno) from None
    except UnicodeDecodeError:
        raise FileProblem("the file is not UTF-8 text") from None
    except RecursionError:
        raise FileProblem("the JSON is nested too deeply") from None


def _graph_of(content: object, weight: str | None, limit: SizeLimit) -> Graph:
    nodes, edges = _lists(content)
    builder = GraphBuilder(weight, limit, places_by_name=True)
    flags = content if isinstance(content, dict) else {}
    builder.directed = flags.get("directed") is True
    skipped = {"source", "target", *([PARALLEL_KEY] if flags.get("multigraph") is True else [])}
    for i, node in enumerate(nodes):
        if not isinstance(node, dict):
            raise FileProblem(f"node {i} is not an object")
        place = builder.new_node(_id(node.get("id", i)))
        for name, value in node.items():
            if name != "id":
                builder.set(place, name, value)
    for i, edge in enumerate(edges):
        if not isinstance(edge, dict) or "source" not in edge or "target" not in edge:
            raise FileProblem(f"edge {i} is not an object with source and target")
        attributes = {name: value for name, value in edge.items() if name not in skipped}
        directed = attributes.pop(DIRECTED) if isinstance(attributes.get(DIRECTED), bool) else None
        builder.edge_attributes.update(attributes)
        ends = _id(edge["source"]), _id(edge["target"])
        builder.edge(*ends, edge.get(weight), None, attributes=attributes, directed=directed)
    return builder.finish()


def _lists(content: object) -> tuple[list[Any], list[Any]]:
    if isinstance(content, dict):
        nodes, edges = content.get("nodes"), content.get("edges", content.get("links"))
        if isinstance(nodes, list) and isinstance(edges, list):
            return nodes, edges
    raise FileProblem('node-link JSON is an object with lists "nodes" and "edges" (or "links")')


def _id(value: object) -> Hashable:
    """Return an id as networkx does: lists become tuples."""
    if isinstance(value, list):
        return tuple(_id(part) for part in value)
    # Of True and 1 Python makes one node, and NaN is not equal to itself.
    if isinstance(value, (dict, bool)) or (isinstance(value, float) and math.isnan(value)):
        raise FileProblem(f"{json.dumps(value)[:80]} cannot be a node's id")
    return value


def write_json(stream: TextIO, laid_out: LaidOut) -> None:
    """Write networkx's node-link JSON; what JSON cannot hold as an id becomes text."""
    names, links = [_dumps(name) for name in _written_ids(laid_out.graph.ids)], laid_out.links
    kind = f'"directed": {_dumps(links.directed)}, "multigraph": {_dumps(links.parallel)}'
    stream.write(f'{{{kind}, "graph": {_dumps(laid_out.metadata)},\n"nodes": [')
    cells = _members((free_name(title, {"id"}, "attribute_"), values) for title, values in laid_out.plain_columns())
    records = (f'{{"id": {name}{"".join(parts)}}}' for name, *parts in zip(names, *cells, strict=True))
    stream.writelines(_separated(records))
    stream.write('\n],\n"edges": [')
    own = {"source", "target", "weight", "key"}  # by "key" networkx tells parallel edges apart
    columns = [] if links.mixed is None else [(DIRECTED, links.mixed.tolist())]
    columns += [(title, values) for title, _, values in laid_out.edge_columns({*own, *(title for title, _ in columns)})]
    members = _members(columns)
    edges = zip(links.ends.tolist(), links.weights.tolist(), *members, strict=True)
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


def _written_ids(ids: Sequence[Hashable]) -> list[object]:
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
