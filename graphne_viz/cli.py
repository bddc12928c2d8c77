"""The `graphne` command."""

from __future__ import annotations

import argparse
import logging
import math
import sys
import time
import traceback
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot

PICTURES = (".png", ".svg", ".pdf")
"""Endings drawn by matplotlib; all others are written as data."""

GEXF_SCALE = 1000
"""How far a layout reaches in GEXF, unless the user decides: Gephi is made for coordinates of this order."""

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes."""

_KL_EVERY = 50  # iterations; to look every 10 took a third longer on PubMed
_LAYOUT_KEYWORDS = (
    "seed",
    "weight",
    "normalization",
    "initialization",
    "exaggeration",
    "n_iter",
    "early_exaggeration",
    "early_exaggeration_iter",
    "dof",
    "engine",
    "n_jobs",
    "scale",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the command's name; by default what the shell gave.

    Returns
    -------
    int
        0; 2 after one sentence on stderr if the input is bad; 130 after Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    logging.basicConfig(format="graphne: %(message)s")
    logging.getLogger("graphne_viz").setLevel(logging.INFO if options.verbose else logging.WARNING)
    try:
        options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, ValueError, ImportError, MemoryError) as error:
        if options.verbose:
            traceback.print_exc()
        _say(f"graphne: {_sentence(error)}", to=sys.stderr)
        return BAD_INPUT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graphne", description="Lay out graphs by neighbour embedding.")
    parser.add_argument("--version", action="version", version=f"graphne {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="no progress bar and no line of figures")
    common.add_argument("--progress", action="store_true", help="show the bar even if stderr is no terminal")
    common.add_argument("--verbose", action="store_true", help="log what happens; show where an error arose")

    layout = commands.add_parser(
        "layout",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="lay out a graph from a file",
        description="Lay out a graph from a file. What is not given is as in graphne_layout().",
    )
    layout.set_defaults(run=_layout, color=None, size=None, edges="auto", labels=False)
    layout.add_argument(
        "file", type=Path, help="GEXF, GraphML, GML, Pajek, edge list (csv, tsv, txt), Parquet, npz; also .gz"
    )
    layout.add_argument(
        "-o", "--output", type=Path, action="append", required=True, metavar="OUT",
        help="where to write, by ending: gexf, graphml, json, csv, npz, png, svg, pdf; may be repeated",
    )  # fmt: skip
    group = layout.add_argument_group("layout")
    group.add_argument("--seed", type=int)
    weights = group.add_mutually_exclusive_group()
    weights.add_argument("--weight", metavar="NAME", help="edge attribute with the weights")
    weights.add_argument("--unweighted", dest="weight", action="store_const", const=None, help="ignore weights")
    group.add_argument("--normalization", metavar="NAME", help="node, graph or sgtsne")
    group.add_argument("--initialization", metavar="NAME", help="spectral or random")
    group.add_argument("--exaggeration", type=float, metavar="X", help="1 is t-SNE; 4 is like UMAP")
    group.add_argument("--n-iter", type=int, metavar="N")
    group.add_argument("--early-exaggeration", type=float, metavar="X")
    group.add_argument("--early-exaggeration-iter", type=int, metavar="N")
    group.add_argument("--dof", type=float, metavar="X", help="degrees of freedom of the t-kernel")
    group.add_argument("--engine", metavar="NAME", help="auto, exact, mesh or opentsne")
    group.add_argument("--scale", type=float, metavar="X", help=f"extent (default: 1, in GEXF {GEXF_SCALE})")
    group.add_argument("--jobs", dest="n_jobs", type=int, metavar="N", help="threads")
    group = layout.add_argument_group("picture")
    group.add_argument("--color", metavar="ATTR", help='node attribute, "degree" or a colour')
    group.add_argument("--size", type=_size, metavar="ATTR", help='node attribute, "degree" or a number')
    group.add_argument("--labels", nargs="?", const=True, metavar="ATTR", help="write names, or an attribute")
    group.add_argument("--no-edges", dest="edges", action="store_const", const=False, help="nodes only")

    demo = commands.add_parser("demo", parents=[common], help="lay out scikit-learn's digits")
    demo.set_defaults(run=_demo, color="class", size=None, edges="auto", labels=False)
    demo.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="folder (default: out)")
    return parser


def _size(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _layout(options: argparse.Namespace) -> None:
    """Lay out a file's graph."""
    _check_outputs(options.output, options.file)
    from graphne_viz.graphs.files import read_graph  # noqa: PLC0415 -- slow to import

    weight = {"weight": options.weight} if "weight" in options else {}
    _lay_out(read_graph(options.file, **weight), options.output, options)


