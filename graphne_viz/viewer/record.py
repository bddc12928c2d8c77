"""What is known of a layout that forms: where the nodes are, how far it is, how the KL divergence went."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.film import Film

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.run import Outcome
    from graphne_viz.layout.task import Task

GIVEN = "given"
"""The phase of positions that no run has made."""

DONE = "finished"
"""The phase of the positions a run ended with."""

_LONGEST_HISTORY = 300


class Record:
    """The newest positions and the way to them. Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    task : Task
        What is computed.
    given : ndarray, shape (n, 2), optional
        A finished layout to begin with.

    Attributes
    ----------
    latest : Snapshot or None
        The newest positions.
    count : int
        How often the layout was begun.
    total : int
        Iteration at which it will end.
    history : list of (int, float)
        Iterations and their KL divergence, thinned out where they are many.
    film : Film
        How it formed, likewise.
    """

    def __init__(self, task: Task, given: NDArray[np.float64] | None = None) -> None:
        self._task = task
        self._given = given
        self._outcome: Outcome | None = None
        self.latest = None if given is None else Snapshot(0, GIVEN, math.nan, centred(given))
        self.count = 0
        self.total = _iterations(task)
        self.history: list[tuple[int, float]] = []
        self.film = Film(task.graph.n_nodes)

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return 0 if self.latest is None else self.latest.iteration

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence of the newest positions, NaN where it is unknown."""
        return math.nan if self.latest is None else self.latest.kl

    def begin(self) -> None:
        """Note that the layout is begun anew; what is seen stays until there is something new."""
        self.count += 1
        if self.latest is not None and self.latest.phase != GIVEN:
            phase = self._task.shown.phases[0][0]
            self.latest = replace(self.latest, iteration=0, kl=math.nan, phase=phase, run=self.count)
        self.total = _iterations(self._task)
        self.history = []
        self.film.clear()

    def go_on(self, iteration: int) -> None:
        """Note that the late phase is run once more after so many iterations."""
        self.total = iteration + int(self._task.options.n_iter)

    def note(self, snapshot: Snapshot) -> Snapshot:
        """Take a snapshot of the run; returns it with the run's number."""
        snapshot = self.latest = replace(snapshot, run=self.count)
        self.film.take(snapshot)
        if math.isfinite(snapshot.kl) and (not self.history or snapshot.kl != self.history[-1][1]):
            self.history.append((snapshot.iteration, snapshot.kl))
        if len(self.history) > _LONGEST_HISTORY:
            self.history = self.history[::2]
        return snapshot

    def finish(self, outcome: Outcome) -> Snapshot:
        """Take the end of the run; returns it as a snapshot."""
        self._outcome = outcome
        places = outcome.positions.astype(np.float32)
        self.latest = Snapshot(outcome.iterations, DONE, outcome.kl, places, run=self.count)
        return self.latest

    def layout(self) -> NDArray[np.float64] | None:
        """Return what `graphne_layout` would return now, shape (n, 2); None before the first snapshot."""
        if self.latest is None:
            return None
        if self.latest.phase == GIVEN and self._given is not None:
            return self._given.copy()
        # The outcome has the digits that snapshots lack.
        ended = self._outcome if self.latest.phase == DONE else None
        return self._task.scaled(self.latest.positions if ended is None else ended.positions)

    def status(self) -> dict[str, object]:
        """Return what there is to say, ready for JSON."""
        return {
            "run": self.count,
            "iteration": self.iteration,
            "total": self.total,
            "phase": "" if self.latest is None else self.latest.phase,
            "kl": self.kl if math.isfinite(self.kl) else None,
            "history": [list(point) for point in self.history],
            "shots": len(self.film),
        }


def explained(error: BaseException) -> str:
    """Say in one sentence what ended a run."""
    said = str(error).strip().partition("\n")[0]
    return f"The layout failed: {said or type(error).__name__}"


def _iterations(task: Task) -> int:
    return sum(n_iter for _, n_iter, _ in task.shown.phases)


def centred(positions: NDArray[np.float64]) -> NDArray[np.float32]:
    """Bring given positions to where float32 has digits for them, whatever their units."""
    if not positions.size:
        return positions.astype(np.float32)
    low, high = positions.min(axis=0), positions.max(axis=0)
    reach = float((high / 2 - low / 2).max())
    centred: NDArray[np.float64] = (positions - (low / 2 + high / 2)) / (reach if reach > 0 else 1.0)
    return centred.astype(np.float32)
