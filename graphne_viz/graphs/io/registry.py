"""The formats, by the ending of a file's name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from graphne_viz.graphs.io.formats.edge_lists import read_edge_list
from graphne_viz.graphs.io.formats.gexf import read_gexf, write_gexf
from graphne_viz.graphs.io.formats.gml import read_gml
from graphne_viz.graphs.io.formats.graphml import read_graphml, write_graphml
from graphne_viz.graphs.io.formats.node_csv import write_csv
from graphne_viz.graphs.io.formats.node_link_json import read_json, write_json
from graphne_viz.graphs.io.formats.npz import read_npz, write_npz
from graphne_viz.graphs.io.formats.pajek import read_pajek
from graphne_viz.graphs.io.formats.parquet import read_parquet

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, TextIO

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.laid_out import LaidOut


@dataclass(frozen=True)
class Format:
    """How files of one kind are read and written.

    Attributes
    ----------
    read : callable
        Reads a graph, given the name of the weights.
    write : callable, optional
        Writes a layout as text.
    write_binary : callable, optional
        Writes a layout as bytes.
    compressed : bool
        Whether the format compresses by itself, so that no .gz follows.
    tabular : bool
        Whether it is a table of edges, so that `read` takes the names of columns too.
    """

    read: Callable[..., Graph]
    write: Callable[[TextIO, LaidOut], None] | None = None
    write_binary: Callable[[BinaryIO, LaidOut], None] | None = None
    compressed: bool = False
    tabular: bool = False


_TEXT = Format(partial(read_edge_list, separator=None), tabular=True)
_PAJEK = Format(read_pajek)

FORMATS: dict[str, Format] = {
    ".gexf": Format(read_gexf, write_gexf),
    ".graphml": Format(read_graphml, write_graphml),
    ".gml": Format(read_gml),
    ".net": _PAJEK,
    ".pajek": _PAJEK,
    ".json": Format(read_json, write_json),
    ".csv": Format(partial(read_edge_list, separator=","), write_csv, tabular=True),
    ".tsv": Format(partial(read_edge_list, separator="\t"), tabular=True),
    ".txt": _TEXT,
    ".edges": _TEXT,
    ".edgelist": _TEXT,
    ".parquet": Format(read_parquet, compressed=True, tabular=True),
    ".npz": Format(read_npz, write_binary=write_npz, compressed=True),
}

READABLE = tuple(FORMATS)
"""Endings that `read_graph` knows; all but .parquet and .npz also with .gz behind them."""

WRITABLE = tuple(ending for ending, known in FORMATS.items() if known.write or known.write_binary)
"""Endings that `write_layout` knows; all but .npz also with .gz behind them."""


def find_format(ending: str, *, zipped: bool) -> Format | None:
    """Return the format of an ending, None if there is none that is so or if it does not go with .gz behind it."""
    known = FORMATS.get(ending)
    return None if known is None or (zipped and known.compressed) else known
