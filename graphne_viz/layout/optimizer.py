"""Gradient descent in openTSNE's socket, with the gradient and the step compiled.

`Gradient` fits openTSNE's ``negative_gradient_method`` and `Descent` its ``optimizer``; together they take the same
steps as openTSNE's own, on float32 copies, without touching P.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from openTSNE.tsne import OptimizationInterrupt, gradient_descent

from graphne_viz.layout import kernels
from graphne_viz.layout.repulsion import Exact, Mesh

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.layout.repulsion import Repulsion
    from graphne_viz.layout.team import Team

_LOCALITY_FROM = 30_000
"""Nodes from which on it pays to keep the arrays sorted by place."""

_SORT_EVERY = 50
"""Iterations between two such sorts."""

_EDGES_PER_PIECE = 30_000
"""Directed edges in one thread's helping of attraction."""

_PAIRS_PER_PIECE = 30_000_000
"""Pairs of nodes in one helping of small parts: some 10 ms, so that Ctrl-C is heard."""

SMALLEST_SPREAD = (1e-3, 0.5)
"""Root mean square radius below which a layout is blown up, under early exaggeration and after.

Far below 1 the forces are linear in the positions, so scaling changes nothing but keeps numbers away from underflow:
under exaggeration a small or dense graph shrinks by orders of magnitude. After it, t-SNE lets a clique shrink to a point;
held at this radius it spreads evenly instead.
"""


class Gradient:
    """The t-SNE gradient, as openTSNE wants it for ``negative_gradient_method``.

    Parameters
    ----------
    repulsion : Exact or Mesh
        Engine for the repulsive half.
    team : Team
        Threads to compute with.
    offsets : ndarray of int64, shape (k + 1,), optional
        Bounds of parts that do not see each other, for which P is block diagonal. Default is one part.
    """

    def __init__(self, repulsion: Repulsion, team: Team, offsets: NDArray[np.int64] | None = None) -> None:
        self.repulsion = repulsion
        self.team = team
        self.offsets = offsets

    def __call__(
        self, embedding: NDArray[np.float64], P: sp.csr_matrix, dof: float, **options: Any  # noqa: ANN401 - openTSNE's
    ) -> tuple[float, NDArray[np.float64]]:
        """Return the KL divergence (where asked for) and the gradient, shape (n, 2)."""
        edges = Edges.of(P)
        x, y = np.ascontiguousarray(np.asarray(embedding).T, dtype=np.float32)
        pull = np.empty((2, x.size), np.float32)
        kernels.attract(0, x.size, *edges.csr, x, y, np.float32(dof), *pull)
        self.repulsion.deposit(x, y)
        z = self.repulsion.collect(self.team)
        push = np.stack([self.repulsion.push_x, self.repulsion.push_y])
        kl = edges.divergence(x, y, dof, math.log(z)) if options.get("should_eval_error") else math.nan
        return kl, (pull - push / np.float32(z)).T.astype(np.float64)


@dataclass
class Edges:
    """Affinities as the kernels read them: CSR with float32 weights."""

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]

    @classmethod
    def of(cls, P: sp.csr_matrix) -> Edges:
        """Convert a sparse matrix."""
        return cls(P.indptr, P.indices, P.data.astype(np.float32))

    @property
    def csr(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """The three arrays in the kernels' order."""
        return self.indptr, self.indices, self.weights

    def sort(self, order: NDArray[np.int32]) -> Edges:
        """Renumber the nodes."""
        inverse = np.empty_like(order)
        inverse[order] = np.arange(order.size, dtype=order.dtype)
        new = Edges(*(np.empty_like(array) for array in self.csr))
        kernels.renumber(order, inverse, *self.csr, *new.csr)
        return new

    def divergence(
        self, x: NDArray[np.float32], y: NDArray[np.float32], dof: float, log_z: float | NDArray[np.float64]
    ) -> float:
        """KL(P, Q): for several parts the mean over nodes of their parts' divergences."""
        terms = np.empty(x.size)
        kernels.stretch(0, x.size, *self.csr, x, y, float(dof), terms)
        return float(terms.sum() + log_z) if np.isscalar(log_z) else float("nan")


class Descent(gradient_descent):  # type: ignore[misc] # openTSNE publishes no types
    """openTSNE's gradient descent, compiled.

    Parameters
    ----------
    shares : ndarray of float32, shape (n,), optional
        Factors on the learning rate: 0 holds a node where it is. Default is 1 for all.
    """

    def __init__(self, shares: NDArray[np.float32] | None = None) -> None:
        super().__init__()
        self.shares = shares
        self._state: _State | None = None

    def copy(self) -> Descent:
        """Copy gains and speeds, for ``optimize(inplace=False)``."""
        new: Descent = super().copy()
        new.shares = self.shares
        return new

    def __call__(  # noqa: D102 - openTSNE documents it
        self,
        embedding: NDArray[np.float64],
        P: sp.csr_matrix,
        n_iter: int,
        objective_function: Any,  # noqa: ANN401 - any callable of openTSNE's socket
        learning_rate: float,
        momentum: float = 0.8,
        exaggeration: float | None = None,
        dof: float = 1,
        use_callbacks: bool = False,  # noqa: FBT001, FBT002 - openTSNE's signature
        callbacks: Any = None,  # noqa: ANN401 - openTSNE's
        callbacks_every_iters: int = 50,
        **options: Any,  # noqa: ANN401 - what only openTSNE's own gradients read
    ) -> tuple[float, NDArray[np.float64]]:
        if not isinstance(objective_function, Gradient):
            raise TypeError(f"Descent needs a Gradient, got {objective_function!r}")
        state = self._resume(embedding, P, objective_function, dof)
        rate = np.float32(learning_rate) * (1 if self.shares is None else self.shares)
        state.begin(rate, exaggeration or 1, momentum)
        done = 0
        kl = math.nan
        while done < n_iter:
            count = min(callbacks_every_iters, n_iter - done) if use_callbacks else n_iter - done
            state.iterate(count)
            done += count
            if use_callbacks:
                kl = state.divergence()
                state.write(embedding)
                if any([bool(callback(done, kl, embedding)) for callback in callbacks]):
                    raise OptimizationInterrupt(error=kl, final_embedding=embedding)
        if not use_callbacks:
            kl = state.divergence()
            state.write(embedding)
        return kl, embedding
