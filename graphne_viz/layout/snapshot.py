"""What a callback sees of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Snapshot:
    """A layout on its way; the caller's to keep.

    Attributes
    ----------
    iteration : int
        Iterations done so far, counted over the whole run.
    phase : str
        ``"early exaggeration"`` or ``"optimization"``. In a view also ``"training"`` while an embedding is trained,
        ``"finished"`` for the positions with which a run ended, and ``"given"`` for those that no run has made.
    divergence : float or callable
        Kullback-Leibler divergence, for a graph in several parts the mean over nodes of their parts', or what computes
        it; read as ``kl``.
    positions : ndarray of float32, shape (n, 2)
        A copy of the positions in the order of the graph's nodes, before scaling and centring.
    run : int
        In a view, how often the layout had been begun; 0 where nobody counts.
    """

    iteration: int
    phase: str
    divergence: float | Callable[[], float]
    positions: NDArray[np.float32]
    run: int = 0

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence; computed when it is first read, so that it costs only those who want it."""
        return self.divergence() if callable(self.divergence) else self.divergence
