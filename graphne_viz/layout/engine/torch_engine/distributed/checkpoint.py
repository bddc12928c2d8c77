"""Where a layout by several processes stands, kept on disk every few minutes, so that another run goes on from there.

A folder holds the latest one, ``iteration-00000120`` for example, which has this name only when it is complete. The
tensors are kept by `torch.distributed.checkpoint`; they are those of all nodes, so that any number of processes can
read them.
"""

from __future__ import annotations

import json
import shutil
import time
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import
from graphne_viz._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import torch
    from torch import Tensor
    from torch.distributed import checkpoint as torch_checkpoint

    from graphne_viz.layout.engine.torch_engine.world import World
else:
    torch = lazy_import("torch")
    torch_checkpoint = lazy_import("torch.distributed.checkpoint")

FORMAT = 1
_ABOUT = "about.json"
_NAME = "iteration-"
_UNFINISHED = ".unfinished"


class Checkpoints:
    """The checkpoints of one layout.

    Parameters
    ----------
    world : World
        All processes, which see the same folder.
    folder : Path
        Made if it is not there.
    about : dict
        What the layout is of and how it is computed, in plain values; another one's checkpoint is refused.
    every : float
        Seconds between two.
    """

    def __init__(self, world: World, folder: Path, about: dict[str, Any], every: float) -> None:
        self._world = world
        self._folder = folder
        self._about = {"format": FORMAT, "version": __version__, **about}
        self._every = every
        self._last = time.monotonic()
        if world.first:
            folder.mkdir(parents=True, exist_ok=True)

    def due(self) -> bool:
        """Whether it is time for the next one, by the clock of the first process."""
        late = torch.tensor([time.monotonic() - self._last >= self._every])
        return bool(self._world.send(late.to(torch.uint8))[0])

    def save(self, iteration: int, state: dict[str, Tensor]) -> None:
        """Keep where the layout stands, and remove what was kept before."""
        unfinished = self._folder / _UNFINISHED
        if self._world.first:
            shutil.rmtree(unfinished, ignore_errors=True)
        self._world.together(lambda: None)
        whole = {name: tensor.cpu() for name, tensor in state.items()}
        untyped: Any = torch_checkpoint  # it does not declare what it exports
        with _quietly():
            untyped.save(whole, checkpoint_id=unfinished, no_dist=self._world.size == 1)
        self._world.together(lambda: self._finish(iteration, unfinished))
        self._last = time.monotonic()

    def _finish(self, iteration: int, unfinished: Path) -> None:
        """Give a complete one its name; done by one process."""
        if not self._world.first:
            return
        text = json.dumps({**self._about, "iteration": iteration})
        (unfinished / _ABOUT).write_text(text, encoding="utf-8")
        older = self._found()
        final = self._folder / f"{_NAME}{iteration:08}"
        if final in older:
            return
        unfinished.replace(final)
        for folder in older:
            shutil.rmtree(folder, ignore_errors=True)

    def _found(self) -> list[Path]:
        return sorted(path for path in self._folder.glob(f"{_NAME}*") if (path / _ABOUT).is_file())

    def latest(self) -> tuple[Path, int] | None:
        """Find the latest one and its iteration, the same in every process.

        Raises
        ------
        RankFailedError or ValueError
            If it is another layout's.
        """
        return self._world.all_of(self._world.together(self._look))[0]  # type: ignore[no-any-return] # of our own

    def _look(self) -> tuple[Path, int] | None:
        found = self._found() if self._world.first else []
        if not found:
            return None
        about = json.loads((found[-1] / _ABOUT).read_text(encoding="utf-8"))
        for name, value in self._about.items():
            if about.get(name) != value:
                raise ValueError(
                    f"the checkpoint {found[-1]} is of another layout: its {name} is {about.get(name)!r}, "
                    f"not {value!r}; name another folder"
                )
        return found[-1], int(about["iteration"])

    def load(self, folder: Path, state: dict[str, Tensor]) -> None:
        """Fill tensors with what was kept."""
        untyped: Any = torch_checkpoint
        with _quietly():
            untyped.load(state, checkpoint_id=folder, no_dist=self._world.size == 1)

    def clear(self) -> None:
        """Remove what was kept, once the layout is complete."""
        if self._world.first:
            for folder in (*self._found(), self._folder / _UNFINISHED):
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _quietly() -> Iterator[None]:
    """Leave out torch's remark that one process is one process."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "torch.distributed is disabled", UserWarning)
        yield
