"""Layouts that start from an earlier one of nearly the same graph, and keep it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FEW, _MORE, _SMALL = 5, 60, 128
"""Iterations of a kept map, without early exaggeration, of up to so many nodes and of more.

They are enough for what is new to find its place.
"""

_FOLLOWED = 0.3
"""Share of its way that a node of a small map goes.

The map was made even after it had been optimised, and to optimise it again would undo that.
"""

_FULL = 0.9
"""Share of the frame that an earlier map must fill for a new one to keep its scale."""

_PLACED = 0.5
"""Share of the nodes that must have a place for their positions to be a map."""

_SHORT = 0.55
"""Length of edges, as a share of the distance of any two nodes, up to which positions are a map of the graph."""

_PAIRS = 300_000
"""Pairs of nodes that distances and sums over all pairs are estimated from."""

_SEEN, _FEWEST_SEEN = 5_000_000, 256
"""Distances that the similarities of a large map are summed from, and fewest nodes from which they are."""

_BITS_CUT = 19
"""Bits of a float32 without which 16 bins are left for each factor of two."""

_BINS = 1 << (31 - _BITS_CUT)

_GOLDEN = (math.sqrt(5) - 1) / 2


def iterations(n_nodes: int) -> int:
    """Return how many iterations a kept map of so many nodes is given."""
    return _FEW if n_nodes <= _SMALL else _MORE


def has_most(placed: Floats) -> bool:
    """Whether so many nodes have a place, shape (n, 2), NaN for none, that they can be a map of the graph."""
    there = np.isfinite(placed[:, 0]) & np.isfinite(placed[:, 1])
    return int(there.sum()) >= max(_PLACED * len(placed), 4)


def is_map(adjacency: sp.csr_array, placed: Floats) -> bool:
    """Whether given positions show the graph already, and are not only somewhere to start from.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    placed : ndarray, shape (n, 2)
        NaN where there is none.
    """
    if not has_most(placed):
        return False
    there = np.isfinite(placed[:, 0]) & np.isfinite(placed[:, 1])
    rows = np.repeat(np.arange(len(placed)), np.diff(adjacency.indptr))
    both = there[rows] & there[adjacency.indices]
    if not both.any():
        return False
    edges = np.linalg.norm(placed[rows[both]] - placed[adjacency.indices[both]], axis=1)
    first, second = _some_pairs(np.flatnonzero(there))
    apart = np.linalg.norm(placed[first] - placed[second], axis=1)
    return bool(edges.mean() < _SHORT * apart.mean())


def hold_back(adjacency: sp.csr_array, placed: Floats, found: Floats) -> Floats:
    """Let the nodes of an earlier map go a part of their way only, and new ones with their neighbours.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric.
    placed : ndarray, shape (n, 2)
        The earlier map; NaN where a node is new.
    found : ndarray, shape (n, 2)
        The map that was computed from it, in another unit.

    Returns
    -------
    ndarray, shape (n, 2)
        In the unit of `found`.
    """
    there = np.isfinite(placed[:, 0]) & np.isfinite(placed[:, 1])
    scale, shift = _fit(placed[there], found[there])
    back = np.zeros_like(found)
    back[there] = (1 - _FOLLOWED) * (placed[there] * scale + shift - found[there])
    around = (adjacency @ there.astype(np.float64))[:, None]
    follow = (adjacency @ back) / np.where(around > 0, around, 1)
    return np.asarray(found + np.where(there[:, None], back, follow))


def onto_map(placed: Floats, found: Floats) -> Floats:
    """Scale and shift a map onto the earlier one that it was computed from.

    Parameters
    ----------
    placed, found : ndarray, shape (n, 2)
        As for `hold_back`.

    Returns
    -------
    ndarray, shape (n, 2)
    """
    there = np.isfinite(placed[:, 0]) & np.isfinite(placed[:, 1])
    scale, shift = _fit(found[there], placed[there])
    return np.asarray(found * scale + shift)


def turned_like(placed: Floats, found: Floats) -> Floats:
    """Turn, and mirror if need be, a layout to lie as the positions did that it was computed from.

    Parameters
    ----------
    placed, found : ndarray, shape (n, 2)
        As for `hold_back`.

    Returns
    -------
    ndarray, shape (n, 2)
        Around the same middle; as it was, if fewer than two nodes had a place.

    Examples
    --------
    >>> corner = np.array([[-1.0, -1.0], [2.0, -1.0], [-1.0, 2.0]])
    >>> turned_like(corner, corner @ [[0.0, 1.0], [-1.0, 0.0]]).round(2) + 0.0
    array([[-1., -1.],
           [ 2., -1.],
           [-1.,  2.]])
    """
    there = np.isfinite(placed[:, 0]) & np.isfinite(placed[:, 1])
    if there.sum() < 2:
        return found
    middle = found[there].mean(axis=0)
    apart, wanted = found[there] - middle, placed[there] - placed[there].mean(axis=0)
    # Rounding errors of places that are all alike, or far from the origin, are no direction.
    if not np.ptp(wanted, axis=0).max() > 1e-9 * np.abs(placed[there]).max():
        return found
    left, _, right = np.linalg.svd(apart.T @ (wanted / np.abs(wanted).max()))
    return np.asarray((found - middle) @ (left @ right) + middle)


def fills(placed: Floats, scale: float, center: Floats) -> bool:
    """Whether an earlier map is as large as layouts are: a new one then keeps its unit."""
    reach = float(np.nanmax(np.abs(placed - center)))
    return _FULL * scale <= reach <= scale * (1 + 1e-9)


def _fit(points: Floats, onto: Floats) -> tuple[float, Floats]:
    """Find the factor and the shift that bring points nearest to others, by least squares."""
    middle, target = points.mean(axis=0), onto.mean(axis=0)
    apart = points - middle
    scale = float((apart * (onto - target)).sum()) / max(float((apart**2).sum()), 1e-300)
    return scale, target - scale * middle


def natural_scale(P: sp.csr_array, positions: Floats, exaggeration: float, dof: float) -> float:
    """Factor that brings positions to t-SNE's own units: that of the smallest KL divergence.

    Parameters
    ----------
    P : csr_array, shape (n, n)
        Affinities that sum to 1.
    positions : ndarray, shape (n, 2)
        In any unit.
    exaggeration : float
        Factor on the attraction.
    dof : float
        Degrees of freedom of the kernel.
    """
    entries, weights = _some_entries(P)
    rows = np.searchsorted(P.indptr, entries, side="right") - 1
    reach = max(float(np.ptp(positions, axis=0).max()), 1e-300)
    x, y = np.ascontiguousarray((positions / reach).T, dtype=np.float32)
    of_edges = (x[rows] - x[P.indices[entries]]) ** 2 + (y[rows] - y[P.indices[entries]]) ** 2
    squares, weights = _binned(_bins(of_edges, weights), reach)
    others, shares = _binned(_bins_of_pairs(x, y), reach)
    shares /= max(float(shares.sum()), 1.0)

    def loss(log_scale: float) -> float:
        square = math.exp(2 * log_scale) / dof
        pull = exaggeration * dof * float(weights @ np.log1p(square * squares))
        return pull + math.log(float(shares @ (1 + square * others) ** -dof))

    apart = of_edges[of_edges > 0]
    middle = -0.5 * math.log(float(np.median(apart)) * reach**2 if apart.size else 1.0)
    low, high = middle - 6, middle + 6
    left, right = high - _GOLDEN * 12, low + _GOLDEN * 12
    on_left, on_right = loss(left), loss(right)
    for _ in range(24):  # golden section: each step takes over one of the two points
        if on_left < on_right:
            high, right, on_right = right, left, on_left
            left = high - _GOLDEN * (high - low)
            on_left = loss(left)
        else:
            low, left, on_left = left, right, on_right
            right = low + _GOLDEN * (high - low)
            on_right = loss(right)
    return math.exp((low + high) / 2)


def _some_entries(P: sp.csr_array) -> tuple[NDArray[np.intp], Floats]:
    """All entries of affinities, or some of many, always the same ones; and weights that sum as all affinities do."""
    if P.nnz <= _PAIRS:
        return np.arange(P.nnz), P.data
    entries = np.random.default_rng(0).integers(0, P.nnz, _PAIRS)
    weights = P.data[entries]
    return entries, weights * (float(P.data.sum()) / float(weights.sum()))


def _bins(squares: NDArray[np.float32], weights: Floats | None = None) -> Floats:
    """Add up weights, or count, in bins of equal ratio; a number's first bits are its exponent, so no logarithm."""
    return np.bincount(squares.view(np.int32) >> _BITS_CUT, weights, _BINS).astype(np.float64)


