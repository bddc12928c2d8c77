"""A comm whose other end is the test."""

import threading
import time

import comm
import ipywidgets
import pytest
from comm.base_comm import BaseComm


class Wire(BaseComm):
    """A comm whose other end is this test."""

    def __init__(self, **keywords):
        self.sent = []
        super().__init__(**keywords)

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_keys):
        del metadata
        self.sent.append((msg_type, data or {}, [bytes(buffer) for buffer in buffers or ()]))

    def customs(self, kind):
        """Return the custom messages of a kind, each with its buffers."""
        found = [(d["content"], b) for _, d, b in list(self.sent) if d.get("method") == "custom"]
        return [(content, buffers) for content, buffers in found if content["kind"] == kind]

    def updates(self, name):
        """Return every value of a trait that was sent after the opening."""
        return [d["state"][name] for m, d, _ in self.sent if m == "comm_msg" and name in d.get("state", {})]

    def say(self, content):
        """Send a custom message, as the browser does."""
        self._tell({"method": "custom", "content": content})

    def set(self, **state):
        """Change traits, as the browser does."""
        paths = [[name] for name, value in state.items() if isinstance(value, bytes)]
        buffers = [memoryview(value) for value in state.values() if isinstance(value, bytes)]
        rest = {name: value for name, value in state.items() if not isinstance(value, bytes)}
        self._tell({"method": "update", "state": rest, "buffer_paths": paths}, buffers)

    def _tell(self, data, buffers=()):
        self.handle_msg({"content": {"data": data, "comm_id": self.comm_id}, "buffers": list(buffers)})

    def command(self, name, **more):
        """Send a command and return its answer."""
        before = len(self.customs("answer"))
        self.say({"kind": "command", "id": f"c{before}", "name": name} | more)
        until(lambda: len(self.customs("answer")) > before)
        answers = self.customs("answer")
        assert len(answers) == before + 1, "every command is answered, once"
        assert answers[-1][0]["id"] == f"c{before}"
        return answers[-1][0]


def our_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("graphne-")]


def until(condition, seconds=60.0):
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


@pytest.fixture(autouse=True)
def wired(monkeypatch):
    monkeypatch.setattr(comm, "create_comm", Wire)
    yield
    ipywidgets.Widget.close_all()
    until(lambda: not our_threads())
