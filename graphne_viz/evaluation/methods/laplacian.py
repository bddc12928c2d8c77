"""Laplacian eigenmaps (Belkin and Niyogi 2003), as scikit-learn's ``SpectralEmbedding`` computes them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import lobpcg

from graphne_viz._threads import count_cores
from graphne_viz.evaluation.methods.components import by_part
from graphne_viz.evaluation.methods.registry import Placed
from graphne_viz.layout.initialization.eigenvectors import leading
from graphne_viz.layout.initialization.initial_positions import JITTER, START_STD, rescale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]

_FEW = 8
"""Eigenvectors up to which LOBPCG makes them exact; more of them crowd, and it would take minutes."""

_GUARD = 6
"""Eigenvectors sharpened beyond those asked for, which the last of these then lie apart from."""

_DENSE = 100
"""Nodes up to which the first guess is exact."""

_TOLERANCE = 1e-6
_STEPS = 200


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
        by_part(graph.adjacency, lambda adjacency, rng: eigenmaps_of_part(adjacency, dim, rng), dim, seed),
        "graphne_viz, as scikit-learn's SpectralEmbedding",
    )


def start_of_part(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
    """Positions to start other methods from, as the paper does: eigenmaps of standard deviation 1, and a jitter.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Of a connected graph.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (n, 2)
    """
    return rescale(eigenmaps_of_part(adjacency, 2, rng), seed=rng) / START_STD + rng.normal(
        0, JITTER, (adjacency.shape[0], 2)
    )


def eigenmaps_of_part(adjacency: sp.csr_array, dim: int, rng: np.random.Generator) -> Floats:
    """Eigenmaps of a connected graph, shape (n, dim)."""
    n = int(adjacency.shape[0])
    few = dim <= _FEW and n > _DENSE
    values, vectors = leading(adjacency, dim + _GUARD if few else dim, rng, count_cores())
    if few and len(values) > dim:
        vectors = _sharpened(adjacency, vectors)[:, :dim]
    points = np.zeros((n, dim))
    points[:, : vectors.shape[1]] = vectors * np.sqrt(adjacency.sum())
    return points


def _sharpened(adjacency: sp.csr_array, guess: Floats) -> Floats:
    """Turn good guesses, shape (n, k), into eigenvectors."""
    root: Floats = np.sqrt(adjacency @ np.ones(adjacency.shape[0]))
    scale = sp.diags_array(1 / root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it warns of every vector that more steps would improve
        values, vectors = lobpcg(
            sp.csr_array(scale @ adjacency @ scale),
            guess * root[:, None],
            Y=(root / np.linalg.norm(root))[:, None],  # the constant function, which is known
            largest=True,
            tol=_TOLERANCE,
            maxiter=_STEPS,
        )
    exact: Floats = np.asarray(vectors, dtype=np.float64)[:, np.argsort(-values)] / root[:, None]
    # The signs are the guesses'; otherwise rounding errors would decide on them.
    return exact * np.where(np.einsum("ij,ij,i->j", exact, guess, root**2) < 0, -1.0, 1.0)
