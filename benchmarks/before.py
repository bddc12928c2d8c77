"""The engine beside an earlier one, of another checkout, taken in turns: time, quality, and pictures of both.

    git archive 801c72f | tar x -C /tmp/before
    python benchmarks/before.py /tmp/before --graphs cora,photo --runs 3 --picture before.png

Each run is a process of its own, which lays out a small graph first, so that compiled code is there before its clock
runs. A cell holds the earlier figure, then the present one. Times are medians, qualities means over the seeds. The KL
divergence is exact up to 30,000 nodes and by the mesh beyond; 15-NN accuracy is the mean of five splits.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from checkouts import HERE, run_in
from graphs import available, load, row_normalised
from kept_runs import KeptRuns, add_options
from quality import exact_kl, knn_accuracy, neighbor_recall

from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.layout.engine.repulsion import Mesh

ALL = "citeseer,cora,photo,computer,pubmed,mnist_knn,arxiv"
EXACT_UP_TO = 30_000
CHECKOUTS = ("before", "after")
FIGURES = {
    "wall": "seconds",
    "cpu": "CPU seconds",
    "kl": "KL",
    "recall": "recall %",
    "knn": "15-NN %",
    "distances": "distances %",
}
FORMS = {"wall": "{:.2f}", "cpu": "{:.2f}", "kl": "{:.3f}"}

ONE_RUN = """
import sys, time
import numpy as np, scipy.sparse as sp
from graphne_viz import graphne_layout
source, target, seed = sys.argv[1:]
A = sp.load_npz(source)
ring = np.arange(1500)
graphne_layout(np.column_stack([ring, (ring + 1) % 1500]))
wall, cpu = time.perf_counter(), time.process_time()
Y = graphne_layout(A, seed=int(seed), scale=None)
np.savez(target, Y=Y, times=[time.perf_counter() - wall, time.process_time() - cpu])
"""


def divergence(P, Y):
    """KL(P, Q), exact for graphs that are small enough."""
    if len(Y) <= EXACT_UP_TO:
        return exact_kl(P, Y)
    x, y = np.ascontiguousarray(Y.T, dtype=np.float32)
    mesh = Mesh(len(Y))
    mesh.deposit(x, y)
    with ThreadTeam(count_cores()) as team:
        z = mesh.collect(team)
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    squares = ((Y[rows] - Y[P.indices]) ** 2).sum(axis=1)
    return float(P.data @ (np.log(P.data) + np.log1p(squares)) + np.log(z))


def measure(A, P, labels, Y):
    """KL divergence, and in per cent recall, accuracy and distance correlation, by name."""
    accuracy = np.mean([knn_accuracy(Y, labels, split) for split in range(5)])
    shares = neighbor_recall(A, Y), accuracy, metrics.distance_correlation(A, Y, seed=0)
    return {"kl": divergence(P, Y)} | dict(zip(("recall", "knn", "distances"), 100 * np.array(shares), strict=True))


def draw(pictures, path):
    """Draw the layouts of both, a row a graph."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - only for the picture
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(10, 5 * len(pictures)))
    FigureCanvasAgg(figure)
    rows = figure.subplots(len(pictures), 2, squeeze=False)
    for row, (name, (labels, *layouts)) in zip(rows, pictures.items(), strict=True):
        for ax, when, Y in zip(row, ("before", "after"), layouts, strict=True):
            ax.scatter(*Y.T, s=max(3000 / len(Y), 0.05), c=labels, cmap="tab20", linewidths=0)
            ax.set_title(f"{name}, {when}", fontsize=9)
            ax.set_aspect("equal")
            ax.set_axis_off()
    figure.savefig(path, dpi=60, bbox_inches="tight")


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--graphs", default=ALL)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--picture")
    add_options(parser)
    arguments = parser.parse_args()
    kept = KeptRuns(arguments)
    print(f"| graph (runs) | {' | '.join(FIGURES.values())} |\n|---|" + "--:|" * len(FIGURES))
    pictures = {}
    for name in available(arguments.graphs.split(",")):
        A, labels = load(name)
        P = row_normalised(A)
        layouts = {}
        for seed in kept.missing(name, CHECKOUTS, arguments.runs):
            for when, checkout in zip(CHECKOUTS, (arguments.checkout, HERE), strict=True):
                wall, cpu, layouts[when] = run_in(checkout, ONE_RUN, A, seed)
                kept.add(name, when, seed, wall=wall, cpu=cpu, **measure(A, P, labels, layouts[when]))
        if layouts:
            pictures[name] = labels, *layouts.values()
        if runs := len(kept.all(name, CHECKOUTS[-1], "wall", arguments.runs)):
            cells = (
                kept.beside(name, CHECKOUTS, figure, arguments.runs, FORMS.get(figure, "{:.1f}")) for figure in FIGURES
            )
            print(f"| {name} ({runs}) | {' | '.join(cells)} |", flush=True)
    if arguments.picture:
        draw(pictures, arguments.picture)


if __name__ == "__main__":
    main()
