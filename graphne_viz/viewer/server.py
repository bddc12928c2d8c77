"""A view in a browser without a notebook: a small server that only this machine, and only who has the token, can ask.

Everything lies below a random token. A request without it, or one that another web page makes (by its Host, its Origin
or what the browser says of it), is refused, so that neither a guess nor a name that is made to point here gets through.
"""

from __future__ import annotations

import html
import logging
import re
import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphne_viz.viewer.channel import Channel, pack

if TYPE_CHECKING:
    from graphne_viz.viewer.widget import GraphWidget

log = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
LONGEST_MESSAGE = 1_000_000
"""Bytes of a message, beside the four that a node of a selection takes."""

_STATIC = Path(__file__).with_name("static")
_FILES = {
    "serve.js": "text/javascript",
    "serve.css": "text/css",
    "widget.js": "text/javascript",
    "widget.css": "text/css",
}
_NOT_SENT = ("_esm", "_css", "layout")
_HEARTBEAT = 15.0
_TIMEOUT = 60.0
_PAGE_NAME = re.compile(r"[0-9-]{1,80}")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
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
    """Serves one widget on this machine, from the moment it is made.

    Parameters
    ----------
    widget : GraphWidget
        Its `comm` is replaced.
    title : str
        Of the page; plain text.
    port : int, default 0
        0 takes any that is free.

    Attributes
    ----------
    url : str
        Where the view is, with the token.

    Raises
    ------
    OSError
        If the port is taken.
    """

    def __init__(self, widget: GraphWidget, *, title: str, port: int = 0) -> None:
        self.widget = widget
        self.token = secrets.token_urlsafe(32)
        self.ticket: str | None = secrets.token_urlsafe(32)
        self.lock = threading.Lock()
        self.files = {name: (kind, _read(name)) for name, kind in _FILES.items()}
        page = _PAGE.format(title=html.escape(title))
        self.files[""] = ("text/html", page.encode("utf-8", "replace"))
        self.longest = LONGEST_MESSAGE + 4 * widget.graph.n_nodes
        self._http = _Http((ADDRESS, port), _Handler)
        self._http.view = self
        self.channel = Channel()
        widget.comm = self.channel
        self._thread = threading.Thread(target=self._http.serve_forever, name="graphne-serve", daemon=True)
        self._thread.start()

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a request may call this server."""
        port = self._http.server_address[1]
        return f"{ADDRESS}:{port}", f"localhost:{port}"

    @property
    def url(self) -> str:
        """Where the view is, with the token."""
        return f"http://{self.hosts[0]}/{self.token}/"

    @property
    def url_once(self) -> str:
        """An address that leads there once: what a browser is started with can be read by others on this machine."""
        return f"http://{self.hosts[0]}/open/{self.ticket}"

    def state(self) -> bytes:
        """Return everything a page needs to begin, as a message."""
        state = {name: value for name, value in self.widget.get_state().items() if name not in _NOT_SENT}
        binary = [name for name, value in state.items() if isinstance(value, (bytes, bytearray, memoryview))]
        buffers = [state.pop(name) for name in binary]
        return pack({"method": "update", "state": state, "buffer_paths": [[name] for name in binary]}, buffers)

    def close(self) -> None:
        """End all connections, the server and the run. Twice is fine."""
        self.channel.close()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        self.widget.close()


def _read(name: str) -> bytes:
    path = _STATIC / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: the viewer has not been built, which `make` does in a checkout")
    return path.read_bytes()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = False
    view: ViewServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Note what went wrong with a connection; a page that was closed is nothing wrong."""
        del request
        log.debug("a connection from %s broke off", client_address)


