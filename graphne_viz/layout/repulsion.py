"""Repulsion between all pairs of nodes: exactly, or through a particle mesh.

The t-SNE repulsion is the gradient of one scalar potential. With the kernel k(s) = (1 + s/dof)^-dof of a squared
distance s and Phi(y) = sum_j k(|y - y_j|^2), the push on node i is -1/2 grad Phi(y_i), and the normalisation is
Z = sum_i Phi(y_i) - n. So one charge and one convolution are enough, whatever dof is.

The mesh is smooth particle-mesh Ewald with the split of P3M codes: unit charges are spread with cubic B-splines,
convolved by FFT with a long-range kernel, and the potential's slope is read with the same splines. Inside a cutoff of
two mesh widths the long-range kernel is the quadratic Taylor polynomial in s about the cutoff; what it lacks there is
summed exactly over close pairs. That leaves a force error of 1 to 3 % (openTSNE's FFT: 4 %) with a mesh of one to three
units, and the mesh's force on its own charge is negligible. While a layout is dense, close pairs are too many and the
mesh small anyway: then it carries the whole kernel at a finer width.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy import fft

from graphne_viz.layout import kernels, mesh_kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.layout.team import Team


_SPLIT_WIDTHS = (0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
"""Mesh widths offered with the exact sum over close pairs."""

_WHOLE_WIDTHS = ((0.4, 8.0), (0.5, 15.0), (0.75, 100.0))
"""Mesh widths offered without it, and the density (nodes per unit area) from which on they are accurate."""

_FINEST = 1e-6
"""Mesh width below which float32 positions have nothing more to say."""

_MARGIN = 7
"""Mesh points needed beyond the nodes' extent: the spline's reach, two rings of cells, rounding."""

_REVIEW_EVERY = 20
"""Iterations between two looks at the density."""

# Nanoseconds on one core, only their ratios matter: a point of the padded mesh and its binary logarithm in the two
# transforms, a mesh cell visited, a candidate for a close pair.
_COST_FFT, _COST_CELL, _COST_PAIR = 0.5, 2.5, 0.25

_LOOKING = 150
"""Candidates that cost as much as finding a node's candidates does."""

_POINTS_AT_ONCE = 65_536
"""Mesh points convolved at once: so many complex numbers stay in a core's cache."""


def _ladder() -> list[int]:
    """Mesh sizes the FFT likes, a sixth or more apart: few sizes mean few kernel spectra."""
    smooth = sorted(2**a * 3**b * 5**c for a in range(1, 15) for b in range(4) for c in range(2))
    rungs = [24]
    for size in smooth:
        if size >= 1.16 * rungs[-1]:
            rungs.append(size)
    return rungs


_LADDER = _ladder()


