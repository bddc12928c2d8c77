"""`graphne layout` and `graphne demo`: a file becomes a layout, in files and pictures."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphne_viz._atomic import replace_when_complete
from graphne_viz._keywords import select
from graphne_viz._lazy import lazy_import
from graphne_viz.cli.keyword_options import add_keyword_options, given_keywords
from graphne_viz.cli.looks import Looks, add_looks, given_looks
from graphne_viz.cli.repeat_export import apply_like
from graphne_viz.cli.shards.layout import lay_out_shards
from graphne_viz.cli.shards.options import add_shard_options, is_for_shards, refuse_checkpoint
from graphne_viz.cli.terminal import (
    PAGE,
    PICTURES,
    READ,
    Outputs,
    add_outputs,
    add_reading,
    check_outputs,
    ending_of,
    read_input,
    say,
    tell_written,
    wants_bar,
)
from graphne_viz.layout.keywords import TaskKeywords

if TYPE_CHECKING:
    from argparse import ArgumentParser, _ArgumentGroup, _SubParsersAction
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.encoding import visible_state
    from graphne_viz.graphs import datasets
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io import files as graph_files
    from graphne_viz.graphs.io import registry as formats
    from graphne_viz.layout import api as layout_api
    from graphne_viz.layout import task as layout_task
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.plotting import figures
    from graphne_viz.plotting import plot as plots
    from graphne_viz.viewer.export import html_page, provenance
    from graphne_viz.viewer.export import panel as panels
    from graphne_viz.viewer.run import recording as recordings
    from graphne_viz.viewer.run.recording import Shot
    from graphne_viz.viewer.transport import bundle
else:
    datasets = lazy_import("graphne_viz.graphs.datasets")
    formats = lazy_import("graphne_viz.graphs.io.registry")
    layout_api = lazy_import("graphne_viz.layout.api")
    layout_task = lazy_import("graphne_viz.layout.task")
    plots = lazy_import("graphne_viz.plotting.plot")
    provenance = lazy_import("graphne_viz.viewer.export.provenance")
    recordings = lazy_import("graphne_viz.viewer.run.recording")
    visible_state = lazy_import("graphne_viz.encoding.visible_state")
    graph_files = lazy_import("graphne_viz.graphs.io.files")
    figures = lazy_import("graphne_viz.plotting.figures")
    html_page = lazy_import("graphne_viz.viewer.export.html_page")
    panels = lazy_import("graphne_viz.viewer.export.panel")
    bundle = lazy_import("graphne_viz.viewer.transport.bundle")

_KL_EVERY = 50  # iterations; to look every 10 took a third longer on PubMed
_REPLAY_EVERY = 15  # where a page is to tell how the layout formed
NOT_OPTIONS = ("fixed", "center", "dim")
"""Keywords of a layout that the command does not have."""


def add_commands(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne layout`` and ``graphne demo``; `common` has the options that all commands have."""
    layout = commands.add_parser(
        "layout",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="lay out a graph from a file",
        description="Lay out a graph from a file. Defaults are those of graphne_layout().",
    )
    layout.set_defaults(run=_layout, edges="auto", file=None, like=None)
    layout.add_argument(
        "file", type=Path, nargs="?", help=f"{READ}; or a folder of shards, see graphne prepare; not needed with --like"
    )
    add_outputs(layout, "gexf, graphml, json, csv, npz, png, svg, pdf, html; of shards: parquet")
    group = layout.add_argument_group("layout")
    group.add_argument(
        "--like", type=Path, metavar="EXPORT",
        help="use the parameters and seed of an export (gexf, graphml, json, npz, png, svg, html), and its graph if "
        "no file is given, which only pictures and pages lack; other options take precedence",
    )  # fmt: skip
    add_layout_options(group)
    add_shard_options(layout, "layout")
    group = layout.add_argument_group("picture")
    add_looks(group)

    demo = commands.add_parser("demo", parents=[common], help="lay out scikit-learn's digits")
    demo.set_defaults(run=_demo, edges="auto")
    demo.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="folder (default: out)")


def add_layout_options(group: _ArgumentGroup) -> None:
    """Add the options that say how to lay out."""
    add_keyword_options(group, TaskKeywords, without=NOT_OPTIONS, notes={"scale": "default: 1; 1000 for GEXF"})
    add_reading(group)


