"""`graphne view`: a file's graph in a browser, while its layout forms, without a notebook."""

from __future__ import annotations

import argparse
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz.cli.layout import LAYOUT_KEYWORDS, add_layout_options, size_or_name
from graphne_viz.cli.terminal import BY_NAME, LABELS, READ, figures_of, label_of, read_input, say

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

_LOOKS = ("color", "size", "label", "edges", "theme", "pace")


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne view``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "view",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="look at a graph from a file in a browser",
        description="Look at a graph from a file in a browser while its layout forms, and steer it. Only this machine, "
        "and who has the whole address, can see it. Ctrl-C ends it, with exit code 0.",
    )
    parser.set_defaults(run=_view, browser=True, port=0)
    parser.add_argument("file", type=Path, help=READ)
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.add_argument("--port", type=int, metavar="N", help="default: any that is free")
    group = parser.add_argument_group("looks")
    group.add_argument("--color", metavar="ATTR", help=f"{BY_NAME}; or a colour")
    group.add_argument("--size", type=size_or_name, metavar="ATTR", help=f"{BY_NAME}; or a number")
    group.add_argument("--label", nargs="?", const=True, metavar="ATTR", help=LABELS)
    group.add_argument("--no-edges", dest="edges", action="store_const", const=False, help="nodes only")
    group.add_argument("--theme", metavar="NAME", help="auto, light or dark")
    group.add_argument("--pace", type=float, metavar="S", help="seconds that the layout takes at least")
    add_layout_options(parser.add_argument_group("layout"))


def _view(options: argparse.Namespace) -> int:
    """Serve the view until Ctrl-C."""
    from graphne_viz.viewer.server import ViewServer  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.view import view  # noqa: PLC0415 -- slow to import

    if not 0 <= options.port < 2**16:
        raise ValueError(f"--port must be a number from 0 to {2**16 - 1:,}, got {options.port}")
    graph = read_input(options)
    keywords = {name: value for name, value in vars(options).items() if name in (*LAYOUT_KEYWORDS, *_LOOKS)}
    keywords.pop("weight", None)  # the graph was read with it
    if "label" in keywords:
        keywords["label"] = label_of(graph, label=keywords["label"])
    widget = view(graph, **keywords)
    try:
        server = ViewServer(widget, title=f"{options.file.name} · graphne", port=options.port)
    except BaseException as error:
        widget.close()
        if isinstance(error, OSError) and options.port:
            message = f"--port {options.port} cannot be had ({error.strerror}); without it, any free one is taken"
            raise OSError(message) from error
        raise
    try:
        figures = "" if options.quiet else f"{', '.join(figures_of(graph))}; Ctrl-C ends it: "
        say(f"{figures}{server.url}")
        if options.browser and not webbrowser.open(server.url_once):
            say("There is no browser to open here; the address above works in any on this machine.")
        threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    finally:
        server.close()
    return 0
