"""Repulsion through a particle mesh on tensors.

The method is that of `graphne_viz.layout.engine.repulsion`. Here a mesh of a fifth to three quarters of a unit carries
the whole kernel, which needs no sums over pairs. Where a layout is so sparse that such a mesh would be much larger than
the graph, a coarse one carries the long-range part, and close pairs are summed, a bounded number at a time.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.mesh.plan import MeshChoice
from graphne_viz.layout.engine.settings import LEAST_Z

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch
    from torch import Tensor

    from graphne_viz.layout.engine.mesh.plan import Plan
    from graphne_viz.layout.engine.torch_engine.device import Device
    from graphne_viz.layout.engine.torch_engine.ranks import Ranks
else:
    torch = lazy_import("torch")

_RINGS = 2
"""Rows of cells around a node's own, in which the nodes within the cutoff lie."""

_CHARGE = 2.0**30
"""A node's charge on the mesh as an integer. Integers add up to the same in any order, so that neither the number of
processes nor a device that adds at random changes a layout."""

_SUM_BLOCK = 1024
"""Numbers in a partial sum, so that no number of threads changes the order."""


class TorchMesh:
    """Particle mesh for a share of the nodes, repelled by all.

    Parameters
    ----------
    n : int
        Number of nodes.
    dof : float
        Degrees of freedom of the kernel.
    device : Device
        Where to compute.
    ranks : Ranks
        Who else computes; each spreads the charges of its own nodes and reads the forces on them.
    """

    def __init__(self, n: int, dof: float, device: Device, ranks: Ranks) -> None:
        self.n = n
        self.ranks = ranks
        self.share = ranks.share(n)
        self.dof = float(dof)
        self.device = device
        self._choice = MeshChoice(n, self.dof, device.costs)

    @property
    def plan(self) -> Plan:
        """The mesh in use."""
        return self._choice.plan

    def repel(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """Sum up the repulsion.

        Parameters
        ----------
        places : Tensor of float32, shape (2, n)
            Positions of all nodes.

        Returns
        -------
        push : Tensor of float32, shape (2, m)
            sum_j (y_i - y_j) k^((dof+1)/dof) for this process's nodes.
        z : Tensor, shape ()
            Sum of the kernel over all pairs.
        """
        low, high = torch.aminmax(places, dim=1)
        low_x, low_y, high_x, high_y = torch.cat([low, high]).tolist()
        if self._choice.fit(high_x - low_x, high_y - low_y):
            self._spectrum = torch.from_numpy(self.plan.spectrum).to(self.device.place)[..., None]
        plan = self.plan
        origin = torch.tensor(
            [[(low_x + high_x - plan.h * plan.width) / 2], [(low_y + high_y - plan.h * plan.height) / 2]],
            dtype=torch.float32,
            device=self.device.place,
        )
        within = (places - origin) * (1 / plan.h)
        corner = within.to(torch.int32)
        within -= corner
        cells = corner[1] * plan.width + corner[0]
        if self._choice.due:
            self._choice.review(torch.bincount(cells, minlength=1).cpu().numpy())
        self._choice.step()

        grid = torch.zeros(plan.height * plan.width, dtype=self.device.charges, device=self.device.place)
        own_corner, own_within = corner[:, self.share], within[:, self.share]
        for part in self._helpings(own_within.shape[1]):
            _spread(own_corner[:, part], own_within[:, part], plan.width, grid)
        charges = self.ranks.add(grid).to(torch.float32).mul_(1 / _CHARGE)
        potential = self._convolve(charges.view(plan.height, plan.width))
        push = torch.empty_like(own_within)
        field = torch.empty_like(push[0])
        for part in self._helpings(own_within.shape[1]):
            _read(own_corner[:, part], own_within[:, part], potential, push[:, part], field[part])
        push *= -0.5 / plan.h
        if plan.close:
            self._add_close_pairs(places, cells, push, field)
        z = self._sum_of_all(field)
        z = z - self.n * plan.own + self.n * (self.n - 1.0) * plan.shift
        return push, z.clamp_min(LEAST_Z * self.n)

    def _sum_of_all(self, field: Tensor) -> Tensor:
        """Sum up the potentials of all processes' nodes, which are at most n each; as integers, like the charges."""
        if self.device.charges != torch.int64:
            return self.ranks.add(ordered_sum(field, self.device.sums))
        unit = 2.0 ** (61 - 2 * math.ceil(math.log2(self.n)))
        return self.ranks.add((field.to(self.device.sums) * unit).to(torch.int64).sum()).to(self.device.sums) / unit

    def _helpings(self, size: int) -> Iterator[slice]:
        """Cut ``range(size)`` into pieces whose temporary arrays are not too large."""
        step = self.device.at_once // 8  # of the 16 mesh points around each
        for start in range(0, size, step):
            yield slice(start, start + step)

    def _convolve(self, grid: Tensor) -> Tensor:
        """Convolve charges with the kernel; the left half is the potential, and the rest is padding.

        One axis at a time, so that rows of zeros are not transformed, nor those that nobody reads; and some columns at
        a time, which on a CPU stay in its caches.
        """
        height, width = grid.shape
        rows = torch.fft.rfft(grid, n=2 * width, dim=1)
        step = max(self.device.at_once // (2 * height), 1)
        for start in range(0, width + 1, step):
            columns = slice(start, start + step)
            wave = torch.fft.fft(rows[:, columns], n=2 * height, dim=0)
            torch.view_as_real(wave).mul_(self._spectrum[:, columns])  # a real number would be made complex first
            rows[:, columns] = torch.fft.ifft(wave, dim=0)[:height]
        potential: Tensor = torch.fft.irfft(rows, n=2 * width, dim=1)
        return potential

    def _add_close_pairs(self, places: Tensor, cells: Tensor, push: Tensor, field: Tensor) -> None:
        """Add to every node what the mesh lacks of the nodes within the cutoff."""
        ordered, order = torch.sort(cells, stable=True)
        x, y = (row.index_select(0, order) for row in places)
        rows = torch.arange(-_RINGS, _RINGS + 1, dtype=torch.int32, device=self.device.place) * self.plan.width
        own = ((order >= self.share.start) & (order < self.share.stop)).nonzero().squeeze(1)
        near = ordered[own, None] + rows
        ends = torch.bincount(cells, minlength=self.plan.height * self.plan.width).cumsum(0)  # of each cell's nodes
        first = ends[near - (_RINGS + 1)]
        counts = ends[near + _RINGS] - first
        for part in self._helpings_of_pairs(counts.sum(dim=1)):
            found = self._close_pairs(x, y, own[part], first[part], counts[part])
            nodes = order[own[part]] - self.share.start
            push[:, nodes] += found[:2]
            field[nodes] += found[2]

    def _helpings_of_pairs(self, counts: Tensor) -> Iterator[slice]:
        """Cut the nodes into pieces with a bounded number of candidates, or of one node."""
        total = counts.cumsum(0)
        marks = torch.arange(0, int(total[-1]), 4 * self.device.at_once, device=self.device.place)
        cuts = np.unique([*torch.searchsorted(total, marks, right=True).tolist(), len(counts)])
        for low, high in pairwise(cuts.tolist()):
            yield slice(low, high)

    def _close_pairs(self, x: Tensor, y: Tensor, nodes: Tensor, first: Tensor, counts: Tensor) -> Tensor:
        """Sum over the close pairs of some nodes, in the order of cells: push and potential, shape (3, m)."""
        plan = self.plan
        k0, k1, k2 = map(float, plan.inside)
        lengths = counts.flatten()
        ends = lengths.cumsum(0)
        other = torch.arange(int(ends[-1]), device=self.device.place)
        other += torch.repeat_interleave(first.flatten() - ends + lengths, lengths)
        totals = counts.sum(dim=1)
        dx = torch.repeat_interleave(x[nodes], totals) - x.index_select(0, other)
        dy = torch.repeat_interleave(y[nodes], totals) - y.index_select(0, other)
        s = dx * dx + dy * dy
        base = 1 + s / self.dof
        kernel = base.reciprocal() if self.dof == 1 else base ** (-self.dof)
        inside = s < float(plan.split)
        slope = (kernel / base + (k1 + 2 * k2 * s)) * inside
        lack = (kernel - (k0 + s * (k1 + k2 * s))) * inside
        bounds = torch.cat([totals.new_zeros(1), totals.cumsum(0)])
        return torch.stack([segment_sum(values, bounds) for values in (slope * dx, slope * dy, lack)])


def segment_sum(values: Tensor, bounds: Tensor) -> Tensor:
    """Sum up runs of values: ``values[bounds[i]:bounds[i + 1]]``, shape (len(bounds) - 1,)."""
    return torch.segment_reduce(values, "sum", offsets=bounds, unsafe=True)


def ordered_sum(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Sum up in an order that does not depend on the number of threads, shape ()."""
    whole = len(values) // _SUM_BLOCK * _SUM_BLOCK
    blocks = values[:whole].view(-1, _SUM_BLOCK).sum(dim=1, dtype=dtype)
    return torch.cat([blocks, values[whole:].sum(dtype=dtype)[None]]).cumsum(0)[-1]


def _spline(u: Tensor) -> list[Tensor]:
    """Cubic B-spline at the four mesh points around places ``u`` within their cells."""
    v = 1 - u
    first, last = v * v * v / 6, u * u * u / 6
    second = last * 3 - u * u + 2 / 3
    return [first, second, 1 - first - second - last, last]


def _spline_slope(u: Tensor) -> list[Tensor]:
    """Slope of `_spline` in ``u``."""
    v = 1 - u
    first, last = v * v * -0.5, u * u * 0.5
    second = u * (1.5 * u - 2)
    return [first, second, -first - second - last, last]


def _around(corner: Tensor, stride: int) -> Tensor:
    """Mesh points around cells, in a flat array, shape (16, m)."""
    steps = torch.arange(-1, 3, dtype=corner.dtype, device=corner.device)
    offsets = (steps[:, None] * stride + steps).flatten()
    return offsets[:, None] + (corner[1] * stride + corner[0])


def _spread(corner: Tensor, within: Tensor, width: int, grid: Tensor) -> None:
    """Put charges on the mesh, a flat array."""
    splines = torch.stack(_spline(within))
    rows = splines[:, 1] * _CHARGE
    weights = rows[:, None] * splines[:, 0]
    grid.index_add_(0, _around(corner, width).flatten(), weights.flatten().to(grid.dtype))


def _read(corner: Tensor, within: Tensor, potential: Tensor, slopes: Tensor, field: Tensor) -> None:
    """Read the potential and its slope, in mesh widths, at places; fills ``slopes``, shape (2, m), and ``field``."""
    points = _around(corner, potential.shape[1]).flatten()
    found = potential.view(-1).index_select(0, points).view(4, 4, -1)
    splines, inclines = _spline(within), _spline_slope(within)
    value, slope = found[:, 0] * splines[0][0], found[:, 0] * inclines[0][0]
    for column in range(1, 4):
        value.addcmul_(found[:, column], splines[column][0])
        slope.addcmul_(found[:, column], inclines[column][0])
    torch.mul(value[0], splines[0][1], out=field)
    torch.mul(slope[0], splines[0][1], out=slopes[0])
    torch.mul(value[0], inclines[0][1], out=slopes[1])
    for row in range(1, 4):
        field.addcmul_(value[row], splines[row][1])
        slopes[0].addcmul_(slope[row], splines[row][1])
        slopes[1].addcmul_(value[row], inclines[row][1])
