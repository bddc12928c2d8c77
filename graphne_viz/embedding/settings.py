"""What a caller may ask of an embedding, checked at the door; the one table of defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from graphne_viz.layout.initialization import as_generator
from graphne_viz.layout.options import one_of, positive, whole

if TYPE_CHECKING:
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.initialization import Seed

Preset = Literal["default", "paper"]
Negatives = Literal["batch", "copies"]

DIM, TEMPERATURE = 128, 0.05

LOWEST_TEMPERATURE = 1e-6
"""Similarities are divided by it, in single precision."""

VISITS = 400
"""How often a node is visited in all, by default, within the bounds below."""

FEWEST_EPOCHS, MOST_EPOCHS = 10, 100


@dataclass(frozen=True)
class Defaults:
    """What a preset stands for; see `embed` for the meanings.

    Attributes
    ----------
    epochs : int or None
        None for as many as give each node about `VISITS` visits.
    learning_rate : float
    last_rate : float
        Share of the learning rate that is left at the end.
    negatives : str
    least_batch, most_batch : int
        Bounds of the automatic batch size, which is a tenth of the nodes.
    length : float or None
        Length of the starting vectors, against which the learning rate is to be seen; None for the square root of
        the dimension, which is that of random normal ones.
    temperature_rate : float
        Learning rate of the logarithm of a learned temperature; it falls as the other one does.
    """

    epochs: int | None
    learning_rate: float
    last_rate: float
    negatives: Negatives
    least_batch: int
    most_batch: int
    length: float | None
    temperature_rate: float


PRESETS: dict[str, Defaults] = {
    "default": Defaults(
        epochs=None,
        learning_rate=0.05,
        last_rate=0.0,
        negatives="batch",
        least_batch=128,
        most_batch=512,
        length=None,
        temperature_rate=0.01,
    ),
    "paper": Defaults(
        epochs=200,
        learning_rate=0.001,
        last_rate=0.1,
        negatives="copies",
        least_batch=1,
        most_batch=8192,
        length=1.0,
        temperature_rate=0.001,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of one training, complete: nothing in it depends on the machine.

    Attributes
    ----------
    dim, epochs, batch_size, negatives, learning_rate, temperature, initialization, seed, preset
        As for `embed`, with what was left to choose chosen.
    """

    dim: int
    epochs: int
    batch_size: int
    negatives: Negatives
    learning_rate: float
    temperature: float | Literal["learn"]
    initialization: str
    seed: int
    preset: Preset

    @property
    def defaults(self) -> Defaults:
        """What the preset stands for."""
        return PRESETS[self.preset]

    @property
    def length(self) -> float:
        """Length of the starting vectors."""
        return self.defaults.length or math.sqrt(self.dim)

    @property
    def learned(self) -> bool:
        """Whether the temperature is learned."""
        return self.temperature == "learn"

    def rate(self, epoch: float) -> float:
        """Learning rate after so many epochs, which falls linearly."""
        left = max(1 - epoch / self.epochs, 0.0)
        return self.learning_rate * (self.defaults.last_rate + (1 - self.defaults.last_rate) * left)


def settle(
    graph: Graph,
    *,
    dim: int,
    temperature: float | Literal["learn"],
    epochs: int | None,
    batch_size: int | Literal["auto"],
    negatives: Negatives | None,
    learning_rate: float | None,
    initialization: Any,  # noqa: ANN401 - a name or an array
    preset: Preset,
    seed: Seed,
) -> Settings:
    """Check what was asked for, and choose what was left open."""
    one_of("preset", preset, get_args(Preset))
    defaults = PRESETS[preset]
    n = graph.n_nodes
    whole("dim", dim, least=2)
    if dim > n:
        raise ValueError(f"dim must be at most the number of nodes, {n:,}, got {dim!r}")
    if not graph.n_edges:
        raise ValueError("an embedding needs edges, and this graph has none")
    _check_temperature(temperature)
    if isinstance(batch_size, str):
        if batch_size != "auto":
            raise ValueError(f"batch_size must be a whole number of edges or 'auto', got {batch_size!r}")
        batch_size = int(np.clip(n // 10, defaults.least_batch, defaults.most_batch))
    whole("batch_size", batch_size, least=1)
    if learning_rate is not None:
        positive("learning_rate", learning_rate)
    if negatives is not None:
        one_of("negatives", negatives, get_args(Negatives))
    if epochs is None:
        epochs = defaults.epochs or _enough_epochs(graph)
    whole("epochs", epochs, least=1)
    return Settings(
        dim=int(dim),
        epochs=int(epochs),
        batch_size=int(batch_size),
        negatives=negatives or defaults.negatives,
        learning_rate=float(learning_rate or defaults.learning_rate),
        temperature="learn" if isinstance(temperature, str) else float(temperature),
        initialization=initialization if isinstance(initialization, str) else "array",
        seed=int(seed) if isinstance(seed, int | np.integer) and seed >= 0 else int(as_generator(seed).integers(2**31)),
        preset=preset,
    )


def _check_temperature(temperature: float | str) -> None:
    """Refuse what is no temperature."""
    if isinstance(temperature, str):
        if temperature != "learn":
            raise ValueError(f"temperature must be a positive number or 'learn', got {temperature!r}")
        return
    positive("temperature", temperature)
    if temperature < LOWEST_TEMPERATURE:
        raise ValueError(f"temperature must be at least {LOWEST_TEMPERATURE:g}, got {temperature!r}")


def _enough_epochs(graph: Graph) -> int:
    """Choose as many epochs as visit a node often enough: one epoch visits it as often as it has neighbours."""
    linked = int(np.count_nonzero(graph.degrees))
    return int(np.clip(round(VISITS * linked / (2 * graph.n_edges)), FEWEST_EPOCHS, MOST_EPOCHS))
