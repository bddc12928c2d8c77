"""Random nodes, edges, pairs without an edge and connected pairs."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz.graphs.convert.api import as_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csgraph

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
else:
    csgraph = lazy_import("scipy.sparse.csgraph")

_FEW_PAIRS = 1_000_000
"""Up to here all pairs are listed and chosen from; beyond, pairs are drawn until enough differ."""


def with_edges(G: Foreign) -> Graph:
    """Read a graph, which must have at least one edge."""
    graph = as_graph(G)
    if not graph.n_pairs:
        raise ValueError(f"G must have at least one edge, got {graph}")
    return graph


def check_share(name: str, value: object, *, whole_too: bool = False) -> None:
    """Refuse anything but a number between 0 and 1; 1 itself only where it makes sense."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not 0 < float(value) < 1 and not (whole_too and value == 1):
        raise ValueError(f"{name} must be above 0 and {'at most' if whole_too else 'below'} 1, got {value!r}")


def some_nodes(candidates: NDArray[np.int64], sample: int | None, seed: Seed) -> NDArray[np.int64]:
    """Choose `sample` of the nodes at random, all if there are no more; sorted."""
    if sample is None:
        return candidates
    check_integer("sample", sample, least=1)
    if sample >= len(candidates):
        return candidates
    return np.sort(as_generator(seed).choice(candidates, size=int(sample), replace=False))


def some_edges(graph: Graph, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Choose different edges at random, shape (count, 2)."""
    return graph.pairs[generator.choice(graph.n_pairs, size=count, replace=False)]


def some_non_edges(graph: Graph, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Choose different pairs of nodes without an edge at random, shape (count, 2); all if there are no more."""
    n = graph.n_nodes
    taken = np.sort(graph.pairs @ np.array([n, 1]))
    pairs = n * (n - 1) // 2
    if pairs <= _FEW_PAIRS or 2 * (len(taken) + count) > pairs:
        source, target = np.triu_indices(n, 1)
        free = np.setdiff1d(source * n + target, taken, assume_unique=True)
        codes = generator.choice(free, size=min(count, len(free)), replace=False)
    else:
        codes = np.zeros(0, dtype=np.int64)
        while len(codes) < count:
            drawn = np.sort(generator.integers(0, n, size=(2 * count, 2)), axis=1)
            fresh = drawn[drawn[:, 0] < drawn[:, 1]] @ np.array([n, 1])
            codes = _distinct(np.concatenate([codes, fresh[~np.isin(fresh, taken)]]))[:count]
    return np.column_stack(np.divmod(codes, n))


def some_connected_pairs(
    graph: Graph, count: int, generator: np.random.Generator, nodes: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Choose different pairs of nodes of one part of the graph at random, shape (count, 2); all if there are no more.

    Every connected pair is as likely as any other; where `nodes` are given, of those.
    """
    n = graph.n_nodes
    _, part = csgraph.connected_components(graph.adjacency, directed=False)
    nodes = np.arange(n) if nodes is None else nodes
    part = part[nodes]
    order, sizes = nodes[np.argsort(part, kind="stable")], np.bincount(part)
    starts = np.cumsum(sizes) - sizes
    pairs = sizes * (sizes - 1) // 2
    if pairs.sum() <= max(_FEW_PAIRS, 4 * count):
        chosen = np.arange(pairs.sum())
        if count < len(chosen):
            chosen = generator.choice(chosen, size=count, replace=False)
        return _numbered_pairs(chosen, pairs, starts, order)
    codes = np.zeros(0, dtype=np.int64)
    weights = np.cumsum(sizes * (sizes - 1.0))
    while len(codes) < count:
        where = np.searchsorted(weights, generator.random(2 * count) * weights[-1], side="right")
        source = generator.integers(0, sizes[where])
        target = (source + generator.integers(1, sizes[where])) % sizes[where]
        ends = np.sort(np.column_stack([order[starts[where] + source], order[starts[where] + target]]), axis=1)
        codes = _distinct(np.concatenate([codes, ends @ np.array([n, 1])]))[:count]
    return np.column_stack(np.divmod(codes, n))


def _numbered_pairs(
    numbers: NDArray[np.int64], pairs: NDArray[np.int64], starts: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find pairs by their number, counted part by part, within a part (1, 0), (2, 0), (2, 1), (3, 0) and so on."""
    ends = np.cumsum(pairs)
    where = np.searchsorted(ends, numbers, side="right")
    within = numbers - (ends - pairs)[where]
    larger = ((1 + np.sqrt(1 + 8 * within.astype(np.float64))) / 2).astype(np.int64)
    larger -= larger * (larger - 1) // 2 > within  # a root may be rounded up
    smaller = within - larger * (larger - 1) // 2
    return np.column_stack([order[starts[where] + smaller], order[starts[where] + larger]])


def _distinct(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Drop what came before, the order kept."""
    return codes[np.sort(np.unique(codes, return_index=True)[1])]
