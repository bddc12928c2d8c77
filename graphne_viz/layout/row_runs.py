"""Runs of rows of a sparse matrix, for work that would otherwise need temporary arrays as long as the matrix."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import scipy.sparse as sp
    from numpy.typing import NDArray

_ENTRIES = 1 << 19
"""Entries of a run, about: a few arrays of them fit into a processor's caches."""


class Run(NamedTuple):
    """Consecutive rows.

    Attributes
    ----------
    low, high : int
        The first row, and one past the last.
    entries : slice
        Where their entries stand.
    degrees : ndarray of int, shape (high - low,)
        Entries of each row.
    """

    low: int
    high: int
    entries: slice
    degrees: NDArray[np.integer]

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Repeat the values of these rows, of values for all rows, for each of their entries."""
        return np.repeat(values[self.low : self.high], self.degrees)


def row_runs(matrix: sp.csr_array) -> Iterator[Run]:
    """Cut a matrix into runs of rows with about equally many entries."""
    indptr = matrix.indptr
    marks = np.searchsorted(indptr, np.arange(_ENTRIES, indptr[-1], _ENTRIES))
    for low, high in pairwise(np.unique([0, *marks, len(indptr) - 1]).tolist()):
        inside = indptr[low : high + 1]
        yield Run(low, high, slice(int(inside[0]), int(inside[-1])), np.diff(inside))
