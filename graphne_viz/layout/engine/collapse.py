"""How much attraction a graph bears before its layout collapses.

Near one point t-SNE's forces are linear in the positions: repulsion drives every mode of the graph apart by 1/(n - 1),
and attraction pulls it together by its exaggeration times (1 - lambda)/n, where lambda is the mode's eigenvalue of the
random walk. A mode is seen only while repulsion wins, for an exaggeration below 1/(1 - lambda). A picture in two
dimensions needs two modes. Large graphs with clusters bear hundreds; the karate club about three, so that at the
exaggeration which resembles UMAP elsewhere it would be a line, and a point at that of ForceAtlas2.

The second mode is lost earlier where the first one is much stronger, because nodes that are drawn out along a line
repel each other less across it. Of small graphs it is tried out how much they bear.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.engine.parts.dense import DenseParts
from graphne_viz.layout.initialization.initial_positions import leading_eigenvalues, spectral

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

FORCE_DIRECTED = 12.0
"""The exaggeration whose pictures have about as many neighbours side by side as ForceAtlas2 puts there."""

DIAL_END = 30.0
"""The largest exaggeration that a graph is asked to bear."""

_SAFE, _SAFE_END = 0.75, 0.8
"""Shares of the critical exaggeration at these two, at which a picture is still clearly two-dimensional."""

_LIKENESS, _LIKENESS_POWER = 1.39, 0.6
"""Factor and power of the critical exaggeration at which small graphs resemble ForceAtlas2."""

_SAFE_STAGE = 0.7
"""Share of the critical exaggeration that a stage of t-SNE's own schedule asks for at most, at `DIAL_END`."""


_LEAST_WIDTH, _LEAST_SHARE = 0.11, 0.4
"""Deviation across a layout over that along it which a graph is left with, unless it has less without exaggeration, as
a path has: then this share of what it has."""

_TRIALS, _TRIAL_ITERATIONS, _TRIAL_MOMENTUM = 5, 200, 0.8
_BETWEEN = 0.98
"""Share of the exaggeration at the dial's end that there is at `FORCE_DIRECTED`, at most, where it was tried out."""


def critical_exaggeration(P: sp.csr_array, rng: np.random.Generator, n_jobs: int) -> float:
    """Exaggeration at which the layout of a connected graph ceases to be two-dimensional.

    Parameters
    ----------
    P : csr_array, shape (n, n)
        Symmetric affinities.
    rng : numpy.random.Generator
        For the eigensolver.
    n_jobs : int
        Threads; the result does not depend on it.
    """
    return critical_from(leading_eigenvalues(P, 2, seed=rng, n_jobs=n_jobs))


def critical_from(values: NDArray[np.float64]) -> float:
    """Do the same where the two leading non-trivial eigenvalues are known; fewer where the graph has no more."""
    gap = 1 - float(values[-1]) if values.size == 2 else 1.0
    return math.inf if gap <= 0 else 1 / gap


def widest_tried(P: sp.csr_array, critical: float, dof: float) -> float:
    """Try out up to which exaggeration the layout of a small connected graph keeps its second dimension.

    Parameters
    ----------
    P : csr_array, shape (n, n)
        Symmetric affinities that sum to 1.
    critical : float
        See `critical_exaggeration`; no larger one than is asked for then is tried.
    dof : float
        Degrees of freedom of the kernel.
    """
    n = P.shape[0]
    start = spectral(P, 2, seed=np.random.default_rng(0))
    rates = np.full(n, n, np.float32)

    def width(exaggeration: float) -> float:
        part = DenseParts(start, P, dof, rates, np.array([0, n]))
        part.begin(exaggeration, _TRIAL_MOMENTUM)
        part.iterate(_TRIAL_ITERATIONS)
        spread = np.linalg.eigvalsh(np.cov(part.positions))
        return math.sqrt(max(float(spread[0]), 0.0) / float(spread[1])) if spread[1] > 0 else 0.0

    most = min(_SAFE_END * critical, DIAL_END)
    if most <= 1:
        return 1.0
    least = min(_LEAST_WIDTH, _LEAST_SHARE * width(1.0))
    if width(most) >= least:
        return most
    low, high = 0.0, math.log(most)
    for _ in range(_TRIALS):
        middle = (low + high) / 2
        low, high = (middle, high) if width(math.exp(middle)) >= least else (low, middle)
    return math.exp(low)


def bearable(exaggeration: float, critical: float, tried: float = math.inf) -> float:
    """Map an exaggeration to one that a graph bears, so that all of the dial from 1 to 30 makes a difference.

    Parameters
    ----------
    exaggeration : float
        What the user asks for; up to 1 it is left as it is.
    critical : float
        See `critical_exaggeration`.
    tried : float, optional
        See `widest_tried`.

    Examples
    --------
    >>> bearable(12, critical=200)
    12
    >>> [round(bearable(exaggeration, critical=4), 2) for exaggeration in (1, 4, 12, 30)]
    [1, 1.85, 3.0, 3.2]
    >>> [round(bearable(exaggeration, critical=4, tried=2), 2) for exaggeration in (1, 4, 12, 30)]
    [1, 1.46, 1.96, 2.0]
    """
    if exaggeration <= 1:
        return exaggeration
    alike = _LIKENESS * math.pow(critical, _LIKENESS_POWER)
    most = max(min(alike, _SAFE * critical, FORCE_DIRECTED, _BETWEEN * tried), 1.0)
    if exaggeration <= FORCE_DIRECTED:
        share = math.log(exaggeration) / math.log(FORCE_DIRECTED)
        return exaggeration if most == FORCE_DIRECTED else math.pow(most, share)
    end = max(min(_SAFE_END * critical, DIAL_END, tried), most)
    share = math.log(exaggeration / FORCE_DIRECTED) / math.log(DIAL_END / FORCE_DIRECTED)
    return most * math.pow(end / most, share)


def bearable_stage(exaggeration: float, critical: float) -> float:
    """Do the same for a stage on the way to a layout whose own exaggeration is 1: it orders, and need not resemble.

    Examples
    --------
    >>> bearable_stage(12, critical=200), round(bearable_stage(12, critical=4), 2)
    (12, 2.12)
    """
    most = max(_SAFE_STAGE * critical, 1.0)
    if exaggeration <= 1 or most >= DIAL_END:
        return exaggeration
    return float(exaggeration ** (np.log(most) / np.log(DIAL_END)))
