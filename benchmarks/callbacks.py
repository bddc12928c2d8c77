"""What an empty callback every ten iterations costs a layout, with and without it in turns.

    python benchmarks/callbacks.py --graphs cora,photo --runs 15

CPU and wall seconds are medians; the cost is the median of each pair's quotient. One that reads ``snapshot.kl`` has it
computed, and is printed beside it.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from graphs import available, load

from graphne_viz import graphne_layout

KINDS = {"without": None, "empty": lambda _: None, "reads the KL": lambda snapshot: snapshot.kl < 0}


def timed(A, callback):
    """Wall and CPU seconds of a layout."""
    wall, cpu = time.perf_counter(), time.process_time()
    graphne_layout(A, seed=0, scale=None, callback=callback, callback_every=10)
    return time.perf_counter() - wall, time.process_time() - cpu


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="citeseer,cora,photo,pubmed")
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    print("| graph | without, s (CPU) | empty callback, CPU (at most +3 %) | one that reads the KL, CPU |")
    print("|---|--:|--:|--:|")
    for name in available(arguments.graphs.split(",")):
        A, _ = load(name)
        timed(A, None)
        runs = [{kind: timed(A, callback) for kind, callback in KINDS.items()} for _ in range(arguments.runs)]
        wall, cpu = (median(run["without"][k] for run in runs) for k in (0, 1))
        costs = [
            f"{100 * (median(run[kind][1] / run['without'][1] for run in runs) - 1):+.1f} %"
            for kind in ("empty", "reads the KL")
        ]
        print(f"| {name} | {wall:.2f} ({cpu:.2f}) | {costs[0]} | {costs[1]} |", flush=True)


if __name__ == "__main__":
    main()
