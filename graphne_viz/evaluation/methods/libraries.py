"""Layouts that other libraries of graphs have: igraph's, and networkx's spring layout where igraph is missing."""

from __future__ import annotations

import math
import random
from contextlib import contextmanager
from importlib.metadata import version
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.evaluation.methods.components import by_part, read_flat
from graphne_viz.evaluation.methods.laplacian import start_of_part
from graphne_viz.evaluation.methods.registry import Placed
from graphne_viz.graphs.convert.igraph_graphs import to_igraph
from graphne_viz.graphs.convert.networkx_graphs import networkx_spring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float64]


def umap(graph: Graph, *, dim: int, seed: int, epochs: int = 200, min_dist: float = 0.01) -> Placed:
    """Place nodes by igraph's UMAP, with the graph in place of nearest neighbours, from diffusion maps.

    Its attraction fades with the distance, so that nodes which start far from their neighbours stay there.

    Parameters
    ----------
    graph : Graph
        An edge is as long as one over its weight.
    dim : int
        Must be 2.
    seed : int
        For everything random.
    epochs : int, default 200
        Times that every edge pulls.
    min_dist : float, default 0.01
        How near neighbours may come.

    Returns
    -------
    Placed
    """
    read_flat("umap", dim)
    check_integer("epochs", epochs, least=1)
    _read_distance("min_dist", min_dist)

    def place(g: Foreign, start: list[list[float]]) -> Foreign:
        lengths = [1 / weight for weight in g.es["weight"]]
        # Equal lengths are left out: igraph then takes every edge alike.
        dist = lengths if min(lengths) < max(lengths) else None
        return g.layout_umap(dist=dist, dim=dim, seed=start, min_dist=min_dist, epochs=int(epochs))

    return _by_igraph(graph, place, "umap", dim, seed, title="UMAP", start=start_of_part)


def spring(graph: Graph, *, dim: int, seed: int, n_iter: int | None = None) -> Placed:
    """Place nodes by the forces of Fruchterman and Reingold: igraph's, or networkx's where igraph is missing.

    Parameters
    ----------
    graph : Graph
    dim : int
        Must be 2.
    seed : int
        For the start.
    n_iter : int, optional
        Steps; by default as many as the library takes, 500 in igraph and 50 in networkx.

    Returns
    -------
    Placed
    """
    read_flat("spring", dim)
    if n_iter is not None:
        check_integer("n_iter", n_iter, least=1)

    def place(g: Foreign, start: list[list[float]]) -> Foreign:
        return g.layout_fruchterman_reingold(
            weights="weight", niter=500 if n_iter is None else int(n_iter), seed=start, grid="auto"
        )

    try:
        return _by_igraph(graph, place, "spring", dim, seed, title="Fruchterman and Reingold")
    except ImportError:
        return _spring_of_networkx(graph, dim, seed, 50 if n_iter is None else int(n_iter))


def drl(graph: Graph, *, dim: int, seed: int) -> Placed:
    """Place nodes by igraph's DrL, a force-directed method with cooling and a grid of densities.

    Parameters
    ----------
    graph : Graph
    dim : int
        Must be 2.
    seed : int
        For everything random.

    Returns
    -------
    Placed
    """
    read_flat("drl", dim)

    def place(g: Foreign, start: list[list[float]]) -> Foreign:
        return g.layout_drl(weights="weight", seed=start)

    return _by_igraph(graph, place, "drl", dim, seed, title="DrL")


def _read_distance(name: str, value: object) -> None:
    """Refuse anything but a finite number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not 0 <= float(value) < math.inf:
        raise ValueError(f"{name} must be finite and at least 0, got {value!r}")


def _spread_evenly(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
    """Spread nodes over a square with room for them, shape (n, 2)."""
    n = adjacency.shape[0]
    reach = math.sqrt(n) / 2
    return rng.uniform(-reach, reach, (n, 2))


def _by_igraph(
    graph: Graph,
    place: Callable[[Foreign, list[list[float]]], Foreign],
    method: str,
    dim: int,
    seed: int,
    *,
    title: str,
    start: Callable[[sp.csr_array, np.random.Generator], Floats] = _spread_evenly,
) -> Placed:
    """Let igraph place every part."""

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        first = start(adjacency, rng).tolist()
        with _seeded(int(rng.integers(2**31))):
            return np.array(place(to_igraph(adjacency), first).coords)

    try:
        points = by_part(graph.adjacency, solve, dim, seed)
    except ImportError:
        raise ImportError(f"{method} needs igraph: pip install igraph") from None
    return Placed(points, f"{title} of igraph {version('igraph')}")


def _spring_of_networkx(graph: Graph, dim: int, seed: int, n_iter: int) -> Placed:
    """Let networkx place every part."""

    def solve(adjacency: sp.csr_array, rng: np.random.Generator) -> Floats:
        return networkx_spring(adjacency, n_iter, int(rng.integers(2**31)))

    return Placed(by_part(graph.adjacency, solve, dim, seed), f"spring_layout of networkx {version('networkx')}")


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed Python's random numbers, which igraph draws from, and put them back afterwards."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)
