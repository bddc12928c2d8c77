"""Reading graphs from files and writing layouts to them, by the ending of the name."""

from __future__ import annotations

import gzip
import io
import logging
import os
import secrets
import shutil
import zlib
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, check_weight_name
from graphne_viz.graphs.builder import FileProblem
from graphne_viz.graphs.edge_lists import read_edge_list, read_parquet
from graphne_viz.graphs.laid_out import lay_out
from graphne_viz.graphs.npz_files import read_npz, write_npz
from graphne_viz.graphs.text_files import read_gml, read_json, read_pajek
from graphne_viz.graphs.writers import write_csv, write_gexf, write_graphml, write_json
from graphne_viz.graphs.xml_files import read_gexf, read_graphml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import BinaryIO, TextIO

    from numpy.typing import ArrayLike

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.laid_out import LaidOut
    from graphne_viz.graphs.links import Links

_LOG = logging.getLogger(__name__)

_READERS: dict[str, Callable[[BinaryIO, str | None], Graph]] = {
    ".gexf": read_gexf,
    ".graphml": read_graphml,
    ".gml": read_gml,
    ".net": read_pajek,
    ".pajek": read_pajek,
    ".json": read_json,
    ".csv": partial(read_edge_list, separator=","),
    ".tsv": partial(read_edge_list, separator="\t"),
    ".txt": partial(read_edge_list, separator=None),
    ".edges": partial(read_edge_list, separator=None),
    ".edgelist": partial(read_edge_list, separator=None),
    ".parquet": read_parquet,
    ".npz": read_npz,
}
_WRITERS: dict[str, Callable[[TextIO, LaidOut], None]] = {
    ".gexf": write_gexf,
    ".graphml": write_graphml,
    ".json": write_json,
    ".csv": write_csv,
}
_ALREADY_COMPRESSED = frozenset({".parquet", ".npz"})

READABLE = tuple(_READERS)
"""Endings that `read_graph` knows; all but .parquet and .npz also with .gz behind them."""

WRITABLE = (*_WRITERS, ".npz")
"""Endings that `write_layout` knows; all but .npz also with .gz behind them."""


