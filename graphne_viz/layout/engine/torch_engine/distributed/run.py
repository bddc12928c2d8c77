"""A layout by several processes, from rows of the adjacency matrix to positions.

Every process runs this program. Nodes are divided among them; each has the rows of its own. Large connected parts are
shared by all, small ones are laid out whole, each by one process.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.components import place
from graphne_viz.layout.engine import run as engine_run
from graphne_viz.layout.engine.collapse import bearable, critical_from
from graphne_viz.layout.engine.parts.problems import EXACT_UP_TO
from graphne_viz.layout.engine.schedule import EARLY, LATE, stages
from graphne_viz.layout.engine.torch_engine.distributed import affinity, components, eigenvectors, exchange
from graphne_viz.layout.engine.torch_engine.distributed.checkpoint import Checkpoints
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.ranks import Shares
from graphne_viz.layout.initialization.initial_positions import from_eigenvectors, random
from graphne_viz.layout.packing import pack
from graphne_viz.layout.placement import separate_coincident
from graphne_viz.layout.small_graphs.leaves import surround

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import scipy.sparse as sp
    import torch
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz._types import Floats
    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.engine.schedule import Stage
    from graphne_viz.layout.engine.torch_engine.world import World
    from graphne_viz.layout.options import Options
else:
    torch = lazy_import("torch")

ALONE_UP_TO = EXACT_UP_TO
"""Nodes up to which a connected part is laid out by one process."""

_NO_MATTER = {"n_jobs", "device", "devices"}
"""Options that do not change a layout."""

PORTION = 10
"""Iterations between two looks at the clock."""


class Rows(Protocol):
    """A graph of which a process can have the rows it needs; `graphne_viz.graphs.shards.reader.Shards` is one."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""

    def cuts(self, size: int) -> list[int]:
        """Where to cut the nodes into shares of about equal work."""

    def rows(self, first: int, stop: int) -> sp.csr_array:
        """Rows of the adjacency matrix, shape (stop - first, n)."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is wanted of a layout beside its options.

    Attributes
    ----------
    seed : int
        For everything random; the same in every process.
    start : {"spectral", "random"}
        Initial positions.
    checkpoint : Path, optional
        Folder in which to keep where the layout stands, and from which to go on.
    every : float
        Seconds between two checkpoints.
    about : dict
        What the graph is, so that another one's checkpoint is refused.
    report : callable, optional
        Called with the iterations done and those there are, in the first process.
    """

    seed: int
    start: str = "spectral"
    checkpoint: Path | None = None
    every: float = 180.0
    about: dict[str, object] = field(default_factory=dict)
    report: Callable[[int, int], object] | None = None


@dataclass(frozen=True)
class Found:
    """A layout.

    Attributes
    ----------
    positions : ndarray of float64, shape (n, 2)
        As `graphne_viz.layout.engine.outcome.Outcome` has them.
    kl : float
        Mean over nodes of their parts' Kullback-Leibler divergence.
    iterations : int
        Iterations taken.
    resumed : int
        Those that had been taken by an earlier run.
    sent : dict of str to int
        Bytes of the results of all collectives, by kind.
    """

    positions: Floats
    kl: float
    iterations: int
    resumed: int
    sent: dict[str, int]
    _kept: Checkpoints | None = None

    def clear(self) -> None:
        """Remove the checkpoint, once the positions are where they are wanted."""
        if self._kept is not None:
            self._kept.clear()


def lay_out(world: World, graph: Rows, options: Options, plan: Plan) -> Found:
    """Lay out a graph of which no process has all edges.

    Parameters
    ----------
    world : World
        All processes, each of which calls this with the same arguments.
    graph : Rows
        The graph, of more nodes than there are processes.
    options : Options
        Settings.
    plan : Plan
        The rest.

    Returns
    -------
    Found
        The same in every process.
    """
    n = graph.n_nodes
    if world.size > n:
        raise ValueError(f"there are {n:,} nodes, which cannot be shared among {world.size:,} processes")
    run, hubs = _prepare(world, graph, options, plan)
    grouped, kl = run.optimise()
    parts = run.parts
    positions = grouped if parts.is_one else place(grouped, parts, *pack(parts.sizes))
    leaves = np.flatnonzero(hubs >= 0)
    positions = separate_coincident(surround(leaves, hubs[leaves], positions))
    return Found(positions, kl, run.done, run.resumed, dict(world.sent), run.kept)


def _prepare(world: World, graph: Rows, options: Options, plan: Plan) -> tuple[_Run, NDArray[np.int64]]:
    """Read own rows, find the parts and divide them; what was read is not held any longer than that."""
    n = graph.n_nodes
    cuts = graph.cuts(world.size)
    low, high = cuts[world.rank : world.rank + 2]
    rows = world.together(lambda: graph.rows(low, high))
    parts = components.split(world, rows, low)
    shares = Shares(world, cuts)
    lengths = affinity.join_column(shares, np.diff(rows.indptr).astype(np.int64), n)
    hubs = affinity.join_column(shares, _hubs(rows), n)
    P = world.together(lambda: affinity.affinities(shares, rows, options.normalization))
    P = affinity.sum_to_one(world, P, parts.labels[low:high], parts)
    run = _Run(world, options, plan, parts, lengths, cuts)
    run.take_small_parts(rows, low)
    run.take_shared_parts(P, low)
    return run, hubs


