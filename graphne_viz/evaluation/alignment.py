"""Two layouts of the same nodes, turned so that they can be compared by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_LARGEST = 1e100
"""Largest coordinate that can be squared and added up."""


def align(points: ArrayLike, reference: ArrayLike, *, rows: ArrayLike | None = None) -> NDArray[np.float64]:
    """Rotate, mirror, scale and move points so that they lie as a reference does.

    Neither a neighbour embedding nor a force layout has a top or a left side: without this, two of them differ mostly
    in how they happen to be turned.

    Parameters
    ----------
    points : array_like, shape (n, d)
    reference : array_like, shape (m, d)
        Where the nodes of `rows` should come to lie.
    rows : array_like of int, shape (m,), optional
        Which of the points the reference has; all of them, in their order, unless given.

    Returns
    -------
    ndarray of float64, shape (n, d)
        The same picture: all distances have changed by one factor.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a number is not finite.

    Notes
    -----
    The rotation is that of Procrustes: the sum of squared distances to the reference is least. The size is not, since
    that would shrink a layout the more, the less it resembles the reference; the spread about the mean is made equal.

    Examples
    --------
    >>> align([[0, 0], [0, 2], [4, 2]], [[0, 0], [1, 0], [1, 2]]).round(6) + 0
    array([[0., 0.],
           [1., 0.],
           [1., 2.]])
    """
    moved, fixed = _read("points", points), _read("reference", reference)
    chosen = np.arange(len(moved)) if rows is None else _rows(rows, len(moved))
    if fixed.shape != (len(chosen), moved.shape[1]):
        raise ValueError(f"reference must have shape ({len(chosen)}, {moved.shape[1]}), got {fixed.shape}")
    if not len(chosen):
        return moved.copy()
    known = moved[chosen]
    center, target = known.mean(axis=0), fixed.mean(axis=0)
    known, fixed = known - center, fixed - target
    spread, wanted = np.linalg.norm(known), np.linalg.norm(fixed)
    if not spread or not wanted:  # all on one point: there is nothing to turn by
        shifted: NDArray[np.float64] = moved - center + target
        return shifted
    left, _, right = np.linalg.svd((known / spread).T @ (fixed / wanted))
    aligned: NDArray[np.float64] = (moved - center) @ (left @ right) * (wanted / spread) + target
    return aligned


def _read(name: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of shape (n, d), got {type(values).__name__}") from None
    if array.ndim != 2:
        raise ValueError(f"{name} must have shape (n, d), got {array.shape}")
    if not (np.abs(array) <= _LARGEST).all():
        raise ValueError(f"{name} must be finite and within {_LARGEST:g}")
    return array


def _rows(rows: ArrayLike, n: int) -> NDArray[np.int64]:
    array = np.asarray(rows)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"rows must be whole numbers of shape (m,), got {array.dtype} of shape {array.shape}")
    if array.size and not 0 <= array.min() <= array.max() < n:
        raise ValueError(f"rows must be from 0 to {n - 1}, got {array.min()} to {array.max()}")
    return array.astype(np.int64)
