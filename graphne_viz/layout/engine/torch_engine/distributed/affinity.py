"""Affinities of a graph of which every process has the rows of its own nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.affinity import NEGLIGIBLE
from graphne_viz.layout.engine.torch_engine.distributed.sums import exact_sums

if TYPE_CHECKING:
    import torch

    from graphne_viz._types import Floats
    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.engine.torch_engine.ranks import Shares
    from graphne_viz.layout.engine.torch_engine.world import World
else:
    torch = lazy_import("torch")


def join_column(shares: Shares, own: np.ndarray, n: int) -> np.ndarray:
    """Collect one number of 8 bytes for every node, shape (n,), of which this process has its own nodes'."""
    return np.asarray(shares.join(torch.from_numpy(np.ascontiguousarray(own))[None], n)[0].numpy())


def affinities(shares: Shares, rows: sp.csr_array, normalization: str) -> sp.csr_array:
    """Turn the weights of this process's rows into affinities, up to a factor per connected part.

    Parameters
    ----------
    shares : Shares
        How the nodes are divided.
    rows : csr_array, shape (m, n)
        Weights of this process's nodes; those of all are symmetric. Not needed any more afterwards.
    normalization : {"node", "graph"}
        See `graphne_viz.layout.affinity.affinities`.

    Raises
    ------
    ValueError
        For ``"sgtsne"``, which needs the neighbours of neighbours.
    """
    if normalization == "sgtsne":
        raise ValueError("normalization='sgtsne' needs the whole graph in one process; use 'node' or 'graph'")
    if normalization == "graph":
        return rows
    n, degrees = rows.shape[1], np.diff(rows.indptr)
    filled = np.flatnonzero(degrees)
    largest, sums = np.ones(rows.shape[0]), np.ones(rows.shape[0])
    data = rows.data.astype(np.float64)
    if filled.size:
        # Dividing by the largest first keeps the sums finite whatever the weights.
        starts = rows.indptr[:-1][filled]
        largest[filled] = np.maximum.reduceat(data, starts)
        data /= np.repeat(largest, degrees)
        sums[filled] = np.add.reduceat(data, starts)
        data /= np.repeat(sums, degrees)
    others = rows.data / join_column(shares, largest, n)[rows.indices]
    others /= join_column(shares, sums, n)[rows.indices]
    data += others
    data /= 2
    return sp.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def sum_to_one(world: World, rows: sp.csr_array, part_of: np.ndarray, parts: Parts) -> sp.csr_array:
    """Scale the affinities of each connected part to sum to 1.

    Parameters
    ----------
    world : World
        All processes.
    rows : csr_array, shape (m, n)
        Affinities of this process's nodes.
    part_of : ndarray of int, shape (m,)
        The part of each; -1 for isolates, which have no entries.
    parts : Parts
        All parts.
    """
    count = parts.n_parts
    owners = np.repeat(part_of, np.diff(rows.indptr))
    largest: Floats = np.zeros(count)
    np.maximum.at(largest, owners, rows.data)
    # Weights may span more orders of magnitude than float32 has: beyond, they count as equally negligible.
    data = np.maximum(rows.data / world.most(largest)[owners], NEGLIGIBLE)
    entries = int(world.total(np.array([rows.nnz]))[0])
    data /= exact_sums(world, data, owners, count, entries)[owners]
    return sp.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)
