"""What a layout brings into a new process."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import networkx as nx
from graphne_viz import graphne_layout

graphne_layout(nx.gnm_random_graph({n}, {n} * 2, seed=0), engine={engine!r}, n_iter=5, early_exaggeration_iter=5)
print([name for name in ("openTSNE", "sklearn", "scipy.stats", "pandas", "torch", "matplotlib") if name in sys.modules])
"""


@pytest.mark.parametrize(("engine", "n"), [("auto", 30), ("auto", 900), ("exact", 900), ("mesh", 300)])
def test_our_engines_import_nothing_that_they_do_not_need(engine, n):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(engine=engine, n=n)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
