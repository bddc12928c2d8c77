"""A layout of ten million nodes opened by ``graphne view``, which shows a fair sample: time, memory and what it says.

python benchmarks/sampled_view.py 10000000

The table is made here, with text ids and random places. Time is from the start of the command until it prints its
address, and memory that of its process until its page has been fetched.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

AT_ONCE = 1_000_000


def write_table(path, nodes):
    """Write ids and places, some at a time."""
    rng = np.random.default_rng(0)
    schema = pa.schema({"id": pa.string(), "x": pa.float32(), "y": pa.float32()})
    with parquet.ParquetWriter(path, schema) as file:
        for first in range(0, nodes, AT_ONCE):
            numbers = pa.array(np.arange(first, min(first + AT_ONCE, nodes)))
            ids = compute.binary_join_element_wise("user", compute.cast(numbers, pa.string()), "-")
            x, y = rng.standard_normal((2, len(numbers))).astype(np.float32)
            file.write_table(pa.table([ids, x, y], schema=schema))


def status_of(pid):
    """Most memory of a process in bytes, and its CPU time in seconds; Linux only."""
    memory = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    ticks = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return 1024 * int(memory[1]), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", type=int)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "layout.parquet"
        write_table(path, chosen.nodes)
        size = path.stat().st_size
        begun = time.perf_counter()
        command = [sys.executable, "-m", "graphne_viz", "view", path, "--no-browser"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            said = process.stdout.readline().strip()
            seconds = time.perf_counter() - begun
            opener = urllib.request.build_opener(
                urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
            )  # as a browser has it
            with opener.open(said.rpartition(" ")[2]) as answer:
                title = re.search(r"<title>(.*?)</title>", answer.read().decode())[1]
            memory, cpu = status_of(process.pid)
            process.send_signal(signal.SIGINT)
            process.wait(60)
        finally:
            process.kill()
    print(f"{chosen.nodes:,} rows, {size / 1e6:.0f} MB: {seconds:.1f} s ({cpu:.1f} s CPU), {memory / 2**30:.2f} GB")
    print(f"in the terminal: {said.rpartition(';')[0]}\ntitle of the page: {title}")


if __name__ == "__main__":
    main()
