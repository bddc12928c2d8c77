"""A training by processes that torchrun started, from rows of the adjacency matrix to vectors.

Every process runs this program, and has the rows, the vectors and the moments of its own nodes.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.embedding.distributed import kept_tables
from graphne_viz.embedding.distributed.finish import finished
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.distributed.start import starting_rows
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.embedding.training.compiled_step import one_blas_thread
from graphne_viz.embedding.training.trainer import first_temperature
from graphne_viz.layout.engine.torch_engine.device import threads
from graphne_viz.layout.engine.torch_engine.distributed.checkpoint import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.embedding.training.settings import Settings
    from graphne_viz.layout.engine.torch_engine.distributed.run import Rows
    from graphne_viz.layout.engine.torch_engine.world import World


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is wanted of a training beside its settings.

    Attributes
    ----------
    mixing : float
        Weight of the mean of the neighbours in a vector; see `Settings.mixing`.
    device : str
        Device, as in torch; of several with CUDA each process takes another one.
    checkpoint : Path, optional
        Folder in which to keep where the training stands, and from which to go on.
    every : float
        Seconds between two checkpoints.
    about : dict
        What the graph is, so that another one's checkpoint is refused.
    report : callable, optional
        Called in the first process with the epochs done, and the loss and the recall after the last whole one.
    """

    mixing: float
    device: str
    checkpoint: Path | None = None
    every: float = 180.0
    about: dict[str, object] = field(default_factory=dict)
    report: Callable[[float, float, float], object] | None = None


@dataclass
class Trained:
    """A training that is complete, of which this process has a share.

    Attributes
    ----------
    vectors : ndarray of float32, shape (m, dim)
        Of its own nodes, of unit length.
    loss, recall : float
        As in the history of an `Embedding`, after the last epoch.
    resumed : float
        Epochs that an earlier run had done.
    """

    vectors: NDArray[np.float32]
    loss: float
    recall: float
    resumed: float
    _peers: Peers
    _cuts: list[int]
    _kept: Checkpoints | None

    def collect(self, first: int, stop: int) -> NDArray[np.float32] | None:
        """Bring the vectors of the nodes ``first:stop`` to the first process; None in the others, who call it, too."""
        ends = np.clip(self._cuts, first, stop)
        low = self._cuts[self._peers.rank]
        own = self.vectors[ends[self._peers.rank] - low : ends[self._peers.rank + 1] - low]
        sent = [len(own), *[0] * (self._peers.size - 1)]
        is_first = self._peers.rank == 0
        received = np.diff(ends).tolist() if is_first else [0] * self._peers.size
        found = self._peers.exchange(torch.from_numpy(own), sent, received)
        return found.numpy() if is_first else None

    def clear(self) -> None:
        """Remove the checkpoint, once the vectors are where they are wanted."""
        if self._kept is not None:
            self._kept.clear()


def train(world: World, graph: Rows, settings: Settings, plan: Plan) -> Trained:
    """Train on a graph of which no process has all edges.

    Parameters
    ----------
    world : World
        All processes, each of which calls this with the same arguments.
    graph : Rows
        The graph, of more nodes than there are processes.
    settings : Settings
        Settled for the whole graph.
    plan : Plan
        The rest.
    """
    cuts = graph.cuts(world.size)
    low, high = cuts[world.rank : world.rank + 2]
    rows = world.together(lambda: graph.rows(low, high))
    kept = None
    if plan.checkpoint is not None:
        about = {**plan.about, **asdict(settings)}
        kept = Checkpoints(world, plan.checkpoint, about, plan.every, what="training", unit="step")
    run = _Run(world, settings, plan, cuts, kept)
    with run.begun(rows) as trainer:
        resumed = trainer.progress
        loss, recall = run.train(trainer)
        vectors = trainer.vectors().cpu().numpy()
    del trainer  # its tables and edges, which are not needed any more
    if settings.defaults.turned:
        vectors = finished(run.peers, cuts, rows, vectors, settings.far_coordinates)
    return Trained(vectors, loss, recall, resumed, run.peers, cuts, kept)


