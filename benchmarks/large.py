"""A graph of 683,159 nodes: the whole run's time and memory, and one late iteration beside openTSNE's.

python benchmarks/large.py
"""

from __future__ import annotations

import resource
import sys
import time
from statistics import median

import numpy as np
import openTSNE
from graphs import available, load, row_normalised

from graphne_viz import graphne_layout
from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.layout.engine.parts.one_part import OnePart
from graphne_viz.layout.engine.repulsion import Mesh

NAME = "debian_contents"
ITERATIONS = 5


def ours(Y, P):
    """Seconds of one of our steps from a finished layout; the first, which sets up, does not count."""
    with ThreadTeam(count_cores()) as team:
        part = OnePart(Y, P, team, 1, np.full(len(Y), len(Y), np.float32), Mesh(len(Y)))
        part.begin(1, 0.8)
        part.iterate(1)
        begun = time.perf_counter()
        part.iterate(ITERATIONS)
        return (time.perf_counter() - begun) / ITERATIONS


def opentsne(Y, P):
    """Seconds of one of openTSNE's steps from a finished layout; the first, which sets up, does not count."""
    affinities = openTSNE.affinity.PrecomputedAffinities(P.copy())
    embedding = openTSNE.TSNEEmbedding(Y, affinities, n_jobs=-1, negative_gradient_method="fft")
    embedding.optimize(1, inplace=True)
    begun = time.perf_counter()
    embedding.optimize(1, inplace=True)
    one = time.perf_counter() - begun
    begun = time.perf_counter()
    embedding.optimize(1 + ITERATIONS, inplace=True)
    # Each call also evaluates the KL divergence once, so the difference is what the iterations took.
    return (time.perf_counter() - begun - one) / ITERATIONS


def main():
    """Print the figures in three lines."""
    if not available([NAME]):
        return
    A, _ = load(NAME)
    graphne_layout(np.array([[0, 1], [1, 2], [2, 3]]))
    wall, cpu = time.perf_counter(), time.process_time()
    Y = graphne_layout(A, scale=None)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
    print(f"{NAME}: {A.shape[0]:,} nodes, {A.nnz // 2:,} edges")
    print(f"whole run {wall:.0f} s ({cpu:.0f} s CPU), peak memory {peak:.1f} GB", flush=True)
    P = row_normalised(A)
    times = [(ours(Y, P), opentsne(Y, P)) for _ in range(3)]
    mine, stock = (median(column) for column in zip(*times, strict=True))
    print(f"one late iteration {1e3 * mine:.0f} ms, openTSNE {1e3 * stock:.0f} ms, {stock / mine:.1f} x less")


if __name__ == "__main__":
    main()
