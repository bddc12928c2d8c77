"""A widget's messages without a notebook: to every page that shows it, and from each.

A *message* is what Jupyter's comms carry: a dict and some buffers. As bytes, all numbers u32 and little endian, it is
the number of bytes that follow, the length of the header, the header ``{"data": dict, "sizes": [of each buffer]}`` as
JSON, and the buffers. One of no bytes at all only says that somebody is there. ``js/src/serve.ts`` reads and writes the
same.
"""

from __future__ import annotations

import json
import logging
import struct
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

log = logging.getLogger(__name__)

EMPTY = struct.pack("<I", 0)
"""A message that says nothing."""

MOST_FRAMES = 4
"""Frames that wait for a page that reads slowly; the oldest give way to newer ones."""

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
        raise ValueError(f"{len(message):,} bytes that are no message")
    start = 2 * _SIZE.size
    end = start + _SIZE.unpack_from(message, _SIZE.size)[0]
    try:
        header = json.loads(message[start:end])
    except RecursionError:
        raise ValueError("the header of a message is nested too deeply") from None
    data, sizes = (header.get("data"), header.get("sizes")) if isinstance(header, dict) else (None, None)
    if not isinstance(data, dict) or not isinstance(sizes, list):
        raise ValueError("the header of a message needs data and sizes")  # noqa: TRY004 -- what came is bytes
    if not all(type(size) is int and size >= 0 for size in sizes) or end + sum(sizes) != len(message):
        raise ValueError("the buffers of a message do not have the sizes that it says")
    buffers = []
    for size in sizes:
        buffers.append(message[end : end + size])
        end += size
    return data, buffers


def _check(data: dict[str, Any], buffers: list[bytes]) -> None:
    """Refuse a message of a page that ipywidgets would stumble over; what it says, the widget checks."""
    method = data.get("method")
    if method not in {"update", "custom"}:
        raise ValueError(f"{str(method)[:80]!r} is no method of a message")
    if method == "custom":
        return
    state, paths = data.get("state"), data.get("buffer_paths", [])
    if not isinstance(state, dict) or not isinstance(paths, list) or len(paths) != len(buffers):
        raise ValueError("an update needs a state, and a path for each of its buffers")
    if not all(isinstance(path, list) and len(path) == 1 and isinstance(path[0], str) for path in paths):
        raise ValueError("the path of a buffer is the name of a trait")


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
        """Let whoever waits go. Twice is fine."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Channel:
    """What a comm is in a notebook: a widget's `comm` that ends in any number of pages.

    Attributes
    ----------
    comm_id : str
    """

    comm_id = "graphne-view"

    def __init__(self) -> None:
        self._pages: list[Page] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._sender = threading.local()
        self._on_message: Callable[[dict[str, Any]], object] | None = None
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
        """Take a page away."""
        page.close()
        with self._lock:
            self._pages = [other for other in self._pages if other is not page]

    def take(self, message: bytes, sender: str) -> None:
        """Hand a message of a page to the widget; one at a time, whichever threads they come in.

        Raises
        ------
        ValueError
            If it is no message, or not one that the widget understands.
        """
        data, buffers = unpack(message)
        _check(data, buffers)
        with self._turn:
            self._sender.name = sender
            try:
                if self._on_message is not None:
                    self._on_message({"content": {"data": data}, "buffers": buffers})
            finally:
                self._sender.name = None

    # ---- What ipywidgets asks of a comm ----

    def send(
        self,
        data: Mapping[str, Any] | None = None,
        metadata: object = None,
        buffers: Sequence[bytes | bytearray | memoryview] | None = None,
    ) -> None:
        """Send a message to all pages; an echo of a change not to the one that made it."""
        del metadata
        data = data or {}
        echo_of = getattr(self._sender, "name", None) if data.get("method") == "echo_update" else None
        content = data.get("content")
        frame = isinstance(content, dict) and content.get("kind") == "frame"
        with self._lock:
            pages = [page for page in self._pages if page.name != echo_of]
        if pages:
            message = pack(data, buffers or ())
            for page in pages:
                page.put(message, frame=frame)

    def on_msg(self, callback: Callable[[dict[str, Any]], object]) -> None:
        """Have messages of pages handed to a function."""
        self._on_message = callback

    def on_close(self, callback: object) -> None:
        """Nothing closes the channel but its owner, who knows."""

    def close(self, *args: object, **keywords: object) -> None:
        """Let all pages go. Twice is fine."""
        del args, keywords
        with self._lock:
            self._closed = True
            pages, self._pages = self._pages, []
        for page in pages:
            page.close()
