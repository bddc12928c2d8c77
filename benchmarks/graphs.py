"""The graphs to measure on, from the folder named by GRAPHNE_DATA."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp

FOLDER = Path(os.environ.get("GRAPHNE_DATA") or Path(__file__).parents[2] / "shared" / "data")


def load(name):
    """Adjacency matrix (csr_matrix, ones) and class labels of a graph."""
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as file:
        edges = file["edges"].astype(np.int64)
        labels = file["labels"]
    n = int(edges.max()) + 1
    once = sp.csr_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    return sp.csr_matrix(once + once.T), labels


def clustered(n_nodes, n_edges):
    """Edges of a random graph in which near numbers are joined more often, shape (n_edges, 2)."""
    rng = np.random.default_rng(0)
    near = rng.integers(0, n_nodes, 3 * n_edges)
    far = (near + rng.geometric(20 / n_nodes, 3 * n_edges)) % n_nodes
    pairs = np.unique(np.sort(np.stack([near, far], axis=1)[near != far], axis=1), axis=0)
    return pairs[np.sort(rng.choice(len(pairs), n_edges, replace=False))]


def row_normalised(A):
    """Affinities of the paper: rows divided by their sums, symmetrised, summing to 1."""
    rows = sp.diags(1 / np.asarray(A.sum(axis=1)).ravel()) @ A
    return sp.csr_matrix((rows + rows.T) / (2 * A.shape[0]))


def available(names):
    """Those of the names whose files are there; the others are said to be missing."""
    missing = [name for name in names if not (FOLDER / f"{name}.npz").is_file()]
    if missing:
        print(f"not in {FOLDER.name}, skipped: {', '.join(missing)} (set GRAPHNE_DATA to the folder that has them)")
    return [name for name in names if name not in missing]
