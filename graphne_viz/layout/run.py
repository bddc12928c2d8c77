"""One optimisation from affinities to positions, over all parts of a graph at once."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from openTSNE import TSNEEmbedding
from openTSNE.affinity import PrecomputedAffinities

from graphne_viz.layout import kernels
from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.components import pack, place, split
from graphne_viz.layout.initialization import as_generator
from graphne_viz.layout.optimizer import EARLY_FLOOR, LATE_FLOOR, Descent
from graphne_viz.layout.repulsion import Exact, Mesh
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.layout.starts import starts
from graphne_viz.layout.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.options import Options

log = logging.getLogger(__name__)

EXACT_UP_TO = 1000
"""Nodes up to which summing all pairs is faster than the mesh."""

MESH_FROM = 50
"""Nodes from which ``engine="mesh"`` uses it; below, there is nothing to approximate."""

_THREADS_FROM = 150_000
"""Directed edges plus ten times the nodes from which on a second thread pays."""


@dataclass(frozen=True)
class Outcome:
    """Where a run ended.

    Attributes
    ----------
    positions : ndarray of float64, shape (n, 2)
        Positions in t-SNE's own units, or packed discs of parts.
    kl : float
        Kullback-Leibler divergence, the mean over nodes of their parts'.
    iterations : int
        Iterations taken.
    """

    positions: NDArray[np.float64]
    kl: float
    iterations: int


@dataclass
class _Problem:
    """Nodes ``lo:hi`` of the order by parts, optimised as one embedding."""

    lo: int
    hi: int
    embedding: Any


def solve(
    adjacency: sp.csr_array,
    options: Options,
    *,
    start: str | NDArray[np.float64] = "spectral",
    seed: Seed = 0,
    held: NDArray[np.bool_] | None = None,
    watch: Callable[[Snapshot], object] | None = None,
    every: int = 10,
) -> Outcome:
    """Lay out a graph.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    options : Options
        Settings.
    start : {"spectral", "random"} or ndarray, shape (n, 2)
        Initial positions. With ``held`` an array, in t-SNE's own units.
    seed : int, Generator, RandomState or None
        For everything random.
    held : ndarray of bool, shape (n,), optional
        Nodes that do not move. The graph is then laid out as one, whatever its parts.
    watch : callable, optional
        Called with a `Snapshot` every so many iterations; a truthy answer ends the run.
    every : int
        How many.

    Returns
    -------
    Outcome
    """
    n = adjacency.shape[0]
    parts = split(adjacency) if held is None else None
    order = np.arange(n) if parts is None else parts.order
    offsets = np.array([0, n]) if parts is None else parts.offsets
    P = _blocks_that_sum_to_one(affinities(adjacency, options.normalization), order, offsets)
    rng = as_generator(seed)
    first = starts(P, offsets, start, order, seed=rng, shrink=held is None)
    with Team(options.threads if P.nnz + 10 * n >= _THREADS_FROM else 1) as team:
        problems = list(_problems(P, offsets, first, options, team, None if held is None else held[order]))
        return _optimise(problems, first, order, parts, options, rng, watch, every)


def _blocks_that_sum_to_one(
    S: sp.csr_array, order: NDArray[np.int64], offsets: NDArray[np.int64]
) -> sp.csr_array:
    """Group the nodes by part and scale each part's affinities to sum to 1."""
    if offsets.size > 2 or order.size > offsets[-1]:
        S = S[order][:, order]
        S.sort_indices()
    data = S.data.astype(np.float64)
    ends = S.indptr[offsets]
    sums = np.add.reduceat(data, ends[:-1]) if data.size else np.ones(offsets.size - 1)
    return sp.csr_array((data / np.repeat(sums, np.diff(ends)), S.indices, S.indptr), shape=S.shape)


def _problems(
    P: sp.csr_array,
    offsets: NDArray[np.int64],
    first: NDArray[np.float64],
    options: Options,
    team: Team,
    held: NDArray[np.bool_] | None,
) -> Iterator[_Problem]:
    """Give each large part an embedding of its own, and all small ones one together."""
    sizes = np.diff(offsets)
    if options.engine == "opentsne":
        alone = len(sizes)
    else:
        alone = int(np.searchsorted(-sizes, -_smallest_alone(options)))
    for part in range(alone):
        lo, hi = int(offsets[part]), int(offsets[part + 1])
        yield _Problem(lo, hi, _embedding(P, lo, hi, first, options, team, held))
    if alone < len(sizes):
        lo, hi = int(offsets[alone]), int(offsets[-1])
        shares = np.repeat(sizes[alone:] / (hi - lo), sizes[alone:]).astype(np.float32)
        if held is not None:
            shares[held[lo:hi]] = 0
        optimizer = Descent(team, offsets=offsets[alone:] - lo, shares=shares)
        yield _Problem(lo, hi, _tsne(P[lo:hi, lo:hi], first[lo:hi], options, optimizer=optimizer))