class _Run:
    """A training on its way."""

    def __init__(self, world: World, settings: Settings, plan: Plan, cuts: list[int], kept: Checkpoints | None) -> None:
        self.world, self.settings, self.plan, self.cuts, self.kept = world, settings, plan, cuts, kept
        self.peers = Peers(world.rank, world.size, world.backends if world.size > 1 else None)

    @contextmanager
    def begun(self, rows: sp.csr_array) -> Iterator[ShardTrainer]:
        """Hand out what trains, at its beginning or where an earlier run has left it."""
        world, settings = self.world, self.settings
        device = world.device(self.plan.device)
        n_jobs = max(count_cores() // world.beside, 1)  # processes of one machine share its cores
        latest = None if self.kept is None else self.kept.latest()
        with one_blas_thread(), ThreadTeam(n_jobs) as team, threads(n_jobs):
            tables = self._beginning(rows) if latest is None else self._read(*latest)
            trainer = ShardTrainer(
                self.peers,
                self.cuts,
                rows,
                settings,
                tables,
                mixing=self.plan.mixing,
                log_temperature=math.log(first_temperature(settings)),
                team=team,
                device=device.place,
            )
            if latest is not None:
                _go_on(trainer, latest[1])
            yield trainer

    def _beginning(self, rows: sp.csr_array) -> tuple[NDArray[np.float32], ...]:
        first = starting_rows(self.world, self.cuts, rows, self.settings)
        return first, np.zeros_like(first), np.zeros_like(first)

    def _read(self, folder: Path, about: dict[str, Any]) -> tuple[NDArray[np.float32], ...]:
        assert self.kept is not None  # noqa: S101 - the folder is from there
        low, high = self.cuts[self.world.rank : self.world.rank + 2]
        return kept_tables.read_back(self.kept, folder, about["cuts"], (low, high), self.settings.dim)

    def train(self, trainer: ShardTrainer) -> tuple[float, float]:
        """Train to the end, and return the last loss and recall."""
        loss = recall = math.nan
        while trainer.epoch < self.settings.epochs:
            while trainer.chunk < trainer.chunks:
                trainer.train_chunk()
                if self.plan.report is not None and self.world.first:
                    self.plan.report(trainer.progress, loss, recall)
                if self.kept is not None and self.kept.due():
                    self._keep(self.kept, trainer)
            loss, recall = trainer.measure()
            trainer.next_epoch()
        if self.plan.report is not None and self.world.first:
            self.plan.report(trainer.progress, loss, recall)
        return loss, recall

    def _keep(self, kept: Checkpoints, trainer: ShardTrainer) -> None:
        adam = trainer.adam
        tables = (adam.table, adam.first, adam.second)
        state = kept_tables.to_keep(tables, self.cuts[self.world.rank])
        losses = self.peers.add(torch.from_numpy(trainer.loss_sums.copy())).tolist()
        also = {
            "cuts": self.cuts,
            "epoch_done": trainer.epoch,
            "chunk": trainer.chunk,
            "chunks": trainer.chunks,
            "log_temperature": trainer.log_temperature,
            "moments": trainer.moments,
            "loss": losses,
        }
        kept.save(adam.step, state, also)


def _go_on(trainer: ShardTrainer, about: dict[str, Any]) -> None:
    """Take up what an earlier run has left; where its epochs had other chunks, at the same share of one."""
    trainer.adam.step = int(about["step"])
    trainer.epoch = int(about["epoch_done"])
    trainer.chunk = about["chunk"] * trainer.chunks // about["chunks"]
    trainer.log_temperature = float(about["log_temperature"])
    trainer.moments = list(about["moments"])
    trainer.loss_sums[:] = np.array(about["loss"]) / trainer.peers.size
