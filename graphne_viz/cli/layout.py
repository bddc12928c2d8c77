"""`graphne layout` and `graphne demo`: a file becomes a layout, in files and pictures."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphne_viz.cli.like import REPEATED, apply_like
from graphne_viz.cli.terminal import (
    BY_NAME,
    LABELS,
    PAGE,
    PICTURES,
    READ,
    add_outputs,
    add_weight,
    check_outputs,
    ending_of,
    label_of,
    read_input,
    say,
    tell_written,
    wants_bar,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, _ArgumentGroup, _SubParsersAction
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.film import Shot

_KL_EVERY = 50  # iterations; to look every 10 took a third longer on PubMed
_REPLAY_EVERY = 15  # where a page is to tell how the layout formed
LAYOUT_KEYWORDS = (*REPEATED, "n_jobs")
"""Options that are keywords of `graphne_layout`."""


def add_commands(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne layout`` and ``graphne demo``; `common` has the options that all commands have."""
    layout = commands.add_parser(
        "layout",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="lay out a graph from a file",
        description="Lay out a graph from a file. What is not given is as in graphne_layout().",
    )
    layout.set_defaults(run=_layout, color=None, size=None, edges="auto", labels=False, file=None, like=None)
    layout.add_argument("file", type=Path, nargs="?", help=f"{READ}; not needed with --like")
    add_outputs(layout, "gexf, graphml, json, csv, npz, png, svg, pdf, html")
    group = layout.add_argument_group("layout")
    group.add_argument(
        "--like", type=Path, metavar="EXPORT",
        help="with the parameters and seed of an export (gexf, graphml, json, npz, png, svg, html), and with its "
        "graph if no file is given, which pictures and pages need; other options go before them",
    )  # fmt: skip
    add_layout_options(group)
    group = layout.add_argument_group("picture")
    group.add_argument("--color", metavar="ATTR", help=f"{BY_NAME}; or a colour")
    group.add_argument("--size", type=size_or_name, metavar="ATTR", help=f"{BY_NAME}; or a number")
    group.add_argument("--labels", nargs="?", const=True, metavar="ATTR", help=LABELS)
    group.add_argument("--no-edges", dest="edges", action="store_const", const=False, help="nodes only")

    demo = commands.add_parser("demo", parents=[common], help="lay out scikit-learn's digits")
    demo.set_defaults(run=_demo, color="class", size=None, edges="auto", labels=False)
    demo.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="folder (default: out)")


def add_layout_options(group: _ArgumentGroup) -> None:
    """Add the options that say how to lay out."""
    group.add_argument("--seed", type=int)
    add_weight(group)
    group.add_argument("--normalization", metavar="NAME", help="node, graph or sgtsne")
    group.add_argument("--initialization", metavar="NAME", help="spectral or random")
    group.add_argument("--exaggeration", type=float, metavar="X", help="1 is t-SNE, 4 like UMAP, 30 like ForceAtlas2")
    group.add_argument("--n-iter", type=int, metavar="N")
    group.add_argument("--early-exaggeration", type=float, metavar="X")
    group.add_argument("--early-exaggeration-iter", type=int, metavar="N")
    group.add_argument("--dof", type=float, metavar="X", help="degrees of freedom of the t-kernel")
    group.add_argument("--engine", metavar="NAME", help="auto, exact, mesh or opentsne")
    group.add_argument("--scale", type=float, metavar="X", help="extent (default: 1, in GEXF 1000)")
    group.add_argument("--jobs", dest="n_jobs", type=int, metavar="N", help="threads")


def size_or_name(text: str) -> str | float:
    """Read an area of nodes, or the name of what decides it."""
    try:
        return float(text)
    except ValueError:
        return text


def _layout(options: argparse.Namespace) -> int:
    """Lay out a file's graph."""
    apply_like(options)
    _check_outputs(options.output, options.file)
    graph = read_input(options)
    options.labels = label_of(graph, label=options.labels)
    return _lay_out(graph, options.output, options)


def _demo(options: argparse.Namespace) -> int:
    """Lay out scikit-learn's digits."""
    from graphne_viz.graphs.datasets import digits  # noqa: PLC0415 -- slow to import

    options.out.mkdir(parents=True, exist_ok=True)
    outputs = [options.out / "digits.png", options.out / "digits.gexf", options.out / f"digits{PAGE}"]
    try:
        _check_outputs(outputs)
    except FileNotFoundError as error:  # the viewer is built by Node, which the rest of the demo does without
        say(f"graphne: the page is left out, because {error}", to=sys.stderr)
        outputs.pop()
        _check_outputs(outputs)
    return _lay_out(digits(), outputs, options)


