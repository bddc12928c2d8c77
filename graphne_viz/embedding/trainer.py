"""Training: batches of edges, their loss, their update, epoch after epoch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.adam import BETAS, RowAdam
from graphne_viz.embedding.infonce import BLOCK, info_nce
from graphne_viz.embedding.recall import Probe
from graphne_viz.embedding.state import State, checksum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from graphne_viz.embedding.settings import Settings
    from graphne_viz.graphs.graph import Graph

FIRST_TEMPERATURE = 0.05
"""Where a learned temperature begins."""


@dataclass
class History:
    """One entry an epoch."""

    epoch: list[float] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    temperature: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return arrays of equal length by name."""
        return {name: np.array(values, dtype=np.float64) for name, values in vars(self).items()}


class Trainer:
    """A training under way, which can stop after any batch and go on exactly there.

    Which edges form a batch follows from the seed, the epoch and the batch's number alone.

    Parameters
    ----------
    graph : Graph
    settings : Settings
    state : State
        Where it begins, or goes on.
    device : torch.device
    """

    def __init__(self, graph: Graph, settings: Settings, state: State, device: torch.device) -> None:
        self._settings = settings
        self._checksum = state.edges
        self._edges = _Edges(graph)
        self._pairs = torch.from_numpy(graph.edges).to(device)
        self._probe = Probe(graph, settings.seed, device)
        table, first, second = (
            torch.tensor(array, dtype=torch.float32, device=device)
            for array in (state.parameters, state.first, state.second)
        )
        self._scratch = torch.empty(BLOCK, device=device)
        self._adam = RowAdam(table, first, second, state.step)
        self._log_temperature = state.log_temperature
        self._moments = [float(moment) for moment in state.temperature_moments]
        self._sum, self._terms = (float(number) for number in state.loss)
        self.epoch, self._batch = state.epoch, state.batch
        self.history = History()

    @property
    def batches(self) -> int:
        """Number of batches in an epoch."""
        return -(-len(self._pairs) // self._settings.batch_size)

    @property
    def progress(self) -> float:
        """Epochs done, with a fraction for the one under way."""
        return self.epoch + self._batch / self.batches

    @property
    def temperature(self) -> float:
        """As it is now."""
        return math.exp(self._log_temperature)

    @property
    def loss(self) -> float:
        """Mean over the epoch under way."""
        return self._sum / self._terms if self._terms else math.nan

    @property
    def done(self) -> bool:
        """Whether all epochs are."""
        return self.epoch >= self._settings.epochs

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors as they are now, of unit length, shape (n, dim)."""
        return self._unit().cpu().numpy().copy()

    def state(self) -> State:
        """Return all that is needed to go on from here."""
        adam = self._adam
        return State(
            parameters=adam.table.cpu().numpy().copy(),
            first=adam.first.cpu().numpy().copy(),
            second=adam.second.cpu().numpy().copy(),
            edges=self._checksum,
            step=adam.step,
            epoch=self.epoch,
            batch=self._batch,
            log_temperature=self._log_temperature,
            temperature_moments=np.array(self._moments),
            loss=np.array([self._sum, self._terms]),
        )

    def run(self, after_batch: Callable[[], bool], after_epoch: Callable[[], object]) -> None:
        """Train until all epochs are done, or someone wants it to stop.

        Parameters
        ----------
        after_batch : callable
            Asked after each batch whether to stop.
        after_epoch : callable
            Called after each epoch, when its entry in the history is there; a truthy answer stops.
        """
        while not self.done:
            for pairs in self._batches_left():
                self._learn(pairs)
                self._batch += 1
                if after_batch() and self._batch < self.batches:
                    self._note()
                    return
            self._note()
            self.epoch, self._batch = self.epoch + 1, 0
            self._sum = self._terms = 0.0
            if after_epoch():
                return

    def _batches_left(self) -> Iterator[torch.Tensor]:
        order = torch.from_numpy(self._edges.order(self._settings.seed, self.epoch)).to(self._pairs.device)
        for chosen in torch.tensor_split(order, self.batches)[self._batch :]:
            yield self._pairs[chosen]

    def _learn(self, pairs: torch.Tensor) -> None:
        settings, adam = self._settings, self._adam
        nodes, places = torch.unique(pairs, return_inverse=True)
        values = adam.table[nodes]
        loss = info_nce(
            values,
            places,
            self.temperature,
            copies=settings.negatives == "copies",
            slope=settings.learned,
            scratch=self._scratch,
        )
        adam.update(nodes, values, loss.gradient, settings.rate(self.progress))
        self._sum += float(loss.value) * len(pairs)
        self._terms += len(pairs)
        if settings.learned:
            self._learn_temperature(float(loss.slope))

    def _learn_temperature(self, slope: float) -> None:
        """Take a step of Adam in the logarithm, which keeps the temperature positive."""
        settings = self._settings
        step = self._adam.step
        first, second = self._moments
        first += (1 - BETAS[0]) * (slope - first)
        second += (1 - BETAS[1]) * (slope * slope - second)
        self._moments = [first, second]
        direction = first / (1 - BETAS[0] ** step) / (math.sqrt(second / (1 - BETAS[1] ** step)) + 1e-12)
        share = settings.rate(self.progress) / settings.learning_rate
        self._log_temperature -= settings.defaults.temperature_rate * share * direction

    def _note(self) -> None:
        self.history.epoch.append(self.progress)
        self.history.loss.append(self.loss)
        self.history.temperature.append(self.temperature)
        self.history.recall.append(self._probe.recall(self._unit()))

    def _unit(self) -> torch.Tensor:
        return torch.nn.functional.normalize(self._adam.table, dim=1)


class _Edges:
    """In which order an epoch visits the edges: each once, or as often as its weight says."""

    def __init__(self, graph: Graph) -> None:
        weights = graph.edge_weights
        self._count = len(weights)
        self._sums = None if np.ptp(weights) == 0 else np.cumsum(weights / weights.max())

    def order(self, seed: int, epoch: int) -> NDArray[np.int64]:
        """Return as many numbers of edges as there are edges, in random order.

        With weights, an edge occurs in proportion to its own, rounded up or down at random.
        """
        rng = np.random.default_rng([seed, epoch])
        if self._sums is None:
            return np.asarray(rng.permutation(self._count), dtype=np.int64)
        steps = (np.arange(self._count) + rng.random()) * (self._sums[-1] / self._count)
        chosen = np.minimum(np.searchsorted(self._sums, steps, side="right"), self._count - 1)
        rng.shuffle(chosen)
        return np.asarray(chosen, dtype=np.int64)


def beginning(graph: Graph, vectors: NDArray[np.float32], settings: Settings) -> State:
    """Return the state before the first batch."""
    temperature = settings.temperature if isinstance(settings.temperature, float) else FIRST_TEMPERATURE
    return State(
        parameters=vectors,
        first=np.zeros_like(vectors),
        second=np.zeros_like(vectors),
        edges=checksum(graph),
        step=0,
        epoch=0,
        batch=0,
        log_temperature=math.log(temperature),
        temperature_moments=np.zeros(2),
        loss=np.zeros(2),
    )
