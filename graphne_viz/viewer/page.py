"""One HTML file with the viewer in it, for a browser without a kernel and without a network.

What a graph brings along is data, never markup: it is compressed and written in base64, which has no ``<``. What people
wrote, titles and captions, is escaped. The page's policy forbids every script but the viewer, and all traffic.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.evaluation.alignment import align
from graphne_viz.graphs.files import replace_when_complete
from graphne_viz.graphs.metadata import PAGE_DATA
from graphne_viz.layout.options import whole
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.choices import Choices
from graphne_viz.viewer.film import Shot, compressed, pack_film
from graphne_viz.viewer.record import DONE, centred
from graphne_viz.viewer.view import LEAST_HEIGHT, THEMES
from graphne_viz.viewer.wire import clean_text

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.choices import Choice, Role
    from graphne_viz.viewer.table import Table
    from graphne_viz.viewer.widget import GraphWidget

ROOM = 1_450_000
"""Bytes, before base64, that the data of a page should need, for graphs of up to `_ROOMY` nodes: less than 2 MB."""

_ROOMY = 20_000
_FILM_SHARE = (0.2, 0.7)
"""Share of the room that replays have, at least and at most."""

_STATIC = Path(__file__).with_name("static")
_LONGEST = 2_000
_MOST_COLUMNS = 3


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture of a page: what the traits of a widget hold. `Panel.of` and `Panel.draw` make them.

    Attributes
    ----------
    graph, extra : bytes
        The graph, and the columns made of the caller's own data, as `Choices` encodes them.
    shots : sequence of Shot
        The way to the layout, which is the last of them.
    title, caption : str
        Plain text above and below the picture.
    color, size, label : str
        Keys of columns, "" for none.
    edges : bool
    theme : {"auto", "light", "dark"}
    height : int or None
        In pixels; None for what suits the window.
    status : mapping
        As from ``run.status()``.
    selection : sequence of int
        Numbers of nodes.
    turn : sequence of float
        How the picture is turned, as the widget's trait has it; empty for not at all.
    """

    graph: bytes
    shots: Sequence[Shot]
    extra: bytes = b""
    title: str = ""
    caption: str = ""
    color: str = ""
    size: str = ""
    label: str = ""
    edges: bool = True
    theme: str = "auto"
    height: int | None = None
    status: Mapping[str, Any] = field(default_factory=dict)
    selection: Sequence[int] = ()
    turn: Sequence[float] = ()

    @classmethod
    def of(cls, widget: GraphWidget, *, title: str = "", caption: str = "", replay: bool = True) -> Panel:
        """Take over what a widget shows now.

        Raises
        ------
        ValueError
            If it shows nothing yet.
        """
        state = widget.get_state()
        shots = widget.run.shots() if replay else widget.run.shots()[-1:]
        if not shots:
            raise ValueError("there is no layout yet, so there is nothing to write; wait for it with w.run.wait()")
        return cls(
            graph=bytes(state["_graph"]),
            shots=shots,
            extra=bytes(state["_extra"]),
            title=title,
            caption=caption,
            color=state["color"],
            size=state["size"],
            label=state["label"],
            edges=state["edges"],
            theme=state["theme"],
            status=state["_status"],
            selection=np.frombuffer(state["_selected"], dtype="<u4").tolist(),
            turn=state["_turn"],
        )

    @classmethod
    def draw(
        cls,
        graph: Graph,
        positions: NDArray[np.float64],
        *,
        color: Choice = None,
        size: Choice = None,
        label: Choice = None,
        edges: bool = True,
        theme: str = "auto",
        height: int | None = None,
        title: str = "",
        caption: str = "",
        shots: Sequence[Shot] = (),
        choices: Choices | None = None,
    ) -> Panel:
        """Make a panel without a widget.

        Parameters
        ----------
        graph : Graph
        positions : ndarray, shape (n, 2)
        color, size, label, edges, theme, height
            As for `graphne_viz.view`.
        title, caption : str
        shots : sequence of Shot
            The way to the positions, for a replay.
        choices : Choices, optional
            Those of the graph, where several panels show it: they are worked out once.

        Raises
        ------
        ValueError, TypeError
            If something does not suit, in one sentence.
        """
        if positions.shape != (graph.n_nodes, 2) or not np.isfinite(positions).all():
            raise ValueError(f"positions must be finite numbers of shape ({graph.n_nodes}, 2), got {positions.shape}")
        if theme not in THEMES:
            raise ValueError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {theme!r}")
        if height is not None:
            whole("height", height, least=LEAST_HEIGHT)
        choices = Choices(graph) if choices is None else choices
        looks: dict[Role, Choice] = {"color": color, "size": size, "label": label}
        kept = {role: choices.take(role, choice)[0] for role, choice in looks.items()}
        iteration = shots[-1].iteration if shots else 0
        kl = shots[-1].kl if shots else math.nan
        # The end of a film has to lie, and to be as large, as the film has it.
        placed = align(positions, shots[-1].positions).astype(np.float32) if shots else centred(positions)
        last = Shot.of(Snapshot(iteration, DONE, kl, placed))
        before = [shot for shot in shots if shot.iteration < iteration]
        return cls(
            graph=choices.graph_bytes(),
            shots=[*before, last],
            extra=choices.extra_bytes(),
            title=title,
            caption=caption,
            color=choices.key("color", kept["color"]),
            size=choices.key("size", kept["size"]),
            label=choices.key("label", kept["label"]),
            edges=edges,
            theme=theme,
            height=height,
            status=_status_of([*before, last]),
        )


