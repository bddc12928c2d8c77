"""Edge files of any size as one table of DuckDB: Parquet, csv and plain text, one file or a folder of them."""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphne_viz._atomic import split_ending
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert.table_columns import Table
from graphne_viz.graphs.convert.tables import find_ends, find_weight
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.formats.parquet import open_parquet, size_of_values
from graphne_viz.graphs.io.size_limit import SizeLimit, check_file, unpacked_size
from graphne_viz.graphs.io.text_rows import Lines, find_separator, read_rows

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

    from graphne_viz._types import PathLike
else:
    pa = lazy_import("pyarrow", needs="graphne prepare needs pyarrow: pip install 'graphne-viz[cluster]'")
    parquet = lazy_import("pyarrow.parquet", needs="graphne prepare needs pyarrow: pip install 'graphne-viz[cluster]'")

_TEXT = {".csv": ",", ".tsv": "\t", ".txt": None, ".edges": None, ".edgelist": None}
"""Endings of text, and what usually stands between its columns."""

_LOOKED_AT = 1 << 16
"""Bytes of a text from which its columns are told."""


@dataclass(frozen=True)
class EdgeFiles:
    """What to read, in the words of DuckDB.

    Attributes
    ----------
    name : str
        What messages call it.
    table : str
        The files as a table.
    source, target : str
        Expressions for the two ends of an edge.
    weight : str or None
        Expression for the weight, a double or null where it is none; None if there are no weights.
    text : bool
        Whether all columns are text, in which whole numbers have to be recognised.
    bytes : int
        About how large the files are, if written as text.
    limit : SizeLimit
        What they may unpack to. Rows of Parquet and bytes of text were held against it; texts of Parquet, which may
        stand there once for a million rows, are to be.
    """

    name: str
    table: str
    source: str
    target: str
    weight: str | None
    text: bool
    bytes: int
    limit: SizeLimit


def find_edge_files(
    path: PathLike,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = DEFAULT_WEIGHT,
    header: bool | None = None,
    max_size: int | None = None,
) -> EdgeFiles:
    """Find the files, and in which of their columns the edges are.

    Parameters
    ----------
    path : path-like
        A file, or a folder whose files all have one ending and the same columns.
    source, target, weight, header
        As for `graphne_viz.graphs.io.files.read_graph`.
    max_size : int, optional
        Bytes that the files may unpack to, together; by default in proportion to their size.

    Raises
    ------
    FileNotFoundError
        If there is nothing.
    ValueError
        If the files are of another kind, their columns cannot be told, or they unpack to more than they may.
    """
    path = Path(path)
    files = _listed(path)
    limit = SizeLimit(_size(files), max_size)
    ending = split_ending(files[0])[0]
    if ending == ".parquet" and header is not None:
        raise ValueError(f"header={header!r} is for text (csv, tsv, txt), not for {path}")
    try:
        if ending == ".parquet":
            return _parquet(path, files, source, target, weight, limit=limit)
        return _text(path, files, source, target, weight, limit=limit, header=header)
    except (ValueError, FileProblem) as error:
        raise ValueError(f"{files[0]}: {error}") from None


def _listed(path: Path) -> list[Path]:
    known = [".parquet", *_TEXT]
    listed = f"{', '.join(known)}, text also with .gz"
    if not path.is_dir():
        check_file(path)
        if split_ending(path)[0] not in known:
            raise ValueError(f"{path} does not end in one of {listed}")
        return [path]
    files = sorted(file for file in path.rglob("*") if file.is_file() and split_ending(file)[0] in known)
    if not files:
        raise FileNotFoundError(f"{path} has no file that ends in one of {listed}")
    endings = sorted({split_ending(file)[0] for file in files})
    if len(endings) > 1:
        raise ValueError(f"{path} has files of several kinds, {', '.join(endings)}; all must be of one")
    return files


