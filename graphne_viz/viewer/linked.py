"""Several views side by side that look at the same things."""

from __future__ import annotations

import base64
import html
import io
import secrets
import sys
import weakref
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.labels.text import clean_text
from graphne_viz.evaluation.alignment import best_rotation
from graphne_viz.viewer.export.exports import static_preview, wait_for_positions
from graphne_viz.viewer.export.html_page import check_page_path, write_page
from graphne_viz.viewer.export.panel import Panel
from graphne_viz.viewer.run.state_machine import ACTIVE

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    import ipywidgets
    import marimo
    from PIL import Image

    from graphne_viz.viewer.session.session import ViewSession
    from graphne_viz.viewer.widget import GraphWidget
else:
    ipywidgets = lazy_import("ipywidgets")
    marimo = lazy_import("marimo")
    Image = lazy_import("PIL.Image")

_MOST_COLUMNS = 3
_SHARED = ("selection", "filters", "hidden", "legend", "tool", "lens")
_NARROWEST = 320
_LONGEST = 2_000


def linked(
    widgets: Iterable[GraphWidget],
    *,
    titles: Sequence[str] | None = None,
    captions: Sequence[str] | None = None,
    columns: int | None = None,
    aligned: bool = True,
) -> Linked:
    """Show several views side by side, linked: what is hovered, selected, coloured or hidden in one is so in all.

    Selection, filters, hidden nodes, legend, tool and lens that are set in Python are shared at once, in Python, too;
    what is set in a browser, the browser shares. Every view keeps its own camera, because layouts differ.

    Parameters
    ----------
    widgets : iterable of GraphWidget
        From `view`. Of different graphs, nodes with the same name belong together.
    titles, captions : sequence of str, optional
        One for each view: plain text above and below it.
    columns : int, optional
        Views side by side; up to three unless given.
    aligned : bool, default True
        Whether the others are turned, and mirrored, so that they lie as the first does. What `pos` returns is not.

    Returns
    -------
    Linked
        Shows itself in a notebook; `to_html` writes all of it to one file.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphne_viz import view
    >>> G = nx.karate_club_graph()
    >>> views = [view(G, color="club", live=False), view(G, nx.circular_layout(G), color="club")]
    >>> linked(views, titles=["graph t-SNE", "circle"])
    Linked(2 views)
    """
    listed = list(widgets)
    widget = getattr(sys.modules.get("graphne_viz.viewer.widget"), "GraphWidget", ())
    for one in listed:
        if not isinstance(one, widget):
            raise TypeError(f"widgets must come from view(), got {type(one).__name__}")
    if not listed:
        raise ValueError("widgets must contain at least one view")
    if len({id(one) for one in listed}) < len(listed):
        raise ValueError("widgets must be distinct; the same one was given twice")
    if columns is not None:
        check_integer("columns", columns, least=1)
    texts = {"titles": titles, "captions": captions}
    for name, given in texts.items():
        if given is not None and (isinstance(given, str) or len(given) != len(listed)):
            raise ValueError(f"{name} must be {len(listed)} strings, one for each view, got {given!r}")
    return Linked(listed, titles or [""] * len(listed), captions or [""] * len(listed), columns, aligned=aligned)


