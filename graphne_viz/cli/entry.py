"""Where the command begins: Ctrl-C ends it without a traceback from the first import on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from graphne_viz._lazy import import_without, lazy_import

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphne_viz.cli import command
else:
    command = lazy_import("graphne_viz.cli.command")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; see `graphne_viz.cli.command.main`."""
    if arguments is None and sys.argv[1:2] == ["layout"]:
        # A process of its own, which draws without igraph: half a second for matplotlib is not worth it.
        import_without("igraph", "matplotlib")
    try:
        return command.main(arguments)
    except KeyboardInterrupt:
        return 130
