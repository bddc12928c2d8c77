"""`compare`: several methods on one graph, side by side in a notebook, a page, a figure or a table."""

from __future__ import annotations

import base64
import io
import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graphne_viz._atomic import replace_text_when_complete, replace_when_complete
from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.compare import Comparison, run_comparison
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.plotting.comparison import check_results, draw_comparison
from graphne_viz.plotting.figures import steady_svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    import ipywidgets
    import matplotlib.pyplot as plt
    from matplotlib import figure as mpl_figure
    from matplotlib.figure import Figure

    from graphne_viz._types import Foreign
    from graphne_viz.viewer.export import comparison_page, html_page
    from graphne_viz.viewer.linked import Linked
else:
    plt = lazy_import("matplotlib.pyplot")
    comparison_page = lazy_import("graphne_viz.viewer.export.comparison_page")
    html_page = lazy_import("graphne_viz.viewer.export.html_page")
    ipywidgets = lazy_import("ipywidgets")
    mpl_figure = lazy_import("matplotlib.figure")

log = logging.getLogger(__name__)

PICTURES = (".png", ".svg", ".pdf")
ENDINGS = (".html", *PICTURES, ".csv")
"""What `ComparisonView.save` writes."""

_SHOWN_DPI = 90  # beside the views, where the notebook is read without them


def compare(
    G: Foreign,
    methods: Iterable[str] | str | None = None,
    classes: Foreign = None,
    *,
    dim: int = 2,
    seed: int = 0,
    sample: int | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    weight: str | None = DEFAULT_WEIGHT,
    progress: bool = True,
) -> ComparisonView:
    """Lay out a graph by several methods, measure each, and see them side by side.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` accepts, with n nodes and at least one edge.
    methods : iterable of str, optional
        In 2D ``"graphne"``, ``"sgtsnepi"``, ``"forceatlas2"``, ``"tfdp"``, ``"drgraph"``, ``"laplacian"``, ``"umap"``,
        ``"spring"`` and ``"drl"``, of which the first six, those of the paper, are the default. With `dim` above 2
        ``"graphne"``, ``"graphne-tau"``, ``"cne"``, ``"deepwalk"``, ``"node2vec"`` and ``"laplacian"``, by default all.
    classes : array of shape (n,), dict of node to class, or str, optional
        Class of each node, or the name of a node attribute: for the accuracies and the colours.
    dim : int, default 2
        Dimensions of the points that are measured. If there are more than two, the pictures are their projections.
    seed : int, default 0
        For the methods and for what is measured on a random sample.
    sample : int, optional
        Most nodes, or edges, to measure on; by default all.
    options : dict of str to dict, optional
        A method's own options: ``{"graphne": {"exaggeration": 4}}``.
    weight : str or None, default "weight"
        Edge attribute with the weights.
    progress : bool, default True
        Whether a bar tells which method is being run.

    Returns
    -------
    ComparisonView
        Shows linked views in a notebook; ``plot()`` draws them, ``to_frame()`` is the table, ``save(path)`` writes
        either, and ``comparison["graphne"]`` has what one method made, its ``positions`` and its ``scores``.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, before anything is started. If a method fails, the others still run; why is
        in ``failures``.
    KeyboardInterrupt
        If Ctrl-C comes before a method is done; after that, what is done is returned.

    Notes
    -----
    The 15-NN accuracy is `knn_accuracy`: a tenth of the nodes is held out and the others vote, unlike in `w.classes()`,
    where every node is asked while all others vote.

    Pictures are turned, mirrored and scaled to lie as the first does. A method that is quick is run twice the first
    time, so that loading its libraries and compiling are not in its time.

    Examples
    --------
    >>> import networkx as nx
    >>> comparison = compare(nx.karate_club_graph(), ["graphne", "laplacian"], "club", progress=False)
    >>> comparison["graphne"].scores.neighbor_recall > comparison["laplacian"].scores.neighbor_recall
    True
    """
    found = run_comparison(
        G, methods, classes, dim=dim, seed=seed, sample=sample, options=options, weight=weight, progress=progress
    )
    return ComparisonView(**vars(found))


