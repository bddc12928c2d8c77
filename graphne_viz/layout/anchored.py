"""Layouts in which some nodes keep the places that the caller gave them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.layout.components import pack, place, split
from graphne_viz.layout.initialization import fill_missing
from graphne_viz.layout.run import solve

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.options import Options


def solve_anchored(
    adjacency: sp.csr_array,
    options: Options,
    placed: NDArray[np.float64],
    anchors: NDArray[np.bool_],
    *,
    seed: Seed,
    **watching: Any,  # noqa: ANN401 - handed on to `solve`
) -> NDArray[np.float64]:
    """Lay out a graph around nodes that stay where they are.

    t-SNE has a natural size, the caller's coordinates have another. A free run finds the natural one; it is turned,
    mirrored, scaled and moved to fit the anchors best, and from there the other nodes are optimised against the anchors.
    Parts of the graph without an anchor are packed around the rest.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    options : Options
        Settings.
    placed : ndarray, shape (n, 2)
        The caller's positions, NaN where there are none.
    anchors : ndarray of bool, shape (n,)
        Nodes to keep.
    seed : int, Generator, RandomState or None
        For everything random.
    **watching
        ``watch`` and ``every``, as for `solve`.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        In the caller's coordinates; anchors exactly where they were.
    """
    positions = placed.copy()
    if anchors.all():
        return positions
    parts = split(adjacency)
    tied = np.isin(parts.labels, parts.labels[anchors & (parts.labels >= 0)]) | anchors
    nodes = np.flatnonzero(tied)
    if not anchors[nodes].all():
        positions[nodes] = _around(adjacency[nodes][:, nodes], options, placed[nodes], anchors[nodes], seed, watching)
    if not tied.all():
        positions[~tied] = _beside(adjacency, options, positions[tied], tied, seed)
    return positions


def _around(
    adjacency: sp.csr_array,
    options: Options,
    placed: NDArray[np.float64],
    anchors: NDArray[np.bool_],
    seed: Seed,
    watching: dict[str, Any],
) -> NDArray[np.float64]:
    """Optimise the parts that hold an anchor."""
    guess = fill_missing(adjacency, placed, seed=seed)
    free = solve(adjacency, options, start=guess, seed=seed).positions
    unit = _spread(free[anchors]) / _spread(placed[anchors]) if _spread(placed[anchors]) > 0 else 0.0
    if not np.isfinite(unit) or unit <= 0:
        # One place says nothing about size: then the layout gets the size of a default one.
        unit = np.abs(free - free.mean(axis=0)).max() or 1.0
    middle = placed[anchors].mean(axis=0)
    start = _fitted(free, (placed - middle) * unit, anchors)
    late = replace(options, early_exaggeration_iter=0)
    outcome = solve(adjacency, late, start=start, seed=seed, held=anchors, **watching)
    result = outcome.positions / unit + middle
    result[anchors] = placed[anchors]
    return result


def _fitted(
    free: NDArray[np.float64], target: NDArray[np.float64], anchors: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Turn, mirror and move a layout so that its anchors come closest to their targets; anchors go exactly there."""
    source = free - free[anchors].mean(axis=0)
    u, _, vt = np.linalg.svd(source[anchors].T @ target[anchors])
    start = source @ (u @ vt)
    start[anchors] = target[anchors]
    return start


def _beside(
    adjacency: sp.csr_array,
    options: Options,
    around: NDArray[np.float64],
    tied: NDArray[np.bool_],
    seed: Seed,
) -> NDArray[np.float64]:
    """Lay out the parts without an anchor and pack them around those that have one."""
    loose = np.flatnonzero(~tied)
    block = adjacency[loose][:, loose]
    parts = split(block)
    layout = solve(block, options, seed=seed).positions
    centers, radii = pack(np.append(parts.shares, tied.sum()))
    middle = (around.min(axis=0) + around.max(axis=0)) / 2
    reach = np.sqrt(((around - middle) ** 2).sum(axis=1).max())
    unit = (reach or 1.0) / radii[-1]
    inner = layout[parts.order[: parts.offsets[-1]]]
    packed = place(inner, parts, centers[:-1] - centers[-1], radii[:-1])
    return packed * unit + middle


def _spread(points: NDArray[np.float64]) -> float:
    """Root mean square distance from the mean."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
