"""Schedules of the optimiser beside each other: quality and CPU time, a row for each graph and schedule.

    python benchmarks/schedule.py --graphs cora,photo --runs 3 --schedules "default;80@.9x12|160@.95x1,20@.8x1"

A schedule is a list of stages, iterations @ momentum x exaggeration, those of the early phase before the bar. "default"
is what the package chooses, "opentsne" its 250 and 500 iterations with momentum 0.8. Figures are means over the runs,
which differ by their seed: exact KL divergence, neighbour recall, 15-NN accuracy (mean of five splits), rank
correlation of distances, CPU seconds of the whole layout.
"""

from __future__ import annotations

import argparse
import time
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from graphs import available, load, row_normalised
from quality import exact_kl, knn_accuracy, neighbor_recall

from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.engine import run
from graphne_viz.layout.engine.schedule import EARLY, LATE, Stage
from graphne_viz.layout.task import Task

SCHEDULES = (
    "default",
    "opentsne",
    "100@.9x12|150@.95x1,20@.8x1",  # no steps
    "100@.9x12,40@.9x3|140@.95x1,20@.8x1",  # one step
    "80@.9x12,20@.9x4,20@.9x2|110@.95x1,20@.8x1",  # two steps, 250 iterations
    "80@.9x12,20@.9x4,20@.9x2|160@.95x1,20@.8x1",  # two steps, 300 iterations
    "80@.9x12,20@.9x4,20@.9x2|110@.97x1,20@.8x1",  # more momentum
    "120@.9x12,30@.9x4,30@.9x2|120@.9x1,20@.8x1",  # less momentum
)


def parse(text):
    """Read the stages of a schedule."""
    stages = []
    for phase, part in zip((EARLY, LATE), text.split("|"), strict=True):
        for piece in filter(None, part.split(",")):
            iterations, rest = piece.split("@")
            momentum, exaggeration = rest.split("x")
            stages.append(Stage(phase, int(iterations), float(exaggeration), float(momentum)))
    return tuple(stages)


def lay_out(graph, schedule, seed):
    """Lay out by a schedule; positions and CPU seconds."""
    task = Task(graph, seed=seed, **({"n_iter": 500} if schedule == "opentsne" else {}))
    begun = time.process_time()
    if schedule in {"default", "opentsne"}:
        positions = task.run().positions
    else:
        with patch.object(run, "stages", lambda *_: parse(schedule)):
            positions = task.run().positions
    return positions, time.process_time() - begun


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="citeseer,cora,photo,computer,pubmed,mnist_knn,arxiv")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--schedules", default=";".join(SCHEDULES))
    arguments = parser.parse_args()
    print("| graph | schedule | exact KL | recall % | 15-NN % | distances % | CPU s |\n|---|---|--:|--:|--:|--:|--:|")
    for name in available(arguments.graphs.split(",")):
        A, labels = load(name)
        graph, P = as_graph(sp.csr_array(A)), row_normalised(A)
        Task(graph).run()  # compiled, or loaded, before any clock runs
        for schedule in arguments.schedules.split(";"):
            found = []
            for seed in range(arguments.runs):
                Y, seconds = lay_out(graph, schedule, seed)
                accuracy = np.mean([knn_accuracy(Y, labels, split) for split in range(5)])
                distances = metrics.distance_correlation(A, Y, seed=0)
                found.append((exact_kl(P, Y), 100 * neighbor_recall(A, Y), 100 * accuracy, 100 * distances, seconds))
            kl, recall, accuracy, distances, seconds = np.mean(found, axis=0)
            cells = f"{kl:.3f} | {recall:.1f} | {accuracy:.1f} | {distances:.1f} | {seconds:.2f}"
            print(f"| {name} | `{schedule.replace('|', '/')}` | {cells} |", flush=True)


if __name__ == "__main__":
    main()
