"""Which mesh repulsion is computed on, and the kernel's spectrum on it.

What `graphne_viz.layout.engine.repulsion` explains holds for every engine with a mesh; they differ in what things cost.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy import fft

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FINEST = 1e-6
"""Mesh width below which float32 positions have nothing more to say."""

_MARGIN = 7
"""Mesh points needed beyond the nodes' extent: the spline's reach, two rings of cells, rounding."""


_REVIEW_EVERY = 20
"""Iterations between two looks at the density."""


def _ladder() -> list[int]:
    """Mesh sizes the FFT likes, a sixth or more apart: few sizes mean few kernel spectra."""
    smooth = sorted(2**a * 3**b * 5**c for a in range(1, 15) for b in range(4) for c in range(2))
    rungs = [24]
    for size in smooth:
        if size >= 1.16 * rungs[-1]:
            rungs.append(size)
    return rungs


_LADDER = _ladder()


def _finer_is_free(h: float, span_x: float, span_y: float) -> bool:
    """Whether half a mesh width, too, has a layout of this extent on the smallest mesh."""
    return h > _FINEST and max(span_x, span_y) < h / 2 * (_LADDER[0] - _MARGIN)


@dataclass(frozen=True, kw_only=True)
class MeshCosts:
    """What the steps of an engine cost, in nanoseconds, of which only the ratios matter, and which meshes it offers.

    Attributes
    ----------
    fft : float
        A point of the padded mesh and its binary logarithm in the two transforms.
    cell : float
        A mesh cell visited.
    pair : float
        A candidate for a close pair.
    looking : float
        Candidates that cost as much as finding a node's candidates does.
    split_widths : tuple of float
        Mesh widths offered with the exact sum over close pairs.
    whole_widths : tuple of (float, float)
        Mesh widths offered without it, and the density (nodes per unit area) from which on they are accurate.
    """

    fft: float
    cell: float
    pair: float
    looking: float
    split_widths: tuple[float, ...]
    whole_widths: tuple[tuple[float, float], ...]

    def choose(self, n: int, span_x: float, span_y: float, density: float) -> tuple[float, bool]:
        """Choose the mesh width, and whether to sum close pairs, from extent and density.

        A model decides and not a clock, so that the same input takes the same road everywhere.
        """
        best = (math.inf, 0.0, False)
        for h in self.split_widths:
            pairs = n * (25 * h * h * density + self.looking)
            best = min(best, (self._mesh(span_x, span_y, h) + self.pair * pairs, h, True))
        for h, dense in self.whole_widths:
            if density >= dense:
                best = min(best, (self._mesh(span_x, span_y, h), h, False))
        _, h, close = best
        while not close and _finer_is_free(h, span_x, span_y):
            h /= 2
        return h, close

    def _mesh(self, span_x: float, span_y: float, h: float) -> float:
        """Nanoseconds that a mesh of width ``h`` costs, apart from the nodes."""
        points = rung(span_x / h) * rung(span_y / h)
        return points * (self.cell + 4 * self.fft * math.log2(4 * points))


@dataclass(frozen=True)
class Plan:
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
        """Whether a layout of this extent fits, without much room to spare or a finer width that costs nothing."""
        width, height = rung(span_x / self.h), rung(span_y / self.h)
        fits = self.width >= width and self.height >= height and self.width * self.height <= 2 * width * height
        return fits and (self.close or not _finer_is_free(self.h / 2, span_x, span_y))


@lru_cache(maxsize=8)
def make_plan(h: float, width: int, height: int, close: bool, dof: float) -> Plan:  # noqa: FBT001 - cached by position
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
    return Plan(h, width, height, np.float32(split), (k0, k1, k2), own, shift, spectrum)


class MeshChoice:
    """The mesh in use, changed when the layout has outgrown it or another one costs less.

    Parameters
    ----------
    n : int
        Number of nodes.
    dof : float
        Degrees of freedom of the kernel.
    costs : MeshCosts
        Of the engine.
    """

    def __init__(self, n: int, dof: float, costs: MeshCosts) -> None:
        self._n = n
        self._dof = dof
        self._costs = costs
        self._plan: Plan | None = None
        self._density: float | None = None
        self._area = self._span = 1.0
        self._age = 0

    @property
    def plan(self) -> Plan:
        """The mesh in use."""
        assert self._plan is not None  # noqa: S101 - fit() comes first
        return self._plan

    @property
    def due(self) -> bool:
        """Whether the density is to be looked at in this iteration."""
        return self._age % _REVIEW_EVERY == 0

    def step(self) -> None:
        """Go on to the next iteration."""
        self._age += 1

    def fit(self, span_x: float, span_y: float) -> bool:
        """Keep the mesh in use while it fits, else make the one that will cost least; True if it is a new one."""
        plan = self._plan
        self._span = max(span_x * span_y, 1e-12)
        if plan is not None and not self.due and plan.holds(span_x, span_y):
            return False
        # The density was measured on the extent of that time, which may have been left far behind.
        even = self._n / self._span
        density = even if self._density is None else self._density * min(1.0, self._area / self._span)
        h, close = self._costs.choose(self._n, span_x, span_y, density)
        if plan is not None and (h, close) == (plan.h, plan.close) and plan.holds(span_x, span_y):
            return False
        self._plan = make_plan(h, rung(span_x / h), rung(span_y / h), close, self._dof)
        return True

    def review(self, counts: NDArray[np.integer]) -> None:
        """Take the density from how many nodes there are in each cell of the mesh, shape (cells,)."""
        pairs = counts.astype(np.float64)
        self._density = float((pairs * (pairs - 1)).sum()) / (self._n * self.plan.h**2)
        self._area = self._span


def rung(cells: float) -> int:
    """Smallest mesh size with room for so many cells."""
    return _LADDER[bisect_left(_LADDER, cells + _MARGIN)]
