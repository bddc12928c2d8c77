"""From edge files of any size to a folder of shards, in bounded memory.

DuckDB reads the files and numbers the ids: it keeps to a limit of memory, spills what is more to disk, and reads csv
and Parquet with all cores. Integers are sorted by numpy in ranges that fit into memory, which is faster than in SQL.
"""

from __future__ import annotations

import errno
import os
import threading
from contextlib import contextmanager
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, bad_weight
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.size_limit import as_size
from graphne_viz.graphs.shards.edge_files import find_edge_files
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.sorting import BUCKET_ROWS, EdgeSorter
from graphne_viz.graphs.shards.writer import SHARD_ROWS, ShardWriter, new_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray
    from tqdm import auto as tqdm_auto

    from graphne_viz._types import PathLike
    from graphne_viz.graphs.shards.edge_files import EdgeFiles
    from graphne_viz.graphs.shards.reader import Shards
else:
    duckdb = lazy_import("duckdb", needs="graphne prepare needs duckdb: pip install 'graphne-viz[cluster]'")
    pa = lazy_import("pyarrow", needs="graphne prepare needs pyarrow: pip install 'graphne-viz[cluster]'")
    tqdm_auto = lazy_import("tqdm.auto")

_T = TypeVar("_T")

MEMORY = 1000
"""Megabytes that DuckDB may use, by default; all else takes less than as much again."""

_LEAST_MEMORY = 200

_BYTES_OF_A_PASS = 2
"""Bytes of memory for each byte of the files that are grouped in a pass."""

_STREAMED = 1 << 18
"""Edges that DuckDB hands over at once."""

_STAGES = {
    "reading ids": 35,
    "numbering nodes": 5,
    "looking up edges": 20,
    "numbering edges": 20,
    "sorting": 8,
    "writing": 12,
}
"""What is done, and about what share of the time it takes, in percent."""

