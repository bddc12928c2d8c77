"""What is known of a layout that forms: the newest positions, how far it is, and how the KL divergence went."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.run.placement import NOWHERE
from graphne_viz.viewer.run.recording import Recording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.engine.outcome import Outcome
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.placement import Placement

GIVEN = "given"
"""The phase of positions that no run has made."""

DONE = "finished"
"""The phase of the positions a run ended with."""

_LONGEST_CURVE = 300


class RunHistory:
    """The newest positions and the way to them. Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    task : Task
        What is computed.
    given : ndarray, shape (n, 2), optional
        A finished layout to begin with.
    start : ndarray, shape (n, 2), optional
        Positions to begin with, in the units of the task's snapshots; they are replaced by those of the run.
    count : int, default 0
        How often the layout of an earlier graph was started.

    Attributes
    ----------
    task : Task
        What is computed.
    computed : Snapshot or None
        The newest positions, as they were given or computed.
    placement : Placement
        Nodes that were put somewhere else by hand.
    count : int
        How often the layout was started.
    total : int
        Iteration at which it will end.
    curve : list of (int, float)
        Iterations and their KL divergence, thinned out where they are many.
    recording : Recording
        How the layout formed, thinned out in the same way.
    """

    def __init__(
        self,
        task: Task,
        given: NDArray[np.float64] | None = None,
        *,
        start: NDArray[np.float64] | None = None,
        count: int = 0,
    ) -> None:
        self.task = task
        self._given = given
        self._outcome: Outcome | None = None
        self.computed = None if given is None else Snapshot(0, GIVEN, math.nan, centred(given))
        if start is not None:
            self.computed = Snapshot(0, task.visible_options.phases[0][0], math.nan, start.astype(np.float32))
        self.placement = NOWHERE
        self._placed: tuple[Snapshot | None, Placement, Snapshot | None] = (None, NOWHERE, None)
        self.count = count
        self.total = _iterations(task)
        self.curve: list[tuple[int, float]] = []
        self.recording = Recording(task.graph.n_nodes)

    @property
    def latest(self) -> Snapshot | None:
        """The newest positions, with what was put somewhere by hand; the same object as long as that is the same."""
        computed, placement = self.computed, self.placement
        if computed is None or not placement.nodes.size:
            return computed
        known, by, placed = self._placed
        if known is not computed or by is not placement:
            placed = replace(computed, positions=placement.put(computed.positions))
            self._placed = (computed, placement, placed)
        return placed

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return 0 if self.computed is None else self.computed.iteration

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence of the newest positions, NaN where it is unknown."""
        return math.nan if self.computed is None else self.computed.kl

    def begin(self) -> None:
        """Note that the layout starts again; the old positions stay until there are new ones."""
        self.count += 1
        if self.computed is not None and self.computed.phase != GIVEN:
            phase = self.task.visible_options.phases[0][0]
            self.computed = replace(self.computed, iteration=0, divergence=math.nan, phase=phase, run=self.count)
        self.total = _iterations(self.task)
        self.curve = []
        self.recording.clear()

    def extend(self, iteration: int) -> None:
        """Note that the late phase runs once more after so many iterations."""
        self.total = iteration + int(self.task.options.n_iter)

    def add(self, snapshot: Snapshot) -> Snapshot:
        """Add a snapshot of the run; returns it with the run's number."""
        self.computed = replace(snapshot, run=self.count)
        snapshot = self.latest or self.computed
        self.total = max(self.total, snapshot.iteration)
        self.recording.add(snapshot)
        if math.isfinite(snapshot.kl) and (not self.curve or snapshot.kl != self.curve[-1][1]):
            self.curve.append((snapshot.iteration, snapshot.kl))
        if len(self.curve) > _LONGEST_CURVE:
            self.curve = self.curve[::2]
        return snapshot

    def finish(self, outcome: Outcome) -> Snapshot:
        """Add the end of the run; returns it as a snapshot."""
        self._outcome = outcome
        places = outcome.positions.astype(np.float32)
        self.computed = Snapshot(outcome.iterations, DONE, outcome.kl, places, run=self.count)
        return self.latest or self.computed

    def layout(self) -> NDArray[np.float64] | None:
        """Return what `graphne_layout` would return now, shape (n, 2); None before the first snapshot."""
        if self.computed is None:
            return None
        if self.computed.phase == GIVEN and self._given is not None:
            given = self._given.copy()
            if self.placement.nodes.size:
                middle, reach = _frame_of(given)
                given[self.placement.nodes] = self.placement.places * reach + middle
            return given
        # The outcome has the digits that snapshots lack.
        ended = self._outcome if self.computed.phase == DONE else None
        return self.task.scaled(self.placement.put(self.computed.positions if ended is None else ended.positions))

    def status(self) -> dict[str, object]:
        """Return the figures, ready for JSON."""
        return {
            "run": self.count,
            "iteration": self.iteration,
            "total": self.total,
            "phase": "" if self.computed is None else self.computed.phase,
            "kl": self.kl if math.isfinite(self.kl) else None,
            "history": [list(point) for point in self.curve],
            "shots": len(self.recording),
        }


def _iterations(task: Task) -> int:
    return sum(n_iter for _, n_iter, _ in task.visible_options.phases)


def centred(positions: NDArray[np.float64]) -> NDArray[np.float32]:
    """Centre and scale given positions so that float32 has digits for them, whatever their units."""
    if not positions.size:
        return positions.astype(np.float32)
    middle, reach = _frame_of(positions)
    centred: NDArray[np.float64] = (positions - middle) / reach
    return centred.astype(np.float32)


def _frame_of(positions: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the middle of given positions and half of their longer side, 1 where they are one point."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    reach = float((high / 2 - low / 2).max())
    middle: NDArray[np.float64] = low / 2 + high / 2
    return middle, reach if reach > 0 else 1.0