class _Refusal(Exception):  # noqa: N818 -- it becomes an answer
    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "graphne", ""
    timeout = _TIMEOUT
    server: _Http

    def do_GET(self) -> None:
        """Send the page, its parts, or messages as long as the page is there."""
        self._answering(self._open if self.path.startswith("/open/") else self._get)

    def do_POST(self) -> None:
        """Take a message."""
        self._answering(self._post)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 -- http.server's own
        """Keep the terminal clean, and the token out of it."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request that http.server itself cannot make sense of, without repeating any of it."""
        del message, explain
        self.close_connection = True
        self._send(code, "text/plain", b"The request was refused.\n")

    def _answering(self, answer: Any) -> None:  # noqa: ANN401 -- a method of ours
        try:
            self._check_sender()
            answer()
        except _Refusal as refusal:
            log.info("refused a request: %s", refusal)
            self.close_connection = True  # what is left of the request is not read
            self._send(refusal.status, "text/plain", f"Refused: {refusal}\n".encode("utf-8", "replace"))

    def _check_sender(self) -> None:
        """Refuse what another web page asks, or asks under another name."""
        hosts = self.server.view.hosts
        if self.headers.get_all("Host") not in [[host] for host in hosts]:
            raise _Refusal(HTTPStatus.FORBIDDEN, "the Host is another one")
        origins = self.headers.get_all("Origin", [])
        if any(origin not in [f"http://{host}" for host in hosts] for origin in origins):
            raise _Refusal(HTTPStatus.FORBIDDEN, "the Origin is another one")
        if self.command == "POST" and not origins:
            raise _Refusal(HTTPStatus.FORBIDDEN, "there is no Origin")

    def _check_path(self) -> str:
        """Return the part of the path behind the token."""
        view = self.server.view
        first, slash, rest = self.path.removeprefix("/").partition("/")
        if not slash or not _same(first, view.token):
            raise _Refusal(HTTPStatus.FORBIDDEN, "the token is missing or wrong")
        if not re.fullmatch(r"[a-z.]*", rest) or ".." in rest:
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the path has no such form")
        return rest

    def _open(self) -> None:
        """Lead who has the ticket to the page, once."""
        view = self.server.view
        with view.lock:
            right = view.ticket is not None and _same(self.path.removeprefix("/open/"), view.ticket)
            view.ticket = None if right else view.ticket
        if not right:
            raise _Refusal(HTTPStatus.FORBIDDEN, "this address was used already, or never led here")
        self._send(HTTPStatus.SEE_OTHER, "text/plain", b"", {"Location": f"/{view.token}/"})

    def _get(self) -> None:
        name = self._check_path()
        site = self.headers.get("Sec-Fetch-Site", "none")
        # The page itself may be asked for by a link; its parts only by the page.
        if name and site not in {"none", "same-origin"}:
            raise _Refusal(HTTPStatus.FORBIDDEN, "another page asks for it")
        if name == "events":
            self._send_events()
        elif name in self.server.view.files:
            kind, body = self.server.view.files[name]
            self._send(HTTPStatus.OK, f"{kind}; charset=utf-8", body)
        else:
            raise _Refusal(HTTPStatus.NOT_FOUND, "there is no such file")

    def _post(self) -> None:
        name = self._check_path()
        if name != "message":
            raise _Refusal(HTTPStatus.NOT_FOUND, "messages go elsewhere")
        if self.headers.get("Content-Type") != "application/octet-stream":
            raise _Refusal(HTTPStatus.BAD_REQUEST, "a message is application/octet-stream")
        said = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,12}", said) or "Transfer-Encoding" in self.headers:
            raise _Refusal(HTTPStatus.LENGTH_REQUIRED, "a message needs its length")
        if int(said) > self.server.view.longest:
            raise _Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message has at most {self.server.view.longest:,} bytes"
            )
        body = self.rfile.read(int(said))
        try:
            self.server.view.channel.take(body, self._page_name())
        except ValueError as error:
            raise _Refusal(HTTPStatus.BAD_REQUEST, str(error)) from None
        self._send(HTTPStatus.NO_CONTENT, "text/plain", b"")

    def _page_name(self) -> str:
        name = self.headers.get("X-Graphne-Page", "")
        if not _PAGE_NAME.fullmatch(name):
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the page has no name")
        return name

    def _send_events(self) -> None:
        view = self.server.view
        page = view.channel.join(self._page_name())
        try:
            self.close_connection = True
            self.send_response(HTTPStatus.OK)
            self._send_headers({"Content-Type": "application/octet-stream", "Connection": "close"})
            self.wfile.write(view.state())
            while (message := page.get(_HEARTBEAT)) is not None:
                self.wfile.write(message)
        except OSError:
            pass  # the page was closed
        finally:
            view.channel.leave(page)

    def _send(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        length = {} if status == HTTPStatus.NO_CONTENT else {"Content-Length": str(len(body)), "Content-Type": kind}
        closing = {"Connection": "close"} if self.close_connection else {}
        self._send_headers(length | closing | (more or {}))
        self.wfile.write(body)

    def _send_headers(self, headers: dict[str, str]) -> None:
        for name, value in (_HEADERS | headers).items():
            self.send_header(name, value)
        self.end_headers()


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode("utf-8", "replace"), other.encode())
