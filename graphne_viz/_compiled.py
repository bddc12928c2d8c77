"""How inner loops are compiled: without the GIL, and kept on disk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from numba import config, njit
from numba.core.caching import FunctionCache

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)


class _KernelCache(FunctionCache):
    """Compiled code on disk, where a fault costs the time to compile again and nothing else."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401 - numba's own
        """Load what was compiled for a signature, or None."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call] # numba has no types
        except OSError as error:
            _KEPT.lose(error)
        except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
            _KEPT.lose(error)
            self._empty()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401 - numba's own
        """Keep what was compiled for a signature, if that is possible."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call] # numba has no types
        except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
            _KEPT.lose(error)

    def _empty(self) -> None:
        """Replace a damaged index, so that the next process finds one that can be read."""
        try:
            self.flush()  # type: ignore[no-untyped-call] # numba has no types
        except OSError as error:
            _KEPT.lose(error)


class _Kept:
    """All loops made so far, and whether the next process finds them compiled."""

    def __init__(self) -> None:
        self.loops: list[Any] = []
        self.lost = False

    def lose(self, error: Exception | None = None) -> None:
        """Say once why loops are compiled anew."""
        if not self.lost:
            why = "no folder is writable" if error is None else f"{type(error).__name__}: {error}"
            log.warning("compiled code cannot be kept (%s); set NUMBA_CACHE_DIR to a writable folder", why)
        self.lost = True


_KEPT = _Kept()


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:  # noqa: ANN401 - numba's own
    """Decorate with `numba.njit`, kept on disk where numba finds a place for it.

    Parameters
    ----------
    **options
        Of `numba.njit`, beside those that all loops here have.
    """
    # Inlined into those that call it: a process that has compiled both would otherwise run the one copy of it, and one
    # that loads them from disk another, whose sums may be rounded in another order.
    options |= {"nogil": True, "error_model": "numpy", "forceinline": True}

    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - numba's own
        made = njit(**options)(function)
        if config.DISABLE_JIT:  # type: ignore[attr-defined] # numba makes its settings at run time
            return made
        try:
            # What numba's enable_caching does, with a cache of ours.
            made._cache = _KernelCache(function)  # type: ignore[no-untyped-call] # noqa: SLF001
        except (RuntimeError, OSError):
            _KEPT.lose()
        _KEPT.loops.append(made)
        return made

    return decorate


def times_compiled() -> int:
    """How many loops had to be compiled so far because none were found on disk."""
    return sum(sum(made.stats.cache_misses.values()) for made in _KEPT.loops)


def are_kept() -> bool:
    """Whether the next process finds on disk what this one has compiled."""
    return not _KEPT.lost
