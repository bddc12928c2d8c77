"""One optimisation from affinities to positions, over all parts of a graph at once."""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from openTSNE import TSNEEmbedding
from openTSNE.affinity import PrecomputedAffinities

from graphne_viz.layout import kernels
from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.compiled import times_compiled
from graphne_viz.layout.components import Parts, pack, place, split
from graphne_viz.layout.initialization import as_generator
from graphne_viz.layout.optimizer import Descent, Gradient
from graphne_viz.layout.repulsion import Exact, Mesh
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.layout.starts import starts
from graphne_viz.layout.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.options import Options

log = logging.getLogger(__name__)

EXACT_UP_TO, EXACT_UP_TO_ANY_DOF = 700, 150
"""Nodes up to which summing all pairs is faster than the mesh, for dof = 1 and with the powers of any other."""

MESH_FROM = 200
"""Nodes from which ``engine="mesh"`` uses it; below, there is nothing to approximate."""

_NEGLIGIBLE = 1e-28
"""Affinity, beside the largest of its part, below which there is no difference."""

_THREADS_FROM = 150_000
"""Directed edges plus ten times the nodes from which on a second thread pays."""


_SHRINK = 1.35
"""Factor by which a layout is shrunk at most between two portions of iterations, after the attraction was raised.

The size of a layout falls about as the exaggeration rises, but t-SNE's attraction fades with the distance: clusters
that have formed far apart would take many thousand iterations to come together.
"""


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
    own : ndarray of float64, shape (n, 2), or None
        Every part in t-SNE's own units, unpacked, from which a later run can go on; None around fixed nodes.
    exaggeration : float
        The last one.
    """

    positions: NDArray[np.float64]
    kl: float
    iterations: int
    own: NDArray[np.float64] | None = None
    exaggeration: float = 1


@dataclass(frozen=True, kw_only=True)
class Watch:
    """Someone who looks at a run, and may steer it.

    Attributes
    ----------
    see : callable, optional
        Called with a `Snapshot` every so many iterations; a truthy answer ends the run.
    every : int
        How many.
    steer : callable, optional
        Asked every so many iterations for the exaggeration of the late phase.
    from_start : bool
        Whether the start is seen, too, as iteration 0.
    longest : float
        Seconds from one snapshot to the next, beyond which they come after fewer iterations than `every`.
    kl_every : int
        Of so many snapshots, `every` iterations apart, one has a KL divergence of its own, which costs as much as an
        iteration or two; the others repeat it.
    """

    see: Callable[[Snapshot], object] | None = None
    every: int = 10
    steer: Callable[[], float] | None = None
    from_start: bool = False
    longest: float = math.inf
    kl_every: int = 1


UNSEEN = Watch()
"""Nobody looks."""


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
    whole: bool = False,
    watch: Watch = UNSEEN,
    resume: Outcome | None = None,
) -> Outcome:
    """Lay out a graph.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    options : Options
        Settings.
    start : {"spectral", "random"} or ndarray, shape (n, 2)
        Initial positions; together with ``held`` an array in t-SNE's own units.
    seed : int, Generator, RandomState or None
        For everything random.
    held : ndarray of bool, shape (n,), optional
        Nodes that do not move. The graph is then laid out as one, whatever its parts.
    whole : bool
        Whether all nodes with neighbours are laid out as one; isolates are parked beside them.
    watch : Watch
        Who looks at it.
    resume : Outcome, optional
        An earlier run of the same graph to go on from, instead of the start; the early phase is left out.

    Returns
    -------
    Outcome
    """
    if not kernels.ready():
        log.info("loading the engine; the first time on a machine it is compiled, which takes some seconds")
    begun, known = time.perf_counter(), times_compiled()
    rng = as_generator(seed)
    if held is not None:
        parts = Parts.whole(adjacency.shape[0])
    else:
        parts = Parts.linked(adjacency) if whole else split(adjacency)
    P = _blocks_that_sum_to_one(affinities(adjacency, options.normalization), parts)
    if resume is not None and resume.own is not None:
        start, options = resume.own, replace(options, early_exaggeration_iter=0)
    first = starts(P, parts, start, seed=rng, shrink=held is None and resume is None, n_jobs=options.threads)
    with Team(options.threads if P.nnz + 10 * P.shape[0] >= _THREADS_FROM else 1) as team:
        run = _Run(P, parts, first, held, options, team)
        if resume is not None:
            run.done, run.acting = resume.iterations, resume.exaggeration
        outcome = run.optimise(rng, watch)
    if times_compiled() > known:
        log.info("compiled kernels within %.1f s; the next run finds them on disk", time.perf_counter() - begun)
    return outcome


def _blocks_that_sum_to_one(S: sp.csr_array, parts: Parts) -> sp.csr_array:
    """Group the nodes by part, isolates left out, and scale each part's affinities to sum to 1."""
    if parts.shares.size > 1 or parts.n_parts == 0:
        S = parts.submatrix(S, 0, parts.n_parts)
    if S.nnz == 0:
        return S
    ends = S.indptr[parts.offsets]
    lengths = np.diff(ends)
    # Weights may span more orders of magnitude than float32 has: beyond, they count as equally negligible.
    data = S.data / np.repeat(np.maximum.reduceat(S.data, ends[:-1]), lengths)
    data = np.maximum(data, _NEGLIGIBLE)
    data /= np.repeat(np.add.reduceat(data, ends[:-1]), lengths)
    return sp.csr_array((data, S.indices, S.indptr), shape=S.shape)


