"""What runs of every engine are tested with: graphs, keywords, a callback that keeps what it saw, exact measures."""

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from graphne_viz.layout.affinity import affinities

ENGINES = ["auto", "exact", "mesh", "opentsne"]
SHORT = {"n_iter": 200, "early_exaggeration_iter": 100}
QUICK = {"n_iter": 40, "early_exaggeration_iter": 20}


def by(engine):
    """Keywords for an engine; openTSNE's threads wait for each other longer than small graphs take."""
    return {"engine": engine, "n_jobs": 1} if engine == "opentsne" else {"engine": engine}


def geometric(n, neighbours=8, seed=0):
    """Adjacency of a random geometric graph with about so many neighbours."""
    places = np.random.default_rng(seed).random((n, 2))
    pairs = cKDTree(places).query_pairs(np.sqrt(neighbours / (np.pi * n)), output_type="ndarray")
    upper = sp.coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n)).tocsr()
    return sp.csr_array(upper + upper.T)


def planted(groups, size, seed=0):
    """Adjacency of a planted partition, and the class of each node."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(groups), size)
    chance = np.where(classes[:, None] == classes, 8 / size, 1 / (size * groups))
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    return sp.csr_array((upper | upper.T).astype(float)), classes


def recall(A, points):
    """Mean share of each node's neighbours among as many nearest nodes."""
    degrees = np.diff(A.indptr)
    near = cKDTree(points).query(points, k=degrees.max() + 1)[1][:, 1:]
    kept = [
        np.isin(near[i, : degrees[i]], A.indices[A.indptr[i] : A.indptr[i + 1]]).mean() for i in np.flatnonzero(degrees)
    ]
    return np.mean(kept)


def kl_divergence(A, points, dof=1.0):
    """Exact KL divergence of a layout of a connected graph, in t-SNE's own units."""
    P = affinities(A, "node")
    P = P.toarray() / P.sum()
    square = ((points[:, None] - points) ** 2).sum(axis=2)
    kernel = (1 + square / dof) ** -dof
    np.fill_diagonal(kernel, 0)
    Q = kernel / kernel.sum()
    there = P > 0
    return float((P[there] * np.log(P[there] / Q[there])).sum())


class Watch:
    """A callback that keeps what it is given."""

    def __init__(self, answer=None):
        self.seen = []
        self.bytes = []
        self.answer = answer

    def __call__(self, snapshot):
        self.seen.append(snapshot)
        self.bytes.append(snapshot.positions.tobytes())
        return self.answer(snapshot) if self.answer else None
