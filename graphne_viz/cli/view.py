"""`graphne view`: a file's graph in a browser, while its layout forms, without a notebook."""

from __future__ import annotations

import argparse
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.cli.keyword_options import add_keyword_options, given_keywords
from graphne_viz.cli.layout import add_layout_options
from graphne_viz.cli.looks import add_looks, given_looks
from graphne_viz.cli.terminal import READ, figures_of, read_input, say
from graphne_viz.layout.keywords import TaskKeywords
from graphne_viz.viewer.keywords import AppearanceKeywords

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.shards import sample
    from graphne_viz.viewer import server as view_server
    from graphne_viz.viewer.session import opening
else:
    sample = lazy_import("graphne_viz.graphs.shards.sample")
    view_server = lazy_import("graphne_viz.viewer.server")
    opening = lazy_import("graphne_viz.viewer.session.opening")

_NOT_OPTIONS = (
    *("embedding", "training", "live", "height", "color", "size", "label", "edges", "colors", "palette", "cmap"),
    *("norm", "edge_width", "edge_color", "edge_label", "arrows", "curved", "class_names", "size_range"),
)
"""Keywords of a view that the command does not have, or has in words of its own."""

_WAIT = 0.5
"""Seconds after which Ctrl-C is heard at the latest."""


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne view``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "view",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="look at a graph from a file in a browser",
        description="Look at a graph from a file in a browser while its layout forms, and steer it. Only this machine "
        "can see it, and only with the full address. Ctrl-C stops it, with exit code 0.",
    )
    parser.set_defaults(run=_view, browser=True, port=0, relayout=False)
    parser.add_argument("file", type=Path, help=READ)
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.add_argument("--port", type=int, metavar="N", help="default: any free port")
    parser.add_argument(
        "--relayout",
        action="store_true",
        help="lay out anew, even if the file has positions, which are shown otherwise",
    )
    group = parser.add_argument_group("looks")
    add_looks(group)
    add_keyword_options(group, AppearanceKeywords, without=_NOT_OPTIONS)
    add_layout_options(parser.add_argument_group("layout"))


def _read(options: argparse.Namespace) -> tuple[Graph, str]:
    """Read a graph, or of a table of results what can be looked at, and what is to be said about it."""
    if not sample.has_results(options.file):
        return read_input(options), ""
    graph, total = sample.read_sample(options.file, sample.SHOWN, max_size=getattr(options, "max_size", None))
    return graph, f", a fair sample of {total:,} nodes" if graph.n_nodes < total else ""


def _view(options: argparse.Namespace) -> int:
    """Serve the view until Ctrl-C."""
    if not 0 <= options.port < 2**16:
        raise ValueError(f"--port must be a number from 0 to {2**16 - 1:,}, got {options.port}")
    graph, shown = _read(options)
    keywords = given_keywords(options, AppearanceKeywords, TaskKeywords) | given_looks(graph, options)
    # Who says how to lay out does not want the positions of the file.
    anew = options.relayout or bool(given_keywords(options, TaskKeywords))
    session = opening.open_session(graph, None if anew else graph.positions, **keywords)
    try:
        server = view_server.ViewServer(session, title=f"{options.file.name}{shown} · graphne", port=options.port)
    except BaseException as error:
        session.close()
        if isinstance(error, OSError) and options.port:
            message = f"port {options.port} is unavailable ({error.strerror}); without --port any free one is used"
            raise OSError(message) from error
        raise
    session.start()
    try:
        stop = threading.Event()  # never set: only a signal ends it
        figures = "" if options.quiet else f"{', '.join(figures_of(graph))}{shown}; Ctrl-C stops it: "
        say(f"{figures}{server.url}")
        if options.browser and not webbrowser.open(server.url_once):
            say("No browser could be opened; open the address above in any browser on this machine.")
        while not stop.wait(_WAIT):  # one without an end hears no Ctrl-C on Windows
            pass
    except KeyboardInterrupt:
        return 0
    finally:
        server.close()
    return 0
