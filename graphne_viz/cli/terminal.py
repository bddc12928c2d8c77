"""What the subcommands share: their words on the terminal, and a look at where they will write."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup
    from collections.abc import Collection, Sequence
    from typing import TextIO

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes."""

READ = "GEXF, GraphML, GML, Pajek, edge list (csv, tsv, txt), Parquet, npz, JSON; also .gz"
"""What can be read, for the help."""

BY_NAME = "node attribute, or a statistic such as degree, pagerank or communities"
"""What colours and sizes can show, for the help."""

LABELS = "write labels, or ids where there are none, or an attribute"
"""What can be written beside nodes, for the help."""

PICTURES = (".png", ".svg", ".pdf")
"""Endings drawn by matplotlib; all others are written as data."""

PAGE = ".html"
"""The ending of a page with the viewer in it."""


def add_weight(group: _ArgumentGroup) -> None:
    """Add the options for the weights of the edges."""
    weights = group.add_mutually_exclusive_group()
    weights.add_argument("--weight", metavar="NAME", help="edge attribute with the weights")
    weights.add_argument("--unweighted", dest="weight", action="store_const", const=None, help="ignore weights")


def add_outputs(parser: ArgumentParser, formats: str) -> None:
    """Add the option for the files to write, which is read as ``output``; `formats` is for the help."""
    parser.add_argument(
        "-o", "--output", type=Path, action="append", required=True, metavar="OUT",
        help=f"where to write, by ending: {formats}; may be repeated",
    )  # fmt: skip


def read_input(options: Namespace) -> Graph:
    """Read the graph, with the weights that were asked for."""
    from graphne_viz.graphs.files import read_graph  # noqa: PLC0415 -- slow to import

    weight = {"weight": options.weight} if "weight" in options else {}
    return read_graph(options.file, **weight)


def label_of(graph: Graph, *, label: bool | str) -> bool | str:
    """Return what ``--label`` means: alone, text called "label" or "name" where the graph has it, otherwise the ids."""
    if label is not True:
        return label
    return next((name for name in ("label", "name") if _is_text(graph.attributes.get(name))), True)


def _is_text(column: NDArray[np.generic] | None) -> bool:
    from graphne_viz.graphs.attributes import is_absent  # noqa: PLC0415 -- slow to import

    present = [] if column is None else [value for value in column.tolist() if not is_absent(value)]
    return bool(present) and all(isinstance(value, str) for value in present)


def check_outputs(
    outputs: Sequence[Path], endings: Sequence[str], unzipped: Collection[str], source: Path | None = None
) -> None:
    """Refuse what could not be written, before anything long is computed.

    Parameters
    ----------
    outputs : sequence of Path
    endings : sequence of str
        What is known.
    unzipped : collection of str
        Those that have no .gz behind them.
    source : Path, optional
        The input, which must not be written over.
    """
    from graphne_viz.graphs.files import replace_when_complete  # noqa: PLC0415 -- slow to import

    seen = {} if source is None else {source.resolve(): "the input"}
    for output in outputs:
        zipped, ending = output.suffix.lower() == ".gz", ending_of(output)
        if ending not in endings or (zipped and ending in unzipped):
            raise ValueError(f"{output} does not end in one of {', '.join(endings)}")
        place = output.resolve()
        if place in seen:
            raise ValueError(f"{output} is also {seen[place]}")
        seen[place] = "another output"
        with suppress(_Rehearsal), replace_when_complete(output):
            raise _Rehearsal


class _Rehearsal(Exception):  # noqa: N818 -- not an error: it leaves a file as it was
    """Ends the writing of a file before it began."""


def ending_of(output: Path) -> str:
    """Return the ending that names the format, without a .gz behind it."""
    return (output.with_suffix("") if output.suffix.lower() == ".gz" else output).suffix.lower()


def wants_bar(options: Namespace) -> bool:
    """Tell whether to show a progress bar."""
    return bool(options.progress or (sys.stderr.isatty() and not options.quiet))


def figures_of(graph: Graph) -> list[str]:
    """Return how many nodes, edges and parts a graph has, in words."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 -- slow to import

    parts, _ = connected_components(graph.adjacency, directed=False)
    counts = {"node": graph.n_nodes, "edge": graph.n_edges, "part": parts}
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


def say(text: str, *, to: TextIO | None = None) -> None:
    """Print a line; what the terminal cannot show of a file's name is spelled out."""
    stream = to or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()
