"""The server of `graphne view`: who is let in, what is sent, how it ends. tests/browser/test_serve.py looks at it."""

import http.client
import socket
import struct
from http.cookiejar import CookieJar
from types import SimpleNamespace
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import networkx as nx
import numpy as np
import pytest

from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.transport import token_server
from graphne_viz.viewer.transport.page_channel import pack, unpack
from graphne_viz.viewer.transport.wire import decode_container

EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def server():
    G = nx.karate_club_graph()
    session = open_session(G, nx.circular_layout(G), color="club")
    server = ViewServer(session, title=EVIL)
    yield server
    server.close()


def ask(server, method="GET", path="", *, headers=None, body=None, place=None, host=None):
    """Return status, headers and body of an answer; all that is not given is as a page of the server has it."""
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    sent = {"Host": host or address.netloc, "Origin": f"http://{address.netloc}", "X-Graphne-Page": "1"}
    sent["Cookie"] = f"another=1; graphne={server.http.token}"
    if body is not None:
        sent |= {"Content-Type": "application/octet-stream", "Content-Length": str(len(body))}
    sent = {name: value for name, value in (sent | (headers or {})).items() if value is not None}
    place = server.http.place if place is None else place
    try:
        connection.putrequest(method, f"/{place}/{path}", skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


class Events:
    """The messages that a page gets."""

    def __init__(self, server, name):
        place = urlsplit(server.url)
        self.connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
        headers = {"X-Graphne-Page": name, "Cookie": f"graphne={server.http.token}"}
        self.connection.request("GET", f"/{server.http.place}/events", headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200

    def close(self):
        self.answer.close()
        self.connection.close()

    def next(self):
        while not (size := struct.unpack("<I", self.answer.read(4))[0]):
            pass
        return unpack(struct.pack("<I", size) + self.answer.read(size))

    def until(self, wanted):
        while True:
            data, buffers = self.next()
            if wanted(data):
                return data, buffers


def custom(kind):
    return lambda data: data["method"] == "custom" and data["content"]["kind"] == kind


def test_the_page_is_sent_to_who_has_the_token(server):
    status, headers, body = ask(server)
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert EVIL.encode() not in body
    assert b"&lt;script&gt;" in body
    for name in ("serve.js", "widget.js", "widget.css", "serve.css"):
        assert ask(server, path=name)[0] == 200
    assert urlsplit(server.url).hostname == "127.0.0.1"
    assert len(server.http.token) >= 40


def test_every_answer_keeps_the_token_and_foreign_pages_out(server):
    token, ticket = server.http.token, server.http.ticket
    for place, path in ((None, ""), (None, "serve.js"), (None, "none"), ("wrong", ""), (token, ""), ("open", ticket)):
        headers = ask(server, path=path, place=place)[1]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in headers
    server.http.ticket = ticket


@pytest.mark.parametrize("path", ["", "serve.js", "events", "message", "../"])
@pytest.mark.parametrize("place", ["", "wrong", "open"])
def test_without_the_token_nothing_is_answered(server, place, path):
    status, _, body = ask(server, path=path, place=place)
    assert status == 403
    assert server.http.token.encode() not in body


@pytest.mark.parametrize("path", ["", "serve.js", "events", "message", "../"])
@pytest.mark.parametrize("cookie", [None, "", "graphne=", "graphne=wrong", "other={token}", "graphne; {token}"])
def test_the_address_that_a_browser_remembers_opens_nothing(server, cookie, path):
    token = server.http.token
    assert token not in server.http.place
    headers = {"Cookie": cookie and cookie.format(token=token)}
    status, got, body = ask(server, path=path, headers=headers)
    assert (status, "Set-Cookie" in got) == (403, False)
    assert token.encode() not in body
    assert body == (
        b"Refused: the cookie of this page is missing; open the address that graphne view printed, in a browser that "
        b"accepts cookies\n"
    )
    assert ask(server, "POST", "message", body=pack({"method": "custom"}), headers=headers)[0] == 403


def test_the_printed_address_gives_a_cookie_that_only_the_page_gets(server):
    token, place = server.http.token, server.http.place
    for headers in ({"Origin": None, "Cookie": None}, {"Origin": None, "Sec-Fetch-Site": "cross-site"}):
        status, got, body = ask(server, place=token, headers=headers)
        assert (status, got["Location"], body) == (303, f"/{place}/", b"")
        assert got["Set-Cookie"] == f"graphne={token}; Path=/{place}/; HttpOnly; SameSite=Lax"
    for path in ("serve.js", "events"):
        assert ask(server, path=path, place=token)[0] == 403
    assert ask(server, "POST", "message", place=token, body=pack({"method": "custom"}))[0] == 403


def test_two_servers_in_one_browser_do_not_take_each_others_cookies(server):
    session = open_session(nx.path_graph(3))
    other = ViewServer(session, title="other")
    try:
        jar = CookieJar()
        browser = build_opener(HTTPCookieProcessor(jar))
        for one in (server, other, server, other):
            with browser.open(one.url if len(jar) < 2 else urljoin(one.url, f"/{one.http.place}/")) as page:
                assert urlsplit(page.url).path == f"/{one.http.place}/"
        assert sorted(cookie.value for cookie in jar) == sorted([server.http.token, other.http.token])
    finally:
        other.close()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "", "[::1]"])
