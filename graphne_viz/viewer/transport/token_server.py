"""A small HTTP server for this machine only, and only for those who have its token.

Every request needs a random token. Who opens an address that holds it, or a ticket for it, gets it as a cookie and is
led to the page, so that the address that a browser remembers opens nothing. A request without it, or one that another
web page makes (by its Host, its Origin or what the browser says of it), is refused, so neither guessing nor DNS
rebinding gets through.
"""

from __future__ import annotations

import logging
import re
import secrets
import socket
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from graphne_viz.viewer.transport.page_channel import PageChannel

log = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
_HEARTBEAT = 15.0
_TIMEOUT = 60.0
_PATIENCE = 20.0  # seconds in which a connection has to show the token
_MOST_UNPROVEN = 32  # connections that have not yet
_COOKIE = "graphne"
_PAGE_NAME = re.compile(r"[0-9-]{1,80}")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class TokenServer:
    """Serves files, and the messages of a channel, from the moment it is made.

    Parameters
    ----------
    files : mapping of str to (str, bytes)
        Type and content of each file by its name; "" is the page itself.
    channel : PageChannel
    opening : callable
        Returns the first message that a page gets.
    longest : int
        Most bytes of a message from a page.
    port : int, default 0
        0 takes any that is free.

    Attributes
    ----------
    token : str
        Leads to the page, and is the cookie that everything there needs.
    ticket : str or None
        Leads to the page once.
    place : str
        Where the page is. Browsers send cookies to all ports of a machine, but only to paths that they are for: who
        serves something else there does not know this one.

    Raises
    ------
    OSError
        If the port is taken.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[str, bytes]],
        channel: PageChannel,
        *,
        opening: Callable[[], bytes],
        longest: int,
        port: int = 0,
    ) -> None:
        self.files = files
        self.channel = channel
        self.opening = opening
        self.longest = longest
        self.token = secrets.token_urlsafe(32)
        self.ticket: str | None = secrets.token_urlsafe(32)
        self.place = secrets.token_urlsafe(16)
        self.lock = threading.Lock()
        self._http = _Http((ADDRESS, port), _Handler)
        self._http.owner = self
        self.thread = threading.Thread(target=self._http.serve_forever, name="graphne-serve", daemon=True)
        self.thread.start()

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a request may call this server."""
        port = self._http.server_address[1]
        return f"{ADDRESS}:{port}", f"localhost:{port}"

    def close(self) -> None:
        """End all connections and the server. Twice is fine."""
        self.channel.close()
        self._http.shutdown()
        self._http.server_close()
        self.thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = False
    owner: TokenServer

    def __init__(self, *args: Any) -> None:  # noqa: ANN401 -- http.server's own
        self._unproven: dict[socket.socket, float] = {}  # and when each has to have shown the token, oldest first
        self._lock = threading.Lock()
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- http.server's own
        """Take a connection; those that never say anything sensible give way to new ones."""
        with self._lock:
            self._unproven[request] = time.monotonic() + _PATIENCE
            too_many = list(self._unproven)[:-_MOST_UNPROVEN]
        self._end(too_many)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 -- http.server's own
        """End a connection."""
        self.trust(request)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """End, twice a second, the connections that have not shown the token in time, whatever they trickle."""
        now = time.monotonic()
        with self._lock:
            late = [request for request, until in self._unproven.items() if until < now]
        self._end(late)

    def trust(self, request: socket.socket) -> None:
        """Let a connection be as slow as it likes."""
        with self._lock:
            self._unproven.pop(request, None)

    def _end(self, requests: list[socket.socket]) -> None:
        for request in requests:
            self.trust(request)
            with suppress(OSError):  # its thread reads the end then, and closes it
                request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Log what went wrong with a connection; a page that was closed is nothing wrong."""
        del request
        log.debug("a connection from %s was lost", client_address)


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
        hosts = self.server.owner.hosts
        if self.headers.get_all("Host") not in [[host] for host in hosts]:
            raise _Refusal(HTTPStatus.FORBIDDEN, "the Host header names another host")
        origins = self.headers.get_all("Origin", [])
        if any(origin not in [f"http://{host}" for host in hosts] for origin in origins):
            raise _Refusal(HTTPStatus.FORBIDDEN, "the Origin header names another site")
        if self.command == "POST" and not origins:
            raise _Refusal(HTTPStatus.FORBIDDEN, "the Origin header is missing")

    def _check_path(self) -> str:
        """Return the part of the path behind the place of the page, for who has the token."""
        owner = self.server.owner
        first, slash, rest = self.path.removeprefix("/").partition("/")
        if not slash or not _same(first, owner.place):
            raise _Refusal(HTTPStatus.FORBIDDEN, "the token is missing or wrong")
        if not any(_same(cookie, f"{_COOKIE}={owner.token}") for cookie in self._cookies()):
            raise _Refusal(
                HTTPStatus.FORBIDDEN,
                "the cookie of this page is missing; open the address that graphne view printed, in a browser that "
                "accepts cookies",
            )
        self.server.trust(self.connection)
        if not re.fullmatch(r"[a-z.]*", rest) or ".." in rest:
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the path is invalid")
        return rest

    def _cookies(self) -> list[str]:
        return [cookie.strip() for line in self.headers.get_all("Cookie", []) for cookie in line.split(";")]

    def _open(self) -> None:
        """Lead the holder of the ticket to the page, once."""
        owner = self.server.owner
        with owner.lock:
            right = owner.ticket is not None and _same(self.path.removeprefix("/open/"), owner.ticket)
            owner.ticket = None if right else owner.ticket
        if not right:
            raise _Refusal(HTTPStatus.FORBIDDEN, "this address was used already or never existed")
        self._lead_to_page()

    def _lead_to_page(self) -> None:
        """Redirect to the page, and give the token along as a cookie."""
        self.server.trust(self.connection)
        owner = self.server.owner
        path = f"/{owner.place}/"
        # Lax, not Strict: whoever clicks the address in the terminal of JupyterLab, which is another site, would arrive
        # without it. Another site knows no path that it is sent to, and parts of the page are refused to it below.
        cookie = f"{_COOKIE}={owner.token}; Path={path}; HttpOnly; SameSite=Lax"
        self._send(HTTPStatus.SEE_OTHER, "text/plain", b"", {"Location": path, "Set-Cookie": cookie})

    def _get(self) -> None:
        if _same(self.path, f"/{self.server.owner.token}/"):
            self._lead_to_page()
            return
        name = self._check_path()
        site = self.headers.get("Sec-Fetch-Site", "none")
        # The page itself may be asked for by a link; its parts only by the page.
        if name and site not in {"none", "same-origin"}:
            raise _Refusal(HTTPStatus.FORBIDDEN, "requested by another page")
        if name == "events":
            self._send_events()
        elif name in self.server.owner.files:
            kind, body = self.server.owner.files[name]
            self._send(HTTPStatus.OK, f"{kind}; charset=utf-8", body)
        else:
            raise _Refusal(HTTPStatus.NOT_FOUND, "there is no such file")

    def _post(self) -> None:
        name = self._check_path()
        if name != "message":
            raise _Refusal(HTTPStatus.NOT_FOUND, "messages are not accepted here")
        if self.headers.get("Content-Type") != "application/octet-stream":
            raise _Refusal(HTTPStatus.BAD_REQUEST, "a message must be application/octet-stream")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length) or "Transfer-Encoding" in self.headers:
            raise _Refusal(HTTPStatus.LENGTH_REQUIRED, "a message needs a Content-Length")
        if int(length) > self.server.owner.longest:
            raise _Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message may have at most {self.server.owner.longest:,} bytes"
            )
        body = self.rfile.read(int(length))
        try:
            self.server.owner.channel.take(body, self._page_name(), self._message_number())
        except ValueError as error:
            raise _Refusal(HTTPStatus.BAD_REQUEST, str(error)) from None
        self._send(HTTPStatus.NO_CONTENT, "text/plain", b"")

    def _page_name(self) -> str:
        name = self.headers.get("X-Graphne-Page", "")
        if not _PAGE_NAME.fullmatch(name):
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the X-Graphne-Page header is missing or invalid")
        return name

    def _message_number(self) -> int | None:
        number = self.headers.get("X-Graphne-Number")
        if number is not None and not re.fullmatch(r"[0-9]{1,15}", number):
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the X-Graphne-Number header is invalid")
        return None if number is None else int(number)

    def _send_events(self) -> None:
        owner = self.server.owner
        page = owner.channel.join(self._page_name())
        try:
            self.close_connection = True
            self.send_response(HTTPStatus.OK)
            self._send_headers({"Content-Type": "application/octet-stream", "Connection": "close"})
            self.wfile.write(owner.opening())
            while (message := page.get(_HEARTBEAT)) is not None:
                self.wfile.write(message)
        except OSError:
            pass  # the page was closed
        finally:
            owner.channel.leave(page)

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
