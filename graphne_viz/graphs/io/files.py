"""Reading graphs from files and writing layouts to them, by the ending of the name."""

from __future__ import annotations

import gzip
import os
import zlib
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from graphne_viz._atomic import replace_text_when_complete, replace_when_complete, split_ending
from graphne_viz._keywords import with_keywords
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, check_weight_name
from graphne_viz.graphs.convert.tables import node_ids, with_nodes
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.formats.edge_lists import read_node_table
from graphne_viz.graphs.io.formats.parquet import read_arrow_table
from graphne_viz.graphs.io.laid_out import lay_out
from graphne_viz.graphs.io.registry import READABLE, WRITABLE, find_format
from graphne_viz.graphs.io.size_limit import as_size, check_file, open_bounded
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import BinaryIO, Unpack

    from numpy.typing import ArrayLike

    from graphne_viz._types import Foreign, PathLike
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.registry import Format
    from graphne_viz.graphs.io.size_limit import BoundedStream

_T = TypeVar("_T")


@with_keywords(TableKeywords)
def read_graph(
    path: PathLike,
    *,
    weight: str | None = DEFAULT_WEIGHT,
    header: bool | None = None,
    max_size: int | str | None = None,
    **tables: Unpack[TableKeywords],
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : path-like
        The ending decides: .gexf, .graphml, .gml, .net and .pajek; .json (node-link); lists of edges in .csv,
        .tsv, .txt, .edges and .edgelist, as Gephi and others write them; each of these also with .gz behind it;
        .parquet (needs pyarrow) with a table of edges; .npz with a sparse matrix, or with ``edges`` and arrays of node
        attributes.
    weight : str or None, default "weight"
        Name of the edge attribute or column that holds the weights, as in `as_graph`.
    header : bool, optional
        Whether the first line of a list of edges names its columns. By default as it looks.
    max_size : int or str, optional
        Bytes that the file may take in memory, or text such as "4GB". By default 32 times the size of the file and at
        least 33 MB, which files that people exchange stay well below; so none fills the memory because it is made to.
    **keywords
        See `TableKeywords`; `nodes` may also be the path of a csv, tsv or Parquet file. They are for tables of edges,
        `nodes` and `id` for all.

    Returns
    -------
    Graph
        Ids are what the file calls the nodes: strings in GEXF and GraphML, numbers in GML and Pajek. Labels
        become the attribute "label". Stored positions become the attributes "x" and "y" and are named in `Graph.axes`;
        own attributes of these names go before them. GraphML and JSON have no place for positions: there, finite real
        numbers "x" and "y" of all nodes are these. `Graph.links` has the direction, the parallel edges, the loops and
        the attributes of the edges.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If the ending is unknown, the file is broken, with the line where that is known, or it would take more memory
        than `max_size`.
    """
    check_weight_name(weight)
    path, most = Path(path), as_size(max_size)
    known = _known_format(path)
    given = {"source": tables["source"], "target": tables["target"], "directed": tables["directed"], "header": header}
    options = {name: value for name, value in given.items() if value is not None}
    if options and (not known.tabular or (known.compressed and header is not None)):
        name, value = list(options.items())[-1]
        raise ValueError(f"{name}={value!r} is for tables of edges (csv, tsv, txt, Parquet), not for {path}")
    with _opened(path, most) as stream:
        graph = _read(path, partial(known.read, stream, weight, **options))
    nodes = tables["nodes"]
    if nodes is None:
        if tables["id"] is not None:
            raise ValueError(f"id={tables['id']!r} names a column of the node table, but nodes was not given")
        return graph
    where = path
    if isinstance(nodes, str | os.PathLike):
        where = Path(nodes)
        with _opened(where, most) as stream:
            nodes = _read(where, partial(_read_nodes, where, stream))
        graph = _read(where, partial(_with_fitting_ids, graph, nodes, tables["id"]))
    return _read(where, partial(with_nodes, graph, nodes, tables["id"], more=known.tabular))


def _read_nodes(path: Path, stream: BinaryIO) -> Foreign:
    ending, _ = split_ending(path)
    if ending == ".parquet":
        return read_arrow_table(stream)
    if ending not in {".csv", ".tsv", ".txt"}:
        raise FileProblem("a table of nodes ends in .csv, .tsv, .txt or .parquet")
    return read_node_table(stream, separator={".csv": ",", ".tsv": "\t"}.get(ending))


def _with_fitting_ids(graph: Graph, nodes: Foreign, column: str | None) -> Graph:
    """Let ids be text if those of the node table are: in a csv 7 may be either."""
    if graph.origin == "table" and all(isinstance(node, str) for node in node_ids(nodes, column)):
        return replace(graph, ids=tuple(map(str, graph.ids)))
    return graph


def _known_format(path: Path) -> Format:
    check_file(path)
    ending, zipped = split_ending(path)
    known = find_format(ending, zipped=zipped)
    if known is None:
        raise ValueError(f"{path} does not end in one of {', '.join(READABLE)}; text formats may be followed by .gz")
    return known


@contextmanager
def _opened(path: Path, max_size: int | None) -> Iterator[BoundedStream]:
    try:
        with open_bounded(path, max_size) as stream:
            if not stream.peek(1):
                raise ValueError(f"{path} is empty")
            yield stream
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise ValueError(f"{path} is not a complete gzip file") from None


def _read(path: Path, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except FileProblem as problem:
        where = f"{path}" if problem.line is None else f"{path}, line {problem.line}"
        raise ValueError(f"{where}: {problem}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_layout(
    path: PathLike,
    graph: Graph,
    positions: ArrayLike,
    *,
    colors: ArrayLike | Sequence[str] | None = None,
    sizes: ArrayLike | None = None,
    metadata: Mapping[str, object] | None = None,
) -> None:
    """Write a graph with its layout to a file, which is replaced only when the new one is complete.

    Parameters
    ----------
    path : path-like
        The ending decides: .gexf (opens laid out in Gephi), .graphml, .json (node-link), .csv (one row per
        node), each also with .gz behind it, or .npz.
    graph : Graph
    positions : array_like, shape (n, 2) or (n, 3)
        Written as they are. They replace those that the graph's file had (`Graph.axes`). Other attributes named "x",
        "y" or "z" are kept; in GraphML, JSON and csv, where positions have these names, as "attribute_x" and so on.
    colors : array_like, shape (n, 3) or (n, 4), or n strings "#rrggbb", optional
        Floats from 0 to 1 or integers from 0 to 255. They replace attributes named "r", "g" and "b" if there are all
        three, which is how Gephi writes colours.
    sizes : float or array_like, shape (n,), optional
        Diameters in the units of the positions. By default GEXF gets one that suits the extent.
    metadata : mapping of str to value, optional
        Kept where the format has a place for it, all but csv.

    Notes
    -----
    Edges are written as the caller gave them, with direction and attributes, parallel ones and loops too; csv has none.
    JSON is directed as a whole: where only some edges have a direction, their "directed" says which.

    Attributes are written with their types; in GraphML, JSON and csv, where sizes and colours are columns among them,
    these replace attributes of the same name. Names are written as text in GEXF, GraphML and csv; where two become
    equal, a number is appended. Characters that XML cannot hold become U+FFFD.
    """
    path = Path(path)
    ending, zipped = split_ending(path)
    known = find_format(ending, zipped=zipped)
    if known is None or ending not in WRITABLE:
        raise ValueError(f"{path} does not end in one of {', '.join(WRITABLE)}; text formats may be followed by .gz")
    laid_out = lay_out(graph, positions, colors, sizes, metadata)
    if known.write_binary is not None:
        with replace_when_complete(path) as unfinished, unfinished.open("wb") as raw:
            known.write_binary(raw, laid_out)
    elif known.write is not None:
        with replace_text_when_complete(path) as text:
            known.write(text, laid_out)
