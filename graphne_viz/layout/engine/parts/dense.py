"""Graphs of a few dozen nodes, in numpy alone: nothing has to be compiled, or loaded, to lay them out.

The steps are those of `graphne_viz.layout.engine.parts.state`, taken in float64 on full matrices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.layout.engine.schedule import TINY
from graphne_viz.layout.engine.settings import LEAST_Z, SHAKE, floors_at, small_cliques, stable_at

if TYPE_CHECKING:
    from collections.abc import Callable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DENSE_UP_TO = TINY
"""Nodes up to which full matrices are used: up to thirty milliseconds a run, where compiled code takes half a second to
load.

The choice depends on nothing else, so that a graph has the same layout in every process.
"""

_GAIN_UP, _GAIN_DOWN, _MIN_GAIN, _MAX_STEP = 0.2, 0.8, 0.01, 5.0

_FAR = 1e9
"""Squares of coordinates beyond which their differences have few digits left: that of equal ones may be below 0."""


class DenseParts:
    """One small graph or several, each with its own normalisation.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions, nodes grouped by part.
    P : csr_array, shape (n, n)
        Affinities, block diagonal; each block sums to 1.
    dof : float
        Degrees of freedom of the kernel.
    rates : ndarray, shape (n,)
        Learning rates without exaggeration; where one is 0 the node is held in place, and nothing is scaled then.
    offsets : ndarray of int, shape (k + 1,)
        Where each part begins.
    """

    def __init__(
        self, start: Floats, P: sp.csr_array, dof: float, rates: NDArray[np.float32], offsets: NDArray[np.integer]
    ) -> None:
        self.running_in: int | None = None
        n = len(start)
        # Rows x_i, y_i, 1, 1 + r_i and -2 x_j, -2 y_j, r_j, 1, where r is a node's square distance from the origin:
        # one product of matrices then gives 1 plus the square distances of all pairs.
        self._left, self._right = np.ones((4, n)), np.ones((4, n))
        self.positions = self._left[:2]
        self.positions[:] = np.asarray(start).T
        self.speeds = np.zeros((2, n))
        self.gains = np.ones(n)
        self.rates = rates.astype(np.float64)
        self.held = bool((rates == 0).any())
        self.dof = dof
        self._first, self._sizes = offsets[:-1], np.diff(offsets)
        part = np.repeat(np.arange(self._sizes.size), self._sizes)
        self._others = ((part[:, None] == part) & ~np.eye(n, dtype=bool)).astype(np.float64)
        self._weights = P.toarray()
        self._cliques = small_cliques(P, offsets)
        # Two nodes alone attract and repel each other equally at any distance.
        self.rates[np.repeat(self._sizes == 2, self._sizes)] = 0
        self._given_rates = self.rates
        self._scaled_up = np.full(self._sizes.size, not self.held)
        self._inverse, self._product = np.empty((n, n)), np.empty((n, n))
        self._pull, self._push, self._apart = np.empty((4, n)), np.empty((4, n)), np.empty((2, n))

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        self._attraction, self._momentum = exaggeration, momentum
        self._stable = stable_at(exaggeration)
        floor, floor_of_cliques = floors_at(exaggeration)
        self._floors = np.where(self._cliques, floor_of_cliques, floor)

    def iterate(self, count: int) -> None:
        """Take ``count`` steps in every part."""
        # A run of these is little more than some ten thousand calls of numpy: every one that is saved tells.
        rates = self.rates / self._attraction
        with np.errstate(divide="ignore"):
            bound = self._stable / rates  # infinite for nodes that are held
        weights = self._attraction * self._weights
        positions, speeds, gains = self.positions, self.speeds, self.gains
        products, lower = np.empty_like(speeds), np.empty_like(gains)
        for _ in range(count):
            if self._scaled_up.any():
                self._blow_up()
            gradient, stiffness = self._gradient(weights)
            np.multiply(speeds, gradient, out=products)
            uphill = products[0] + products[1] > 0
            np.multiply(gains, _GAIN_DOWN, out=lower)
            lower += _MIN_GAIN
            gains += _GAIN_UP
            np.copyto(gains, lower, where=uphill)
            np.minimum(gains, np.divide(bound, stiffness, out=lower), out=gains)
            gradient *= np.multiply(rates, gains, out=lower)
            speeds *= self._momentum
            speeds -= gradient
            if np.vdot(speeds, speeds) > _MAX_STEP * _MAX_STEP:
                speeds *= _MAX_STEP / np.maximum(np.hypot(speeds[0], speeds[1]), _MAX_STEP)
            positions += speeds

    def divergence(self, positions: Floats) -> Callable[[], float]:
        """Return what tells the mean over nodes of their parts' KL(P, Q), now or later, in any thread."""

        def tell() -> float:
            base = 1 + _squares(positions) / self.dof
            z = self._bounded(np.add.reduceat((self._others * base**-self.dof).sum(axis=1), self._first))
            there = self._weights > 0
            terms = np.zeros_like(base)
            weights = self._weights[there]
            terms[there] = weights * (np.log(weights) + self.dof * np.log(base[there]))
            kl = np.add.reduceat(terms.sum(axis=1), self._first) + np.log(z)
            return float(kl @ self._sizes / self._sizes.sum())

        return tell

    def write(self, positions: Floats) -> None:
        """Put the positions into an array of shape (n, 2)."""
        positions[:] = self.positions.T if self.held else (self.positions - self._each(self._means())).T

    def hold(self, nodes: NDArray[np.intp], places: Floats) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call; nothing is centred any more."""
        self.held = True
        self.rates = self._given_rates.copy()
        self.rates[nodes] = 0
        self._scaled_up[np.searchsorted(self._first, nodes, side="right") - 1] = False
        self.positions[:, nodes] = places.T
        self.speeds[:, nodes] = 0
        self.gains[nodes] = 1

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""
        noise = rng.normal(0, SHAKE, self.positions.T.shape).T * self._each(self._spreads())
        self.positions += np.where(self.rates > 0, noise, 0)

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        self.positions /= factor
        self.speeds /= factor

    def _gradient(self, weights: Floats) -> tuple[Floats, Floats]:
        """Gradient, up to a factor of 4, and stiffness of every node, shapes (2, n) and (n,).

        What stands on the diagonals has no effect on the gradient, a node's distance from itself being 0.

        Parameters
        ----------
        weights : ndarray, shape (n, n)
            Affinities times the exaggeration.
        """
        positions, left, right, inverse, product = self.positions, self._left, self._right, self._inverse, self._product
        np.multiply(positions, -2 / self.dof, out=right[:2])
        squares = np.multiply(positions, positions, out=self._apart)
        np.add(squares[0], squares[1], out=right[2])
        if self.dof != 1:
            right[2] /= self.dof
        np.add(right[2], 1, out=left[3])
        np.matmul(left.T, right, out=inverse)
        if right[2].max() > _FAR:
            np.maximum(inverse, 1, out=inverse)
        np.reciprocal(inverse, out=inverse)
        pull = np.matmul(left, np.multiply(weights, inverse, out=product), out=self._pull)
        kernel = inverse if self.dof == 1 else inverse**self.dof
        if self._sizes.size == 1:
            z = self._bounded(np.add.reduce(kernel, axis=None) - len(kernel))
        else:
            kernel = kernel * self._others
            z = self._each(self._bounded(np.add.reduceat(np.add.reduce(kernel, axis=0), self._first)))
        push = np.matmul(left, np.multiply(kernel, inverse, out=product), out=self._push)
        push /= z
        stiffness = pull[2].copy()
        pull -= push
        gradient = np.multiply(positions, pull[2], out=self._apart)
        gradient -= pull[:2]
        return gradient, stiffness

    def _bounded(self, z: Floats) -> Floats:
        """Keep the sums of similarities of the parts away from 0, shape (k,)."""
        return np.maximum(z, LEAST_Z * self._sizes)

    def _blow_up(self) -> None:
        """Scale parts up that have become too small."""
        if self._sizes.size == 1:
            x, y = (self.positions @ self._left[2]).tolist()
            n = self.gains.size
            if np.vdot(self.positions, self.positions) / n - (x * x + y * y) / n**2 > self._floors[0] ** 2:
                return
        spreads = self._spreads()
        small = (spreads > 0) & (spreads < self._floors) & (self._sizes > 2) & self._scaled_up
        if small.any():
            factors = np.where(small, self._floors / np.where(small, spreads, 1), 1)
            self.positions -= self._each(np.where(small, self._means(), 0))
            self.positions *= self._each(factors)
            self.speeds *= self._each(factors)

    def _means(self) -> Floats:
        """Mean of each part, shape (2, k)."""
        return np.asarray(np.add.reduceat(self.positions, self._first, axis=1) / self._sizes)

    def _spreads(self) -> Floats:
        """Root mean square radius of each part, shape (k,)."""
        apart = self.positions - self._each(self._means())
        return np.asarray(np.sqrt(np.add.reduceat((apart**2).sum(axis=0), self._first) / self._sizes))

    def _each(self, values: Floats) -> Floats:
        """Repeat what each part has, along the last axis, for all of its nodes."""
        return values if self._sizes.size == 1 else np.repeat(values, self._sizes, axis=-1)


def _squares(positions: Floats) -> Floats:
    """Squared distances between all nodes, shape (n, n)."""
    x, y = positions.T
    apart_x, apart_y = x[:, None] - x, y[:, None] - y
    return np.asarray(apart_x * apart_x + apart_y * apart_y)
