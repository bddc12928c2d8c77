"""Servers the tests start: on 127.0.0.1 only, away from the user's settings, ended with all they started."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl

PATIENCE = 120
"""Seconds until something that takes a second on an idle machine is given up."""


def pauses():
    """Milliseconds before asking again: at first few, later more, because to ask takes time from what is awaited."""
    pause = 50.0
    while True:
        yield pause
        pause = min(1.3 * pause, 300)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, method, path, *, token="", body=None):
    """Return the status and the JSON answer of a server of ours."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    try:
        return answer.status, json.loads(text) if text else None
    except ValueError:
        return answer.status, text


def clean_environment(home):
    """Return an environment in which no setting of the user can change the outcome of a test."""
    foreign = ("JUPYTER", "IPYTHON", "MARIMO", "XDG_", "PYTEST_", "JPY_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    return environment | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PLATFORM_DIRS": "1",
        "XDG_CONFIG_HOME": str(home / "xdg"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_STATE_HOME": str(home / "state"),
        # Only the list of fonts, which takes seconds to make, is shared.
        "MPLCONFIGDIR": mpl.get_cachedir(),
        "PYTHONUNBUFFERED": "1",
    }


@contextmanager
def running(command, *, port, ready, home, cwd):
    """Run a server until the block ends; `ready` is a path that answers once it can be used."""
    log = home / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=cwd,
            env=clean_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_until_ready(server, port, ready, log)
            yield log
        finally:
            _end(server)


def _wait_until_ready(server, port, ready, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest_log = log.read_text(errors="replace")
            raise RuntimeError(f"{server.args[0]} ended with {server.returncode} before it answered:\n{pytest_log}")
        try:
            status, _ = ask(port, "GET", ready)
        except OSError:
            status = 0
        if status and status < 500:
            return
        time.sleep(0.1)
    raise RuntimeError(f"no answer within {PATIENCE} s:\n{log.read_text(errors='replace')}")


def _end(server):
    # The server is asked first, because it ends its kernels, which lead process groups of their own.
    for sign, seconds in ((signal.SIGTERM, 15), (signal.SIGKILL, 15)):
        try:
            os.killpg(server.pid, sign)
        except ProcessLookupError:
            break
        try:
            server.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
    server.wait(PATIENCE)


def python_command(module, *arguments):
    return [sys.executable, "-m", module, *map(str, arguments)]


def write_json(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
