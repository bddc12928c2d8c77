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

from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy import fft

from graphne_viz.layout.engine import kernels
from graphne_viz.layout.engine.mesh import kernels as mesh_kernels
from graphne_viz.layout.engine.mesh.plan import MeshChoice, MeshCosts
from graphne_viz.layout.engine.settings import LEAST_Z

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz._threads import ThreadTeam
    from graphne_viz.layout.engine.mesh.plan import Plan

_COSTS = MeshCosts(
    fft=0.5,
    cell=2.5,
    pair=0.25,
    looking=150,
    split_widths=(0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0),
    whole_widths=((0.4, 8.0), (0.5, 15.0), (0.75, 100.0)),
)
"""As measured on one core."""

_POINTS_AT_ONCE = 65_536
"""Mesh points convolved at once: so many complex numbers stay in a core's cache."""


class Repulsion(Protocol):
    """What the optimiser needs from an engine."""

    push_x: NDArray[np.float32]
    push_y: NDArray[np.float32]

    def __init__(self, n: int, dof: float = 1) -> None:
        """Prepare for ``n`` nodes and a kernel with ``dof`` degrees of freedom."""

    def deposit(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        """Take the positions; the part of the work that one thread does while others compute attraction."""

    def collect(self, team: ThreadTeam) -> float:
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

    def collect(self, team: ThreadTeam) -> float:
        """Sum over all pairs."""
        n = self._x.size
        block = kernels.BLOCK

        def repel(k: int) -> None:
            lo, hi = k * block, min((k + 1) * block, n)
            kernels.repel(lo, hi, 0, n, self._x, self._y, self.dof, self.push_x, self.push_y, self._z)

        team.run(repel, -(-n // block))
        return max(float(self._z.sum(dtype=np.float64)), LEAST_Z * n)


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
        self._choice = MeshChoice(n, self.dof, _COSTS)

    @property
    def plan(self) -> Plan:
        """The mesh in use."""
        return self._choice.plan

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
        if self._choice.due:
            self._choice.review(np.diff(self._start))
        self._choice.step()

    def collect(self, team: ThreadTeam) -> float:
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
            self._near.append(np.empty((4, self.order.size + 16), np.float32))
        free = list(range(team.n_jobs))

        def read(k: int) -> None:
            lo, hi = bands[k], bands[k + 1]
            potential = fft.irfft(smooth[lo - 1 : hi + 2], n=2 * plan.width, axis=1)
            # Charges reach two rows beyond the nodes.
            mesh_kernels.energy(lo, hi + 2 if hi == bands[-1] else hi, self._grid, potential, self._z_rows)
            mine = free.pop()
            mesh_kernels.gather(
                lo, hi, self._start, self.order, *self._sorted, *self._origin, potential, plan.width,
                plan.split, *plan.inside, self._dof, *self._near[mine],
                self.push_x, self.push_y, self._z_rows,
            )  # fmt: skip
            free.append(mine)

        team.run(read, len(bands) - 1)
        n = self.order.size
        z = float(self._z_rows[2:-1].sum()) - n * plan.own + n * (n - 1.0) * plan.shift
        return max(z, LEAST_Z * n)

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

    def _fit(self, span_x: float, span_y: float) -> Plan:
        """Find the mesh, and make room for it where it is a new one."""
        if self._choice.fit(span_x, span_y):
            width, height = self.plan.width, self.plan.height
            self._grid = np.empty((height, width), np.float32)
            self._start = np.zeros(height * width + 1, np.int32)
            self._z_rows = np.zeros(height)
        return self.plan


def _blocks(size: int, block: int) -> list[int]:
    """Cut ``range(size)`` into blocks."""
    return [*range(0, size, block), size]
