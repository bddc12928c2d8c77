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
from graphne_viz.layout.optimizer import Descent
from graphne_viz.layout.repulsion import Mesh
from graphne_viz.layout.team import Team, count_cores

NAME = "debian_contents"
ITERATIONS = 5


def seconds_an_iteration(Y, P, **settings):
    """Time a few steps from a finished layout; the first, which sets up, does not count."""
    affinities = openTSNE.affinity.PrecomputedAffinities(P.copy())
    embedding = openTSNE.TSNEEmbedding(Y, affinities, n_jobs=-1, **settings)
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
    ours, stock = [], []
    for _ in range(3):
        with Team(count_cores()) as team:
            ours.append(seconds_an_iteration(Y, P, optimizer=Descent(team, repulsion=Mesh(len(Y)))))
        stock.append(seconds_an_iteration(Y, P, negative_gradient_method="fft"))
    ratio = median(stock) / median(ours)
    print(f"one late iteration {1e3 * median(ours):.0f} ms, openTSNE {1e3 * median(stock):.0f} ms, {ratio:.1f} x less")


if __name__ == "__main__":
    main()
