"""A link between a page and its server that delays, stalls and cuts what it carries."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

PIECE = 16_384


class BadLink:
    """Forwards connections on 127.0.0.1 to a server's port.

    Every piece waits for a random time, so that what goes by several connections arrives in another order; some
    connections are cut in the middle, with what they carry.
    """

    def __init__(self, port, *, delay, seed):
        self.delay = delay
        self.cuts = 0.0
        """Share of the pieces at which a connection is cut."""
        self.cut = 0
        """Connections that were cut so."""
        self._target = port
        self._random = random.Random(seed)  # noqa: S311 - not for secrets
        self._ends = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts
        self._listener.close()
        self.cut_all()

    def cut_all(self):
        """Cut every connection there is."""
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        # The server answers only those who call it by its own name.
        names = f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self._target}".encode()
        while self._listener.fileno() >= 0:
            with suppress(OSError):
                page, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                with self._lock:
                    self._ends += [page, server]
                threading.Thread(target=self._carry, args=(page, server, names), daemon=True).start()
                threading.Thread(target=self._carry, args=(server, page, None), daemon=True).start()

    def _carry(self, source, sink, names):
        try:
            while piece := source.recv(PIECE):
                time.sleep(self._random.random() * self.delay)
                if self._random.random() < self.cuts:
                    self.cut += 1
                    break
                sink.sendall(piece.replace(*names) if names else piece)
        except OSError:
            pass
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()  # who carries the other way closes the other one


@contextmanager
def bad_link(url, *, delay=0.05, seed=0):
    """Yield a bad link to the server of a page, and the page's address through it."""
    place = urlsplit(url)
    link = BadLink(place.port, delay=delay, seed=seed)
    try:
        yield link, url.replace(f":{place.port}/", f":{link.port}/")
    finally:
        link.close()
