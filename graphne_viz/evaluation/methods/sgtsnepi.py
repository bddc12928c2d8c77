"""SGtSNEpi (Pitsianis et al. 2019): its own package where that is installed, else our engine with its affinities."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._checks import check_integer
from graphne_viz.evaluation.methods import own
from graphne_viz.evaluation.methods.components import by_part, read_flat
from graphne_viz.evaluation.methods.registry import Placed
from graphne_viz.layout.affinity import LAMBDA, jaccard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]

_EARLY = 250
"""Iterations of early exaggeration, which count among all."""

_START_STD = 1e-4


def layout(graph: Graph, *, dim: int, seed: int, n_iter: int = 1000) -> Placed:
    """Place nodes by SGtSNEpi, with its default settings.

    Parameters
    ----------
    graph : Graph
    dim : int
        Must be 2.
    seed : int
        For the random start.
    n_iter : int, default 1000
        Iterations, at least the 250 of early exaggeration.

    Returns
    -------
    Placed
        Computed by the package ``sgtsnepi``, or without it by our engine, which takes better steps and so finds more
        neighbours.
    """
    read_flat("sgtsnepi", dim)
    check_integer("n_iter", n_iter, least=_EARLY)
    try:
        package = import_module("sgtsnepi")
    except ImportError:
        placed = own.layout(
            graph,
            dim=dim,
            seed=seed,
            normalization="sgtsne",
            initialization="random",
            n_iter=int(n_iter) - _EARLY,
            early_exaggeration_iter=_EARLY,
        )
        return Placed(placed.points, "graphne_viz, normalization='sgtsne'")

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        n = adjacency.shape[0]
        # The package takes the weights as they come; the one in Julia, which the paper uses, weighs edges like this.
        weights = (adjacency.data * jaccard(adjacency), adjacency.indices, adjacency.indptr)
        points = package.sgtsnepi(
            sp.csc_matrix(weights, shape=(n, n)),
            y0=rng.normal(0, _START_STD, (dim, n)),
            d=dim,
            max_iter=int(n_iter),
            early_exag=_EARLY,
            lambda_par=LAMBDA,
            silent=True,
        )
        return np.asarray(points, dtype=np.float64).T

    return Placed(by_part(graph.adjacency, solve, dim, seed), f"sgtsnepi {_version()}")


def _version() -> str:
    """Return the version of the package."""
    try:
        return version("sgtsnepi")
    except PackageNotFoundError:
        return "of unknown version"
