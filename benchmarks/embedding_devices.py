"""Embeddings by several processes beside those of one: recall and 15-NN accuracy, in percent, or memory.

python benchmarks/embedding_devices.py --graphs cora pubmed --devices 1 2 4
python benchmarks/embedding_devices.py --memory 200000 --devices 1 2 4

Memory is that of processes which torchrun starts on a graph of blocks, as in scaling.py, in shards: one epoch from a
random start, and what is done in the end. What a process has before it reads anything, torch above all, is told apart.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from embedding_counted import settings_of
from scaling import stochastic_blocks

from graphne_viz import datasets, embed
from graphne_viz.embedding.distributed import run
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.evaluation.metrics.accuracy import knn_accuracy
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.writer import write_graph
from graphne_viz.layout.engine.torch_engine.world import World

DIM, SMALL = 128, 2000


def print_quality(graphs, devices):
    """Print a row for each graph and number of processes."""
    for name in graphs:
        graph = as_graph(datasets.load(name))
        for count in devices:
            begun = time.perf_counter()
            E = embed(graph, devices=count, device="cpu")
            seconds = time.perf_counter() - begun
            recall = 100 * neighbor_recall(graph, E.vectors)
            accuracy = 100 * knn_accuracy(graph, E.vectors, "class", repeats=10)
            print(f"{name} {count} processes: recall {recall:.1f}, 15-NN {accuracy:.1f}, {seconds:.0f} s", flush=True)


def peak():
    """Most bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Noting(ShardTrainer):
    """A share of a training of which it is noted how many bytes its tables and edges have."""

    held = 0

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        Noting.held = self.bytes


def print_memory(folder, nodes):
    """Train as one of several processes; the first prints a row for each."""
    world = World.join()
    with mock.patch.object(run, "ShardTrainer", Noting):
        for n in (SMALL, nodes):  # what is compiled and loaded once is not what grows
            before = peak()
            shards = open_shards(folder / str(n))
            settings, counts = settings_of(shards, DIM, "random", epochs=1)
            run.train(world, shards, settings, run.Plan(mixing=settings.mixing(counts), device="cpu"))
    for rank, found in enumerate(world.all_of((before, peak(), Noting.held))):
        if world.first:
            print(
                f"| {world.size} | {rank} | " + " | ".join(f"{value / 1e6:.0f}" for value in found) + " |", flush=True
            )
    world.leave()


def main():
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", nargs="+", default=["cora", "pubmed"])
    parser.add_argument("--devices", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--memory", type=int, metavar="NODES")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder is not None:
        print_memory(options.folder, options.memory)
    elif options.memory is None:
        print_quality(options.graphs, options.devices)
    else:
        print("| processes | rank | MB before | peak MB | MB of tables and edges, counted |", flush=True)
        print("|--:|--:|--:|--:|--:|", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for n in (SMALL, options.memory):  # in this process, whose memory is not looked at
                write_graph(Path(folder) / str(n), as_graph(stochastic_blocks(n, 5 * n)))
            for processes in options.devices:
                command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
                command += ["--nproc-per-node", str(processes), __file__, "--folder", folder]
                subprocess.run([*command, "--memory", str(options.memory)], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
