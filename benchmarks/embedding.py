"""Node embeddings: neighbour recall, 15-NN accuracy and time, beside the figures of the paper.

    python benchmarks/embedding.py --graphs cora,photo --presets default,paper --runs 1
    python benchmarks/embedding.py --graphs cora --cne FOLDER --runs 3

Recall is over all nodes, accuracy the mean over 50 splits, both by cosine as in the paper; above 100,000 nodes over a
sample of 10,000, and of one split. FOLDER holds the paper's library, from ``pip install --no-deps --target FOLDER
contrastive-ne==0.4.0 annoy``: it asks for a torch of its own, which is not needed. It then takes turns with the
default, in processes of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from statistics import mean, median

from graphs import available, load

from graphne_viz.embedding.api import embed
from graphne_viz.evaluation.metrics.api import knn_accuracy, neighbor_recall

PAPER = {
    "citeseer": (81.0, 72.0),
    "cora": (83.8, 82.7),
    "pubmed": (44.3, 84.1),
    "photo": (70.3, 94.3),
    "computer": (64.8, 92.4),
    "mnist_knn": (96.0, 97.2),
    "arxiv": (72.3, 71.3),
}
"""Recall and 15-NN accuracy of graph NE, in per cent."""

LEARNED = {"citeseer": 0.071, "cora": 0.077, "pubmed": 0.070, "photo": 0.079, "computer": 0.076}
"""The temperatures that the paper learned."""

LARGE, SAMPLE, SPLITS = 100_000, 10_000, 50


def ours(name, preset, seed, **keywords):
    """Embed with this package; figures by name."""
    A, labels = load(name)
    wall, cpu = time.perf_counter(), time.process_time()
    E = embed(A, preset=preset, seed=seed, **keywords)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"  {name}, {preset}: {E!r}, {wall:.1f} s", file=sys.stderr, flush=True)
    return quality(A, E.vectors, labels) | {"wall": wall, "cpu": cpu, "temperature": E.temperature}


def theirs(name, seed):
    """Embed with contrastive-ne in the paper's setting; figures by name."""
    from cne import CNE  # noqa: PLC0415 - only where it is compared with

    A, labels = load(name)
    wall, cpu = time.perf_counter(), time.process_time()
    model = CNE(
        loss_mode="infonce",
        temperature=0.05,
        parametric=False,
        embd_dim=128,
        metric="cosine",
        batch_size=min(8192, A.shape[0] // 10),
        negative_samples="full-batch",
        optimizer="adam",
        learning_rate=0.001,
        n_epochs=100,
        device="cpu",
        seed=seed,
    )
    Y = model.fit_transform(graph=A, init="diffmaps")
    return quality(A, Y, labels) | {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def quality(A, Y, labels):
    """Recall and accuracy in per cent."""
    sample = SAMPLE if A.shape[0] > LARGE else None
    recall = neighbor_recall(A, Y, metric="cosine", sample=sample)
    accuracy = knn_accuracy(A, Y, labels, metric="cosine", repeats=1 if sample else SPLITS, sample=sample)
    return {"recall": 100 * recall, "knn": 100 * accuracy}


def alone(who, name, seed, folder):
    """Run one of the two in a process of its own."""
    command = [sys.executable, __file__, "--one", who, "--graphs", name, "--seed", str(seed)]
    environment = os.environ | {"PYTHONPATH": folder}
    done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


def print_beside_theirs(names, runs, folder):
    """Print one row a graph and library, which take turns."""
    print("| graph | library | recall % | 15-NN % | seconds | CPU seconds | of theirs |\n|---|---|--:|--:|--:|--:|--:|")
    for name in names:
        found = {"theirs": [], "ours": []}
        for seed in range(runs):
            for who, figures in found.items():
                figures.append(alone(who, name, seed, folder))
        base = median(figures["wall"] for figures in found["theirs"])
        for who, title in (("theirs", "contrastive-ne"), ("ours", "graphne_viz")):
            middle = {key: median(figures[key] for figures in found[who]) for key in found[who][0]}
            print(
                f"| {name} | {title} | {middle['recall']:.1f} | {middle['knn']:.1f} | {middle['wall']:.1f} "
                f"| {middle['cpu']:.1f} | {middle['wall'] / base:.2f} |",
                flush=True,
            )


def print_table(names, presets, runs, temperature):
    """Print one row a graph and preset."""
    print(
        "| graph | preset | recall %, paper's | 15-NN %, paper's | temperature | seconds (CPU) |"
        "\n|---|---|--:|--:|--:|--:|"
    )
    for name in names:
        for preset in presets:
            figures = [ours(name, preset, seed, temperature=temperature) for seed in range(runs)]
            recall, knn = (mean(figure[key] for figure in figures) for key in ("recall", "knn"))
            paper = PAPER[name]
            told = f"{mean(figure['temperature'] for figure in figures):.3f}"
            if temperature == "learn":
                told += f", {LEARNED[name]:.3f}" if name in LEARNED else ""
            print(
                f"| {name} | {preset} | {recall:.1f}, {paper[0]:.1f} ({recall - paper[0]:+.1f}) "
                f"| {knn:.1f}, {paper[1]:.1f} ({knn - paper[1]:+.1f}) | {told} "
                f"| {median(figure['wall'] for figure in figures):.1f} "
                f"({median(figure['cpu'] for figure in figures):.1f}) |",
                flush=True,
            )


def main():
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="citeseer,cora,pubmed,photo,computer")
    parser.add_argument("--presets", default="default")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--temperature", help="a number or learn; by default that of the preset")
    parser.add_argument("--cne", metavar="FOLDER", help="where contrastive-ne is, to take turns with it")
    parser.add_argument("--one", choices=["ours", "theirs"], help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = available(options.graphs.split(","))
    if options.one:
        run = theirs if options.one == "theirs" else lambda name, seed: ours(name, "default", seed)
        print(json.dumps(run(names[0], options.seed)))
    elif options.cne:
        print_beside_theirs(names, options.runs, options.cne)
    else:
        temperature = options.temperature if options.temperature in {None, "learn"} else float(options.temperature)
        print_table(names, options.presets.split(","), options.runs, temperature)


if __name__ == "__main__":
    main()
