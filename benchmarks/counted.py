"""What an iteration of a layout allocates and moves, and what reading a graph takes, counted beside `scaling_model.py`.

python benchmarks/counted.py 10000 100000 1000000    # iterations of finished layouts, in one process
python benchmarks/counted.py --reading 20000 80000   # until the first iteration, by 1, 2 and 4 processes

Bytes moved are those of the arguments and the results of torch's operations; of what is taken out of an array, or
added into it, only as much as is touched. A transform counts as one pass. Allocated bytes are those of torch on the
CPU in an iteration, and while reading those of NumPy (tracemalloc); what pyarrow holds of a file is not in them.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import tempfile
import tracemalloc
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import scipy.sparse as sp
import torch
from scaling import stochastic_blocks
from scaling_model import moved_by_iteration, reading, working
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.writer import write_graph
from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.engine.torch_engine.device import find_device
from graphne_viz.layout.engine.torch_engine.distributed import run
from graphne_viz.layout.engine.torch_engine.mesh import TorchMesh
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.world import World
from graphne_viz.layout.options import Options
from graphne_viz.layout.task import Task

AT_ONCE = 1 << 12
"""Numbers in a temporary array of an iteration that is counted: few, so that those do not hide what grows."""

STAGES = ((TorchPart, "_attract", "edges"), (TorchMesh, "_convolve", "mesh"))
"""Steps of an iteration whose bytes are told apart from all others."""


def bytes_of(value):
    """Bytes of a tensor, or of several."""
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    return sum(map(bytes_of, value)) if isinstance(value, list | tuple) else 0


class Moved(TorchDispatchMode):
    """Counts the bytes that operations of torch read and write.

    Attributes
    ----------
    by : Counter
        Bytes by stage.
    operations : int
    """

    def __init__(self):
        super().__init__()
        self.by, self.operations, self._stage = Counter(), 0, "others"

    def __torch_dispatch__(self, function, _, arguments=(), keywords=None):
        """Do what is asked, and count."""
        found = function(*arguments, **(keywords or {}))
        name = function.overloadpacket.__name__
        if function.is_view or "empty" in name:
            return found
        read, written = [bytes_of(one) for one in (*arguments, *(keywords or {}).values())], bytes_of(found)
        if name in {"index_select", "index"}:
            read[0] = written
        elif name in {"index_add_", "index_put_"}:
            read[0] = written = bytes_of(arguments[3 if name == "index_add_" else 2])
        self.operations += 1
        self.by[self._stage] += sum(read) + written
        return found

    @contextmanager
    def told_apart(self, stages=STAGES):
        """Count what happens within, by stage."""
        with ExitStack() as patches:
            for kind, name, stage in stages:
                patches.enter_context(mock.patch.object(kind, name, self._noting(stage, getattr(kind, name))))
            patches.enter_context(self)
            yield self

    def _noting(self, stage, action):
        def act(*arguments, **keywords):
            before, self._stage = self._stage, stage
            try:
                return action(*arguments, **keywords)
            finally:
                self._stage = before

        return act


def allocated(action):
    """Bytes that torch holds at most on the CPU while something is done, beside what it held before."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        action()
    events = [event for event in seen.profiler.kineto_results.events() if event.name() == "[memory]"]
    events.sort(key=lambda event: event.start_ns())
    return int(np.cumsum([event.nbytes() for event in events]).max())


