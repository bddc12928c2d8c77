"""Which engine optimises which part of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.components import diagonal_block
from graphne_viz.layout.engine.parts.dense import DENSE_UP_TO, DenseParts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._threads import ThreadTeam
    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.engine import repulsion
    from graphne_viz.layout.engine.opentsne import optimizer as opentsne
    from graphne_viz.layout.engine.parts import few_free, one_part, small_parts
    from graphne_viz.layout.engine.torch_engine import device as devices
    from graphne_viz.layout.engine.torch_engine import part as torch_part
    from graphne_viz.layout.engine.torch_engine import ranks
    from graphne_viz.layout.engine.torch_engine.workers import Workers
    from graphne_viz.layout.options import Options
else:
    few_free = lazy_import("graphne_viz.layout.engine.parts.few_free")
    one_part = lazy_import("graphne_viz.layout.engine.parts.one_part")
    repulsion = lazy_import("graphne_viz.layout.engine.repulsion")
    small_parts = lazy_import("graphne_viz.layout.engine.parts.small_parts")
    opentsne = lazy_import("graphne_viz.layout.engine.opentsne.optimizer")
    devices = lazy_import("graphne_viz.layout.engine.torch_engine.device")
    torch_part = lazy_import("graphne_viz.layout.engine.torch_engine.part")
    ranks = lazy_import("graphne_viz.layout.engine.torch_engine.ranks")

EXACT_UP_TO, EXACT_UP_TO_ANY_DOF = 700, 150
"""Nodes up to which summing all pairs is faster than the mesh, for dof = 1 and with the powers of any other."""

MESH_FROM = 200
"""Nodes from which ``engine="mesh"`` uses it; below, there is nothing to approximate."""

SHARED_FROM = 100
"""Nodes for each process from which a connected part is shared among several."""


class Part(Protocol):
    """One connected graph, or many small ones, on their way."""

    running_in: int | None

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells the KL divergence at the present positions, now or later."""

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions into an array."""

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little."""

    def shrink(self, factor: float) -> None:
        """Divide all positions by a factor."""

    def hold(self, nodes: NDArray[np.intp], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others; see `Holdable`."""


@dataclass(frozen=True)
class Problem:
    """Nodes ``lo:hi`` of the order by parts, optimised as one."""

    lo: int
    hi: int
    part: Part


@dataclass(eq=False)
class Problems:
    """The parts of a graph as problems to be solved side by side.

    Parameters
    ----------
    P : csr_array, shape (m, m)
        Affinities of the nodes with neighbours, part after part; each block sums to 1.
    parts : Parts
    first : ndarray, shape (m, 2)
        Initial positions.
    held : ndarray of bool, shape (m,), or None
        Nodes that do not move.
    options : Options
    team : ThreadTeam
        Threads to compute with.
    workers : Workers or None
        Other processes to share a part with.
    """

    P: sp.csr_array
    parts: Parts
    first: NDArray[np.float64]
    held: NDArray[np.bool_] | None
    options: Options
    team: ThreadTeam
    workers: Workers | None

    def __iter__(self) -> Iterator[Problem]:
        """Give each large part an engine of its own, and all small ones one together."""
        sizes, offsets = self.parts.sizes, self.parts.offsets
        if offsets[-1] <= DENSE_UP_TO and self.options.engine != "opentsne" and sizes.size:
            rates = self._rates(np.repeat(sizes, sizes))
            yield Problem(0, int(offsets[-1]), DenseParts(self.first, self.P, self.options.dof, rates, offsets))
            return
        alone = int(np.searchsorted(-sizes, -self._smallest_alone(), side="right"))
        for lo, hi in pairwise(offsets[: alone + 1].tolist()):
            yield Problem(lo, hi, self._large_part(lo, hi))
        if alone < sizes.size:
            lo, hi = int(offsets[alone]), int(offsets[-1])
            rates = self._rates(np.repeat(sizes[alone:], sizes[alone:]))
            small = small_parts.SmallParts(
                self.first[lo:hi], self.block(lo, hi), self.team, self.options.dof, rates, offsets[alone:] - lo
            )
            yield Problem(lo, hi, small)

    def block(self, lo: int, hi: int) -> sp.csr_array:
        """Affinities among the nodes ``lo:hi``, which have none to others."""
        return diagonal_block(self.P, lo, hi)

    def _smallest_alone(self) -> int:
        """Size of the smallest part that is worth an engine of its own."""
        exact = EXACT_UP_TO if self.options.dof == 1 else EXACT_UP_TO_ANY_DOF
        if self.options.on_torch:
            return MESH_FROM
        return {"auto": exact + 1, "exact": EXACT_UP_TO + 1, "mesh": MESH_FROM, "opentsne": 1}[self.options.engine]

    def _large_part(self, lo: int, hi: int) -> Part:
        """Prepare one connected part."""
        first, block, n = self.first[lo:hi], self.block(lo, hi), hi - lo
        if self.options.engine == "opentsne":
            # OpenMP's threads cost small parts more than they save.
            return opentsne.OpenTSNEPart(first, block, self.options.dof, self.options.threads if n > EXACT_UP_TO else 1)

        if self.held is not None and few_free.are_few(int(np.count_nonzero(~self.held)), n):
            return few_free.FewFree(first, block, self.team, self.options.dof, self._rates(np.full(n, n)))
        if self._goes_to_torch(n):
            rates = self._rates(np.full(n, n))
            if self.workers is not None and n >= SHARED_FROM * self.workers.size:
                return self.workers.part(first, block, self.options.dof, rates)
            device = devices.find_device(self.options.device)
            return torch_part.TorchPart(first, block, self.options.dof, rates, device, ranks.Alone(), self.team.n_jobs)
        engine = repulsion.Exact if self.options.engine == "exact" else repulsion.Mesh
        return one_part.OnePart(
            first, block, self.team, self.options.dof, self._rates(np.full(n, n)), engine(n, self.options.dof)
        )

    def _goes_to_torch(self, n: int) -> bool:
        """Whether a connected part of ``n`` nodes is computed by torch."""
        chosen = self.options.engine == "auto" and n >= devices.CUDA_FROM and devices.cuda_found()
        return self.options.on_torch or chosen

    def _rates(self, sizes: NDArray[np.integer]) -> NDArray[np.float32]:
        """Learning rates: the sizes of the nodes' parts, and 0 for nodes that are held."""
        rates = sizes.astype(np.float32)
        if self.held is not None:
            rates[self.held] = 0
        return rates
