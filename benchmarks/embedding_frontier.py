"""Positions of the dial, measured by all six metrics beside the paper's figures, and drawn as a frontier.

    python benchmarks/embedding_frontier.py --graphs citeseer,cora,pubmed,photo,computer --runs 3
    python benchmarks/embedding_frontier.py --graphs cora --focus 0,0.25,0.5,0.75,1 --figure docs/images/frontier.png
    python benchmarks/embedding_frontier.py --graphs cora,photo --temperatures 0.03,0.04,0.05
    python benchmarks/embedding_frontier.py --graphs cora --focus 0,0.25,0.5,0.75,1 --projections cora.png

What has been measured is kept in a file, so that the script can be stopped and started again; after a change to the
training, name another one (`--file`) or remove it. Accuracies are means over
20 splits, or fewer on large graphs. All graphs have the same settings. The column "gain" is what settings are to be
chosen by: the mean of recall, 2-hop recall and distance correlation above the paper's, for which no labels are needed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import product
from pathlib import Path
from statistics import mean, stdev

from graphs import available, load

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.projection import project
from graphne_viz.evaluation.metrics.api import (
    distance_correlation,
    knn_accuracy,
    linear_accuracy,
    link_prediction_auc,
    neighbor_recall,
    two_hop_recall,
)

METRICS = {
    "recall": "recall",
    "knn": "15-NN",
    "linear": "linear",
    "two_hop": "2-hop",
    "pearson": "distance, Pearson",
    "spearman": "Spearman",
    "auc": "link AUC",
}
PAPER = {
    "citeseer": (81.0, 72.0, 71.5, 44.5, 67.4),
    "cora": (83.8, 82.7, 84.3, 46.3, 81.6),
    "pubmed": (44.3, 84.1, 80.9, 35.9, 71.4),
    "photo": (70.3, 94.3, 93.0, 27.2, 82.4),
    "computer": (64.8, 92.4, 89.7, 25.9, 75.6),
    "arxiv": (72.3, 71.3, 62.6, 30.3, 60.7),
}
"""Of graph NE in 128 dimensions; its distances are Pearson's."""

SPLITS, LARGE, SAMPLE = 20, 100_000, 10_000

KEY = ("graph", "focus", "seed", "temperature")
"""What tells one record from another; no temperature is that of the preset."""


UNLABELLED = {"recall": 0, "two_hop": 3, "pearson": 4}
"""Metrics that need no labels, and their places in the paper's rows."""