def _check_outputs(outputs: Sequence[Path], source: Path | None = None) -> None:
    from graphne_viz.graphs.files import WRITABLE  # noqa: PLC0415 -- slow to import

    check_outputs(outputs, (*WRITABLE, *PICTURES, PAGE), {".npz", *PICTURES, PAGE}, source)
    if PAGE in map(ending_of, outputs):
        from graphne_viz.viewer.page import read_static  # noqa: PLC0415 -- slow to import

        read_static("page.js")


def _lay_out(graph: Graph, outputs: Sequence[Path], options: argparse.Namespace) -> int:
    """Compute a layout, write it to every output and print the figures."""
    from graphne_viz.layout.api import graphne_layout  # noqa: PLC0415 -- compiled code, slow to import
    from graphne_viz.layout.task import Task  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.encoding import node_colors, node_sizes  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.film import Film  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.labels import node_labels  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.plot import as_positions  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.provenance import provenance  # noqa: PLC0415 -- slow to import

    node_colors(graph, options.color)  # these three refuse what the graph does not have
    node_sizes(graph, options.size, base=1)
    node_labels(graph, labels=options.labels)
    keywords = {name: value for name, value in vars(options).items() if name in LAYOUT_KEYWORDS}
    task = Task(graph, **{name: value for name, value in keywords.items() if name != "weight"})
    about = provenance(task, **{name: value for name, value in keywords.items() if name == "weight"})
    if "scale" in keywords:
        about["parameters"]["scale"] = keywords["scale"]
    kl: list[float] = []
    film = Film(graph.n_nodes) if PAGE in map(ending_of, outputs) else None

    def remember(snapshot: Snapshot) -> None:
        kl[:] = [snapshot.kl] if math.isfinite(snapshot.kl) else []  # a graph without edges has none
        if film is not None:
            film.take(snapshot)

    started = time.perf_counter()
    pos = graphne_layout(
        graph,
        **keywords,
        callback=remember,
        callback_every=_KL_EVERY if film is None else _REPLAY_EVERY,
        progress=wants_bar(options),
    )
    seconds = time.perf_counter() - started
    positions = as_positions(graph, pos)
    about["kl"] = kl[0] if kl else None
    for output in outputs:
        if ending_of(output) == PAGE:
            _write_page(output, graph, positions, about, options, shots=[] if film is None else film.shots())
        else:
            _write(output, graph, positions, about, options)
    if not options.quiet:
        tell_written(graph, outputs, f"{seconds:.2f} s", *(f"KL {last:.4f}" for last in kl))
    return 0


def _write(
    output: Path, graph: Graph, positions: NDArray[np.float64], about: dict[str, Any], options: argparse.Namespace
) -> None:
    from graphne_viz.graphs.files import replace_when_complete, write_layout  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.encoding import node_colors  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.palette import CLASS_COLORS  # noqa: PLC0415 -- only needed here
    from graphne_viz.viewer.plot import GEXF_SCALE, node_diameters, save_plot  # noqa: PLC0415 -- slow to import

    ending = ending_of(output)
    if ending in PICTURES:
        with replace_when_complete(output) as unfinished:
            save_plot(
                unfinished,
                graph,
                positions,
                file_format=ending[1:],
                color=options.color,
                size=options.size,
                labels=options.labels,
                edges=options.edges,
                about=about,
            )
        return
    if ending == ".gexf" and "scale" not in options:
        positions = GEXF_SCALE * positions
    write_layout(
        output,
        graph,
        positions,
        colors=node_colors(graph, CLASS_COLORS[0] if options.color is None else options.color).rgba,
        sizes=None if options.size is None else node_diameters(graph, positions, options.size),
        metadata=about,
    )


def _write_page(
    output: Path,
    graph: Graph,
    positions: NDArray[np.float64],
    about: dict[str, Any],
    options: argparse.Namespace,
    *,
    shots: Sequence[Shot],
) -> None:
    from graphne_viz.viewer.page import Panel, write_page  # noqa: PLC0415 -- slow to import

    looks = {"color": options.color, "size": options.size, "label": options.labels, "edges": options.edges is not False}
    panel = Panel.draw(graph, positions, shots=shots, **looks)
    write_page(output, [panel], title=output.stem, about=about)
