"""Reading lists of edges: csv, tsv, plain text and Parquet."""

from __future__ import annotations

import ast
import io
import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.attributes import as_column, columns_from_records
from graphne_viz.graphs.build import build_graph
from graphne_viz.graphs.convert.table_columns import Table
from graphne_viz.graphs.convert.tables import factorize, find_ends, find_weight, graph_from_columns, read_direction
from graphne_viz.graphs.io.builder import FileProblem, parse_weight
from graphne_viz.graphs.io.size_limit import limit_of
from graphne_viz.graphs.io.text_rows import Lines, TextColumn, as_integers, find_separator, read_rows, typed_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray

    from graphne_viz.graphs.build import Direction
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit
    from graphne_viz.graphs.io.text_rows import Rows

_COMMENTS_ABOVE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*(?:[#%][^\n]*)?\n)*")
_KNOWN = ("source", "target")
_NUMERIC = b"0123456789+-.eE \t\r\n,;"
_ODD_NUMBER = re.compile(rb"(?:^|[^0-9.eE+-])(?:-?0[0-9]|-0|\+)")  # 007 is a name, not a number


def read_edge_list(
    stream: BinaryIO,
    weight: str | None,
    *,
    separator: str | None,
    source: str | None = None,
    target: str | None = None,
    directed: bool | None = None,
    header: bool | None = None,
) -> Graph:
    """Read one edge a line: source, target and optionally a weight.

    Lines that begin with # or % are comments. A first line that names columns, as those of Gephi do, is a header; other
    columns are edge attributes then, and a column "type" says which edges have a direction. Without a header the third
    column, if there is one, is the weight. Ids are integers if all of them are written as such, otherwise strings
    without space around them.

    Parameters
    ----------
    stream : binary file
    weight : str or None
    separator : str or None
        What usually stands between columns in such a file, None for white space; the first line decides.
    source, target, directed
        As in `TableKeywords`.
    header : bool, optional
        Whether the first line names the columns; by default as it looks.
    """
    content = stream.read()
    lines = Lines(io.BytesIO(content))
    if lines.first is None:
        raise FileProblem("the file holds no edges")
    mark = find_separator(lines.first, separator)
    direction: Direction = "listed" if directed is None else "directed" if directed else "undirected"
    if source is None and target is None and not header:
        graph = _graph_from_numbers(content, mark, weight, direction)
        if graph is not None:
            return graph
    limit = limit_of(stream)
    rows = read_rows(lines, mark, limit)
    if source is not None or target is not None:
        header = True
    if header or (header is None and rows.has_header(weight, strict=separator is not None)):
        return _graph_with_header(rows, weight, source, target, directed=directed)
    return _graph_without_header(rows, weight, direction, limit)


def read_node_table(stream: BinaryIO, *, separator: str | None) -> Table:
    """Read a table of nodes, whose first line names its columns; all of them are text, None where a cell is empty."""
    lines = Lines(stream)
    if lines.first is None:
        raise FileProblem("the file holds no nodes")
    rows = read_rows(lines, find_separator(lines.first, separator), limit_of(stream), least=1)
    cells = rows.below()
    return Table("the node table", rows.names, [TextColumn(column) for column in cells])


def _graph_from_numbers(content: bytes, mark: str | None, weight: str | None, direction: Direction) -> Graph | None:
    """Read a list of nothing but numbers, ten times faster than line by line; None if it is anything else."""
    body = _COMMENTS_ABOVE.sub(b"", content)
    if weight not in (None, DEFAULT_WEIGHT) or body.translate(None, _NUMERIC) or _ODD_NUMBER.search(body):
        return None
    fields = [("source", np.int64), ("target", np.int64), ("weight", np.float64)]
    has_weight = weight is not None and len(body.split(b"\n", 1)[0].decode().split(mark)) > 2
    used = fields if has_weight else fields[:2]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a fraction where an id should be is only a warning in some versions
            rows = np.loadtxt(io.BytesIO(body), used, delimiter=mark, usecols=range(len(used)), ndmin=1)
    except (ValueError, Warning):
        return None
    if has_weight and not ((rows["weight"] >= 0) & (rows["weight"] < np.inf)).all():
        return None
    weights = rows["weight"] if has_weight else None
    return graph_from_columns(rows["source"], rows["target"], weights, direction=direction)


def _graph_with_header(
    rows: Rows, weight: str | None, source: str | None, target: str | None, *, directed: bool | None
) -> Graph:
    """Read columns by their names."""
    table = Table("the file", rows.names, ())
    try:
        at = find_weight(table, weight)
        by_place = at == 2 and len(table.names) == 3 and source is None and target is None  # such as a, b, weight
        ends = (0, 1) if by_place and table.find(_KNOWN) is None else find_ends(table, source, target)
    except ValueError as error:
        raise FileProblem(str(error)) from None
    cells, lines = rows.below(), rows.lines[1:]
    if not lines:
        raise FileProblem("the file holds no edges")
    others = [k for k in range(len(cells)) if k not in {*ends, at if weight == DEFAULT_WEIGHT else None}]
    attributes = {rows.names[k]: as_column(typed_texts(cells[k])) for k in others}
    direction = read_direction(table, attributes, directed=directed)
    weights = None if at is None else _weights(cells[at], cells[ends[0]], cells[ends[1]], lines)
    return _graph_from_names(cells[ends[0]], cells[ends[1]], weights, lines, direction=direction, attributes=attributes)


def _graph_without_header(rows: Rows, weight: str | None, direction: Direction, limit: SizeLimit) -> Graph:
    """Read source, target and weight by their places."""
    cells, lines = rows.columns, rows.lines
    third = cells[2][0] if len(cells) > 2 else None
    has_records = third is not None and third.startswith("{")  # networkx.write_edgelist
    if weight not in (None, DEFAULT_WEIGHT) and not has_records:
        raise FileProblem(f"weight={weight!r} names a column, but the file has no header with source and target")
    attributes: Mapping[str, NDArray[np.generic]] = {}
    weights = None
    if has_records:
        records = [_record(cell, line) for cell, line in zip(cells[2], lines, strict=True)]
        names = {name for record in records for name in record}
        limit.check_sparse_columns(len(names), sum(map(len, records)), "edges")
        if weight is not None and any(weight in record for record in records):
            values = [record.get(weight) for record in records]
            weights = _weights(values, cells[0], cells[1], lines)
        left_out = DEFAULT_WEIGHT if weight == DEFAULT_WEIGHT else None
        attributes = columns_from_records(records, len(records), without=left_out)
    elif third is not None and weight is not None:
        weights = _weights(cells[2], cells[0], cells[1], lines)
    return _graph_from_names(cells[0], cells[1], weights, lines, direction=direction, attributes=attributes)


def _record(cell: str | None, line: int) -> dict[object, object]:
    try:
        found = ast.literal_eval(cell or "{}")
        if isinstance(found, dict):
            return found
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    raise FileProblem(f"{str(cell)[:80]!r} is not a dict of edge attributes", line)


def _weights(
    cells: Sequence[object], sources: Sequence[str | None], targets: Sequence[str | None], lines: Sequence[int]
) -> list[float]:
    weights = []
    for cell, source, target, line in zip(cells, sources, targets, lines, strict=True):
        number = parse_weight(cell, (source, target), line)
        weights.append(1.0 if number is None else number)
    return weights


def _graph_from_names(
    sources: Sequence[str | None],
    targets: Sequence[str | None],
    weights: list[float] | None,
    lines: Sequence[int],
    *,
    direction: Direction | NDArray[np.bool_],
    attributes: Mapping[str, NDArray[np.generic]],
) -> Graph:
    for row, (source, target) in enumerate(zip(sources, targets, strict=True)):
        if source is None or target is None:
            raise FileProblem(f"the {'target' if source else 'source'} is empty", lines[row])
    ends = np.empty(2 * len(sources), dtype=object)
    ends[0::2], ends[1::2] = sources, targets
    names, codes = factorize(ends)
    ids = as_integers([str(name) for name in names])
    data = None if weights is None else np.array(weights)
    return build_graph(ids, codes[0::2], codes[1::2], data, direction, edge_attributes=attributes, origin="table")
