"""Embeddings beside those of an earlier checkout, taken in turns: time, neighbour recall and 15-NN accuracy.

    git archive 801c72f | tar x -C /tmp/before
    python benchmarks/embedding_before.py /tmp/before --graphs cora,pubmed --runs 3

Each run is a process of its own, which embeds a small graph first, so that what is imported and compiled is there
before its clock runs. A cell holds the earlier figure, then the present one. Times are medians, the others means over
the seeds; qualities are measured as `embedding.py` does.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from checkouts import HERE, run_in
from embedding import quality
from graphs import available, load
from kept_runs import KeptRuns, add_options

CHECKOUTS = ("before", "after")
FIGURES = {"wall": "seconds", "cpu": "CPU seconds", "recall": "recall %", "knn": "15-NN %"}

ONE_RUN = """
import sys, time
import numpy as np, scipy.sparse as sp
from graphne_viz import embed
source, target, seed = sys.argv[1:]
A = sp.load_npz(source)
ring = np.arange(1500)
embed(np.column_stack([ring, (ring + 1) % 1500]), epochs=2, dim=128)
wall, cpu = time.perf_counter(), time.process_time()
Y = embed(A, seed=int(seed)).vectors
np.savez(target, Y=Y, times=[time.perf_counter() - wall, time.process_time() - cpu])
"""


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--graphs", default="citeseer,cora,pubmed,photo,computer")
    parser.add_argument("--runs", type=int, default=3)
    add_options(parser)
    options = parser.parse_args()
    kept = KeptRuns(options)
    print(f"| graph (runs) | {' | '.join(FIGURES.values())} |\n|---|" + "--:|" * len(FIGURES))
    for name in available(options.graphs.split(",")):
        A, labels = load(name)
        for seed in kept.missing(name, CHECKOUTS, options.runs):
            for when, checkout in zip(CHECKOUTS, (options.checkout, HERE), strict=True):
                wall, cpu, Y = run_in(checkout, ONE_RUN, A, seed)
                kept.add(name, when, seed, wall=wall, cpu=cpu, **quality(A, Y, labels))
        if runs := len(kept.all(name, CHECKOUTS[-1], "wall", options.runs)):
            cells = (kept.beside(name, CHECKOUTS, figure, options.runs) for figure in FIGURES)
            print(f"| {name} ({runs}) | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
