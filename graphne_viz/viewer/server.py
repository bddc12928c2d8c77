"""The server of ``graphne view``: shows a session in a browser without a notebook, to this machine only."""

from __future__ import annotations

import html
import logging
from typing import TYPE_CHECKING, Any

from graphne_viz.viewer.export import exports
from graphne_viz.viewer.session.fields import BROWSER_FIELDS
from graphne_viz.viewer.session.messages import truncate
from graphne_viz.viewer.session.view_state.numbering import NODE_FIELDS
from graphne_viz.viewer.transport.bundle import read_bundle
from graphne_viz.viewer.transport.page_channel import PageChannel, pack
from graphne_viz.viewer.transport.token_server import TokenServer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graphne_viz.viewer.session.session import ViewSession

log = logging.getLogger(__name__)

LONGEST_MESSAGE = 1_000_000
"""Bytes of a message, beside the four that a node of a selection takes and the sixteen of one that was moved."""

_FILES = {
    "serve.js": "text/javascript",
    "serve.css": "text/css",
    "widget.js": "text/javascript",
    "widget.css": "text/css",
}
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="widget.css">
<link rel="stylesheet" href="serve.css">
</head>
<body class="graphne-page">
<div id="graphne-view"></div>
<script type="module" src="serve.js"></script>
</body>
</html>
"""


class ViewServer:
    """Serves one session on this machine, from the moment it is made.

    Parameters
    ----------
    session : ViewSession
    title : str
        Of the page; plain text.
    port : int, default 0
        0 takes any that is free.

    Raises
    ------
    OSError
        If the port is taken.
    """

    def __init__(self, session: ViewSession, *, title: str, port: int = 0) -> None:
        self.session = session
        files = {name: (kind, read_bundle(name).encode()) for name, kind in _FILES.items()}
        files[""] = ("text/html", _PAGE.format(title=html.escape(title)).encode("utf-8", "replace"))
        self.channel = PageChannel(self._receive)
        longest = LONGEST_MESSAGE + 20 * session.graph.n_nodes
        self.http = TokenServer(files, self.channel, opening=self._opening, longest=longest, port=port)
        session.subscribe(self, exports.EXPORTERS)

    @property
    def url(self) -> str:
        """An address that leads to the view, with the token; the one that a browser remembers is another one."""
        return f"http://{self.http.hosts[0]}/{self.http.token}/"

    @property
    def url_once(self) -> str:
        """An address that leads there once: what a browser is started with can be read by others on this machine."""
        return f"http://{self.http.hosts[0]}/open/{self.http.ticket}"

    def close(self) -> None:
        """End all connections, the server and the run. Twice is fine."""
        self.http.close()
        self.session.close()

    # ---- From the session: see `Host` ----

    def publish(self, changes: Mapping[str, Any]) -> None:
        """Send changed fields to all pages."""
        wire = {name: self.session.fields.to_wire(name, value) for name, value in changes.items()}
        self.channel.send(*_update(wire))

    def announce(self, changes: Mapping[str, Any]) -> None:
        """Nobody observes a server."""

    def send(self, content: Mapping[str, Any], buffers: Sequence[bytes]) -> None:
        """Send a message to all pages."""
        self.channel.send({"method": "custom", "content": content}, buffers)

    # ---- From the pages ----

    def _opening(self) -> bytes:
        return pack(*_update(self.session.state()))

    def _receive(self, data: dict[str, Any], buffers: list[bytes], page: str) -> None:
        """Take a message of a page; the others are told what it has changed."""
        if data["method"] == "custom":
            self.session.handle(data.get("content"))
            return
        paths = [path[0] for path in data.get("buffer_paths", [])]
        state: dict[str, Any] = data["state"] | dict(zip(paths, buffers, strict=True))
        try:
            self.session.receive(state, self)
        except (TypeError, ValueError) as error:
            log.warning("invalid value from the viewer: %s", truncate(error))
            self.channel.send(*_update({k: v for k, v in self.session.state().items() if k in state}))
            return
        fields, own = self.session.fields, {name: state[name] for name in state if name in BROWSER_FIELDS}
        # The page, too, is told what became of nodes that it knows by the numbers of the graph before.
        nodes = {name: value for name, value in own.items() if name in NODE_FIELDS}
        current = all(fields.numbering.is_current(value) for value in nodes.values())
        own |= {name: fields.to_wire(name, fields.values[name]) for name in nodes}
        self.channel.send(*_update(own), but=page if current else None)


def _update(state: Mapping[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Return fields as a message: what is JSON, and the others as buffers."""
    binary = [name for name, value in state.items() if isinstance(value, bytes)]
    plain = {name: value for name, value in state.items() if name not in binary}
    data = {"method": "update", "state": plain, "buffer_paths": [[name] for name in binary]}
    return data, [state[name] for name in binary]
