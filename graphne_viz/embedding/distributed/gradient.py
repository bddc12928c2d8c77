"""The gradient of some batches by the rows they need, wherever these came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from graphne_viz.embedding.training import batch_kernels
from graphne_viz.embedding.training.compiled_step import LARGEST_BATCH
from graphne_viz.embedding.training.infonce import info_nce
from graphne_viz.layout.engine.torch_engine.device import runs_loops

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz._threads import ThreadTeam
    from graphne_viz.embedding.training.settings import Settings


class Sums(NamedTuple):
    """Of one step, over the batches of one process.

    Attributes
    ----------
    gradient : Tensor, shape (m, d)
        Of the sum of the losses of all pairs.
    loss, slope : float
        Sum over pairs of the loss, and of its slope by the logarithm of the temperature.
    """

    gradient: Tensor
    loss: float
    slope: float


class BatchGradients:
    """Differentiates batches, by compiled loops where `Trainer` does so, otherwise by torch.

    Parameters
    ----------
    settings : Settings
    own_share : float
        As for `info_nce`.
    batches : int
        Most batches in a step.
    team : ThreadTeam
        Threads that share the batches.
    device : torch.device
    """

    def __init__(
        self, settings: Settings, own_share: float, batches: int, team: ThreadTeam, device: torch.device
    ) -> None:
        self._settings = settings
        self._own_share = own_share
        self._team = team
        self._compiled = runs_loops(device) and settings.negatives == "batch" and settings.batch_size <= LARGEST_BATCH
        if self._compiled:
            most, dim = 2 * settings.batch_size, settings.dim
            self._places = np.zeros((batches, batches * most), np.int32)
            self._stamps = np.zeros((batches, batches * most), np.int64)
            self._nodes = np.empty((batches, most), np.int64)
            self._counts, self._tops = np.empty((2, batches, most), np.float32)
            self._units, self._gradients = np.empty((2, batches, most, dim), np.float32)
            self._rooms = np.empty((batches, most * most), np.float32)
            self._stamp = 0

    def sums(self, rows: Tensor, batches: list[NDArray[np.int64]], temperature: float) -> Sums:
        """Add up over batches.

        Parameters
        ----------
        rows : Tensor, shape (m, d)
            Vectors of any length but zero.
        batches : list of ndarray of int64, shape (b, 2)
            Places within `rows`.
        temperature : float
        """
        return (self._by_loops if self._compiled else self._by_torch)(rows, batches, temperature)

    def _by_loops(self, rows: Tensor, batches: list[NDArray[np.int64]], temperature: float) -> Sums:
        table = rows.numpy()
        self._stamp += 1
        sums = np.zeros((len(batches), 2))
        sizes = np.zeros(len(batches), np.int64)
        numbers = (1 / temperature, self._own_share, self._settings.against or 0)
        inverse, share, stands_for = (np.float32(number) for number in numbers)

        def differentiate(k: int) -> None:
            nodes, counts, places = self._nodes[k], self._counts[k], self._places[k]
            m = batch_kernels.number_nodes(batches[k], places, self._stamps[k], self._stamp, nodes, counts)
            sizes[k] = m
            sums[k] = batch_kernels.batch_gradient(
                table,
                batches[k],
                nodes[:m],
                counts[:m],
                places,
                inverse,
                share,
                stands_for,
                self._units[k, :m],
                self._rooms[k, : m * m],
                self._tops[k, :m],
                self._gradients[k, :m],
            )

        self._team.run(differentiate, len(batches))
        gradient = torch.zeros_like(rows)
        for k, m in enumerate(sizes):
            gradient.index_add_(0, torch.from_numpy(self._nodes[k, :m]), torch.from_numpy(self._gradients[k, :m]))
        # The loops differentiate by unit vectors, and leave what lies along them in.
        square = (rows * rows).sum(dim=1, keepdim=True)
        gradient -= rows * ((rows * gradient).sum(dim=1, keepdim=True) / square)
        gradient /= 2 * temperature * square.sqrt()
        loss, slope = sums.sum(axis=0) / 2
        return Sums(gradient, float(loss), float(slope))

    def _by_torch(self, rows: Tensor, batches: list[NDArray[np.int64]], temperature: float) -> Sums:
        gradient = torch.zeros_like(rows)
        loss = slope = 0.0
        for batch in batches:
            nodes, pairs = torch.unique(torch.from_numpy(batch).to(rows.device), return_inverse=True)
            found = info_nce(
                rows[nodes],
                pairs,
                temperature,
                copies=self._settings.negatives == "copies",
                own_share=self._own_share,
                against=self._settings.against,
                slope=self._settings.learned,
            )
            gradient.index_add_(0, nodes, found.gradient, alpha=len(batch))
            loss += float(found.value) * len(batch)
            slope += float(found.slope) * len(batch)
        return Sums(gradient, loss, slope)
