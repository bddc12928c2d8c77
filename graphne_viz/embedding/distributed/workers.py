"""A training in several processes of this machine: the first is the caller's, the others are started here."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
import torch

from graphne_viz._threads import ThreadTeam
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.embedding.training.compiled_step import one_blas_thread
from graphne_viz.embedding.training.settings import Settings
from graphne_viz.embedding.training.state import TABLES, State
from graphne_viz.embedding.training.trainer import History
from graphne_viz.layout.engine.torch_engine.device import threads
from graphne_viz.layout.engine.torch_engine.processes import WorkerProcesses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.engine.torch_engine.device import Device
    from graphne_viz.layout.engine.torch_engine.ranks import Group

_WORK_OF_A_NODE = 10


class Command(IntEnum):
    """What the first process tells the others."""

    TRAIN = 0
    MEASURE = 1
    NEXT_EPOCH = 2
    VECTORS = 3
    STATE = 4
    END = 5


class TrainingWorkers(WorkerProcesses):
    """The processes beside the caller's own; the parameters are those of `WorkerProcesses`."""

    def __init__(self, size: int, device: str, n_jobs: int) -> None:
        super().__init__("graphne_viz.embedding.distributed.worker", "a training", size, device, n_jobs)

    def tell(self, command: Command) -> None:
        """Tell the other processes what is done next."""
        self.group.send(torch.tensor([int(command)], device="cpu"))

    def tell_end(self) -> None:
        """Tell the other processes that this is the end."""
        self.tell(Command.END)

    @contextmanager
    def trainer(self, graph: Graph, settings: Settings, state: State) -> Iterator[DistributedTrainer]:
        """Divide a training, and hand out what trains."""
        cuts = _cut(graph, self.size)
        _write_shares(self._folder, graph, settings, state, cuts)
        with self.noticing_deaths():
            group = self.group
        with share(group, self._folder, self.device, self.n_jobs) as own:
            yield DistributedTrainer(self, own, state)


