"""Node attributes as columns: one array per name."""

from __future__ import annotations

import logging
import numbers
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Chosen: TypeAlias = slice | NDArray[np.bool_] | NDArray[np.intp]

_LOG = logging.getLogger(__name__)

_Scalar = TypeVar("_Scalar", bound=np.generic)

_NUMERIC = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}
_TOO_FINE = {"ns", "ps", "fs", "as"}

_MOST_CELLS = 1 << 22
"""Cells of columns that are kept one by one, whatever is missing in them: 33 MB."""

_CELLS_PER_VALUE = 16
"""Cells for each value that there is, above which columns are kept by their values."""


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


class SparseColumns(Mapping[str, "NDArray[np.generic]"]):
    """Columns by name that miss nearly all their values; each is filled, read-only, when it is asked for.

    Twenty thousand nodes with an attribute of their own each would otherwise take 3.2 GB.

    Parameters
    ----------
    values : mapping of str to (mapping of int to object)
        The values that there are, by their places.
    n : int
        Length of each column.
    defaults : mapping of str to object, optional
        What stands where a column has no value; None for the columns that it does not name.
    """

    def __init__(
        self, values: Mapping[str, Mapping[int, object]], n: int, defaults: Mapping[str, object] | None = None
    ) -> None:
        self._values = values
        self._n = n
        self._defaults = defaults or {}

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        column = filled(self._values[name], self._n, self._defaults.get(name))
        column.flags.writeable = False
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    @property
    def n(self) -> int:
        """Length of each column."""
        return self._n

    def take(self, chosen: Chosen) -> SparseColumns:
        """Return the columns of some places, by a mask or by numbers."""
        kept = np.arange(self._n)[chosen]
        places: dict[int, list[int]] = {}
        for new, old in enumerate(kept.tolist()):
            places.setdefault(old, []).append(new)
        taken = {
            name: {new: value for old, value in column.items() for new in places.get(old, ())}
            for name, column in self._values.items()
        }
        return SparseColumns(taken, len(kept), self._defaults)

    def fullest(self, most: int) -> SparseColumns:
        """Return so many columns at most, those with the most values, in their order; a default counts for all."""
        if len(self._values) <= most:
            return self
        sizes = {
            name: self._n if self._defaults.get(name) is not None else len(column)
            for name, column in self._values.items()
        }
        chosen = set(sorted(sizes, key=lambda name: -sizes[name])[:most])
        kept = {name: column for name, column in self._values.items() if name in chosen}
        return SparseColumns(kept, self._n, self._defaults)


def fullest_columns(columns: Mapping[str, NDArray[np.generic]], what: str) -> Mapping[str, NDArray[np.generic]]:
    """Return the columns that may be looked at one after the other: of sparse ones those with the most values.

    Whoever shows or writes columns looks at every place of each: of thousands that hardly any node has, that takes
    minutes and gigabytes.

    Parameters
    ----------
    columns : mapping of str to ndarray
    what : str
        What is done with them, for the warning that names how many are left out: "shown" or "written".
    """
    if not isinstance(columns, SparseColumns):
        return columns
    kept = columns.fullest(max(_MOST_CELLS // max(columns.n, 1), 1))
    if len(kept) < len(columns):
        _LOG.warning(
            "%s attributes, each of which hardly any has, are too many: the %s with the most values are %s",
            f"{len(columns):,}",
            f"{len(kept):,}",
            what,
        )
    return kept


def frozen_columns(columns: Mapping[str, NDArray[np.generic]], n: int, what: str) -> Mapping[str, NDArray[np.generic]]:
    """Return columns that cannot be written to.

    Raises
    ------
    ValueError
        If one has not n values; `what` says of whom there are n.
    """
    if isinstance(columns, SparseColumns):
        shapes = dict.fromkeys(list(columns)[:1], (columns.n,))
    else:
        shapes = {name: values.shape for name, values in columns.items()}
    for name, shape in shapes.items():
        if shape != (n,):
            raise ValueError(f"attribute {name!r} has shape {shape}; there are {n} {what}")
    if isinstance(columns, SparseColumns):
        return columns
    return MappingProxyType({name: read_only(values) for name, values in columns.items()})


def take_columns(columns: Mapping[str, NDArray[np.generic]], chosen: Chosen) -> Mapping[str, NDArray[np.generic]]:
    """Return the values of some places, by a mask or by numbers."""
    if isinstance(columns, SparseColumns):
        return columns.take(chosen)
    return {name: values[chosen] for name, values in columns.items()}


def read_only(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Return a view that cannot be written through; the array itself stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view


def columns_from_records(
    records: Iterable[Mapping[object, object]], n: int, *, without: str | None = None
) -> Mapping[str, NDArray[np.generic]]:
    """Turn one mapping per node into one column per attribute, None where a node lacks it.

    Names that are not strings become strings; where that makes two names equal, the string wins. The attribute
    `without` is left out.
    """
    found: dict[object, dict[int, object]] = {}
    for i, record in enumerate(records):
        for name, value in record.items():
            found.setdefault(name, {})[i] = value
    columns = {str(name): present for name, present in sorted(found.items(), key=lambda item: isinstance(item[0], str))}
    columns = {str(name): columns[str(name)] for name in found if str(name) != without}
    if are_sparse(columns, n):
        return SparseColumns(columns, n)
    return {name: filled(present, n) for name, present in columns.items()}


def are_sparse(columns: Mapping[str, Mapping[int, object]], n: int) -> bool:
    """Tell whether columns of n places take so much more room than their values that they are kept by those."""
    return n * len(columns) > _MOST_CELLS + _CELLS_PER_VALUE * sum(map(len, columns.values()))


def filled(present: Mapping[int, object], n: int, default: object = None) -> NDArray[np.generic]:
    """Return a column of n values, the default where there is none."""
    if len(present) == n or default is not None:
        return as_column([present.get(i, default) for i in range(n)])
    column = np.full(n, None, dtype=object)
    for i, value in present.items():  # assigning them at once would spread nested sequences
        column[i] = value
    return column
