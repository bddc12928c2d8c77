"""Dates and times as numbers: days since 1970-01-01, as matplotlib has them, too."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.graphs.attributes import is_absent

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DAY = 86_400_000_000  # in microseconds


def are_dates(values: NDArray[np.generic]) -> bool:
    """Tell whether all values that there are, and there are some, are dates or times."""
    if values.dtype.kind == "M":
        return not bool(np.isnat(values).all())
    if values.dtype.kind != "O" or values.ndim != 1:
        return False
    present = [value for value in values if not is_absent(value)]
    return bool(present) and all(isinstance(value, (dt.date, np.datetime64)) for value in present)


def as_days(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return dates as days since 1970-01-01, NaN where there is none; times of a zone are those of UTC.

    Examples
    --------
    >>> import datetime
    >>> as_days(np.array([datetime.date(1970, 1, 3), None], dtype=object)).tolist()
    [2.0, nan]
    """
    if values.dtype.kind != "M":
        values = np.array([_moment(value) for value in values], dtype="datetime64[us]")
    moments = values.astype("datetime64[us]")
    days = moments.astype(np.int64) / _DAY
    days[np.isnat(moments)] = np.nan
    return days


def date_text(days: float, *, timed: bool) -> str:
    """Spell a date, and the time of the day if that is wanted.

    Examples
    --------
    >>> date_text(18262, timed=False), date_text(18262.5, timed=True)
    ('2020-01-01', '2020-01-01 12:00')
    """
    moment = np.datetime64(round(days * _DAY), "us")
    written = str(np.datetime_as_string(moment, unit="m" if timed else "D"))
    return written.replace("T", " ")


def _moment(value: object) -> np.datetime64:
    if is_absent(value):
        return np.datetime64("NaT", "us")
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    moment: np.datetime64 = np.datetime64(cast("dt.date", value), "us")
    return moment
