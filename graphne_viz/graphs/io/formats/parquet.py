"""Reading a table of edges from Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.convert.tables import from_table
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.size_limit import CELL, limit_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, BinaryIO

    import pyarrow as pa
    from pyarrow import compute, parquet

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.size_limit import SizeLimit
else:
    pa = lazy_import("pyarrow", needs="reading Parquet needs pyarrow: pip install pyarrow")
    compute = lazy_import("pyarrow.compute", needs="reading Parquet needs pyarrow: pip install pyarrow")
    parquet = lazy_import("pyarrow.parquet", needs="reading Parquet needs pyarrow: pip install pyarrow")


def read_parquet(
    stream: BinaryIO,
    weight: str | None,
    *,
    source: str | None = None,
    target: str | None = None,
    directed: bool | None = None,
) -> Graph:
    """Read a Parquet table of edges, as `from_table` does."""
    return from_table(read_arrow_table(stream), weight, source=source, target=target, directed=directed)


def read_arrow_table(stream: BinaryIO) -> Foreign:
    """Read a Parquet table as one of Arrow, unless it would take more than the file may.

    Parquet writes what repeats once: a hundred million equal rows are less than a megabyte, and so are ten thousand
    times the same megabyte of text. So text is read as codes, and made text when it is known how much that is.
    """
    read_schema = parquet.read_schema  # where pyarrow is missing, this says so
    limit = limit_of(stream)
    try:
        schema = read_schema(stream)
        stream.seek(0)
        file = open_parquet(stream, read_dictionary=texts_of(schema))
        size = size_of_values(file.metadata)
        limit.check(size, f"{file.metadata.num_rows:,} rows of {file.metadata.num_columns:,} columns")
        table = file.read(use_threads=False)
        table.validate(full=True)  # text that is none would be found out only where it is looked at
        table = with_texts(table, schema, limit)
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(f"not a readable Parquet file: {' '.join(str(error).split())}") from None
    return table


def open_parquet(source: Any, columns: Collection[str] | None = None, **options: Any) -> Any:  # noqa: ANN401 -- pyarrow publishes no types
    """Open a Parquet file such that what a damaged one says of its columns may be looked at.

    pyarrow ends the process where that is asked for, and raises an error where a column is read. So the first row of
    each group is read, and in this thread: others would go on with a file that was given up.

    Parameters
    ----------
    source : path or binary stream
    columns : collection of str, optional
        Those that will be looked at; by default all.
    **options
        Of `pyarrow.parquet.ParquetFile`.

    Raises
    ------
    pyarrow.ArrowException, OSError
        If the file is damaged.
    """
    file = parquet.ParquetFile(source, pre_buffer=False, **options)
    try:
        for group in range(file.num_row_groups):
            next(file.iter_batches(1, [group], None if columns is None else list(columns), use_threads=False), None)
    except BaseException:
        file.close()
        raise
    return file


def texts_of(schema: Any) -> list[str]:  # noqa: ANN401 -- pyarrow publishes no types
    """Return the names of the columns that hold text or bytes, which are to be read as codes."""
    return [field.name for field in schema if _is_text(field.type)]


def size_of_values(metadata: Any, used: Collection[str] | None = None) -> int:  # noqa: ANN401 -- the same
    """Return the bytes of all values that are not text, before any is read; `used` names the columns that count."""
    kinds = [metadata.schema.column(k) for k in range(metadata.num_columns)]
    widths = {
        k: max(CELL, kind.length) for k, kind in enumerate(kinds) if used is None or kind.path.split(".")[0] in used
    }
    size = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        size += sum(max(group.num_rows, group.column(k).num_values) * width for k, width in widths.items())
    return size


def with_texts(table: Foreign, schema: Any, limit: SizeLimit) -> Foreign:  # noqa: ANN401 -- the same
    """Return a table with text where it has codes and `schema` text, unless that would take more than it may."""
    for k, name in enumerate(table.column_names):
        field = schema.field(name)
        if _is_text(field.type) and pa.types.is_dictionary(table.schema.field(k).type):
            table = table.set_column(k, field, _decoded(table.column(k), field, limit))
    return table


def _is_text(kind: Any) -> bool:  # noqa: ANN401 -- pyarrow publishes no types
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )


def _decoded(column: Any, field: Any, limit: SizeLimit) -> Any:  # noqa: ANN401 -- pyarrow publishes no types
    """Return a column of codes as text."""
    size = 0
    for chunk in column.chunks:
        lengths = compute.fill_null(compute.binary_length(chunk.dictionary), 0).to_numpy(zero_copy_only=False)
        codes = compute.drop_null(chunk.indices).to_numpy(zero_copy_only=False)
        size += int(lengths.astype(np.int64) @ np.bincount(codes, minlength=len(lengths))) if len(lengths) else 0
    limit.check(size, f"the texts of column {field.name!r}")
    parts = [chunk.dictionary_decode().cast(field.type) for chunk in column.chunks]
    return pa.chunked_array(parts, type=field.type)
