"""What the subcommands share: their words on the terminal, and a look at where they will write."""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._atomic import replace_when_complete, split_ending
from graphne_viz._lazy import lazy_import
from graphne_viz.cli.keyword_options import add_keyword_options, given_keywords
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup
    from collections.abc import Callable, Collection, Sequence
    from typing import TextIO

    from scipy.sparse import csgraph

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io import files as graph_files
else:
    graph_files = lazy_import("graphne_viz.graphs.io.files")
    csgraph = lazy_import("scipy.sparse.csgraph")

_OBEYED = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes."""

READ = "GEXF, GraphML, GML, Pajek, edge list (csv, tsv, txt), Parquet, npz, JSON; also .gz"
"""What can be read, for the help."""

PICTURES = (".png", ".svg", ".pdf")
"""Endings drawn by matplotlib; all others are written as data."""

PAGE = ".html"
"""The ending of a page with the viewer in it."""


def add_reading(group: _ArgumentGroup) -> None:
    """Add the options that say how a file is read."""
    group.add_argument("--nodes", type=Path, metavar="FILE", help="table of the nodes (csv, tsv, Parquet)")
    add_keyword_options(group, TableKeywords, without=("nodes",))
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first line of an edge list names its columns",
    )
    group.add_argument(
        "--max-size",
        metavar="SIZE",
        help="memory that the file may take, such as 4GB (default: 32 times its size, at least 33 MB)",
    )
    weights = group.add_mutually_exclusive_group()
    weights.add_argument("--weight", metavar="NAME", help="edge attribute with the weights")
    weights.add_argument("--unweighted", dest="weight", action="store_const", const=None, help="ignore weights")


def add_outputs(parser: ArgumentParser, formats: str) -> None:
    """Add the option for the files to write, which is read as ``output``; `formats` is for the help."""
    parser.add_argument(
        "-o", "--output", type=Path, action="append", required=True, metavar="OUT",
        help=f"output file, whose ending chooses the format: {formats}; may be repeated",
    )  # fmt: skip


def read_input(options: Namespace) -> Graph:
    """Read the graph, with the weights and from the columns that were asked for."""
    return graph_files.read_graph(
        options.file, **given_keywords(options, TableKeywords, also=("weight", "header", "max_size"))
    )


def check_outputs(
    outputs: Sequence[Path], endings: Sequence[str], unzipped: Collection[str], original: Path | None = None
) -> None:
    """Refuse what could not be written, before anything long is computed.

    Parameters
    ----------
    outputs : sequence of Path
    endings : sequence of str
        What is known.
    unzipped : collection of str
        Those that have no .gz behind them.
    original : Path, optional
        The input, which must not be written over.
    """
    seen = {} if original is None else {original.resolve(): "the input"}
    for output in outputs:
        ending, zipped = split_ending(output)
        if ending not in endings or (zipped and ending in unzipped):
            raise ValueError(f"{output} does not end in one of {', '.join(endings)}")
        place = output.resolve()
        if place in seen:
            raise ValueError(f"{output} is the same file as {seen[place]}")
        seen[place] = "another output"
        with suppress(_Rehearsal), replace_when_complete(output):
            raise _Rehearsal


class _Rehearsal(Exception):  # noqa: N818 -- not an error: it leaves a file as it was
    """Ends the writing of a file before it began."""


class Outputs:
    """Files to write a result to, where one that fails does not lose the others.

    Parameters
    ----------
    keep : callable
        Writes the result to the file that it is given.
    pictures : collection of str
        Endings of outputs that do not hold the result itself.
    ending : str
        Of the file that `keep` writes.
    """

    def __init__(self, keep: Callable[[Path], object], pictures: Collection[str] = (), ending: str = ".npz") -> None:
        self._keep = keep
        self._pictures = pictures
        self._ending = ending
        self._failed: dict[Path, OSError] = {}
        self.written: list[Path] = []

    def write(self, output: Path, write: Callable[[Path], object]) -> None:
        """Write one output, or remember why it failed, so that the others are written all the same."""
        try:
            write(output)
        except OSError as error:
            self._failed[output] = error
        else:
            self.written.append(output)

    def raise_failures(self) -> None:
        """Raise an OSError if there were any; a result that no output holds is put aside, and where is said."""
        if not self._failed:
            return
        told = "; ".join(f"{path} could not be written: {why.strerror or why}" for path, why in self._failed.items())
        if all(ending_of(output) in self._pictures for output in self.written):
            kept = self._put_aside()
            told += f"; the result was put into {kept}" if kept else ""
        raise OSError(told)

    def _put_aside(self) -> Path | None:
        """Write the result to a folder for temporary files; None if that is full, too."""
        try:
            kept = Path(tempfile.mkdtemp(prefix="graphne-")) / f"result{self._ending}"
        except OSError:
            return None
        try:
            self._keep(kept)
        except OSError:
            kept.parent.rmdir()
            return None
        return kept


def ending_of(output: Path) -> str:
    """Return the ending that names the format, without a .gz behind it."""
    return split_ending(output)[0]


def wants_bar(options: Namespace) -> bool:
    """Tell whether to show a progress bar."""
    return bool(options.progress or (sys.stderr.isatty() and not options.quiet))


def figures_of(graph: Graph) -> list[str]:
    """Return how many nodes, edges and parts a graph has, in words; a node without neighbours is no part."""
    found, _ = csgraph.connected_components(graph.adjacency, directed=False)
    isolated = int((graph.degrees == 0).sum())
    edge = "directed edge" if graph.directed else "edge"
    counts = {"node": graph.n_nodes, edge: graph.n_edges}
    if isolated < graph.n_nodes:
        counts["part"] = found - isolated
        if isolated:
            counts["isolated node"] = isolated
    return [f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]


def tell_written(graph: Graph, outputs: Sequence[Path], *figures: str) -> None:
    """Print the figures of a graph, those of what was done with it, and where that was written."""
    say(f"{', '.join([*figures_of(graph), *figures])}: {', '.join(map(str, outputs))}")


def sentence(error: BaseException) -> str:
    """Return what an error says on one line."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error) or type(error).__name__
    return " ".join(text.split())


def printable(text: str) -> str:
    r"""Spell out what a terminal would obey or a reader not see: control characters, changes of direction.

    Examples
    --------
    >>> print(printable("a" + chr(27) + "[31mb"))
    a\x1b[31mb
    """
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class PrintableFormatter(logging.Formatter):
    """Keeps what files say in messages from the terminal, as `say` does."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message, with what a terminal would obey spelled out."""
        return "\n".join(map(printable, super().format(record).split("\n")))


def say(*lines: str, to: TextIO | None = None) -> None:
    """Print lines; what the terminal cannot show of a file's name is spelled out, and so is a line break in it."""
    stream = to or sys.stdout
    encoding = stream.encoding or "utf-8"
    text = "".join(printable(line) + "\n" for line in lines)
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
