"""How time and memory of a layout grow with the graph: made graphs of stochastic blocks, up to ten million nodes.

python benchmarks/scaling.py                                # 10^5 and 10^6 nodes, the mesh engine
python benchmarks/scaling.py 100000 1000000 10000000        # within 8 GB
python benchmarks/scaling.py --engine torch --jobs 1 10000 100000    # another engine, one thread

Every layout has a process of its own, so that peak memory is its own. An iteration is one of the last hundred. The
exponent printed is that of CPU time between the smallest graph and the largest. The bandwidth is that of copying a
large array, read and written, by one thread in CPU time, after the layout: `scaling_model.py` compares it with what
an iteration moves.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

BLOCK = 1000
"""Nodes in a block."""

WITHIN = 0.8
"""Share of the edges that stay within a block."""

LAST = 100
"""Iterations at the end that are timed."""

COPIED = 1 << 28
"""Bytes of the array that is copied."""


def stochastic_blocks(n_nodes, n_edges, seed=0):
    """Edges of a graph of blocks of `BLOCK` nodes, shape (n_edges, 2), some of them twice, 8 bytes an edge."""
    rng = np.random.default_rng(seed)
    edges = np.empty((n_edges, 2), dtype=np.int32)
    for begin in range(0, n_edges, 1 << 22):
        part = edges[begin : begin + (1 << 22)]
        part[:, 0] = rng.integers(0, n_nodes, len(part))
        low = part[:, 0] // BLOCK * BLOCK
        near = low + rng.integers(0, np.minimum(BLOCK, n_nodes - low))
        part[:, 1] = np.where(rng.random(len(part)) < WITHIN, near, rng.integers(0, n_nodes, len(part)))
    return edges


def bandwidth():
    """Bytes a second that one thread reads and writes, in CPU time, when it copies; the best of some copies."""
    one, other = np.ones(COPIED, np.uint8), np.ones(COPIED, np.uint8)
    taken = []
    for _ in range(8):
        begun = time.process_time()
        other[:] = one
        taken.append(time.process_time() - begun)
    return 2 * COPIED / min(taken)


def lay_out(n_nodes, keywords):
    """Print the figures of one layout as a line of JSON."""
    from graphne_viz.graphs.convert.api import as_graph  # noqa: PLC0415 - not in the process that only starts others
    from graphne_viz.layout.task import Task  # noqa: PLC0415

    Task(as_graph(stochastic_blocks(2000, 8000)), **keywords).run()  # compiles
    seen = []
    wall, cpu = time.perf_counter(), time.process_time()
    graph = as_graph(stochastic_blocks(n_nodes, 5 * n_nodes))
    made = time.process_time() - cpu
    outcome = Task(graph, **keywords).run(
        lambda snapshot: seen.append((snapshot.iteration, time.process_time())) and None, every=10
    )
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    (first, before), (last, after) = next(one for one in seen if one[0] >= seen[-1][0] - LAST), seen[-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
    figures = {"nodes": n_nodes, "edges": graph.n_pairs, "wall": wall, "cpu": cpu, "made": made, "peak": peak}
    figures |= {"iterations": outcome.iterations, "iteration": (after - before) / (last - first)}
    print(json.dumps({**figures, "kl": outcome.kl, "copied": bandwidth()}), flush=True)


def main():
    """Print a line for each graph, and the exponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--engine", default="mesh")
    parser.add_argument("--jobs", type=int, help="threads; all cores by default")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    keywords = {"engine": chosen.engine, "n_jobs": chosen.jobs or -1}
    if chosen.one:
        lay_out(chosen.nodes[0], keywords)
        return
    print("| nodes | edges | wall s | CPU s | of which reading | CPU ms an iteration | peak GB | bytes a node | KL |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    found = []
    for n in chosen.nodes:
        command = [sys.executable, str(Path(__file__)), str(n), "--engine", chosen.engine, "--one"]
        command += ["--jobs", str(chosen.jobs)] if chosen.jobs else []
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        one = json.loads(done.stdout)
        found.append(one)
        print(
            f"| {one['nodes']:,} | {one['edges']:,} | {one['wall']:.0f} | {one['cpu']:.1f} | {one['made']:.1f} "
            f"| {1e3 * one['iteration']:.1f} | {one['peak']:.2f} | {one['peak'] * 2**30 / n:.0f} | {one['kl']:.3f} |",
            flush=True,
        )
    print("GB a second of a copy: " + ", ".join(f"{one['copied'] / 1e9:.1f}" for one in found))
    if len(found) > 1:
        first, last = found[0], found[-1]
        exponent = math.log(last["cpu"] / first["cpu"]) / math.log(last["nodes"] / first["nodes"])
        print(f"CPU time grows as n^{exponent:.2f}")


if __name__ == "__main__":
    main()
