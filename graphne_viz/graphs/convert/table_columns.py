"""Columns of tables, whatever library they are from: pandas, polars, Arrow, DuckDB, or the text of a csv file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.convert.recognition import is_instance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
else:
    pa = lazy_import("pyarrow", needs="reading this table needs pyarrow: pip install pyarrow")


_NOT_NUMPY = frozenset({"Int128", "UInt128"})
"""Types of polars that numpy does not have."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns with names.

    Attributes
    ----------
    what : str
        What messages call it.
    names : sequence of str
    columns : sequence
        Of pandas, polars, or with the same methods as those of polars.
    """

    what: str
    names: Sequence[str]
    columns: Sequence[Foreign]

    def place(self, name: str, argument: str) -> int:
        """Return which column is called so.

        Raises
        ------
        ValueError
            If none is, or several are; with the names there are.
        """
        places = [k for k, known in enumerate(self.names) if known == name]
        if len(places) != 1:
            number = "several columns" if places else "no column"
            raise ValueError(f"{argument}={name!r}: {self.what} has {number} of that name; there are {self.listed()}")
        return places[0]

    def find(self, names: Iterable[str]) -> int | None:
        """Return the first column that is called so, in small or capital letters; None if there is no single one."""
        lowered = [name.strip().lower() for name in self.names]
        return next((lowered.index(name) for name in names if lowered.count(name) == 1), None)

    def listed(self) -> str:
        """Return the names as a sentence has them."""
        return ", ".join(map(repr, self.names[:20])) + (", ..." if len(self.names) > 20 else "") or "none"

    def keys(self, k: int) -> NDArray[Any]:
        """Return the ids in a column.

        Raises
        ------
        ValueError
            If one is missing, with its row.
        """
        values, missing = _values(self.columns[k])
        if missing.any():
            row = int(missing.argmax())
            raise ValueError(f"row {row} of {self.what} has no value in column {self.names[k]!r}")
        return values

    def attribute(self, k: int) -> NDArray[np.generic]:
        """Return a column as an attribute, None where a value is missing that is no number."""
        return plain_column(self.columns[k])

    def weights(self, k: int) -> Sequence[object] | NDArray[Any]:
        """Return weights with None where the table says missing; NaN stays and is refused later."""
        return _weights(self.columns[k])


def is_table(G: object) -> bool:
    """Whether it is a table of pandas or polars, or one that gives an Arrow stream, as DuckDB's relations do."""
    return (
        is_instance(G, "pandas", "DataFrame")
        or is_instance(G, "polars", "DataFrame", "LazyFrame")
        or (hasattr(G, "__arrow_c_stream__") and not hasattr(G, "__array__"))
        or is_instance(G, "pyarrow", "Table", "RecordBatch")
    )


def as_table(table: Foreign, what: str) -> Table:
    """Show the columns of a table of any library."""
    if isinstance(table, Table):
        return table
    if is_instance(table, "pandas", "DataFrame"):
        return Table(what, [str(name) for name in table.columns], [table.iloc[:, k] for k in range(table.shape[1])])
    if is_instance(table, "polars", "LazyFrame"):
        table = table.collect()
    if is_instance(table, "polars", "DataFrame"):
        return Table(what, list(table.columns), table.get_columns())
    if not is_table(table):
        accepted = "a table of pandas, polars, Arrow or DuckDB"
        raise TypeError(f"{what} must be {accepted}, not a {type(table).__name__}")
    read = pa.table(table)  # takes the Arrow stream of any library
    return Table(what, list(read.column_names), [ArrowColumn(column) for column in read.columns])


class ArrowColumn:
    """Shows a column of Arrow with the methods of polars."""

    def __init__(self, column: Any) -> None:  # noqa: ANN401 -- pyarrow publishes no types
        self._column = column

    def to_numpy(self) -> Any:  # noqa: ANN401 -- pyarrow publishes no types
        """Return the values as an array."""
        return self._column.to_numpy()

    def to_list(self) -> list[object]:
        """Return the values as plain ones, None where one is missing."""
        return list(self._column.to_pylist())

    def null_count(self) -> int:
        """Return how many are missing."""
        return int(self._column.null_count)

    def is_null(self) -> ArrowColumn:
        """Return which are missing."""
        return ArrowColumn(self._column.is_null())


def _values(column: Foreign) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return a column's values, and which are missing."""
    if hasattr(column, "isna"):
        return np.asarray(column), np.asarray(column.isna(), dtype=bool)
    values = _as_array(column)
    missing = np.asarray(column.is_null().to_numpy(), dtype=bool)
    if values.dtype.kind == "f":
        missing = missing | np.isnan(values)
    return values, missing


def plain_column(column: Foreign) -> NDArray[np.generic]:
    """Return a column of attributes, None where a value is missing that is no number."""
    values, missing = _values(column)
    if values.dtype.kind in "biufM":
        return as_column(values)
    return as_column([None if gone else value for value, gone in zip(values.tolist(), missing, strict=True)])


def _weights(column: Foreign) -> Sequence[object] | NDArray[Any]:
    if hasattr(column, "isna"):
        if column.dtype != object and (isinstance(column.dtype, np.dtype) or not column.isna().any()):
            return np.asarray(column)
        absent = sys.modules["pandas"].NA  # as object: numpy would turn it into NaN
        return [None if value is absent else value for value in column.astype(object).tolist()]
    weights: Sequence[object] | NDArray[Any] = column.to_list() if column.null_count() else _as_array(column)
    return weights


def _as_array(column: Foreign) -> NDArray[Any]:
    """Return a column as an array, of plain values where numpy has no type for them, such as 128-bit integers."""
    if str(getattr(column, "dtype", "")) not in _NOT_NUMPY:
        return np.asarray(column.to_numpy())
    listed = column.to_list()
    values = np.empty(len(listed), dtype=object)
    values[:] = listed
    return values
