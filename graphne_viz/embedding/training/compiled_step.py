"""A step of training on a processor: several small batches at once, each on a thread of its own."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from graphne_viz.embedding.training import batch_kernels
from graphne_viz.embedding.training.settings import BETAS, EPSILON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from graphne_viz._threads import ThreadTeam

    Floats = NDArray[np.float32]

LARGEST_BATCH = 1024
"""Edges in a batch of which all similarities are held at once, for each thread: 16 MB."""


class CompiledStep:
    """Learns from some batches at once: all gradients are those of the same vectors, then every vector moves once.

    Parameters
    ----------
    table, first, second : ndarray of float32, shape (n, d)
        Vectors and Adam's moments; changed in place.
    batch_size : int
        Most edges in a batch.
    batches : int
        Most batches in a step.
    team : ThreadTeam
        Threads that share the batches. Their number changes nothing in the result.
    """

    def __init__(
        self, table: Floats, first: Floats, second: Floats, *, batch_size: int, batches: int, team: ThreadTeam
    ) -> None:
        n, dim = table.shape
        self._table, self._first, self._second = table, first, second
        self._team = team
        most = 2 * batch_size
        self._places = [np.zeros(n, np.int32) for _ in range(team.n_jobs)]
        self._stamps = [np.zeros(n, np.int64) for _ in range(team.n_jobs)]
        self._units = [np.empty((most, dim), np.float32) for _ in range(team.n_jobs)]
        self._rooms = [np.empty(most * most, np.float32) for _ in range(team.n_jobs)]
        self._counts = [np.empty(most, np.float32) for _ in range(team.n_jobs)]
        self._tops = [np.empty(most, np.float32) for _ in range(team.n_jobs)]
        self._free = list(range(team.n_jobs))
        self._nodes = np.empty((batches, most), np.int64)
        self._gradients = np.empty((batches, most, dim), np.float32)
        self._rows, self._origins = np.empty((2, batches * most), np.int64)
        self._stamp = 0

    def learn(
        self,
        batches: list[NDArray[np.int64]],
        *,
        temperature: float,
        own_share: float,
        against: float | None,
        rate: float,
        step: int,
    ) -> tuple[float, float]:
        """Take a step.

        Parameters
        ----------
        batches : list of ndarray of int64, shape (b, 2)
        temperature, own_share, rate : float
        against : float, optional
            As for `info_nce`.
        step : int
            Number of this step, from 1.

        Returns
        -------
        loss, slope : float
            Means over all pairs in both directions; the slope is by the logarithm of the temperature.
        """
        sizes = np.empty(len(batches), np.int64)
        sums = np.empty((len(batches), 2))
        first_stamp, self._stamp = self._stamp + 1, self._stamp + len(batches) + 1
        inverse, share, stands_for = (np.float32(number) for number in (1 / temperature, own_share, against or 0))

        def differentiate(k: int) -> None:
            desk = self._free.pop()
            pairs = batches[k]
            places, counts, nodes = self._places[desk], self._counts[desk], self._nodes[k]
            m = batch_kernels.number_nodes(pairs, places, self._stamps[desk], first_stamp + k, nodes, counts)
            sizes[k] = m
            sums[k] = batch_kernels.batch_gradient(
                self._table,
                pairs,
                nodes[:m],
                counts[:m],
                places,
                inverse,
                share,
                stands_for,
                self._units[desk][:m],
                self._rooms[desk][: m * m],
                self._tops[desk][:m],
                self._gradients[k, :m],
            )
            self._free.append(desk)

        self._team.run(differentiate, len(batches))
        count = batch_kernels.first_rows(
            self._nodes,
            sizes,
            self._places[0],
            self._stamps[0],
            self._stamp,
            self._gradients,
            self._rows,
            self._origins,
        )
        pairs = sum(len(batch) for batch in batches)
        damping = math.sqrt(1 - BETAS[1] ** step)
        numbers = (
            1 / (2 * pairs * temperature),
            *BETAS,
            EPSILON * damping,
            rate * damping / (1 - BETAS[0] ** step),
        )
        scale, keep, keep_square, epsilon, pace = (np.float32(number) for number in numbers)
        flat = self._gradients.reshape(-1, self._table.shape[1])
        parts = self._team.n_jobs
        bounds = [count * part // parts for part in range(parts + 1)]

        def move(part: int) -> None:
            lo, hi = bounds[part], bounds[part + 1]
            batch_kernels.adam_rows(
                self._table,
                self._first,
                self._second,
                self._rows[lo:hi],
                self._origins[lo:hi],
                flat,
                scale,
                keep,
                keep_square,
                epsilon,
                pace,
            )

        self._team.run(move, parts)
        loss, slope = sums.sum(axis=0) / (2 * pairs)
        return float(loss), float(slope)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep matrix products on the thread that asks for them: those of a small batch are not worth sharing."""
    import scipy.linalg.cython_blas  # noqa: F401, PLC0415 -- loads the library that is to be limited

    with threadpool_limits(1, user_api="blas"):
        yield
