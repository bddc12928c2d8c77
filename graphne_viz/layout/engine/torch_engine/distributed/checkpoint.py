"""Where a layout or a training by several processes stands, kept on disk, so that another run goes on from there.

A folder holds the latest one, ``iteration-00000120`` for example, which has this name only when it is complete. The
tensors are kept by `torch.distributed.checkpoint`, under names that do not depend on who has them, so that any number
of processes can read them.
"""

from __future__ import annotations

import json
import shutil
import time
import warnings
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import
from graphne_viz._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import torch
    from torch import Tensor
    from torch.distributed import checkpoint as torch_checkpoint
    from torch.distributed.checkpoint import api as checkpoint_api

    from graphne_viz.layout.engine.torch_engine.world import World
else:
    torch = lazy_import("torch")
    torch_checkpoint = lazy_import("torch.distributed.checkpoint")
    checkpoint_api = lazy_import("torch.distributed.checkpoint.api")

FORMAT = 1
_ABOUT = "about.json"
_UNFINISHED = ".unfinished"


class Checkpoints:
    """The checkpoints of one computation.

    Parameters
    ----------
    world : World
        All processes, which see the same folder.
    folder : Path
        Made if it is not there.
    about : dict
        What is computed and how, in plain values; the checkpoint of something else is refused.
    every : float
        Seconds between two.
    what : str
        What it is, for messages.
    unit : str
        What it counts in.
    """

    def __init__(  # noqa: PLR0917 - the two words are for messages and names
        self,
        world: World,
        folder: Path,
        about: dict[str, Any],
        every: float,
        what: str = "layout",
        unit: str = "iteration",
    ) -> None:
        self._world = world
        self._folder = folder
        self._about = {"format": FORMAT, "version": __version__, **about}
        self._every = every
        self._what, self._unit = what, unit
        self._last = time.monotonic()
        world.together(lambda: folder.mkdir(parents=True, exist_ok=True) if world.first else None)

    def due(self) -> bool:
        """Whether it is time for the next one, by the clock of the first process."""
        late = torch.tensor([time.monotonic() - self._last >= self._every], device="cpu")
        return bool(self._world.send(late.to(torch.uint8))[0])

    def save(self, count: int, state: dict[str, Tensor], also: dict[str, Any] | None = None) -> None:
        """Keep where it stands, and remove what was kept before.

        Parameters
        ----------
        count : int
            Iterations, or whatever it counts in.
        state : dict of str to Tensor
            What several processes have under one name is the same in all of them, and kept once.
        also : dict, optional
            More plain values to be noted.
        """
        unfinished = self._folder / _UNFINISHED
        if self._world.first:
            shutil.rmtree(unfinished, ignore_errors=True)
        self._world.together(lambda: None)
        whole = {name: tensor.cpu() for name, tensor in state.items()}
        untyped: Any = torch_checkpoint  # it does not declare what it exports
        no_dist = self._world.size == 1
        self._world.together(
            lambda: _by_torch(
                lambda: untyped.save(whole, checkpoint_id=unfinished, no_dist=no_dist), "no checkpoint could be written"
            )
        )
        self._world.together(lambda: self._finish(count, unfinished, also or {}))
        self._last = time.monotonic()

    def _finish(self, count: int, unfinished: Path, also: dict[str, Any]) -> None:
        """Give a complete one its name; done by one process."""
        if not self._world.first:
            return
        text = json.dumps({**self._about, **also, self._unit: count})
        (unfinished / _ABOUT).write_text(text, encoding="utf-8")
        older = self._found()
        final = self._folder / f"{self._unit}-{count:08}"
        if final in older:
            return
        unfinished.replace(final)
        for folder in older:
            shutil.rmtree(folder, ignore_errors=True)

    def _found(self) -> list[Path]:
        return sorted(path for path in self._folder.glob(f"{self._unit}-*") if (path / _ABOUT).is_file())

    def latest(self) -> tuple[Path, dict[str, Any]] | None:
        """Find the latest one and what was noted with it, the same in every process.

        Raises
        ------
        RankFailedError or ValueError
            If it is that of something else.
        """
        return self._world.all_of(self._world.together(self._look))[0]  # type: ignore[no-any-return] # of our own

    def _look(self) -> tuple[Path, dict[str, Any]] | None:
        found = self._found() if self._world.first else []
        if not found:
            return None
        about = json.loads((found[-1] / _ABOUT).read_text(encoding="utf-8"))
        for name, value in self._about.items():
            if about.get(name) != value:
                raise ValueError(
                    f"the checkpoint {found[-1]} is of another {self._what}: its {name} is {about.get(name)!r}, "
                    f"not {value!r}; name another folder"
                )
        return found[-1], about

    def load(self, folder: Path, state: dict[str, Tensor]) -> None:
        """Fill tensors with what was kept.

        Raises
        ------
        RankFailedError or ValueError
            If it cannot be read.
        """
        untyped: Any = torch_checkpoint
        no_dist = self._world.size == 1
        self._world.together(
            lambda: _by_torch(
                lambda: untyped.load(state, checkpoint_id=folder, no_dist=no_dist),
                f"the checkpoint {folder} cannot be read; remove it to begin anew",
            )
        )

    def clear(self) -> None:
        """Remove what was kept, once all is complete."""
        if self._world.first:
            for folder in (*self._found(), self._folder / _UNFINISHED):
                shutil.rmtree(folder, ignore_errors=True)


def _by_torch(action: Callable[[], object], failed: str) -> None:
    """Save or load, and say in one sentence why it failed, which every process learns from torch.

    Torch wraps what went wrong in any of them into something that is no Exception, with tracebacks for its text.
    """
    try:
        with warnings.catch_warnings():
            # That one process is one process.
            warnings.filterwarnings("ignore", "torch.distributed is disabled", UserWarning)
            action()
    except checkpoint_api.CheckpointException as error:
        reasons = [reason for reason, _ in error.failures.values()]
        for reason in reasons:
            if not isinstance(reason, Exception):
                raise reason from None  # Ctrl-C, or the wish of torchrun that this process ends
        said = " ".join(str(reasons[0]).split()) or type(reasons[0]).__name__
        raise ValueError(f"{failed} ({said})") from None
