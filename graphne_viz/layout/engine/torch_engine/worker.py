"""A process that computes a share of a layout; `graphne_viz.layout.engine.torch_engine.workers` starts it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.processes import run_worker
from graphne_viz.layout.engine.torch_engine.ranks import Shares
from graphne_viz.layout.engine.torch_engine.workers import Command

if TYPE_CHECKING:
    from pathlib import Path

    import torch

    from graphne_viz.layout.engine.torch_engine.device import Device
    from graphne_viz.layout.engine.torch_engine.ranks import Group
else:
    torch = lazy_import("torch")


def serve(group: Group, folder: Path, device: Device, n_jobs: int) -> None:
    """Do what the first process says, until it says that this is the end."""
    parts: dict[int, TorchPart] = {}
    while True:
        message = group.send(torch.zeros(4, dtype=torch.float64, device="cpu")).tolist()
        command, number, (first, second) = Command(int(message[0])), int(message[1]), message[2:]
        if command == Command.END:
            return
        if command == Command.LOAD:
            parts[number] = _load(group, folder, number, device, n_jobs)
            continue
        part = parts[number]
        if command == Command.BEGIN:
            part.begin(first, second)
        elif command == Command.ITERATE:
            part.iterate(int(first))
        elif command == Command.DIVERGENCE:
            positions = np.empty((part.places.shape[1], 2))
            part.write(positions)
            part.divergence(positions)
        elif command == Command.PLACES:
            part.places = group.send(torch.empty_like(part.places))
        elif command == Command.SHRINK:
            part.shrink(first)
        elif command == Command.HOLD:
            rows = torch.zeros(3, int(first), dtype=torch.float64, device="cpu")
            held = (group.send(rows) if first else rows).numpy()
            part.hold(held[0].astype(np.intp), held[1:].T)


def _load(group: Group, folder: Path, number: int, device: Device, n_jobs: int) -> TorchPart:
    """Read this process's share of a connected graph."""
    with np.load(folder / f"{number}.npz") as known:
        start, rates, cuts, dof = known["start"], known["rates"], known["cuts"].tolist(), float(known["dof"])
    with np.load(folder / f"{number}-{group.rank}.npz") as own:
        shape = (own["indptr"].size - 1, len(start))
        rows = sp.csr_array((own["data"], own["indices"], own["indptr"]), shape=shape)
    return TorchPart(start, rows, dof, rates, device, Shares(group, cuts), n_jobs)


if __name__ == "__main__":
    run_worker(sys.argv[1:], serve)
