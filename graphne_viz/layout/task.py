"""A layout that has been asked for: checked, then run as often as one likes."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from graphne_viz.layout.options import STARTS, Options, positive
from graphne_viz.layout.placement import given_positions, part_twins, rescale, which_fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    import scipy.sparse as sp
    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.initialization import Seed
    from graphne_viz.layout.run import Outcome
    from graphne_viz.layout.snapshot import Snapshot


class Task:
    """What `graphne_layout` is to compute; whatever cannot work is refused here.

    Parameters
    ----------
    graph : Graph
        The graph with n nodes.
    pos, fixed, scale, center, dim, seed, initialization
        As for `graphne_layout`.
    neighbors : csr_array, shape (n, n), optional
        Symmetric weights of what attracts, in place of the graph's own edges.
    whole : bool
        Whether all nodes with neighbours are laid out as one, connected or not, so that only isolates are packed.
    **settings
        The fields of `Options`.

    Attributes
    ----------
    news : str
        How far a run is, in a few words, where iterations do not tell.
    """

    made_by: ClassVar[str] = "layout"
    """What kind of task it is, in a word for `account`."""

    def __init__(
        self,
        graph: Graph,
        pos: Any = None,  # noqa: ANN401 - a dict, a Layout or an array
        *,
        fixed: Iterable[Hashable] | None = None,
        scale: float | None = 1,
        center: ArrayLike | None = None,
        dim: int = 2,
        seed: Seed = 0,
        initialization: str | ArrayLike = "spectral",
        neighbors: sp.csr_array | None = None,
        whole: bool = False,
        **settings: Any,  # noqa: ANN401 - Options checks them
    ) -> None:
        self.graph = graph
        self.neighbors = graph.adjacency if neighbors is None else neighbors
        self.whole = whole
        self.news = ""
        self.options = Options(**settings)
        self.seed = seed
        self._center = _center(center, dim)
        if scale is not None:
            positive("scale", scale)
        self._scale = scale
        self._placed = given_positions(graph, pos)
        self._anchors = which_fixed(graph, fixed, self._placed)
        if self._anchors is not None and self.options.engine == "opentsne":
            raise ValueError("engine='opentsne' cannot hold fixed nodes; use 'auto', 'exact' or 'mesh'")
        self._start = _start(graph, initialization)

    @property
    def shown(self) -> Options:
        """The options of what a watcher sees: around fixed nodes the early phase finds its size unseen."""
        return self.options if self._anchors is None else replace(self.options, early_exaggeration_iter=0)

    def run(
        self,
        watch: Callable[[Snapshot], object] | None = None,
        every: int = 10,
        *,
        steer: Callable[[], float] | None = None,
        from_start: bool = False,
        longest: float = math.inf,
        kl_every: int = 1,
        resume: Outcome | None = None,
    ) -> Outcome:
        """Compute the layout.

        Parameters
        ----------
        watch : callable, optional
            Called with a `Snapshot` every so many iterations; a truthy answer ends the run.
        every : int
            How many.
        steer : callable, optional
            Asked as often for the exaggeration of the late phase.
        from_start : bool
            Whether the start is seen, too, as iteration 0.
        longest : float
            Seconds from one snapshot to the next, beyond which they come after fewer iterations.
        kl_every : int
            Of so many snapshots one has a KL divergence of its own; the others repeat it.
        resume : Outcome, optional
            An earlier run to go on from, for as many iterations as the late phase has. Around fixed nodes every
            run begins anew.

        Returns
        -------
        Outcome
            In the units of the snapshots; no two nodes stand on one point.
        """
        # The engine brings numba and openTSNE, which a program that lays out nothing need not import.
        from graphne_viz.layout.anchored import solve_anchored  # noqa: PLC0415
        from graphne_viz.layout.run import Outcome, Watch, solve  # noqa: PLC0415

        graph = self.graph
        seen = Watch(
            see=watch, every=int(every), steer=steer, from_start=from_start, longest=longest, kl_every=kl_every
        )
        if graph.n_nodes == 0 or (graph.n_nodes == 1 and self._anchors is None):
            return Outcome(np.zeros((graph.n_nodes, 2)), float("nan"), 0)
        if self._anchors is not None and self._placed is not None:
            return solve_anchored(self.neighbors, self.options, self._placed, self._anchors, seed=self.seed, watch=seen)
        start = self._start
        if self._placed is not None and resume is None:
            from graphne_viz.layout.initialization import fill_missing  # noqa: PLC0415

            start = fill_missing(self.neighbors, self._placed, seed=self.seed)
        outcome = solve(
            self.neighbors, self.options, start=start, seed=self.seed, whole=self.whole, watch=seen, resume=resume
        )
        return replace(outcome, positions=part_twins(outcome.positions))

    def scaled(self, positions: NDArray[np.floating]) -> NDArray[np.float64]:
        """Bring positions in the units of the snapshots to the scale and centre that were asked for, shape (n, 2)."""
        wide = np.array(positions, dtype=np.float64)
        if self._anchors is not None or not wide.size:
            return wide
        return rescale(wide, self._scale, self._center)

    def account(self) -> tuple[dict[str, object], list[str]]:
        """Tell what was asked for, so that it can be asked for again.

        Returns
        -------
        parameters : dict
            Keywords of `graphne_layout` that the layout depends on, in plain values.
        beyond : list of str
            What they do not say, one sentence each.
        """
        beyond = []
        parameters: dict[str, object] = {name: _plain(value) for name, value in asdict(self.options).items()}
        del parameters["n_jobs"]  # any number of threads gives the same layout
        parameters |= {"seed": None, "initialization": self._start, "scale": _plain(self._scale)}
        if isinstance(self.seed, (int, np.integer)):
            parameters["seed"] = int(self.seed)
        else:
            beyond.append("the seed was not a number, so that it cannot be had again")
        if not isinstance(self._start, str):
            parameters["initialization"] = STARTS[0]
            beyond.append("it started from an array of positions")
        if self._placed is not None:
            beyond.append("it started from positions that were given")
        if self._anchors is not None:
            beyond.append("some nodes were held fixed")
        if self._center.any():
            beyond.append(f"its centre is at {self._center[0]:g}, {self._center[1]:g}")
        return parameters, beyond


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


def _numbers(values: ArrayLike) -> NDArray[np.float64] | None:
    """Copy what the caller gave into an array; None where it is no array of numbers."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
