"""What a training by several processes holds and sends, counted beside the formulas of `embedding_model.py`.

python benchmarks/embedding_counted.py 20000 80000

Bytes are those of NumPy's arrays (tracemalloc), of which the tables are taken off, and of the results of exchanges. A
row is that of the first of 1, 2 and 4 processes.
"""

from __future__ import annotations

import argparse
import gc
import logging
import math
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from counted import Moved, allocated
from embedding_model import Share
from scaling import stochastic_blocks

from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.distributed.finish import finished
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.distributed.start import starting_rows
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.embedding.training.settings import settle
from graphne_viz.embedding.training.trainer import first_temperature
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.writer import write_graph
from graphne_viz.layout.engine.torch_engine.world import World


class CountingPeers(Peers):
    """Counts what comes: rows of numbers, and words about them.

    Attributes
    ----------
    came : Counter
        Bytes.
    """

    def __init__(self, world):
        super().__init__(world.rank, world.size, world.backends if world.size > 1 else None)
        self.came = Counter()

    def exchange(self, rows, sent, received):
        """Exchange, and count."""
        found = super().exchange(rows, sent, received)
        kind = "rows" if found.dtype == torch.float32 and found.ndim == 2 else "words"
        self.came[kind] += found.numel() * found.element_size()
        return found

    def taken(self):
        """Return what came since the last time."""
        came, self.came = self.came, Counter()
        return came


@dataclass(frozen=True)
class Counts:
    """What the settings depend on."""

    n_nodes: int
    n_pairs: int
    degrees: np.ndarray


def settings_of(shards, dim, initialization, epochs=None):
    """Return the default settings of a training, and what they depend on."""
    counts = Counts(shards.n_nodes, shards.n_edges, shards.degrees())
    keywords = dict.fromkeys(("focus", "temperature", "negatives", "learning_rate"))
    keywords |= {"epochs": epochs, "batch_size": "auto", "preset": "default", "seed": 0}
    return settle(counts, dim=dim, initialization=initialization, **keywords), counts


def most(action):
    """Bytes that are held at most while something is done, beside what was held before, and what it returns."""
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    found = action()
    return tracemalloc.get_traced_memory()[1] - before, found


def count_training(world, folder, dim):
    """Pairs of what was counted and what the formula says, by name, of this process; and operations, uncompiled."""
    shards = open_shards(folder)
    cuts = shards.cuts(world.size)
    low, high = cuts[world.rank : world.rank + 2]
    tracemalloc.start()
    try:
        spectral, _ = settings_of(shards, dim, "spectral")
        at_start, _ = most(lambda: starting_rows(world, cuts, shards.rows(low, high), spectral))
        settings, counts = settings_of(shards, dim, "random")
        first = starting_rows(world, cuts, shards.rows(low, high), settings)
        tables = (first, np.zeros_like(first), np.zeros_like(first))
        gc.collect()
        beside = tracemalloc.get_traced_memory()[0]
        rows, peers = shards.rows(low, high), CountingPeers(world)
        share = Share(cuts[-1], high - low, rows.nnz, world.size, dim)
        with ThreadTeam(1) as team:
            trainer = ShardTrainer(
                peers,
                cuts,
                rows,
                settings,
                tables,
                mixing=settings.mixing(counts),
                log_temperature=math.log(first_temperature(settings)),
                team=team,
                device=torch.device("cpu"),
            )
            tracemalloc.reset_peak()
            peers.taken()
            for _ in range(trainer.chunks):
                trainer.train_chunk()
            epoch, in_training = peers.taken(), tracemalloc.get_traced_memory()[1] - beside
            vectors = trainer.vectors().cpu().numpy()
            mean = peers.taken()
            held, steps = trainer.bytes, trainer.steps
            # One of two processes once ended by a segmentation fault while torch's profiler ran; why is not known.
            measuring = allocated(trainer.measure) if world.size == 1 else 0
            operations = _operations(trainer)
        del trainer, tables, first
        peers.taken()
        at_end, _ = most(lambda: finished(peers, cuts, rows, vectors, settings.far_coordinates))
        finish = peers.taken()
    finally:
        tracemalloc.stop()
    return share, {
        "held": (held, share.held()),
        "host at start": (at_start, share.host_at_start()),
        "host in training": (in_training, share.host_in_training()),
        "host in the end": (at_end, share.host_in_the_end()),
        "device when measured": (measuring, share.device_when_measured()),
        "rows of an epoch": (epoch["rows"], share.rows_of_epoch()),
        "words of an epoch": (epoch["words"], share.words_of_epoch()),
        "rows of a mean": (mean["rows"], share.rows_of_mean()),
        "rows of the finish": (finish["rows"], share.rows_of_finish()),
        "steps": (steps, share.steps()),
        "operations of a step": (operations, share.operations()),
    }


def _operations(trainer):
    """Operations of torch in a step, on a device that compiled loops cannot reach."""
    trainer.next_epoch()
    trainer._gradients._compiled = False  # noqa: SLF001 - as it is with CUDA
    steps = len(np.array_split(np.arange(trainer.steps), trainer.chunks)[0])
    with Moved() as moved:
        trainer.train_chunk()
    return moved.operations / steps


def warm_up(world, folder):
    """Train on a small graph, so that what is imported and compiled once is not counted."""
    write_blocks(world, folder / "small", 2000, 5)
    count_training(world, folder / "small", 128)


def write_blocks(world, path, n, degree):
    """Have the first process write a graph of blocks, where it is not there."""
    if world.first and not path.exists():
        write_graph(path, as_graph(stochastic_blocks(n, degree * n)))
    world.all_of(None)


def print_counts(nodes, folder):
    """Print the figures of the first process."""
    world = World.join()
    warm_up(world, folder)
    for n, degree, dim in [(n, 5, 128) for n in nodes] + [(nodes[0], 15, 128), (nodes[0], 5, 32)]:
        path = folder / f"{n}-{degree}"
        write_blocks(world, path, n, degree)
        _, found = count_training(world, path, dim)
        if world.first:
            words = [_figure(name, *pair) for name, pair in found.items()]
            print(f"| {n:,} | {degree} | {dim} | {world.size} | {' | '.join(words)} |", flush=True)
    world.leave()


def _figure(name, counted, formula):
    if name in {"steps", "operations of a step"}:
        return f"{counted:.0f}, {formula:.0f}"
    return f"{counted / 1e6:.1f}, {formula / 1e6:.1f}"


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="+", type=int)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    logging.disable(logging.WARNING)
    if chosen.folder is not None:
        print_counts(chosen.nodes, chosen.folder)
        return
    print("MB counted, MB by the formula; the last two are numbers")
    print("| nodes | edges a node | dimensions | processes | held | host at start | in training | in the end ", end="")
    print("| device when measured, of one process | rows of an epoch | words | rows of a mean ", end="")
    print("| rows of the finish | steps | operations of a step |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for processes in (1, 2, 4):
            command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
            command += ["--nproc-per-node", str(processes), __file__, "--folder", folder]
            subprocess.run([*command, *map(str, chosen.nodes)], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
