"""A process that computes a share of a layout; `graphne_viz.layout.engine.torch_engine.workers` starts it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.torch_engine.device import device_of_rank
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.ranks import Group, Shares, is_about_others
from graphne_viz.layout.engine.torch_engine.workers import LOST_OTHERS, Command

if TYPE_CHECKING:
    import torch

    from graphne_viz.layout.engine.torch_engine.device import Device
else:
    torch = lazy_import("torch")

_ENDING = 2.0
"""Seconds in which a process that was killed is gone, once its connections are broken."""


def serve(group: Group, folder: Path, device: Device, n_jobs: int) -> None:
    """Do what the first process says, until it says that this is the end."""
    parts: dict[int, TorchPart] = {}
    while True:
        message = group.send(torch.zeros(4, dtype=torch.float64, device=device.place)).tolist()
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
            rows = torch.zeros(3, int(first), dtype=torch.float64, device=device.place)
            held = (group.send(rows) if first else rows).cpu().numpy()
            part.hold(held[0].astype(np.intp), held[1:].T)


def _load(group: Group, folder: Path, number: int, device: Device, n_jobs: int) -> TorchPart:
    """Read this process's share of a connected graph."""
    with np.load(folder / f"{number}.npz") as known:
        start, rates, cuts, dof = known["start"], known["rates"], known["cuts"].tolist(), float(known["dof"])
    with np.load(folder / f"{number}-{group.rank}.npz") as own:
        shape = (own["indptr"].size - 1, len(start))
        rows = sp.csr_array((own["data"], own["indices"], own["indptr"]), shape=shape)
    return TorchPart(start, rows, dof, rates, device, Shares(group, cuts), n_jobs)


def _is_gone(caller: int) -> bool:
    """Tell whether the process that started this one has ended; its connections break a moment before it has."""
    end = time.monotonic() + _ENDING
    while os.getppid() == caller and time.monotonic() < end:
        time.sleep(0.01)
    return os.getppid() != caller


def main(folder: str, rank: str, size: str, device: str, n_jobs: str) -> None:
    """Join the group, serve, and leave it."""
    caller = os.getppid()
    mine = device_of_rank(device, int(rank))
    group = Group(Path(folder), int(rank), int(size), mine.place)
    try:
        serve(group, Path(folder), mine, int(n_jobs))
    except RuntimeError as error:
        if not is_about_others(error):
            raise
        if _is_gone(caller):  # it was killed, and cannot tidy up
            shutil.rmtree(folder, ignore_errors=True)
        sys.exit(LOST_OTHERS)
    finally:
        group.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
