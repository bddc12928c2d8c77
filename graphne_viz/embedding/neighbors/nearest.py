"""The nodes whose vectors point most nearly the same way, of all nodes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.embedding.neighbors import nearest_kernels
from graphne_viz.embedding.training.compiled_step import one_blas_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    import faiss
    from numpy.typing import NDArray
else:
    faiss = lazy_import("faiss")

log = logging.getLogger(__name__)

LARGE = 250_000
"""Vectors above which their neighbours are found approximately, if there is a library for it. Up to here comparing all
pairs takes less time, and finds all of them (``benchmarks/nearest.py``)."""

LINKS, BUILDING, SEARCHING = 24, 100, 192
"""Of the small worlds: links of a node, and candidates kept when it is put in and when its neighbours are looked up.
With fewer, less than 95 % of the exact neighbours are found (``benchmarks/nearest.py``)."""

_TILE = 1024

_AT_ONCE, _PUT_IN = 8192, 0.4
"""Vectors between two words about progress, and the share of the work that is done when all are put in."""


def nearest(
    vectors: NDArray[np.floating],
    k: int,
    *,
    progress: Callable[[float], object] | None = None,
    exact: bool | None = None,
) -> NDArray[np.int64]:
    """Return the k nodes that are nearest to each one by cosine.

    Parameters
    ----------
    vectors : ndarray, shape (n, dim)
        Of any length; those that are zero are equally near to all others.
    k : int
        From 1 to n - 1.
    progress : callable, optional
        Called now and then with the share that is done, from 0 to 1.
    exact : bool, optional
        Whether to compare all pairs. By default up to 250,000 vectors; beyond, faiss finds nearly all neighbours
        in less time, if it is installed.

    Returns
    -------
    ndarray of int64, shape (n, k)
        In no particular order; never a node itself.
    """
    tell = progress or _nothing
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros(vectors.shape, np.float32), where=lengths > 0)
    if exact is None:
        exact = len(unit) <= LARGE or not _has_faiss(len(unit))
    tell(0.0)
    found = _exact(np.ascontiguousarray(unit), k, tell) if exact else _approximate(unit, k, tell)
    tell(1.0)
    return found


def _exact(unit: NDArray[np.float32], k: int, tell: Callable[[float], object]) -> NDArray[np.int64]:
    """Compare all pairs once, tile by tile; every thread has a list of its own for each node."""
    n = len(unit)
    size = min(_TILE, n)
    tiles = -(-n // size)
    threads = min(count_cores(), tiles)
    near = [np.full((n, k), -2, np.float32) for _ in range(threads)]
    nodes = [np.full((n, k), -1, np.int64) for _ in range(threads)]
    rooms = [np.empty(size * size, np.float32) for _ in range(threads)]
    free = list(range(threads))
    with one_blas_thread(), ThreadTeam(threads) as team:
        for row in range(tiles):

            def compare(ahead: int, row: int = row) -> None:
                desk = free.pop()
                nearest_kernels.compare_tile(
                    unit, row * size, (row + ahead) * size, size, rooms[desk], near[desk], nodes[desk]
                )
                free.append(desk)

            team.run(compare, tiles - row)
            left = (tiles - row - 1) * (tiles - row)
            tell(1 - left / (tiles * (tiles + 1)))
    return nearest_kernels.merge(np.stack(near), np.stack(nodes)) if threads > 1 else nodes[0]


def _approximate(unit: NDArray[np.float32], k: int, tell: Callable[[float], object]) -> NDArray[np.int64]:
    """Let faiss find them, by walks in a graph of small worlds."""
    n = len(unit)
    index = faiss.IndexHNSWFlat(unit.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = BUILDING
    index.hnsw.efSearch = SEARCHING
    for begin in range(0, n, _AT_ONCE):
        index.add(unit[begin : begin + _AT_ONCE])
        tell(_PUT_IN * min(begin + _AT_ONCE, n) / n)
    found = np.empty((n, k + 1), np.int64)
    for begin in range(0, n, _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        found[some] = index.search(unit[some], k + 1)[1]
        tell(_PUT_IN + (1 - _PUT_IN) * min(some.stop, n) / n)
    own = found == np.arange(n)[:, None]
    # Each row loses one entry: the node itself, or the farthest where it is not among its own nearest.
    own[~own.any(axis=1), -1] = True
    return np.asarray(found[~own].reshape(n, k))


def _has_faiss(n: int) -> bool:
    try:
        faiss.IndexHNSWFlat  # noqa: B018 -- imports it
    except ImportError:
        log.warning(
            "the nearest neighbours of %s vectors are found by comparing all pairs, which takes minutes; "
            "pip install faiss-cpu",
            f"{n:,}",
        )
        return False
    return True


def _nothing(_: float) -> None:
    """Tell nobody."""
