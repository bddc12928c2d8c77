"""`graphne compare`: a file's graph by several methods, in one page, picture or table."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz.cli.terminal import (
    BAD_INPUT,
    INTERRUPTED,
    READ,
    add_outputs,
    add_weight,
    check_outputs,
    read_input,
    say,
    tell_written,
    wants_bar,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

_COMPARE_KEYWORDS = ("labels", "dim", "seed", "sample")


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne compare``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "compare",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="lay out a graph from a file by several methods",
        description="Lay out a graph from a file by several methods, measure each, and write them side by side. What "
        "is not given is as in compare(). A method that fails leaves the others standing; Ctrl-C ends it and writes "
        "what there is.",
    )
    parser.set_defaults(run=_compare, methods=None)
    parser.add_argument("file", type=Path, help=READ)
    add_outputs(parser, "html (linked views, offline), png, svg, pdf, csv (the table)")
    parser.add_argument(
        "--methods", type=_names, metavar="A,B,...",
        help="graphne, sgtsnepi, forceatlas2, tfdp, drgraph, laplacian (these are the default), umap, spring, drl; "
        "with --dim 128 graphne, graphne-tau, cne, deepwalk, node2vec, laplacian (the default is all)",
    )  # fmt: skip
    parser.add_argument("--labels", metavar="ATTR", help="node attribute with classes, for colours and accuracies")
    parser.add_argument("--dim", type=int, metavar="N", help="dimensions (default: 2); 128 compares embeddings")
    parser.add_argument("--seed", type=int, metavar="N")
    parser.add_argument("--sample", type=int, metavar="N", help="most nodes to measure on (default: all)")
    add_weight(parser.add_argument_group("graph"))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _compare(options: argparse.Namespace) -> int:
    """Run the methods, write to every output and print the table."""
    from graphne_viz.viewer.compare import ENDINGS, compare  # noqa: PLC0415 -- slow to import

    check_outputs(options.output, ENDINGS, ENDINGS, options.file)
    graph = read_input(options)
    keywords = {name: value for name, value in vars(options).items() if name in _COMPARE_KEYWORDS}
    started = time.perf_counter()
    comparison = compare(graph, options.methods, **keywords, progress=wants_bar(options))
    seconds = time.perf_counter() - started
    for failure in comparison.failures:
        say(f"graphne: {failure.method} failed: {failure.reason}", to=sys.stderr)
    if not comparison.results:
        return BAD_INPUT
    for output in options.output:
        comparison.save(output)
    if not options.quiet:
        say(comparison.table())
        tell_written(graph, options.output, f"{seconds:.1f} s")
    return INTERRUPTED if comparison.interrupted else 0
