"""What was computed for the nodes of shards, joined back to the names the caller has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._atomic import replace_when_complete
from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow import parquet

    from graphne_viz._types import PathLike
    from graphne_viz.graphs.shards.manifest import Shard
    from graphne_viz.graphs.shards.reader import Shards

    Columns = Callable[[int, int], Mapping[str, NDArray[np.generic]]]
else:
    pa = lazy_import("pyarrow", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")
    parquet = lazy_import("pyarrow.parquet", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")

_AT_ONCE = 1 << 16
"""Nodes whose results are held at once."""


def blocks(shards: Shards) -> Iterator[tuple[int, int]]:
    """Return the runs of nodes whose results are written at once, in turn: the first one, and one past the last."""
    for shard in shards.manifest.node_shards:
        yield from _blocks(shard)


def _blocks(shard: Shard) -> Iterator[tuple[int, int]]:
    for first in range(shard.first_node, shard.stop, _AT_ONCE):
        yield first, min(first + _AT_ONCE, shard.stop)


def write_results(
    path: PathLike,
    shards: Shards,
    columns: Columns | Mapping[str, NDArray[np.generic]],
    *,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write a Parquet table with a row for each node: ``id``, and what was computed for it.

    Parameters
    ----------
    path : path-like
        Replaced only when the new file is complete.
    shards : Shards
        What was computed for.
    columns : mapping of str to ndarray of shape (n,), or callable
        Called as ``columns(first, stop)``, it returns those of the nodes ``first:stop``, in turn from the first node
        to the last, so that no process has to hold all of them.
    metadata : mapping of str to str, optional
        Noted in the file.
    """
    if not callable(columns):
        whole = dict(columns)
        wrong = {name: np.shape(column) for name, column in whole.items() if np.shape(column) != (shards.n_nodes,)}
        if wrong:
            name, shape = next(iter(wrong.items()))
            raise ValueError(f"column {name!r} has shape {shape}; there are {shards.n_nodes:,} nodes")

        def columns(first: int, stop: int) -> Mapping[str, NDArray[np.generic]]:
            return {name: column[first:stop] for name, column in whole.items()}

    with replace_when_complete(path) as unfinished:
        file = None
        try:
            for shard in shards.manifest.node_shards or ():
                ids = shards.ids(shard.first_node, shard.stop)
                for first, stop in _blocks(shard):
                    found = {name: np.ascontiguousarray(column) for name, column in columns(first, stop).items()}
                    table = pa.table({"id": ids.slice(first - shard.first_node, stop - first), **found})
                    if file is None:
                        # Hardly a number occurs twice, so a dictionary of them would only be written and given up.
                        schema = table.schema.with_metadata(metadata)
                        file = parquet.ParquetWriter(unfinished, schema, use_dictionary=False, compression="zstd")
                    file.write_table(table)
            if file is None:
                names = {name: pa.array(column) for name, column in columns(0, 0).items()}
                parquet.write_table(pa.table({"id": pa.array([], shards.id_type), **names}), unfinished)
        finally:
            if file is not None:
                file.close()
