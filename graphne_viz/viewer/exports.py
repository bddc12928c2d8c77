"""What can be taken away from a view: pictures, files and graphs, each with what made them."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphne_viz.graphs.exchange import as_igraph, as_networkx
from graphne_viz.graphs.files import replace_when_complete, write_layout
from graphne_viz.graphs.links import links_of
from graphne_viz.layout.options import positive
from graphne_viz.viewer.figures import figure_of
from graphne_viz.viewer.movie import write_gif, write_mp4
from graphne_viz.viewer.page import Panel, check_page_path, write_page
from graphne_viz.viewer.plot import GEXF_SCALE, diameters, save_figure, suitable_area
from graphne_viz.viewer.provenance import NAME, provenance_of_run
from graphne_viz.viewer.shown import Shown
from graphne_viz.viewer.wire import called

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import NDArray

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.choices import Choice, Choices
    from graphne_viz.viewer.run import Run
    from graphne_viz.viewer.widget import GraphWidget

_INCH = 100  # pixels at scale 1
_MOST_SCALE = 20
_VECTOR_DPI = 200
_WAIT_FOR_POSITIONS = 30.0


TAKEN = ("svg", "html", "gexf")
"""Files that the browser may ask for."""


class Exports:
    """The exports of a `GraphWidget`, which inherits them."""

    graph: Graph
    run: Run
    color: Choice
    size: Choice
    label: Choice
    edges: Any
    _source: Foreign
    _weight: str | None
    _choices: Choices
    _hidden: Any

    @property
    def provenance(self) -> dict[str, Any]:
        """Parameters, seed and versions that made what is shown, as every export carries them; plain JSON values."""
        return provenance_of_run(self.run, weight=self._weight)

    def to_html(
        self, path: str | PathLike[str], *, title: str | None = None, caption: str = "", replay: bool = True
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
            Whether the file tells how the layout formed, too. That takes most of its size; it is thinned out so that
            20,000 nodes need less than 2 MB in all, beside the viewer.
        """
        check_page_path(path)
        self._wait_for_positions()
        panel = Panel.of(cast("GraphWidget", self), caption=caption, replay=replay)
        write_page(path, [panel], title=title or "", about=self.provenance)

    def to_png(self, path: str | PathLike[str] | None = None, scale: float = 3) -> bytes | None:
        """Draw the graph as it is shown, with its legend, as pixels on white; hidden nodes are left out.

        Parameters
        ----------
        path : path-like, optional
            Where to write; without it the picture is returned.
        scale : float, default 3
            Pixels for each that a picture of about 700 by 700 would have.

        Returns
        -------
        bytes or None
            The PNG, without a path. Its text "graphne_viz" is `provenance` as JSON.
        """
        positive("scale", scale, most=_MOST_SCALE)
        return self._draw(path, "png", _INCH * float(scale))

    def to_svg(self, path: str | PathLike[str] | None = None) -> str | None:
        """Draw the graph as it is shown, with its legend, as shapes on white; hidden nodes are left out.

        Parameters
        ----------
        path : path-like, optional
            Where to write; without it the picture is returned.

        Returns
        -------
        str or None
            The SVG, without a path. Names are text in it, and more than 50,000 edges, or nodes, pixels. Its
            description is `provenance` as JSON.
        """
        drawn = self._draw(path, "svg", _VECTOR_DPI)
        return None if drawn is None else drawn.decode()

    def to_gexf(self, path: str | PathLike[str]) -> None:
        """Write a file that opens in Gephi as it is shown: positions, colours, sizes and all attributes.

        Parameters
        ----------
        path : path-like
            Ends in .gexf, or .gexf.gz.

        Notes
        -----
        The file is GEXF 1.2 and has all nodes, the hidden ones too. Edges are those of a networkx or igraph graph, or
        of the file that was read, with direction and attributes. `provenance` is its description, as JSON;
        ``graphne layout --like`` reads it. Unless the view was given a `scale`, positions reach to 1,000, which suits
        Gephi.
        """
        if not str(path).lower().endswith((".gexf", ".gexf.gz")):
            raise ValueError(f"path must end in .gexf or .gexf.gz, got {str(path)!r}")
        shown, about = self._shown_now()
        places = shown.positions
        if not self.run.given and "scale" not in about["parameters"]:
            places = GEXF_SCALE * places
        area, unit = suitable_area(places)
        write_layout(
            path,
            _labelled(self.graph),
            places,
            colors=shown.colors().rgba,
            sizes=diameters(shown.areas(area), unit),
            metadata=about,
            links=links_of(self._source, self.graph, weight=self._weight),
        )

    def to_gif(self, path: str | PathLike[str], *, seconds: float = 5, width: int = 640) -> None:
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
        self._film(write_gif, path, ".gif", seconds=seconds, width=width)

    def to_mp4(self, path: str | PathLike[str], *, seconds: float = 5, width: int = 960) -> None:
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
        self._film(write_mp4, path, ".mp4", seconds=seconds, width=width)

    def to_networkx(self) -> Foreign:
        """Return a networkx graph with the positions as "x" and "y" and the colours as "color" of each node.

        Returns
        -------
        networkx graph
            A copy of what was shown if that is one, with all attributes; an own "color" is left as it is. Its
            attribute "graphne_viz" is `provenance` as JSON.
        """
        return as_networkx(*self._as_graph())

    def to_igraph(self) -> Foreign:
        """Return an igraph graph with positions as "x" and "y" and colours as "color", all of which ``ig.plot`` reads.

        Returns
        -------
        igraph.Graph
            A copy of what was shown if that is one, with all attributes; an own "color" is left as it is. Its
            attribute "graphne_viz" is `provenance` as JSON.
        """
        return as_igraph(*self._as_graph())

    def taken(self, ending: str) -> bytes:
        """Return the file that `to_svg`, `to_html` or `to_gexf` would write.

        Parameters
        ----------
        ending : {"svg", "html", "gexf"}
        """
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"graph.{ending}"
            getattr(self, f"to_{ending}")(path)
            return path.read_bytes()

    def _film(self, write: Callable[..., None], path: str | PathLike[str], ending: str, **keywords: float) -> None:
        if Path(path).suffix.lower() != ending:
            raise ValueError(f"path must end in {ending}, got {str(path)!r}")
        shown, about = self._shown_now()
        write(path, shown, self.run.shots(), about, **keywords)

    def _as_graph(self) -> tuple[Foreign, Graph, Any, dict[str, NDArray[np.generic]], tuple[str, object]]:
        shown, about = self._shown_now()
        columns: dict[str, NDArray[np.generic]] = dict(zip("xy", shown.positions.T, strict=True))
        if "color" not in self.graph.attributes:
            rgb = np.rint(255 * shown.colors().rgba[:, :3]).astype(np.uint8)
            columns["color"] = np.array([f"#{bytes(row).hex()}" for row in rgb.tolist()], dtype=object)
        links = links_of(self._source, self.graph, weight=self._weight)
        return self._source, self.graph, links, columns, (NAME, about)

    def _shown_now(self) -> tuple[Shown, dict[str, Any]]:
        """Return what is shown and what made it."""
        run = self.run
        self._wait_for_positions()
        while True:
            latest, positions, about = run.latest, cast("NDArray[np.float64]", run.layout()), self.provenance
            if run.latest is latest:  # otherwise the run went on meanwhile, and the two need not belong together
                break
        shown = Shown(
            self.graph,
            positions,
            color=self._choices.column("color", self.color),
            size=self._choices.column("size", self.size),
            label=self._choices.column("label", self.label),
            edges=bool(self.edges),
            visible=self._visible(),
        )
        return shown, about

    def _wait_for_positions(self) -> None:
        """Wait for the first positions of a run that has just begun; afterwards there always are some."""
        self.run.wait_for_positions(_WAIT_FOR_POSITIONS)
        if self.run.latest is None:
            raise RuntimeError(f"there are no positions yet: the run is {self.run.state}; w.run.play() begins it")

    def _visible(self) -> NDArray[np.bool_]:
        """Tell which nodes the browser does not hide, as the legend and filters say."""
        n = self.graph.n_nodes
        if not self._hidden:
            return np.ones(n, dtype=bool)
        hidden = np.unpackbits(np.frombuffer(self._hidden, dtype=np.uint8), count=n, bitorder="little")
        return np.logical_not(hidden)

    def _draw(self, path: str | PathLike[str] | None, file_format: str, dpi: float) -> bytes | None:
        if path is not None and Path(path).suffix.lower() != f".{file_format}":
            raise ValueError(f"path must end in .{file_format}, got {str(path)!r}")
        shown, about = self._shown_now()
        figure = figure_of(shown)
        if path is None:
            written = io.BytesIO()
            save_figure(figure, written, file_format=file_format, dpi=dpi, about=about)
            return written.getvalue()
        with replace_when_complete(path) as unfinished:
            save_figure(figure, unfinished, file_format=file_format, dpi=dpi, about=about)
        return None


def _labelled(graph: Graph) -> Graph:
    """Give igraph's nodes, which are numbers, their names as labels."""
    names = called(graph)
    if names is graph.ids or "label" in graph.attributes:
        return graph
    return replace(
        graph, attributes={**graph.attributes, "label": np.array([str(name) for name in names], dtype=object)}
    )