def _parquet(
    path: Path, files: list[Path], source: str | None, target: str | None, weight: str | None, *, limit: SizeLimit
) -> EdgeFiles:
    try:
        names = parquet.read_schema(files[0]).names
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(f"not a readable Parquet file: {' '.join(str(error).split())}") from None
    table = Table("the file", names, ())
    ends = find_ends(table, source, target)
    at = find_weight(table, weight)
    _check_rows(files, {names[k] for k in (*ends, at) if k is not None}, limit)
    return EdgeFiles(
        name=str(path),
        table=f"read_parquet({_list(files)})",
        source=_quoted(names[ends[0]]),
        target=_quoted(names[ends[1]]),
        weight=None if at is None else f"coalesce({_quoted(names[at])}, 1)::DOUBLE",
        text=False,
        bytes=2 * _size(files),
        limit=limit,
    )


def _check_rows(files: list[Path], used: set[str], limit: SizeLimit) -> None:
    """Refuse more values than there may be: equal ones take no room in a Parquet file, however many there are."""
    try:
        read = [_metadata(file, used) for file in files]
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(f"not all are readable Parquet files: {' '.join(str(error).split())}") from None
    rows = sum(metadata.num_rows for metadata in read)
    size = sum(size_of_values(metadata, used) for metadata in read)
    limit.check(size, f"{rows:,} rows of {len(used)} columns")


def _metadata(path: Path, used: set[str]) -> Any:  # noqa: ANN401 -- pyarrow publishes no types
    with open_parquet(path, used) as file:
        return file.metadata


def _text(
    path: Path,
    files: list[Path],
    source: str | None,
    target: str | None,
    weight: str | None,
    *,
    limit: SizeLimit,
    header: bool | None,
) -> EdgeFiles:
    ending, zipped = split_ending(files[0])
    size = _text_size(files, limit)
    with gzip.open(files[0]) if zipped else files[0].open("rb") as stream:
        beginning = stream.read(_LOOKED_AT)
        if stream.read(1):  # the last line is cut
            beginning = beginning[: beginning.rfind(b"\n") + 1]
    lines = Lines(io.BytesIO(beginning))
    if lines.first is None:
        raise FileProblem("the file holds no edges")
    usual = _TEXT[ending]
    mark = find_separator(lines.first, usual)
    rows = read_rows(lines, mark, SizeLimit(len(beginning)))
    if header is None:
        header = source is not None or rows.has_header(weight, strict=usual is not None)
    if header:
        table = Table("the file", rows.names, ())
        at = find_weight(table, weight)
        by_place = at == 2 and len(table.names) == 3 and source is None
        ends = (0, 1) if by_place and table.find(("source", "target")) is None else find_ends(table, source, target)
    else:
        if weight not in {None, DEFAULT_WEIGHT}:
            raise FileProblem(f"weight={weight!r} names a column, but the file has no header")
        ends, at = (0, 1), 2 if weight is not None and len(rows.columns) > 2 else None
    columns = ", ".join(f"'c{k}': 'VARCHAR'" for k in range(len(rows.columns)))
    # What stands above the data is skipped, because comments may begin with either sign.
    above = rows.lines[0] - (0 if header else 1)
    options = f"delim={_literal(mark or ' ')}, skip={above}, quote='\"', escape='\"'"
    return EdgeFiles(
        name=str(path),
        table=f"read_csv({_list(files)}, header=false, auto_detect=false, columns={{{columns}}}, {options})",
        source=f"nullif(trim(c{ends[0]}), '')",
        target=f"nullif(trim(c{ends[1]}), '')",
        weight=None if at is None else f"try_cast(coalesce(nullif(trim(c{at}), ''), '1') AS DOUBLE)",
        text=True,
        bytes=size,
        limit=limit,
    )


def _text_size(files: list[Path], limit: SizeLimit) -> int:
    """Return how many bytes the files unpack to; more than there may be are refused, and not unpacked."""
    size = 0
    for file in files:
        try:
            size += unpacked_size(file, limit.most - size) if split_ending(file)[1] else file.stat().st_size
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise FileProblem(f"{file.name} is not a complete gzip file") from None
        if size > limit.most:
            raise limit.unpacked()
    return size


def _size(files: list[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def _list(files: list[Path]) -> str:
    return f"[{', '.join(_literal(_no_pattern(str(file))) for file in files)}]"


def _no_pattern(name: str) -> str:
    """Spell a name such that DuckDB finds that file, not those that it would be a pattern for."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _literal(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
