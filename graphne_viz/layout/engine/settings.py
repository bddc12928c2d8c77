"""Numbers that all of our optimisers have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

_SMALL_CLIQUE = 150
"""Nodes up to which a clique is held at a size of its own."""

EARLY_FLOOR, LATE_FLOOR, CLIQUE_FLOOR = 1e-2, 0.5, 2.0
"""Root mean square radius below which a layout is blown up: under attraction, in plain t-SNE, for small cliques.

Far below 1 the forces are linear in the positions, so scaling changes nothing but keeps numbers away from underflow:
under early exaggeration a small or dense graph shrinks by orders of magnitude. In plain t-SNE a dense random graph has
a radius of about 0.6, but a clique shrinks to a point; held at a larger radius a small one spreads evenly instead,
where a large one would eject single nodes.
"""

GAIN_UP, GAIN_DOWN, MIN_GAIN = 0.2, 0.8, 0.01
"""What a node's gain rises by, what it falls to a share of, and what it then keeps at least."""

MAX_STEP = 5.0
"""Longest way of a node in one iteration."""

LEAST_Z = 1e-6
"""Least sum of similarities Z for each node.

Below it a sum in float32 is nothing but rounding, of either sign. Kernels of more than one degree of freedom have tails
so light that nodes of a small graph which are thrown apart no longer see each other, and Z would be 0.
"""

WATCH_ALWAYS_UP_TO = 10_000
"""Nodes up to which the spread of a layout is looked at in every iteration; beyond in every tenth."""

SHAKE = 0.05
"""Noise on the positions when early exaggeration ends, as a share of a part's spread.

Early exaggeration pulls nodes with like neighbourhoods, a hub's leaves for example, onto one point, in float32
exactly, from which no repulsion parts them. Shaken, they find places of their own: neighbour recall rises by up to two
points.
"""


def floors_at(exaggeration: float) -> tuple[float, float]:
    """Radius below which a layout is blown up, for graphs in general and for small cliques."""
    weak = max(exaggeration, 1.0) ** 2
    return max(EARLY_FLOOR, LATE_FLOOR / weak), max(EARLY_FLOOR, CLIQUE_FLOOR / weak)


def stable_at(exaggeration: float) -> float:
    """Bound on a step times a node's stiffness.

    Momentum of 0.8 is stable up to 3.6, more of it nearly up to 4; strong attraction, which has all nodes stiff at
    once, well below it. Beyond, nodes with like neighbours never come to rest.
    """
    return max(2.0, 3.0 / exaggeration)


def small_cliques(P: sp.csr_array, offsets: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which parts are cliques of at most `_SMALL_CLIQUE` nodes, shape (k,)."""
    sizes = np.diff(offsets)
    cliques: NDArray[np.bool_] = np.diff(P.indptr[offsets]) == sizes * (sizes - 1)
    return cliques & (sizes <= _SMALL_CLIQUE)