_FULL = tuple(os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""What DuckDB repeats of the system's words where a disk is full."""

_WHOLE_NUMBER = "0|-?[1-9][0-9]{0,17}"


def prepare(
    path: PathLike,
    folder: PathLike,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = DEFAULT_WEIGHT,
    header: bool | None = None,
    memory: int = MEMORY,
    max_size: int | str | None = None,
    progress: bool = False,
    shard_rows: int = SHARD_ROWS,
    bucket_rows: int = BUCKET_ROWS,
) -> Shards:
    """Make a folder of shards from edge files.

    Nodes are numbered in the order of their ids. Direction is not kept; parallel edges add up and loops are left out,
    as for a graph in memory, and where every edge stands in both directions each counts once.

    Parameters
    ----------
    path : path-like
        A Parquet, csv, tsv or txt file, text also compressed by gzip, or a folder of such files of one kind.
    folder : path-like
        The new folder; it appears only when it is complete. Temporary files are beside it.
    source, target, weight, header
        As for `graphne_viz.graphs.io.files.read_graph`.
    memory : int
        Megabytes for DuckDB.
    max_size : int or str, optional
        Bytes that the files may unpack to, or text such as "4TB". By default 32 times their size and at least 33 MB,
        so that no small file fills the disk.
    progress : bool
        Whether a progress bar is shown.
    shard_rows, bucket_rows : int
        About how many rows a file has, and how many are sorted at once.

    Returns
    -------
    Shards

    Raises
    ------
    FileNotFoundError, FileExistsError, ValueError
        If the input is missing or bad, or the folder there already.
    """
    check_integer("memory", memory, least=_LEAST_MEMORY)
    version = duckdb.__version__  # where it is missing, this says so
    most = as_size(max_size)
    files = find_edge_files(path, source=source, target=target, weight=weight, header=header, max_size=most)
    with new_folder(folder) as unfinished, _in_one_sentence(files, folder):
        work = unfinished / "work"
        work.mkdir()
        with _Bar(show=progress) as bar, _Database(work, memory, bar) as database:
            database.check_texts(files)
            n = database.number_nodes(files)
            with EdgeSorter(work, n, weighted=files.weight is not None, bucket_rows=bucket_rows) as sorter:
                edges = database.number_edges(files, sorter)
                with bar.stage("sorting", edges) as done:
                    for count in sorter.distribute():
                        done(count)
                ids = database.ids()
                writer = ShardWriter(unfinished, ids.type, shard_rows=shard_rows, versions={"duckdb": version})
                with writer, bar.stage("writing", n) as done:
                    for first, stop, rows in sorter.ranges():
                        writer.add(rows, ids.take(stop - first))
                        done(stop - first)
        rmtree(work)
    return open_shards(folder)


class _Bar:
    """A progress bar over several stages."""

    def __init__(self, *, show: bool) -> None:
        form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        self._bar = tqdm_auto.tqdm(total=100, bar_format=form, disable=not show)
        self._before = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.close()

    @contextmanager
    def stage(self, name: str, total: float, share: float = 1.0) -> Iterator[Any]:
        """Begin a stage, or a share of it; what is handed out is called with how much more of the total is done."""
        reached, width = 0.0, share * _STAGES[name]

        def done(more: float) -> None:
            nonlocal reached
            reached = min(reached + more, total)
            self._bar.n = self._before + width * reached / max(total, 1)
            self._bar.refresh()

        self._bar.set_description_str(name)
        yield done
        self._before += width
        self._bar.n = min(self._before, 100)
        self._bar.refresh()


class _Ids:
    """Ids of all nodes in order, taken piece by piece.

    Attributes
    ----------
    type : pyarrow.DataType
    """

    def __init__(self, reader: pa.RecordBatchReader) -> None:
        self.type = reader.schema.field(0).type
        self._reader = reader
        self._left = pa.chunked_array([], self.type)

    def take(self, count: int) -> pa.ChunkedArray:
        """Return the next ids."""
        while len(self._left) < count:
            chunk = self._reader.read_next_batch().column(0)
            self._left = pa.chunked_array([*self._left.chunks, chunk], self.type)
        taken, self._left = self._left.slice(0, count), self._left.slice(count)
        return taken


class _Database:
    """A database of DuckDB for one preparation.

    Parameters
    ----------
    folder : Path
        Where it and what it spills are.
    memory : int
        Megabytes.
    bar : _Bar
    """

    def __init__(self, folder: Path, memory: int, bar: _Bar) -> None:
        self._bar = bar
        self._memory = memory
        self._connection = duckdb.connect(
            str(folder / "ids.duckdb"),
            config={
                "memory_limit": f"{memory}MB",
                "temp_directory": str(folder / "spilled"),
                # Nothing is loaded from elsewhere.
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "preserve_insertion_order": False,
            },
        )
        self._integers = self._dense = False
        self._least = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def check_texts(self, files: EdgeFiles) -> None:
        """Refuse ids of Parquet that are more text than there may be: one that repeats stands in the file once."""
        if files.text:  # counted when they were unpacked
            return
        # To tell the length of a text that repeats, DuckDB looks at it once.
        for end in (files.source, files.target):
            kind = self._value(f"SELECT typeof({end}) FROM {files.table} LIMIT 1")
            if kind not in {"VARCHAR", "BLOB"}:
                continue
            length = "strlen" if kind == "VARCHAR" else "octet_length"
            size = self._value(f"SELECT sum({length}({end})) FROM {files.table}")
            try:
                files.limit.check(int(size or 0), f"the texts of column {end}")
            except FileProblem as problem:
                raise ValueError(f"{files.name}: {problem}") from None

    def number_nodes(self, files: EdgeFiles) -> int:
        """Make the table of nodes, in which the place of a row is the number of its node; how many there are."""
        # DuckDB cannot spill all of what it groups: it sees some of the ids at a time.
        passes = -(-_BYTES_OF_A_PASS * files.bytes // (self._memory * 1_000_000)) or 1
        for k in range(passes):
            chosen = [
                f"SELECT {end} AS id FROM {files.table} WHERE coalesce(hash({end}) % {passes}, 0) = {k}"
                for end in (files.source, files.target)
            ]
            into = "INSERT INTO ids" if k else "CREATE TABLE ids AS"
            query = f"{into} SELECT id FROM ({' UNION ALL '.join(chosen)}) GROUP BY id"
            self._run("reading ids", query, share=1 / passes)
        kind = str(self._value("SELECT any_value(typeof(id)) FROM ids") or "VARCHAR")
        missing = "id IS NULL" + (" OR isnan(id)" if kind in {"FLOAT", "DOUBLE"} else "")
        if self._value(f"SELECT count(*) FROM ids WHERE {missing}"):
            raise ValueError(f"an edge in {files.name} has no source or no target")
        if files.text:
            self._integers = bool(self._value(f"SELECT bool_and(regexp_full_match(id, '{_WHOLE_NUMBER}')) FROM ids"))
        order = "id::BIGINT" if self._integers else "id"
        self._connection.execute("SET preserve_insertion_order = true")
        self._run("numbering nodes", f"CREATE TABLE nodes AS SELECT {order} AS id FROM ids ORDER BY 1")
        self._connection.execute("DROP TABLE ids")
        n = int(self._value("SELECT count(*) FROM nodes"))
        if n and (self._integers or kind in {"TINYINT", "SMALLINT", "INTEGER", "BIGINT"}):
            self._least = int(self._value("SELECT min(id) FROM nodes"))
            self._dense = int(self._value("SELECT max(id) FROM nodes")) - self._least + 1 == n
        if not n:
            raise ValueError(f"{files.name} holds no edges")
        return n

    def number_edges(self, files: EdgeFiles, sorter: EdgeSorter) -> int:
        """Hand over all edges as numbers of nodes; how many there are."""
        cast = "::BIGINT" if self._integers else ""
        ends = [f"{files.source}{cast}", f"{files.target}{cast}"]
        weight = "" if files.weight is None else f", {files.weight} AS weight"
        if self._dense:  # whole numbers without gaps: nothing to look up
            with self._bar.stage("looking up edges", 1):
                pass
            ends = [f"({end})::BIGINT - {self._least}" for end in ends]
            query = f"SELECT {ends[0]} AS s, {ends[1]} AS t{weight} FROM {files.table}"
        else:
            # One end after the other, so that the ids of all nodes are in memory once.
            edges = f"SELECT {ends[0]} AS u, {ends[1]} AS v{weight} FROM {files.table}"
            weight = weight and ", e.weight"
            half = f"SELECT a.rowid AS s, e.v{weight} FROM ({edges}) e JOIN nodes a ON a.id = e.u"
            self._connection.execute("SET preserve_insertion_order = false")
            self._run("looking up edges", f"CREATE TABLE half AS {half}")
            query = f"SELECT e.s, b.rowid AS t{weight} FROM half e JOIN nodes b ON b.id = e.v"
        self._connection.execute("SET preserve_insertion_order = false")
        count = 0
        with self._bar.stage("numbering edges", 100) as done:
            before = 0.0
            for batch in self._connection.sql(query).to_arrow_reader(_STREAMED):
                columns = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
                self._check_weights(files.name, columns)
                sorter.add(*columns)
                count += batch.num_rows
                now = max(self._connection.query_progress(), before)
                done(now - before)
                before = now
        return count

    def ids(self) -> _Ids:
        """Return the ids of all nodes, in order."""
        self._connection.execute("SET preserve_insertion_order = true")
        return _Ids(self._connection.sql("SELECT id FROM nodes ORDER BY rowid").to_arrow_reader(_STREAMED))

    def _check_weights(self, name: str, columns: list[NDArray[Any]]) -> None:
        if len(columns) < 3:
            return
        source, target, weights = columns
        wrong = ~((weights >= 0) & (weights < np.inf))
        if wrong.any():
            k = int(wrong.argmax())
            u, v = (self._value(f"SELECT id FROM nodes WHERE rowid = {int(end[k])}") for end in (source, target))
            raise ValueError(f"{name}: {bad_weight((u, v), float(weights[k]))}")

    def _value(self, query: str) -> Any:  # noqa: ANN401 - whatever a cell holds
        cursor = self._connection.cursor()
        row = _do_interruptibly(cursor, lambda: cursor.execute(query).fetchone())
        return None if row is None else row[0]

    def _run(self, stage: str, query: str, share: float = 1.0) -> None:
        """Run a query and show its progress."""
        with self._bar.stage(stage, 100, share) as done:
            before = 0.0

            def show() -> None:
                nonlocal before
                now = max(self._connection.query_progress(), before)
                done(now - before)
                before = now

            _do_interruptibly(self._connection, lambda: self._connection.execute(query), show)


def _do_interruptibly(
    connection: duckdb.DuckDBPyConnection, action: Callable[[], _T], meanwhile: Callable[[], None] = lambda: None
) -> _T:
    """Do something with a connection in another thread, so that Ctrl-C is heard at once, and ends it."""
    found: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(action())
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            meanwhile()
    finally:
        if thread.is_alive():
            connection.interrupt()
            thread.join()
    if failed:
        raise failed[0]
    return found[0]


@contextmanager
def _in_one_sentence(files: EdgeFiles, folder: PathLike) -> Iterator[None]:
    """Say what DuckDB could not read or write in one sentence, in the words of this package."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        raise MemoryError(
            "the memory that DuckDB may use is not enough; give it more by memory, in megabytes"
        ) from None
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        full = next((why for why in _FULL if why in reason), None)
        if full is not None:
            raise OSError(f"{folder} could not be written: {full}") from None
        raise ValueError(f"{files.name} cannot be read: {reason}") from None
