"""Files appear only when they are complete, and what killed processes left is cleaned up by the next one."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from interruptions import make_old

from graphne_viz import _atomic
from graphne_viz._atomic import replace_when_complete

WRITES_FOR_EVER = """
import sys, time
from graphne_viz._atomic import replace_when_complete
with replace_when_complete(sys.argv[1]) as unfinished:
    print(unfinished, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGKILL")
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path):
    writer = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER, tmp_path / "a.csv.gz"], stdout=subprocess.PIPE)
    try:
        left = writer.stdout.readline().decode().strip()
        old = time.time() - 3_600
        os.utime(left, (old, old))
        with replace_when_complete(tmp_path / "b.csv"):
            assert os.path.exists(left)  # noqa: PTH110 -- its writer lives
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
    (tmp_path / ".graphne-somebody-else.csv").touch()
    with replace_when_complete(tmp_path / "b.csv"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".graphne-somebody-else.csv", "b.csv"]


class Windows:
    """Stands for the part of Windows that knows processes: of each, what is answered when it is asked for."""

    def __init__(self, answers):
        self.answers, self.open, self.error = answers, [], 0

    def OpenProcess(self, access, inherited, process):  # noqa: N802 - the system's name
        assert (access, inherited) == (0x100000, False)
        answer = self.answers[process]
        self.error = {"gone": 87, "another user's": 5}.get(answer, 0)
        if self.error:
            return 0
        self.open.append(process)
        return process

    def WaitForSingleObject(self, handle, milliseconds):  # noqa: N802
        assert milliseconds == 0
        return {"ended": 0, "lives": 258}[self.answers[handle]]

    def CloseHandle(self, handle):  # noqa: N802
        self.open.remove(handle)


def test_windows_is_asked_in_its_own_way_whether_a_process_lives(tmp_path, monkeypatch):
    """A signal 0 would be Ctrl-C there."""
    states = ["lives", "ended", "gone", "another user's"]
    windows = Windows(dict(enumerate(states, 1)))
    monkeypatch.setattr(_atomic, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, **_: {"kernel32": windows}[name], raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: windows.error, raising=False)
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a signal was sent"))
    own = _atomic.unfinished_path(tmp_path).name
    left = [tmp_path / own.replace(f"-{os.getpid()}-", f"-{process}-") for process in windows.answers]
    for path in left:
        path.touch()
    with replace_when_complete(tmp_path / "b.csv"):
        assert all(path.exists() for path in left), "they are young"
    make_old(left)
    with replace_when_complete(tmp_path / "b.csv"):
        pass
    assert [state for state, path in zip(states, left, strict=True) if path.exists()] == ["lives", "another user's"]
    assert windows.open == []
