"""What a caller may ask of a layout, checked at the door."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

from graphne_viz.layout.affinity import NORMALIZATIONS, Normalization  # noqa: TC001 - a dataclass shows its types
from graphne_viz.layout.team import count_cores

Engine = Literal["auto", "exact", "mesh", "opentsne"]
ENGINES: tuple[str, ...] = get_args(Engine)
STARTS = ("spectral", "random")
MOST_EXAGGERATION = 1e6
"""Beyond, float32 has no digits left for the repulsion."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Settings of one run; the keywords of `graphne_layout` with the same names."""

    normalization: Normalization = "node"
    exaggeration: float = 1
    n_iter: int = 500
    early_exaggeration: float = 12
    early_exaggeration_iter: int = 250
    dof: float = 1
    engine: Engine = "auto"
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work, naming the argument, the value and what would be right."""
        one_of("normalization", self.normalization, NORMALIZATIONS)
        one_of("engine", self.engine, ENGINES)
        positive("exaggeration", self.exaggeration, most=MOST_EXAGGERATION)
        positive("early_exaggeration", self.early_exaggeration, most=MOST_EXAGGERATION)
        positive("dof", self.dof)
        whole("n_iter", self.n_iter, least=0)
        whole("early_exaggeration_iter", self.early_exaggeration_iter, least=0)
        if self.n_jobs is not None and (not _is_whole(self.n_jobs) or self.n_jobs == 0):
            raise ValueError(f"n_jobs must be None or -1 (all cores) or a number of threads, got {self.n_jobs!r}")

    @property
    def threads(self) -> int:
        """Number of threads that ``n_jobs`` stands for, counted as in scikit-learn."""
        if self.n_jobs is None:
            return count_cores()
        return self.n_jobs if self.n_jobs > 0 else max(count_cores() + 1 + self.n_jobs, 1)

    @property
    def phases(self) -> tuple[tuple[str, int, float], ...]:
        """Name, iterations and exaggeration of each phase."""
        return (
            ("early exaggeration", int(self.early_exaggeration_iter), float(self.early_exaggeration)),
            ("optimization", int(self.n_iter), float(self.exaggeration)),
        )


def check_callback(callback: object, every: object) -> None:
    """Refuse what cannot be called every so many iterations."""
    whole("callback_every", every, least=1)
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable, got {callback!r}")


def whole(name: str, value: object, *, least: int) -> None:
    """Refuse anything but a whole number from ``least`` on."""
    if not _is_whole(value):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < least:  # type: ignore[operator] # a whole number, as was just checked
        raise ValueError(f"{name} must be at least {least}, got {value!r}")


def _is_whole(value: object) -> bool:
    """Whether a value counts things; True and False do not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def positive(name: str, value: object, *, most: float = math.inf) -> None:
    """Refuse anything but a positive, finite number, and one above ``most``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not 0 < float(value) < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value!r}")
    if float(value) > most:
        raise ValueError(f"{name} must be at most {most:,g}, got {value!r}")


def one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse anything but one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
