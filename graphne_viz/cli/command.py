"""The command and its subcommands."""

from __future__ import annotations

import argparse
import logging
import sys
import traceback
from typing import TYPE_CHECKING, NoReturn

from graphne_viz._version import package_version
from graphne_viz.cli import bench, compare, embed, layout, view
from graphne_viz.cli.shards import prepare
from graphne_viz.cli.terminal import BAD_INPUT, INTERRUPTED, PrintableFormatter, printable, say, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    handler = logging.StreamHandler()
    handler.setFormatter(PrintableFormatter("graphne: %(message)s"))
    logging.basicConfig(handlers=[handler])
    logging.getLogger("graphne_viz").setLevel(logging.INFO if options.verbose else logging.WARNING)
    try:
        code: int = options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, ValueError, TypeError, ImportError, MemoryError) as error:
        if options.verbose:
            traceback.print_exc()
        say(f"graphne: {sentence(error)}", to=sys.stderr)
        return BAD_INPUT
    return code


class _Parser(argparse.ArgumentParser):
    """Repeats wrong arguments as the other messages do."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Parser(
        prog="graphne", description="Lay out and embed graphs by neighbour embedding."
    )
    parser.add_argument("--version", action="version", version=f"graphne {package_version()}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="no progress bar and no summary line")
    common.add_argument("--progress", action="store_true", help="show the bar even if stderr is not a terminal")
    common.add_argument("--verbose", action="store_true", help="log each step, and show tracebacks of errors")
    layout.add_commands(commands, common)
    view.add_command(commands, common)
    embed.add_command(commands, common)
    prepare.add_command(commands, common)
    compare.add_command(commands, common)
    bench.add_command(commands, common)
    return parser