class ComparisonView(Comparison):
    """Several methods on one graph, side by side. `graphne_viz.compare` makes one."""

    def plot(self, *, columns: int | None = None, edges: bool | Literal["auto"] = "auto") -> Figure:
        """Draw the methods side by side with matplotlib, with the figures of each below it.

        Parameters
        ----------
        columns : int, optional
            Pictures in a row; by default at most three, from ten methods on four.
        edges : bool or "auto", default "auto"
            As in `plot`.

        Returns
        -------
        matplotlib.figure.Figure
        """
        _check_looks(columns, edges)
        check_results(self)

        figure = plt.figure()
        draw_comparison(figure, self, columns=columns, edges=edges)
        return figure

    def save(self, path: str | PathLike[str], *, edges: bool | Literal["auto"] = "auto", dpi: int = 150) -> None:
        """Write the page, the picture or the table to a file, which is replaced only when the new one is complete.

        Parameters
        ----------
        path : path
            The ending decides: .html is what `to_html` writes, .png, .svg and .pdf are the picture, .csv is the table.
        edges : bool or "auto", default "auto"
            As in `plot`, for the picture.
        dpi : int, default 150
            Pixels an inch, for the picture.
        """
        _check_looks(None, edges)
        ending = Path(path).suffix.lower()
        if ending not in ENDINGS:
            raise ValueError(f"{path} does not end in one of {', '.join(ENDINGS)}")
        if ending == ".html":
            self.to_html(path)
            return
        if ending == ".csv":
            with replace_text_when_complete(path) as stream:
                self.write_csv(stream)
            return
        check_results(self)
        drawn = self._drawn(ending[1:], edges, dpi)
        with replace_when_complete(path) as unfinished:
            unfinished.write_bytes(drawn)

    def to_html(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        theme: Literal["auto", "light", "dark"] = "auto",
    ) -> None:
        """Write one HTML file for any browser, without kernel and network: linked views, the table, and what failed.

        Parameters
        ----------
        path : path
            Ends in .html.
        title : str, optional
            By default the size of the graph.
        theme : {"auto", "light", "dark"}, default "auto"
            By default that of the browser.

        Raises
        ------
        ValueError
            If no method has a result.
        """
        html_page.check_page_path(path)
        text = comparison_page.comparison_page(self, title=title, theme=theme)
        with replace_when_complete(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8")

    @cached_property
    def views(self) -> Linked:
        """Linked views of all results, for a notebook; needs anywidget.

        Raises
        ------
        ImportError
            If anywidget is not installed.
        ValueError
            If no method has a result.
        """
        return comparison_page.widgets(self)

    def close(self) -> None:
        """Take the views away, which a notebook keeps until then. Twice is fine."""
        for name in ("_box", "views"):
            made = vars(self).pop(name, None)
            if made is not None:
                made.close()

    @cached_property
    def _box(self) -> Any:  # noqa: ANN401 -- of ipywidgets, which publishes no types

        return ipywidgets.VBox(
            [
                self.views.box,
                ipywidgets.HTML(f'<div style="overflow-x:auto">{comparison_page.table(self).as_html()}</div>'),
            ]
        )

    def _repr_mimebundle_(self, **keywords: Any) -> Any:  # noqa: ANN401 -- as ipywidgets has it
        """Show linked views and the table; without anywidget, the picture."""
        data: dict[str, object] = {"text/plain": repr(self)}
        if not self.results:
            return data
        try:
            shown = self._box._repr_mimebundle_(**keywords)
            data = {**(shown[0] if isinstance(shown, tuple) else shown or {}), **data}
        except ImportError:
            log.info("a static picture is shown, because anywidget is not installed: pip install 'graphne-viz[viewer]'")
        return data | {"image/png": base64.b64encode(self._drawn("png", "auto", _SHOWN_DPI)).decode()}

    def _drawn(self, file_format: str, edges: bool | Literal["auto"], dpi: int) -> bytes:  # noqa: FBT001 -- as the caller gave it
        """Draw without a trace in pyplot; the same comparison gives the same bytes."""
        written = io.BytesIO()
        figure = mpl_figure.Figure()
        draw_comparison(figure, self, edges=edges)
        with steady_svg():
            dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(file_format)
            figure.savefig(written, format=file_format, dpi=dpi, metadata=dateless)
        return written.getvalue()


def _check_looks(columns: object, edges: object) -> None:
    """Refuse invalid arguments of a drawing."""
    if columns is not None:
        check_integer("columns", columns, least=1)
    if edges not in {True, False, "auto"}:
        raise ValueError(f'edges={edges!r} is not one of True, False, "auto"')
