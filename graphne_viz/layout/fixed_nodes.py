"""Layouts in which some nodes keep the places that the caller gave them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.components import place, split
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.engine.pins import Pins
from graphne_viz.layout.engine.run import solve
from graphne_viz.layout.initialization.initial_positions import fill_missing
from graphne_viz.layout.kept_map import is_map, iterations, natural_scale
from graphne_viz.layout.packing import pack

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphne_viz._seeds import Seed
    from graphne_viz.layout.engine.watch import Watch
    from graphne_viz.layout.options import Options
    from graphne_viz.layout.snapshot import Snapshot


def solve_around_fixed(
    adjacency: sp.csr_array,
    options: Options,
    placed: NDArray[np.float64],
    anchors: NDArray[np.bool_],
    *,
    seed: Seed,
    watch: Watch,
) -> Outcome:
    """Lay out a graph around nodes that stay where they are.

    t-SNE has a natural size, the caller's coordinates have another. A free run finds the natural one; it is turned,
    mirrored and moved to fit the anchors best, and from there the other nodes are optimised against the anchors. Where
    the anchors are a map already, its natural size is found without a run, and only the other nodes cost anything.
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
    watch : Watch
        As for `solve`; snapshots are in the caller's coordinates.

    Returns
    -------
    Outcome
        In the caller's coordinates; anchors exactly where they were.
    """
    parts = split(adjacency)
    tied = np.isin(parts.labels, parts.labels[anchors & (parts.labels >= 0)]) | anchors
    beside = _packed_beside(adjacency, options, tied, seed)
    if anchors[tied].all():
        return Outcome(_joined(placed[tied], tied, beside), float("nan"), 0)
    block = adjacency[tied][:, tied]
    held, fixed = anchors[tied], placed[anchors]
    guess = fill_missing(block, placed[tied], seed=seed)
    late = replace(options, early_exaggeration_iter=0)
    if options.staged and is_map(block, np.where(held[:, None], placed[tied], np.nan)):
        P = affinities(block, options.normalization)
        unit, middle = natural_scale(sp.csr_array(P / P.sum()), guess, options.exaggeration, options.dof), fixed.mean(0)
        start = (guess - middle) * unit
        late = replace(late, n_iter=iterations(held.size))
    else:
        free = solve(block, options, start=guess, seed=seed).positions
        unit, middle = _frame(free, placed[tied], held)
        start = _fitted(free, (placed[tied] - middle) * unit, held)

    def joined(positions: NDArray[np.floating]) -> NDArray[np.float64]:
        around = positions / unit + middle
        around[held] = fixed
        return _joined(around, tied, beside)

    def see_all(snapshot: Snapshot) -> object:
        whole = joined(snapshot.positions.astype(np.float64)).astype(np.float32)
        return watch.see(replace(snapshot, positions=whole)) if watch.see else None

    row = np.cumsum(tied) - 1

    def pins_around() -> Pins | None:
        pins = watch.pins() if watch.pins else None
        if pins is None:
            return None
        own = tied[pins.nodes]
        return Pins(row[pins.nodes[own]], (pins.places[own] - middle) * unit)

    watch_all = replace(watch, see=see_all if watch.see else None, pins=pins_around if watch.pins else None)
    outcome = solve(block, late, start=start, seed=seed, held=held, watch=watch_all)
    return replace(outcome, positions=joined(outcome.positions), own=None, pins=watch.pins() if watch.pins else None)


def _joined(
    around: NDArray[np.float64],
    tied: NDArray[np.bool_],
    beside: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Put together the parts with an anchor and those without."""
    positions = np.empty((tied.size, 2))
    positions[tied] = around
    positions[~tied] = beside(around)
    return positions


def _frame(
    free: NDArray[np.float64], placed: NDArray[np.float64], anchors: NDArray[np.bool_]
) -> tuple[float, NDArray[np.float64]]:
    """How many of t-SNE's units one of the caller's is, and the anchors' middle."""
    middle: NDArray[np.float64] = placed[anchors].mean(axis=0)
    apart = _spread(placed[anchors])
    unit = _spread(free[anchors]) / apart if apart > 0 else 0.0
    if unit <= 0 or not np.isfinite(unit):
        # One place says nothing about size: then the layout gets the size of a default one.
        unit = float(np.abs(free - free.mean(axis=0)).max()) or 1.0
    return unit, middle


def _fitted(free: NDArray[np.float64], target: NDArray[np.float64], anchors: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Turn, mirror and move a layout so that its anchors come closest to their targets; anchors go exactly there."""
    source = free - free[anchors].mean(axis=0)
    u, _, vt = np.linalg.svd(source[anchors].T @ target[anchors])
    start: NDArray[np.float64] = source @ (u @ vt)
    start[anchors] = target[anchors]
    return start


def _packed_beside(
    adjacency: sp.csr_array, options: Options, tied: NDArray[np.bool_], seed: Seed
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Lay out the parts without an anchor; the result places them around given positions of the others."""
    loose = np.flatnonzero(~tied)
    if loose.size == 0:
        return lambda _: np.empty((0, 2))
    block = adjacency[loose][:, loose]
    parts = split(block)
    layout = solve(block, options, seed=seed).positions if parts.n_parts else np.zeros((loose.size, 2))
    centers, radii = pack(np.append(parts.sizes, np.count_nonzero(tied)))
    linked = layout[parts.order[: parts.offsets[-1]]]
    packed = place(linked, parts, centers[:-1] - centers[-1], radii[:-1], inner=float(radii[-1]))

    def beside(around: NDArray[np.float64]) -> NDArray[np.float64]:
        middle = (around.min(axis=0) + around.max(axis=0)) / 2
        reach = float(np.sqrt(((around - middle) ** 2).sum(axis=1).max()))
        moved: NDArray[np.float64] = packed * ((reach or 1.0) / radii[-1]) + middle
        return moved

    return beside


def _spread(points: NDArray[np.float64]) -> float:
    """Root mean square distance from the mean."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