class DistributedTrainer:
    """Has the methods of `Trainer`, and has all processes do what they say.

    Parameters
    ----------
    workers : TrainingWorkers
        The others.
    own : ShardTrainer
        The share of this process.
    state : State
        Where it begins.
    """

    def __init__(self, workers: TrainingWorkers, own: ShardTrainer, state: State) -> None:
        self._workers, self._own = workers, own
        self._checksum = state.edges
        self.history = History()

    @property
    def epoch(self) -> int:
        """Epochs done."""
        return self._own.epoch

    @property
    def progress(self) -> float:
        """Epochs done, with a fraction for the one under way."""
        return self._own.progress

    @property
    def loss(self) -> float:
        """Mean over the epoch under way, as this process sees it."""
        total, terms = self._own.loss_sums
        return float(total / terms) if terms else math.nan

    @property
    def temperature(self) -> float:
        """As it is now."""
        return self._own.temperature

    @property
    def done(self) -> bool:
        """Whether all epochs are."""
        return self.epoch >= self._own.settings.epochs

    def run(self, after_step: Callable[[], bool], after_epoch: Callable[[], object]) -> None:
        """Train until all epochs are done, or someone wants it to stop, which is asked after some steps each."""
        while not self.done:
            while self._own.chunk < self._own.chunks:
                with self._all(Command.TRAIN):
                    self._own.train_chunk()
                if after_step() and self._own.chunk < self._own.chunks:
                    self._note()
                    return
            self._note()
            with self._all(Command.NEXT_EPOCH):
                self._own.next_epoch()
            if after_epoch():
                return

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors as they are now, of unit length, shape (n, dim)."""
        with self._all(Command.VECTORS):
            return self._own.gather(self._own.vectors())  # type: ignore[return-value] # the first process has them

    def state(self) -> State:
        """Return all that is needed to resume from here."""
        own = self._own
        with self._all(Command.STATE):
            parameters, first, second = (np.asarray(table) for table in _tables(own))
        done = own.progress - own.epoch
        total = float(own.peers.size)
        return State(
            parameters=parameters,
            first=first,
            second=second,
            edges=self._checksum,
            step=own.adam.step,
            epoch=own.epoch,
            batch=round(done * own.single_steps),
            log_temperature=own.log_temperature,
            temperature_moments=np.array(own.moments),
            loss=own.loss_sums * (total if done else 0.0),
        )

    def _note(self) -> None:
        with self._all(Command.MEASURE):
            loss, recall = self._own.measure()
        for name, value in (
            ("epoch", self.progress),
            ("loss", loss),
            ("temperature", self.temperature),
            ("recall", recall),
        ):
            getattr(self.history, name).append(value)

    @contextmanager
    def _all(self, command: Command) -> Iterator[None]:
        """Do something in all processes."""
        with self._workers.noticing_deaths():
            self._workers.tell(command)
            yield


def serve(group: Group, folder: Path, device: Device, n_jobs: int) -> None:
    """Do what the first process says, until it says that this is the end."""
    with share(group, folder, device, n_jobs) as own:
        actions: dict[Command, Callable[[], object]] = {
            Command.TRAIN: own.train_chunk,
            Command.MEASURE: own.measure,
            Command.NEXT_EPOCH: own.next_epoch,
            Command.VECTORS: lambda: own.gather(own.vectors()),
            Command.STATE: lambda: _tables(own),
        }
        while True:
            command = Command(int(group.send(torch.zeros(1, dtype=torch.int64, device="cpu"))[0]))
            if command == Command.END:
                return
            actions[command]()


@contextmanager
def share(group: Group, folder: Path, device: Device, n_jobs: int) -> Iterator[ShardTrainer]:
    """Read this process's share of a training."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    with np.load(folder / f"{group.rank}.npz") as own:
        matrix = (own["data"], own["indices"], own["indptr"])
        rows = sp.csr_array(matrix, shape=(len(matrix[2]) - 1, plan["cuts"][-1]))
        tables = tuple(own[name] for name in TABLES)
    peers = Peers(group.rank, group.size, group.backends)
    with one_blas_thread(), ThreadTeam(n_jobs) as team, threads(n_jobs):
        trainer = ShardTrainer(
            peers,
            plan["cuts"],
            rows,
            Settings(**plan["settings"]),
            tables,
            mixing=plan["mixing"],
            log_temperature=plan["log_temperature"],
            team=team,
            device=device.place,
        )
        trainer.adam.step, trainer.epoch, trainer.moments = plan["step"], plan["epoch"], plan["moments"]
        trainer.chunk = min(int(plan["batch"] / trainer.single_steps * trainer.chunks), trainer.chunks - 1)
        trainer.loss_sums[:] = np.array(plan["loss"]) / group.size
        yield trainer


def _cut(graph: Graph, size: int) -> list[int]:
    """Cut the nodes into shares of about equal work, none of them empty."""
    n = graph.n_nodes
    work = graph.adjacency.indptr[1:] + _WORK_OF_A_NODE * np.arange(1, n + 1)
    cuts = np.searchsorted(work, work[-1] * np.arange(1, size) / size) + 1
    for k in range(size - 1):
        cuts[k] = min(max(cuts[k], cuts[k - 1] + 1 if k else 1), n - (size - 1 - k))
    return [0, *cuts.tolist(), n]


def _write_shares(folder: Path, graph: Graph, settings: Settings, state: State, cuts: list[int]) -> None:
    """Leave each process its rows of the matrix and of the tables."""
    A = graph.adjacency
    for rank in range(len(cuts) - 1):
        low, high = cuts[rank : rank + 2]
        begin, end = A.indptr[low], A.indptr[high]
        tables = {name: getattr(state, name)[low:high] for name in TABLES}
        arrays = {
            "indptr": A.indptr[low : high + 1] - begin,
            "indices": A.indices[begin:end],
            "data": A.data[begin:end],
        }
        np.savez(folder / f"{rank}.npz", **arrays, **tables)
    plan = {
        "cuts": cuts,
        "settings": asdict(settings),
        "mixing": settings.mixing(graph),
        "log_temperature": state.log_temperature,
        "moments": state.temperature_moments.tolist(),
        "loss": state.loss.tolist(),
        "step": state.step,
        "epoch": state.epoch,
        "batch": state.batch,
    }
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")


def _tables(own: ShardTrainer) -> list[NDArray[np.float32] | None]:
    return [own.gather(table) for table in (own.adam.table, own.adam.first, own.adam.second)]
