"""The metrics again, slow and obvious."""

import itertools
from types import SimpleNamespace

import networkx as nx
import numpy as np

METRICS = ("euclidean", "cosine")


def distance_matrix(Y, metric):
    """All distances, infinite from a node to itself."""
    Y = np.asarray(Y, dtype=np.float64)
    D = np.empty((len(Y), len(Y)))
    for i, j in itertools.product(range(len(Y)), repeat=2):
        if metric == "euclidean":
            D[i, j] = ((Y[i] - Y[j]) ** 2).sum()
        else:
            lengths = np.linalg.norm(Y[i]) * np.linalg.norm(Y[j])
            D[i, j] = 1 - (Y[i] @ Y[j] / lengths if lengths else 0)
    D[np.eye(len(Y), dtype=bool)] = np.inf
    return D.round(12)  # so that twins are as far to the last bit


def chances(values, k):
    """Chance of each entry to be among the k smallest if ties are broken at random."""
    if k >= np.isfinite(values).sum():
        return np.isfinite(values).astype(float)
    last = np.sort(values)[k - 1]
    nearer, level = values < last, values == last
    return nearer + level * (k - nearer.sum()) / level.sum()


def slow_recall(G, Y, metric="euclidean"):
    """Recall of each node, NaN for isolates."""
    D, nodes = distance_matrix(Y, metric), list(G)
    recall = np.full(len(nodes), np.nan)
    for i, node in enumerate(nodes):
        mine = [nodes.index(other) for other in G[node] if other != node]
        if mine:
            recall[i] = chances(D[i], len(mine))[mine].mean()
    return recall


def slow_two_hop_recall(G, Y, k=10, metric="euclidean"):
    """2-hop recall of each node, NaN for isolates."""
    D, nodes = distance_matrix(Y, metric), list(G)
    recall = np.full(len(nodes), np.nan)
    for i, node in enumerate(nodes):
        if not set(G[node]) - {node}:
            continue
        shared = np.array([len((set(G[node]) & set(G[other])) - {node, other}) for other in nodes], dtype=float)
        few = np.where((shared > 0) & (np.arange(len(nodes)) != i), -shared, np.inf)
        recall[i] = chances(few, k) @ chances(D[i], k) / k
    return recall


def slow_correlation(G, Y, metric="euclidean"):
    """Spearman's correlation over all connected pairs, by counting who is smaller."""
    D, nodes = distance_matrix(Y, metric), list(G)
    steps, apart = [], []
    for (i, u), (j, v) in itertools.combinations(enumerate(nodes), 2):
        if nx.has_path(G, u, v):
            steps.append(nx.shortest_path_length(G, u, v))
            apart.append(D[i, j])
    ranks = [[sum(a < b for a in x) + sum(a == b for a in x) / 2 for b in x] for x in (steps, apart)]
    return np.corrcoef(*ranks)[0, 1]


def slow_auc(near, far):
    """Share of the pairs (edge, other pair) in which the edge is shorter, a draw counting half."""
    return np.mean([(a < b) + (a == b) / 2 for a in near for b in far])


def embedding(vectors, ids):
    """Stand for an Embedding."""
    return SimpleNamespace(vectors=vectors, ids=ids)
