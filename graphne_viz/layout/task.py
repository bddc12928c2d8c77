"""A layout that has been asked for: checked, then run as often as one likes."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import scipy.sparse as sp

from graphne_viz._keywords import select, with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.engine.watch import Watch
from graphne_viz.layout.kept_map import (
    fills,
    has_most,
    hold_back,
    is_map,
    iterations,
    natural_scale,
    onto_map,
    turned_like,
)
from graphne_viz.layout.keywords import EngineKeywords, TaskKeywords
from graphne_viz.layout.options import MOST_SCALE, STARTS, Options, check_scale
from graphne_viz.layout.overlap import AUTOMATIC_UP_TO, NX_NODE_SIZE, make_room
from graphne_viz.layout.placement import given_positions, rescale, separate_coincident, which_fixed
from graphne_viz.layout.small_graphs.leaves import surround_hubs
from graphne_viz.layout.small_graphs.tidying import tidy_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout import fixed_nodes
    from graphne_viz.layout.engine import run as engine_run
    from graphne_viz.layout.engine.pins import Pins
    from graphne_viz.layout.initialization import initial_positions
    from graphne_viz.layout.snapshot import Snapshot
else:
    engine_run = lazy_import("graphne_viz.layout.engine.run")
    fixed_nodes = lazy_import("graphne_viz.layout.fixed_nodes")
    initial_positions = lazy_import("graphne_viz.layout.initialization.initial_positions")


class Task:
    """What `graphne_layout` is to compute; whatever cannot work is refused here.

    Parameters
    ----------
    graph : Graph
        The graph with n nodes.
    pos
        As for `graphne_layout`.
    neighbors : csr_array, shape (n, n), optional
        Symmetric weights of what attracts, in place of the graph's own edges.
    whole : bool
        Whether all nodes with neighbours are laid out as one, connected or not, so that only isolates are packed.
    keep : bool
        Whether `pos` is an earlier layout of the graph, which is to stay if it has most of the nodes. Otherwise that
        depends on whether it shows the graph.
    **keywords
        See `TaskKeywords`.

    Attributes
    ----------
    status_text : str
        How far a run is, in a few words, where iterations do not tell.
    kept : bool
        Whether it keeps an earlier layout, and lets it answer to what has changed in few iterations.
    """

    made_by: ClassVar[str] = "layout"
    """What kind of task it is, in a word for `provenance`."""

    steerable: ClassVar[bool] = True
    """Whether its exaggeration can be changed, and whether it can be started again."""

    @with_keywords(TaskKeywords)
    def __init__(
        self,
        graph: Graph,
        pos: Foreign = None,
        *,
        neighbors: sp.csr_array | None = None,
        whole: bool = False,
        keep: bool = False,
        **keywords: Unpack[TaskKeywords],
    ) -> None:
        self.graph = graph
        self.neighbors = graph.adjacency if neighbors is None else neighbors
        self.whole = whole
        self.status_text = ""
        degree = self.neighbors.nnz / max(graph.n_nodes, 1)
        self.options = Options.of(graph.n_nodes, select(EngineKeywords, keywords), degree)
        self.seed = keywords["seed"]
        self._center = _center(keywords["center"], keywords["dim"])
        self._scale = keywords["scale"]
        check_scale(self._scale)
        self._placed = given_positions(graph, pos)
        self._anchors = which_fixed(graph, keywords["fixed"], self._placed)
        if self._anchors is not None and self.options.engine == "opentsne":
            raise ValueError("engine='opentsne' cannot hold fixed nodes; use 'auto', 'exact', 'mesh' or 'torch'")
        self._start = _start(graph, keywords["initialization"])
        self.kept = (
            self.options.staged
            and self._placed is not None
            and self._anchors is None
            and (has_most(self._placed) if keep else is_map(self.neighbors, self._placed))
        )
        if self.kept:
            self.options = replace(self.options, early_exaggeration_iter=0, n_iter=iterations(graph.n_nodes))
        self._sized = keywords["node_size"] is not None
        self._node_size = _node_size(graph, keywords["node_size"], self.options)

    @property
    def visible_options(self) -> Options:
        """The options of what a watcher sees: around fixed nodes the early phase finds its size unseen."""
        return self.options if self._anchors is None else replace(self.options, early_exaggeration_iter=0)

    def prepare(self, tell: Callable[[str], object]) -> None:
        """Do what has to be done once before the first run, which does it otherwise; `tell` is told what that is."""

    def interrupt(self, *, close: bool) -> None:
        """Note that a run is to stop, or that nobody will look any more; its next snapshot is answered accordingly."""

    def run(
        self,
        watch: Callable[[Snapshot], object] | None = None,
        every: int = 10,
        *,
        steer: Callable[[], float] | None = None,
        pins: Callable[[], Pins | None] | None = None,
        from_start: bool = False,
        longest: float = math.inf,
        kl_every: int = 1,
        resume: Outcome | None = None,
    ) -> Outcome:
        """Compute the layout.

        Parameters
        ----------
        watch : callable, optional
            Called with a `Snapshot` every so many iterations; a truthy return value ends the run.
        every : int
            How many.
        steer : callable, optional
            Asked as often for the exaggeration of the late phase.
        pins : callable, optional
            Asked as often for nodes that are held where somebody has put them, in the units of the snapshots.
        from_start : bool
            Whether the start is seen, too, as iteration 0.
        longest : float
            Seconds from one snapshot to the next, beyond which they come after fewer iterations.
        kl_every : int
            Of so many snapshots one has a KL divergence of its own; the others repeat it.
        resume : Outcome, optional
            An earlier run to resume from, for as many iterations as the late phase has. Around fixed nodes every
            run starts again.

        Returns
        -------
        Outcome
            In the units of the snapshots; no two nodes stand on one point.
        """
        # The engine brings numba, which a program that lays out nothing need not import.

        graph = self.graph
        seen = Watch(
            see=watch,
            every=int(every),
            steer=steer,
            pins=pins,
            from_start=from_start,
            longest=longest,
            kl_every=kl_every,
        )
        if graph.n_nodes == 0 or (graph.n_nodes == 1 and self._anchors is None):
            return Outcome(np.zeros((graph.n_nodes, 2)), float("nan"), 0)
        if self._anchors is not None and self._placed is not None:
            around = fixed_nodes.solve_around_fixed(
                self.neighbors, self.options, self._placed, self._anchors, seed=self.seed, watch=seen
            )
            return replace(around, positions=self._with_room(around, around.positions))
        start = self._start
        if self._placed is not None and resume is None:
            start = self.placed_start
            resume = self.kept_start
        outcome = engine_run.solve(
            self.neighbors, self.options, start=start, seed=self.seed, whole=self.whole, watch=seen, resume=resume
        )
        apart = separate_coincident(surround_hubs(self.neighbors, outcome.positions))
        if outcome.pins is not None and outcome.pins.nodes.size:
            apart = outcome.pins.put(apart)
        return replace(outcome, positions=self._with_room(outcome, apart))

    @cached_property
    def placed_start(self) -> NDArray[np.float64]:
        """Where nodes begin, shape (n, 2): where the caller has put them, the others at their neighbours."""
        placed = np.full((self.graph.n_nodes, 2), np.nan) if self._placed is None else self._placed
        return initial_positions.fill_missing(self.neighbors, placed, seed=self.seed)

    @cached_property
    def kept_start(self) -> Outcome | None:
        """That of a layout which keeps an earlier map, in t-SNE's own units as well; None for any other."""
        return self._as_resumed(self.placed_start) if self.kept else None

    def _as_resumed(self, positions: NDArray[np.float64]) -> Outcome:
        """Bring an earlier layout of the graph to t-SNE's own units, as if it had been computed by a run."""
        P = affinities(self.neighbors, self.options.normalization)
        middle = positions - positions.mean(axis=0)
        scale = natural_scale(sp.csr_array(P / P.sum()), middle, self.options.exaggeration, self.options.dof)
        return Outcome(positions, math.nan, 0, middle * scale, self.options.exaggeration)

    def _with_room(self, outcome: Outcome, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Make a small layout even, and move nodes apart that would overlap, once something has been computed."""
        if not outcome.iterations or not np.any(self._node_size):
            return positions
        if outcome.pins is not None and outcome.pins.nodes.size:
            held = np.zeros(len(positions), dtype=bool) if self._anchors is None else self._anchors.copy()
            held[outcome.pins.nodes] = True
            return make_room(positions, self._node_size, held)
        if self._sized or self._anchors is not None:
            return make_room(positions, self._node_size, self._anchors)
        if self.kept and self._placed is not None:
            return tidy_up(self.neighbors, hold_back(self.neighbors, self._placed, positions), even=False)
        return tidy_up(self.neighbors, positions, even=outcome.exaggeration <= 1)

    def turned(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn a layout, which has no direction of its own, to lie as positions that were given to start from.

        Not where the caller said how long each phase is: then the run ends where it ends, as a live one does.
        """
        if self._placed is None or self._anchors is not None or self.kept or not self.options.staged:
            return positions
        return turned_like(self._placed, positions) if len(positions) else positions

    def scaled(self, positions: NDArray[np.floating]) -> NDArray[np.float64]:
        """Bring positions in the units of the snapshots to the scale and centre that were asked for, shape (n, 2)."""
        wide = np.array(positions, dtype=np.float64)
        if self._anchors is not None or not wide.size:
            return wide
        if self.kept and self._placed is not None and self._scale is not None:
            # Neither an outer node that went nor one that came is to move all others.
            within = onto_map(self._placed, wide) - self._center
            if fills(self._placed, self._scale, self._center):
                return np.asarray(within * min(self._scale / float(np.abs(within).max()), 1.0) + self._center)
        return rescale(wide, self._scale, self._center)

    def provenance(self) -> tuple[dict[str, object], list[str]]:
        """Return what makes the layout again.

        Returns
        -------
        parameters : dict
            Keywords of `graphne_layout` that the layout depends on, in plain values.
        caveats : list of str
            What they do not tell, one sentence each.
        """
        caveats = []
        parameters: dict[str, object] = {name: _plain(value) for name, value in self.options.asked.items()}
        del parameters["n_jobs"]  # any number of threads gives the same layout
        # Another device, which may not be there, or another number of them gives the same but for rounding.
        del parameters["device"], parameters["devices"]
        parameters |= {"seed": None, "node_size": None, "initialization": self._start, "scale": _plain(self._scale)}
        if self._sized and isinstance(self._node_size, float):
            parameters["node_size"] = self._node_size
        elif self._sized:
            caveats.append("nodes had sizes of their own")
        if isinstance(self.seed, (int, np.integer)):
            parameters["seed"] = int(self.seed)
        else:
            caveats.append("the seed was not a number, so it cannot be repeated")
        if not isinstance(self._start, str):
            parameters["initialization"] = STARTS[0]
            caveats.append("it started from an array of positions")
        if self._placed is not None:
            caveats.append("it started from positions that were given")
        if self._anchors is not None:
            caveats.append("some nodes were held fixed")
        if self._center.any():
            caveats.append(f"its centre is at {self._center[0]:g}, {self._center[1]:g}")
        return parameters, caveats


def _plain(value: object) -> object:
    """Return a number as one of Python's own; numpy's are none for JSON."""
    if isinstance(value, Integral):
        return int(value)
    return value if value is None or isinstance(value, str) else float(value)  # type: ignore[arg-type] # a number


def _center(center: ArrayLike | None, dim: int) -> NDArray[np.float64]:
    """Check the centre's length against the dimension, with networkx's own words."""
    if dim != 2:
        raise ValueError(f"dim must be 2, the only dimension graphne_layout draws in, got {dim!r}")
    if center is None:
        return np.zeros(2)
    middle = _numbers(center)
    if middle is not None and middle.shape != (2,):
        raise ValueError("length of center coordinates must match dimension of layout")
    if middle is None or not np.isfinite(middle).all():
        raise ValueError(f"center must be two finite numbers, got {center!r}")
    if np.abs(middle).max() > MOST_SCALE:
        raise ValueError(f"center must be within {MOST_SCALE:g} of the origin, got {center!r}")
    return middle


def _start(graph: Graph, initialization: str | ArrayLike) -> str | NDArray[np.float64]:
    """Check what the caller asked to start from."""
    if isinstance(initialization, str):
        if initialization not in STARTS:
            raise ValueError(f"initialization must be 'spectral', 'random' or an array, got {initialization!r}")
        return initialization
    start = None if initialization is None else _numbers(initialization)
    if start is None:
        raise TypeError(f"initialization must be 'spectral', 'random' or an array of numbers, got {initialization!r}")
    if start.shape != (graph.n_nodes, 2):
        raise ValueError(f"initialization must have shape ({graph.n_nodes}, 2), got {start.shape}")
    if not np.isfinite(start).all():
        raise ValueError("initialization must be finite, got NaN or infinity")
    return start


def _node_size(graph: Graph, node_size: ArrayLike | None, options: Options) -> float | NDArray[np.float64]:
    """Check the sizes that were given, or choose one."""
    if node_size is None:
        return NX_NODE_SIZE if options.staged and graph.n_nodes <= AUTOMATIC_UP_TO else 0.0
    sizes = None if isinstance(node_size, (bool, str)) else _numbers(node_size)
    if sizes is None:
        raise TypeError(f"node_size must be a number or an array of numbers, got {node_size!r}")
    if sizes.shape not in {(), (graph.n_nodes,)}:
        raise ValueError(f"node_size must be a number or have shape ({graph.n_nodes},), got shape {sizes.shape}")
    if not (np.isfinite(sizes).all() and (sizes >= 0).all()):
        raise ValueError(f"node_size must be finite and not negative, got {node_size!r}")
    return sizes if sizes.ndim else float(sizes)


def _numbers(values: ArrayLike) -> NDArray[np.float64] | None:
    """Copy what the caller gave into an array; None where it is not an array of numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