def _hubs(rows: sp.csr_array) -> NDArray[np.int64]:
    """Return the neighbour of each node that has only one; -1 for others, shape (m,)."""
    single = np.flatnonzero(np.diff(rows.indptr) == 1)
    found = np.full(rows.shape[0], -1, dtype=np.int64)
    found[single] = rows.indices[rows.indptr[single]]
    return found


class _Run:
    """The parts of a graph that a process has a share of, on their way."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        world: World,
        options: Options,
        plan: Plan,
        parts: Parts,
        lengths: NDArray[np.int64],
        cuts: list[int],
    ) -> None:
        self.world = world
        self.options = options
        self.plan = plan
        self.parts = parts
        self.lengths = lengths
        self.cuts = cuts
        self.alone = int(np.searchsorted(-parts.sizes, -max(ALONE_UP_TO, world.size), side="left"))
        """The first part that is not shared."""
        m = int(parts.offsets[-1])
        self.stages = stages(options, m, lengths.sum() / max(m, 1))
        self.total = sum(stage.iterations for stage in self.stages)
        self.done = self.resumed = 0
        self.shared: list[TorchPart] = []
        self.critical: float | None = None
        self.device = world.device(options.device)
        self.threads = max(options.threads // world.beside, 1)  # processes of one machine share its cores

    def take_small_parts(self, rows: sp.csr_array, low: int) -> None:
        """Get the weights of small parts that this process lays out, its own nodes first to last, shape (k, k)."""
        owner = self._owners()
        position = self.parts.position
        entries = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        of = self.parts.labels[low : low + rows.shape[0]][entries]
        chosen = of >= self.alone
        entries, columns, data = entries[chosen] + low, rows.indices[chosen], rows.data[chosen]
        sent = exchange.send_entries(
            self.world, owner[of[chosen] - self.alone], position[entries], position[columns], data.astype(np.float64)
        )
        nodes = self._small_nodes(owner)
        self.small = exchange.as_rows(
            np.searchsorted(nodes, sent[0]), np.searchsorted(nodes, sent[1]), sent[2], (nodes.size, nodes.size)
        )

    def _owners(self) -> NDArray[np.int64]:
        """Which process lays out each of the small parts, so that all have about as many nodes."""
        before = self.parts.offsets[self.alone : -1] - self.parts.offsets[self.alone]
        nodes = max(int(self.parts.offsets[-1] - self.parts.offsets[self.alone]), 1)
        return np.asarray(before * self.world.size // nodes)

    def _small_nodes(self, owner: NDArray[np.int64]) -> NDArray[np.int64]:
        """Nodes of this process's small parts, in the order by parts; that is one range."""
        own = np.flatnonzero(owner == self.world.rank) + self.alone
        if not own.size:
            return np.empty(0, dtype=np.int64)
        return np.arange(self.parts.offsets[own[0]], self.parts.offsets[own[-1] + 1])

    def take_shared_parts(self, P: sp.csr_array, low: int) -> None:
        """Divide every large part among all processes, and prepare it."""
        seeds = np.random.SeedSequence(self.plan.seed).spawn(2)
        begins, self._shaking = map(np.random.default_rng, seeds)
        self.kept = self._checkpoints()
        latest = None if self.kept is None else self.kept.latest()
        for part in range(self.alone):
            first, stop = self.parts.offsets[part : part + 2].tolist()
            nodes = self.parts.order[first:stop]
            cuts = exchange.cuts_by_work(self.world, self.lengths[nodes])
            block = self._block(P, low, part, cuts)
            n = stop - first
            start = np.zeros((n, 2)) if latest is not None else self._start(block, cuts, begins)
            rates = np.full(n, n, np.float32)
            shares = Shares(self.world, cuts)
            self.shared.append(TorchPart(start, block, self.options.dof, rates, self.device, shares, self.threads))
            if part == 0 and self.options.exaggeration > 1:
                values, _ = eigenvectors.leading(self.world, cuts, block, 2, np.random.default_rng(0))
                self.critical = critical_from(values)
        if latest is not None and self.kept is not None:
            folder, about = latest
            self._go_on(self.kept, folder, int(about["iteration"]))

    def _checkpoints(self) -> Checkpoints | None:
        if self.plan.checkpoint is None:
            return None
        asked = {name: value for name, value in self.options.asked.items() if name not in _NO_MATTER}
        about = {**self.plan.about, **asked, "seed": self.plan.seed, "initialization": self.plan.start}
        return Checkpoints(self.world, self.plan.checkpoint, about, self.plan.every)

    def _go_on(self, kept: Checkpoints, folder: Path, iteration: int) -> None:
        """Take up what an earlier run has left."""
        state = self._state()
        kept.load(folder, state)
        for number, part in enumerate(self.shared):
            own = {name: state[f"{number}/{name}"].to(self.device.place) for name in ("places", "speed", "gain")}
            part.restore(own, iteration)
        self.done = self.resumed = iteration

    def _state(self) -> dict[str, Tensor]:
        return {
            f"{number}/{name}": tensor.cpu()
            for number, part in enumerate(self.shared)
            for name, tensor in part.state().items()
        }

    def _block(self, P: sp.csr_array, low: int, part: int, cuts: list[int]) -> sp.csr_array:
        """Own rows of a part's affinities, numbered within the part, shape (m, n)."""
        first, stop = self.parts.offsets[part : part + 2].tolist()
        if cuts == self.cuts:
            return P  # all of a connected graph, divided as it was read
        rows = np.repeat(np.arange(low, low + P.shape[0]), np.diff(P.indptr))
        chosen = self.parts.labels[rows] == part
        position = self.parts.position
        rows, columns = position[rows[chosen]] - first, position[P.indices[chosen]] - first
        to = np.searchsorted(cuts, rows, side="right") - 1
        rows, columns, data = exchange.send_entries(self.world, to, rows, columns, P.data[chosen])
        begin, end = cuts[self.world.rank : self.world.rank + 2]
        return exchange.as_rows(rows - begin, columns, data, (end - begin, stop - first))

    def _start(self, block: sp.csr_array, cuts: list[int], rng: np.random.Generator) -> Floats:
        """Choose the initial positions of a part's nodes, the same in every process, shape (n, 2)."""
        n = int(block.shape[1])
        if self.plan.start == "random":
            return random(n, seed=rng)
        values, own = eigenvectors.leading(self.world, cuts, block, 2, rng)
        shares = Shares(self.world, cuts)
        vectors = np.column_stack([affinity.join_column(shares, column, n) for column in own.T])
        return from_eigenvectors(values, vectors, 2, rng)

    def optimise(self) -> tuple[Floats, float]:
        """Run both phases; positions of all nodes with neighbours, grouped by part, and their mean divergence."""
        if self.shared:
            self._optimise()
        m = int(self.parts.offsets[-1])
        grouped = np.zeros((m, 2))
        total = 0.0
        for (first, stop), part in zip(self._ranges(), self.shared, strict=True):
            part.write(grouped[first:stop])
            total += (stop - first) * part.divergence(grouped[first:stop])()
        begin = int(self.parts.offsets[self.alone])
        if begin < m:
            found = np.zeros((m - begin, 2), dtype=np.float32)
            sums = self.world.together(lambda: self._lay_out_small(found, begin))
            grouped[begin:] = self.world.total(found)
            total += float(self.world.total(np.array([sums]))[0])
            self.done = max(self.done, self.total)
        return grouped, total / m if m else math.nan

    def _ranges(self) -> list[tuple[int, int]]:
        """Where each shared part stands in the order by parts."""
        return list(pairwise(self.parts.offsets[: self.alone + 1].tolist()))

    def _lay_out_small(self, found: NDArray[np.float32], begin: int) -> float:
        """Lay out this process's small parts; fills its rows of ``found`` and returns the sum of its divergences."""
        if not self.small.shape[0]:
            return 0.0
        options = replace(self.options, engine="auto", device="auto", n_jobs=self.threads)
        outcome = engine_run.solve(self.small, options, start=self.plan.start, seed=self.plan.seed)
        nodes = self._small_nodes(self._owners()) - begin
        found[nodes] = outcome.own
        return outcome.kl * nodes.size

    def _optimise(self) -> None:
        """Run what is left of both phases."""
        end = 0
        shaken = self.done > sum(stage.iterations for stage in self.stages if stage.phase == EARLY)
        for stage in self.stages:
            if stage.phase == LATE and not shaken:
                self._shake()
                shaken = True
            end += stage.iterations
            if end > self.done:
                self._run_stage(stage, end)

    def _run_stage(self, stage: Stage, end: int) -> None:
        exaggeration = stage.exaggeration
        if self.options.exaggeration > 1 and self.critical is not None:
            exaggeration = bearable(exaggeration, self.critical)
        for part in self.shared:
            part.begin(exaggeration, stage.momentum)
        while self.done < end:
            count = min(PORTION - self.done % PORTION, end - self.done)
            for part in self.shared:
                part.iterate(count)
            self.done += count
            if self.plan.report is not None and self.world.first:
                self.plan.report(self.done, self.total)
            if self.kept is not None and self.kept.due():
                self.kept.save(self.done, self._state())

    def _shake(self) -> None:
        """Part what early exaggeration has put on one point."""
        if self.done:
            for part in self.shared:
                part.shake(self._shaking)