def _demo(options: argparse.Namespace) -> None:
    """Lay out scikit-learn's digits."""
    from graphne_viz.graphs.datasets import digits  # noqa: PLC0415 -- slow to import

    options.out.mkdir(parents=True, exist_ok=True)
    outputs = [options.out / "digits.png", options.out / "digits.gexf"]
    _check_outputs(outputs)
    _lay_out(digits(), outputs, options)


def _check_outputs(outputs: Sequence[Path], source: Path | None = None) -> None:
    """Refuse what could not be written, before anything long is computed."""
    from graphne_viz.graphs.files import WRITABLE, replace_when_complete  # noqa: PLC0415 -- slow to import

    seen = {} if source is None else {source.resolve(): "the input"}
    for output in outputs:
        zipped, ending = output.suffix.lower() == ".gz", _ending(output)
        if ending not in {*WRITABLE, *PICTURES} or (zipped and ending in {".npz", *PICTURES}):
            raise ValueError(f"{output} does not end in one of {', '.join((*WRITABLE, *PICTURES))}")
        place = output.resolve()
        if place in seen:
            raise ValueError(f"{output} is also {seen[place]}")
        seen[place] = "another output"
        with suppress(_Rehearsal), replace_when_complete(output):
            raise _Rehearsal


def _ending(output: Path) -> str:
    """Return the ending that names the format, without a .gz behind it."""
    return (output.with_suffix("") if output.suffix.lower() == ".gz" else output).suffix.lower()


class _Rehearsal(Exception):  # noqa: N818 -- not an error: it leaves a file as it was
    """Ends the writing of a file before it began."""


def _lay_out(graph: Graph, outputs: Sequence[Path], options: argparse.Namespace) -> None:
    """Compute a layout, write it to every output and print the figures."""
    from graphne_viz.layout.api import graphne_layout  # noqa: PLC0415 -- compiled code, slow to import
    from graphne_viz.viewer.encoding import node_colors, node_sizes  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.labels import node_labels  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.plot import as_positions  # noqa: PLC0415 -- slow to import

    node_colors(graph, options.color)  # these three refuse what the graph does not have
    node_sizes(graph, options.size, base=1)
    node_labels(graph, labels=options.labels)
    keywords = {name: value for name, value in vars(options).items() if name in _LAYOUT_KEYWORDS}
    kl: list[float] = []

    def remember(snapshot: Snapshot) -> None:
        kl[:] = [snapshot.kl] if math.isfinite(snapshot.kl) else []  # a graph without edges has none

    started = time.perf_counter()
    pos = graphne_layout(
        graph,
        **keywords,
        callback=remember,
        callback_every=_KL_EVERY,
        progress=options.progress or (sys.stderr.isatty() and not options.quiet),
    )
    seconds = time.perf_counter() - started
    positions = as_positions(graph, pos)
    for output in outputs:
        _write(output, graph, positions, options)
    if not options.quiet:
        figures = [*_figures(graph), f"{seconds:.2f} s", *(f"KL {last:.4f}" for last in kl)]
        _say(f"{', '.join(figures)}: {', '.join(map(str, outputs))}")


def _write(output: Path, graph: Graph, positions: NDArray[np.float64], options: argparse.Namespace) -> None:
    from graphne_viz.graphs.files import replace_when_complete, write_layout  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.encoding import node_colors  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.palette import CLASS_COLORS  # noqa: PLC0415 -- only needed here
    from graphne_viz.viewer.plot import node_diameters, save_plot  # noqa: PLC0415 -- slow to import

    ending = _ending(output)
    if ending in PICTURES:
        with replace_when_complete(output) as unfinished:
            save_plot(
                unfinished,
                graph,
                positions,
                file_format=ending[1:],
                color=options.color,
                size=options.size,
                labels=options.labels,
                edges=options.edges,
            )
        return
    if ending == ".gexf" and "scale" not in options:
        positions = GEXF_SCALE * positions
    write_layout(
        output,
        graph,
        positions,
        colors=node_colors(graph, CLASS_COLORS[0] if options.color is None else options.color).rgba,
        sizes=None if options.size is None else node_diameters(graph, positions, options.size),
        metadata={"generator": f"graphne_viz {_version()}"},
    )


def _version() -> str:
    try:
        return version("graphne-viz")
    except PackageNotFoundError:
        return "(not installed)"


def _figures(graph: Graph) -> list[str]:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 -- slow to import

    parts, _ = connected_components(graph.adjacency, directed=False)
    counts = {"node": graph.n_nodes, "edge": graph.n_edges, "part": parts}
    return [f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]


def _sentence(error: BaseException) -> str:
    """Return what an error says on one line."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error) or type(error).__name__
    return " ".join(text.split())


def _say(text: str, *, to: TextIO | None = None) -> None:
    """Print a line; what the terminal cannot show of a file's name is spelled out."""
    stream = to or sys.stdout
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


if __name__ == "__main__":
    sys.exit(main())
