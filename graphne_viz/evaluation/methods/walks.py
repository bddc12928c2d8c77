"""DeepWalk and node2vec: vectors from random walks.

Both let a skip-gram with negative sampling learn which nodes meet in short random walks. They are the models that the
paper compared with, DGL's DeepWalk and PyTorch Geometric's node2vec, with the same parameters, starts, losses, batches,
optimizer and number of epochs, on the cores of the processor. Those packages are not used themselves: both need
compiled parts that are built for single versions of torch. gensim's word2vec is another model, with another
optimizer, and gives the same vectors twice on one thread only.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer, check_positive
from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.evaluation.methods import walk_kernels
from graphne_viz.evaluation.methods.registry import Placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float32]
    Nodes = NDArray[np.int32]

_BATCH = 128
"""Nodes from which walks start before the vectors move."""

_CLIP = 6.0
"""DGL's: beyond this product of two vectors there is no gradient."""

_PIECES = 32
"""Pieces of work handed to the threads at once: enough for none to wait long for the last."""


class Walker:
    """Random walks on a graph.

    Parameters
    ----------
    graph : Graph
        With at least one edge; an edge is taken in proportion to its weight.
    p, q : float, default 1
        Of node2vec: how little a walk likes to go back where it came from, and to leave the neighbourhood of the node
        it came from. 1 and 1 for plain walks.
    """

    def __init__(self, graph: Graph, p: float = 1.0, q: float = 1.0) -> None:
        self.p, self.q = float(p), float(q)
        self.linked: Nodes = np.flatnonzero(graph.degrees).astype(np.int32)
        self._indptr, self._indices = graph.adjacency.indptr, graph.adjacency.indices
        self._sums = np.empty(len(self._indices))
        walk_kernels.add_up(self._indptr, graph.adjacency.data, self._sums)

    def walk(self, starts: Nodes, length: int, rng: np.random.Generator, team: ThreadTeam) -> Nodes:
        """Walk from nodes that have neighbours.

        Returns
        -------
        ndarray of int32, shape (len(starts), length)
            The nodes met, the start first.
        """
        walks = np.empty((len(starts), length), np.int32)
        keys = rng.integers(2**64, size=len(starts), dtype=np.uint64)
        given = (self._indptr, self._indices, self._sums, starts, keys)
        _share_out(team, len(starts), walk_kernels.take_walks, given, (self.p, self.q, walks))
        return walks


class Table:
    """Vectors of all nodes, moved by Adam where there is a gradient.

    Parameters
    ----------
    values : array of shape (n, d)
        Where they start.
    rate : float
        Learning rate.
    """

    def __init__(self, values: NDArray[np.floating], rate: float) -> None:
        self.values: Floats = np.array(values, dtype=np.float32)
        self._rate, self._steps = rate, 0
        self._mean, self._square = np.zeros_like(self.values), np.zeros_like(self.values)
        self._first = np.full(len(self.values), -1, np.int32)

    def descend(self, nodes: Nodes, gradients: Floats, team: ThreadTeam) -> None:
        """Go a step against gradients, one for each of ``nodes``, in which a node may occur several times.

        Parameters
        ----------
        nodes : ndarray of int32, shape (K,)
        gradients : ndarray of float32, shape (K or more, d)
            Rows beyond the first K are not read.
        team : ThreadTeam
        """
        self._steps += 1
        keep, keep_square = walk_kernels.FADING
        step = self._rate * math.sqrt(1 - keep_square**self._steps) / (1 - keep**self._steps)
        following, touched = np.empty_like(nodes), np.empty(min(len(nodes), len(self.values)), np.int32)
        count = walk_kernels.link(nodes, self._first, following, touched)
        moved = (self.values, self._mean, self._square, self._first, following, touched)
        _share_out(team, count, walk_kernels.descend, moved, (gradients, np.float32(step)))


