"""How a run goes: how many iterations, with how much attraction and how much momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from graphne_viz.layout.options import Options

EARLY, LATE = "early exaggeration", "optimization"
"""Names of the two phases that callbacks are told."""


class Lengths(TypedDict):
    """The keywords that say how long a run is."""

    n_iter: int
    early_exaggeration: float
    early_exaggeration_iter: int


OPENTSNE: Lengths = {"n_iter": 500, "early_exaggeration": 12.0, "early_exaggeration_iter": 250}
"""openTSNE's, for those who say one of them."""

MOMENTUM = 0.8
"""openTSNE's, in both phases."""

TINY, SMALL, MIDDLING, LARGE, HUGE = 128, 1000, 5000, 50_000, 300_000
"""Nodes. Up to the first few iterations are enough; up to the second more cost nothing; beyond the third layouts are so
wide that they take more; beyond the fourth stronger attraction gains nothing, and an iteration takes long; beyond the
last a layout is far from converged in as many iterations as one waits for."""

_FALLING = ((10, None), (1, 4.0), (1, 2.0))
"""Shares of the early phase and their exaggeration: from one step to the other the middle scales are ordered.

Without the steps a layout that is let go expands before they are: neighbours are found, but classes are torn apart.
"""

_EARLY_EXAGGERATION, _EARLY_EXAGGERATION_SPARSE = 12.0, 20.0
"""The first of them. Stronger attraction brings sparse graphs of some thousand nodes into an order that shows more of
their distances; dense ones, whose start has that order already, lose some of it, and so do large but not huge ones."""

_EARLY_MOMENTUM, _LATE_MOMENTUM, _LATE_MOMENTUM_LARGE_DENSE = 0.9, 0.95, 0.97
"""More than openTSNE's: with one gain per node it does not tear the layout along the axes. With the last, layouts
would expand before their middle scales are ordered; but large dense graphs, which are ordered by then and have a long
way to go, reach a lower KL divergence in fewer iterations."""

_DENSE = 20
"""Mean degree from which a graph counts as dense."""

_STRONG = 6.0
"""Exaggeration beyond which more momentum than openTSNE's keeps fewer neighbours, not more."""

_SETTLING, _SETTLING_HUGE = 25, 120
"""Last iterations, with openTSNE's momentum, in which nodes that swing come to rest. Huge layouts would expand to the
end otherwise: more neighbours are found, but classes come apart."""


@dataclass(frozen=True)
class Stage:
    """Iterations that are taken alike.

    Attributes
    ----------
    phase : str
        `EARLY` or `LATE`.
    iterations : int
        How many.
    exaggeration : float
        Factor on the attraction.
    momentum : float
        Share of its speed that a node keeps from one iteration to the next.
    """

    phase: str
    iterations: int
    exaggeration: float
    momentum: float


def choose_lengths(n_nodes: int, degree: float = 0) -> Lengths:
    """Choose how long a run is by the size of a graph and its mean degree."""
    if _is_large_and_dense(n_nodes, degree):
        early, late = 80, 130
    else:
        early = 80 if n_nodes <= TINY else 120 if n_nodes <= LARGE else 96
        late = 110 if n_nodes <= TINY else 130 if SMALL < n_nodes <= MIDDLING else 180
        late = late if n_nodes <= LARGE else 154 if n_nodes <= HUGE else 174
    return {"n_iter": late, "early_exaggeration": _EARLY_EXAGGERATION, "early_exaggeration_iter": early}


def stages(options: Options, n_nodes: int = 0, degree: float = 0) -> tuple[Stage, ...]:
    """Choose the stages of a run, for a graph with so many nodes and a mean degree."""
    if not options.staged:
        return tuple(Stage(phase, n_iter, exaggeration, MOMENTUM) for phase, n_iter, exaggeration in options.phases)
    target = float(options.exaggeration)
    early, late = int(options.early_exaggeration_iter), int(options.n_iter)
    huge = n_nodes > HUGE and degree < _DENSE
    sparse = huge or (SMALL < n_nodes <= LARGE and degree < _DENSE)
    first = _EARLY_EXAGGERATION_SPARSE if sparse else _EARLY_EXAGGERATION
    whole = sum(share for share, _ in _FALLING)
    found, done = [], 0
    for share, exaggeration in _FALLING:
        end = done + share
        count = early * end // whole - early * done // whole
        found.append(Stage(EARLY, count, max(exaggeration or first, target), _EARLY_MOMENTUM))
        done = end
    # What goes on from an earlier layout is to stay near it.
    settling = min(_SETTLING_HUGE, 7 * late // 10) if huge else min(_SETTLING, late // 3)
    settling = settling if early else late
    momentum = _LATE_MOMENTUM_LARGE_DENSE if _is_large_and_dense(n_nodes, degree) else _LATE_MOMENTUM
    momentum = steady(momentum, target, n_nodes)
    found.append(Stage(LATE, late - settling, target, momentum))
    found.append(Stage(LATE, settling, target, MOMENTUM))
    return tuple(found)


def steady(momentum: float, exaggeration: float, n_nodes: int) -> float:
    """Return openTSNE's momentum where attraction is strong, or a graph is small; otherwise the one that is given.

    With more, nodes that are drawn to each other swing, and whole clusters drift far away.
    """
    strong = _STRONG if n_nodes > SMALL else 1.0
    return min(momentum, MOMENTUM) if exaggeration > strong else momentum


def _is_large_and_dense(n_nodes: int, degree: float) -> bool:
    return n_nodes > LARGE and degree >= _DENSE
