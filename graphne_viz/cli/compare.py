"""`graphne compare`: a file's graph by several methods, in one page, picture or table."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.cli.terminal import (
    BAD_INPUT,
    INTERRUPTED,
    PAGE,
    READ,
    Outputs,
    add_outputs,
    add_reading,
    check_outputs,
    read_input,
    say,
    tell_written,
    wants_bar,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

    from graphne_viz.viewer import compare as viewer_compare
else:
    viewer_compare = lazy_import("graphne_viz.viewer.compare")

_COMPARE_KEYWORDS = ("classes", "dim", "seed", "sample")


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne compare``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "compare",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="lay out a graph from a file by several methods",
        description="Lay out a graph from a file by several methods, measure each, and write them side by side. "
        "Defaults are those of compare(). If a method fails, the others still run; Ctrl-C stops and writes the results "
        "so far.",
    )
    parser.set_defaults(run=_compare, methods=None)
    parser.add_argument("file", type=Path, help=READ)
    add_outputs(parser, "html (linked views, offline), png, svg, pdf, csv (the table)")
    parser.add_argument(
        "--methods", type=_names, metavar="A,B,...",
        help="graphne, sgtsnepi, forceatlas2, tfdp, drgraph, laplacian (these are the default), umap, spring, drl; "
        "with --dim 128 graphne, graphne-tau, cne, deepwalk, node2vec, laplacian (the default is all)",
    )  # fmt: skip
    parser.add_argument(
        "--classes", metavar="ATTR", help="node attribute that holds the classes, for colours and accuracies"
    )
    parser.add_argument("--dim", type=int, metavar="N", help="dimensions (default: 2); 128 compares embeddings")
    parser.add_argument("--seed", type=int, metavar="N")
    parser.add_argument("--sample", type=int, metavar="N", help="largest number of nodes to measure on (default: all)")
    add_reading(parser.add_argument_group("graph"))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _compare(options: argparse.Namespace) -> int:
    """Run the methods, write to every output and print the table."""
    check_outputs(options.output, viewer_compare.ENDINGS, viewer_compare.ENDINGS, options.file)
    graph = read_input(options)
    keywords = {name: value for name, value in vars(options).items() if name in _COMPARE_KEYWORDS}
    started = time.perf_counter()
    comparison = viewer_compare.compare(graph, options.methods, **keywords, progress=wants_bar(options))
    seconds = time.perf_counter() - started
    for failure in comparison.failures:
        say(f"graphne: {failure.method} failed: {failure.reason}", to=sys.stderr)
    if not comparison.results:
        return BAD_INPUT
    files = Outputs(keep=comparison.save, pictures={*viewer_compare.ENDINGS} - {PAGE}, ending=PAGE)
    for output in options.output:
        files.write(output, comparison.save)
    if not options.quiet:
        say(*comparison.table().split("\n"), *filter(None, [comparison.bounds_text()]))
    if files.written and not options.quiet:
        tell_written(graph, files.written, f"{seconds:.1f} s")
    files.raise_failures()
    return INTERRUPTED if comparison.interrupted else 0
