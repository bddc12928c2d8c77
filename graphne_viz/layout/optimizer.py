"""Gradient descent in openTSNE's sockets, with the gradient and the step compiled.

`Gradient` fits openTSNE's ``negative_gradient_method`` and `Descent` its ``optimizer``; they take the steps that
openTSNE's own take, on float32 copies and without touching P.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from openTSNE.tsne import OptimizationInterrupt, gradient_descent

from graphne_viz.layout import kernels
from graphne_viz.layout.state import Edges, OnePart, SmallParts

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.repulsion import Repulsion
    from graphne_viz.layout.team import Team

EARLY_FLOOR, LATE_FLOOR, CLIQUE_FLOOR = 1e-2, 0.5, 2.0
"""Root mean square radius below which a layout is blown up: under attraction, in plain t-SNE, for small cliques.

Far below 1 the forces are linear in the positions, so scaling changes nothing but keeps numbers away from underflow:
under early exaggeration a small or dense graph shrinks by orders of magnitude. In plain t-SNE a dense random graph has
a radius of about 0.6, but a clique shrinks to a point; held at a larger radius a small one spreads evenly instead,
where a large one would eject single nodes.
"""

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

    Momentum of 0.8 is stable up to 3.6. Plain t-SNE converges best a little above that, and strong attraction, which
    has all nodes stiff at once, well below it.
    """
    return max(2.0, 4.0 / exaggeration)


class Gradient:
    """The t-SNE gradient of a connected graph, as openTSNE wants it for ``negative_gradient_method``.

    Parameters
    ----------
    repulsion : Exact or Mesh
        Engine for the repulsive half.
    team : Team
        Threads to compute with.
    """

    def __init__(self, repulsion: Repulsion, team: Team) -> None:
        self.repulsion = repulsion
        self.team = team

    def __call__(
        self,
        embedding: NDArray[np.float64],
        P: sp.csr_matrix,
        dof: float,
        **options: Any,  # noqa: ANN401 - openTSNE hands over settings of its own engines
    ) -> tuple[float, NDArray[np.float64]]:
        """Return the KL divergence (NaN unless asked for) and the gradient, shape (n, 2)."""
        edges = Edges.of(P)
        x, y = np.ascontiguousarray(np.asarray(embedding).T, dtype=np.float32)
        pull = np.empty((3, x.size), np.float32)
        kernels.attract(0, x.size, *edges.csr, x, y, np.float32(dof), *pull)
        self.repulsion.deposit(x, y)
        z = self.repulsion.collect(self.team)
        push = np.stack([self.repulsion.push_x, self.repulsion.push_y]) / np.float32(z)
        kl = math.nan
        if options.get("should_eval_error"):
            kl = float(edges.divergences(x, y, np.float32(dof), self.team).sum() + P.sum() * math.log(z))
        return kl, (pull[:2] - push).T.astype(np.float64)


class Descent(gradient_descent):  # type: ignore[misc] # openTSNE publishes no types
    """openTSNE's gradient descent, compiled.

    One instance serves one embedding: speeds and gains stay with it from one ``optimize()`` to the next.

    Parameters
    ----------
    team : Team
        Threads to compute with.
    repulsion : Exact or Mesh, optional
        Engine, for a connected graph.
    offsets : ndarray of int64, shape (k + 1,), optional
        Where each part begins, for a graph in many small parts.
    shares : ndarray of float32, shape (n,), optional
        Factors on the learning rate; 0 holds a node where it is.
    """

    def __init__(
        self,
        team: Team,
        *,
        repulsion: Repulsion | None = None,
        offsets: NDArray[np.int64] | None = None,
        shares: NDArray[np.float32] | None = None,
    ) -> None:
        super().__init__()
        self.team = team
        self.repulsion = repulsion
        self.offsets = offsets
        self.shares = shares
        self.measures = True
        self._state: OnePart | SmallParts | None = None

    def shake(self, seed: np.random.Generator) -> None:
        """Displace all free nodes a little; nothing before the first ``optimize()``."""
        if self._state is not None:
            self._state.shake(seed.normal(0, SHAKE, (self._state.moving.shape[1], 2)))

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor; nothing before the first ``optimize()``."""
        if self._state is not None:
            self._state.shrink(factor)

    def __call__(  # noqa: PLR0917 - openTSNE's signature
        self,
        embedding: NDArray[np.float64],
        P: sp.csr_matrix,
        n_iter: int,
        learning_rate: float,
        momentum: float = 0.8,
        exaggeration: float | None = None,
        dof: float = 1,
        use_callbacks: bool = False,  # noqa: FBT001, FBT002 - openTSNE's signature
        callbacks: Any = None,  # noqa: ANN401 - openTSNE's signature
        callbacks_every_iters: int = 50,
        **_: Any,  # noqa: ANN401 - settings of openTSNE's own engines
    ) -> tuple[float, NDArray[np.float64]]:
        """Take ``n_iter`` steps on ``embedding`` in place; callbacks see the positions after so many steps."""
        held = self.shares is not None and not self.shares.all()
        if self._state is None and self.offsets is not None:
            self._state = SmallParts(embedding, P, self.team, dof, self.offsets, held=held)
        elif self._state is None:
            assert self.repulsion is not None, "Descent needs an engine or offsets"  # noqa: S101
            self._state = OnePart(embedding, P, self.team, dof, self.repulsion, held=held)
        state = self._state
        rate = np.float32(learning_rate) * (np.float32(1) if self.shares is None else self.shares)
        attraction = exaggeration or 1
        state.begin(rate, attraction, momentum, stable=stable_at(attraction), floors=floors_at(attraction))
        every = callbacks_every_iters if use_callbacks else max(n_iter, 1)
        kl = math.nan
        for done in range(0, max(n_iter, 1), every):
            state.iterate(min(every, n_iter - done))
            kl = state.divergence() if self.measures else math.nan
            state.write(embedding)
            if use_callbacks and done + every <= n_iter:
                answers = [callback(done + every, kl, embedding) for callback in callbacks]
                if any(answers):
                    raise OptimizationInterrupt(error=kl, final_embedding=embedding)
        return kl, embedding
