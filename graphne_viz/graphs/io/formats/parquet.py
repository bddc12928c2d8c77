"""Reading a table of edges from Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.convert.tables import from_table
from graphne_viz.graphs.io.builder import FileProblem

if TYPE_CHECKING:
    from typing import BinaryIO

    import pyarrow as pa
    from pyarrow import parquet

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
else:
    pa = lazy_import("pyarrow", needs="reading Parquet needs pyarrow: pip install pyarrow")
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
    """Read a Parquet table as one of Arrow."""
    read_table = parquet.read_table  # where pyarrow is missing, this says so
    try:
        return read_table(stream)
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(f"not a readable Parquet file: {' '.join(str(error).split())}") from None
