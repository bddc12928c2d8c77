"""`graphne layout SHARDS`: a folder of shards becomes a table of positions, by one process or by several."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._keywords import defaults_of, select
from graphne_viz._lazy import lazy_import
from graphne_viz._version import __version__
from graphne_viz.cli.keyword_options import given_keywords
from graphne_viz.cli.shards.options import check_size, open_shards, refuse_devices
from graphne_viz.cli.shards.processes import run_together, started_by_torchrun
from graphne_viz.cli.terminal import say, wants_bar
from graphne_viz.layout.keywords import EngineKeywords, TaskKeywords
from graphne_viz.layout.options import Options, check_scale

if TYPE_CHECKING:
    from argparse import Namespace

    import tqdm
    from numpy.typing import NDArray

    from graphne_viz.graphs import graph as graphs
    from graphne_viz.graphs.shards import results
    from graphne_viz.graphs.shards.reader import Shards
    from graphne_viz.layout import placement
    from graphne_viz.layout import task as layout_task
    from graphne_viz.layout.engine.torch_engine.distributed import run as distributed_run
    from graphne_viz.layout.engine.torch_engine.world import World
else:
    tqdm = lazy_import("tqdm")
    graphs = lazy_import("graphne_viz.graphs.graph")
    results = lazy_import("graphne_viz.graphs.shards.results")
    placement = lazy_import("graphne_viz.layout.placement")
    layout_task = lazy_import("graphne_viz.layout.task")
    distributed_run = lazy_import("graphne_viz.layout.engine.torch_engine.distributed.run")

_ONLY_FOR_FILES = ("color", "size", "label", "like", "node_size")
"""Options that a folder of shards has no use for, beside those that say how a file is read."""


def lay_out_shards(options: Namespace) -> int:
    """Lay out a folder of shards."""
    keywords = given_keywords(options, TaskKeywords)
    engine = _engine(keywords)
    alone = not (started_by_torchrun() or options.checkpoint is not None)
    if alone and (engine["engine"] != "torch" or engine["devices"] > 1):
        return _lay_out_alone(options, keywords)
    return run_together(options, lambda world: _lay_out_together(world, options, keywords))


def _lay_out_alone(options: Namespace, keywords: dict[str, Any]) -> int:
    """Lay out with the whole graph in this process, by its fastest engine."""
    shards = open_shards(options, _ONLY_FOR_FILES)
    begun = time.perf_counter()
    n = shards.n_nodes
    graph = graphs.Graph(shards.rows(0, n), range(n))
    task = layout_task.Task(graph, **select(TaskKeywords, keywords))
    with _bar(options, sum(count for _, count, _ in task.options.phases)) as bar:
        outcome = task.run(lambda snapshot: _advance(bar, snapshot.iteration), 10)
    _write(options, shards, task.scaled(outcome.positions), task.options)
    _tell(options, shards, seconds=time.perf_counter() - begun, kl=outcome.kl)
    return 0


def _lay_out_together(world: World, options: Namespace, keywords: dict[str, Any]) -> int:
    """Lay out by processes each of which has the rows of its own nodes."""
    begun = time.perf_counter()
    shards = world.together(lambda: open_shards(options, _ONLY_FOR_FILES))
    world.agree(f"the run that prepared {options.file}", shards.manifest.run)
    settings = world.together(lambda: _options(world, shards, keywords))
    world.agree("what was asked for", settings.asked)
    if shards.n_nodes <= distributed_run.ALONE_UP_TO:
        # One process is faster, and makes room between the nodes of small graphs.
        return int(world.all_of(world.together(lambda: _lay_out_alone(options, keywords) if world.first else 0))[0])
    seed = world.all_of(_seed(keywords))[0]
    with _bar(options, sum(count for _, count, _ in settings.phases), shown=world.first) as bar:
        plan = distributed_run.Plan(
            seed=seed,
            start=keywords.get("initialization", "spectral"),
            checkpoint=options.checkpoint,
            every=options.checkpoint_every,
            about={"run": shards.manifest.run},
            report=lambda done, _: _advance(bar, done),
        )
        found = distributed_run.lay_out(world, shards, settings, plan)
    positions = placement.rescale(found.positions, keywords.get("scale", 1), np.zeros(2))
    world.together(lambda: _write(options, shards, positions, settings) if world.first else None)
    found.clear()
    if world.first:
        seconds = time.perf_counter() - begun
        _tell(options, shards, seconds=seconds, kl=found.kl, size=world.size, resumed=found.resumed)
    return 0


def _options(world: World, shards: Shards, keywords: dict[str, Any]) -> Options:
    check_size(shards.n_nodes, world.size)
    check_scale(keywords.get("scale"))
    engine = _engine(keywords)
    refuse_devices(engine["devices"])
    if engine["engine"] not in {"auto", "torch"}:
        raise ValueError(f"several processes and checkpoints need engine='torch' or 'auto', got {engine['engine']!r}")
    return Options.of(shards.n_nodes, select(EngineKeywords, {**engine, "engine": "torch"}))


def _engine(keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the engine's keywords, given or not."""
    return {**defaults_of(EngineKeywords), **select(EngineKeywords, keywords)}


def _seed(keywords: dict[str, Any]) -> int:
    seed = keywords.get("seed", 0)
    return int(np.random.default_rng().integers(2**31)) if seed is None else int(seed)


def _bar(options: Namespace, total: int, *, shown: bool = True) -> tqdm.tqdm[Any]:
    return tqdm.tqdm(total=total, unit="it", disable=not (shown and wants_bar(options)), file=sys.stderr)


def _advance(bar: tqdm.tqdm[Any], done: int) -> None:
    bar.update(done - bar.n)


def _write(options: Namespace, shards: Shards, positions: NDArray[np.float64], settings: Options) -> None:
    about = {"version": __version__, "run": shards.manifest.run, "options": settings.asked}
    places = {"x": positions[:, 0].astype(np.float32), "y": positions[:, 1].astype(np.float32)}
    results.write_results(options.output[0], shards, places, metadata={"graphne_layout": json.dumps(about)})


def _tell(options: Namespace, shards: Shards, *, seconds: float, kl: float, size: int = 1, resumed: int = 0) -> None:
    if options.quiet:
        return
    figures = [f"{shards.n_nodes:,} nodes", f"{shards.n_edges:,} edges"]
    if size > 1:
        figures.append(f"{size} processes")
    if resumed:
        figures.append(f"resumed at iteration {resumed}")
    say(f"{', '.join(figures)}, {seconds:.2f} s, KL {kl:.4f}: {options.output[0]}")
