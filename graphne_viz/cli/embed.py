"""`graphne embed`: a file becomes vectors of its nodes."""

from __future__ import annotations

import argparse
import logging
import math
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._keywords import keywords_of
from graphne_viz._lazy import lazy_import
from graphne_viz.cli.keyword_options import add_keyword_options, given_keywords
from graphne_viz.cli.shards.embed import embed_shards
from graphne_viz.cli.shards.options import add_shard_options, is_for_shards, refuse_checkpoint, refuse_file_options
from graphne_viz.cli.shards.processes import started_by_torchrun
from graphne_viz.cli.terminal import (
    INTERRUPTED,
    READ,
    Outputs,
    add_outputs,
    add_reading,
    check_outputs,
    ending_of,
    read_input,
    tell_written,
    wants_bar,
)
from graphne_viz.embedding.keywords import DIM, EmbedKeywords, SettingsKeywords
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction
    from collections.abc import Iterator

    from graphne_viz.embedding import api as embedding_api
    from graphne_viz.embedding import embedding as embeddings
    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.graphs.convert import vectors
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.shards import reader
else:
    embedding_api = lazy_import("graphne_viz.embedding.api")
    embeddings = lazy_import("graphne_viz.embedding.embedding")
    reader = lazy_import("graphne_viz.graphs.shards.reader")
    vectors = lazy_import("graphne_viz.graphs.convert.vectors")

ENDINGS = (".npz", ".parquet", ".csv", ".txt")
"""What can be written; .csv and .txt, which is word2vec's format, also with .gz behind them."""

_NOT_OPTIONS = ("start", "weight", "callback", "progress", *keywords_of(TableKeywords))
"""Keywords of `embed` that the command does not have, or has in words of its own."""


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne embed``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "embed",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="embed the nodes of a graph from a file",
        description="Embed the nodes of a graph from a file as vectors. Defaults are those of embed(). Ctrl-C stops "
        "the training and writes the vectors so far; from an npz file it can be resumed.",
    )
    parser.set_defaults(run=_embed, start=None)
    parser.add_argument("file", type=Path, help=f"{READ}; or a folder of shards, see graphne prepare")
    add_outputs(parser, "npz, parquet, csv, txt (word2vec's format); by several processes: parquet")
    group = parser.add_argument_group("training")
    group.add_argument(
        "--dim", type=int, metavar="N", help=f"length of the vectors (default: {DIM}, or the number of nodes)"
    )
    add_keyword_options(group, EmbedKeywords, without=_NOT_OPTIONS)
    add_reading(group)
    group.add_argument("--start", type=Path, metavar="FILE.npz", help="an embedding of this graph to resume from")
    add_shard_options(parser, "training")


def _embed(options: argparse.Namespace) -> int:
    """Train, write to every output and print the figures."""
    sharded = is_for_shards(options)
    if started_by_torchrun() or (sharded and options.checkpoint is not None):
        return embed_shards(options)
    refuse_checkpoint(options)
    check_outputs(options.output, ENDINGS, {".npz", ".parquet"}, options.file)
    if any(ending_of(output) == ".parquet" for output in options.output):
        vectors.check_parquet()

    keywords = given_keywords(options, SettingsKeywords, also=("dim", "seed"))
    if options.start is not None:
        keywords["start"] = embeddings.Embedding.load(options.start, max_size=getattr(options, "max_size", None))
    graph = _read_shards(options) if sharded else read_input(options)
    started = time.perf_counter()
    with _own_words(options):
        embedding = embedding_api.embed(graph, **keywords, progress=wants_bar(options))
    seconds = time.perf_counter() - started
    files = Outputs(keep=embedding.save)
    for output in options.output:
        files.write(output, lambda path: _write(path, embedding))
    if files.written and not options.quiet:
        asked = "dim" in keywords or options.start is not None
        tell_written(graph, files.written, f"{seconds:.1f} s", *_figures(embedding, asked=asked))
    files.raise_failures()
    return 0 if embedding.complete else INTERRUPTED


def _read_shards(options: argparse.Namespace) -> Graph:
    """Read a folder of shards whole: a process that is alone trains fastest so, and can write every format."""
    refuse_file_options(options)
    return reader.open_shards(options.file).graph()


@contextmanager
def _own_words(options: argparse.Namespace) -> Iterator[None]:
    """Leave it to the line of figures to tell of an interruption: what the library says of it is for Python."""
    log = logging.getLogger("graphne_viz.embedding.training.training")
    level = log.level
    if not options.verbose:
        log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _write(output: Path, embedding: Embedding) -> None:
    write = {
        ".npz": embedding.save,
        ".parquet": embedding.to_parquet,
        ".csv": embedding.to_csv,
        ".txt": embedding.save_word2vec,
    }
    write[ending_of(output)](output)


def _figures(embedding: Embedding, *, asked: bool) -> list[str]:
    """Return in words how far the training came, how good the vectors are, and dimensions that nobody asked for."""
    figures = []
    if not asked and len(embedding) == embedding.dim < DIM:
        figures.append(f"{embedding.dim} dimensions, as many as there are nodes")
    if not embedding.complete:
        figures.append(f"stopped after {embedding.epochs:,} of {embedding.settings['epochs']:,} epochs")
    for name in ("loss", "recall"):
        curve = embedding.history[name]
        if len(curve) and math.isfinite(curve[-1]):
            figures.append(f"{name} {curve[-1]:.2f}")
    return figures