class Repulsion(Protocol):
    """What the optimiser needs from an engine."""

    push_x: NDArray[np.float32]
    push_y: NDArray[np.float32]

    def deposit(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        """Take the positions; the part of the work that one thread does while others compute attraction."""

    def collect(self, team: Team) -> float:
        """Fill ``push_x`` and ``push_y`` with sum_j (y_i - y_j) k^((dof+1)/dof), and return Z."""


class Exact:
    """All pairs, for small graphs and as a reference.

    Parameters
    ----------
    n : int
        Number of nodes.
    dof : float
        Degrees of freedom of the kernel.
    """

    def __init__(self, n: int, dof: float = 1) -> None:
        self.dof = np.float32(dof)
        self.push_x, self.push_y = np.empty((2, n), np.float32)
        self._z = np.empty(n, np.float32)
        self._x = self._y = self.push_x

    def deposit(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        """Remember the positions."""
        self._x, self._y = x, y

    def collect(self, team: Team) -> float:
        """Sum over all pairs."""
        n = self._x.size
        block = kernels.BLOCK

        def repel(k: int) -> None:
            lo, hi = k * block, min((k + 1) * block, n)
            kernels.repel(lo, hi, 0, n, self._x, self._y, self.dof, self.push_x, self.push_y, self._z)

        team.run(repel, -(-n // block))
        return float(self._z.sum(dtype=np.float64))


@dataclass(frozen=True)
class _Plan:
    """A mesh of one size, and the spectrum of the kernel on it."""

    h: float
    width: int
    height: int
    split: np.float32
    """Cutoff squared, 0 without the exact sum over close pairs."""
    inside: tuple[np.float32, np.float32, np.float32]
    """Coefficients of the long-range kernel inside the cutoff, as a polynomial in the squared distance."""
    own: float
    """A node's potential at its own place, averaged over the places within a cell."""
    shift: float
    """Constant taken off the kernel. Over tiny distances it is nearly 1 throughout, and only differences count."""
    spectrum: NDArray[np.float32]

    @property
    def close(self) -> bool:
        """Whether close pairs are summed exactly."""
        return bool(self.split > 0)

    def holds(self, span_x: float, span_y: float) -> bool:
        """Whether a layout of this extent fits, without much room to spare."""
        width, height = _rung(span_x / self.h), _rung(span_y / self.h)
        return self.width >= width and self.height >= height and self.width * self.height <= 2 * width * height


@lru_cache(maxsize=8)
def _plan(h: float, width: int, height: int, close: bool, dof: float) -> _Plan:  # noqa: FBT001 - cached by position
    """Compute the spectrum for a mesh of ``height`` rows of ``width`` points, ``h`` apart."""
    squares = np.arange(max(width, height) + 1, dtype=np.float64) ** 2 * h**2
    s = squares[: height + 1, None] + squares[: width + 1]
    values = (1 + s / dof) ** -dof
    split, inside = 0.0, (0.0, 0.0, 0.0)
    if close:
        split = (2 * h) ** 2
        base = 1 + split / dof
        c0, c1, c2 = base**-dof, -(base ** (-dof - 1)), (dof + 1) / (2 * dof) * base ** (-dof - 2)
        inside = (c0 - c1 * split + c2 * split**2, c1 - 2 * c2 * split, c2)
        near = s < split
        t = s[near] - split
        values[near] = c0 + t * (c1 + c2 * t)
    shift = 1.0 if values.min() > 0.5 else 0.0
    values -= shift
    # The kernel is even in both directions, so its transform is a cosine transform of one quadrant. Dividing by
    # the splines' spectrum squared undoes what spreading and reading smooth.
    quadrant = fft.dctn(values, type=1)
    for axis, size in enumerate((height, width)):
        spline = (2 + np.cos(np.pi * np.arange(size + 1) / size)) / 3
        quadrant /= np.expand_dims(spline**2, 1 - axis)
    # The mean over all places of two cubic splines k points apart is a septic spline at k.
    septic = np.array([2416, 2 * 1191, 2 * 120, 2 * 1]) / 5040
    own = float(septic @ fft.idctn(quadrant, type=1)[:4, :4] @ septic)
    if close:
        own += 1 - inside[0]
    spectrum = np.concatenate([quadrant, quadrant[-2:0:-1]]).astype(np.float32)
    k0, k1, k2 = map(np.float32, inside)
    return _Plan(h, width, height, np.float32(split), (k0, k1, k2), own, shift, spectrum)


class Mesh:
    """Particle mesh with an exact sum over close pairs.

    Parameters
    ----------
    n : int
        Number of nodes.
    dof : float
        Degrees of freedom of the kernel.
    """

    def __init__(self, n: int, dof: float = 1) -> None:
        self.dof = float(dof)
        self._dof = np.float32(dof)
        self.push_x, self.push_y = np.empty((2, n), np.float32)
        self.order = np.empty(n, np.int32)
        self._cell = np.empty(n, np.int32)
        self._sorted = np.empty((2, n + 8), np.float32)
        self._near: list[NDArray[np.float32]] = []
        self._plan: _Plan | None = None
        self._density: float | None = None
        self._area = 1.0
        self._age = 0

    @property
    def plan(self) -> _Plan:
        """The mesh in use."""
        assert self._plan is not None  # noqa: S101 - deposit() comes first
        return self._plan

    def deposit(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        """Sort the nodes by cell, spread their charges and transform the mesh's rows."""
        x0, x1, y0, y1 = mesh_kernels.bounds(x, y)
        plan = self._fit(float(x1 - x0), float(y1 - y0))
        self._origin = (
            np.float32((x0 + x1) / 2 - plan.h * plan.width / 2),
            np.float32((y0 + y1) / 2 - plan.h * plan.height / 2),
            np.float32(1 / plan.h),
        )
        sorted_x, sorted_y = self._sorted
        mesh_kernels.sort_by_cell(
            x, y, *self._origin, plan.width, self._cell, self._start, self.order, sorted_x, sorted_y
        )
        self._grid.fill(0)
        mesh_kernels.spread(2, plan.height - 3, self._start, sorted_x, sorted_y, *self._origin, self._grid)
        self._rows = fft.rfft(self._grid, n=2 * plan.width, axis=1)
        if self._age % _REVIEW_EVERY == 0:
            count = np.diff(self._start).astype(np.float64)
            self._density = float((count * (count - 1)).sum()) / (x.size * plan.h**2)
            self._area = max(float((x1 - x0) * (y1 - y0)), 1e-12)
        self._age += 1

    def collect(self, team: Team) -> float:
        """Convolve with the kernel, read the force at every node and add the close pairs."""
        plan = self.plan
        columns = self._rows.shape[1]
        blocks = _blocks(columns, max(_POINTS_AT_ONCE // (2 * plan.height), 16))
        smooth = self._rows

        def convolve(k: int) -> None:
            lo, hi = blocks[k], blocks[k + 1]
            wave = np.empty((2 * plan.height, hi - lo), np.complex64)
            wave[: plan.height] = self._rows[:, lo:hi]
            wave[plan.height :] = 0
            wave = fft.fft(wave, axis=0, overwrite_x=True)
            wave *= plan.spectrum[:, lo:hi]
            smooth[:, lo:hi] = fft.ifft(wave, axis=0, overwrite_x=True)[: plan.height]

        team.run(convolve, len(blocks) - 1)

        bands = self._bands()
        while len(self._near) < team.n_jobs:
            self._near.append(np.empty((2, self.order.size + 16), np.float32))
        free = list(range(team.n_jobs))

        def read(k: int) -> None:
            lo, hi = bands[k], bands[k + 1]
            potential = fft.irfft(smooth[lo - 1 : hi + 2], n=2 * plan.width, axis=1)
            mine = free.pop()
            mesh_kernels.gather(
                lo, hi, self._start, self.order, *self._sorted, *self._origin, potential, plan.width,
                plan.split, *plan.inside, self._dof, *self._near[mine],
                self.push_x, self.push_y, self._z_rows,
            )  # fmt: skip
            free.append(mine)

        team.run(read, len(bands) - 1)
        n = self.order.size
        return float(self._z_rows[bands[0] : bands[-1]].sum()) - n * plan.own + n * (n - 1.0) * plan.shift

    def _bands(self) -> list[int]:
        """Split the rows that hold nodes into bands of about equally many nodes."""
        plan = self.plan
        lo, hi = 2, plan.height - 3
        pieces = min(16, self.order.size // 4096, (hi - lo) // 8)
        if pieces < 2:
            return [lo, hi]
        filled = self._start[lo * plan.width : hi * plan.width : plan.width]
        cuts = np.searchsorted(filled, np.arange(1, pieces) * (self.order.size / pieces)) + lo
        return [lo, *(int(c) for c in np.unique(cuts) if lo < c < hi), hi]

    def _fit(self, span_x: float, span_y: float) -> _Plan:
        """Keep the mesh in use while it fits, else make the one that will cost least."""
        plan = self._plan
        if plan is not None and self._age % _REVIEW_EVERY != 0 and plan.holds(span_x, span_y):
            return plan
        h, close = self._choose(span_x, span_y)
        if plan is not None and (h, close) == (plan.h, plan.close) and plan.holds(span_x, span_y):
            return plan
        width, height = _rung(span_x / h), _rung(span_y / h)
        self._plan = plan = _plan(h, width, height, close, self.dof)
        self._grid = np.empty((height, width), np.float32)
        self._start = np.zeros(height * width + 1, np.int32)
        self._z_rows = np.zeros(height)
        return plan

    def _choose(self, span_x: float, span_y: float) -> tuple[float, bool]:
        """Choose the mesh width, and whether to sum close pairs, from extent and density.

        A model decides and not a clock, so that the same input takes the same road everywhere.
        """
        n = self.order.size
        area = max(span_x * span_y, 1e-12)
        # The density was measured on the extent of that time, which may have been left far behind.
        density = n / area if self._density is None else self._density * min(1.0, self._area / area)
        best = (math.inf, 0.0, False)
        for h in _SPLIT_WIDTHS:
            pairs = n * (25 * h * h * density + _LOOKING)
            best = min(best, (_cost(span_x, span_y, h) + _COST_PAIR * pairs, h, True))
        for h, dense in _WHOLE_WIDTHS:
            if density >= dense:
                best = min(best, (_cost(span_x, span_y, h), h, False))
        _, h, close = best
        # On the smallest mesh a finer width costs nothing.
        while not close and h > _FINEST and max(span_x, span_y) < h / 2 * (_LADDER[0] - _MARGIN):
            h /= 2
        return h, close


def _rung(cells: float) -> int:
    """Smallest mesh size with room for so many cells."""
    return _LADDER[bisect_left(_LADDER, cells + _MARGIN)]


def _cost(span_x: float, span_y: float, h: float) -> float:
    """Nanoseconds that a mesh of width ``h`` costs, apart from the nodes."""
    points = _rung(span_x / h) * _rung(span_y / h)
    return points * (_COST_CELL + 4 * _COST_FFT * math.log2(4 * points))


def _blocks(size: int, block: int) -> list[int]:
    """Cut ``range(size)`` into blocks."""
    return [*range(0, size, block), size]
