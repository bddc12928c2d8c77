"""Rows of a matrix on their way from the processes that have them to those that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.engine.torch_engine.world import World


def even_cuts(n: int, size: int) -> list[int]:
    """Cut ``range(n)`` into ``size`` shares of about equal length."""
    return [n * rank // size for rank in range(size + 1)]


def cuts_by_work(world: World, lengths: NDArray[np.int64]) -> list[int]:
    """Cut nodes into shares of about equal work, none of them empty.

    Parameters
    ----------
    world : World
        All processes, at most as many as nodes.
    lengths : ndarray of int64, shape (n,)
        Neighbours of each node; the same in every process.
    """
    n, size = len(lengths), world.size
    work = np.cumsum(lengths + 10)
    cuts = np.searchsorted(work, work[-1] * np.arange(1, size) / size) + 1
    for k in range(size - 1):
        cuts[k] = min(max(cuts[k], cuts[k - 1] + 1 if k else 1), n - (size - 1 - k))
    return [0, *cuts.tolist(), n]


def send_entries(
    world: World, to: NDArray[np.integer], rows: NDArray[np.integer], columns: NDArray[np.integer], data: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Send entries of a matrix to processes.

    Parameters
    ----------
    world : World
        All processes.
    to : ndarray of int, shape (k,)
        Which process gets each entry.
    rows, columns : ndarray of int, shape (k,)
        Where each stands.
    data : ndarray of float64, shape (k,)
        The entries.

    Returns
    -------
    rows, columns, data : ndarray, shape (k',)
        What came here, sorted by sender, and as the sender had it.
    """
    if world.size == 1:
        return rows.astype(np.int64), columns.astype(np.int64), data
    order = np.argsort(to, kind="stable")
    ends = np.cumsum(np.bincount(to, minlength=world.size))[:-1]

    def send(values: NDArray[Any]) -> NDArray[Any]:
        return world.exchange(np.split(values[order], ends))

    return send(rows.astype(np.int64)), send(columns.astype(np.int64)), send(data)


def as_rows(
    rows: NDArray[np.int64], columns: NDArray[np.int64], data: NDArray[np.float64], shape: tuple[int, int]
) -> sp.csr_array:
    """Make a matrix of entries, in canonical form; those in one place add up in the order they have."""
    kind = np.int32 if max(*shape, len(data)) < 2**31 else np.int64
    coordinates: Any = (rows.astype(kind), columns.astype(kind))
    found = sp.csr_array(sp.coo_array((data, coordinates), shape=shape))
    found.sum_duplicates()
    return found