def check_page_path(path: str | os.PathLike[str]) -> None:
    """Refuse a path that is no page's: a graph's file, say, which would be replaced."""
    if Path(path).suffix.lower() not in {".html", ".htm"}:
        raise ValueError(f"path must end in .html, got {str(path)!r}")


def write_page(
    path: str | os.PathLike[str],
    panels: Sequence[Panel],
    *,
    title: str = "",
    columns: int | None = None,
    notes: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write what `page` returns to a file, wholly or not at all."""
    text = page(panels, title=title, columns=columns, notes=notes, about=about)
    with replace_when_complete(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def page(
    panels: Sequence[Panel],
    *,
    title: str = "",
    columns: int | None = None,
    table: Table | None = None,
    notes: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> str:
    """Write an HTML page of one or more panels, linked to each other.

    Parameters
    ----------
    panels : sequence of Panel
        A graph that several of them show is written once.
    title : str
    columns : int, optional
        Panels side by side, where the window has room for them; up to three unless given.
    table : Table, optional
        Stands below the panels.
    notes : sequence of str
        Sentences that stand below all that.
    about : mapping, optional
        How all this was made, ready for JSON: parameters, seed, versions.

    Returns
    -------
    str
        With all it needs: nothing is fetched, from anywhere.

    Raises
    ------
    ValueError
        If there is no panel.
    FileNotFoundError
        If the viewer has not been built.
    """
    if not panels:
        raise ValueError("panels must hold at least one panel")
    if columns is not None:
        whole("columns", columns, least=1)
    script, style = read_static("page.js"), read_static("page.css")
    blocks = _Blocks()
    described = [_describe(panel, blocks) for panel in panels]
    room = _room(panels, blocks)
    for panel, description in zip(panels, described, strict=True):
        film = pack_film(panel.shots, room // len(panels))
        description["film"] = blocks.add(film)
    fixed = {panel.theme for panel in panels}
    data = {"panels": described, "about": dict(about or {})}
    return _TEMPLATE.format(
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src 'unsafe-inline'; img-src blob:; "
        "base-uri 'none'; form-action 'none'",
        theme=f' data-theme="{fixed.pop()}"' if len(fixed) == 1 and "auto" not in fixed else "",
        title=_escaped(title) or "Graph",
        heading=f"<h1>{_escaped(title)}</h1>\n" if title else "",
        style=style,
        columns=columns or min(len(panels), _MOST_COLUMNS),
        figures="\n".join(_figure(k, panel) for k, panel in enumerate(panels)),
        table="" if table is None else f"<section>\n{table.as_html()}\n</section>\n",
        notes="".join(f"<p>{_escaped(note)}</p>\n" for note in notes),
        opening=PAGE_DATA,
        data=_as_json(data),
        blocks="\n".join(blocks.elements()),
        script=script,
    )


def read_static(name: str) -> str:
    """Read a file of the viewer's bundle."""
    path = _STATIC / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: the viewer has not been built, which `make` does in a checkout")
    return path.read_text(encoding="utf-8").strip()


_TEMPLATE = """<!doctype html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="graphne_viz">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="graphne-page">
{heading}<noscript><p>This page draws its graph with JavaScript, which is switched off here.</p></noscript>
<main class="graphne-grid" data-columns="{columns}">
{figures}
</main>
{table}<footer>
{notes}</footer>
{opening}{data}</script>
{blocks}
<script>{script}</script>
</body>
</html>
"""


class _Blocks:
    """Compressed data, each piece of it once."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}
        self._packed: list[bytes] = []

    def add(self, data: bytes) -> str:
        """Return the name of a piece of data, "" for nothing."""
        if not data:
            return ""
        key = hashlib.sha256(data).digest()
        if key not in self._names:
            self._names[key] = f"b{len(self._packed)}"
            self._packed.append(compressed(data))
        return self._names[key]

    def size(self) -> int:
        return sum(map(len, self._packed))

    def elements(self) -> list[str]:
        opening = '<script type="application/vnd.graphne+deflate" id="graphne-b{}">'
        written = (base64.b64encode(data).decode() for data in self._packed)
        return [f"{opening.format(k)}{text}</script>" for k, text in enumerate(written)]


def _describe(panel: Panel, blocks: _Blocks) -> dict[str, object]:
    return {
        "graph": blocks.add(panel.graph),
        "extra": blocks.add(panel.extra),
        "selection": blocks.add(np.array(panel.selection, dtype="<u4").tobytes()),
        "color": panel.color,
        "size": panel.size,
        "label": panel.label,
        "edges": panel.edges,
        "theme": panel.theme,
        "height": panel.height,
        "turn": list(panel.turn),
        "status": dict(panel.status),
    }


def _room(panels: Sequence[Panel], blocks: _Blocks) -> int:
    """Return the bytes that the replays of all panels may have."""
    most = max(len(panel.shots[-1].places) for panel in panels)
    room = ROOM * max(1.0, most / _ROOMY)
    exact = sum(panel.shots[-1].places.nbytes for panel in panels)
    least, largest = (share * room for share in _FILM_SHARE)
    return int(min(max(room - blocks.size(), least), largest)) + exact


def _status_of(shots: Sequence[Shot]) -> dict[str, object]:
    last = shots[-1]
    known = [[shot.iteration, shot.kl] for shot in shots if math.isfinite(shot.kl)]
    return {
        "state": "finished" if len(shots) > 1 else "idle",
        "iteration": last.iteration,
        "total": last.iteration,
        "kl": last.kl if math.isfinite(last.kl) else None,
        "history": known,
    }


def _figure(k: int, panel: Panel) -> str:
    title = f"<h2>{_escaped(panel.title)}</h2>" if panel.title else ""
    caption = f"<figcaption>{_escaped(panel.caption)}</figcaption>" if panel.caption else ""
    return f'<figure>{title}<div class="graphne-place" data-panel="{k}"></div>{caption}</figure>'


def _escaped(text: str) -> str:
    return html.escape(clean_text(text, _LONGEST))


def _as_json(value: object) -> str:
    """Write JSON that no HTML parser mistakes for markup."""
    written = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
