"""The stochastic block model: graphs whose communities are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.convert.arrays import graph_from_edges
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

WITHIN, BETWEEN = 20.0, 0.36
"""Mean number of neighbours in a node's own block, and in all others, as among the paper's 80,000 nodes."""


def block_model(
    n_nodes: int, blocks: int, *, within: float | None = None, between: float | None = None, seed: int = 0
) -> Graph:
    """Draw a graph in which nodes of one block are joined more often than nodes of two.

    Parameters
    ----------
    n_nodes, blocks : int
        The blocks are of equal size, or differ by one.
    within, between : float, optional
        Probability of an edge between two nodes of one block, and of two. By default such that a node has about 20
        neighbours in its own block and 0.36 in others.
    seed : int, default 0
        The same seed gives the same graph.

    Returns
    -------
    Graph
        The attribute "class" holds the block as text, "0", "1", ...

    Examples
    --------
    >>> block_model(6, 2, within=1, between=0).pairs.tolist()
    [[0, 1], [0, 2], [1, 2], [3, 4], [3, 5], [4, 5]]
    """
    check_integer("blocks", blocks, least=1)
    check_integer("n_nodes", n_nodes, least=2 * blocks)
    check_integer("seed", seed, least=0)
    starts = np.arange(blocks + 1) * n_nodes // blocks
    size = n_nodes / blocks
    if within is None:
        within = WITHIN / (size - 1)
        if within > 1:
            raise ValueError(
                f"{n_nodes:,} nodes in {blocks} blocks are too few for {WITHIN:g} neighbours of a node in its block; "
                "use more nodes, fewer blocks or another within"
            )
    if between is None:
        between = BETWEEN / (n_nodes - size) if blocks > 1 else 0.0
    _probability("within", within)
    _probability("between", between)
    rng = np.random.default_rng(seed)
    ends = [
        _edges(starts[[a, a + 1]], starts[[b, b + 1]], within if a == b else between, rng)
        for a in range(blocks)
        for b in range(a, blocks)
    ]
    graph = graph_from_edges(np.concatenate(ends), None, n_nodes, direction="undirected")
    names = np.repeat(np.arange(blocks), np.diff(starts)).astype(str).tolist()
    return Graph(graph.adjacency, graph.ids, {"class": as_column(names)})


def _probability(name: str, value: float) -> None:
    """Refuse anything but a probability."""
    if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a probability, from 0 to 1, got {value!r}")


def _edges(one: Integers, other: Integers, probability: float, rng: np.random.Generator) -> Integers:
    """Draw the edges of one block, or between two: how many first, then which of all pairs.

    So the cost is that of the edges, not of the pairs.

    Parameters
    ----------
    one, other : ndarray, shape (2,)
        First node of a block, and the first beyond.
    probability : float
    rng : Generator

    Returns
    -------
    ndarray of int64, shape (E, 2)
        Distinct pairs (i, j) with i < j.
    """
    height, width = int(one[1] - one[0]), int(other[1] - other[0])
    same = one[0] == other[0]
    pairs = height * (height - 1) // 2 if same else height * width
    chosen = np.sort(rng.choice(pairs, rng.binomial(pairs, probability), replace=False, shuffle=False))
    if not same:
        return np.column_stack([one[0] + chosen // width, other[0] + chosen % width])
    # Pairs i < j in order of j: there are j (j - 1) / 2 before the first one with j.
    before = np.arange(height) * np.arange(-1, height - 1) // 2
    j = np.searchsorted(before, chosen, side="right") - 1
    return np.column_stack([one[0] + chosen - before[j], one[0] + j])
