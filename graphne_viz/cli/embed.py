"""`graphne embed`: a file becomes vectors of its nodes."""

from __future__ import annotations

import argparse
import logging
import math
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz.cli.terminal import (
    INTERRUPTED,
    READ,
    add_outputs,
    add_weight,
    check_outputs,
    ending_of,
    read_input,
    tell_written,
    wants_bar,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction
    from collections.abc import Iterator

    from graphne_viz.embedding.embedding import Embedding

ENDINGS = (".npz", ".parquet", ".csv", ".txt")
"""What can be written; .csv and .txt, which is word2vec's format, also with .gz behind them."""

_EMBED_KEYWORDS = (
    "dim",
    "epochs",
    "temperature",
    "learning_rate",
    "batch_size",
    "negatives",
    "preset",
    "initialization",
    "seed",
    "device",
)


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne embed``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "embed",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="give the nodes of a graph from a file vectors",
        description="Give the nodes of a graph from a file vectors. What is not given is as in embed(). Ctrl-C ends "
        "the training and writes what there is; from an npz file it can go on.",
    )
    parser.set_defaults(run=_embed, start=None)
    parser.add_argument("file", type=Path, help=READ)
    add_outputs(parser, "npz, parquet, csv, txt (word2vec's format)")
    group = parser.add_argument_group("training")
    group.add_argument("--dim", type=int, metavar="N", help="length of the vectors (default: 128)")
    group.add_argument("--epochs", type=int, metavar="N", help="how often each edge is visited")
    group.add_argument("--temperature", type=_number_or_name, metavar="X", help='a number (default: 0.05) or "learn"')
    group.add_argument("--learning-rate", type=float, metavar="X")
    group.add_argument("--batch-size", type=_count_or_name, metavar="N", help='edges in a batch, or "auto"')
    group.add_argument("--negatives", metavar="NAME", help="batch (default) or copies, as the paper's library has them")
    group.add_argument("--preset", metavar="NAME", help="default or paper")
    group.add_argument("--initialization", metavar="NAME", help="spectral or random")
    add_weight(group)
    group.add_argument("--seed", type=int, metavar="N")
    group.add_argument("--device", metavar="NAME", help="auto, cpu, cuda or mps")
    group.add_argument("--start", type=Path, metavar="FILE.npz", help="go on with an embedding of this graph")


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _count_or_name(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _embed(options: argparse.Namespace) -> int:
    """Train, write to every output and print the figures."""
    check_outputs(options.output, ENDINGS, {".npz", ".parquet"}, options.file)
    if any(ending_of(output) == ".parquet" for output in options.output):
        from graphne_viz.graphs.vector_tables import arrow  # noqa: PLC0415 -- slow to import

        arrow()
    from graphne_viz.embedding.api import embed  # noqa: PLC0415 -- slow to import
    from graphne_viz.embedding.embedding import Embedding  # noqa: PLC0415 -- slow to import

    keywords = {name: value for name, value in vars(options).items() if name in _EMBED_KEYWORDS}
    if options.start is not None:
        keywords["start"] = Embedding.load(options.start)
    graph = read_input(options)
    started = time.perf_counter()
    with _own_words(options):
        embedding = embed(graph, **keywords, progress=wants_bar(options))
    seconds = time.perf_counter() - started
    for output in options.output:
        _write(output, embedding)
    if not options.quiet:
        tell_written(graph, options.output, f"{seconds:.1f} s", *_figures(embedding))
    return 0 if embedding.complete else INTERRUPTED


@contextmanager
def _own_words(options: argparse.Namespace) -> Iterator[None]:
    """Leave it to the line of figures to tell of an interruption: what the library says of it is for Python."""
    log = logging.getLogger("graphne_viz.embedding.training")
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


def _figures(embedding: Embedding) -> list[str]:
    """Return how far the training came, and how good the vectors are, in words."""
    figures = []
    if not embedding.complete:
        figures.append(f"stopped after {embedding.epochs:,} of {embedding.settings['epochs']:,} epochs")
    for name in ("loss", "recall"):
        curve = embedding.history[name]
        if len(curve) and math.isfinite(curve[-1]):
            figures.append(f"{name} {curve[-1]:.2f}")
    return figures
