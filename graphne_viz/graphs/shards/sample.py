"""A fair sample of a table of results, for those who want to look at millions of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from pyarrow import parquet
else:
    pa = lazy_import("pyarrow", needs="reading Parquet needs pyarrow: pip install pyarrow")
    parquet = lazy_import("pyarrow.parquet", needs="reading Parquet needs pyarrow: pip install pyarrow")

SHOWN = 1_000_000
"""Most nodes that are shown."""

_COLUMNS = ("id", "x", "y")


def has_results(path: Path) -> bool:
    """Whether a file is a table that `write_results` wrote of a layout: ids and positions, and no edges."""
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return False
    try:
        names = parquet.read_schema(path).names
    except (pa.ArrowException, OSError):
        return False  # whoever reads it next says what is wrong
    return set(_COLUMNS) <= set(names) and not {"source", "target"} & set(names)


def read_sample(path: Path, most: int = SHOWN, seed: int = 0) -> tuple[Graph, int]:
    """Read the nodes of a table of results, or a sample in which each is equally likely, in their order.

    Parameters
    ----------
    path : Path
    most : int
        Most nodes that are read.
    seed : int
        Decides which.

    Returns
    -------
    graph : Graph
        Without edges; its nodes have their positions.
    total : int
        Nodes in the table.
    """
    with parquet.ParquetFile(path) as file:
        total = int(file.metadata.num_rows)
        few = total > most
        chosen = np.sort(np.random.default_rng(seed).choice(total, most, replace=False)) if few else np.arange(total)
        pieces, first = [], 0
        for group in range(file.num_row_groups):
            stop = first + file.metadata.row_group(group).num_rows
            inside = chosen[slice(*np.searchsorted(chosen, [first, stop]))] - first
            if len(inside):
                pieces.append(file.read_row_group(group, columns=list(_COLUMNS)).take(pa.array(inside)))
            first = stop
    table = pa.concat_tables(pieces) if pieces else parquet.read_table(path, columns=list(_COLUMNS))
    n = table.num_rows
    positions = {axis: as_column(table[axis].to_numpy().astype(np.float64)) for axis in "xy"}
    ids = tuple(table["id"].to_pylist())
    return Graph(sp.csr_array((n, n)), ids, positions, origin="table", axes=frozenset("xy")), total
