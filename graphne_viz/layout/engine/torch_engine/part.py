"""A connected graph that is optimised on a torch device."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.layout.engine.settings import (
    GAIN_DOWN,
    GAIN_UP,
    MAX_STEP,
    MIN_GAIN,
    SHAKE,
    WATCH_ALWAYS_UP_TO,
    floors_at,
    small_cliques,
    stable_at,
)
from graphne_viz.layout.engine.torch_engine.device import threads
from graphne_viz.layout.engine.torch_engine.mesh import TorchMesh, ordered_sum, segment_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import scipy.sparse as sp
    import torch
    from numpy.typing import NDArray
    from torch import Tensor

    from graphne_viz.layout.engine.torch_engine.device import Device
    from graphne_viz.layout.engine.torch_engine.ranks import Ranks
else:
    torch = lazy_import("torch")

_THREADS_FROM = 1_000_000
"""Directed edges plus ten times the nodes from which on a second thread pays; torch's wait for each other often."""


@dataclass(frozen=True)
class _Helping:
    """Nodes whose edges are looked at together, counted from the first of this process."""

    nodes: slice
    edges: slice
    bounds: Tensor
    """Where the edges of each node begin within them, shape (nodes + 1,)."""


class _Edges:
    """Affinities of this process's nodes on a device: 12 bytes an edge."""

    def __init__(self, rows: sp.csr_array, share: slice, device: Device) -> None:
        self.entropy = float((rows.data * np.log(rows.data)).sum())
        numbers = np.repeat(np.arange(share.start, share.stop, dtype=np.int32), np.diff(rows.indptr))
        self.rows = torch.from_numpy(numbers).to(device.place)
        self.columns = torch.from_numpy(rows.indices.astype(np.int32)).to(device.place)
        self.weights = torch.from_numpy(rows.data.astype(np.float32)).to(device.place)
        self.helpings = list(_helpings(rows.indptr.astype(np.int64), device))

    def stretched(self, places: Tensor, edges: slice, inverse_dof: float) -> tuple[Tensor, Tensor, Tensor]:
        """Differences of the ends, and 1 + |difference|^2 / dof, for some edges."""
        rows, columns = self.rows[edges], self.columns[edges]
        dx = places[0].index_select(0, rows) - places[0].index_select(0, columns)
        dy = places[1].index_select(0, rows) - places[1].index_select(0, columns)
        base = (dx * dx).addcmul_(dy, dy).mul_(inverse_dof).add_(1)
        return dx, dy, base


def _helpings(indptr: NDArray[np.int64], device: Device) -> Iterator[_Helping]:
    """Cut the nodes into runs with about as many edges as are looked at together, or of one node."""
    marks = np.arange(0, indptr[-1], device.at_once)
    cuts = np.unique([*np.searchsorted(indptr, marks), indptr.size - 1]).tolist()
    for low, high in pairwise(cuts):
        begin, end = int(indptr[low]), int(indptr[high])
        bounds = torch.from_numpy(indptr[low : high + 1] - begin).to(device.place)
        yield _Helping(slice(low, high), slice(begin, end), bounds)


