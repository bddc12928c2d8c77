"""One HTML file with the viewer in it, for a browser without a kernel and without a network.

What a graph brings along is data, never markup: it is compressed and written in base64, which has no ``<``. What people
wrote, titles and captions, is escaped. The page's policy forbids every script but the viewer, and all traffic.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._atomic import replace_when_complete
from graphne_viz._checks import check_integer
from graphne_viz.encoding.labels.text import clean_text
from graphne_viz.graphs.io.metadata import PAGE_DATA
from graphne_viz.viewer.run.recording import compressed, pack_recording
from graphne_viz.viewer.transport.bundle import read_bundle

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from graphne_viz.viewer.export.html_table import Table
    from graphne_viz.viewer.export.panel import Panel

ROOM = 1_450_000
"""Bytes, before base64, that the data of a page should need, for graphs of up to `_ROOMY` nodes: less than 2 MB."""

_ROOMY = 20_000
_RECORDING_SHARE = (0.2, 0.7)
"""Share of the room that replays have, at least and at most."""

_LONGEST = 2_000
_MOST_COLUMNS = 3


def check_page_path(path: str | os.PathLike[str]) -> None:
    """Refuse a path that is not a page's: a graph's file, say, which would be replaced."""
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
        raise ValueError("panels must contain at least one panel")
    if columns is not None:
        check_integer("columns", columns, least=1)
    script, style = (read_bundle(name).strip() for name in ("page.js", "page.css"))
    blocks = _Blocks()
    described = [_describe(panel, blocks) for panel in panels]
    room = _room(panels, blocks)
    for panel, description in zip(panels, described, strict=True):
        recording = pack_recording(panel.shots, room // len(panels))
        description["recording"] = blocks.add(recording)
    fixed = {panel.theme for panel in panels}
    data = {"panels": described, "about": dict(about or {})}
    return _TEMPLATE.format(
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src blob:; "
        "worker-src blob:; base-uri 'none'; form-action 'none'",
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
{heading}<noscript><p>This page draws its graph with JavaScript, which is disabled here.</p></noscript>
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
        **panel.looks,
        "theme": panel.theme,
        "height": panel.height,
        "rotation": list(panel.rotation),
        "view": dict(panel.view),
        "hidden": blocks.add(panel.hidden),
        "pinned": blocks.add(panel.pinned),
        "status": dict(panel.status),
    }


def _room(panels: Sequence[Panel], blocks: _Blocks) -> int:
    """Return the bytes that the replays of all panels may have."""
    most = max(len(panel.shots[-1].places) for panel in panels)
    room = ROOM * max(1.0, most / _ROOMY)
    exact = sum(panel.shots[-1].places.nbytes for panel in panels)
    least, largest = (share * room for share in _RECORDING_SHARE)
    return int(min(max(room - blocks.size(), least), largest)) + exact


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
