"""Reading lists of edges: csv, tsv, plain text and Parquet."""

from __future__ import annotations

import ast
import csv
import io
import re
import warnings
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, build_adjacency, unknown_weight
from graphne_viz.graphs.builder import FileProblem, parse_weight
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.tables import factorize, from_table, graph_from_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

_COMMENTS_ABOVE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*(?:[#%][^\n]*)?\n)*")
_NUMERIC = b"0123456789+-.eE \t\r\n,;"
_ODD_NUMBER = re.compile(rb"(?:^|[^0-9.eE+-])(?:-?0[0-9]|-0|\+)")  # 007 is a name, not a number

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


class _Lines:
    """The lines of a text that hold data; `number` is that of the last one taken, counting all of them."""

    def __init__(self, stream: BinaryIO) -> None:
        self.number = 0
        self._numbered = self._scan(stream)
        self._first = next(self._numbered, None)

    @property
    def first(self) -> str | None:
        """The first line, which stays to be taken, or None if there is none."""
        return None if self._first is None else self._first[1]

    def __iter__(self) -> Iterator[str]:
        if self._first is not None:
            self.number, line = self._first
            yield line
        for numbered in self._numbered:
            self.number, line = numbered
            yield line

    @staticmethod
    def _scan(stream: BinaryIO) -> Iterator[tuple[int, str]]:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise FileProblem("the file is not UTF-8 text", number) from None
            stripped = line.lstrip()
            if stripped and stripped[0] not in "#%":
                yield number, line


def read_edge_list(stream: BinaryIO, weight: str | None, *, separator: str | None) -> Graph:
    """Read one edge a line: source, target and optionally a weight.

    Lines that begin with # or % are comments. A first line that names the columns ``source`` and ``target``
    is a header and other columns are ignored; without one the third column, if there is one, is the weight.
    Ids are integers if all of them are written as such, otherwise strings without space around them.

    Parameters
    ----------
    stream : binary file
    weight : str or None
    separator : str or None
        What usually stands between columns in such a file, None for white space; the first line decides.
    """
    content = stream.read()
    lines = _Lines(io.BytesIO(content))
    if lines.first is None:
        raise FileProblem("the file holds no edges")
    mark = _separator(lines.first, separator)
    graph = _graph_from_numbers(content, mark, weight)
    if graph is not None:
        return graph
    rows = _split_by_space(lines) if mark is None else _split_by(mark, lines)
    return _graph_from_rows(rows, lines, weight)


def _graph_from_numbers(content: bytes, mark: str | None, weight: str | None) -> Graph | None:
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
    return graph_from_columns(rows["source"], rows["target"], rows["weight"] if has_weight else None)


def _separator(first: str, usual: str | None) -> str | None:
    """Return what the first line is separated by: the usual, or the only other thing that can be."""
    if usual is not None:
        return next((mark for mark in (usual, "\t", ";", ",") if mark in first), usual)
    if "\t" in first.strip():
        return "\t"
    return "," if "," in first and len(first.split()) < 2 else None


def _split_by(mark: str, lines: _Lines) -> Iterator[list[str]]:
    rows = csv.reader(lines, delimiter=mark, skipinitialspace=mark != "\t", strict=True)
    while True:
        begun = lines.number + 1  # a quotation mark that is never closed runs on to the end of the file
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileProblem(str(error), begun) from None
        yield row


def _split_by_space(lines: _Lines) -> Iterator[list[str]]:
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
            source, target = row[source_column].strip(), row[target_column].strip()
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
        raise FileProblem(f"weight={weight!r} names a column, but the file has no header with source and target")
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
        return from_table(_ArrowTable(parquet.read_table(stream, columns=wanted), names), weight)
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(f"not a readable Parquet file: {' '.join(str(error).split())}") from None


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
