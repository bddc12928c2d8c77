"""Node attributes as columns: one array per name."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_NUMERIC = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}
_TOO_FINE = {"ns", "ps", "fs", "as"}


def as_column(values: Sequence[object] | NDArray[np.generic]) -> NDArray[np.generic]:
    """Store one attribute's values as an array that shares no memory with them.

    Parameters
    ----------
    values : sequence or ndarray, length n

    Returns
    -------
    ndarray, shape (n,)
        bool, int64 or float64 if every value is a plain number or bool, otherwise object.

    Examples
    --------
    >>> as_column([1, 2.5])
    array([1. , 2.5])
    >>> as_column([1, None])
    array([1, None], dtype=object)
    """
    if isinstance(values, np.ndarray):
        return _array_column(values)
    if all(isinstance(value, (numbers.Real, np.bool_)) for value in values):
        array = np.array(values)
        if array.ndim == 1 and array.dtype.kind in _NUMERIC:
            return _array_column(array)
    return _object_column(values)


def _array_column(array: NDArray[np.generic]) -> NDArray[np.generic]:
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        return _object_column(array.tolist())
    if array.dtype.kind in _NUMERIC:
        return array.astype(_NUMERIC[array.dtype.kind])
    if array.dtype.kind == "M" and np.datetime_data(cast("np.dtype[np.datetime64]", array.dtype))[0] in _TOO_FINE:
        array = array.astype("datetime64[us]")  # of finer ones `tolist` makes bare numbers
    return _object_column(array.tolist() if array.dtype.kind != "O" else array)


def _object_column(values: Iterable[object]) -> NDArray[np.generic]:
    values = list(values)
    column = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):  # assigning a list at once would spread nested sequences
        column[i] = value
    return column


def is_absent(value: object) -> bool:
    """Whether a value says that there is none: None, NaN, NaT and what else other libraries have for that.

    Examples
    --------
    >>> is_absent(float("nan")), is_absent(0), is_absent("")
    (True, False, False)
    """
    if value is None or isinstance(value, (str, int)):
        return value is None
    if isinstance(value, (np.datetime64, np.timedelta64)):  # which numpy will not compare where they have no unit
        return bool(np.isnat(value))
    try:
        return bool(value != value)  # noqa: PLR0124 -- true of every kind of NaN and NaT
    except TypeError:  # pandas.NA has no truth value
        return True
    except ValueError:  # an array has several
        return False


def columns_from_records(records: Iterable[Mapping[object, object]], n: int) -> dict[str, NDArray[np.generic]]:
    """Turn one mapping per node into one column per attribute, None where a node lacks it.

    Names that are not strings become strings; where that makes two names equal, the string wins.
    """
    found: dict[object, dict[int, object]] = {}
    for i, record in enumerate(records):
        for name, value in record.items():
            found.setdefault(name, {})[i] = value
    columns = {}
    for name, present in sorted(found.items(), key=lambda item: isinstance(item[0], str)):
        columns[str(name)] = as_column([present.get(i) for i in range(n)])
    return {str(name): columns[str(name)] for name in found}
