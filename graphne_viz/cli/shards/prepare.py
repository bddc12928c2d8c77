"""`graphne prepare`: from edge files of any size to a folder of shards, which several processes share."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.cli.keyword_options import add_keyword_options, given_keywords
from graphne_viz.cli.terminal import say, wants_bar
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.graphs.shards.prepare import MEMORY

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

    from graphne_viz.graphs.shards import prepare as preparation
else:
    preparation = lazy_import("graphne_viz.graphs.shards.prepare")


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne prepare``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "prepare",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="turn edge files of any size into shards for several processes",
        description="Turn edge files of any size, with ids of any type, into a folder of shards: sorted integer edges "
        "and a table of the nodes. What does not fit into memory stays on disk; the folder appears when complete.",
    )
    parser.set_defaults(run=_prepare)
    parser.add_argument("file", type=Path, help="Parquet, csv, tsv or txt (also .gz), or a folder of them")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="SHARDS", help="the folder to make")
    group = parser.add_argument_group("reading")
    add_keyword_options(group, TableKeywords, without=("nodes", "id", "directed"))
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first line of an edge list names its columns",
    )
    group.add_argument(
        "--max-size",
        metavar="SIZE",
        help="what the files may unpack to, such as 4TB (default: 32 times their size, at least 33 MB)",
    )
    weights = group.add_mutually_exclusive_group()
    weights.add_argument("--weight", metavar="NAME", help="column with the weights")
    weights.add_argument("--unweighted", dest="weight", action="store_const", const=None, help="ignore weights")
    group.add_argument("--memory", type=int, metavar="MB", help=f"memory of the database in MB (default: {MEMORY:,})")


def _prepare(options: argparse.Namespace) -> int:
    """Make the folder, and say what is in it."""
    started = time.perf_counter()
    keywords = given_keywords(options, TableKeywords, also=("weight", "header", "memory", "max_size"))
    shards = preparation.prepare(options.file, options.output, **keywords, progress=wants_bar(options))
    if not options.quiet:
        counts = f"{shards.n_nodes:,} nodes, {shards.n_edges:,} edges, {len(shards.manifest.shards):,} shards"
        say(f"{counts}, {time.perf_counter() - started:.1f} s: {options.output}")
    return 0
