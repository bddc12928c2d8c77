"""What commands that compute with a folder of shards have in common: their options, and what they refuse."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.cli.shards.processes import started_by_torchrun
from graphne_viz.cli.terminal import check_outputs

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from graphne_viz.graphs.shards import reader
    from graphne_viz.graphs.shards.reader import Shards
else:
    reader = lazy_import("graphne_viz.graphs.shards.reader")

TABLE = ".parquet"
"""What is computed for the nodes of shards is written as."""

_ONLY_FOR_FILES = ("nodes", "weight", "source", "target", "id", "directed", "header", "max_size")
"""Options that say how a file is read."""


def add_shard_options(parser: ArgumentParser, what: str) -> None:
    """Add the options for shards and several processes; `what` is what is computed, for the help."""
    parser.set_defaults(checkpoint=None, checkpoint_every=180.0, interface=None)
    group = parser.add_argument_group("shards and several processes")
    group.add_argument(
        "--checkpoint", type=Path, metavar="DIR",
        help=f"folder in which to keep every few minutes where a {what} of shards stands; the same command goes on "
        "from there, also with another number of processes",
    )  # fmt: skip
    group.add_argument(
        "--checkpoint-every", type=_seconds, metavar="SECONDS", help="time between two checkpoints (default: 180)"
    )
    group.add_argument(
        "--interface",
        metavar="NAME",
        help="network interface on which processes of several machines meet, such as eth0; by default only those of "
        "this machine can",
    )


def _seconds(text: str) -> float:
    """Read a time that has an end and none before its beginning."""
    seconds = float(text)
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"must be a finite number of seconds, 0 or more, got {text!r}")
    return seconds


_seconds.__name__ = "float"  # what argparse calls it where the text is no number


def is_for_shards(options: Namespace) -> bool:
    """Whether the command was given a folder of shards, or was started in several processes."""
    return started_by_torchrun() or (options.file is not None and reader.is_shards(options.file))


def refuse_checkpoint(options: Namespace) -> None:
    """Refuse checkpoints of a graph in a file."""
    if options.checkpoint is not None:
        raise ValueError(f"--checkpoint needs a folder of shards, which graphne prepare makes; got {options.file}")


def open_shards(options: Namespace, not_for_shards: Sequence[str] = ()) -> Shards:
    """Open the folder, and refuse what cannot work before anything is computed.

    Parameters
    ----------
    options : Namespace
        Of the command.
    not_for_shards : sequence of str
        Further options that a folder of shards has no use for.
    """
    if not reader.is_shards(options.file):
        raise ValueError(f"several processes read a folder of shards, which graphne prepare makes; got {options.file}")
    refuse_file_options(options, not_for_shards)
    check_outputs(options.output, (TABLE,), (), None)
    if len(options.output) > 1:
        raise ValueError(f"shards become one table, got {len(options.output)} outputs")
    return reader.open_shards(options.file)


def refuse_file_options(options: Namespace, more: Sequence[str] = ()) -> None:
    """Refuse options that a folder of shards has no use for; `more` names those beside what says how to read a file."""
    for name in (*more, *_ONLY_FOR_FILES):
        if getattr(options, name, None) not in {None, False}:
            raise ValueError(f"--{name.replace('_', '-')} is for a graph in a file, not for a folder of shards")


def refuse_devices(devices: int) -> None:
    """Refuse to start processes where torchrun does."""
    if devices > 1:
        raise ValueError("devices starts processes by itself; leave it out where torchrun does, or with --checkpoint")


def check_size(n_nodes: int, size: int) -> None:
    """Refuse more processes than nodes."""
    if size > n_nodes:
        raise ValueError(f"there are {n_nodes:,} nodes, which cannot be shared among {size:,} processes")
