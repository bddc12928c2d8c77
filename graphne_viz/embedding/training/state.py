"""What training resumes from, apart from the graph and the settings."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from graphne_viz.graphs.graph import Graph

TABLES = ("parameters", "first", "second")
"""Names of the (n, d) arrays."""

PAIRS = ("temperature_moments", "loss")
"""Names of the arrays of two numbers."""

COUNTS = ("edges", "step", "epoch", "batch")
"""Names of the integers."""


@dataclass(frozen=True, eq=False)
class State:
    """A training between two batches, read-only.

    Attributes
    ----------
    parameters : ndarray of float32, shape (n, d)
        Vectors of any length; their directions are the embedding.
    first, second : ndarray of float32, shape (n, d)
        Adam's moments of the gradient.
    edges : int
        Checksum of the edges and their weights; see `checksum`.
    step : int
        Batches done in all.
    epoch : int
        Epochs done.
    batch : int
        Batches done of the epoch under way.
    log_temperature : float
    temperature_moments : ndarray of float64, shape (2,)
        Adam's two moments for the logarithm of the temperature.
    loss : ndarray of float64, shape (2,)
        Sum and count of the losses of the epoch under way.
    """

    parameters: NDArray[np.float32]
    first: NDArray[np.float32]
    second: NDArray[np.float32]
    edges: int
    step: int
    epoch: int
    batch: int
    log_temperature: float
    temperature_moments: NDArray[np.float64]
    loss: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check the shapes and freeze the arrays."""
        for name in TABLES:
            object.__setattr__(self, name, frozen(getattr(self, name), np.float32))
        shape = self.parameters.shape
        for name in TABLES:
            array = getattr(self, name)
            if array.ndim != 2 or array.shape != shape:
                raise ValueError(f"the state's {name} has shape {array.shape}; it must be (n, d) as its parameters")
            if not np.isfinite(array).all():
                raise ValueError(f"the state's {name} must be finite")
        for name in PAIRS:
            pair = frozen(getattr(self, name), np.float64)
            if pair.shape != (2,):
                raise ValueError(f"the state's {name} has shape {pair.shape}; it must be (2,)")
            object.__setattr__(self, name, pair)
        for name in COUNTS:
            count = getattr(self, name)
            if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
                raise ValueError(f"the state's {name} must be an integer of at least 0, got {count!r}")
            object.__setattr__(self, name, int(count))
        object.__setattr__(self, "log_temperature", float(self.log_temperature))
        if not math.isfinite(self.log_temperature):
            raise ValueError(f"the state's log_temperature must be finite, got {self.log_temperature!r}")

    def __repr__(self) -> str:
        return f"State(epoch {self.epoch}, batch {self.batch})"

    def __reduce__(self) -> tuple[type[State], tuple[Any, ...]]:
        """Rebuild from the fields, so that copies are checked and frozen, too."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def checksum(graph: Graph) -> int:
    """Return a number that differs where edges or weights do, so that no training resumes with other ones."""
    A = graph.adjacency
    total = 0
    for array in (A.indptr.astype("<i8"), A.indices.astype("<i8"), A.data.astype("<f8")):
        total = zlib.crc32(array.tobytes(), total)
    return total


def frozen(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """Return values as a read-only array; where it is a view, the caller's own array stays as it is."""
    view = np.asarray(values, dtype=dtype, order="C").view()
    view.flags.writeable = False
    return view
