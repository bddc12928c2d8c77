"""A share of a training: all processes call the same methods in the same order.

Of a step's batches each process has its share. It fetches the vectors that they need, differentiates, and gives the
gradients back to the owners of the rows, who move them. Which rows are needed is told for many steps at once, so that
a step waits twice for others, and no more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.distributed.gradient import BatchGradients
from graphne_viz.embedding.distributed.local_edges import LocalEdges
from graphne_viz.embedding.distributed.mixing import SharedMixing
from graphne_viz.embedding.distributed.probe import SharedProbe
from graphne_viz.embedding.distributed.shared_table import Requests
from graphne_viz.embedding.training.adam import RowAdam
from graphne_viz.embedding.training.settings import BETAS

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz._threads import ThreadTeam
    from graphne_viz.embedding.distributed.peers import Peers
    from graphne_viz.embedding.training.settings import Settings

_CHUNK = 32
"""Most steps for which is told at once what they need."""


class ShardTrainer:
    """The share of one process.

    Parameters
    ----------
    peers : Peers
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    settings : Settings
    tables : sequence of three ndarray of float32, shape (m, d)
        Own rows of the vectors and of Adam's moments; kept, and changed in place.
    mixing : float
        Weight of the mean of the neighbours in a vector; see `Mixing`.
    log_temperature : float
    team : ThreadTeam
    device : torch.device
    """

    def __init__(
        self,
        peers: Peers,
        cuts: list[int],
        rows: sp.csr_array,
        settings: Settings,
        tables: tuple[NDArray[np.float32], ...],
        *,
        mixing: float,
        log_temperature: float,
        team: ThreadTeam,
        device: torch.device,
    ) -> None:
        self.peers, self.cuts, self.settings = peers, cuts, settings
        defaults = settings.defaults
        self._edges = LocalEdges(peers, cuts, rows, balanced=defaults.balanced, region=settings.region)
        self._mixing = SharedMixing(peers, cuts, rows, mixing)
        self._probe = SharedProbe(peers, cuts, rows, settings.seed)
        self._batches = max(round(settings.batches_per_step(cuts[-1]) / peers.size), 1)
        own_share = settings.own_share(cuts[-1])
        # A step that is a little longer than others may have one batch more.
        self._gradients = BatchGradients(settings, own_share, self._batches + 1, team, device)
        table, first, second = (torch.from_numpy(table).to(device) for table in tables)
        self.adam = RowAdam(table, first, second)
        self.log_temperature = log_temperature
        self.moments = [0.0, 0.0]
        self.loss_sums = np.zeros(2)
        self.epoch = self.chunk = 0
        self._drawn: tuple[int, list[NDArray[np.int64]]] | None = None

    @property
    def steps(self) -> int:
        """Number of steps in an epoch."""
        return -(-self._edges.total // (self.settings.batch_size * self._batches * self.peers.size))

    @property
    def single_steps(self) -> int:
        """Number of steps that one process alone would have, in which a state counts."""
        return -(-self._edges.total // (self.settings.batch_size * self.settings.batches_per_step(self.cuts[-1])))

    @property
    def chunks(self) -> int:
        """Number of chunks in an epoch."""
        return -(-self.steps // _CHUNK)

    @property
    def progress(self) -> float:
        """Epochs done, with a fraction for the one under way."""
        return self.epoch + self.chunk / self.chunks

    @property
    def temperature(self) -> float:
        """As it is now."""
        return math.exp(self.log_temperature)

    @property
    def bytes(self) -> int:
        """Bytes of the tables and of the edges that this process holds."""
        tables = (self.adam.table, self.adam.first, self.adam.second)
        return sum(table.nbytes for table in tables) + self._edges.bytes

    def train_chunk(self) -> None:
        """Take the steps of the next chunk."""
        number, rank = self.chunk, self.peers.rank
        drawn = self._chunks_of_epoch()[number]
        rng = np.random.default_rng([self.settings.seed, self.epoch, number, rank, self.peers.size])
        count = len(np.array_split(np.arange(self.steps), self.chunks)[number])
        steps = self._edges.steps(drawn, count, self.settings.batch_size, rng)
        needs = [np.unique(step) for step in steps]
        requests = Requests(self.peers, self.cuts, needs)
        totals = self.peers.add(torch.from_numpy(np.array([float(len(step)) for step in steps]))).tolist()
        for k, (step, need) in enumerate(zip(steps, needs, strict=True)):
            rate = self.settings.rate(self.epoch + (number + k / count) / self.chunks)
            self._take(requests, k, np.searchsorted(need, step), totals[k], rate)
        self.chunk += 1

    def _chunks_of_epoch(self) -> list[NDArray[np.int64]]:
        if self._drawn is None or self._drawn[0] != self.epoch:
            self._drawn = self.epoch, self._edges.chunks(self.settings.seed, self.epoch, self.chunks)
        return self._drawn[1]

    def _take(self, requests: Requests, k: int, pairs: NDArray[np.int64], total: float, rate: float) -> None:
        """Take a step."""
        adam = self.adam
        values = requests.fetch(k, adam.table)
        batches = np.array_split(pairs, max(-(-len(pairs) // self.settings.batch_size), 1)) if len(pairs) else []
        found = self._gradients.sums(values, batches, self.temperature)
        rows, gradient = requests.give_back(k, found.gradient.div_(total))
        adam.update(rows, adam.table[rows], gradient, rate)
        self.loss_sums += [found.loss, len(pairs)]
        if self.settings.learned:
            slope = float(self.peers.add(torch.from_numpy(np.array([found.slope / total])))[0])
            self._learn_temperature(slope, rate)

    def _learn_temperature(self, slope: float, rate: float) -> None:
        """Take a step of Adam in the logarithm, the same in every process."""
        step = self.adam.step
        first, second = self.moments
        first += (1 - BETAS[0]) * (slope - first)
        second += (1 - BETAS[1]) * (slope * slope - second)
        self.moments = [first, second]
        direction = first / (1 - BETAS[0] ** step) / (math.sqrt(second / (1 - BETAS[1] ** step)) + 1e-12)
        share = rate / self.settings.learning_rate
        self.log_temperature -= self.settings.defaults.temperature_rate * share * direction

    def measure(self) -> tuple[float, float]:
        """Return the mean loss of the epoch so far, and the recall."""
        total, terms = self.peers.add(torch.from_numpy(self.loss_sums.copy())).tolist()
        return total / terms if terms else math.nan, self._probe.recall(self.vectors())

    def next_epoch(self) -> None:
        """Begin the next epoch."""
        self.epoch, self.chunk = self.epoch + 1, 0
        self.loss_sums[:] = 0

    def vectors(self) -> Tensor:
        """Return the own vectors as they are now, of unit length, shape (m, d)."""
        return self._mixing.mix(torch.nn.functional.normalize(self.adam.table, dim=1))

    def gather(self, table: Tensor) -> NDArray[np.float32] | None:
        """Put the rows of all processes together in the first one; None in the others."""
        sizes = np.diff(self.cuts).tolist()
        sent = [len(table), *[0] * (self.peers.size - 1)]
        first = self.peers.rank == 0
        found = self.peers.exchange(table, sent, sizes if first else [0] * self.peers.size)
        return found.cpu().numpy().copy() if first else None
