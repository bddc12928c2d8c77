"""Embeddings by several processes beside those of one: recall and 15-NN accuracy, in percent.

python benchmarks/embedding_devices.py --graphs cora pubmed --devices 1 2 4
"""

from __future__ import annotations

import argparse
import time

from graphne_viz import datasets, embed
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph


def main():
    """Print a row for each graph and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="+", default=["cora", "pubmed"])
    parser.add_argument("--devices", nargs="+", type=int, default=[1, 2, 4])
    options = parser.parse_args()
    for name in options.graphs:
        graph = as_graph(datasets.load(name))
        for devices in options.devices:
            begun = time.perf_counter()
            E = embed(graph, devices=devices, device="cpu")
            seconds = time.perf_counter() - begun
            recall = 100 * neighbor_recall(graph, E.vectors)
            accuracy = 100 * knn_accuracy(graph, E.vectors, "class", repeats=10)
            print(f"{name} {devices} processes: recall {recall:.1f}, 15-NN {accuracy:.1f}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
