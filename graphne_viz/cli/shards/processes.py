"""Commands that torchrun starts in several processes: they do the same together, and one of them speaks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import
from graphne_viz._version import package_version
from graphne_viz.cli.terminal import BAD_INPUT, say, sentence

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from graphne_viz.layout.engine.torch_engine import device as devices
    from graphne_viz.layout.engine.torch_engine import faults
    from graphne_viz.layout.engine.torch_engine import world as worlds
    from graphne_viz.layout.engine.torch_engine.world import World
else:
    devices = lazy_import("graphne_viz.layout.engine.torch_engine.device")
    faults = lazy_import("graphne_viz.layout.engine.torch_engine.faults")
    worlds = lazy_import("graphne_viz.layout.engine.torch_engine.world")


def started_by_torchrun() -> bool:
    """Whether this process is one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def run_together(options: Namespace, action: Callable[[World], int]) -> int:
    """Run a command in all processes; where something is wrong, one says so and all end.

    Parameters
    ----------
    options : Namespace
        Of the command; ``interface``, ``device`` and ``checkpoint`` are read.
    action : callable
        Called with the `World`; returns an exit code.
    """
    try:
        cuda = getattr(options, "device", "auto").partition(":")[0] in {"auto", "cuda"} and devices.cuda_found()
        world = worlds.World.join(cuda=cuda, interface=options.interface)
    except (ValueError, ImportError):
        if os.environ.get("RANK", "0") == "0":
            raise
        return BAD_INPUT
    try:
        with faults.ending_together(world):
            world.agree("the version of graphne_viz", package_version())
            code = action(world)
            world.together(lambda: None)  # nobody leaves while another may still need it
    except worlds.RankFailedError as error:
        if world.first:
            say(f"graphne: {sentence(error)}", to=sys.stderr)
        world.all_of(None)  # torchrun ends all others once one has left
        code = BAD_INPUT
    except ChildProcessError as error:
        if options.checkpoint is None:
            raise
        raise ChildProcessError(f"{error}; the same command goes on from {options.checkpoint}") from error
    world.leave()
    return code
