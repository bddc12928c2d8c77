"""Reading lists of edges: csv, tsv, plain text and Parquet."""

from __future__ import annotations

import ast
import csv
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, build_adjacency, unknown_weight
from graphne_viz.graphs.builder import FileProblem, parse_weight
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.tables import factorize, from_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)


class _Lines:
    """The lines of a text that hold data, counting all of them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for raw in self._stream:
            self.number += 1
            try:
                line = raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise FileProblem("the file is not UTF-8 text", self.number) from None
            stripped = line.lstrip()
            if stripped and stripped[0] not in "#%":
                yield line


def read_edge_list(stream: BinaryIO, weight: str | None, *, separator: str | None) -> Graph:
    """Read one edge a line: source, target and optionally a weight.

    Lines that begin with # or % are comments. A first line that names the columns ``source`` and ``target``
    is a header and other columns are ignored; without one the third column, if there is one, is the weight.
    Ids are integers if all of them are written as such, otherwise strings.

    Parameters
    ----------
    stream : binary file
    weight : str or None
    separator : str or None
        What usually stands between columns in such a file, None for white space; the first line decides.
    """
    lines = _Lines(stream)
    remaining = iter(lines)
    first = next(remaining, None)
    if first is None:
        raise FileProblem("the file holds no edges")
    rows = _split(chain([first], remaining), _separator(first, separator))
    try:
        return _graph_from_rows(rows, lines, weight)
    except csv.Error as error:
        raise FileProblem(str(error), lines.number) from None


def _separator(first: str, usual: str | None) -> str | None:
    """Return what the first line is separated by: the usual, or the only other thing that can be."""
    if usual is not None:
        return next((mark for mark in (usual, "\t", ";", ",") if mark in first), usual)
    if "\t" in first.strip():
        return "\t"
    return "," if "," in first and len(first.split()) < 2 else None


def _split(lines: Iterator[str], separator: str | None) -> Iterator[list[str]]:
    if separator is not None:
        yield from csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t", strict=True)
        return
    for line in lines:
        fields = line.split()
        if len(fields) > 2 and fields[2].startswith("{"):  # networkx.write_edgelist
            fields[2:] = [line.split(None, 2)[2].strip()]
        yield fields


def _graph_from_rows(rows: Iterator[list[str]], lines: _Lines, weight: str | None) -> Graph:
    first = next(rows)
    source_column, target_column, weight_column, is_header = _columns(first, weight)
    sources: list[str] = []
    targets: list[str] = []
    weights: list[float] = []
    for row in rows if is_header else chain([first], rows):
        try:
            source, target = row[source_column], row[target_column]
        except IndexError:
            needed = max(source_column, target_column) + 1
            text = f"expected at least {needed} columns, found {len(row)}"
            raise FileProblem(text, lines.number) from None
        if not source or not target:
            raise FileProblem(f"the {'target' if source else 'source'} is empty", lines.number)
        sources.append(source)
        targets.append(target)
        if weight_column is not None:
            cell = row[weight_column] if weight_column < len(row) else None
            weights.append(_weight(cell, (source, target), weight, lines.number))
    if not sources:
        raise FileProblem("the file holds no edges")
    return _graph_from_names(sources, targets, weights or None)


def _columns(first: list[str], weight: str | None) -> tuple[int, int, int | None, bool]:
    """Find the columns of source, target and weight, and whether the first row is a header."""
    names = [name.strip().lower() for name in first]
    wanted = None if weight is None else weight.lower()
    if "source" in names and "target" in names:
        if wanted is not None and wanted not in names and weight != DEFAULT_WEIGHT:
            raise FileProblem(str(unknown_weight(weight, first, "a column")))
        column = names.index(wanted) if wanted in names else None
        return names.index("source"), names.index("target"), column, True
    is_header = len(names) > 2 and names[2] == (wanted or DEFAULT_WEIGHT)
    if weight not in (None, DEFAULT_WEIGHT) and not is_header:
        raise FileProblem(
            f"weight={weight!r} names a column, but the file has no header with source and target"
        )
    return 0, 1, None if weight is None or len(first) < 3 else 2, is_header


def _weight(cell: str | None, edge: tuple[str, str], weight: str | None, line: int) -> float:
    value: object = cell
    if cell is not None and cell.startswith("{"):
        try:
            value = ast.literal_eval(cell).get(weight)
        except (ValueError, SyntaxError, AttributeError, MemoryError, RecursionError):
            raise FileProblem(f"{cell[:80]!r} is not a dict of edge attributes", line) from None
    number = parse_weight(value, edge, line)
    return 1.0 if number is None else number


def _graph_from_names(sources: list[str], targets: list[str], weights: list[float] | None) -> Graph:
    names: Sequence[str]
    ends = np.empty(2 * len(sources), dtype=object)
    ends[0::2], ends[1::2] = sources, targets
    names, codes = factorize(ends)  # type: ignore[assignment]  # what goes in are strings
    is_integer = [_INTEGER.fullmatch(name) is not None for name in names]
    only_names = 0 if all(is_integer) else 2 if len(names) > 2 and all(is_integer[2:]) else None
    skipped = 0
    if only_names == 2 and not any(is_integer[:2]) and not (codes[2:] < 2).any():
        skipped = 1  # two words above nothing but numbers: a header of other names
        names, codes = names[2:], codes[2:] - 2
        only_names = 0
    ids = tuple(int(name) for name in names) if only_names == 0 else tuple(names)
    rows, columns = codes[0::2], codes[1::2]
    data = None if weights is None else np.array(weights[skipped:])
    adjacency = build_adjacency(len(ids), rows, columns, data, ids=ids, direction="listed")
    return Graph(adjacency, ids, origin="table")


def read_parquet(stream: BinaryIO, weight: str | None) -> Graph:
    """Read a Parquet table with columns source, target and optionally a weight."""
    try:
        import pyarrow as pa  # noqa: PLC0415 -- optional
        from pyarrow import parquet  # noqa: PLC0415 -- optional
    except ImportError:
        raise ImportError("reading Parquet needs pyarrow: pip install pyarrow") from None
    try:
        names = parquet.read_schema(stream).names
        stream.seek(0)
        wanted = [name for name in names if name in {"source", "target", weight}]
        table = parquet.read_table(stream, columns=wanted)
    except pa.ArrowException as error:
        raise FileProblem(f"not a readable Parquet file: {error}") from None
    return from_table(_ArrowTable(table, names), weight)


class _ArrowTable:
    """Shows an Arrow table as `from_table` expects one, without pandas."""

    def __init__(self, table: Any, names: list[str]) -> None:  # noqa: ANN401 -- pyarrow publishes no types
        self._table = table
        self.columns = names

    def __getitem__(self, name: str) -> _ArrowColumn:
        return _ArrowColumn(self._table.column(name))


class _ArrowColumn:
    def __init__(self, column: Any) -> None:  # noqa: ANN401 -- pyarrow publishes no types
        self._column = column

    def to_numpy(self) -> Any:  # noqa: ANN401 -- pyarrow publishes no types
        return self._column.to_numpy()

    def to_list(self) -> list[object]:
        return list(self._column.to_pylist())

    def null_count(self) -> int:
        return int(self._column.null_count)

    def is_null(self) -> _ArrowColumn:
        return _ArrowColumn(self._column.is_null())
