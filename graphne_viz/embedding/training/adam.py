"""Adam for a table of which only some rows have a gradient."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from graphne_viz.embedding.training.settings import BETAS, EPSILON

if TYPE_CHECKING:
    from torch import Tensor


class RowAdam:
    """Moves the rows of a table, and touches no others: a batch costs what it holds, however large the table is.

    Parameters
    ----------
    table : Tensor, shape (n, d)
        Changed in place.
    first, second : Tensor, shape (n, d)
        Moments of the gradients; kept, and changed in place.
    step : int
        How many updates there have been.
    """

    def __init__(self, table: Tensor, first: Tensor, second: Tensor, step: int = 0) -> None:
        self.table, self.first, self.second = table, first, second
        self.step = step

    def update(self, rows: Tensor, values: Tensor, gradient: Tensor, rate: float) -> None:
        """Move some rows against their gradient.

        Parameters
        ----------
        rows : Tensor of int64, shape (m,)
            Each once.
        values, gradient : Tensor, shape (m, d)
            What the rows hold, and their gradient; both may be overwritten.
        rate : float
            Learning rate.
        """
        self.step += 1
        first = self.first[rows].lerp_(gradient, 1 - BETAS[0])
        second = self.second[rows].mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
        self.first[rows] = first
        self.second[rows] = second
        damping = math.sqrt(1 - BETAS[1] ** self.step)
        scale = torch.sqrt_(second).add_(EPSILON * damping)
        self.table[rows] = values.addcdiv_(first, scale, value=-rate * damping / (1 - BETAS[0] ** self.step))
