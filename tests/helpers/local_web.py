"""A web server on this machine, for files that are downloaded in tests."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Web:
    """What the server has, how it behaves and what it was asked."""

    def __init__(self):
        self.files = {}
        self.tags = {}
        self.breaks_after = None  # bytes of an answer, after which the connection is cut
        self.knows_ranges = True
        self.asked = []  # pairs of a path and the header Range
        self.url = None


@contextmanager
def serving():
    """Yield a `Web` that listens on 127.0.0.1."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            web.asked.append((self.path, self.headers.get("Range")))
            if self.path not in web.files:
                self.send_error(404)
                return
            data, tag = web.files[self.path], web.tags.get(self.path, '"one"')
            begin = 0
            if web.knows_ranges and self.headers.get("Range") and self.headers.get("If-Range") == tag:
                begin = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
                if begin >= len(data):
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{len(data)}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(data) - begin))
            self.end_headers()
            whole = web.breaks_after is None
            self.wfile.write(data[begin:] if whole else data[begin : begin + web.breaks_after])
            if not whole:
                self.close_connection = True

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    web.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
