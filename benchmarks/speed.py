"""Time and quality of graphne_layout, openTSNE and SGtSNEpi on the same graphs, taken in turns.

    python benchmarks/speed.py --graphs cora,photo --runs 3

Every run takes another seed; figures are medians of times and means of qualities over the runs. openTSNE and SGtSNEpi
take their 750 iterations, graphne_layout its default of 250 or 300, all from the same adjacency matrix, start included.
"""

from __future__ import annotations

import argparse
import time
from statistics import mean, median

import numpy as np
import openTSNE
import scipy.sparse as sp
from graphs import available, load, row_normalised
from quality import exact_kl, knn_accuracy, neighbor_recall

import graphne_viz

ALL = "citeseer,cora,photo,computer,pubmed,mnist_knn,arxiv"
SGTSNEPI_ON = {"citeseer", "cora", "photo", "computer", "pubmed"}


def ours(A, seed):
    """Lay out with this package, defaults throughout."""
    return graphne_viz.graphne_layout(A, seed=seed, scale=None)


def stock(A, seed):
    """Lay out as the paper does, with openTSNE on all cores."""
    affinities = openTSNE.affinity.PrecomputedAffinities(row_normalised(A))
    tsne = openTSNE.TSNE(initialization="spectral", n_jobs=-1, random_state=seed)
    return np.asarray(tsne.fit(affinities=affinities))


def sgtsnepi(A, seed):  # noqa: ARG001 - it takes no seed
    """Lay out with SGtSNEpi, C++ on one thread."""
    from sgtsnepi import sgtsnepi as run  # noqa: PLC0415 - only where it is compared with

    return np.asarray(run(sp.csc_matrix(A), d=2, max_iter=750, lambda_par=10, silent=True)).T


def timed(method, A, seed):
    """Run a method; wall seconds, CPU seconds and layout."""
    wall, cpu = time.perf_counter(), time.process_time()
    Y = method(A, seed)
    return time.perf_counter() - wall, time.process_time() - cpu, np.asarray(Y, dtype=np.float64)


def measure(name, runs):
    """Measure all methods on one graph in turns; a dict of method to its figures."""
    A, labels = load(name)
    P = row_normalised(A)
    methods = {"graphne": ours, "opentsne": stock}
    if name in SGTSNEPI_ON:
        methods["sgtsnepi"] = sgtsnepi
    figures = {key: {"wall": [], "cpu": [], "kl": [], "recall": [], "knn": []} for key in methods}
    for seed in range(runs):
        for key, method in methods.items():
            wall, cpu, Y = timed(method, A, seed)
            for figure, value in (
                ("wall", wall),
                ("cpu", cpu),
                ("kl", exact_kl(P, Y)),
                ("recall", 100 * neighbor_recall(A, Y)),
                ("knn", 100 * knn_accuracy(Y, labels, seed)),
            ):
                figures[key][figure].append(value)
    return figures


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default=ALL)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    graphne_viz.graphne_layout(np.array([[0, 1], [1, 2], [2, 3]]))  # compiled before any clock runs
    ours(load("cora")[0], 0) if available(["cora"]) else None
    print(
        "| graph | seconds (CPU) | openTSNE | ratio | SGtSNEpi | ratio | exact KL, openTSNE's "
        "| recall %, openTSNE's, SGtSNEpi's | 15-NN %, openTSNE's |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    )
    for name in available(arguments.graphs.split(",")):
        figures = measure(name, arguments.runs)
        us, them = figures["graphne"], figures["opentsne"]
        third = figures.get("sgtsnepi")
        wall = median(us["wall"])
        cells = [
            name,
            f"{wall:.2f} ({median(us['cpu']):.2f})",
            f"{median(them['wall']):.1f} ({median(them['cpu']):.1f})",
            f"{median(them['wall']) / wall:.1f} x",
            f"{median(third['wall']):.2f} ({median(third['cpu']):.2f})" if third else "",
            f"{median(third['wall']) / wall:.1f} x" if third else "",
            f"{mean(us['kl']):.3f}, {mean(them['kl']):.3f} ({100 * (mean(us['kl']) / mean(them['kl']) - 1):+.1f} %)",
            f"{mean(us['recall']):.1f}, {mean(them['recall']):.1f}"
            + (f", {mean(third['recall']):.1f}" if third else ""),
            f"{mean(us['knn']):.1f}, {mean(them['knn']):.1f}",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
