"""One optimisation from affinities to positions, over all parts of a graph at once."""

from __future__ import annotations

import logging
import math
import time
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from threading import get_ident
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz._threads import ThreadTeam
from graphne_viz.layout.affinity import affinities, blocks_that_sum_to_one
from graphne_viz.layout.components import Parts, place, split
from graphne_viz.layout.engine.collapse import bearable, bearable_stage, critical_exaggeration, widest_tried
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.engine.parts.dense import DENSE_UP_TO
from graphne_viz.layout.engine.parts.problems import SHARED_FROM, Problems
from graphne_viz.layout.engine.pins import Pinning
from graphne_viz.layout.engine.schedule import EARLY, LATE, stages, steady
from graphne_viz.layout.engine.watch import UNSEEN
from graphne_viz.layout.initialization.components import initialize
from graphne_viz.layout.packing import pack
from graphne_viz.layout.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz import _compiled
    from graphne_viz._seeds import Seed
    from graphne_viz.layout.engine import kernels
    from graphne_viz.layout.engine.schedule import Stage
    from graphne_viz.layout.engine.torch_engine import workers
    from graphne_viz.layout.engine.torch_engine.workers import Workers
    from graphne_viz.layout.engine.watch import Watch
    from graphne_viz.layout.options import Options
else:
    _compiled = lazy_import("graphne_viz._compiled")
    kernels = lazy_import("graphne_viz.layout.engine.kernels")
    workers = lazy_import("graphne_viz.layout.engine.torch_engine.workers")

log = logging.getLogger(__name__)

_THREADS_FROM = 150_000
"""Directed edges plus ten times the nodes from which on a second thread pays."""

