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
    moved, known, fixed = _pairs(points, reference, rows)
    if not len(known):
        return moved.copy()
    center, target = known.mean(axis=0), fixed.mean(axis=0)
    spread, wanted = float(np.linalg.norm(known - center)), float(np.linalg.norm(fixed - target))
    scale = wanted / spread if spread and wanted else 1.0
    aligned: NDArray[np.float64] = (moved - center) @ _rotation(known - center, fixed - target) * scale + target
    return aligned


def best_rotation(points: ArrayLike, reference: ArrayLike, *, rows: ArrayLike | None = None) -> NDArray[np.float64]:
    """Return the rotation, with a reflection where that is better, by which `align` turns points.

    Parameters
    ----------
    points, reference, rows
        As for `align`.

    Returns
    -------
    ndarray of float64, shape (d, d)
        ``points @ matrix`` is turned.
    """
    _, known, fixed = _pairs(points, reference, rows)
    if not len(known):
        return np.eye(known.shape[1])
    return _rotation(known - known.mean(axis=0), fixed - fixed.mean(axis=0))


def _pairs(
    points: ArrayLike, reference: ArrayLike, rows: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Read points, shape (n, d), those of them that the reference has, and the reference, both of shape (m, d)."""
    moved, fixed = _read("points", points), _read("reference", reference)
    chosen = np.arange(len(moved)) if rows is None else _rows(rows, len(moved))
    if fixed.shape != (len(chosen), moved.shape[1]):
        raise ValueError(f"reference must have shape ({len(chosen)}, {moved.shape[1]}), got {fixed.shape}")
    return moved, moved[chosen], fixed


def _rotation(known: NDArray[np.float64], fixed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn points onto others, both of shape (m, d) with their mean at the origin."""
    spread, wanted = np.linalg.norm(known), np.linalg.norm(fixed)
    if not spread or not wanted:  # all on one point: there is nothing to turn by
        return np.eye(known.shape[1])
    left, _, right = np.linalg.svd((known / spread).T @ (fixed / wanted))
    rotation: NDArray[np.float64] = left @ right
    return rotation


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
