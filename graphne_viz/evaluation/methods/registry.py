"""Every method that can be compared, under one name and one signature.

A method is a function ``f(graph, *, dim, seed, **options)`` of a `Graph` with at least one edge. It returns `Placed`:
the points, and in a few words what computed them. It is imported when it is first asked for.
"""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.evaluation.metrics.samples import with_edges

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph

FLAT = 2

_HERE = "graphne_viz.evaluation.methods"

FLAT_METHODS: Mapping[str, str] = MappingProxyType(
    {
        "graphne": f"{_HERE}.own:layout",
        "sgtsnepi": f"{_HERE}.sgtsnepi:layout",
        "forceatlas2": f"{_HERE}.forceatlas2:layout",
        "tfdp": f"{_HERE}.tfdp:layout",
        "drgraph": f"{_HERE}.drgraph:layout",
        "laplacian": f"{_HERE}.laplacian:eigenmaps",
        "umap": f"{_HERE}.libraries:umap",
        "spring": f"{_HERE}.libraries:spring",
        "drl": f"{_HERE}.libraries:drl",
    }
)
"""Names of the methods in 2D, and where each is."""

WIDE_METHODS: Mapping[str, str] = MappingProxyType(
    {
        "graphne": f"{_HERE}.own:embedding",
        "graphne-tau": f"{_HERE}.own:embedding_with_learned_temperature",
        "cne": f"{_HERE}.own:embedding",
        "deepwalk": f"{_HERE}.walks:deepwalk",
        "node2vec": f"{_HERE}.walks:node2vec",
        "laplacian": f"{_HERE}.laplacian:eigenmaps",
    }
)
"""Names of the methods in more dimensions, and where each is."""

_SETTINGS: Mapping[str, Mapping[str, Any]] = MappingProxyType({"cne": {"temperature": 0.5}})
"""Options that tell a method from another of the same function: CNE has the temperature usual before graph NE."""


class Placed(NamedTuple):
    """What a method returns.

    Attributes
    ----------
    points : ndarray of float64, shape (n, dim)
        Finite, in the order of the graph's nodes.
    by : str
        What computed them, with its version: ``"sgtsnepi 0.7"``, ``"graphne_viz, normalization='sgtsne'"``.
    """

    points: NDArray[np.float64]
    by: str


class Method(Protocol):
    """A way to place nodes."""

    def __call__(self, graph: Graph, *, dim: int, seed: int) -> Placed:
        """Place the nodes of a graph."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a method, and what it cost.

    Attributes
    ----------
    method : str
    dim : int
    points : ndarray of float64, shape (n, dim)
    by : str
        What computed them.
    seconds, cpu_seconds : float
        Of this process; the first run of a compiled method includes compiling it.
    """

    method: str
    dim: int
    points: NDArray[np.float64]
    by: str
    seconds: float
    cpu_seconds: float


def methods(dim: int = FLAT) -> tuple[str, ...]:
    """Return the names of the methods for a number of dimensions.

    Examples
    --------
    >>> methods(128)
    ('graphne', 'graphne-tau', 'cne', 'deepwalk', 'node2vec', 'laplacian')
    """
    return tuple(FLAT_METHODS if dim <= FLAT else WIDE_METHODS)


def find_method(name: str, dim: int = FLAT) -> Method:
    """Return a method by its name.

    Raises
    ------
    ValueError
        If there is none of that name in so many dimensions.
    """
    known = FLAT_METHODS if dim <= FLAT else WIDE_METHODS
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"unknown method {name!r}; in {dim} dimensions there are {', '.join(known)}")
    module, _, function = known[name].partition(":")
    found: Method = getattr(import_module(module), function)
    return partial(found, **_SETTINGS[name]) if name in _SETTINGS else found


def check_options(name: str, dim: int, options: Iterable[str]) -> None:
    """Refuse, with a TypeError, names of options that a method does not have."""
    parameters = inspect.signature(find_method(name, dim)).parameters
    accepted = [each for each in parameters if each not in {"graph", "dim", "seed"}]
    for option in options:
        if option not in accepted:
            raise TypeError(f"{name} has no option {option!r}; it has {', '.join(accepted) or 'none'}")


def run_method(name: str, G: Foreign, *, dim: int = FLAT, seed: int = 0, **options: Any) -> Outcome:  # noqa: ANN401
    """Place the nodes of a graph by a method of the comparison.

    Parameters
    ----------
    name : str
        One of `methods`.
    G : graph
        Whatever `graphne_layout` accepts, with at least one edge.
    dim : int, default 2
        2, or the number of dimensions of an embedding.
    seed : int, default 0
        The same seed gives the same points, where the method allows it.
    **options
        The method's own.

    Returns
    -------
    Outcome

    Raises
    ------
    ImportError
        If a package is missing, with the command that installs it.
    TypeError, ValueError
        If the method has no such option, or an argument cannot be.
    """
    check_integer("dim", dim, least=FLAT)
    check_integer("seed", seed, least=0)
    method = find_method(name, dim)
    graph = with_edges(G)
    check_options(name, dim, options)
    began, began_cpu = time.perf_counter(), time.process_time()
    points, by = method(graph, dim=dim, seed=seed, **options)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - began_cpu
    if not np.isfinite(points).all():
        raise ValueError(f"{name} produced positions that are not finite on this graph")
    return Outcome(name, dim, np.asarray(points, dtype=np.float64), by, seconds, cpu_seconds)
