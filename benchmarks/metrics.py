"""Seconds that measuring takes: every metric, and the two that must be quick.

    python benchmarks/metrics.py --graphs arxiv,mnist_knn

Each graph is laid out in the plane and all its nodes are measured; then random vectors in 128 dimensions are measured
on a sample of 1,000 nodes, or on all with ``--sample 0``. The first calls, which load compiled code, are not counted.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from graphs import available, load

from graphne_viz import graphne_layout
from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.graphs.convert.api import as_graph

NAMES = (
    "neighbor_recall",
    "two_hop_recall",
    "link_prediction_auc",
    "distance_correlation",
    "knn_accuracy",
    "linear_accuracy",
)
WITHOUT_SAMPLE = {"distance_correlation"}


def measure(graph, Y, labels, sample):
    """Value and seconds of each metric."""
    for name in NAMES:
        more = (labels,) if "accuracy" in name else ()
        options = {} if name in WITHOUT_SAMPLE or sample is None else {"sample": sample}
        start = time.perf_counter()
        value = getattr(metrics, name)(graph, Y, *more, **options)
        yield value, time.perf_counter() - start


def warm_up():
    """Use every metric once on little in few and in many dimensions."""
    graph = as_graph(np.column_stack([np.arange(2000), (np.arange(2000) + 1) % 2000]))
    for dimension in (2, 128):
        Y = np.random.default_rng(0).normal(size=(2000, dimension))
        list(measure(graph, Y, np.arange(2000) % 2, 100))


def main():
    """Print one row a graph and dimension."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="arxiv,mnist_knn")
    parser.add_argument("--sample", type=int, default=1000, help="nodes to measure in 128 dimensions, 0 for all")
    arguments = parser.parse_args()
    warm_up()
    print(f"| graph | nodes measured | {' | '.join(NAMES)} |\n|---|---|" + "--:|" * len(NAMES))
    for name in available(arguments.graphs.split(",")):
        A, labels = load(name)
        graph = as_graph(A)
        vectors = np.random.default_rng(0).normal(size=(graph.n_nodes, 128))
        for Y, sample in ((np.asarray(graphne_layout(graph)), None), (vectors, arguments.sample or None)):
            cells = [f"{value:.3f} in {seconds:.1f} s" for value, seconds in measure(graph, Y, labels, sample)]
            where = f"{sample or graph.n_nodes:,} in {Y.shape[1]}D"
            print(f"| {name} | {where} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