class TorchPart:
    """A connected graph, or a process's share of one, on a torch device.

    Parameters
    ----------
    start : ndarray, shape (n, 2)
        Initial positions.
    rows : csr_array, shape (m, n)
        Affinities of this process's nodes; those of all are symmetric and sum to 1.
    dof : float
        Degrees of freedom of the kernel.
    rates : ndarray of float32, shape (n,)
        Learning rates without exaggeration; where one is 0 the node is held in place, and then the layout is neither
        centred nor scaled.
    device : Device
        Where to compute.
    ranks : Ranks
        Who else computes.
    n_jobs : int
        Threads, on a CPU.
    """

    def __init__(  # noqa: PLR0917 - called in one place
        self,
        start: NDArray[np.float64],
        rows: sp.csr_array,
        dof: float,
        rates: NDArray[np.float32],
        device: Device,
        ranks: Ranks,
        n_jobs: int,
    ) -> None:
        n = len(start)
        self.running_in: int | None = None
        self.device = device
        self.ranks = ranks
        self.dof = float(dof)
        self.held = bool((rates == 0).any())
        self._n_jobs = n_jobs if rows.nnz + 10 * n >= _THREADS_FROM else 1
        self._share = ranks.share(n)
        self._edges = _Edges(rows, self._share, device)
        self._mesh = TorchMesh(n, self.dof, device, ranks)
        self._clique = rows.shape[0] == n and bool(small_cliques(rows, np.array([0, n]))[0])
        self._rates = self._given_rates = rates
        self._scaled_up = not self.held
        self._places = self._to_device(np.asarray(start).T)
        own = self._share.stop - self._share.start
        self._speed = torch.zeros(2, own, device=device.place)
        self._gain = torch.ones(own, device=device.place)
        self._age = 0

    def _to_device(self, array: NDArray[np.floating]) -> Tensor:
        """Copy an array to the device, as float32."""
        return torch.from_numpy(np.array(array, dtype=np.float32, order="C")).to(self.device.place)

    def begin(self, exaggeration: float, momentum: float) -> None:
        """Set what holds for the iterations to come."""
        self._rate = self._to_device(self._rates[self._share] / np.float32(exaggeration))
        self._attraction, self._momentum = float(exaggeration), float(momentum)
        self._stable = stable_at(exaggeration)
        self._floor = floors_at(exaggeration)[int(self._clique)]

    @property
    def _n(self) -> int:
        """Number of nodes of all processes."""
        return int(self._places.shape[1])

    def iterate(self, count: int) -> None:
        """Take ``count`` steps."""
        with torch.inference_mode(), threads(self._n_jobs):
            for _ in range(count):
                if self._scaled_up and (self._age % 10 == 0 or self._n <= WATCH_ALWAYS_UP_TO):
                    self._blow_up()
                self._move()
                self._age += 1

    def _move(self) -> None:
        """One step of gradient descent, as `graphne_viz.layout.engine.kernels.move` explains it."""
        pull, stiffness = self._attract()
        push, z = self._mesh.repel(self._places)
        gradient = pull.mul_(self._attraction).sub_(push.div_(z.to(push.dtype)))
        uphill = (self._speed * gradient).sum(dim=0) > 0
        gain = torch.where(uphill, self._gain * GAIN_DOWN + MIN_GAIN, self._gain + GAIN_UP)
        self._gain = torch.minimum(gain, self._stable / (self._attraction * stiffness * self._rate))
        self._speed.mul_(self._momentum).sub_(gradient.mul_(self._rate * self._gain))
        # Not `hypot`, whose last digit depends on where in an array a number stands.
        lengths = (self._speed[0] * self._speed[0]).add_(self._speed[1] * self._speed[1]).sqrt_()
        self._speed *= (MAX_STEP / lengths).clamp_(max=1)
        self._places = self.ranks.join(self._places[:, self._share] + self._speed, self._n)

    def _attract(self) -> tuple[Tensor, Tensor]:
        """Attraction along the edges of this process's nodes, shape (2, m), and their stiffness, shape (m,)."""
        pull, stiffness = torch.empty_like(self._speed), torch.empty_like(self._gain)
        for helping in self._edges.helpings:
            dx, dy, base = self._edges.stretched(self._places, helping.edges, 1 / self.dof)
            force = self._edges.weights[helping.edges] / base
            pull[0, helping.nodes] = segment_sum(dx.mul_(force), helping.bounds)
            pull[1, helping.nodes] = segment_sum(dy.mul_(force), helping.bounds)
            stiffness[helping.nodes] = segment_sum(force, helping.bounds)
        return pull, stiffness

    def gradient(self) -> NDArray[np.float32]:
        """Gradient of KL(P, Q) by the positions of this process's nodes, up to a factor of 4, shape (m, 2)."""
        with torch.inference_mode():
            push, z = self._mesh.repel(self._places)
            found = self._attract()[0] * self._attraction - push / z.to(push.dtype)
            return found.T.cpu().numpy()

    def divergence(self, positions: NDArray[np.float64]) -> Callable[[], float]:
        """Return what tells KL(P, Q) at the present positions, now or later, in any thread.

        Several processes have to compute it together, and do so now.

        Parameters
        ----------
        positions : ndarray, shape (n, 2)
            As `write` gave them; not to be changed.
        """

        def tell() -> float:
            with torch.inference_mode(), threads(self._n_jobs):
                return self._divergence(self._to_device(positions.T))

        if self.ranks.size == 1:
            return tell
        found = tell()
        return lambda: found

    def _divergence(self, places: Tensor) -> float:
        """KL(P, Q) at places, shape (2, n)."""
        _, z = TorchMesh(self._n, self.dof, self.device, self.ranks).repel(places)
        total = torch.full((), self._edges.entropy, dtype=self.device.sums, device=self.device.place)
        for helping in self._edges.helpings:
            _, _, base = self._edges.stretched(places, helping.edges, 1 / self.dof)
            terms = self._edges.weights[helping.edges] * base.log_()
            total += self.dof * ordered_sum(terms, self.device.sums)
        return float(self.ranks.add(total)) + math.log(float(z))

    @property
    def places(self) -> Tensor:
        """Positions of all nodes, shape (2, n)."""
        return self._places

    @places.setter
    def places(self, places: Tensor) -> None:
        self._places = places

    def memory(self) -> dict[str, int]:
        """Bytes held from one iteration to the next: for this process's edges, for all nodes and for its own."""
        edges = (self._edges.rows, self._edges.columns, self._edges.weights)
        return {
            "edges": sum(tensor.nbytes for tensor in edges),
            "nodes": self._places.nbytes,
            "own nodes": self._speed.nbytes + self._gain.nbytes + self._rate.nbytes,
        }

    def state(self) -> dict[str, Tensor]:
        """Return all that goes on from here: places and speeds of all nodes, shape (2, n), and gains, shape (1, n)."""
        speed = self.ranks.join(self._speed, self._n)
        gain = self.ranks.join(self._gain[None], self._n)
        return {"places": self._places.clone(), "speed": speed.clone(), "gain": gain.clone()}

    def restore(self, state: dict[str, Tensor], age: int) -> None:
        """Go on from what `state` returned after ``age`` iterations, in any number of processes."""
        self._places = state["places"]
        self._speed = state["speed"][:, self._share].clone()
        self._gain = state["gain"][0, self._share].clone()
        self._age = age

    def write(self, positions: NDArray[np.float64]) -> None:
        """Put the positions into an array of shape (n, 2)."""
        positions[:] = self._places.T.cpu().numpy()
        if not self.held:
            positions -= positions.mean(axis=0)

    def hold(self, nodes: NDArray[np.integer], places: NDArray[np.float64]) -> None:
        """Put nodes somewhere and hold them, and no others, until the next call; nothing is centred any more."""
        self.held = True
        self._rates = self._given_rates.copy()
        self._rates[nodes] = 0
        if not nodes.size:
            return
        self._scaled_up = False
        own = torch.from_numpy(nodes[(nodes >= self._share.start) & (nodes < self._share.stop)] - self._share.start)
        with torch.inference_mode():
            moved = self._places.clone()
            moved[:, torch.from_numpy(nodes).to(self.device.place)] = self._to_device(places.T)
            self._places = moved
            self._speed[:, own.to(self.device.place)] = 0
            self._gain[own.to(self.device.place)] = 1

    def shake(self, rng: np.random.Generator) -> None:
        """Displace all free nodes a little; every process draws the same."""
        noise = rng.normal(0, SHAKE, (self._n, 2)) * (self._rates > 0)[:, None]
        with torch.inference_mode():
            self._places = self._places + self._to_device(noise.T) * self._spread()

    def shrink(self, factor: float) -> None:
        """Divide all positions and speeds by a factor."""
        with torch.inference_mode():
            self._places = self._places / factor
            self._speed /= factor

    def _spread(self) -> float:
        """Root mean square radius."""
        return math.sqrt(max(self._moments()[1], 0.0))

    def _moments(self) -> tuple[Tensor, float]:
        """Mean place, shape (2, 1), and the mean square distance from it."""
        sums = torch.stack([ordered_sum(row, self.device.sums) for row in self._places])
        mean = (sums / self._n).to(torch.float32)[:, None]
        squares = (self._places - mean).square_().sum(dim=0)
        return mean, float(ordered_sum(squares, self.device.sums)) / self._n

    def _blow_up(self) -> None:
        """Scale positions and speeds up to the least root mean square radius."""
        mean, variance = self._moments()
        spread = math.sqrt(variance)
        if 0 < spread < self._floor:
            self._places = (self._places - mean) * (self._floor / spread)
            self._speed *= self._floor / spread