def read_graph(path: str | os.PathLike[str], *, weight: str | None = DEFAULT_WEIGHT) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : path-like
        The ending decides: .gexf, .graphml, .gml, .net and .pajek; .json (node-link); lists of edges in .csv,
        .tsv, .txt, .edges and .edgelist; each of these also with .gz behind it; .parquet (needs pyarrow) with
        columns source and target; .npz with a sparse matrix, or with ``edges`` and arrays of node attributes.
    weight : str or None, default "weight"
        Name of the edge attribute or column that holds the weights, as in `as_graph`.

    Returns
    -------
    Graph
        Ids are what the file calls the nodes: strings in GEXF and GraphML, numbers in GML and Pajek. Labels
        become the attribute "label". Stored positions become the attributes "x" and "y" and are named in `Graph.axes`;
        own attributes of these names go before them. GraphML and JSON have no place for positions: there, finite real
        numbers "x" and "y" of all nodes are these. `Graph.links` has the direction, the parallel edges and the edge
        attributes of GEXF, GraphML, GML, Pajek and JSON.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If the ending is unknown or the file is broken, with the line where that is known.
    """
    check_weight_name(weight)
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a file")
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    ending, zipped = _ending(path)
    if ending not in _READERS or (zipped and ending in _ALREADY_COMPRESSED):
        raise ValueError(f"{path} does not end in one of {', '.join(READABLE)}; text formats may have .gz behind")
    try:
        with cast("BinaryIO", gzip.open(path) if zipped else path.open("rb")) as stream:
            if not cast("io.BufferedReader", stream).peek(1):
                raise ValueError(f"{path} is empty")
            return _read(path, stream, weight, _READERS[ending])
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise ValueError(f"{path} is not a complete gzip file") from None


def _read(path: Path, stream: BinaryIO, weight: str | None, reader: Callable[[BinaryIO, str | None], Graph]) -> Graph:
    try:
        return reader(stream, weight)
    except FileProblem as problem:
        where = f"{path}" if problem.line is None else f"{path}, line {problem.line}"
        raise ValueError(f"{where}: {problem}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _ending(path: Path) -> tuple[str, bool]:
    """Return the ending that names the format, in lower case, and whether .gz follows it."""
    zipped = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if zipped else path).suffix.lower(), zipped


def write_layout(
    path: str | os.PathLike[str],
    graph: Graph,
    positions: ArrayLike,
    *,
    colors: ArrayLike | Sequence[str] | None = None,
    sizes: ArrayLike | None = None,
    metadata: Mapping[str, object] | None = None,
    links: Links | None = None,
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
    links : Links, optional
        The edges as the caller gave them, with direction and attributes, from `links_of`; by default as the graph's
        file had them. npz does not keep these, and csv has no edges.

    Notes
    -----
    Attributes are written with their types; in GraphML, JSON and csv, where sizes and colours are columns among them,
    these replace attributes of the same name. Names are written as text in GEXF, GraphML and csv; where two become
    equal, a number is appended. Characters that XML cannot hold become U+FFFD.
    """
    path = Path(path)
    ending, zipped = _ending(path)
    if (ending not in WRITABLE) or (zipped and ending in _ALREADY_COMPRESSED):
        raise ValueError(f"{path} does not end in one of {', '.join(WRITABLE)}; text formats may have .gz behind")
    laid_out = lay_out(graph, positions, colors, sizes, metadata, links=links)
    if ending == ".npz" and laid_out.links.more_than(graph):
        _LOG.warning(
            "%s has one edge for each pair of nodes, without direction and attributes; gexf, graphml and json keep all",
            path,
        )
    if ending == ".json" and laid_out.links.mixed is not None:
        _LOG.warning(
            "%s is directed as a whole: edges without direction have one now; gexf and graphml keep them", path
        )
    if ending == ".npz":
        with replace_when_complete(path) as unfinished, unfinished.open("wb") as raw:
            write_npz(raw, laid_out)
        return
    with replace_text_when_complete(path) as text:
        _WRITERS[ending](text, laid_out)


@contextmanager
def replace_text_when_complete(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Give a text file to write to, compressed if the name ends in .gz; see `replace_when_complete`.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    TextIO
        Writes UTF-8. A lone surrogate, which has none, is spelled out.
    """
    zipped = _ending(Path(path))[1]
    with (
        replace_when_complete(path) as unfinished,
        unfinished.open("wb") as raw,
        _compressed(raw, zipped) as binary,
    ):
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


@contextmanager
def _compressed(raw: BinaryIO, zipped: bool) -> Iterator[BinaryIO]:  # noqa: FBT001 -- private
    if not zipped:
        yield raw
        return
    # Without name and time in the header the same layout gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed:
        yield cast("BinaryIO", packed)


@contextmanager
def replace_when_complete(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write to, and move it to `path` if all went well.

    Whatever goes wrong, Ctrl-C included, a file that was at `path` stays as it was and nothing else is left.

    Parameters
    ----------
    path : path-like
        What to write. A symbolic link is followed; permissions of an existing file are kept.

    Yields
    ------
    pathlib.Path
        An empty file in the same folder with the same ending.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replace_when_complete(Path(folder) / "picture.svg") as unfinished:
    ...         _ = unfinished.write_text("<svg/>")
    ...     (Path(folder) / "picture.svg").read_text()
    '<svg/>'
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a file")
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} is a device or a pipe; only files can be written")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"the folder of {path} does not exist")
    ending, zipped = _ending(target)
    suffix = ending + (".gz" if zipped else "")
    unfinished = target.parent / f".{secrets.token_hex(8)}{suffix}"
    try:  # created with 0o666 the file gets the permissions that the umask leaves
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        yield unfinished
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
