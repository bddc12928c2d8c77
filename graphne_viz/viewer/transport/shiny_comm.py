"""Messages to a page of Shiny for Python, from any thread and without anybody having to touch the page."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def send_from_any_thread(comm: Any) -> None:  # noqa: ANN401 -- a host's own
    """Let the comm of a Shiny session send from any thread and at once; other comms can, and stay as they are.

    By itself it refuses to send from a thread that is in no session, as that of a run is, and keeps what it was given
    until the session is flushed, which happens when a user does something: a layout would not be seen to form.

    Parameters
    ----------
    comm : comm or None
    """
    if type(comm).__module__.partition(".")[0] != "shinywidgets" or not hasattr(comm, "on_close"):
        return  # it is not Shiny's, or stands in for one before the page is there and after it has gone
    shiny = sys.modules["shiny"]  # which shinywidgets has imported
    session = shiny.session.get_current_session()
    if session is not None:
        comm.send = _Sender(comm.send, session, shiny)


class _Sender:
    """Hands messages, in their order, to the loop that the session runs in, and has them flushed there."""

    def __init__(self, send: Callable[..., object], session: Any, shiny: Any) -> None:  # noqa: ANN401 -- Shiny's own
        self._send = send
        self._session = session
        self._shiny = shiny
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[tuple[object, ...], dict[str, object]]] = deque()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, *args: object, **keywords: object) -> None:
        self._waiting.append((args, keywords))
        # Nothing of the caller's context: an effect that Shiny runs would be told of what is flushed here.
        self._loop.call_soon_threadsafe(self._begin, context=contextvars.Context())

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._deliver())

    async def _deliver(self) -> None:
        reactive = self._shiny.reactive
        async with reactive.lock():
            while self._waiting:
                with self._shiny.session.session_context(self._session):
                    while self._waiting:
                        args, keywords = self._waiting.popleft()
                        self._send(*args, **keywords)
                await reactive.flush()
