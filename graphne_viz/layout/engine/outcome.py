"""Where a run ended, and from where another can go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.layout.engine.pins import Pins


@dataclass(frozen=True)
class Outcome:
    """Where a run ended.

    Attributes
    ----------
    positions : ndarray of float64, shape (n, 2)
        Positions in t-SNE's own units, or packed discs of parts.
    divergence : float or callable
        Kullback-Leibler divergence, the mean over nodes of their parts', or what computes it; read as ``kl``.
    iterations : int
        Iterations taken.
    own : ndarray of float64, shape (n, 2), or None
        Every part in t-SNE's own units, unpacked, from which a later run can resume; None around fixed nodes.
    exaggeration : float
        The last one.
    pins : Pins or None
        Nodes that were held to the end.
    origins : ndarray of float64, shape (k, 2), or None
        Where the parts lie in the picture, as `Pinning` has it, if a node was ever held.
    """

    positions: NDArray[np.float64]
    divergence: float | Callable[[], float]
    iterations: int
    own: NDArray[np.float64] | None = None
    exaggeration: float = 1
    pins: Pins | None = None
    origins: NDArray[np.float64] | None = None

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence, computed when it is first read."""
        return self.divergence() if callable(self.divergence) else self.divergence
