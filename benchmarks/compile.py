"""Time of the first call on a machine, which compiles, and of the first call of a later process.

python benchmarks/compile.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

FIRST_CALL = """
import time
import networkx as nx
import graphne_viz
begun = time.perf_counter()
graphne_viz.graphne_layout(nx.gnm_random_graph(2000, 8000, seed=0), n_iter=10, early_exaggeration_iter=10)
print(f"{time.perf_counter() - begun:.1f}")
"""


def main():
    """Print both times."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        first, second = (
            subprocess.run(
                [sys.executable, "-c", FIRST_CALL], env=environment, check=True, capture_output=True, text=True
            )
            for _ in range(2)
        )
    print(f"first call on a machine {first.stdout.strip()} s, first call of a later process {second.stdout.strip()} s")


if __name__ == "__main__":
    main()
