"""A callback to hand to anyone's own openTSNE run: what it sees are snapshots, as from our own runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.engine.schedule import EARLY, LATE
from graphne_viz.layout.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class OpenTSNECallback:
    """Turn openTSNE's calls into snapshots.

    openTSNE hands over the embedding that it goes on changing, and counts iterations from 1 in every ``optimize()``; a
    snapshot has a copy and a count over all of them. The first ``optimize()`` of a ``TSNE().fit()`` is the early phase.

    Parameters
    ----------
    see : callable
        Called with a `Snapshot`; a truthy return value ends the run, as does `stop`.
    phases : sequence of str
        Names of the first ``optimize()``, the second and so on; the last one stays.

    Attributes
    ----------
    iteration : int
        Iterations seen so far.
    latest : Snapshot or None
        The newest.

    Examples
    --------
    >>> seen = []
    >>> callback = OpenTSNECallback(seen.append)
    >>> for _ in range(2):
    ...     callback.optimization_about_to_start()
    ...     for iteration in (10, 20):
    ...         _ = callback(iteration, 1.5, np.zeros((3, 2)))
    >>> [(snapshot.iteration, snapshot.phase) for snapshot in seen]
    [(10, 'early exaggeration'), (20, 'early exaggeration'), (30, 'optimization'), (40, 'optimization')]
    """

    def __init__(self, see: Callable[[Snapshot], object], phases: tuple[str, ...] = (EARLY, LATE)) -> None:
        if not callable(see):
            raise TypeError(f"see must be callable, got {see!r}")
        if not phases:
            raise ValueError("phases must name at least one phase, got none")
        self._see = see
        self._phases = phases
        self._begun = 0
        self._before = 0
        self._within = 0
        self._stopped = False
        self.latest: Snapshot | None = None

    @property
    def iteration(self) -> int:
        """Iterations seen so far, over all calls of ``optimize()``."""
        return self._before + self._within

    def stop(self) -> None:
        """End the run at the next call, from any thread."""
        self._stopped = True

    def reset(self) -> None:
        """Count from 0 again, for a new run."""
        self._begun = self._before = self._within = 0
        self._stopped = False
        self.latest = None

    def optimization_about_to_start(self) -> None:
        """Note that openTSNE begins with an ``optimize()``, which it calls this for."""
        self._before += self._within
        self._within = 0
        self._begun += 1

    def __call__(self, iteration: int, error: float, embedding: NDArray[np.floating]) -> bool:
        """Take what openTSNE says; True ends its run.

        Parameters
        ----------
        iteration : int
            Counted within one ``optimize()``.
        error : float
            KL divergence before this iteration's step.
        embedding : ndarray, shape (n, 2)
            The live array.
        """
        if self._begun == 0 or iteration <= self._within:  # a caller of its own may announce nothing
            self.optimization_about_to_start()
        self._within = int(iteration)
        phase = self._phases[min(self._begun, len(self._phases)) - 1]
        self.latest = Snapshot(self.iteration, phase, float(error), np.array(embedding, dtype=np.float32))
        return bool(self._see(self.latest)) or self._stopped
