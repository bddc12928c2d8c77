"""The lines of csv, tsv and plain text as columns of cells, and whether the first of them is a header."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert.table_columns import Table
from graphne_viz.graphs.convert.tables import find_ends
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.size_limit import CELL, COLUMN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray

    from graphne_viz.graphs.io.size_limit import SizeLimit

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


class Lines:
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


@dataclass(frozen=True, eq=False)
class Rows:
    """The cells of a text.

    Attributes
    ----------
    columns : sequence of sequence of str or None
        Column by column, without space around them; None for an empty cell, or one that is not there.
    lines : sequence of int
        The line of each row.
    """

    columns: Sequence[Sequence[str | None]]
    lines: Sequence[int]

    @property
    def names(self) -> list[str]:
        """The cells of the first row; Gephi's "Label" is the attribute that all others call "label"."""
        return ["label" if column[0] == "Label" else column[0] or "" for column in self.columns]

    def below(self) -> list[Sequence[str | None]]:
        """Return the columns without their first row."""
        return [column[1:] for column in self.columns]

    def has_header(self, weight: str | None, *, strict: bool) -> bool:
        """Tell whether the first row names the columns.

        Parameters
        ----------
        weight : str or None
            The name of the weights.
        strict : bool
            Whether it is refused where it cannot be told; such a file usually has a header.

        Raises
        ------
        FileProblem
            If it cannot be told, or is one of a table of nodes.
        """
        names, cells = self.names, self.below()
        lowered = [name.lower() for name in names]
        try:
            find_ends(Table("the file", [*names, "", ""], ()))  # two unnamed ones: by names alone
        except ValueError:
            pass
        else:
            return True
        if "id" in lowered:
            raise FileProblem(
                f"the columns {', '.join(map(repr, names))} look like those of a table of nodes; give it as nodes, "
                "beside a file of edges, or name the columns of the two ends by source and target"
            )
        if len(names) > 2 and lowered[2] == (weight or DEFAULT_WEIGHT).lower():
            return True
        if len(self.lines) < 2 or any(map(_is_number, names[:2])):
            return False
        ends = {*cells[0], *cells[1]} if len(cells) > 1 else set()
        if ends & {*names[:2]}:  # they are nodes
            return False
        if all(map(_is_number, ends)) or any(
            _is_headed(name, column) for name, column in zip(names[2:], cells[2:], strict=True)
        ):
            return True
        plain = len(names) == 2 or _is_number(names[2]) or names[2].startswith("{") or not names[2]
        if not strict or (plain and len(self.lines) < 3) or (len(names) > 2 and plain):
            return False
        raise FileProblem(
            f"the first line, {', '.join(map(repr, names))}, may be a header or an edge; say which by header, or name "
            "the columns of the two ends by source and target"
        )


def _is_number(cell: str | None) -> bool:
    try:
        return cell is not None and not math.isnan(float(cell))
    except ValueError:
        return False


def _is_headed(name: str, column: Sequence[str | None]) -> bool:
    """Tell whether a word stands above numbers."""
    present = [cell for cell in column if cell is not None]
    return bool(name and present) and not _is_number(name) and all(map(_is_number, present))


class TextColumn:
    """Shows cells with the methods of a column of polars."""

    def __init__(self, cells: Sequence[str | None]) -> None:
        self._cells = cells

    def to_numpy(self) -> NDArray[Any]:
        """Return numbers where all cells are some, otherwise text."""
        typed = typed_texts(self._cells)
        values = np.empty(len(typed), dtype=object)
        values[:] = typed
        if typed and None not in typed and not isinstance(typed[0], str):
            return np.array(typed)
        return values

    def is_null(self) -> TextColumn:
        """Return which are empty."""
        return _Mask([cell is None for cell in self._cells])


class _Mask(TextColumn):
    def __init__(self, empty: list[bool]) -> None:
        super().__init__(())
        self._empty = empty

    def to_numpy(self) -> NDArray[Any]:
        return np.array(self._empty, dtype=bool)


def typed_texts(cells: Sequence[str | None]) -> list[object]:
    """Return cells as whole numbers if all are written as such, as numbers if all are, otherwise as text.

    Examples
    --------
    >>> typed_texts(["1", None, "2.5"]), typed_texts(["007", "1"])
    ([1.0, None, 2.5], ['007', '1'])
    """
    present = [cell for cell in cells if cell is not None]
    if present and all(map(_INTEGER.fullmatch, present)):
        return [None if cell is None else int(cell) for cell in cells]
    if all(_is_number(cell) and not re.match(r"-?0[0-9]", cell) for cell in present):
        return [None if cell is None else float(cell) for cell in cells]
    return list(cells)


def as_integers(names: list[str]) -> tuple[Any, ...]:
    """Return names as whole numbers if all of them are written as such."""
    if all(map(_INTEGER.fullmatch, names)):
        return tuple(map(int, names))
    return tuple(names)


def read_rows(lines: Lines, mark: str | None, limit: SizeLimit, least: int = 2) -> Rows:
    """Split lines into cells by a mark, or by white space; each must have some."""
    columns: list[list[str | None]] = []
    numbers: list[int] = []
    for row in _split_by_space(lines) if mark is None else _split_by(mark, lines):
        n = len(numbers)
        if len(row) < least:
            raise FileProblem(f"expected at least {least} columns, found {len(row)}", lines.number)
        if len(row) > len(columns):
            limit.check(len(row) * (COLUMN + CELL * n), f"{len(row):,} columns", lines.number)
            columns += [[] for _ in range(len(row) - len(columns))]
        for cell, column in zip(row, columns, strict=False):
            if len(column) < n:  # rows that ended before it
                column.extend([None] * (n - len(column)))
            column.append(cell.strip() or None)
        numbers.append(lines.number)
    limit.check(len(columns) * (COLUMN + CELL * len(numbers)), f"{len(columns):,} columns of {len(numbers):,} rows")
    for column in columns:
        column.extend([None] * (len(numbers) - len(column)))
    return Rows(columns, numbers)


def find_separator(first: str, usual: str | None) -> str | None:
    """Return what the first line is separated by: the usual, or the only other thing that can be."""
    if usual is not None:
        return next((mark for mark in (usual, "\t", ";", ",") if mark in first), usual)
    if "\t" in first.strip():
        return "\t"
    return "," if "," in first and len(first.split()) < 2 else None


def _split_by(mark: str, lines: Lines) -> Iterator[list[str]]:
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


def _split_by_space(lines: Lines) -> Iterator[list[str]]:
    for line in lines:
        fields = line.split()
        if len(fields) > 2 and fields[2].startswith("{"):  # networkx.write_edgelist
            fields[2:] = [line.split(None, 2)[2].strip()]
        yield fields