class FirstShare:
    """Stands for the first of some processes: it has its share of the nodes, and the others stay where they are."""

    size = 1

    def __init__(self, processes, places):
        self._processes, self._places = processes, torch.tensor(places.T, dtype=torch.float32)

    def share(self, n):
        """Nodes of this process."""
        return slice(0, n // self._processes)

    @staticmethod
    def add(tensor):
        """Add nothing."""
        return tensor

    def join(self, own, n):
        """Put own columns before those of the others."""
        joined = own.new_empty(len(own), n)
        joined[:, : own.shape[1]] = own
        joined[:, own.shape[1] :] = self._places[:, own.shape[1] :]
        return joined


def laid_out(graph):
    """Lay out a connected graph: affinities, and positions in the engine's own units."""
    P = affinities(graph.adjacency, "node")
    return sp.csr_array(P / P.sum()), np.asarray(Task(graph, engine="mesh").run().own)


def first_of(P, places, processes=1):
    """Share of the first of some processes in a layout that is nearly finished."""
    n = len(places)
    device = replace(find_device("cpu"), at_once=AT_ONCE)
    ranks = FirstShare(processes, places)
    part = TorchPart(places, P[ranks.share(n)], 1, np.full(n, n, np.float32), device, ranks, 1)
    part.begin(1, 0.8)
    part.iterate(3)
    return part


def count_iteration(P, places, processes=1):
    """Figures of one iteration: what the model depends on, and what was counted."""
    part = first_of(P, places, processes)
    temporary = allocated(lambda: part.iterate(1))
    with Moved().told_apart() as moved:
        part.iterate(1)
    plan = part._mesh.plan  # noqa: SLF001 - nobody else needs to know it
    own = len(places) // processes
    sizes = {"n": len(places), "own": own, "directed": P[:own].nnz, "points": plan.width * plan.height}
    return sizes, {"temporary": temporary, "moved": sum(moved.by.values()), "by": moved.by, "close": plan.close}


def count_reading(world, folder):
    """Most bytes of NumPy's arrays until the first iteration, with the nodes and directed edges of this process."""
    shards = open_shards(folder)
    low, high = shards.cuts(world.size)[world.rank : world.rank + 2]
    tracemalloc.start()
    try:
        run._prepare(world, shards, Options(engine="torch", device="cpu", n_jobs=1), run.Plan(seed=0))  # noqa: SLF001
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return {"n": shards.n_nodes, "own": high - low, "directed": int(shards.degrees(low, high).sum())}, peak


def print_iterations(nodes):
    """Print a row for each graph and number of processes, and what a unit of each kind moves."""
    print("| nodes | processes | points a node | MB of temporary arrays, formula | MB moved, formula |")
    print("|--:|--:|--:|--:|--:|")
    units = []
    for n, degree in [(n, 5) for n in nodes] + [(nodes[0], 15)]:
        P, places = laid_out(as_graph(stochastic_blocks(n, degree * n)))
        for processes in (1, 4):
            sizes, found = count_iteration(P, places, processes)
            units.append((sizes, found))
            print(
                f"| {n:,} | {processes} | {sizes['points'] / n:.2f} "
                f"| {found['temporary'] / 1e6:.1f}, {working(**sizes) / 1e6:.1f} "
                f"| {found['moved'] / 1e6:.1f}, {moved_by_iteration(**sizes) / 1e6:.1f} |"
                + (" close pairs are summed |" if found["close"] else ""),
                flush=True,
            )
    edge = [found["by"]["edges"] / sizes["directed"] for sizes, found in units]
    point = [found["by"]["mesh"] / sizes["points"] for sizes, found in units]
    print(f"bytes moved for a directed edge: {min(edge):.0f} to {max(edge):.0f}")
    print(f"bytes moved for a mesh point by transforms: {min(point):.0f} to {max(point):.0f}")
    by = np.array([[sizes[name] for name in ("own", "n", "points")] for sizes, _ in units], float)
    rest = np.array([found["by"]["others"] for _, found in units], float)
    own, node, point = np.linalg.lstsq(by / rest[:, None], np.ones(len(rest)), rcond=None)[0]
    print(f"bytes moved by all else: {own:.0f} an own node, {node:.0f} a node, {point:.0f} a mesh point")


def print_reading(nodes, folder):
    """Print a row for each graph and number of processes: of the process that takes most."""
    world = World.join()
    for n in nodes:
        for degree in (5, 15):
            path = folder / f"{n}-{degree}"
            if world.first and not path.exists():
                write_graph(path, as_graph(stochastic_blocks(n, degree * n)))
            world.all_of(None)
            sizes, peak = count_reading(world, path)
            found = max(world.all_of((peak, reading(**sizes, processes=world.size))))
            if world.first:
                print(f"| {n:,} | {degree} | {world.size} | {found[0] / 1e6:.1f}, {found[1] / 1e6:.1f} |", flush=True)
    world.leave()


def main():
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="+", type=int)
    parser.add_argument("--reading", action="store_true")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    logging.disable(logging.WARNING)
    if not chosen.reading:
        print_iterations(chosen.nodes)
    elif chosen.folder is not None:
        print_reading(chosen.nodes, chosen.folder)
    else:
        print(
            "| nodes | edges a node | processes | MB until the first iteration, formula |\n|--:|--:|--:|--:|",
            flush=True,
        )
        with tempfile.TemporaryDirectory() as folder:
            for processes in (1, 2, 4):
                command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
                command += ["--nproc-per-node", str(processes), __file__, "--reading", "--folder", folder]
                subprocess.run([*command, *map(str, chosen.nodes)], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
