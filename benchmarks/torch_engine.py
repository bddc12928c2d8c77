"""The engine on torch beside the mesh engine: CPU time, divergence and neighbour recall of whole layouts.

The engines take turns, and the first layout of each, which loads or compiles it, is not counted. ``--devices 1,2,4``
compares the engine on torch in so many processes instead; the time is then that of the caller's process.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from graphs import available, load
from quality import neighbor_recall

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task


def lay_out(A, seed, **keywords):
    """Seconds of CPU, KL divergence and neighbour recall of a layout."""
    task = Task(as_graph(A), seed=seed, **keywords)
    begun = time.process_time()
    outcome = task.run()
    return time.process_time() - begun, outcome.kl, neighbor_recall(A, outcome.positions)


def main():
    """Print a line for each graph."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="*", default=["cora", "photo", "pubmed", "arxiv"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--devices", help="numbers of processes")
    chosen = parser.parse_args()
    ways = {engine: {"engine": engine} for engine in ("mesh", "torch")}
    if chosen.devices:
        ways = {f"{k} devices": {"engine": "torch", "devices": int(k)} for k in chosen.devices.split(",")}
    print("| graph | by | KL | difference | recall | CPU s | ratio |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for name in available(chosen.graphs):
        A, _ = load(name)
        for way in ways.values():
            lay_out(A, 0, n_jobs=chosen.n_jobs, n_iter=2, early_exaggeration_iter=2, **way)
        runs = [[lay_out(A, seed, n_jobs=chosen.n_jobs, **way) for way in ways.values()] for seed in range(chosen.runs)]
        means = np.mean(runs, axis=0)
        for by, (seconds, kl, recall) in zip(ways, means, strict=True):
            print(
                f"| {name} | {by} | {kl:.4f} | {kl / means[0, 1] - 1:+.2%} | {recall:.1%} | {seconds:.1f} "
                f"| {seconds / means[0, 0]:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
