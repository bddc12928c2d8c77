"""Training: batches of edges, their loss, their update, epoch after epoch.

A step learns from several small batches at once: their gradients are added up, then every vector that has one moves.
On a processor this is done by compiled loops, which share the batches out among threads; large batches, the paper's
kind of negatives and other devices are left to torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.training.adam import RowAdam
from graphne_viz.embedding.training.compiled_step import LARGEST_BATCH, CompiledStep, one_blas_thread
from graphne_viz.embedding.training.edges.edge_order import EdgeOrder, balanced_weights
from graphne_viz.embedding.training.edges.regions import Regions
from graphne_viz.embedding.training.finish.mixing import Mixing
from graphne_viz.embedding.training.infonce import BLOCK, info_nce
from graphne_viz.embedding.training.recall import Probe
from graphne_viz.embedding.training.settings import BETAS
from graphne_viz.embedding.training.state import State, checksum
from graphne_viz.layout.engine.torch_engine.device import runs_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from graphne_viz.embedding.training.settings import Settings
    from graphne_viz.graphs.graph import Graph

FIRST_TEMPERATURE = 0.05
"""Where a learned temperature begins."""

Learn = Callable[[list["NDArray[np.int64]"], float], tuple[float, float]]
"""Takes a step with some batches and a learning rate; returns the mean loss and its slope by the logarithm of the
temperature."""


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
    """A training under way, which can stop after any step and resume exactly there.

    Which edges form a batch follows from the seed, the epoch and the step's number alone.

    Parameters
    ----------
    graph : Graph
    settings : Settings
    state : State
        Where it begins, or resumes.
    device : torch.device
    """

    def __init__(self, graph: Graph, settings: Settings, state: State, device: torch.device) -> None:
        self._settings = settings
        self._checksum = state.edges
        region = settings.region
        self._edges = EdgeOrder(
            balanced_weights(graph) if settings.defaults.balanced else graph.pair_weights,
            None if region is None else Regions(graph, region),
        )
        self._pairs = graph.pairs
        self._mixing = Mixing(graph, settings.mixing(graph))
        self._probe = Probe(graph, settings.seed)
        table, first, second = (
            torch.tensor(array, dtype=torch.float32, device=device)
            for array in (state.parameters, state.first, state.second)
        )
        self._compiled = runs_loops(device) and settings.negatives == "batch" and settings.batch_size <= LARGEST_BATCH
        self._own_share = settings.own_share(graph.n_nodes)
        self._batches = settings.batches_per_step(graph.n_nodes)
        self._adam = RowAdam(table, first, second, state.step)
        self._log_temperature = state.log_temperature
        self._moments = [float(moment) for moment in state.temperature_moments]
        self._sum, self._terms = (float(number) for number in state.loss)
        self.epoch, self._step = state.epoch, state.batch
        self.history = History()

    @property
    def steps(self) -> int:
        """Number of steps in an epoch."""
        return -(-len(self._pairs) // (self._settings.batch_size * self._batches))

    @property
    def progress(self) -> float:
        """Epochs done, with a fraction for the one under way."""
        return self.epoch + self._step / self.steps

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
        return self._mixing.mix(self._unit().cpu().numpy().copy())

    def state(self) -> State:
        """Return all that is needed to resume from here."""
        adam = self._adam
        return State(
            parameters=adam.table.cpu().numpy().copy(),
            first=adam.first.cpu().numpy().copy(),
            second=adam.second.cpu().numpy().copy(),
            edges=self._checksum,
            step=adam.step,
            epoch=self.epoch,
            batch=self._step,
            log_temperature=self._log_temperature,
            temperature_moments=np.array(self._moments),
            loss=np.array([self._sum, self._terms]),
        )

    def run(self, after_step: Callable[[], bool], after_epoch: Callable[[], object]) -> None:
        """Train until all epochs are done, or someone wants it to stop.

        Parameters
        ----------
        after_step : callable
            Asked after each step whether to stop.
        after_epoch : callable
            Called after each epoch, when its entry in the history is there; a truthy return value stops it.
        """
        with self._learner() as learn:
            while not self.done:
                for batches in self._steps_left():
                    self._take(batches, learn)
                    self._step += 1
                    if after_step() and self._step < self.steps:
                        self._note()
                        return
                self._note()
                self.epoch, self._step = self.epoch + 1, 0
                self._sum = self._terms = 0.0
                if after_epoch():
                    return

    def _steps_left(self) -> Iterator[list[NDArray[np.int64]]]:
        settings = self._settings
        steps = self._edges.steps(settings.seed, self.epoch, self.steps, settings.batch_size)
        for batches in steps[self._step :]:
            yield [self._pairs[batch] for batch in batches]

    def _take(self, batches: list[NDArray[np.int64]], learn: Learn) -> None:
        pairs = sum(len(batch) for batch in batches)
        loss, slope = learn(batches, self._settings.rate(self.progress))
        self._sum += loss * pairs
        self._terms += pairs
        if self._settings.learned:
            self._learn_temperature(slope)

    @contextmanager
    def _learner(self) -> Iterator[Learn]:
        """Hand out what takes a step."""
        adam, settings = self._adam, self._settings
        if not self._compiled:
            self._scratch = torch.empty(BLOCK, device=adam.table.device)
            yield self._learn_by_torch
            return
        tables = [table.numpy() for table in (adam.table, adam.first, adam.second)]
        with one_blas_thread(), ThreadTeam(torch.get_num_threads()) as team:
            step = CompiledStep(*tables, batch_size=settings.batch_size, batches=self._batches, team=team)

            def learn(batches: list[NDArray[np.int64]], rate: float) -> tuple[float, float]:
                adam.step += 1
                return step.learn(
                    batches,
                    temperature=self.temperature,
                    own_share=self._own_share,
                    against=settings.against,
                    rate=rate,
                    step=adam.step,
                )

            yield learn

    def _learn_by_torch(self, batches: list[NDArray[np.int64]], rate: float) -> tuple[float, float]:
        settings, adam = self._settings, self._adam
        ends = [torch.from_numpy(batch).to(adam.table.device) for batch in batches]
        nodes, places = torch.unique(torch.cat(ends), return_inverse=True)
        values = adam.table[nodes]
        gradient = torch.zeros_like(values)
        total, slope, count = 0.0, 0.0, len(places)
        for part in places.split([len(batch) for batch in batches]):
            rows, pairs = torch.unique(part, return_inverse=True)
            loss = info_nce(
                values[rows],
                pairs,
                self.temperature,
                copies=settings.negatives == "copies",
                own_share=self._own_share,
                against=settings.against,
                slope=settings.learned,
                scratch=self._scratch,
            )
            share = len(part) / count
            gradient[rows] += share * loss.gradient
            total += share * float(loss.value)
            slope += share * float(loss.slope)
        adam.update(nodes, values, gradient, rate)
        return total, slope

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
        self.history.recall.append(self._probe.recall(self.vectors()))

    def _unit(self) -> torch.Tensor:
        return torch.nn.functional.normalize(self._adam.table, dim=1)


def first_temperature(settings: Settings) -> float:
    """Return the temperature before the first batch."""
    return settings.temperature if isinstance(settings.temperature, float) else FIRST_TEMPERATURE


def beginning(graph: Graph, vectors: NDArray[np.float32], settings: Settings) -> State:
    """Return the state before the first batch."""
    return State(
        parameters=vectors,
        first=np.zeros_like(vectors),
        second=np.zeros_like(vectors),
        edges=checksum(graph),
        step=0,
        epoch=0,
        batch=0,
        log_temperature=math.log(first_temperature(settings)),
        temperature_moments=np.zeros(2),
        loss=np.zeros(2),
    )
