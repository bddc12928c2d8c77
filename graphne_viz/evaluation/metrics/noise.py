"""How far a figure can be trusted: standard errors, the digits that they leave, and who is better than all others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_MOST_DIGITS = 3
_ERRORS = 2.0
"""Standard errors of a difference beyond which it is hardly due to chance."""


def mean_error(values: NDArray[np.float64]) -> float:
    """Return the standard error of the mean of what is no NaN; that of one value is unknown."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else math.inf


def share_error(share: float, tested: int) -> float:
    """Return the standard error of a share; of few tests that all went well, too.

    Examples
    --------
    >>> round(share_error(1.0, 4), 2), round(share_error(0.9, 1000), 2)
    (0.19, 0.01)
    """
    if not tested or math.isnan(share):
        return math.inf
    smoothed = (share * tested + 1) / (tested + 2)
    return math.sqrt(smoothed * (1 - smoothed) / tested)


def digits(error: float) -> int:
    """Return how many decimals of a figure mean something: up to the first one of its standard error.

    Examples
    --------
    >>> digits(0.004), digits(0.05), digits(0.2), digits(float("nan"))
    (3, 2, 1, 3)
    """
    if math.isnan(error) or error <= 0:
        return _MOST_DIGITS
    if math.isinf(error):
        return 1
    return min(max(math.ceil(-math.log10(error)), 1), _MOST_DIGITS)


def winner(values: Mapping[str, float], errors: Mapping[str, float]) -> str | None:
    """Return whose value exceeds all others by more than chance would; None if there is nobody.

    Examples
    --------
    >>> winner({"a": 0.7, "b": 0.6}, {"a": 0.01, "b": 0.01}), winner({"a": 0.7, "b": 0.69}, {"a": 0.01, "b": 0.01})
    ('a', None)
    """
    ranked = sorted((name for name in values if not math.isnan(values[name])), key=values.__getitem__, reverse=True)
    if len(ranked) < 2:
        return None
    first, second = ranked[:2]
    apart = math.hypot(*(0.0 if math.isnan(errors.get(name, 0.0)) else errors.get(name, 0.0) for name in ranked[:2]))
    return first if values[first] - values[second] > _ERRORS * apart else None
