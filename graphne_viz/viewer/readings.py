"""What a run tells of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz.viewer.record import GIVEN, explained

if TYPE_CHECKING:
    import threading

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.film import Shot
    from graphne_viz.viewer.leg import State
    from graphne_viz.viewer.record import Record


class Readings:
    """What can be read off a `Run`, which inherits this, at any time and in any thread."""

    task: Task
    _record: Record
    _turn: threading.Condition
    _state: State
    _error: BaseException | None
    _exaggeration: float
    _steered: bool
    _closed: bool
    _news: str

    def __repr__(self) -> str:
        return f"Run({self._state}, iteration {self.iteration:,} of {self._record.total:,}, KL {self.kl:.4g})"

    @property
    def state(self) -> State:
        """One of "idle", "starting", "running", "paused", "finished", "stopped", "failed"."""
        return self._state

    @property
    def error(self) -> BaseException | None:
        """What ended a failed run."""
        return self._error

    @property
    def message(self) -> str:
        """The error in one sentence, "" if there is none."""
        return "" if self._error is None else explained(self._error)

    @property
    def latest(self) -> Snapshot | None:
        """The newest positions, None before the first."""
        return self._record.latest

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self._record.iteration

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence of the newest positions, NaN where it is unknown."""
        return self._record.kl

    @property
    def count(self) -> int:
        """How often the layout was begun."""
        return self._record.count

    @property
    def steered(self) -> bool:
        """Whether the exaggeration was changed since the layout was begun."""
        return self._steered

    @property
    def given(self) -> bool:
        """Whether the newest positions are the caller's own, which no run has made."""
        return self.latest is not None and self.latest.phase == GIVEN

    def acting(self, phase: str) -> float:
        """Return the exaggeration that acts in a phase."""
        early, *_ = self.task.options.phases
        return early[2] if phase == early[0] else self._exaggeration

    def layout(self) -> NDArray[np.float64] | None:
        """Return what `graphne_layout` would return now, shape (n, 2); None before the first snapshot."""
        with self._turn:
            return self._record.layout()

    def shots(self) -> list[Shot]:
        """Return how the layout formed, as far as that was kept; the newest positions are the last."""
        with self._turn:
            return [] if self.latest is None else self._record.film.shots(self.latest)

    def status(self) -> dict[str, object]:
        """Return all there is to say about the run, ready for JSON."""
        with self._turn:
            told = {"state": self._state, "message": self.message, "steerable": not self._closed, "news": self._news}
            embedding = getattr(self.task, "embedding", None)
            return told | {"dimension": getattr(embedding, "dim", 0)} | self._record.status()
