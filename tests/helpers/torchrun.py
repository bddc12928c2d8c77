"""Commands in several processes that torchrun starts, and what tests ask about these."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def command(size, name, *arguments):
    """What starts so many processes of ``graphne name``; they find a free port by themselves."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(size)]
    return [*launcher, "-m", "graphne_viz", name, *map(str, arguments)]


def started(name, arguments, folder):
    """Start two processes, and wait until both are in the middle: the folder has a checkpoint.

    Returns
    -------
    run : Popen
        Of torchrun.
    ranks : dict of int to int
        Process ids by rank.
    """
    run = subprocess.Popen(
        command(2, name, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not list(folder.glob("*-*/about.json")):
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.05)
    return run, {rank: pid for pid in children(run.pid) if (rank := rank_of(pid)) is not None}


def children(pid):
    """Return the processes that one has started."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def rank_of(pid):
    """Return the rank of a process, None if it has none."""
    found = re.search(rb"\0RANK=(\d+)\0", Path(f"/proc/{pid}/environ").read_bytes())
    return int(found[1]) if found else None


def sentences(errors):
    """What the processes said, apart from torchrun's own report."""
    return [line for line in errors.splitlines() if line.startswith("graphne: ")]


def kill_second(run, ranks, kept):
    """Kill the second of two processes: all end soon, with one sentence that names the folder to go on from."""
    os.kill(ranks[1], signal.SIGKILL)
    killed = time.monotonic()
    errors = run.communicate()[1]
    assert time.monotonic() - killed < 40  # seconds, on a machine that does much else
    sentence = "graphne: process 1 of 2 was killed, or its machine was lost; the same command goes on from "
    assert sentences(errors) == [f"{sentence}{kept}"]
    assert run.returncode != 0
