"""Who looks at a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.layout.engine.pins import Pins
    from graphne_viz.layout.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True)
class Watch:
    """Someone who looks at a run, and may steer it.

    Attributes
    ----------
    see : callable, optional
        Called with a `Snapshot` every so many iterations; a truthy return value ends the run.
    every : int
        How many.
    steer : callable, optional
        Asked every so many iterations for the exaggeration of the late phase.
    pins : callable, optional
        Asked as often for the nodes that are held where somebody has put them; None for nobody.
    from_start : bool
        Whether the start is seen, too, as iteration 0.
    longest : float
        Seconds from one snapshot to the next, beyond which they come after fewer iterations than `every`.
    kl_every : int
        Of so many snapshots, `every` iterations apart, one has a KL divergence of its own, which costs whoever reads it
        a pass over the edges; the others repeat it.
    """

    see: Callable[[Snapshot], object] | None = None
    every: int = 10
    steer: Callable[[], float] | None = None
    pins: Callable[[], Pins | None] | None = None
    from_start: bool = False
    longest: float = math.inf
    kl_every: int = 1


UNSEEN = Watch()
"""Nobody looks."""