class _Run:
    """The embeddings of all parts, advanced side by side, so that every snapshot shows the whole graph."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        P: sp.csr_array,
        parts: Parts,
        first: NDArray[np.float64],
        held: NDArray[np.bool_] | None,
        options: Options,
        team: Team,
    ) -> None:
        self.P = P
        self.parts = parts
        self.first = first
        self.held = held
        self.options = options
        self.team = team
        self.discs = pack(parts.shares) if parts.shares.size > 1 or parts.n_parts == 0 else None
        self.problems = list(self._pose())
        self.done, self.kl = 0, float("nan")
        self.acting, self.to_shrink = options.phases[-1][2], 1.0
        self.seconds = 0.0
        """What an iteration took of late; 0 while that is unknown."""

    def optimise(self, rng: np.random.Generator, watch: Watch) -> Outcome:
        """Run both phases."""
        portioned = watch.see is not None or watch.steer is not None
        if watch.see and watch.from_start:
            begins = next((name for name, n_iter, _ in self.options.phases if n_iter), "optimization")
            if watch.see(self._snapshot(begins)):
                return self._outcome()
        for late, (phase, n_iter, exaggeration) in enumerate(self.options.phases):
            if late:
                self._shake(rng)
            left, unmeasured = n_iter, 0
            while left:
                count = min(self._portion(watch, n_iter - left), left) if portioned else left
                left -= count
                unmeasured += count
                if late and watch.steer:
                    exaggeration = watch.steer()  # noqa: PLW2901 - it is what the user says now
                    self._contract(exaggeration)
                measured = not left or unmeasured >= watch.kl_every * watch.every
                begun = time.perf_counter()
                kl = self._advance(count, exaggeration, watched=watch.see is not None, measured=measured)
                if not measured or watch.kl_every == 1:  # one that is an exception would make iterations look slow
                    self.seconds = (time.perf_counter() - begun) / count
                if measured:
                    self.kl, unmeasured = kl, 0
                self.done += count
                if watch.see and watch.see(self._snapshot(phase)):
                    return self._outcome()
        return self._outcome()

    def _portion(self, watch: Watch, done: int) -> int:
        """Choose how many iterations to do until the next snapshot; none is left out that would be due anyway."""
        due = watch.every - done % watch.every
        if math.isinf(watch.longest) or not self.seconds:
            return due
        most = max(int(watch.longest / self.seconds), 1)
        return math.ceil(due / math.ceil(due / most))  # evenly

    def _snapshot(self, phase: str) -> Snapshot:
        return Snapshot(self.done, phase, self.kl, self._positions().astype(np.float32))

    def _outcome(self) -> Outcome:
        own = np.zeros((self.parts.order.size, 2))
        own[self.parts.order[: self.P.shape[0]]] = self._grouped()
        return Outcome(self._positions(), self.kl, self.done, own, self.acting)

    def _pose(self) -> Iterator[_Problem]:
        """Give each large part an embedding of its own, and all small ones one together."""
        sizes, offsets = self.parts.sizes, self.parts.offsets
        alone = int(np.searchsorted(-sizes, -self._smallest_alone(), side="right"))
        for lo, hi in pairwise(offsets[: alone + 1].tolist()):
            yield _Problem(lo, hi, self._embedding(lo, hi))
        if alone < sizes.size:
            lo, hi = int(offsets[alone]), int(offsets[-1])
            shares = np.repeat(sizes[alone:] / (hi - lo), sizes[alone:]).astype(np.float32)
            if self.held is not None:
                shares[self.held] = 0
            optimizer = Descent(self.team, offsets=offsets[alone:] - lo, shares=shares)
            yield _Problem(lo, hi, self._tsne(lo, hi, optimizer=optimizer, negative_gradient_method="bh"))

    def _smallest_alone(self) -> int:
        """Size of the smallest part that is worth an engine of its own."""
        exact = EXACT_UP_TO if self.options.dof == 1 else EXACT_UP_TO_ANY_DOF
        return {"auto": exact + 1, "exact": EXACT_UP_TO + 1, "mesh": MESH_FROM, "opentsne": 1}[self.options.engine]

    def _embedding(self, lo: int, hi: int) -> TSNEEmbedding:
        """Make the embedding of one connected part."""
        if self.options.engine == "opentsne":
            # OpenMP's threads cost small parts more than they save.
            return self._tsne(lo, hi, n_jobs=self.options.threads if hi - lo > EXACT_UP_TO else 1)
        engine = Exact if self.options.engine == "exact" else Mesh
        shares = None if self.held is None else (~self.held).astype(np.float32)
        repulsion = engine(hi - lo, self.options.dof)
        optimizer = Descent(self.team, repulsion=repulsion, shares=shares)
        gradient = Gradient(repulsion, self.team)
        return self._tsne(lo, hi, optimizer=optimizer, negative_gradient_method=gradient)

    def _tsne(self, lo: int, hi: int, **settings: Any) -> TSNEEmbedding:  # noqa: ANN401 - openTSNE's own
        """Wrap a part for openTSNE, which wants a matrix and not an array."""
        block = self.P if hi - lo == self.P.shape[0] else self.P[lo:hi, lo:hi]
        matrix = sp.csr_matrix((block.data, block.indices, block.indptr), shape=block.shape)
        affinities = PrecomputedAffinities(matrix, normalize=False)
        return TSNEEmbedding(self.first[lo:hi], affinities, dof=self.options.dof, **settings)

    def _advance(self, n_iter: int, exaggeration: float, *, watched: bool, measured: bool) -> float:
        """Run openTSNE on every problem for some iterations; its callback tells the KL divergence."""
        heard: list[float] = []
        sizes: list[int] = []

        def hear(_iteration: int, error: float, _embedding: NDArray[np.float64]) -> None:
            heard.append(float(error))

        for problem in self.problems:
            P, optimizer = problem.embedding.affinities.P, problem.embedding.optimizer
            ours = isinstance(optimizer, Descent)
            if ours:
                optimizer.measures = measured
            before = None if ours else P.data.copy()
            problem.embedding.optimize(
                n_iter,
                inplace=True,
                exaggeration=exaggeration,
                callbacks=[hear] if watched else None,
                callbacks_every_iters=n_iter,
            )
            if before is not None:
                P.data[:] = before  # openTSNE's own exaggerates in place, and dividing leaves rounding errors
            if not watched:
                heard.append(float(problem.embedding.kl_divergence))
            sizes.append(problem.hi - problem.lo)
        return float(np.average(heard, weights=sizes)) if heard else float("nan")

    def _shake(self, rng: np.random.Generator) -> None:
        """Part what early exaggeration has put on one point; openTSNE's own optimiser is left as it is."""
        for problem in self.problems:
            if isinstance(problem.embedding.optimizer, Descent):
                problem.embedding.optimizer.shake(rng)

    def _contract(self, exaggeration: float) -> None:
        """Help a layout whose attraction has been raised to its new size; not around nodes that are held."""
        self.to_shrink = max(self.to_shrink * exaggeration / self.acting, 1.0)
        self.acting = exaggeration
        factor = min(self.to_shrink, _SHRINK)
        self.to_shrink /= factor
        if factor > 1 and self.held is None:
            for problem in self.problems:
                problem.embedding /= factor
                if isinstance(problem.embedding.optimizer, Descent):
                    problem.embedding.optimizer.shrink(factor)

    def _positions(self) -> NDArray[np.float64]:
        """Put all parts together, in the caller's order of nodes, shape (n, 2)."""
        grouped = self._grouped()
        return grouped if self.discs is None else place(grouped, self.parts, *self.discs)

    def _grouped(self) -> NDArray[np.float64]:
        """Every part in t-SNE's own units, part after part, isolates left out, shape (m, 2)."""
        grouped = np.empty((self.P.shape[0], 2))
        for problem in self.problems:
            grouped[problem.lo : problem.hi] = problem.embedding
        return grouped
