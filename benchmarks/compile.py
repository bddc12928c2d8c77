"""CPU seconds until the first layout is there: on a machine, in a new process, for a small graph, by the command.

python benchmarks/compile.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LARGE = """
import networkx as nx
import graphne_viz
graphne_viz.graphne_layout(nx.gnm_random_graph(2000, 8000, seed=0), n_iter=10, early_exaggeration_iter=10)
"""
KARATE = """
import networkx as nx
from graphne_viz import graphne_layout
graphne_layout(nx.karate_club_graph())
"""
NETWORKX = "import networkx"
COMMAND = "import sys; from graphne_viz.cli import main; sys.exit(main())"
WRITE = "import sys, networkx as nx; nx.write_graphml(nx.les_miserables_graph(), sys.argv[1])"


def seconds(*arguments, environment=None):
    """CPU seconds of a process, all of its threads, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    """Print the figures in three lines; of all but the first call on a machine the least of three is taken."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        networkx = min(seconds("-c", NETWORKX) for _ in range(3))
        first = seconds("-c", LARGE, environment=environment) - networkx
        later = min(seconds("-c", LARGE, environment=environment) for _ in range(3)) - networkx
        karate = min(seconds("-c", KARATE) for _ in range(3)) - networkx
        graph, layout = Path(folder) / "graph.graphml", Path(folder) / "graph.gexf"
        seconds("-c", WRITE, graph)
        command = min(seconds("-c", COMMAND, "layout", graph, "-o", layout) for _ in range(3))
    print("CPU seconds, the layouts without `import networkx`:")
    print(f"first call on a machine {first:.1f} s, first call of a later process {later:.2f} s")
    print(
        f"karate club in a new process {karate:.2f} s; `graphne layout` of 77 nodes to GEXF, all of it, {command:.2f} s"
    )


if __name__ == "__main__":
    main()