def _layout(options: argparse.Namespace) -> int:
    """Lay out a file's graph."""
    if is_for_shards(options):
        return lay_out_shards(options)
    refuse_checkpoint(options)
    apply_like(options)
    _check_outputs(options.output, options.file)
    return _lay_out(read_input(options), options.output, options)


def _demo(options: argparse.Namespace) -> int:
    """Lay out scikit-learn's digits."""
    options.out.mkdir(parents=True, exist_ok=True)
    outputs = [options.out / "digits.png", options.out / "digits.gexf", options.out / f"digits{PAGE}"]
    try:
        _check_outputs(outputs)
    except FileNotFoundError as error:  # the viewer is built by Node, which the rest of the demo does without
        say(f"graphne: no page is written: {error}", to=sys.stderr)
        outputs.pop()
        _check_outputs(outputs)
    return _lay_out(datasets.digits(), outputs, options)


def _check_outputs(outputs: Sequence[Path], original: Path | None = None) -> None:
    check_outputs(outputs, (*formats.WRITABLE, *PICTURES, PAGE), {".npz", *PICTURES, PAGE}, original)
    if PAGE in map(ending_of, outputs):
        bundle.read_bundle("page.js")


def _lay_out(graph: Graph, outputs: Sequence[Path], options: argparse.Namespace) -> int:
    """Compute a layout, write it to every output and print the figures."""
    looks = Looks(graph, given_looks(graph, options))
    keywords = given_keywords(options, TaskKeywords, also=("weight",))
    task = layout_task.Task(graph, **select(TaskKeywords, keywords))
    about = provenance.provenance(task, **{name: value for name, value in keywords.items() if name == "weight"})
    if "scale" in keywords:
        about["parameters"]["scale"] = keywords["scale"]
    kl: list[float] = []
    recording = recordings.Recording(graph.n_nodes) if PAGE in map(ending_of, outputs) else None

    def remember(snapshot: Snapshot) -> None:
        kl[:] = [snapshot.kl] if math.isfinite(snapshot.kl) else []  # a graph without edges has none
        if recording is not None:
            recording.add(snapshot)

    started = time.perf_counter()
    pos = layout_api.graphne_layout(
        graph,
        **keywords,
        callback=remember,
        callback_every=_KL_EVERY if recording is None else _REPLAY_EVERY,
        progress=wants_bar(options),
    )
    seconds = time.perf_counter() - started
    positions = plots.as_positions(graph, pos)
    about["kl"] = kl[0] if kl else None
    shots = [] if recording is None else recording.shots()

    def write(output: Path) -> None:
        if ending_of(output) == PAGE:
            _write_page(output, looks, positions, about, edges=options.edges is not False, shots=shots)
        else:
            _write(output, looks, positions, about, options)

    files = Outputs(keep=write, pictures=(*PICTURES, PAGE))
    for output in outputs:
        files.write(output, write)
    if files.written and not options.quiet:
        tell_written(graph, files.written, f"{seconds:.2f} s", *(f"KL {last:.4f}" for last in kl))
    files.raise_failures()
    return 0


def _write(
    output: Path, looks: Looks, positions: NDArray[np.float64], about: dict[str, Any], options: argparse.Namespace
) -> None:
    ending, graph = ending_of(output), looks.graph
    if ending in PICTURES:
        with replace_when_complete(output) as unfinished:
            plots.save_plot(
                unfinished,
                graph,
                positions,
                file_format=ending[1:],
                edges=options.edges,
                about=about,
                **looks.keywords,
            )
        return
    gexf = ending == ".gexf"
    if gexf and "scale" not in options:
        positions = figures.GEXF_SCALE * positions
    # Colours and sizes of GEXF are apart from its attributes, so it has those of the picture. Other formats keep them
    # beside the attributes: only what was asked for.
    color, size = looks.columns(automatically=gexf)
    state = visible_state.VisibleState(graph, positions, color=color, size=size)
    graph_files.write_layout(
        output,
        graph,
        positions,
        colors=state.colors.rgba,
        sizes=figures.node_diameters(state) if size is not None or gexf else None,
        metadata=about,
    )


def _write_page(
    output: Path,
    looks: Looks,
    positions: NDArray[np.float64],
    about: dict[str, Any],
    *,
    edges: bool,
    shots: Sequence[Shot],
) -> None:
    panel = panels.Panel.draw(looks.graph, positions, shots=shots, edges=edges, **looks.keywords)
    html_page.write_page(output, [panel], title=output.stem, about=about)
