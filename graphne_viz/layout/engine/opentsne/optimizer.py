"""openTSNE's own optimiser as an engine: the reference that the others are tested against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from openTSNE import TSNEEmbedding
from openTSNE.affinity import PrecomputedAffinities

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_COLLAPSED = 1e-9
"""Standard deviation of positions below which they are rounding errors, which differ from processor to processor.

A clique shrinks to a point in openTSNE.
"""


class OpenTSNEPart:
    """A connected graph that openTSNE lays out.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions.
    P : csr_array, shape (n, n)
        Symmetric affinities that sum to 1; left unchanged.
    dof : float
        Degrees of freedom of the kernel.
    n_jobs : int
        Threads.
    """

    def __init__(self, start: NDArray[np.float64], P: sp.csr_array, dof: float, n_jobs: int) -> None:
        # openTSNE wants a matrix and not an array, and exaggerates it in place, which leaves rounding errors.
        matrix = sp.csr_matrix((P.data.copy(), P.indices, P.indptr), shape=P.shape)
        self._given = P.data
        self._start = np.array(start)
        self._embedding = TSNEEmbedding(start, PrecomputedAffinities(matrix, normalize=False), dof=dof, n_jobs=n_jobs)
        self._exaggeration, self._momentum = 1.0, 0.8
        self._held: tuple[NDArray[np.intp], NDArray[np.float64]] | None = None
        self.running_in: int | None = None

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        self._exaggeration, self._momentum = exaggeration, momentum

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        self._embedding.optimize(count, inplace=True, exaggeration=self._exaggeration, momentum=self._momentum)
        self._embedding.affinities.P.data[:] = self._given
        self._put_held()

    def divergence(self, _positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells KL(P, Q) at the present positions, which openTSNE has computed anyway."""
        kl = float(getattr(self._embedding, "kl_divergence", None) or np.nan)
        return lambda: kl

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions into an array of shape (n, 2): those of the start if the layout shrank to a point."""
        found = np.asarray(self._embedding)
        positions[:] = found if found.std() > _COLLAPSED else self._start

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere, and there again after each portion of steps: openTSNE itself holds none."""
        self._held = nodes, places
        self._put_held()

    def _put_held(self) -> None:
        if self._held is not None:
            self._embedding[self._held[0]] = self._held[1]

    def shake(self, _rng: np.random.Generator) -> None:
        """Leave the positions as they are: openTSNE does not shake them either."""

    def shrink(self, factor: float) -> None:
        """Divide all positions by a factor."""
        self._embedding /= factor
