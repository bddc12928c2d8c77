"""The tables of a training in its checkpoints: in pieces, so that processes that share it differently can read them.

Every process keeps its own rows, cut into pieces that are named by their first node. Who goes on with other shares
reads the pieces that have rows of its own: what it holds beside these is two pieces at most.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch

from graphne_viz.embedding.training.state import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz.layout.engine.torch_engine.distributed.checkpoint import Checkpoints

PIECE = 1 << 16
"""Rows of a piece: 32 MB in 128 dimensions."""


def pieces(cuts: list[int]) -> Iterator[tuple[int, int]]:
    """Cut the shares of processes into pieces: the first node of each, and one past its last."""
    for low, high in pairwise(cuts):
        for first in range(low, high, PIECE):
            yield first, min(first + PIECE, high)


def to_keep(tables: Sequence[Tensor], low: int) -> dict[str, Tensor]:
    """Name the pieces of own rows; `low` is the first node of this process."""
    high = low + len(tables[0])
    return {
        f"{name}/{first}": table[first - low : stop - low]
        for name, table in zip(TABLES, tables, strict=True)
        for first, stop in pieces([low, high])
    }


def read_back(
    kept: Checkpoints, folder: Path, before: list[int], own: tuple[int, int], dim: int
) -> tuple[NDArray[np.float32], ...]:
    """Read own rows of all tables.

    Parameters
    ----------
    kept : Checkpoints
    folder : Path
        Of the checkpoint.
    before : list of int
        Where the nodes of each process began when it was written, and how many there are.
    own : tuple of int
        First node of this process, and one past its last.
    dim : int
        Length of a row.

    Returns
    -------
    tuple of three ndarray of float32, shape (m, dim)
    """
    low, high = own
    tables = tuple(np.empty((high - low, dim), np.float32) for _ in TABLES)
    state: dict[str, Tensor] = {}
    across: list[tuple[NDArray[np.float32], str, int, int]] = []
    for first, stop in pieces(before):
        if stop <= low or first >= high:
            continue
        for name, table in zip(TABLES, tables, strict=True):
            key = f"{name}/{first}"
            if low <= first and stop <= high:
                state[key] = torch.from_numpy(table[first - low : stop - low])
            else:
                state[key] = torch.empty(stop - first, dim, device="cpu")
                across.append((table, key, first, stop))
    kept.load(folder, state)
    for table, key, first, stop in across:
        some = slice(max(first, low), min(stop, high))
        table[some.start - low : some.stop - low] = state[key][some.start - first : some.stop - first].numpy()
    return tables