def _binned(sums: Floats, reach: float) -> tuple[Floats, Floats]:
    """Squared distances in the middles of bins that are not empty, and what these hold."""
    bins = np.flatnonzero(sums)
    edges = np.array([bins, bins + 1], dtype=np.int32) << _BITS_CUT
    return edges.view(np.float32).mean(axis=0, dtype=np.float64) * reach**2, sums[bins]


def _bins_of_pairs(x: NDArray[np.float32], y: NDArray[np.float32]) -> Floats:
    """Count the squared distances of some nodes, or all, from all others in bins.

    Of pairs by chance hardly any would be near each other in a large map, and it is those that count.
    """
    n = x.size
    counts = np.zeros(_BINS)
    chosen = np.random.default_rng(0).choice(n, min(max(_SEEN // n, _FEWEST_SEEN), n), replace=False)
    for node in chosen:
        counts += _bins((x - x[node]) ** 2 + (y - y[node]) ** 2)
    counts[0] -= chosen.size  # each node from itself
    return counts


def _some_pairs(nodes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of a few nodes, or some pairs of many; always the same ones."""
    n = nodes.size
    if n * (n - 1) // 2 <= _PAIRS:
        first, second = np.triu_indices(n, 1)
        return nodes[first], nodes[second]
    rng = np.random.default_rng(0)
    first = rng.integers(0, n, _PAIRS)
    second = (first + rng.integers(1, n, _PAIRS)) % n
    return nodes[first], nodes[second]
