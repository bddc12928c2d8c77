"""Reading shards: the rows of some nodes, as the process that owns these nodes needs them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.adjacency import MAX_NODES
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.formats.parquet import open_parquet
from graphne_viz.graphs.shards.manifest import MANIFEST, in_one_sentence, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow import parquet

    from graphne_viz._types import PathLike
    from graphne_viz.graphs.shards.manifest import Manifest, Shard
else:
    pa = lazy_import("pyarrow", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")
    parquet = lazy_import("pyarrow.parquet", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")

_WORK_OF_A_NODE = 10
"""A node costs as much as so many of its edges, where shares of equal work are cut."""


def open_shards(folder: PathLike) -> Shards:
    """Open a folder that ``graphne prepare`` or `write_graph` wrote; only what it says about itself is read.

    Raises
    ------
    FileNotFoundError
        If there is no folder, or a shard is missing.
    ValueError
        If a shard is of another run.
    """
    return Shards(Path(folder), read_manifest(folder))


def is_shards(path: PathLike) -> bool:
    """Whether a path is a folder of shards."""
    return (Path(path) / MANIFEST).is_file()


class Shards:
    """A graph in a folder.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
        What stands in it.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    def __repr__(self) -> str:
        return f"Shards({str(self.folder)!r}, {self.n_nodes:,} nodes, {self.n_edges:,} edges)"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.manifest.nodes

    @property
    def n_edges(self) -> int:
        """Number of pairs of neighbours."""
        return self.manifest.edges

    def degrees(self, first: int = 0, stop: int | None = None) -> NDArray[np.int64]:
        """Return the number of neighbours of the nodes ``first:stop``, of all by default, shape (stop - first,)."""
        first, stop = self._range(first, stop)
        found = [column["degree"] for column in self._tables(self.manifest.node_shards, first, stop, ["degree"])]
        return np.concatenate([np.empty(0, dtype=np.int64), *found])

    def cuts(self, size: int) -> list[int]:
        """Where to cut the nodes into ``size`` shares of about equal work; share k is ``cuts[k]:cuts[k + 1]``.

        No share is empty.
        """
        n = self.n_nodes
        if not 1 <= size <= max(n, 1):
            raise ValueError(f"there are {n:,} nodes, which cannot be shared among {size:,} processes")
        work = np.cumsum(self.degrees() + _WORK_OF_A_NODE)
        total = int(work[-1]) if n else 0
        cuts = np.searchsorted(work, total * np.arange(1, size) / size) + 1
        for k in range(size - 1):  # at least one node each, from the left and from the right
            cuts[k] = min(max(cuts[k], cuts[k - 1] + 1 if k else 1), n - (size - 1 - k))
        return [0, *cuts.tolist(), n]

    def rows(self, first: int, stop: int) -> sp.csr_array:
        """Read the rows ``first:stop`` of the adjacency matrix, in canonical form.

        Parameters
        ----------
        first, stop : int
            Nodes, as numbered in the shards.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (stop - first, n)
        """
        first, stop = self._range(first, stop)
        degrees = self.degrees(first, stop)
        indptr = np.concatenate([[0], np.cumsum(degrees)])
        count = int(indptr[-1])
        wide = self.n_nodes > MAX_NODES or count > MAX_NODES  # scipy wants both arrays of one kind
        kind = np.int64 if wide else np.int32
        targets = np.empty(count, dtype=kind)
        weights = np.ones(count)
        columns = ["source", "target", *(["weight"] if self.manifest.weighted else [])]
        done = 0
        for table in self._tables(self.manifest.shards, first, stop, columns):
            size = len(table["target"])
            targets[done : done + size] = table["target"]
            if self.manifest.weighted:
                weights[done : done + size] = table["weight"]
            done += size
        if done != count:
            raise ValueError(f"the shards in {self.folder} do not fit their degrees; prepare the folder again")
        return sp.csr_array((weights, targets, indptr.astype(kind)), shape=(stop - first, self.n_nodes))

    def ids(self, first: int = 0, stop: int | None = None) -> pa.ChunkedArray:
        """Read what the caller calls the nodes ``first:stop``."""
        first, stop = self._range(first, stop)
        kind = self.id_type
        found = []
        for shard in _overlapping(self.manifest.node_shards, first, stop):
            path = self.folder / shard.file
            with in_one_sentence(path), open_parquet(path, ["id"]) as file:
                column = file.read(columns=["id"], use_threads=False)["id"]
                column.validate(full=True)
            low = max(first - shard.first_node, 0)
            found.append(column.slice(low, min(stop, shard.stop) - shard.first_node - low))
        return pa.chunked_array([chunk for column in found for chunk in column.chunks], type=kind)

    @property
    def id_type(self) -> pa.DataType:
        """The Arrow type of the ids."""
        if not self.manifest.node_shards:
            return pa.int64()
        path = self.folder / self.manifest.node_shards[0].file
        with in_one_sentence(path):
            return parquet.read_schema(path).field("id").type

    def graph(self) -> Graph:
        """Read all of it into one process."""
        if self.n_nodes > MAX_NODES:
            raise ValueError(f"a graph in one process has at most {MAX_NODES:,} nodes, this one {self.n_nodes:,}")
        return Graph(self.rows(0, self.n_nodes), tuple(self.ids().to_pylist()), origin="table")

    def _range(self, first: int, stop: int | None) -> tuple[int, int]:
        stop = self.n_nodes if stop is None else stop
        if not 0 <= first <= stop <= self.n_nodes:
            raise ValueError(f"there are no nodes {first:,} to {stop:,}: the shards have {self.n_nodes:,}")
        return first, stop

    def _tables(
        self, shards: tuple[Shard, ...], first: int, stop: int, columns: list[str]
    ) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Columns of the rows of the nodes ``first:stop``, a row group at a time, so that no file is read whole."""
        for shard in _overlapping(shards, first, stop):
            key = "source" if "source" in columns else "index"
            path = self.folder / shard.file
            read = list({key, *columns})
            with in_one_sentence(path), open_parquet(path, read) as file:
                place = file.schema_arrow.names.index(key)
                for group in range(file.num_row_groups):
                    known = file.metadata.row_group(group).column(place).statistics
                    if known is not None and known.has_min_max and (known.max < first or known.min >= stop):
                        continue
                    table = file.read_row_group(group, columns=read, use_threads=False)
                    inside = slice(*np.searchsorted(table[key].to_numpy(), [first, stop]))
                    yield {name: table[name].to_numpy()[inside] for name in columns}


def _overlapping(shards: tuple[Shard, ...], first: int, stop: int) -> list[Shard]:
    return [shard for shard in shards if shard.first_node < stop and shard.stop > first]
