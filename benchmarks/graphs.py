"""The graphs to measure on: those of the folder named by GRAPHNE_DATA, and those of the paper."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from graphne_viz import datasets

os.environ.setdefault("GRAPHNE_DATA", str(Path(__file__).parents[2] / "shared" / "data"))


def load(name):
    """Adjacency matrix (csr_matrix, ones) and class labels, as numbers, of a graph."""
    graph = datasets.load(name)
    _, labels = np.unique(graph.attributes["class"].astype(str), return_inverse=True)
    return sp.csr_matrix(graph.adjacency, copy=True), labels


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
    """Those of the names that can be loaded; of the others it is said why not."""
    there = []
    for name in names:
        try:
            datasets.load(name)
            there.append(name)
        except (OSError, ImportError, ValueError) as error:
            print(f"{name} is skipped: {error}")
    return there
