"""Laplacian eigenmaps (Belkin and Niyogi 2003), as scikit-learn's ``SpectralEmbedding`` computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from graphne_viz.evaluation.baselines import Placed
from graphne_viz.evaluation.rivals.parts import by_part
from graphne_viz.layout.eigenvectors import leading
from graphne_viz.layout.team import count_cores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]

_FEW = 8
"""Eigenvectors up to which ARPACK makes them exact; more of them crowd, and it would take minutes."""

_ROUNDS = 300
"""Restarts after which ARPACK is given up, on a long path for example, and the approximation kept."""


def eigenmaps(graph: Graph, *, dim: int, seed: int) -> Placed:
    """Place nodes by the smoothest functions on the graph.

    These are the solutions of ``L v = mu D v`` with the smallest ``mu`` beside 0, where L is the graph's Laplacian and
    D holds the degrees, all scaled alike.

    Parameters
    ----------
    graph : Graph
    dim : int
        Number of functions. A part of fewer nodes has zeros in what is left.
    seed : int
        For the eigensolver's start, and the directions of the parts in more than two dimensions.

    Returns
    -------
    Placed
        Up to eight dimensions the functions are exact. More are as near to it as a bounded number of filters brings
        them, as those of the paper are, which come from LOBPCG.
    """
    return Placed(
        by_part(graph.adjacency, lambda adjacency, rng: _of_part(adjacency, dim, rng), dim, seed),
        "graphne_viz, as scikit-learn's SpectralEmbedding",
    )


def _of_part(adjacency: sp.csr_array, dim: int, rng: np.random.Generator) -> Floats:
    """Eigenmaps of a connected graph, shape (n, dim)."""
    values, vectors = leading(adjacency, dim, rng, count_cores())
    if len(values) == dim and dim <= _FEW and adjacency.shape[0] > 4 * dim + 20:
        vectors = _exact(adjacency, vectors)
    points = np.zeros((adjacency.shape[0], dim))
    points[:, : vectors.shape[1]] = vectors * np.sqrt(adjacency.sum())
    return points


def _exact(adjacency: sp.csr_array, guess: Floats) -> Floats:
    """Turn good guesses, shape (n, k), into eigenvectors."""
    root: Floats = np.sqrt(adjacency @ np.ones(adjacency.shape[0]))
    scale = sp.diags_array(1 / root)
    walk = sp.csr_array(scale @ adjacency @ scale)
    k = guess.shape[1] + 1  # the first one is constant
    start = root / np.linalg.norm(root) + (guess * root[:, None]).sum(axis=1)
    try:
        values, vectors = eigsh(walk, k=k, which="LA", v0=start, maxiter=_ROUNDS, ncv=4 * k + 12)
    except ArpackNoConvergence:
        return guess
    exact: Floats = vectors[:, np.argsort(-values)[1:]] / root[:, None]
    # ARPACK decides on signs by rounding errors.
    return exact * np.where(np.einsum("ij,ij,i->j", exact, guess, root**2) < 0, -1.0, 1.0)