class Linked:
    """Views that are linked. `linked` makes one.

    Attributes
    ----------
    widgets : list of GraphWidget
    """

    def __init__(
        self,
        widgets: list[GraphWidget],
        titles: Sequence[str],
        captions: Sequence[str],
        columns: int | None,
        *,
        aligned: bool,
    ) -> None:
        self.widgets = widgets
        self._titles = list(titles)
        self._captions = list(captions)
        self._columns = columns or min(len(widgets), _MOST_COLUMNS)
        group = secrets.token_hex(8)
        for widget in widgets:
            widget.session.set(_group=group)
        me = weakref.ref(self)
        self._sharing = False
        for widget in widgets:
            widget.session.follow(partial(_share, me))
        if aligned:
            self.align()
            for widget in widgets:
                widget.observe(lambda _change: _realign(me), "_status")

    def __repr__(self) -> str:
        return f"Linked({len(self.widgets)} views)"

    def align(self) -> None:
        """Turn the views so that they lie as the first does; done by itself whenever a run ends."""
        first, *others = self.widgets
        reference = first.run.layout()
        if reference is None:
            return
        place = {node: i for i, node in enumerate(first.graph.ids)}
        for widget in others:
            positions = widget.run.layout()
            shared = [(i, place[node]) for i, node in enumerate(widget.graph.ids) if node in place]
            if positions is None or len(shared) < 2:
                continue
            mine, theirs = np.array(shared).T
            matrix = best_rotation(positions, reference[theirs], rows=mine)
            widget.session.set(_rotation=matrix.T.reshape(-1).tolist())

    def share(self, session: ViewSession, name: str, value: Any) -> None:  # noqa: ANN401 -- as the field is
        """Give the other views what one was given, as far as they have such columns, classes and nodes."""
        if self._sharing or name not in _SHARED:
            return
        self._sharing = True
        try:
            for other in (widget.session for widget in self.widgets):
                if other is not session:
                    other.set(**{name: _suited(name, value, session, other)})
        finally:
            self._sharing = False

    def to_html(self, path: str | os.PathLike[str], *, title: str | None = None, replay: bool = True) -> None:
        """Write one HTML file with all views, linked as here, for any browser: no kernel, no network.

        Parameters
        ----------
        path : path-like
            Ends in .html.
        title : str, optional
            Stands above all of them.
        replay : bool, default True
            Whether the file tells how the layouts formed, too.
        """
        check_page_path(path)
        for widget in self.widgets:
            wait_for_positions(widget.session)
        words = zip(self.widgets, self._titles, self._captions, strict=True)
        panels = [Panel.of(w.session, title=above, caption=below, replay=replay) for w, above, below in words]
        about = {"views": [w.provenance for w in self.widgets]}
        write_page(path, panels, title=title or "", columns=self._columns, about=about)

    def close(self) -> None:
        """Close all views. Twice is fine."""
        for widget in self.widgets:
            widget.close()
        if "box" in vars(self):
            for cell in self.box.children:
                cell.close()
            self.box.close()

    @cached_property
    def box(self) -> Any:  # noqa: ANN401 - of ipywidgets, which publishes no types
        """All of it as one widget of ipywidgets."""

        def told(text: str, look: str) -> list[Any]:
            written = html.escape(clean_text(text, _LONGEST))
            return [ipywidgets.HTML(f'<div style="{look}">{written}</div>')] if text else []

        cells = [
            ipywidgets.VBox(
                [*told(above, "font-weight:600"), widget, *told(below, "line-height:1.4")],
                layout=ipywidgets.Layout(min_width="0"),
            )
            for widget, above, below in zip(self.widgets, self._titles, self._captions, strict=True)
        ]
        # As many beside each other as were asked for, and fewer where a cell is too narrow for them.
        share = f"(100% - {12 * (self._columns - 1)}px) / {self._columns}"
        places = f"repeat(auto-fit, minmax(max(min(100%, {_NARROWEST}px), {share}), 1fr))"
        return ipywidgets.GridBox(
            cells, layout=ipywidgets.Layout(grid_template_columns=places, grid_gap="12px", width="100%")
        )

    def _repr_mimebundle_(self, **keywords: Any) -> Any:  # noqa: ANN401 - as ipywidgets has it
        """Show the views, and where there is no browser to run them, a picture."""
        bundle = self.box._repr_mimebundle_(**keywords)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is None:
            return bundle
        for widget in self.widgets:
            widget.session.stream.displayed()
        data["image/png"] = base64.b64encode(self._picture()).decode()
        return bundle

    def _display_(self) -> Any:  # noqa: ANN401 - marimo's own
        """Show the views in marimo, which asks for this, and knows no boxes of ipywidgets."""
        cells = [
            marimo.vstack(
                [*([marimo.plain_text(above)] if above else []), widget, *([marimo.plain_text(below)] if below else [])]
            )
            for widget, above, below in zip(self.widgets, self._titles, self._captions, strict=True)
        ]
        # The last row is as wide as the others, so that all views are of one size.
        cells += [marimo.vstack([])] * (-len(cells) % self._columns)
        rows = [cells[k : k + self._columns] for k in range(0, len(cells), self._columns)]
        return marimo.vstack([marimo.hstack(row, widths="equal", gap=0.75) for row in rows])

    def _picture(self) -> bytes:
        """Draw all views as one PNG."""
        pictures = [Image.open(io.BytesIO(static_preview(w.session))).convert("RGB") for w in self.widgets]
        width, height = max(p.width for p in pictures), max(p.height for p in pictures)
        rows = -(-len(pictures) // self._columns)
        whole_picture = Image.new("RGB", (width * min(self._columns, len(pictures)), height * rows), "white")
        for k, picture in enumerate(pictures):
            row, column = divmod(k, self._columns)
            whole_picture.paste(picture, (column * width, row * height))
        written = io.BytesIO()
        whole_picture.quantize(240).save(written, format="PNG", optimize=True)
        return written.getvalue()


def _share(ref: weakref.ref[Linked], session: ViewSession, name: str, value: Any) -> None:  # noqa: ANN401 -- as the field is
    """Give the other views what one was given in Python; they are known weakly."""
    views = ref()
    if views is not None:
        views.share(session, name, value)


def _suited(name: str, value: Any, session: ViewSession, other: ViewSession) -> Any:  # noqa: ANN401 -- as the field is
    """Return what of one view's field another view can have: of nodes and columns, those that it has, too."""
    if name == "selection":
        there = set(other.graph.ids)
        return [node for node in value if node in there]
    if name == "hidden":
        common = set(session.graph.ids) & set(other.graph.ids)
        own = [node for node in other["hidden"] if node not in common]
        return [*(node for node in value if node in common), *own]
    if name == "legend":
        return _suited_legend(value, session, other)
    if name == "filters":
        return {column: wanted for column, wanted in value.items() if _is_valid(other, "filters", {column: wanted})}
    return value


def _suited_legend(value: Mapping[str, Any], session: ViewSession, other: ViewSession) -> Any:  # noqa: ANN401 -- the same
    """Return what of one view's legend another has, which keeps its own where its colours are of another column."""
    if session.columns.key("color", session["color"]) != other.columns.key("color", other["color"]):
        return other["legend"]
    return {
        which: [label for label in labels if _is_valid(other, "legend", {which: [label]})]
        for which, labels in value.items()
    }


def _is_valid(session: ViewSession, name: str, value: object) -> bool:
    try:
        session.check(name, value)
    except (TypeError, ValueError):  # another graph need not have it
        return False
    return True


def _realign(ref: weakref.ref[Linked]) -> None:
    """Align views of which one has come to rest; a run knows them weakly."""
    views = ref()
    if views is not None and not any(widget.run.state in ACTIVE for widget in views.widgets):
        views.align()