_SHRINK = 1.3
"""Factor by which a layout is shrunk at most between two portions of iterations, after the attraction was raised.

The size of a layout falls about as the exaggeration rises, but t-SNE's attraction fades with the distance: clusters
that have formed far apart would take many thousand iterations to come together.
"""


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
        An earlier run of the same graph to resume from, instead of the start; the early phase is left out.

    Returns
    -------
    Outcome
    """
    rng = as_generator(seed)
    if held is not None:
        parts = Parts.whole(adjacency.shape[0])
    else:
        parts = Parts.linked(adjacency) if whole else split(adjacency)
    P = blocks_that_sum_to_one(affinities(adjacency, options.normalization), parts)
    if resume is not None and resume.own is not None:
        start, options = resume.own, replace(options, early_exaggeration_iter=0)
    tiny = P.shape[0] <= DENSE_UP_TO or options.engine == "opentsne"
    threads = options.threads if P.nnz + 10 * P.shape[0] >= _THREADS_FROM else 1
    with (
        _processes(options, parts) as others,
        ThreadTeam(threads) as team,
        nullcontext() if tiny else _telling_of_compiling(),
    ):
        first = initialize(P, parts, start, seed=rng, shrink=held is None and resume is None, n_jobs=options.threads)
        run = _Run(P, parts, first, held, options, team, others)
        if resume is not None:
            if resume.origins is not None:
                run.pinning = Pinning(parts, run.discs, run.problems, resume.origins)
            run.done, run.acting = resume.iterations, resume.exaggeration
        return run.optimise(rng, watch)


def _processes(options: Options, parts: Parts) -> AbstractContextManager[Workers | None]:
    """Start other processes, which load torch while the start is computed, if there is something to share."""
    largest = int(parts.sizes.max(initial=0))
    if options.devices == 1 or largest < SHARED_FROM * options.devices:
        return nullcontext()
    return workers.Workers(options.devices, options.device, options.threads)


@contextmanager
def _telling_of_compiling() -> Iterator[None]:
    """Say why the first run of a process, and even more the first one on a machine, begins late."""
    if not kernels.ready():
        log.info("loading the engine; on its first use on a machine it is compiled, which takes some seconds")
    begun, known = time.perf_counter(), _compiled.times_compiled()
    yield
    if _compiled.times_compiled() > known:
        then = "the next run finds them on disk" if _compiled.are_kept() else "they could not be kept on disk"
        log.info("compiled kernels within %.1f s; %s", time.perf_counter() - begun, then)


class _Run:
    """All parts of a graph, advanced side by side, so that every snapshot shows the whole graph."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        P: sp.csr_array,
        parts: Parts,
        first: NDArray[np.float64],
        held: NDArray[np.bool_] | None,
        options: Options,
        team: ThreadTeam,
        workers: Workers | None = None,
    ) -> None:
        self.P = P
        self.parts = parts
        self.held = held
        self.options = options
        self._posed = Problems(P, parts, first, held, options, team, workers)
        self.problems = list(self._posed)
        self.discs = None if parts.is_one else pack(parts.sizes)
        self.pinning: Pinning | None = None
        """Who holds nodes; nobody until somebody does."""
        self.stages = stages(options, P.shape[0], P.nnz / max(P.shape[0], 1))
        self.done = 0
        self.divergence: Callable[[], float] = _unknown
        self.tiny = P.shape[0] <= DENSE_UP_TO
        self.critical: float | None = None
        """Exaggeration at which the largest part collapses, once that has been asked for."""
        self.tried: float | None = None
        """The same, tried out; infinite for a part that is not small."""
        self.acting, self.to_shrink = options.phases[-1][2], 1.0
        self.seconds = 0.0
        """What an iteration took of late; 0 while that is unknown."""

    def optimise(self, rng: np.random.Generator, watch: Watch) -> Outcome:
        """Run both phases."""
        for problem in self.problems:
            problem.part.running_in = get_ident()
        try:
            self._optimise(rng, watch)
        finally:
            for problem in self.problems:
                problem.part.running_in = None
        grouped = self._grouped()
        own = np.zeros((self.parts.order.size, 2))
        own[self.parts.order[: self.P.shape[0]]] = grouped
        outcome = Outcome(self._placed(grouped).copy(), self._measured(grouped), self.done, own, self.acting)
        if self.pinning is None:
            return outcome
        return replace(outcome, pins=self.pinning.pins, origins=self.pinning.origins)

    def _optimise(self, rng: np.random.Generator, watch: Watch) -> None:
        """Run both phases, or until the watcher has seen enough."""
        if watch.see and watch.from_start:
            begins = next((stage.phase for stage in self.stages if stage.iterations), LATE)
            if watch.see(self._snapshot(begins, self._grouped())):
                return
        for phase in (EARLY, LATE):
            if phase == LATE:
                self._shake(rng)
            if self._run_phase([stage for stage in self.stages if stage.phase == phase], watch):
                return

    def _run_phase(self, stages: list[Stage], watch: Watch) -> bool:
        """Run the stages of a phase; True when the watcher has seen enough."""
        portioned = watch.see is not None or watch.steer is not None or watch.pins is not None
        total = left = sum(stage.iterations for stage in stages)
        unmeasured = 0
        while left:
            count = min(self._portion(watch, total - left), left) if portioned else left
            begun = time.perf_counter()
            self._hold(watch)
            self._advance(stages, total - left, count, watch.steer if stages[0].phase == LATE else None)
            self.seconds = (time.perf_counter() - begun) / count
            left -= count
            unmeasured += count
            self.done += count
            if watch.see:
                grouped = self._grouped()
                if not left or unmeasured >= watch.kl_every * watch.every:
                    self.divergence, unmeasured = self._measured(grouped), 0
                if watch.see(self._snapshot(stages[0].phase, grouped)):
                    return True
        return False

    def _portion(self, watch: Watch, done: int) -> int:
        """Choose how many iterations to do until the next snapshot; none is left out that would be due anyway."""
        due = watch.every - done % watch.every
        if math.isinf(watch.longest) or not self.seconds:
            return due
        most = max(int(watch.longest / self.seconds), 1)
        return math.ceil(due / math.ceil(due / most))  # evenly

    def _hold(self, watch: Watch) -> None:
        """Hold the nodes that are to be held now."""
        pins = None if watch.pins is None else watch.pins()
        if pins is not None and self.pinning is None:
            self.pinning = Pinning(self.parts, self.discs, self.problems)
        if pins is not None and self.pinning is not None:
            self.pinning.hold(pins)

    def _advance(self, stages: list[Stage], done: int, count: int, steer: Callable[[], float] | None) -> None:
        """Take ``count`` iterations of a phase of which ``done`` are done, stage by stage."""
        steered = None if steer is None else steer()
        if steered is not None:
            self._contract(steered)
        end = 0
        for stage in stages:
            end += stage.iterations
            steps = min(end - done, count)
            if steps <= 0:
                continue
            exaggeration = stage.exaggeration if steered is None else steered
            if stage.phase == LATE or self.tiny or self.options.exaggeration > 1:
                exaggeration = self._bearable(exaggeration)
            momentum = stage.momentum if steered is None else steady(stage.momentum, steered, self.P.shape[0])
            for problem in self.problems:
                problem.part.begin(exaggeration, momentum)
                problem.part.iterate(steps)
            done += steps
            count -= steps

    def _bearable(self, exaggeration: float) -> float:
        """Return what the largest part bears of an exaggeration; openTSNE gets what was asked for."""
        if exaggeration <= 1 or self.options.engine == "opentsne" or not self.problems:
            return exaggeration
        size = int(self.parts.offsets[1])
        if self.critical is None:
            largest = self._posed.block(0, size)
            self.critical = critical_exaggeration(largest, np.random.default_rng(0), self.options.threads)
        if self.acting <= 1:
            return bearable_stage(exaggeration, self.critical)
        if self.tried is None:
            largest = self._posed.block(0, size)
            small = size <= DENSE_UP_TO
            self.tried = widest_tried(largest, self.critical, self.options.dof) if small else math.inf
        return bearable(exaggeration, self.critical, self.tried)

    def _shake(self, rng: np.random.Generator) -> None:
        """Part what early exaggeration has put on one point."""
        if self.done:
            for problem in self.problems:
                problem.part.shake(rng)

    def _contract(self, exaggeration: float) -> None:
        """Help a layout whose attraction has been raised to its new size; not around nodes that are held."""
        before = self._bearable(self.acting)
        self.acting = exaggeration
        self.to_shrink = max(self.to_shrink * self._bearable(exaggeration) / before, 1.0)
        factor = min(self.to_shrink, _SHRINK)
        self.to_shrink /= factor
        if factor > 1 and self.held is None:
            for problem in self.problems:
                problem.part.shrink(factor)
            if self.pinning is not None:
                self.pinning.shrink(factor)

    def _snapshot(self, phase: str, grouped: NDArray[np.float64]) -> Snapshot:
        return Snapshot(self.done, phase, self.divergence, self._placed(grouped).astype(np.float32))

    def _placed(self, grouped: NDArray[np.float64]) -> NDArray[np.float64]:
        """Put all parts together, in the caller's order of nodes, shape (n, 2)."""
        if self.pinning is not None:
            return self.pinning.placed(grouped)
        return grouped if self.discs is None else place(grouped, self.parts, *self.discs)

    def _grouped(self) -> NDArray[np.float64]:
        """Every part in t-SNE's own units, part after part, isolates left out, shape (m, 2)."""
        grouped = np.empty((self.P.shape[0], 2))
        for problem in self.problems:
            problem.part.write(grouped[problem.lo : problem.hi])
        return grouped

    def _measured(self, grouped: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells the mean over nodes of their parts' KL divergence at these, the present positions."""
        tell = [problem.part.divergence(grouped[problem.lo : problem.hi]) for problem in self.problems]
        weights = [problem.hi - problem.lo for problem in self.problems]

        @cache
        def mean() -> float:
            return float(np.average([one() for one in tell], weights=weights)) if tell else math.nan

        return mean


def _unknown() -> float:
    """Stand for a divergence that nobody has measured yet."""
    return math.nan