def deepwalk(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    epochs: int = 100,
    walk_length: int = 40,
    window: int = 5,
    negatives: int = 5,
    learning_rate: float = 0.01,
) -> Placed:
    """Embed by DeepWalk, as in DGL.

    Parameters
    ----------
    graph : Graph
        With at least one edge; walks take an edge in proportion to its weight.
    dim, seed : int
        Nodes without neighbours keep the vectors they started with.
    epochs : int, default 100
        Walks that start at each node.
    walk_length : int, default 40
        Nodes in a walk.
    window : int, default 5
        Nodes of a walk at most so many steps apart attract each other.
    negatives : int, default 5
        Random nodes, of the walks of the same batch, for each attraction. The nodes of a walk share theirs, which are
        ``2 * window * negatives``: about as many pairs of nodes as in DGL, and the gradient expected is the same.
    learning_rate : float, default 0.01
        Of Adam.

    Returns
    -------
    Placed
        To be compared by cosine, as in the paper.
    """
    _check(dim=dim, epochs=epochs, walk_length=walk_length, window=window, negatives=negatives)
    check_positive("learning_rate", learning_rate)
    if walk_length <= window:
        raise ValueError(f"walk_length must be above window, {window}, got {walk_length!r}")
    rng, walker = np.random.default_rng(seed), Walker(graph)
    table = Table(rng.uniform(-1 / dim, 1 / dim, (graph.n_nodes, dim)), learning_rate)
    contexts = Table(np.zeros((graph.n_nodes, dim)), learning_rate)
    pairs, shared = window * (2 * walk_length - window - 1), 2 * window * negatives
    out = np.empty((_BATCH, walk_length, dim), np.float32)
    context_out = np.empty((_BATCH, walk_length + shared, dim), np.float32)
    with ThreadTeam(count_cores()) as team:
        for starts in _batches(walker.linked, epochs, rng):
            walks = walker.walk(starts, walk_length, rng, team)
            others = rng.choice(walks.ravel(), (len(walks), shared))
            share = np.float32(1 / (len(walks) * pairs))
            given = (table.values, contexts.values, walks, others)
            sizes = (window, negatives, np.float32(_CLIP), share, out, context_out)
            _share_out(team, len(walks), walk_kernels.pull_walks, given, sizes)
            table.descend(walks.ravel(), out.reshape(-1, dim), team)
            contexts.descend(np.hstack([walks, others]).ravel(), context_out.reshape(-1, dim), team)
    return Placed(table.values.astype(np.float64), "graphne_viz, DeepWalk as in DGL")


def node2vec(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    p: float = 0.25,
    q: float = 4.0,
    epochs: int = 100,
    walks_per_node: int = 10,
    walk_length: int = 20,
    context: int = 10,
    learning_rate: float = 0.01,
) -> Placed:
    """Embed by node2vec, as in PyTorch Geometric.

    Parameters
    ----------
    graph : Graph
        With at least one edge; walks take an edge in proportion to its weight.
    dim, seed : int
        Nodes without neighbours keep the vectors they started with.
    p : float, default 0.25
        The lower, the more often a walk goes back where it came from. The default of both kept most neighbours in the
        paper.
    q : float, default 4
        The lower, the more often a walk leaves the neighbourhood of the node it came from.
    epochs : int, default 100
        How often `walks_per_node` walks start at each node.
    walks_per_node : int, default 10
    walk_length : int, default 20
        Nodes in a walk.
    context : int, default 10
        The first of so many nodes in a row attracts the others, and is repelled by as many random ones.
    learning_rate : float, default 0.01
        Of Adam.

    Returns
    -------
    Placed
        To be compared by cosine, as in the paper.
    """
    _check(dim=dim, epochs=epochs, walks_per_node=walks_per_node, walk_length=walk_length, context=context)
    for name, value in (("p", p), ("q", q), ("learning_rate", learning_rate)):
        check_positive(name, value)
    if not 2 <= context <= walk_length:
        raise ValueError(f"context must be from 2 to walk_length, {walk_length}, got {context!r}")
    rng, walker = np.random.default_rng(seed), Walker(graph, p, q)
    table = Table(rng.standard_normal((graph.n_nodes, dim)), learning_rate)
    pairs = (walk_length - context + 1) * (context - 1)
    room = np.empty((2 * _BATCH * walks_per_node, walk_length, dim), np.float32)
    with ThreadTeam(count_cores()) as team:
        for nodes in _batches(walker.linked, epochs, rng):
            starts = np.tile(nodes, walks_per_node)
            noise = rng.choice(walker.linked, (len(starts), walk_length))
            noise[:, 0] = starts
            walks = walker.walk(starts, walk_length, rng, team)
            share = np.float32(1 / (len(starts) * pairs))
            for sequences, sign, out in ((walks, 1, room), (noise, -1, room[len(starts) :])):
                sizes = (context, np.float32(sign), share, out)
                _share_out(team, len(starts), walk_kernels.pull_sequences, (table.values, sequences), sizes)
            table.descend(np.concatenate([walks, noise]).ravel(), room.reshape(-1, dim), team)
    return Placed(table.values.astype(np.float64), f"graphne_viz, node2vec as in PyTorch Geometric, p={p:g}, q={q:g}")


def _check(**sizes: int) -> None:
    """Refuse anything but whole numbers from 1 on."""
    for name, value in sizes.items():
        check_integer(name, value, least=1)


def _batches(nodes: Nodes, epochs: int, rng: np.random.Generator) -> Iterator[Nodes]:
    """Yield all nodes in random order and batches, so many times."""
    for _ in range(epochs):
        shuffled = rng.permutation(nodes)
        for lo in range(0, len(nodes), _BATCH):
            yield shuffled[lo : lo + _BATCH]


def _share_out(
    team: ThreadTeam, n: int, kernel: Callable[..., object], before: tuple[object, ...], after: tuple[object, ...]
) -> None:
    """Call ``kernel(*before, lo, hi, *after)`` for ranges of n things, on all threads."""
    pieces = min(n, _PIECES)
    team.run(lambda k: kernel(*before, k * n // pieces, (k + 1) * n // pieces, *after), pieces)
