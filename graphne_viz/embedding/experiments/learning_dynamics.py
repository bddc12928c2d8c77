"""How training unfolds, and what the temperature does to it: the experiment of the paper's section 5."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.experiments.block_model import block_model
from graphne_viz.embedding.keywords import DIM
from graphne_viz.embedding.projection import project
from graphne_viz.embedding.training.training import Training

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from tqdm import auto as tqdm_auto

    from graphne_viz.embedding.distributed.workers import DistributedTrainer
    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.keywords import Preset
    from graphne_viz.embedding.training.trainer import Trainer
    from graphne_viz.graphs.graph import Graph

    Temperature = float | Literal["learn"]
else:
    tqdm_auto = lazy_import("tqdm.auto")

LOOKS = 10
"""How often the first epoch is looked at, in which most happens; later ones once, at their end."""

_RATE = 0.1
"""Twice as fast as by default, so that a few epochs show what many would."""


@dataclass(frozen=True, eq=False)
class Moment:
    """A training at one time.

    Attributes
    ----------
    embedding : Embedding
        With the history until then.
    positions : ndarray of float64, shape (n, 2)
        Its projection.
    """

    embedding: Embedding
    positions: NDArray[np.float64]

    @property
    def epoch(self) -> float:
        """Epochs done, with a fraction for the one under way."""
        return float(self.embedding.history["epoch"][-1])

    @property
    def recall(self) -> float:
        """Neighbour recall."""
        return self.embedding.recall


@dataclass(frozen=True, eq=False)
class Run:
    """One training of the experiment.

    Attributes
    ----------
    temperature : float or "learn"
    early : Moment
        Of highest recall within the first epoch.
    end : Moment
        Its history has entries for every tenth of the first epoch, one more after its first batch, and one for every
        other epoch.
    """

    temperature: Temperature
    early: Moment
    end: Moment


@dataclass(frozen=True, eq=False)
class Dynamics:
    """What `learning_dynamics` returns, and `plot_dynamics` draws.

    Attributes
    ----------
    graph : Graph
        With the attribute "class".
    classes : ndarray of str, shape (n,)
        Block of each node.
    runs : tuple of Run
        One for each temperature, in the order given.
    """

    graph: Graph
    classes: NDArray[np.str_]
    runs: tuple[Run, ...]


def learning_dynamics(
    temperatures: Iterable[Temperature] = (0.05, 0.5),
    *,
    n_nodes: int = 4000,
    blocks: int = 10,
    within: float | None = None,
    between: float | None = None,
    dim: int = DIM,
    epochs: int = 20,
    learning_rate: float | None = None,
    preset: Preset = "default",
    seed: int = 0,
    device: str = "cpu",
    progress: bool = False,
) -> Dynamics:
    """Watch embeddings of a graph with clear communities being learned, at a low and a high temperature.

    At a low temperature neighbours are kept better and better. At a high one the rare edges between blocks pull their
    ends out of their own: the blocks stay apart, but within them neighbours are lost, the more so the larger they are.
    In the paper, among 80,000 nodes, recall falls at 0.5 from 13 to below 1 %.

    Parameters
    ----------
    temperatures : iterable of float or "learn", default (0.05, 0.5)
    n_nodes, blocks : int, default 4000 and 10
        Size of the graph, a stochastic block model; the paper's has 80,000 nodes.
    within, between : float, optional
        Probability of an edge between two nodes of one block, and of two. By default such that a node has about 20
        neighbours in its own block and 0.36 in others, which for 80,000 nodes are the paper's 0.0025 and 0.000005.
    dim : int, default 128
    epochs : int, default 20
        The paper's 10, since there an epoch visits each edge once in each direction.
    learning_rate : float, optional
        By default 0.1, twice that of `embed`, so that few epochs show it; in the preset "paper" that of the paper.
    preset : {"default", "paper"}, default "default"
        As for `embed`; all but the learning rate is as it is there by default. "paper" learns more slowly, so
        that fewer epochs show less of it.
    seed : int, default 0
        The same seed gives the same result on the CPU, with the same number of threads.
    device : str, default "cpu"
        As in torch.
    progress : bool, default False
        Show a progress bar.

    Returns
    -------
    Dynamics

    Examples
    --------
    >>> d = learning_dynamics([0.05], n_nodes=100, blocks=2, dim=16, epochs=2)
    >>> run = d.runs[0]
    >>> run.temperature, run.end.epoch, run.end.positions.shape
    (0.05, 2.0, (100, 2))
    """
    graph = block_model(n_nodes, blocks, within=within, between=between, seed=seed)
    temperatures = _checked(temperatures)
    settings: dict[str, Any] = {
        "dim": dim,
        "epochs": epochs,
        "learning_rate": _RATE if learning_rate is None and preset == "default" else learning_rate,
        "preset": preset,
        "seed": seed,
        "device": device,
        "focus": 0,  # the paper's loss, in which the temperature alone decides
    }
    trainings = [Training(graph, temperature=temperature, **settings) for temperature in temperatures]
    for training in trainings:  # in the paper negatives are nodes of the whole graph, too
        training.settings = replace(training.settings, regions=False)
    with _bar(len(trainings) * int(epochs), show=progress) as advance:
        runs = tuple(
            _run(training, temperature, advance) for training, temperature in zip(trainings, temperatures, strict=True)
        )
    return Dynamics(graph, graph.attributes["class"].astype(str), runs)


def _checked(temperatures: Iterable[Temperature]) -> tuple[Temperature, ...]:
    """Refuse anything but a list of temperatures; each is checked where it is used."""
    if isinstance(temperatures, str) or not np.iterable(temperatures):
        raise TypeError(f"temperatures must be a list of numbers, got {temperatures!r}")
    several = tuple(temperatures)
    if not several:
        raise ValueError("temperatures must contain at least one number")
    return several


def _run(training: Training, temperature: Temperature, advance: Callable[[float], None]) -> Run:
    """Train, and stop where there is something to look at."""
    settings = training.settings
    best: Embedding | None = None
    with training.trainer() as trainer:
        for stop in [*(np.arange(LOOKS) / LOOKS), *range(1, settings.epochs + 1)]:
            before = trainer.progress
            _train_until(trainer, stop)
            advance(trainer.progress - before)
            if stop <= 1 and (best is None or trainer.history.recall[-1] > best.recall):
                best = training.embedding(trainer, state=False)
        end = training.embedding(trainer, state=False)
    return Run(temperature, _moment(best or end, settings.seed), _moment(end, settings.seed))


def _train_until(trainer: Trainer | DistributedTrainer, stop: float) -> None:
    """Train until so many epochs are done, by at least one batch; the trainer notes the recall wherever it stops."""

    def reached() -> bool:
        return trainer.progress >= stop

    trainer.run(reached, reached)


def _moment(embedding: Embedding, seed: int) -> Moment:
    return Moment(embedding, np.asarray(project(embedding, seed=seed)))


@contextmanager
def _bar(epochs: int, *, show: bool) -> Iterator[Callable[[float], None]]:
    """Show how far the experiment is."""
    if not show:
        yield lambda _: None
        return

    form = "{l_bar}{bar}| epoch {n:.1f}/{total_fmt} [{elapsed}<{remaining}]"
    with tqdm_auto.tqdm(total=epochs, bar_format=form) as bar:
        # Fractions of epochs may add up to a hair more than all of them.
        yield lambda done: bar.update(min(done, epochs - bar.n))
