"""An iteration of the engine on torch by several processes beside one with as many threads, in wall time.

python benchmarks/ranks.py arxiv debian_contents --devices 1 2
python benchmarks/ranks.py --made 10000 100000 1000000 --devices 1 2 4

What precedes the iterations is left out: the time of a short run is taken off that of a longer one. All processes
together have as many threads as there are cores, so that one process has all of them.
"""

from __future__ import annotations

import argparse
import time

from graphs import available, load
from scaling import stochastic_blocks

from graphne_viz._threads import count_cores
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task

SHORT = 20
"""Iterations of the run that is taken off, in which a layout spreads."""


def seconds(graph, devices, iterations):
    """Seconds of a run of so many iterations, all of the late phase."""
    keywords = {"initialization": "random", "early_exaggeration_iter": 0, "n_iter": iterations}
    task = Task(graph, engine="torch", device="cpu", devices=devices, n_jobs=count_cores(), **keywords)
    begun = time.perf_counter()
    task.run()
    return time.perf_counter() - begun


def main():
    """Print a row for each graph and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--made", nargs="*", type=int, default=[], help="nodes of graphs of blocks, as in scaling.py")
    parser.add_argument("--devices", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--iterations", type=int, default=30)
    chosen = parser.parse_args()
    graphs = {name: lambda name=name: load(name)[0] for name in available(chosen.graphs)}
    graphs |= {f"{n:,} made": lambda n=n: stochastic_blocks(n, 5 * n) for n in chosen.made}
    print("| graph | nodes | edges | processes | ms an iteration | beside one |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, read in graphs.items():
        graph = as_graph(read())
        first = None
        for devices in chosen.devices:
            seconds(graph, devices, 1)  # loads
            took = seconds(graph, devices, SHORT + chosen.iterations) - seconds(graph, devices, SHORT)
            first = first or took
            print(
                f"| {name} | {graph.n_nodes:,} | {graph.n_pairs:,} | {devices} | {1e3 * took / chosen.iterations:.1f} "
                f"| {took / first:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
