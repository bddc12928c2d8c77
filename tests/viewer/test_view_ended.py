"""`graphne view`, ended by a signal while a process of its own computes a statistic of a large graph."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import HTTPCookieProcessor, Request, build_opener

import numpy as np
import pytest

from graphne_viz.viewer.transport.page_channel import pack

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

AT_WORK = 2.0
"""Seconds of a processor after which the process has read the graph and computes: the whole takes ten times as long."""

ENDED = 5.0
"""Seconds in which it has to be gone, on a busy machine."""


def computing(pid):
    """Return the process that computes a statistic for another one, None if there is none."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"statistics_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return None


def seconds_used(pid):
    """Time of a processor that a process has taken, None if it has ended."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else (int(rest[10]) + int(rest[11])) / os.sysconf("SC_CLK_TCK")


def wait(until, seconds):
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, "that takes too long"
        time.sleep(0.05)
    return found


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "g.csv"
    ends = np.random.default_rng(0).integers(0, 5_000, (200_000, 2))
    path.write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in ends))
    return path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_view_ended_while_it_computes_a_statistic_leaves_no_process(large, number):
    command = [sys.executable, "-m", "graphne_viz.cli", "view", large, "--no-browser", "--quiet", "--n-iter", "1"]
    view = subprocess.Popen([*command, "--color", "degree"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = None
    try:
        browser = build_opener(HTTPCookieProcessor())
        with browser.open(view.stdout.readline().strip(), timeout=60) as page:
            address = page.url
        wish = {"kind": "command", "id": "1", "name": "statistic", "statistic": "betweenness"}
        origin = {"Origin": address.rstrip("/").rpartition("/")[0], "X-Graphne-Page": "1"}
        headers = origin | {"Content-Type": "application/octet-stream"}
        message = pack({"method": "custom", "content": wish})
        browser.open(Request(f"{address}message", message, headers), timeout=60).close()  # noqa: S310 -- our own server
        found = wait(lambda: computing(view.pid), 60)
        wait(lambda: seconds_used(found) >= AT_WORK, 120)
        view.send_signal(number)
        view.wait(60)
        wait(lambda: seconds_used(found) is None, ENDED)
    finally:
        view.kill()
        out, err = view.communicate()
        if found is not None and seconds_used(found) is not None:
            os.kill(found, signal.SIGKILL)
    assert (out, err) == ("", "")
    assert view.returncode == {signal.SIGINT: 0, signal.SIGTERM: 128 + number, signal.SIGKILL: -number}[number]
