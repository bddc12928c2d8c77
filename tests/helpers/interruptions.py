"""Commands that are ended at a chosen moment, and what is looked at afterwards."""

import os
import random
import re
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

COMMAND = """
import os, sys

ready, number, touches, folder = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
sys.argv[1:] = sys.argv[5:]
CHANGES = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def look(event, details):
    global touches
    if event not in CHANGES or not touches or not os.fsdecode(str(details[0])).startswith(folder):
        return
    if event == "open" and not details[2] & (os.O_WRONLY | os.O_RDWR):
        return
    touches -= 1
    if not touches:
        os.kill(os.getpid(), number)


from graphne_viz.cli import main

os.write(ready, b".")
os.close(ready)
sys.addaudithook(look)
sys.exit(main())
"""
"""Runs a command, and sends a signal to itself before it changes something in a folder for the nth time."""

_MARK = "GRAPHNE_TEST_RUN"


class Moment:
    """When a command is ended.

    Parameters
    ----------
    seed : str
        Decides it.
    seconds : float
        About how long the command takes.
    writing : bool
        Whether it is while the command writes, or any time from its first import on.
    """

    def __init__(self, seed, seconds, *, writing):
        chosen = random.Random(seed)  # noqa: S311 -- the same each time, not a secret
        self.touches = chosen.randint(1, 9) if writing else 0
        self.seconds = None if writing else chosen.uniform(0, seconds)

    def __repr__(self):
        return f"change {self.touches}" if self.touches else f"{self.seconds:.2f} s"


class Interrupted:
    """What a command left behind that was ended by a signal, or ended before it came.

    Parameters
    ----------
    arguments : list of str
        Of ``graphne``.
    number : signal.Signals
    moment : Moment
    folder : Path
        Where the command writes.
    temporary : Path
        Its folder for temporary files.
    """

    def __init__(self, arguments, number, moment, folder, temporary):
        mark = secrets.token_hex(8)
        surroundings = {**os.environ, _MARK: mark, "TMPDIR": str(temporary)}
        ready, inherited = os.pipe()
        own = [str(inherited), str(int(number)), str(moment.touches), str(folder)]
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *own, *map(str, arguments)],
            env=surroundings,
            pass_fds=[inherited],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(inherited)
        try:
            os.read(ready, 1)
            if moment.seconds is not None:
                _wait(process, moment.seconds)
                process.send_signal(number)
            self.out, self.err = process.communicate(timeout=120)
        finally:
            os.close(ready)
            process.kill()
            process.wait()
        self.code = process.returncode
        self.left_running = _others(mark, patience=20)


def _wait(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def _others(mark, patience):
    """Processes of a run that do not end by themselves."""
    end = time.monotonic() + patience
    while found := [pid for pid in _running() if _began(pid, mark)]:
        if time.monotonic() > end:
            for pid in found:
                os.kill(pid, signal.SIGKILL)
            return found
        time.sleep(0.1)
    return []


def _running():
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _began(pid, mark):
    try:
        return f"{_MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def unfinished(folder):
    """Names in a folder of what is written and not complete."""
    return [path for path in folder.iterdir() if re.match(r"\.graphne-[0-9a-f]{8}-[0-9]+-[0-9a-f]{16}", path.name)]


def make_old(paths):
    """Let files look as if they had been left an hour ago."""
    old = time.time() - 3_600
    for path in paths:
        os.utime(path, (old, old))
