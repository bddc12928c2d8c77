"""The settings of one training: what was asked for, checked, with what was left open chosen."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import numpy as np

from graphne_viz._checks import check_choice, check_integer, check_positive
from graphne_viz._seeds import as_generator
from graphne_viz.embedding.keywords import DIM, Negatives, Preset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz._seeds import Seed

log = logging.getLogger(__name__)

LOWEST_TEMPERATURE = 1e-6
"""Similarities are divided by it, in single precision."""

BETAS = (0.9, 0.999)
"""What Adam keeps of the mean of gradients, and of that of their squares, at a step."""

EPSILON = 1e-12
"""Adam's, far below any gradient: a mean over thousands of pairs is small."""

OWN_SHARE, ROOM_POWER = 0.01, 0.3
"""Weight of a node's own similarity at the end of the dial, for each negative. In a graph with more than `LARGE` nodes
it falls by this power of their number: the same dimensions have less room for each, and what it costs is neighbours.
Otherwise it depends on nothing, since batches come from regions of one size."""

OWN_POWER = 4.5
"""Power of the dial that the own weight grows with: most of what it decides happens while it is small."""

MIXING, DEGREE_POWER, MOST_MIXING = 1.115, 0.45, 0.9
"""Weight of the mean of the neighbours' vectors at the end of the dial, times this power of the mean degree: the more
edges a node has, the more its own vector has learned already. At most so much, and below 1, so that no vector
vanishes."""

NEEDED = 64
"""Dimensions of which none can be spared. Of those beyond, a share tells of nodes some steps away that is the square of
the dial, because the first ones that are given up cost least."""

STEP = 512
"""Most edges that a step learns from, if a batch has fewer."""

VISITS = 420
"""How often a node is visited in all, by default, within the bounds below."""

FEWEST_EPOCHS, MOST_EPOCHS = 30, 100

LARGE = 20_000
"""Nodes of the largest graph on which the settings were tried one by one; what changes beyond was tried on arXiv."""

EPOCH_POWER, LEAST_EPOCHS = 0.375, 5
"""By which power of the nodes epochs become fewer in a graph with more than `LARGE`, and how many there are at least.
Each of its many steps moves what the vectors of a region have in common."""


class Counts(Protocol):
    """What of a graph its settings depend on; a `Graph` has it."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""

    @property
    def n_pairs(self) -> int:
        """Number of pairs of neighbours."""

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node, shape (n,)."""


MOST_RATE = 1e6
"""Beyond, the numbers that are learnt leave the range of float32 in a long training; what is useful is below 1."""


@dataclass(frozen=True)
class Defaults:
    """What a preset stands for; see `embed` for the meanings.

    Attributes
    ----------
    epochs : int or None
        None for as many as give each node about `VISITS` visits.
    temperature, learning_rate : float
    last_rate : float
        Share of the learning rate that is left at the end.
    negatives : str
    focus : float
    against : int or None
        How many negatives the other nodes of a batch stand for; None for as many as they are.
    balanced : bool
        Whether edges at nodes with few of them are visited more often; see `balanced_weights`.
    mixed : bool
        Whether vectors take over something from those of their neighbours in the end.
    turned : bool
        Whether the coordinates are principal axes in the end, the last of which tell of nodes some steps away.
    region : int or None
        Nodes of the regions that a large graph's batches are drawn from, one from each; None for the whole graph.
    stacked : bool
        Whether a step learns from several batches.
    least_batch, most_batch : int
        Bounds of the automatic batch size, which is a tenth of the nodes.
    length : float or None
        Length of the starting vectors, against which the learning rate is to be seen; None for the square root of
        the dimension, which is that of random normal ones.
    temperature_rate : float
        Learning rate of the logarithm of a learned temperature; it falls as the other one does.
    """

    epochs: int | None
    temperature: float
    learning_rate: float
    last_rate: float
    negatives: Negatives
    focus: float
    against: int | None
    balanced: bool
    mixed: bool
    turned: bool
    region: int | None
    stacked: bool
    least_batch: int
    most_batch: int
    length: float | None
    temperature_rate: float


