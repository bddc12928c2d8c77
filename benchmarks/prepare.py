"""Edges that do not fit into memory: time, memory and disk of ``graphne prepare``, on edges made here.

python benchmarks/prepare.py --edges 10000000
python benchmarks/prepare.py --edges 100000000

Ids are text, which is the hardest; a tenth as many nodes as edges, most edges within blocks of a thousand nodes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from graphne_viz.graphs.shards.reader import open_shards

AT_ONCE = 1_000_000
BLOCK = 1_000


def numbers(edges, nodes, seed=0):
    """Yield the ends of edges, some at a time; in the same order whenever asked."""
    rng = np.random.default_rng(seed)
    for first in range(0, edges, AT_ONCE):
        count = min(AT_ONCE, edges - first)
        source = rng.integers(0, nodes, count)
        near = source // BLOCK * BLOCK + rng.integers(0, BLOCK, count)
        far = rng.integers(0, nodes, count)
        target = np.where(rng.random(count) < 0.9, np.minimum(near, nodes - 1), far)
        yield source, target


def text(values):
    """Write numbers as the ids that a database might have."""
    return compute.binary_join_element_wise("user", compute.cast(pa.array(values), pa.string()), "-")


def make(path, edges, nodes):
    """Write a Parquet file of edges."""
    schema = pa.schema({"source": pa.string(), "target": pa.string()})
    with parquet.ParquetWriter(path, schema) as file:
        for source, target in numbers(edges, nodes):
            file.write_table(pa.table([text(source), text(target)], schema=schema))


def check(folder, edges, nodes):
    """Compare the rows of some nodes with the edges that were made."""
    shards = open_shards(folder)
    first = shards.n_nodes // 2
    rows = shards.rows(first, first + 5).toarray()
    names = shards.ids().to_numpy(zero_copy_only=False) if shards.n_nodes < 2_000_000 else None
    watched = [int(name.removeprefix("user-")) for name in shards.ids(first, first + 5).to_pylist()]
    found = dict.fromkeys(watched, 0)
    for source, target in numbers(edges, nodes):
        for node in watched:
            found[node] += int(((source == node) != (target == node)).sum())
    expected = [found[node] for node in watched]
    if rows.sum(axis=1).tolist() != expected:
        raise SystemExit(f"rows add up to {rows.sum(axis=1).tolist()}, not to {expected}")
    if names is not None and sorted(names) != names.tolist():
        raise SystemExit("ids are not in order")
    return shards


def measure(command):
    """Run a command; seconds, processor seconds, and the most memory that it had, in bytes."""
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"it failed: {status}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    """Make edges, prepare them, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, help="for the files, about 100 bytes an edge; default: a temporary one")
    parser.add_argument("--file", type=Path, help="keep the edges there, and take them from there the next time")
    options = parser.parse_args()
    edges, nodes = options.edges, max(options.edges // 10, 2)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path, shards = options.file or Path(folder) / "edges.parquet", Path(folder) / "shards"
        if not path.exists():
            make(path, edges, nodes)
            if options.file:
                return
        command = [sys.executable, "-m", "graphne_viz.cli", "prepare", str(path), "-o", str(shards), "--quiet"]
        seconds, cpu, memory = measure(command)
        found = check(shards, edges, nodes)
        size = sum(file.stat().st_size for file in shards.iterdir())
        print(f"{edges:,} edges of {found.n_nodes:,} nodes, {path.stat().st_size / 1e9:.2f} GB of Parquet")
        print(f"{seconds:.0f} s, {cpu:.0f} s of processor time, {memory / 1e9:.2f} GB of memory at most")
        print(f"{len(found.manifest.shards)} shards, {size / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