def test_another_host_is_refused(server, host):
    assert ask(server, headers={"Host": host})[0] == 403
    assert ask(server, "POST", "message", body=pack({"method": "custom"}), headers={"Host": host})[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://{host}", "http://{host}.evil"]
)
def test_another_origin_is_refused(server, origin):
    origin = origin.format(host=urlsplit(server.url).netloc)
    for method, path in (("GET", ""), ("GET", "events"), ("POST", "message")):
        body = pack({"method": "custom", "content": {}}) if method == "POST" else None
        assert ask(server, method, path, body=body, headers={"Origin": origin})[0] == 403


def test_a_message_needs_an_origin_and_parts_of_the_page_the_page(server):
    message = pack({"method": "custom", "content": {}})
    assert ask(server, "POST", "message", body=message, headers={"Origin": None})[0] == 403
    assert ask(server, path="events", headers={"Origin": None, "Sec-Fetch-Site": "cross-site"})[0] == 403
    assert ask(server, path="serve.js", headers={"Origin": None, "Sec-Fetch-Site": "same-site"})[0] == 403
    assert ask(server, headers={"Origin": None, "Sec-Fetch-Site": "cross-site"})[0] == 200  # a link from a terminal
    assert ask(server, headers={"Host": f"localhost:{urlsplit(server.url).port}"}, path="serve.js")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "../serve.js",
        "..",
        "%2e%2e/serve.js",
        "....//x",
        "a/../serve.js",
        "..\\widget.js",
        "serve.js%00",
        "?x",
        "/etc/passwd",
    ],
)
def test_paths_lead_nowhere_else(server, path):
    assert ask(server, path=path)[0] == 400


def test_what_is_not_there_is_not_found(server):
    assert ask(server, path="widget.py")[0] == 404
    assert ask(server, "POST", "serve.js", body=b"")[0] == 404


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (413, {"Content-Length": "1001000"}, b""),
        (413, {"Content-Length": "999999999999"}, b""),
        (411, {"Content-Length": "9" * 13}, b""),
        (411, {"Content-Length": None}, b""),
        (411, {"Content-Length": "-1"}, b""),
        (411, {"Content-Length": "0", "Transfer-Encoding": "chunked"}, b""),
        (400, {"Content-Type": "text/plain"}, pack({"method": "custom"})),
        (400, {"X-Graphne-Page": "<b>"}, pack({"method": "custom"})),
        (400, {"X-Graphne-Number": "-1"}, pack({"method": "custom"})),
        (400, {"X-Graphne-Number": "9" * 16}, pack({"method": "custom"})),
        (400, {}, b"no message"),
        (400, {}, pack({"method": "request_states"})),
        (400, {}, pack({"method": "update", "state": {}, "buffer_paths": [["a", "b"]]}, [b"x"])),
        (400, {}, pack({"method": "update", "state": {}, "buffer_paths": [["a"], ["b"]]}, [])),
        (400, {}, pack({"method": "update", "state": [1]})),
    ],
)
def test_messages_that_are_too_large_or_broken_are_refused(server, status, headers, body):
    assert ask(server, "POST", "message", body=body, headers=headers)[0] == status
    assert server.session.run.state == "idle"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "CONNECT"])
def test_other_methods_are_not_known(server, method):
    assert ask(server, method)[0] == 501


