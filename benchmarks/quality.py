"""How good a layout is: exact KL divergence, neighbour recall, nearest-neighbour accuracy."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.layout.engine.repulsion import Exact


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
    with ThreadTeam(count_cores()) as team:
        z = engine.collect(team)
    rows = np.repeat(np.arange(len(Y)), np.diff(P.indptr))
    squares = ((Y[rows] - Y[P.indices]) ** 2).sum(axis=1)
    return float(P.data @ (np.log(P.data) + np.log1p(squares)) + np.log(z))


def neighbor_recall(A, Y):
    """Mean share of each node's neighbours that are among its as many nearest in the layout."""
    return metrics.neighbor_recall(A, Y)


def knn_accuracy(Y, labels, seed=0):
    """Accuracy of a 15-nearest-neighbour classifier on a tenth of the nodes."""
    return metrics.knn_accuracy(sp.csr_array((len(Y), len(Y))), Y, labels, seed=seed)
