"""Runs in the package of another checkout, each in a process of its own, so that versions can take turns."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

HERE = Path(__file__).parents[1]


def run_in(checkout, code, A, seed):
    """Run code that reads a matrix and a seed and writes ``Y`` and ``times``: wall and CPU seconds, and Y.

    Parameters
    ----------
    checkout : Path
        Of this project, whose package is imported.
    code : str
        Its arguments are the files of the matrix and of what it writes, both npz, and the seed.
    A : sparse array
    seed : int
    """
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "A.npz", Path(folder) / "Y.npz"
        sp.save_npz(source, sp.csr_matrix(A))
        environment = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
        command = [sys.executable, "-c", code, source, target, str(seed)]
        subprocess.run(command, env=environment, cwd=folder, check=True)  # this folder has a package of its own
        with np.load(target) as found:
            return (*found["times"].tolist(), found["Y"])
