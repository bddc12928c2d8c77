"""Writing shards: from sorted edges, in one pass, into a folder that appears only when it is complete."""

from __future__ import annotations

import secrets
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from graphne_viz._atomic import unfinished_path
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.shards.manifest import RUN, Manifest, Shard, present_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow import parquet

    from graphne_viz._types import PathLike
    from graphne_viz.graphs.graph import Graph
else:
    pa = lazy_import("pyarrow", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")
    parquet = lazy_import("pyarrow.parquet", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")

SHARD_ROWS = 1 << 24
"""Rows of a file, about: enough for few files, few enough to be copied one by one."""

_GROUP_ROWS = 1 << 18
"""Rows of a row group, the least that is read: 6 MB."""


class Rows(NamedTuple):
    """Edges from some nodes, sorted by source and then by target.

    Attributes
    ----------
    source, target : ndarray of int64, shape (m,)
    weight : ndarray of float64, shape (m,)
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]


@contextmanager
def new_folder(path: PathLike) -> Iterator[Path]:
    """Give a temporary folder to fill, and move it to `path` if all went well; otherwise nothing is left.

    Raises
    ------
    FileExistsError
        If there is something already: what others may be reading is not replaced file by file.
    """
    target = Path(path)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise FileExistsError(f"{path} exists already; name a new folder, or remove it first")
    parent = target.resolve().parent
    if not parent.is_dir():
        raise FileNotFoundError(f"the folder of {path} does not exist")
    unfinished = unfinished_path(parent)
    unfinished.mkdir()
    try:
        yield unfinished
        unfinished.replace(target.resolve())
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


class ShardWriter:
    """Writes the files of one folder, range of nodes after range of nodes.

    Parameters
    ----------
    folder : Path
        Empty, from `new_folder`.
    id_type : pyarrow.DataType
        Of the ids.
    shard_rows : int
        About how many rows a file has.

    Examples
    --------
    >>> import tempfile
    >>> from graphne_viz.graphs.shards.reader import open_shards
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     with new_folder(f"{parent}/shards") as folder, ShardWriter(folder, pa.string()) as writer:
    ...         writer.add(Rows(np.array([0, 1]), np.array([1, 0]), np.ones(2)), pa.array(["a", "b", "alone"]))
    ...     open_shards(f"{parent}/shards").rows(0, 1).toarray()
    array([[0., 1., 0.]])
    """

    def __init__(
        self,
        folder: Path,
        id_type: pa.DataType,
        *,
        shard_rows: int = SHARD_ROWS,
        versions: dict[str, str] | None = None,
    ) -> None:
        self._folder = folder
        self._rows = shard_rows
        self._versions = present_versions(**(versions or {}))
        self._run = secrets.token_hex(16)
        note = {RUN: self._run.encode()}
        integer, number = pa.int64(), pa.float64()
        self._edge_schema = pa.schema({"source": integer, "target": integer, "weight": number}, metadata=note)
        self._node_schema = pa.schema({"index": integer, "id": id_type, "degree": integer}, metadata=note)
        self._shards: list[Shard] = []
        self._node_shards: list[Shard] = []
        self._open: tuple[parquet.ParquetWriter, parquet.ParquetWriter] | None = None
        self._first = self._nodes = self._written = self._in_file = 0
        self._weighted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()
        if error[0] is None:
            Manifest(
                run=self._run,
                nodes=self._nodes,
                edges=self._written // 2,
                weighted=self._weighted,
                shards=tuple(self._shards),
                node_shards=tuple(self._node_shards),
                versions=self._versions,
            ).write(self._folder)

    def add(self, rows: Rows, ids: pa.Array) -> None:
        """Write the nodes that follow, as many as there are ids, and all of their rows."""
        first, stop = self._nodes, self._nodes + len(ids)
        if len(rows.source) and not first <= rows.source[0] <= rows.source[-1] < stop:
            raise ValueError(f"rows of the nodes {rows.source[0]:,} to {rows.source[-1]:,} do not belong to these ids")
        if self._open is None:
            self._open = self._begin()
            self._first = first
        edges, nodes = self._open
        columns = [rows.source, rows.target, rows.weight]
        edges.write_table(pa.table(columns, schema=self._edge_schema), row_group_size=_GROUP_ROWS)
        degrees = np.bincount(rows.source - first, minlength=len(ids))
        columns = [np.arange(first, stop), ids, degrees]
        nodes.write_table(pa.table(columns, schema=self._node_schema), row_group_size=_GROUP_ROWS)
        self._nodes = stop
        self._in_file += len(rows.source)
        self._weighted = self._weighted or bool((rows.weight != 1).any())
        if max(self._in_file, stop - self._first) >= self._rows:
            self._close()

    def _begin(self) -> tuple[parquet.ParquetWriter, parquet.ParquetWriter]:
        number = len(self._shards)
        edges, nodes = (self._folder / f"{name}-{number:05}.parquet" for name in ("edges", "nodes"))
        options = {"compression": "zstd", "write_statistics": True}
        return (
            # Neighbours are numbers that hardly repeat; sources and weights repeat all the time.
            parquet.ParquetWriter(edges, self._edge_schema, use_dictionary=["source", "weight"], **options),
            parquet.ParquetWriter(nodes, self._node_schema, use_dictionary=["degree"], **options),
        )

    def _close(self) -> None:
        """End the files that are open."""
        if self._open is None:
            return
        for file in self._open:
            file.close()
        number, last = len(self._shards), self._nodes - 1
        self._shards.append(Shard(f"edges-{number:05}.parquet", self._in_file, self._first, last))
        self._node_shards.append(Shard(f"nodes-{number:05}.parquet", self._nodes - self._first, self._first, last))
        self._written += self._in_file
        self._open, self._in_file = None, 0


def write_graph(path: PathLike, graph: Graph, *, shard_rows: int = SHARD_ROWS) -> None:
    """Write a graph that is in memory as a folder of shards.

    Parameters
    ----------
    path : path-like
        The new folder.
    graph : Graph
        Its ids must be of one type that Arrow has; others are written as text.
    shard_rows : int
        About how many rows a file has.
    """
    ids = _as_arrow(graph)
    A = graph.adjacency
    step = max(int(min(shard_rows, _GROUP_ROWS) * graph.n_nodes / max(A.nnz, 1)), 1)
    with new_folder(path) as folder, ShardWriter(folder, ids.type, shard_rows=shard_rows) as writer:
        for first in range(0, graph.n_nodes, step):
            stop = min(first + step, graph.n_nodes)
            inside = slice(A.indptr[first], A.indptr[stop])
            source = np.repeat(np.arange(first, stop), np.diff(A.indptr[first : stop + 1]))
            rows = Rows(source, A.indices[inside].astype(np.int64), A.data[inside])
            writer.add(rows, ids.slice(first, stop - first))


def _as_arrow(graph: Graph) -> pa.Array:
    try:
        return pa.array(graph.ids)
    except (pa.ArrowException, TypeError, OverflowError):
        return pa.array([str(node) for node in graph.ids])
