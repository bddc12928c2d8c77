"""From edge weights to t-SNE affinities."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import scipy.sparse as sp

from graphne_viz.layout.row_runs import row_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.components import Parts

Normalization = Literal["node", "graph", "sgtsne"]
NORMALIZATIONS: tuple[str, ...] = get_args(Normalization)

LAMBDA = 10
"""Row sum that ``"sgtsne"`` aims at, the default of SGtSNEpi."""

LEAST_WEIGHT = 1e-300
"""Weight below which one over it may be infinite: rows are normalised first where there is one."""

NEGLIGIBLE = 1e-28
"""Affinity, beside the largest of its part, below which there is no difference."""

_WORK_AT_ONCE = 10_000_000
"""Entries of the product that counts common neighbours held in memory at once."""


def affinities(adjacency: sp.csr_array, normalization: Normalization) -> sp.csr_array:
    """Turn a graph's weights into symmetric affinities, up to a factor per connected part.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    normalization : {"node", "graph", "sgtsne"}
        ``"node"`` divides each row by its sum and symmetrises, so that every node pulls with the same total weight, as
        the paper does; ``"graph"`` keeps the weights as they are, so that hubs dominate; ``"sgtsne"`` weighs each edge
        by how many neighbours its ends share (`sgtsne`), then proceeds as ``"node"``.

    Returns
    -------
    csr_array, shape (n, n)
        Symmetric affinities with the sparsity of ``adjacency``.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> affinities(path, "node").toarray()
    array([[0.  , 0.75, 0.  ],
           [0.75, 0.  , 0.75],
           [0.  , 0.75, 0.  ]])
    """
    if normalization == "graph":
        return adjacency.astype(np.float64)
    if normalization == "sgtsne":
        rows = row_normalised(sgtsne(adjacency))
        return sp.csr_array((rows + rows.T) / 2)
    return _symmetrised(adjacency if adjacency.has_sorted_indices else adjacency.sorted_indices())


def _symmetrised(adjacency: sp.csr_array) -> sp.csr_array:
    """Mean of symmetric weights divided by the sums of their rows, and of their columns.

    A transpose, and a sum of sparse matrices, would take five times the memory of the result.
    """
    indptr, indices, weights = adjacency.indptr, adjacency.indices, adjacency.data
    largest, sums = np.ones(adjacency.shape[0]), np.ones(adjacency.shape[0])
    data = np.empty(adjacency.nnz)
    for run in row_runs(adjacency):
        filled = np.flatnonzero(run.degrees)
        if filled.size:
            # Dividing by the largest first keeps the sums finite whatever the weights.
            some, starts = weights[run.entries].astype(np.float64), indptr[run.low + filled] - run.entries.start
            largest[run.low + filled] = np.maximum.reduceat(some, starts)
            some /= run.spread(largest)
            sums[run.low + filled] = np.add.reduceat(some, starts)
            some /= run.spread(sums)
            data[run.entries] = some
    for run in row_runs(adjacency):
        others = indices[run.entries]
        some = weights[run.entries] / largest[others]
        some /= sums[others]
        some += data[run.entries]
        np.divide(some, 2, out=data[run.entries])
    # The caller's own arrays may be read-only, for which kernels would be compiled once more.
    return sp.csr_array((data, indices.copy(), indptr.copy()), shape=adjacency.shape)


def sgtsne(adjacency: sp.csr_array, lam: float = LAMBDA) -> sp.csr_array:
    """Weigh edges as SGtSNEpi does: by shared neighbours, made peaked enough for each row to sum to ``lam``.

    An edge's weight is multiplied by the Jaccard index of its ends' neighbourhoods (each node counted among its own, so
    that no edge vanishes) and divided by the row's largest; in each row these are raised to the power at which they sum
    to ``lam``. A node with no more than ``lam`` neighbours cannot reach the sum: its edges count alike.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    lam : float
        Row sum to reach.

    Returns
    -------
    csr_array, shape (n, n)
        Weights in [0, 1], in general not symmetric.
    """
    degrees = np.diff(adjacency.indptr)
    rows = np.repeat(np.arange(degrees.size), degrees)
    logs = np.log(jaccard(adjacency)) + np.log(adjacency.data)
    filled = np.flatnonzero(degrees)
    starts = adjacency.indptr[:-1][filled]
    logs -= np.repeat(np.maximum.reduceat(logs, starts), degrees[filled]) if filled.size else 0
    low, high = np.zeros(degrees.size), np.ones(degrees.size)
    reachable = degrees > lam

    def excess(power: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros(degrees.size)
        if filled.size:
            sums[filled] = np.add.reduceat(np.exp(power[rows] * logs), starts)
        return sums - lam

    # The sum falls from the degree towards the number of largest entries: bracket its crossing, then bisect.
    for _ in range(60):
        short = reachable & (excess(high) > 0)
        if not short.any() or high.max() > 1e6:
            break
        high[short] *= 2
    for _ in range(40):
        middle = (low + high) / 2
        above = excess(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    power = np.where(reachable, high, 0.0)
    return sp.csr_array((np.exp(power[rows] * logs), adjacency.indices, adjacency.indptr), shape=adjacency.shape)


def jaccard(adjacency: sp.csr_array) -> NDArray[np.float64]:
    """Jaccard index of the neighbourhoods of every edge's ends, each node counted among its own neighbours.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.

    Returns
    -------
    ndarray, shape (nnz,)
        Above 0, in the order of the stored edges.

    Examples
    --------
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> jaccard(path).round(2)
    array([0.67, 0.67, 0.67, 0.67])
    """
    degrees = np.diff(adjacency.indptr)
    rows = np.repeat(np.arange(degrees.size), degrees)
    shared = _shared_neighbours(adjacency) + 2
    return np.asarray(shared / (degrees[rows] + degrees[adjacency.indices] + 2 - shared))


def row_normalised(weights: sp.csr_array) -> sp.csr_array:
    """Divide each row by its sum, rows without entries aside."""
    degrees = np.diff(weights.indptr)
    data = weights.data.astype(np.float64)
    filled = np.flatnonzero(degrees)
    if filled.size:
        # Dividing by the largest first keeps the sums finite whatever the weights.
        starts = weights.indptr[:-1][filled]
        data /= np.repeat(np.maximum.reduceat(data, starts), degrees[filled])
        data /= np.repeat(np.add.reduceat(data, starts), degrees[filled])
    return sp.csr_array((data, weights.indices, weights.indptr), shape=weights.shape)


def _shared_neighbours(adjacency: sp.csr_array) -> NDArray[np.float64]:
    """Count, for every stored edge, the neighbours that its two ends have in common, shape (nnz,)."""
    pattern = sp.csr_array((np.ones(adjacency.nnz), adjacency.indices, adjacency.indptr), shape=adjacency.shape)
    counts = np.zeros(adjacency.nnz)
    work = np.concatenate([[0], np.cumsum(pattern @ np.diff(adjacency.indptr))])
    marks = np.searchsorted(work, np.arange(_WORK_AT_ONCE, work[-1], _WORK_AT_ONCE))
    for lo, hi in pairwise(np.unique([0, *marks, adjacency.shape[0]]).tolist()):
        band = pattern[lo:hi]
        # Adding the band makes sure that every edge is stored, also where nothing is shared.
        common = sp.csr_array((band @ pattern).multiply(band) + band)
        common.sort_indices()
        counts[adjacency.indptr[lo] :][: band.nnz] = common.data - 1
    return counts


def blocks_that_sum_to_one(S: sp.csr_array, parts: Parts) -> sp.csr_array:
    """Group the nodes by part, isolates left out, and scale each part's affinities to sum to 1."""
    if not parts.is_one:
        S = parts.submatrix(S, 0, parts.n_parts)
    if S.nnz == 0:
        return S
    data = S.data.copy() if parts.is_one else S.data  # a submatrix has its own
    starts = S.indptr[parts.offsets[:-1]]
    largest = np.repeat(np.maximum.reduceat(data, starts), parts.sizes)
    for run in row_runs(S):
        some = data[run.entries]
        some /= run.spread(largest)
        # Weights may span more orders of magnitude than float32 has: beyond, they count as equally negligible.
        np.maximum(some, NEGLIGIBLE, out=some)
    sums = np.repeat(np.add.reduceat(data, starts), parts.sizes)
    for run in row_runs(S):
        data[run.entries] /= run.spread(sums)
    return sp.csr_array((data, S.indices, S.indptr), shape=S.shape)