def measure(name, focus, seed, temperature):
    """Embed a graph; figures by name."""
    A, labels = load(name)
    wall, cpu = time.perf_counter(), time.process_time()
    E = embed(A, focus=focus, seed=seed, temperature=temperature)
    figures = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    sample = SAMPLE if A.shape[0] > LARGE else None
    splits = 1 if sample else SPLITS
    found = {
        "recall": neighbor_recall(A, E, sample=sample),
        "knn": knn_accuracy(A, E, labels, repeats=splits, sample=sample, seed=seed),
        "linear": linear_accuracy(A, E, labels, repeats=min(splits, 200_000 // A.shape[0] or 1), seed=seed),
        "two_hop": two_hop_recall(A, E, sample=sample),
        "pearson": mean(distance_correlation(A, E, kind="pearson", seed=3 * seed + k) for k in range(3)),
        "spearman": mean(distance_correlation(A, E, seed=3 * seed + k) for k in range(3)),
        "auc": link_prediction_auc(A, E, seed=seed),
    }
    return figures | {metric: 100 * float(value) for metric, value in found.items()}


def measured(file, names, positions, temperatures, runs):
    """Yield a record for each graph, position, temperature and seed, from the file where it is there already."""
    kept = {}
    if file.exists():
        for line in file.read_text().splitlines():
            record = json.loads(line)
            kept[tuple(record.get(part) for part in KEY)] = record
    for key in product(names, positions, range(runs), temperatures):
        if key not in kept:
            kept[key] = dict(zip(KEY, key, strict=True)) | measure(*key)
            with file.open("a") as stream:
                stream.write(json.dumps(kept[key]) + "\n")
            print(f"  {kept[key]}", file=sys.stderr, flush=True)
        yield kept[key]


def print_table(records):
    """Print a row for each graph and position, with the paper's figures below."""
    print(f"| graph | focus | temperature | runs | {' | '.join(METRICS.values())} | gain | seconds (CPU) |")
    print(f"|---|--:|--:|--:|{'--:|' * (len(METRICS) + 2)}")
    groups = {}
    for record in records:
        groups.setdefault((record["graph"], record["focus"], record.get("temperature")), []).append(record)
    last = None
    for (name, focus, temperature), found in groups.items():
        if last not in {None, name}:
            print_paper(last)
        cells = []
        for metric in METRICS:
            values = [record[metric] for record in found]
            cells.append(f"{mean(values):.1f}" + (f" ± {stdev(values):.1f}" if len(values) > 1 else ""))
        times = f"{mean(record['wall'] for record in found):.1f} ({mean(record['cpu'] for record in found):.1f})"
        tau = "default" if temperature is None else f"{temperature:g}"
        print(f"| {name} | {focus:g} | {tau} | {len(found)} | {' | '.join(cells)} | {gain(name, found)} | {times} |")
        last = name
    if last:
        print_paper(last)


def gain(name, found):
    """Return how far the metrics without labels are above the paper's, in points."""
    if name not in PAPER:
        return ""
    return f"{mean(record[metric] - PAPER[name][at] for record in found for metric, at in UNLABELLED.items()):+.1f}"


def print_paper(name):
    """Print the paper's row."""
    if name in PAPER:
        print(f"| {name} | paper | 0.05 | 3 | {' | '.join(f'{value:.1f}' for value in PAPER[name])} | | | | |")


def draw(records, path):
    """Draw recall against linear accuracy and against the correlation of distances, a line for each graph."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only for a figure

    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for number, name in enumerate(dict.fromkeys(record["graph"] for record in records)):
        mine = [record for record in records if record["graph"] == name]
        positions = sorted({record["focus"] for record in mine})
        means = {
            metric: [mean(record[metric] for record in mine if record["focus"] == focus) for focus in positions]
            for metric in ("recall", "linear", "pearson")
        }
        for ax, metric, place in zip(axes, ("linear", "pearson"), (2, 4), strict=True):
            color = f"C{number}"
            ax.plot(means["recall"], means[metric], "o-", color=color, label=name, markersize=4)
            for x, y, focus in zip(means["recall"], means[metric], positions, strict=True):
                ax.annotate(f"{focus:g}", (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)
            if name in PAPER:
                ax.plot(PAPER[name][0], PAPER[name][place], "*", color=color, markersize=12)
    for ax, title in zip(axes, ("linear accuracy %", "distance correlation (Pearson) %"), strict=True):
        ax.set(xlabel="neighbour recall %", ylabel=title)
    axes[0].legend(frameon=False)
    figure.suptitle("The dial from neighbours (0) to classes (1); stars: the paper", fontsize=10)
    figure.savefig(path, dpi=110)


def draw_projections(names, positions, path):
    """Draw the plane of every position, a row for each graph, coloured by class."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only for a figure

    size = len(names), len(positions)
    figure, axes = plt.subplots(*size, figsize=(3 * size[1], 3.2 * size[0]), layout="constrained", squeeze=False)
    for name, row in zip(names, axes, strict=True):
        A, labels = load(name)
        for ax, focus in zip(row, positions, strict=True):
            E = embed(A, focus=focus)
            ax.scatter(*project(E).T, c=labels, s=4000 / len(labels), cmap="tab10", linewidths=0)
            ax.set(title=f"{name}, focus {focus:g}", aspect="equal")
            ax.set_axis_off()
    figure.savefig(path, dpi=80)


def main():
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="citeseer,cora,pubmed,photo,computer")
    parser.add_argument("--focus", default="0.5")
    parser.add_argument("--temperatures", help="by default that of the preset")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--file", type=Path, default=Path(__file__).parent / "results" / "frontier.jsonl")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--projections", type=Path, help="draw the planes of one seed there, and measure nothing")
    options = parser.parse_args()
    options.file.parent.mkdir(exist_ok=True)
    positions = [float(text) for text in options.focus.split(",")]
    temperatures = [float(text) for text in options.temperatures.split(",")] if options.temperatures else [None]
    names = available(options.graphs.split(","))
    if options.projections:
        draw_projections(names, positions, options.projections)
        return
    records = list(measured(options.file, names, positions, temperatures, options.runs))
    print_table(records)
    if options.figure:
        draw(records, options.figure)


if __name__ == "__main__":
    main()
