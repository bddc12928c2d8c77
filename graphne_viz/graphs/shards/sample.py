"""A fair sample of a table of results, for those who want to look at millions of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.formats.parquet import open_parquet, size_of_values, texts_of, with_texts
from graphne_viz.graphs.io.size_limit import SizeLimit, as_size

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from pyarrow import parquet

    from graphne_viz._types import Foreign
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


def read_sample(
    path: Path, most: int = SHOWN, seed: int = 0, *, max_size: int | str | None = None
) -> tuple[Graph, int]:
    """Read the nodes of a table of results, or a sample in which each is equally likely, in their order.

    Parameters
    ----------
    path : Path
    most : int
        Most nodes that are read.
    seed : int
        Decides which.
    max_size : int or str, optional
        As for `graphne_viz.graphs.io.files.read_graph`.

    Returns
    -------
    graph : Graph
        Without edges; its nodes have their positions.
    total : int
        Nodes in the table.

    Raises
    ------
    ValueError
        If the file is damaged, or would take more memory than `max_size`.
    """
    limit = SizeLimit(path.stat().st_size, as_size(max_size))
    try:
        table, total = _read(path, most, seed, limit)
    except FileProblem as problem:
        raise ValueError(f"{path}: {problem}") from None
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{path}: not a readable Parquet file: {' '.join(str(error).split())}") from None
    ids = tuple(table["id"].to_pylist())
    if len(set(ids)) < len(ids) or None in ids:
        raise ValueError(f"{path}: the column 'id' must name each node once")
    n = len(ids)
    positions = {axis: as_column(table[axis].to_numpy()) for axis in "xy"}
    return Graph(sp.csr_array((n, n)), ids, positions, origin="table", axes=frozenset("xy")), total


def _read(path: Path, most: int, seed: int, limit: SizeLimit) -> tuple[Foreign, int]:
    """Read the chosen rows of ids and positions, and how many there are in all."""
    schema = parquet.read_schema(path)
    with open_parquet(path, _COLUMNS, read_dictionary=texts_of(schema)) as file:
        total = int(file.metadata.num_rows)
        limit.check(size_of_values(file.metadata, _COLUMNS), f"{total:,} rows of {len(_COLUMNS)} columns")
        few = total > most
        chosen = np.sort(np.random.default_rng(seed).choice(total, most, replace=False)) if few else np.arange(total)
        pieces, first = [file.schema_arrow.empty_table().select(_COLUMNS)], 0
        for group in range(file.num_row_groups):
            stop = first + file.metadata.row_group(group).num_rows
            inside = chosen[slice(*np.searchsorted(chosen, [first, stop]))] - first
            if len(inside):
                pieces.append(
                    file.read_row_group(group, columns=list(_COLUMNS), use_threads=False).take(pa.array(inside))
                )
            first = stop
    table = pa.concat_tables(pieces)
    table.validate(full=True)
    table = with_texts(table, schema, limit)
    for k, axis in enumerate(table.column_names):
        if axis in {"x", "y"}:
            table = table.set_column(k, axis, table.column(k).cast(pa.float64()))
    return table, total
