"""Messages to a page of Shiny: from any thread, in order, and flushed without a user who does something."""

import asyncio
import sys
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType, SimpleNamespace

import pytest

from graphne_viz.viewer.transport.shiny_comm import send_from_any_thread


class Session:
    """Keeps what it is given until it is flushed, as Shiny's does."""

    def __init__(self):
        self.kept, self.sent = [], []


class Shiny(ModuleType):
    """What of Shiny is used."""

    def __init__(self, session):
        super().__init__("shiny")
        self._lock, self._one, self.flushes = asyncio.Lock(), session, 0
        current = ContextVar("current", default=None)

        @contextmanager
        def session_context(session):
            token = current.set(session)
            yield
            current.reset(token)

        self.session = SimpleNamespace(get_current_session=current.get, session_context=session_context)
        self.reactive = SimpleNamespace(lock=lambda: self._lock, flush=self._flush)

    async def _flush(self):
        assert self._lock.locked()
        self.flushes += 1
        await asyncio.sleep(0)
        self._one.sent += self._one.kept
        self._one.kept.clear()


class Comm:
    """Sends as that of shinywidgets does: within a session only."""

    def __init__(self, shiny):
        self._shiny, self.threads = shiny, set()

    def send(self, data=None, metadata=None, buffers=None):
        self.threads.add(threading.get_ident())
        session = self._shiny.session.get_current_session()
        if session is None:
            raise RuntimeError("outside of a session")
        session.kept.append((data, metadata, buffers))

    def on_close(self, callback):
        """Be one that is open."""


Comm.__module__ = "shinywidgets._comm"


@pytest.fixture
def shiny(monkeypatch):
    module = Shiny(Session())
    monkeypatch.setitem(sys.modules, "shiny", module)
    return module


def opened(shiny, session):
    with shiny.session.session_context(session):
        comm = Comm(shiny)
        send_from_any_thread(comm)
    return comm


async def until(condition):
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 -- what is awaited knows of nobody who waits
            await asyncio.sleep(0.001)


def test_other_threads_reach_the_page_in_order_and_without_a_user(shiny):
    session = shiny._one

    async def story():
        comm = opened(shiny, session)
        await asyncio.to_thread(lambda: [comm.send(number, buffers=[b"x"]) for number in range(100)])
        await until(lambda: len(session.sent) == 100)
        return comm

    comm = asyncio.run(story())
    assert session.sent == [(number, None, [b"x"]) for number in range(100)]
    assert comm.threads == {threading.get_ident()}
    assert not session.kept


def test_what_is_sent_while_shiny_is_busy_waits_for_it(shiny):
    session = shiny._one

    async def story():
        comm = opened(shiny, session)
        async with shiny.reactive.lock():
            comm.send("early")
            await asyncio.to_thread(comm.send, "late")
            await asyncio.sleep(0.01)
            assert (session.kept, session.sent) == ([], [])
        await until(lambda: len(session.sent) == 2)

    asyncio.run(story())
    assert [data for data, *_ in session.sent] == ["early", "late"]
    assert shiny.flushes == 1


def test_what_is_sent_during_a_flush_is_flushed_too(shiny):
    session = shiny._one

    async def story():
        comm = opened(shiny, session)
        comm.send(0)
        for number in range(1, 20):
            await asyncio.sleep(0)
            comm.send(number)
        await until(lambda: len(session.sent) == 20)

    asyncio.run(story())
    assert [data for data, *_ in session.sent] == list(range(20))


def test_a_page_that_is_gone_says_so(shiny):
    async def story():
        return opened(shiny, shiny._one)

    comm = asyncio.run(story())
    with pytest.raises(RuntimeError, match="Event loop is closed"):
        comm.send("nobody hears it")


def test_other_comms_stay_as_they_are(shiny):
    class Other(Comm):
        pass

    class Orphaned:
        def send(self):
            """Stand in for a comm."""

    Other.__module__, Orphaned.__module__ = "ipykernel.comm", "shinywidgets._comm"
    with shiny.session.session_context(shiny._one):
        for comm in (None, Other(shiny), Orphaned()):
            send_from_any_thread(comm)
            assert "send" not in getattr(comm, "__dict__", {})
