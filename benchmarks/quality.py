"""How good a layout is: exact KL divergence, neighbour recall, nearest-neighbour accuracy."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from graphne_viz.layout.repulsion import Exact
from graphne_viz.layout.team import Team, count_cores


def exact_kl(P, Y):
    """KL(P, Q) with Z summed over all pairs.

    Parameters
    ----------
    P : csr_matrix, shape (n, n)
        Affinities that sum to 1.
    Y : ndarray, shape (n, 2)
        Layout.

    Returns
    -------
    float
    """
    x, y = np.ascontiguousarray(Y.T, dtype=np.float32)
    engine = Exact(len(Y))
    engine.deposit(x, y)
    with Team(count_cores()) as team:
        z = engine.collect(team)
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    squares = ((Y[rows] - Y[P.indices]) ** 2).sum(axis=1)
    return float(P.data @ (np.log(P.data) + np.log1p(squares)) + np.log(z))


def neighbor_recall(A, Y):
    """Mean share of each node's neighbours that are among its as many nearest in the layout."""
    tree = cKDTree(Y)
    degrees = np.diff(A.indptr)
    share = np.zeros(len(Y))
    for k in np.unique(degrees[degrees > 0]):
        for nodes in np.array_split(np.flatnonzero(degrees == k), max(1, k * (degrees == k).sum() // 10**7)):
            _, near = tree.query(Y[nodes], k=k + 1, workers=-1)
            for node, found in zip(nodes, near.reshape(len(nodes), -1), strict=True):
                others = found[found != node][:k]
                mine = A.indices[A.indptr[node] : A.indptr[node + 1]]
                share[node] = np.isin(mine, others).mean()
    return float(share.mean())


def knn_accuracy(Y, labels, seed=0):
    """Accuracy of a 15-nearest-neighbour classifier on a tenth of the nodes."""
    train, test, known, truth = train_test_split(Y, labels, test_size=0.1, random_state=seed)
    return float(KNeighborsClassifier(15).fit(train, known).score(test, truth))
