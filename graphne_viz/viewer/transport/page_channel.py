"""The messages of a session without a notebook: to every page that shows it, and from each.

A *message* is what Jupyter's comms carry: a dict and some buffers. As bytes, all numbers u32 and little endian, it is
the number of bytes that follow, the length of the header, the header ``{"data": dict, "sizes": [of each buffer]}`` as
JSON, and the buffers. One of no bytes at all only says that somebody is there. ``js/src/hosts/serve.ts`` reads and
writes the same.
"""

from __future__ import annotations

import json
import logging
import struct
import threading
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

log = logging.getLogger(__name__)

EMPTY = struct.pack("<I", 0)
"""A message that says nothing."""

MOST_FRAMES = 4
"""Frames that wait for a page that reads slowly; the oldest give way to newer ones."""

MOST_REMEMBERED = 100
"""Pages whose last message is known by its number; one that was reloaded is another one."""

MOST_WAITING = 2_000
"""Messages that wait for a page; one that reads none of so many is given up."""

_SIZE = struct.Struct("<I")


def pack(data: Mapping[str, Any], buffers: Sequence[bytes | bytearray | memoryview] = ()) -> bytes:
    """Write a message as bytes."""
    pieces = [memoryview(buffer).cast("B") for buffer in buffers]
    header = json.dumps({"data": data, "sizes": [len(piece) for piece in pieces]}, separators=(",", ":")).encode()
    size = _SIZE.size + len(header) + sum(map(len, pieces))
    return b"".join((_SIZE.pack(size), _SIZE.pack(len(header)), header, *pieces))


def unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Read one message.

    Raises
    ------
    ValueError
        If it is none.
    """
    if len(message) < 2 * _SIZE.size or _SIZE.unpack_from(message)[0] != len(message) - _SIZE.size:
        raise ValueError(f"{len(message):,} bytes are not a message")
    start = 2 * _SIZE.size
    end = start + _SIZE.unpack_from(message, _SIZE.size)[0]
    try:
        header = json.loads(message[start:end])
    except RecursionError:
        raise ValueError("the header of a message is nested too deeply") from None
    data, sizes = (header.get("data"), header.get("sizes")) if isinstance(header, dict) else (None, None)
    if not isinstance(data, dict) or not isinstance(sizes, list):
        raise ValueError("the header of a message must have data and sizes")  # noqa: TRY004 -- what came is bytes
    if not all(type(size) is int and size >= 0 for size in sizes) or end + sum(sizes) != len(message):
        raise ValueError("the buffers of a message do not have the sizes in its header")
    buffers = []
    for size in sizes:
        buffers.append(message[end : end + size])
        end += size
    return data, buffers


def _check(data: dict[str, Any], buffers: list[bytes]) -> None:
    """Refuse a message of a page that has not the form of one; what it says, the session checks."""
    method = data.get("method")
    if not isinstance(method, str) or method not in {"update", "custom"}:
        raise ValueError(f"{str(method)[:80]!r} is not a kind of message; there are update and custom")
    if method == "custom":
        return
    state, paths = data.get("state"), data.get("buffer_paths", [])
    if not isinstance(state, dict) or not isinstance(paths, list) or len(paths) != len(buffers):
        raise ValueError("an update needs a state, and a path for each of its buffers")
    if not all(isinstance(path, list) and len(path) == 1 and isinstance(path[0], str) for path in paths):
        raise ValueError("the path of a buffer must be the name of a field")


class Page:
    """Messages on their way to one page."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._waiting: deque[tuple[bytes, bool]] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, message: bytes, *, frame: bool = False) -> None:
        """Add a message; never blocks."""
        with self._changed:
            frames = [entry for entry in self._waiting if entry[1]] if frame else []
            if len(frames) >= MOST_FRAMES:
                self._waiting.remove(frames[0])
            self._waiting.append((message, frame))
            self._closed = self._closed or len(self._waiting) > MOST_WAITING
            self._changed.notify_all()

    def get(self, timeout: float) -> bytes | None:
        """Wait for the next message; an empty one if there is none in time, None if there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, timeout)
            if self._closed:
                return None
            return self._waiting.popleft()[0] if self._waiting else EMPTY

    def close(self) -> None:
        """Release whoever waits. Twice is fine."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class PageChannel:
    """The way to any number of pages, and from each of them.

    Parameters
    ----------
    receive : callable
        ``receive(data, buffers, page)`` takes a message of a page, which is given by its name; one at a time.
    """

    def __init__(self, receive: Callable[[dict[str, Any], list[bytes], str], object]) -> None:
        self._receive = receive
        self._pages: list[Page] = []
        self._lock = threading.Lock()
        self._handling = threading.Lock()
        self._taken: OrderedDict[str, int] = OrderedDict()
        self._closed = False

    def join(self, name: str) -> Page:
        """Add a page, which gets all messages from now on."""
        page = Page(name)
        with self._lock:
            self._pages.append(page)
            if self._closed:
                page.close()
        return page

    def leave(self, page: Page) -> None:
        """Remove a page."""
        page.close()
        with self._lock:
            self._pages = [other for other in self._pages if other is not page]

    def take(self, message: bytes, sender: str, number: int | None = None) -> None:
        """Hand over a message of a page; one at a time, whichever threads they come in.

        Parameters
        ----------
        message : bytes
        sender : str
            The name of the page.
        number : int, optional
            That of the message, which grows: one that was taken already, but whose answer got lost, is not taken again.

        Raises
        ------
        ValueError
            If it is not a message.
        """
        data, buffers = unpack(message)
        _check(data, buffers)
        with self._handling:
            if number is not None:
                if number <= self._taken.get(sender, -1):
                    return
                self._taken[sender] = number
                self._taken.move_to_end(sender)
                if len(self._taken) > MOST_REMEMBERED:
                    self._taken.popitem(last=False)
            self._receive(data, buffers, sender)

    def send(
        self, data: Mapping[str, Any], buffers: Sequence[bytes | bytearray | memoryview] = (), *, but: str | None = None
    ) -> None:
        """Send a message to all pages, or to all but one."""
        content = data.get("content")
        frame = isinstance(content, dict) and content.get("kind") == "frame"
        with self._lock:
            pages = [page for page in self._pages if page.name != but]
        if pages:
            message = pack(data, buffers)
            for page in pages:
                page.put(message, frame=frame)

    def close(self) -> None:
        """Close all pages. Twice is fine."""
        with self._lock:
            self._closed = True
            pages, self._pages = self._pages, []
        for page in pages:
            page.close()
