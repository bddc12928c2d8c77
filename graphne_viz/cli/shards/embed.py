"""`graphne embed SHARDS`: a folder of shards becomes a table of vectors, by processes that torchrun started."""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from graphne_viz._keywords import defaults_of
from graphne_viz._lazy import lazy_import
from graphne_viz._version import __version__
from graphne_viz.cli.keyword_options import given_keywords
from graphne_viz.cli.shards.options import check_size, open_shards, refuse_devices
from graphne_viz.cli.shards.processes import run_together
from graphne_viz.cli.terminal import say, wants_bar
from graphne_viz.embedding.keywords import SettingsKeywords

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping

    import numpy as np
    import tqdm
    from numpy.typing import NDArray

    from graphne_viz.embedding.distributed import run as distributed_run
    from graphne_viz.embedding.distributed.run import Trained
    from graphne_viz.embedding.training import settings as training_settings
    from graphne_viz.embedding.training import start as starts
    from graphne_viz.embedding.training.settings import Settings
    from graphne_viz.graphs.shards import results
    from graphne_viz.graphs.shards.reader import Shards
    from graphne_viz.layout.engine.torch_engine.world import World
else:
    tqdm = lazy_import("tqdm")
    distributed_run = lazy_import("graphne_viz.embedding.distributed.run")
    results = lazy_import("graphne_viz.graphs.shards.results")
    starts = lazy_import("graphne_viz.embedding.training.start")
    training_settings = lazy_import("graphne_viz.embedding.training.settings")

_BAR = "{l_bar}{bar}| epoch {n:.1f}/{total_fmt} [{elapsed}<{remaining}{postfix}]"


@dataclass(frozen=True)
class _Counts:
    """What of shards the settings depend on."""

    n_nodes: int
    n_pairs: int
    degrees: NDArray[np.int64]


def embed_shards(options: Namespace) -> int:
    """Embed a folder of shards by all processes, or by one that keeps checkpoints."""
    keywords = {"dim": None, "seed": 0, **defaults_of(SettingsKeywords)}
    keywords |= given_keywords(options, SettingsKeywords, also=("dim", "seed"))
    return run_together(options, lambda world: _embed_together(world, options, keywords))


def _embed_together(world: World, options: Namespace, keywords: dict[str, Any]) -> int:
    begun = time.perf_counter()
    shards = world.together(lambda: open_shards(options, ("start",)))
    world.agree(f"the run that prepared {options.file}", shards.manifest.run)
    device, devices = keywords.pop("device"), keywords.pop("devices")
    settings, mixing = world.together(lambda: _settle(world, shards, keywords, devices))
    world.agree("what was asked for", asdict(settings))
    with _bar(options, settings, shown=world.first) as bar:

        def report(done: float, loss: float, recall: float) -> None:
            if math.isfinite(loss):
                bar.set_postfix({"loss": f"{loss:.3f}", "recall": f"{recall:.3f}"}, refresh=False)
            bar.update(done - bar.n)

        plan = distributed_run.Plan(
            mixing=mixing,
            device=device,
            checkpoint=options.checkpoint,
            every=options.checkpoint_every,
            about={"run": shards.manifest.run},
            report=report,
        )
        trained = distributed_run.train(world, shards, settings, plan)
    world.together(lambda: _write(world, options, shards, trained, settings))
    trained.clear()
    if world.first and not options.quiet:
        _tell(world, options, shards, trained, time.perf_counter() - begun)
    return 0


def _settle(world: World, shards: Shards, keywords: dict[str, Any], devices: int) -> tuple[Settings, float]:
    """Check what was asked for; the settings, and the weight of the mean of a node's neighbours in its vector."""
    check_size(shards.n_nodes, world.size)
    refuse_devices(devices)
    counts = _Counts(shards.n_nodes, shards.n_edges, shards.degrees())
    settings = training_settings.settle(counts, **keywords)
    starts.read_start(settings.initialization, shards.n_nodes, settings.dim)
    return settings, settings.mixing(counts)


def _write(world: World, options: Namespace, shards: Shards, trained: Trained, settings: Settings) -> None:
    """Have the first process write what the others send it, some nodes at a time."""
    left = results.blocks(shards)

    def columns(*block: int) -> Mapping[str, NDArray[np.float32]]:
        next(left)
        found = trained.collect(*block)
        assert found is not None  # noqa: S101 - this is the first process
        return {f"x{axis}": column for axis, column in enumerate(found.T)}

    about = {"version": __version__, "run": shards.manifest.run, "settings": asdict(settings)}
    try:
        if world.first:
            metadata = {"graphne_embedding": json.dumps(about)}
            results.write_results(options.output[0], shards, columns, metadata=metadata)
    except (OSError, ValueError):
        _send_rest(trained, left)  # the others do not know yet
        raise
    if not world.first:
        _send_rest(trained, left)


def _send_rest(trained: Trained, left: Iterable[tuple[int, int]]) -> None:
    for block in left:
        trained.collect(*block)


def _bar(options: Namespace, settings: Settings, *, shown: bool) -> tqdm.tqdm[Any]:
    shown = shown and wants_bar(options)
    return tqdm.tqdm(total=settings.epochs, bar_format=_BAR, disable=not shown, file=sys.stderr)


def _tell(world: World, options: Namespace, shards: Shards, trained: Trained, seconds: float) -> None:
    figures = [f"{shards.n_nodes:,} nodes", f"{shards.n_edges:,} edges"]
    if world.size > 1:
        figures.append(f"{world.size} processes")
    if trained.resumed:
        figures.append(f"resumed at epoch {trained.resumed:.1f}")
    figures.append(f"{seconds:.1f} s")
    figures += [f"{name} {value:.2f}" for name, value in (("loss", trained.loss), ("recall", trained.recall))]
    say(f"{', '.join(figures)}: {options.output[0]}")