def _smallest_alone(options: Options) -> int:
    """Smallest part that is worth an engine of its own."""
    return {"auto": EXACT_UP_TO + 1, "exact": EXACT_UP_TO + 1, "mesh": MESH_FROM}[options.engine]


def _embedding(
    P: sp.csr_array,
    lo: int,
    hi: int,
    first: NDArray[np.float64],
    options: Options,
    team: Team,
    held: NDArray[np.bool_] | None,
) -> TSNEEmbedding:
    """Make the embedding of one connected part."""
    block = P if (lo, hi) == (0, P.shape[0]) else P[lo:hi, lo:hi]
    if options.engine == "opentsne":
        return _tsne(block, first[lo:hi], options, n_jobs=options.threads)
    engine = Exact if options.engine == "exact" else Mesh
    shares = None if held is None else (~held[lo:hi]).astype(np.float32)
    optimizer = Descent(team, repulsion=engine(hi - lo, options.dof), shares=shares)
    return _tsne(block, first[lo:hi], options, optimizer=optimizer)


def _tsne(
    block: sp.csr_array,
    first: NDArray[np.float64],
    options: Options,
    **settings: Any,  # noqa: ANN401 - openTSNE's own
) -> TSNEEmbedding:
    """Wrap a part for openTSNE, which wants a matrix and not an array."""
    P = sp.csr_matrix((block.data, block.indices, block.indptr), shape=block.shape)
    return TSNEEmbedding(first, PrecomputedAffinities(P, normalize=False), dof=options.dof, **settings)


def _optimise(
    problems: list[_Problem],
    first: NDArray[np.float64],
    order: NDArray[np.int64],
    parts: Parts | None,
    options: Options,
    rng: np.random.Generator,
    watch: Callable[[Snapshot], object] | None,
    every: int,
) -> Outcome:
    """Advance all problems side by side, so that every snapshot shows the whole graph."""
    positions = first.copy()
    discs = pack(parts.shares) if parts is not None and parts.shares.size > 1 else None
    kl, done = float("nan"), 0

    def compose() -> NDArray[np.float64]:
        for problem in problems:
            positions[problem.lo : problem.hi] = problem.embedding
        if discs is not None:
            return place(positions[: parts.offsets[-1]], parts, *discs)
        result = np.empty_like(positions)
        result[order] = positions
        return result

    for late, (phase, n_iter, exaggeration) in enumerate(options.phases):
        for problem in problems:
            _enter(problem, late=bool(late), rng=rng)
        for chunk in _chunks(n_iter, every if watch else n_iter):
            for problem in problems:
                _advance(problem, chunk, exaggeration, watched=watch is not None)
            done += chunk
            sizes = [problem.hi - problem.lo for problem in problems]
            if problems:
                kl = float(np.average([problem.embedding.kl_divergence for problem in problems], weights=sizes))
            if watch and watch(Snapshot(done, phase, kl, compose().astype(np.float32))):
                return Outcome(compose(), kl, done)
    return Outcome(compose(), kl, done)


def _enter(problem: _Problem, *, late: bool, rng: np.random.Generator) -> None:
    """Prepare a problem for a phase."""
    optimizer = problem.embedding.optimizer
    if isinstance(optimizer, Descent):
        optimizer.floor = LATE_FLOOR if late else EARLY_FLOOR
        if late:
            optimizer.shake(rng)


def _advance(problem: _Problem, n_iter: int, exaggeration: float, *, watched: bool) -> None:
    """Run openTSNE on one problem for some iterations, hearing of the result through its callback."""
    embedding = problem.embedding
    heard: list[float] = []

    def hear(_iteration: int, error: float, _embedding: NDArray[np.float64]) -> None:
        heard.append(float(error))

    embedding.optimize(
        n_iter,
        inplace=True,
        exaggeration=exaggeration,
        callbacks=[hear] if watched else None,
        callbacks_every_iters=n_iter,
    )
    if heard:
        embedding.kl_divergence = heard[-1]


def _chunks(total: int, size: int) -> Iterator[int]:
    """Cut a number of iterations into equal portions and a rest."""
    for done in range(0, total, size or 1):
        yield min(size, total - done)