PRESETS: dict[str, Defaults] = {
    "default": Defaults(
        epochs=None,
        temperature=0.05,
        learning_rate=0.1,
        last_rate=0.0,
        negatives="batch",
        focus=0.5,
        against=32,
        balanced=True,
        mixed=True,
        turned=True,
        region=700,
        stacked=True,
        least_batch=128,
        most_batch=128,
        length=None,
        temperature_rate=0.01,
    ),
    "paper": Defaults(
        epochs=200,
        temperature=0.05,
        learning_rate=0.001,
        last_rate=0.1,
        negatives="copies",
        focus=0.0,
        against=None,
        balanced=False,
        mixed=False,
        turned=False,
        region=None,
        stacked=False,
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
    dim, focus, epochs, batch_size, negatives, learning_rate, temperature, initialization, seed, preset
        As for `embed`, with what was left to choose chosen.
    regions : bool
        Whether the batches of a large graph come from regions, where the preset has them.
    """

    dim: int
    focus: float
    epochs: int
    batch_size: int
    negatives: Negatives
    learning_rate: float
    temperature: float | Literal["learn"]
    initialization: str
    seed: int
    preset: Preset
    regions: bool = True

    @property
    def defaults(self) -> Defaults:
        """What the preset stands for."""
        return PRESETS[self.preset]

    @property
    def region(self) -> int | None:
        """Nodes of the regions that batches are drawn from; None for the whole graph."""
        return self.defaults.region if self.regions else None

    @property
    def length(self) -> float:
        """Length of the starting vectors."""
        return self.defaults.length or math.sqrt(self.dim)

    @property
    def learned(self) -> bool:
        """Whether the temperature is learned."""
        return self.temperature == "learn"

    def own_share(self, n_nodes: int) -> float:
        """Return the weight of a node's own similarity for each of its negatives."""
        return OWN_SHARE * math.pow(self.focus, OWN_POWER) * _fewer(n_nodes, ROOM_POWER)

    def mixing(self, graph: Counts) -> float:
        """Return the weight of the mean of a node's neighbours in its vector; see `Mixing`."""
        if not self.defaults.mixed:
            return 0.0
        return float(min(MIXING * self.focus / mean_degree(graph) ** DEGREE_POWER, MOST_MIXING))

    @property
    def far_coordinates(self) -> int:
        """How many coordinates tell of nodes some steps away; see `told_of_far_neighbors`."""
        return round(self.focus**2 * max(self.dim - NEEDED, 0)) if self.defaults.turned else 0

    @property
    def against(self) -> int | None:
        """How many negatives the other nodes of a batch stand for; None for as many as they are.

        A temperature that is learned needs all of them: fewer let it rise until hardly any neighbours are kept.
        """
        return self.defaults.against if self.negatives == "batch" and not self.learned else None

    def batches_per_step(self, n_nodes: int) -> int:
        """Return from how many batches a step learns: from few in a small graph, which would have too few steps."""
        return max(min(STEP, n_nodes // 8) // self.batch_size, 1) if self.defaults.stacked else 1

    def rate(self, epoch: float) -> float:
        """Learning rate after so many epochs, which falls linearly."""
        left = max(1 - epoch / self.epochs, 0.0)
        return self.learning_rate * (self.defaults.last_rate + (1 - self.defaults.last_rate) * left)


def settle(
    graph: Counts,
    *,
    dim: int | None,
    focus: float | None,
    temperature: float | Literal["learn"] | None,
    epochs: int | None,
    batch_size: int | Literal["auto"],
    negatives: Negatives | None,
    learning_rate: float | None,
    initialization: Any,  # noqa: ANN401 - a name or an array
    preset: Preset,
    seed: Seed,
    regions: bool = True,
) -> Settings:
    """Check what was asked for, and choose what was left open."""
    check_choice("preset", preset, get_args(Preset))
    defaults = PRESETS[preset]
    n = graph.n_nodes
    if dim is None:
        dim = _dimensions(n)
    check_integer("dim", dim, least=2)
    if dim > n:
        raise ValueError(f"dim must be at most the number of nodes, {n:,}, got {dim!r}")
    if not graph.n_pairs:
        raise ValueError("an embedding needs edges, but this graph has none")
    if focus is None:
        focus = defaults.focus
    _check_focus(focus)
    if isinstance(batch_size, str):
        if batch_size != "auto":
            raise ValueError(f"batch_size must be a whole number of edges or 'auto', got {batch_size!r}")
        batch_size = int(np.clip(n // 10, defaults.least_batch, defaults.most_batch))
    check_integer("batch_size", batch_size, least=1)
    if learning_rate is not None:
        check_positive("learning_rate", learning_rate, most=MOST_RATE)
    if negatives is not None:
        check_choice("negatives", negatives, get_args(Negatives))
    if epochs is None:
        epochs = defaults.epochs or enough_epochs(graph)
    check_integer("epochs", epochs, least=1)
    return Settings(
        dim=int(dim),
        focus=float(focus),
        epochs=int(epochs),
        batch_size=int(batch_size),
        negatives=negatives or defaults.negatives,
        learning_rate=float(learning_rate or defaults.learning_rate),
        temperature=_temperature(temperature, defaults),
        initialization=initialization if isinstance(initialization, str) else "array",
        seed=int(seed) if isinstance(seed, int | np.integer) and seed >= 0 else int(as_generator(seed).integers(2**31)),
        preset=preset,
        regions=bool(regions),
    )


def _dimensions(n_nodes: int) -> int:
    """Return the usual number of dimensions, or as many as there are nodes."""
    if n_nodes < DIM:
        log.info("using %d dimensions instead of %d: the graph has no more nodes", n_nodes, DIM)
    return min(DIM, n_nodes)


def _check_focus(focus: object) -> None:
    """Refuse anything but a number from 0 to 1."""
    if isinstance(focus, bool) or not isinstance(focus, Real):
        raise TypeError(f"focus must be a number from 0 (neighbours) to 1 (classes), got {focus!r}")
    if not 0 <= float(focus) <= 1:
        raise ValueError(f"focus must be from 0 (neighbours) to 1 (classes), got {focus!r}")


def _temperature(given: float | str | None, defaults: Defaults) -> float | Literal["learn"]:
    """Return the temperature that was asked for, or the preset's own; refuse what is none."""
    if given is None:
        return defaults.temperature
    if isinstance(given, str):
        if given != "learn":
            raise ValueError(f"temperature must be a positive number or 'learn', got {given!r}")
        return "learn"
    check_positive("temperature", given)
    if given < LOWEST_TEMPERATURE:
        raise ValueError(f"temperature must be at least {LOWEST_TEMPERATURE:g}, got {given!r}")
    return float(given)


def mean_degree(graph: Counts) -> float:
    """Return how many neighbours a node has on average, of those that have any."""
    return 2 * graph.n_pairs / int(np.count_nonzero(graph.degrees))


def enough_epochs(graph: Counts) -> int:
    """Choose as many epochs as visit a node often enough: one epoch visits it as often as it has neighbours."""
    epochs = min(max(round(VISITS / mean_degree(graph)), FEWEST_EPOCHS), MOST_EPOCHS)
    return max(round(epochs * _fewer(graph.n_nodes, EPOCH_POWER)), LEAST_EPOCHS)


def _fewer(n_nodes: int, power: float) -> float:
    """Return a factor that falls with the number of nodes of a large graph, and is 1 in others."""
    return math.pow(min(LARGE / n_nodes, 1), power)
