"""Time the spectral start and compare its eigenvalues with ARPACK's.

    python benchmarks/spectral.py [--jobs 2] [--exact] [cora pubmed ...]

Graphs are read from ../shared/data or from the folder named by GRAPHNE_DATA. ``--exact`` runs ARPACK at a
tolerance of 1e-6 beside it, which takes minutes on the large graphs.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from graphne_viz.layout.initialization.eigenvectors import leading
from graphne_viz.layout.initialization.initial_positions import spectral

DATA = Path(os.environ.get("GRAPHNE_DATA", Path(__file__).parents[2] / "shared" / "data"))


def affinities(file: Path) -> sp.csr_array:
    """Row-normalise and symmetrise a stored graph, as the paper does."""
    i, j = np.load(file)["edges"].T
    n = int(max(i.max(), j.max())) + 1
    A = sp.coo_array((np.ones(len(i)), (i, j)), shape=(n, n)).tocsr()
    A = A + A.T
    rows = sp.diags_array(1 / A.sum(axis=1)) @ A
    return sp.csr_array((rows + rows.T) / (2 * n))


def exact(P: sp.csr_array) -> tuple[float, np.ndarray, np.ndarray]:
    """Seconds, eigenvalues and D-orthonormal eigenvectors from ARPACK."""
    scale = sp.diags_array(1 / np.sqrt(P.sum(axis=1)))
    guess = np.random.default_rng(0).uniform(-1, 1, P.shape[0])
    began = time.perf_counter()
    try:
        values, U = eigsh(scale @ P @ scale, k=6, which="LA", tol=1e-6, ncv=40, v0=guess, maxiter=300)
    except ArpackNoConvergence as error:
        values, U = error.eigenvalues, error.eigenvectors
    took = time.perf_counter() - began
    order = np.argsort(-values)[1:3]
    return took, values[order], scale @ U[:, order]


def main() -> None:
    """Print one line for each graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=sorted(file.stem for file in DATA.glob("*.npz")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    print(f"{'graph':16} {'nodes':>8} {'seconds':>8}   1 - eigenvalues")
    for name in options.graphs:
        P = affinities(DATA / f"{name}.npz")
        times = []
        for _ in range(5 if P.shape[0] < 50_000 else 2):
            began = time.perf_counter()
            spectral(P, seed=0, n_jobs=options.jobs)
            times.append(time.perf_counter() - began)
        values, V = leading(P, 2, np.random.default_rng(0), options.jobs)
        line = f"{name:16} {P.shape[0]:8,} {min(times):8.3f}   {1 - values[0]:.6f} {1 - values[1]:.6f}"
        if options.exact:
            took, best, W = exact(P)
            match = np.abs(np.einsum("ni,ni->i", V, P.sum(axis=1)[:, None] * W))
            line += f"   ARPACK {took:.2f} s  {1 - best[0]:.6f} {1 - best[1]:.6f}"
            line += f"  agreement {match[0]:.3f} {match[1]:.3f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