def test_what_is_no_http_does_no_harm(server):
    place = urlsplit(server.url)
    for nonsense in (b"\0\xff\r\n\r\n", b"GET " + b"x" * 70_000, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n"):
        with socket.create_connection((place.hostname, place.port), timeout=30) as connection:
            connection.sendall(nonsense)
            assert server.http.token.encode() not in connection.recv(4096)
    assert ask(server)[0] == 200


def test_the_address_for_the_browser_works_once(server):
    before = server.http.ticket
    asked = {"place": "open", "path": before}
    assert ask(server, **asked | {"path": "wrong"})[0] == 403
    assert server.http.ticket == before
    status, headers, _ = ask(server, **asked, headers={"Origin": None, "Cookie": None})
    assert (status, headers["Location"]) == (303, f"/{server.http.place}/")
    assert headers["Set-Cookie"].startswith(f"graphne={server.http.token}; ")
    assert ask(server, **asked)[0] == 403


@pytest.fixture
def events(server):
    """Return two pages."""
    pages = Events(server, "1"), Events(server, "2")
    yield pages
    for page in pages:
        page.close()


def test_pages_get_the_state_and_hear_of_each_other(server, events):
    one, other = events
    data, buffers = one.next()
    assert "_esm" not in data["state"]
    assert data["state"]["color"] == "a:club"
    graph = buffers[data["buffer_paths"].index(["_graph"])]
    assert decode_container(graph)["nodes"] == 34
    other.next()
    sent = {"method": "update", "state": {"color": "degree"}, "buffer_paths": [["_selected"]]}
    chosen = np.array([0, 3, 5], dtype="<u4").tobytes()
    assert ask(server, "POST", "message", body=pack(sent, [chosen]))[0] == 204
    assert server.session["color"] == "degree"
    assert server.session["selection"] == (3, 5)
    data, buffers = other.until(lambda data: "color" in data.get("state", {}))
    assert data["state"]["color"] == "degree"
    assert buffers == [chosen]
    command = {"method": "custom", "content": {"kind": "command", "id": "x", "name": "no"}}
    assert ask(server, "POST", "message", body=pack(command))[0] == 204
    answer = one.until(custom("answer"))[0]["content"]
    assert answer["id"] == "x"
    assert "unknown message from the viewer" in answer["error"]
    server.session.set(color="club")
    assert one.until(lambda data: "color" in data.get("state", {}))[0]["state"]["color"] == "a:club"


def test_closing_ends_pages_threads_and_the_run():
    session = open_session(nx.karate_club_graph(), pace=60)
    server = ViewServer(session, title="g")
    session.start()
    events = Events(server, "1")
    events.next()
    server.close()
    server.close()
    # Frames may be on their way still; reading comes to an end only where the server ended the stream.
    events.answer.read()
    assert events.answer.isclosed()
    events.close()
    assert session.run.state == "stopped"
    assert not server.http.thread.is_alive()
    with pytest.raises(ConnectionRefusedError):
        ask(server)


def test_connections_that_never_show_the_token_give_way(server, monkeypatch):
    place = urlsplit(server.url)

    def trickling():
        connection = socket.create_connection((place.hostname, place.port), timeout=60)
        connection.sendall(b"GET /")
        return connection

    some = [trickling() for _ in range(3 * token_server._MOST_UNPROVEN)]
    try:
        for connection in some[: 2 * token_server._MOST_UNPROVEN]:
            assert connection.recv(1) == b""
        assert ask(server)[0] == 200
        monkeypatch.setattr(token_server, "_PATIENCE", 0.0)
        some.append(trickling())
        assert some[-1].recv(1) == b""
    finally:
        for connection in some:
            connection.close()


def test_a_page_may_take_its_time(server, monkeypatch):
    place = urlsplit(server.url)
    asked = "GET /{}/{} HTTP/1.1\r\nHost: {}\r\nCookie: graphne={}\r\n\r\n"
    with socket.create_connection((place.hostname, place.port), timeout=60) as page:
        page.sendall(asked.format(server.http.place, "", place.netloc, server.http.token).encode())
        assert page.recv(12) == b"HTTP/1.1 200"
        with monkeypatch.context() as later:
            later.setattr(token_server, "time", SimpleNamespace(monotonic=lambda: float("inf")))
            server.http._http.service_actions()
        page.sendall(asked.format(server.http.place, "nothing", place.netloc, server.http.token).encode())
        answer = b""
        while b"HTTP/1.1 404" not in answer:
            answer += page.recv(1 << 16) or pytest.fail("the connection was ended")
