"""Exports of a session: pictures, files and graphs, each with its provenance."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphne_viz._atomic import replace_when_complete
from graphne_viz._checks import check_positive
from graphne_viz.encoding.columns.node_columns import with_colors
from graphne_viz.encoding.labels.text import node_names
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs.convert.igraph_graphs import as_igraph
from graphne_viz.graphs.convert.networkx_graphs import as_networkx
from graphne_viz.graphs.io.files import write_layout
from graphne_viz.graphs.io.laid_out import NAME
from graphne_viz.plotting.animation import write_gif, write_mp4
from graphne_viz.plotting.figures import GEXF_SCALE, LEAST_WIDTH, figure_of, node_diameters, save_figure
from graphne_viz.viewer.export.html_page import check_page_path, write_page
from graphne_viz.viewer.export.panel import Panel
from graphne_viz.viewer.export.preview import placeholder, preview
from graphne_viz.viewer.export.provenance import provenance_of_run
from graphne_viz.viewer.run.state_machine import MOVING

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.session.session import ViewSession

_INCH = 100  # pixels at scale 1
_USUAL_SCALE, _MOST_SCALE = 3, 20
_VECTOR_DPI = 200
_WAIT_FOR_POSITIONS = 30.0
_WAIT_FOR_PREVIEW = 0.3


def provenance_of(session: ViewSession) -> dict[str, Any]:
    """Parameters, seed and versions that made what is shown, as every export carries them; plain JSON values."""
    return provenance_of_run(session.run, weight=session.weight)


def to_html(
    session: ViewSession,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    caption: str = "",
    replay: bool = True,
) -> None:
    """Write one HTML file with the same viewer, for any browser: no kernel, no network.

    Parameters
    ----------
    path : path-like
        Ends in .html.
    title : str, optional
        Stands above the picture.
    caption : str
        Stands below it.
    replay : bool, default True
        Whether the file shows how the layout formed, too. That takes most of its size; it is thinned out so that
        20,000 nodes need less than 2 MB in all, beside the viewer.
    """
    check_page_path(path)
    wait_for_positions(session)
    panel = Panel.of(session, caption=caption, replay=replay)
    write_page(path, [panel], title=title or "", about=provenance_of(session))


def to_png(
    session: ViewSession,
    path: str | PathLike[str] | None = None,
    scale: float | None = None,
    *,
    title: str | None = None,
) -> bytes | None:
    """Draw the graph as it is shown, with its legend, as pixels on white; hidden nodes are left out.

    Parameters
    ----------
    path : path-like, optional
        Where to write; without it the picture is returned.
    scale : float, optional
        Pixels for each that a picture of about 700 by 700 would have. By default at least 3, and 2,000 pixels across.
    title : str, optional
        Stands above the picture; by default how many nodes and edges there are.

    Returns
    -------
    bytes or None
        The PNG, without a path. Its text "graphne_viz" is `provenance` as JSON.
    """
    if scale is not None:
        check_positive("scale", scale, most=_MOST_SCALE)
    return _draw(session, path, "png", None if scale is None else _INCH * float(scale), title)


def to_svg(session: ViewSession, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str | None:
    """Draw the graph as it is shown, with its legend, as shapes on white; hidden nodes are left out.

    Parameters
    ----------
    path : path-like, optional
        Where to write; without it the picture is returned.
    title : str, optional
        Stands above the picture; by default how many nodes and edges there are.

    Returns
    -------
    str or None
        The SVG, without a path. Names are text in it, and more than 50,000 edges, or nodes, pixels. Its
        description is `provenance` as JSON.
    """
    drawn = _draw(session, path, "svg", _VECTOR_DPI, title)
    return None if drawn is None else drawn.decode()


def to_gexf(session: ViewSession, path: str | PathLike[str]) -> None:
    """Write a file that opens in Gephi as it is shown: positions, colours, sizes and all attributes.

    Parameters
    ----------
    path : path-like
        Ends in .gexf, or .gexf.gz.

    Notes
    -----
    The file is GEXF 1.2 and has all nodes, the hidden ones too. Edges are those of the graph as it was given, with
    direction and attributes; where nodes are pinned, the attribute "pinned" tells which. `provenance` is its
    description, as JSON; ``graphne layout --like`` reads it. Unless the view was given a `scale`, positions reach to
    1,000, which suits Gephi.
    """
    if not str(path).lower().endswith((".gexf", ".gexf.gz")):
        raise ValueError(f"path must end in .gexf or .gexf.gz, got {str(path)!r}")
    shown, about = visible_state(session)
    if not session.run.given and "scale" not in about["parameters"]:
        shown = replace(shown, positions=GEXF_SCALE * shown.positions)
    write_layout(
        path,
        _with_pinned(_labelled(session.graph), session),
        shown.positions,
        colors=shown.colors.rgba,
        sizes=node_diameters(shown),
        metadata=about,
    )


def to_gif(session: ViewSession, path: str | PathLike[str], *, seconds: float = 5, width: int = 640) -> None:
    """Write how the layout formed as an animated GIF, drawn as it is shown now, with its legend.

    Parameters
    ----------
    path : path-like
        Ends in .gif.
    seconds : float, default 5
        How long it plays, beside a short rest at the end.
    width : int, default 640
        In pixels.

    Raises
    ------
    ValueError
        If no run made these positions.
    """
    _animate(session, write_gif, path, ".gif", seconds=seconds, width=width)


def to_mp4(session: ViewSession, path: str | PathLike[str], *, seconds: float = 5, width: int = 960) -> None:
    """Write how the layout formed as a video; needs the command ffmpeg.

    Parameters
    ----------
    path : path-like
        Ends in .mp4.
    seconds, width
        As for `to_gif`.

    Raises
    ------
    ValueError
        If no run made these positions.
    RuntimeError
        If ffmpeg is not installed, or fails.
    """
    _animate(session, write_mp4, path, ".mp4", seconds=seconds, width=width)


def to_networkx(session: ViewSession) -> Foreign:
    """Return a networkx graph with the positions as "x" and "y" and the colours as "color" of each node.

    Returns
    -------
    networkx graph
        A copy of what was shown if that is one, with all attributes; an own "color" is left as it is. Its
        attribute "graphne_viz" is `provenance` as JSON.
    """
    return as_networkx(*_as_graph(session))


def to_igraph(session: ViewSession) -> Foreign:
    """Return an igraph graph with positions as "x" and "y" and colours as "color", all of which ``ig.plot`` reads.

    Returns
    -------
    igraph.Graph
        A copy of what was shown if that is one, with all attributes; an own "color" is left as it is. Its
        attribute "graphne_viz" is `provenance` as JSON.
    """
    return as_igraph(*_as_graph(session))


def export_bytes(session: ViewSession, file_format: str) -> bytes:
    """Return the file that `to_svg`, `to_html` or `to_gexf` would write.

    Parameters
    ----------
    file_format : {"svg", "html", "gexf"}
    """
    write: dict[str, Callable[..., object]] = {"svg": to_svg, "html": to_html, "gexf": to_gexf}
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph.{file_format}"
        write[file_format](session, path)
        return path.read_bytes()


EXPORTERS: dict[str, Callable[[ViewSession], bytes]] = {
    file_format: partial(export_bytes, file_format=file_format) for file_format in ("svg", "html", "gexf")
}
"""What makes the files that the browser may ask for."""


def static_preview(session: ViewSession) -> bytes:
    """Draw a small PNG of what is shown, for readers without a browser; a line of text while there is nothing."""
    run = session.run
    if not run.wait_for_positions(_WAIT_FOR_PREVIEW) or run.latest is None:
        return placeholder("The layout was being computed.")
    rotation, positions = session["_rotation"], run.latest.positions
    turned = positions @ np.reshape(rotation, (2, 2)).T if rotation else positions
    # A view is shown while its layout forms: that picture is renewed when it rests, and must not delay the view.
    return preview(_state(session, turned), draft=run.state in MOVING)


def visible_state(session: ViewSession) -> tuple[VisibleState, dict[str, Any]]:
    """Return what is shown and its provenance."""
    run = session.run
    wait_for_positions(session)
    while True:
        latest, positions, about = run.latest, cast("NDArray[np.float64]", run.layout()), provenance_of(session)
        if run.latest is latest:  # otherwise the run went on meanwhile, and the two need not belong together
            break
    return _state(session, positions), about


def _state(session: ViewSession, positions: NDArray[np.floating]) -> VisibleState:
    columns = session.columns
    color = columns.column("color", session["color"])
    return VisibleState(
        session.graph,
        positions,
        color=with_colors(color, {} if color is None else session["colors"].get(columns.name_of(color.key), {})),
        size=columns.column("size", session["size"]),
        label=columns.column("label", session["label"]),
        edges=session["edges"],
        edge_width=columns.edge_column("edge_width", session["edge_width"]),
        edge_color=columns.edge_column("edge_color", session["edge_color"]) or session["edge_color"],
        arrows=session["arrows"],
        curved=session["curved"],
        class_names=session["class_names"],
        size_range=session["size_range"],
        visible=session.fields.visible(),
        cmap=columns.cmap,
        norm=columns.norm,
    )


def wait_for_positions(session: ViewSession) -> None:
    """Wait for the first positions of a run that has just begun; afterwards there always are some."""
    session.run.wait_for_positions(_WAIT_FOR_POSITIONS)
    if session.run.latest is None:
        raise RuntimeError(f"there are no positions yet: the run is {session.run.state}; w.run.play() starts it")


def _animate(
    session: ViewSession, write: Callable[..., None], path: str | PathLike[str], ending: str, **keywords: float
) -> None:
    if Path(path).suffix.lower() != ending:
        raise ValueError(f"path must end in {ending}, got {str(path)!r}")
    shown, about = visible_state(session)
    write(path, shown, session.run.shots(), about, **keywords)


def _as_graph(session: ViewSession) -> tuple[Foreign, Graph, dict[str, NDArray[np.generic]], tuple[str, object]]:
    shown, about = visible_state(session)
    columns: dict[str, NDArray[np.generic]] = dict(zip("xy", shown.positions.T, strict=True))
    if "color" not in session.graph.attributes:
        rgb = np.rint(255 * shown.colors.rgba[:, :3]).astype(np.uint8)
        columns["color"] = np.array([f"#{bytes(row).hex()}" for row in rgb.tolist()], dtype=object)
    return session.source, session.graph, columns, (NAME, about)


def _draw(
    session: ViewSession, path: str | PathLike[str] | None, file_format: str, dpi: float | None, title: str | None
) -> bytes | None:
    if path is not None and Path(path).suffix.lower() != f".{file_format}":
        raise ValueError(f"path must end in .{file_format}, got {str(path)!r}")
    shown, about = visible_state(session)
    counts = f"{session.graph.n_nodes:,} nodes, {session.graph.n_edges:,} edges"
    figure = figure_of(shown, counts if title is None else title)
    dpi = max(_USUAL_SCALE * _INCH, math.ceil(LEAST_WIDTH / figure.get_figwidth())) if dpi is None else dpi
    if path is None:
        written = io.BytesIO()
        save_figure(figure, written, file_format=file_format, dpi=dpi, about=about)
        return written.getvalue()
    with replace_when_complete(path) as unfinished:
        save_figure(figure, unfinished, file_format=file_format, dpi=dpi, about=about)
    return None


def _with_pinned(graph: Graph, session: ViewSession) -> Graph:
    """Add which nodes are pinned, if any is, unless the graph has an attribute of that name."""
    held = session.run.placement.only_pinned().nodes
    if not held.size or "pinned" in graph.attributes:
        return graph
    pinned = np.isin(np.arange(graph.n_nodes), held)
    return replace(graph, attributes={**graph.attributes, "pinned": pinned})


def _labelled(graph: Graph) -> Graph:
    """Give igraph's nodes, which are numbers, their names as labels."""
    names = node_names(graph)
    if names is graph.ids or "label" in graph.attributes:
        return graph
    return replace(
        graph, attributes={**graph.attributes, "label": np.array([str(name) for name in names], dtype=object)}
    )
