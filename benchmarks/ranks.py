"""An iteration of the engine on torch by several processes beside one with as many threads.

python benchmarks/ranks.py arxiv debian_contents --devices 1 2
python benchmarks/ranks.py --made 200000 --devices 1 2 4 --jobs 1

What precedes the iterations is left out: the time of a short run is taken off that of a longer one. All processes
together have as many threads as there are cores, so that one process has all of them; with ``--jobs 1`` each has one.
More processes than cores share these. CPU time is that of all processes together, with what they use up while they wait
for each other. "Beside one" compares wall times, which say nothing on a machine that does much else.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from graphs import available, load
from scaling import stochastic_blocks

from graphne_viz._threads import count_cores
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task

SHORT = 20
"""Iterations of the run that is taken off, in which a layout spreads."""


def cpu_seconds():
    """CPU time of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def seconds(graph, devices, iterations, jobs):
    """Seconds and CPU seconds of a run of so many iterations, all of the late phase."""
    keywords = {"initialization": "random", "early_exaggeration_iter": 0, "n_iter": iterations}
    task = Task(graph, engine="torch", device="cpu", devices=devices, n_jobs=jobs, **keywords)
    begun = np.array([time.perf_counter(), cpu_seconds()])
    task.run()
    return np.array([time.perf_counter(), cpu_seconds()]) - begun


def main():
    """Print a row for each graph and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--made", nargs="*", type=int, default=[], help="nodes of graphs of blocks, as in scaling.py")
    parser.add_argument("--devices", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--jobs", type=int, default=count_cores(), help="threads; all cores by default")
    parser.add_argument("--iterations", type=int, default=30)
    chosen = parser.parse_args()
    graphs = {name: lambda name=name: load(name)[0] for name in available(chosen.graphs)}
    graphs |= {f"{n:,} made": lambda n=n: stochastic_blocks(n, 5 * n) for n in chosen.made}
    print("| graph | nodes | edges | processes | ms an iteration | CPU ms | beside one |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, read in graphs.items():
        graph = as_graph(read())
        first = None
        for devices in chosen.devices:
            seconds(graph, devices, 1, chosen.jobs)  # loads
            longer, shorter = (
                seconds(graph, devices, count, chosen.jobs) for count in (SHORT + chosen.iterations, SHORT)
            )
            took = longer - shorter
            wall, cpu = 1e3 * took / chosen.iterations
            first = first or wall
            print(
                f"| {name} | {graph.n_nodes:,} | {graph.n_pairs:,} | {devices} | {wall:.1f} | {cpu:.1f} "
                f"| {wall / first:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
