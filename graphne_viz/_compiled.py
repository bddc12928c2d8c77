"""How inner loops are compiled: without the GIL, and kept on disk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

_MADE: list[Any] = []


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:  # noqa: ANN401 - numba's own
    """Decorate with `numba.njit`, kept on disk where numba finds a place for it.

    Parameters
    ----------
    **options
        Of `numba.njit`, beside those that all loops here have.
    """
    options |= {"nogil": True, "error_model": "numpy"}

    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - numba's own
        try:
            made = njit(cache=True, **options)(function)
        except RuntimeError:
            log.warning("no writable folder for compiled code: set NUMBA_CACHE_DIR to one")
            made = njit(**options)(function)
        _MADE.append(made)
        return made

    return decorate


def times_compiled() -> int:
    """How many loops had to be compiled so far because none were found on disk."""
    return sum(sum(made.stats.cache_misses.values()) for made in _MADE)
