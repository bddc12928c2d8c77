"""Time and quality of graphne_layout, openTSNE and SGtSNEpi on the same graphs, taken in turns.

    python benchmarks/speed.py --graphs cora,photo --runs 3

Every run takes another seed; figures are medians of times and means of qualities over the runs, in a cell those of
graphne_layout, openTSNE and SGtSNEpi. openTSNE and SGtSNEpi take their 750 iterations, graphne_layout its default, all
from the same adjacency matrix, start included. Each run is a process of its own, which lays out a small graph first, so
that compiled code is there and nothing of the others is left. 15-NN accuracy is the mean of five splits. The large
graphs take long: ``--keep FILE --seconds 240`` measures as much as there is time for, and the next call goes on.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import numpy as np
import openTSNE
import scipy.sparse as sp
from graphs import available, load, row_normalised
from kept_runs import KeptRuns, add_options
from quality import exact_kl, knn_accuracy, neighbor_recall

import graphne_viz
from graphne_viz.evaluation.metrics import api as metrics

SPLITS = 5
RING = 1500
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
    """Run a method once it is warm; wall seconds, CPU seconds and layout."""
    ring = np.arange(RING)
    cycle = sp.csr_matrix((np.ones(RING), (ring, (ring + 1) % RING)))
    method(cycle + cycle.T, 0)
    wall, cpu = time.perf_counter(), time.process_time()
    Y = method(A, seed)
    return time.perf_counter() - wall, time.process_time() - cpu, np.asarray(Y, dtype=np.float64)


def alone(method, A, seed):
    """Do the same in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(timed, method, A, seed).result()


def measure(name, runs, kept):
    """Measure all methods on one graph in turns, as far as they have not been; the names of the methods."""
    methods = {"graphne": ours, "opentsne": stock} | ({"sgtsnepi": sgtsnepi} if name in SGTSNEPI_ON else {})
    A, labels = load(name)
    P = row_normalised(A)
    for seed in kept.missing(name, methods, runs):
        for key, method in methods.items():
            wall, cpu, Y = alone(method, A, seed)
            kept.add(
                name,
                key,
                seed,
                wall=wall,
                cpu=cpu,
                kl=exact_kl(P, Y),
                recall=100 * neighbor_recall(A, Y),
                knn=100 * np.mean([knn_accuracy(Y, labels, split) for split in range(SPLITS)]),
                distances=100 * metrics.distance_correlation(A, Y, seed=0),
            )
    return methods


def row(name, methods, runs, kept):
    """Write the row of a graph."""

    def times(method):
        wall, cpu = (median(kept.all(name, method, figure, runs)) for figure in ("wall", "cpu"))
        return wall, f"{wall:.2f} ({cpu:.2f})"

    def means(figure, form="{:.1f}"):
        found = [np.mean(kept.all(name, method, figure, runs)) for method in methods]
        return ", ".join(form.format(value) for value in found), found

    wall, mine = times("graphne")
    cells = [f"{name} ({len(kept.all(name, 'graphne', 'wall', runs))})", mine]
    for method in ("opentsne", "sgtsnepi"):
        if method in methods:
            theirs, text = times(method)
            cells += [text, f"{theirs / wall:.1f} x"]
        else:
            cells += ["", ""]
    text, (kl, kl_of_opentsne, *_) = means("kl", "{:.3f}")
    cells.append(f"{text} ({100 * (kl / kl_of_opentsne - 1):+.1f} %)")
    cells += [means(figure)[0] for figure in ("recall", "knn", "distances")]
    return f"| {' | '.join(cells)} |"


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default=ALL)
    parser.add_argument("--runs", type=int, default=3)
    add_options(parser)
    arguments = parser.parse_args()
    kept = KeptRuns(arguments)
    print(
        "| graph (runs) | seconds (CPU) | openTSNE | ratio | SGtSNEpi | ratio | exact KL | recall % | 15-NN % "
        "| distances % |\n|---|" + "--:|" * 9
    )
    for name in available(arguments.graphs.split(",")):
        methods = measure(name, arguments.runs, kept)
        if kept.all(name, "opentsne", "wall", arguments.runs):
            print(row(name, methods, arguments.runs, kept), flush=True)


if __name__ == "__main__":
    main()
