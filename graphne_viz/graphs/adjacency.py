"""Weights of edges, and the one canonical, symmetric adjacency matrix that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    EdgeName = Callable[[int], tuple[Hashable, Hashable]]

_SYMMETRIC_RTOL = 1e-5  # float32 matrices that are symmetric on paper differ in the last digits

MAX_NODES = int(np.iinfo(np.int32).max)

DEFAULT_WEIGHT = "weight"
"""The weight name that need not be there; any other the caller must have meant."""


def check_weight_name(weight: object) -> None:
    """Refuse a `weight` that is not a name."""
    if weight is not None and not isinstance(weight, str):
        raise TypeError(f"weight must be the name of an edge attribute or None, not {weight!r}")


def unknown_weight(weight: str | None, available: Iterable[object], where: str) -> ValueError:
    """Return the error for a weight name that nothing carries."""
    names = sorted({str(name) for name in available})
    have = f"there are {', '.join(map(repr, names))}" if names else "there are none"
    return ValueError(f"weight={weight!r} is not {where}; {have}")


def bad_weight(edge: tuple[Hashable, Hashable], value: object) -> ValueError:
    """Return the error for a weight that cannot be one, with the edge in the caller's own names."""
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":  # of fine dates it makes bare numbers
        value = value.item()
    kind = "" if isinstance(value, (int, float)) else ", which is not a number"
    return ValueError(f"edge {edge!r} has weight {value!r}{kind}; weights must be finite and not negative")


def as_weights(values: Sequence[object] | NDArray[np.generic], name: EdgeName) -> NDArray[np.float64]:
    """Turn edge weights of any kind into float64, a missing one (None) into 1.

    Parameters
    ----------
    values : sequence or ndarray, length E
        Numbers; None stands for a missing weight.
    name : callable
        Gives the two node names of the k-th edge, for the message of an error.

    Returns
    -------
    ndarray, shape (E,)
        Finite and not negative.

    Raises
    ------
    ValueError
        If a weight is negative, NaN, infinite or not a number.
    """
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):  # ragged lists
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf" or array.shape != (len(values),):
        return np.array([_one_weight(value, name, k) for k, value in enumerate(values)], dtype=np.float64)
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf and is refused below
        weights = array.astype(np.float64)
    check_weights(weights, name)
    return weights


def _one_weight(value: object, name: EdgeName, k: int) -> float:
    if value is None:
        return 1.0
    try:
        # float() would read "1", a date and half of a complex number, which nobody meant as a weight
        if isinstance(value, (str, bytes, np.datetime64, np.timedelta64, np.complexfloating)):
            raise bad_weight(name(k), value)
        number = float(value)  # type: ignore[arg-type]  # whatever it is, float() decides
    except (TypeError, OverflowError):
        raise bad_weight(name(k), value) from None
    if not 0 <= number < np.inf:
        raise bad_weight(name(k), value)
    return number


def check_weights(weights: NDArray[np.float64], name: EdgeName) -> None:
    """Refuse the first weight that is negative, NaN or infinite."""
    wrong = ~((weights >= 0) & (weights < np.inf))
    if wrong.any():
        k = int(wrong.argmax())
        raise bad_weight(name(k), weights[k])


def sum_entries(
    n: int, rows: NDArray[np.integer], columns: NDArray[np.integer], weights: NDArray[np.float64] | None
) -> sp.csr_array:
    """Put edges into a matrix, each in the one place where it was given.

    Parameters
    ----------
    n : int
        Number of nodes.
    rows, columns : ndarray of int, shape (E,)
        The two ends of each edge. Self-loops are dropped, parallel edges add up.
    weights : ndarray, shape (E,), or None
        Finite and not negative; None means 1 for every edge. An edge of weight 0 is dropped.

    Returns
    -------
    scipy.sparse.csr_array, shape (n, n)
        float64, sorted, without duplicates, zeros or self-loops. Owns its memory.
    """
    keep = rows != columns
    if weights is not None:
        keep &= weights > 0
    if not keep.all():
        rows, columns = rows[keep], columns[keep]
        weights = None if weights is None else weights[keep]
    data = np.ones(len(rows)) if weights is None else weights
    return compress(n, rows, columns, data)


def compress(
    n: int, rows: NDArray[np.integer], columns: NDArray[np.integer], data: NDArray[np.float64]
) -> sp.csr_array:
    """Put entries into a matrix, where those in one place add up.

    Parameters
    ----------
    n : int
        Number of rows and of columns.
    rows, columns : ndarray of int, shape (E,)
        Where they are, each at least 0 and below n.
    data : ndarray, shape (E,)
        What they are.

    Returns
    -------
    scipy.sparse.csr_array, shape (n, n)
        Sorted and without duplicates. Owns its memory.
    """
    # Most graphs come sorted, from other matrices or from files: telling so takes a fraction of sorting.
    later = rows[1:] > rows[:-1]
    later |= (rows[1:] == rows[:-1]) & (columns[1:] > columns[:-1])
    if later.all():
        indptr = np.zeros(n + 1, dtype=np.int32 if len(rows) <= MAX_NODES else np.int64)
        np.cumsum(np.bincount(rows.astype(np.intp, copy=False), minlength=n), out=indptr[1:])
        return sp.csr_array((data.copy(), columns.astype(indptr.dtype), indptr), shape=(n, n))
    ends = (rows.astype(np.int32, copy=False), columns.astype(np.int32, copy=False))
    matrix = sp.csr_array(sp.coo_array((data, ends), shape=(n, n)))
    matrix.sum_duplicates()
    return matrix


def as_symmetric(matrix: sp.csr_array) -> sp.csr_array | None:
    """Return a canonical matrix that is symmetric but for rounding exactly so; None if it is not."""
    transposed = sp.csr_array(matrix.T)
    if not np.array_equal(matrix.indptr, transposed.indptr) or not np.array_equal(matrix.indices, transposed.indices):
        return None
    if np.array_equal(matrix.data, transposed.data):
        return matrix
    if np.allclose(matrix.data, transposed.data, rtol=_SYMMETRIC_RTOL, atol=0):
        matrix.data = 0.5 * matrix.data + 0.5 * transposed.data
        return matrix
    return None


def check_sums(matrix: sp.csr_array, ids: Sequence[Hashable]) -> None:
    """Refuse parallel edges whose weights add up to more than a number can be."""
    if not np.isfinite(matrix.data).all():
        k = int((~np.isfinite(matrix.data)).argmax())
        row = int(np.searchsorted(matrix.indptr, k, side="right")) - 1
        edge = (ids[row], ids[int(matrix.indices[k])])
        raise ValueError(f"the parallel edges {edge!r} add up to weight {matrix.data[k]}; weights must be finite")
