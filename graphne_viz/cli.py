"""The `graphne` command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.api import Snapshot

PICTURES = (".png", ".svg", ".pdf")
"""Endings drawn by matplotlib; all others are written as data."""

GEXF_SCALE = 1000
"""How far a layout reaches in GEXF, unless the user decides: Gephi is made for coordinates of this order."""

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes."""

_KL_EVERY = 50  # iterations; each look at the KL costs about as much as an iteration
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
        print(f"graphne: {_sentence(error)}", file=sys.stderr)  # noqa: T201 -- a command prints
        return BAD_INPUT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graphne", description="Lay out graphs by neighbour embedding.")
    parser.add_argument("--version", action="version", version=f"graphne {version('graphne-viz')}")
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
    demo.set_defaults(run=_demo)
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
        zipped = output.suffix.lower() == ".gz"
        ending = (output.with_suffix("") if zipped else output).suffix.lower()
        if ending not in {*WRITABLE, *PICTURES} or (zipped and ending in {".npz", *PICTURES}):
            raise ValueError(f"{output} does not end in one of {', '.join((*WRITABLE, *PICTURES))}")
        place = output.resolve()
        if place in seen:
            raise ValueError(f"{output} is also {seen[place]}")
        seen[place] = "another output"
        with suppress(_Rehearsal), replace_when_complete(output):
            raise _Rehearsal


class _Rehearsal(Exception):  # noqa: N818 -- not an error: it leaves a file as it was
    """Ends the writing of a file before it began."""


def _lay_out(graph: Graph, outputs: Sequence[Path], options: argparse.Namespace) -> None:
    """Compute a layout, write it to every output and print the figures."""
    from graphne_viz.layout.api import graphne_layout  # noqa: PLC0415 -- compiled code, slow to import
    from graphne_viz.viewer.plot import check_plot  # noqa: PLC0415 -- slow to import

    style = {name: getattr(options, name) for name in ("color", "size", "labels", "edges")}
    check_plot(graph, **style)
    keywords = {name: value for name, value in vars(options).items() if name in _LAYOUT_KEYWORDS}
    kl: list[float] = []

    def remember(snapshot: Snapshot) -> None:
        kl[:] = [snapshot.kl]

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
    metadata = {"generator": f"graphne_viz {version('graphne-viz')}", **keywords, **({"kl": kl[0]} if kl else {})}
    for output in outputs:
        _write(output, graph, positions, style, metadata)
