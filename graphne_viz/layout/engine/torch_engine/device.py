"""The device that torch computes on, and all that depends on which one it is; nothing else asks for its type."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.mesh.plan import MeshCosts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch
    from torch import distributed
else:
    torch = lazy_import("torch", needs="engine='torch' needs torch: pip install 'graphne-viz[embed]'")
    distributed = lazy_import("torch.distributed")

CUDA_FROM = 50_000
"""Nodes from which ``engine="auto"`` gives a connected part to CUDA, where there is one."""

_DRIVERS = ("nvidia-smi", "rocm-smi")
"""Programs that come with the drivers which torch calls CUDA."""

_WIDTHS = ((0.2, 0.0), (0.25, 0.04), (0.3, 0.15), (0.4, 0.5), (0.5, 5.0), (0.75, 100.0))
"""Mesh widths without close pairs, and the density from which each leaves a force error below 3 %."""

_SPLIT = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
"""Mesh widths with close pairs, all with a force error below 2 %."""


@dataclass(frozen=True)
class Device:
    """A device, and how to treat it.

    Attributes
    ----------
    place : torch.device
        Where tensors are.
    sums : torch.dtype
        Of sums over all nodes: float64 where the device has it.
    charges : torch.dtype
        Of charges on the mesh: int64 where the device can add them up.
    at_once : int
        Numbers in a temporary array: on a CPU as many as its caches hold, elsewhere as many as keep it busy.
    costs : MeshCosts
        By which the mesh is chosen.
    nccl : bool
        Whether NCCL puts together what several processes have: each has a CUDA device of its own.
    """

    place: torch.device
    sums: torch.dtype
    charges: torch.dtype
    at_once: int
    costs: MeshCosts
    nccl: bool = False


def find_device(name: str) -> Device:
    """Find a device by its name, or the best one there is for ``"auto"``.

    Raises
    ------
    ModuleNotFoundError
        If torch is not installed; says which extra has it.
    ValueError
        If torch does not find the device.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        place = torch.device(name)
        torch.zeros(1, device=place).cpu()  # "meta" has tensors, but nothing in them
    except (RuntimeError, AssertionError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(f"device must be 'auto' or one that torch finds here, got {name!r} ({said})") from None
    return _treat(place)


def device_of_rank(name: str, rank: int, size: int) -> Device:
    """Find the device of one of several processes: of those with CUDA each takes another one.

    Parameters
    ----------
    name : str
        As for `find_device`. A number, as in "cuda:0", gives all processes of a machine the same device.
    rank : int
        Number of the process among those of this machine.
    size : int
        How many these are.
    """
    device = find_device(name)
    if device.place.type != "cuda":
        return device
    numbered = name not in {"auto", "cuda"}
    count = 1 if numbered else torch.cuda.device_count()
    own = device if numbered else find_device(f"cuda:{rank % count}")
    # NCCL does not let two processes share a device.
    return replace(own, nccl=count >= size and distributed.is_available() and distributed.is_nccl_available())


def backend_of(place: torch.device) -> str | None:
    """Name the backend of torch.distributed for tensors of a device; None where they have to be copied to a CPU."""
    if place.type == "cpu":
        return "gloo"
    return "nccl" if place.type == "cuda" else None


def runs_loops(place: torch.device) -> bool:
    """Whether compiled loops can reach the tensors of a device."""
    return place.type == "cpu"


def cuda_found() -> bool:
    """Whether there is CUDA; torch, which takes a second to import, is asked only where there is a driver."""
    driver = any(shutil.which(program) for program in _DRIVERS)
    return driver and find_spec("torch") is not None and torch.cuda.is_available()


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let torch compute with so many threads on a CPU, and then with as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _treat(place: torch.device) -> Device:
    """Say how to treat a device."""
    if place.type == "cpu":
        costs = MeshCosts(fft=0.5, cell=10.0, pair=10.0, looking=50, split_widths=_SPLIT, whole_widths=_WIDTHS)
        return Device(place, torch.float64, torch.int64, 1 << 16, costs)
    # Not measured: for a device with much bandwidth, where a transform costs little beside sums over pairs.
    costs = MeshCosts(fft=0.01, cell=0.1, pair=0.2, looking=50, split_widths=_SPLIT, whole_widths=_WIDTHS)
    if place.type == "mps":
        return Device(place, torch.float32, torch.float32, 1 << 23, costs)
    return Device(place, torch.float64, torch.int64, 1 << 23, costs)
