"""Where a training starts of which every process has the rows of its own nodes.

The vectors are those of `graphne_viz.embedding.training.start`: diffusion maps of the connected parts. Large parts are
solved by all processes together, small ones whole, each by one process, which sends the rows to whom they belong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.embedding.training.start import NOTHING, among_parts, map_of_part, of_one_length
from graphne_viz.layout.engine.torch_engine.distributed import components, eigenvectors, exchange
from graphne_viz.layout.initialization.initial_positions import JITTER, START_STD

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Floats
    from graphne_viz.embedding.training.settings import Settings
    from graphne_viz.layout.components import Parts
    from graphne_viz.layout.engine.torch_engine.world import World

ALONE_UP_TO = 512
"""Nodes up to which a connected part is solved by one process."""


def starting_rows(world: World, cuts: list[int], rows: sp.csr_array, settings: Settings) -> NDArray[np.float32]:
    """Return own rows of the vectors that training begins with, shape (m, dim), all of one length.

    Parameters
    ----------
    world : World
        All processes.
    cuts : list of int
        Where the nodes of each process begin, and how many there are.
    rows : csr_array, shape (m, n)
        Of the adjacency matrix: those of this process's nodes.
    settings : Settings
        ``initialization`` is "spectral" or "random".
    """
    rng = np.random.default_rng([settings.seed, world.rank, world.size])
    shape = rows.shape[0], settings.dim
    if settings.initialization == "random":
        vectors, least = rng.standard_normal(shape, np.float32), 0.0
    else:
        vectors = _diffusion_maps(world, cuts, rows, settings, rng)
        least = NOTHING * float(world.most(np.array([np.abs(vectors).max(initial=0)], np.float64))[0])
    return np.asarray(of_one_length(vectors, least, settings.length, rng), np.float32)


def _diffusion_maps(
    world: World, cuts: list[int], rows: sp.csr_array, settings: Settings, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Own rows of the diffusion maps of all parts; zero for isolates."""
    low = cuts[world.rank]
    parts = components.split(world, rows, low)
    vectors = np.zeros((rows.shape[0], settings.dim), np.float32)
    shared = int(np.searchsorted(-parts.sizes, -ALONE_UP_TO, side="left"))
    for part in range(shared):
        own, map_ = _shared_part(world, cuts, rows, parts, part, settings, rng)
        vectors[own] = map_
    if shared < parts.n_parts:
        nodes, found = _small_parts(world, cuts, rows, parts, shared, settings)
        vectors[nodes - low] = found
    return vectors


def _shared_part(  # noqa: PLR0917 - of one place
    world: World,
    cuts: list[int],
    rows: sp.csr_array,
    parts: Parts,
    part: int,
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], Floats]:
    """Solve a part together: which of the own rows belong to it, and their vectors."""
    nodes = parts.nodes(part)
    within = np.searchsorted(nodes, cuts).tolist()  # the nodes of a part rise, so each process has a run of them
    own = nodes[within[world.rank] : within[world.rank + 1]] - cuts[world.rank]
    block = rows
    if len(nodes) < cuts[-1]:
        block = rows[own]
        columns = parts.position[block.indices] - parts.offsets[part]
        block = type(rows)((block.data, columns.astype(block.indices.dtype), block.indptr), (len(own), len(nodes)))
    alike = np.random.default_rng([settings.seed, part])  # in every process
    dim = min(settings.dim, len(nodes) - 1)
    values, V = eigenvectors.leading(world, within, block, dim, alike, exact=False)
    map_ = np.zeros((len(own), dim))
    map_[:, : len(values)] = V * np.maximum((1 + values) / 2, 1e-3)
    _rescale(world, map_, len(nodes))
    map_ += rng.normal(0, JITTER * START_STD, map_.shape)
    return own, among_parts(map_, settings.dim, alike, alone=parts.n_parts == 1)


def _rescale(world: World, map_: Floats, n: int) -> None:
    """Centre own rows and scale them so that the first coordinate has the usual standard deviation, in place."""
    map_ /= float(world.most(np.array([np.abs(map_).max(initial=0)]))[0]) or 1.0
    map_ -= world.total(map_.sum(axis=0)) / n
    spreads = np.sqrt(world.total((map_ * map_).sum(axis=0)) / n)
    # Where the first coordinate is constant, which no eigenvector is but for rounding errors, all count.
    spread = spreads[0] if spreads[0] > 1e-12 else np.sqrt((spreads**2).mean())
    map_ *= START_STD / spread if spread > 1e-12 else 0.0


def _small_parts(  # noqa: PLR0917 - of one place
    world: World, cuts: list[int], rows: sp.csr_array, parts: Parts, shared: int, settings: Settings
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Solve the parts that are not shared, each in the process that has its first node: own nodes, and their vectors.

    Returns
    -------
    nodes : ndarray of int64, shape (k,)
    vectors : ndarray of float32, shape (k, dim)
    """
    begin, end = int(parts.offsets[shared]), int(parts.offsets[-1])
    owner = np.searchsorted(cuts, parts.order[parts.offsets[shared:-1]], side="right") - 1
    low = cuts[world.rank]
    entries = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    of = parts.labels[low : low + rows.shape[0]][entries]
    chosen = of >= shared
    places = parts.position[entries[chosen] + low] - begin, parts.position[rows.indices[chosen]] - begin
    sent = exchange.send_entries(world, owner[of[chosen] - shared], *places, rows.data[chosen])
    whole = exchange.as_rows(*sent, (end - begin, end - begin))
    solved = [np.empty(0, np.int64)]
    found = [np.empty((0, settings.dim), np.float32)]
    for part in (np.flatnonzero(owner == world.rank) + shared).tolist():
        first, stop = parts.offsets[part : part + 2] - begin
        rng = np.random.default_rng([settings.seed, part])
        map_ = map_of_part(whole[first:stop, first:stop], settings.dim, rng, alone=parts.n_parts == 1)
        solved.append(parts.nodes(part).astype(np.int64))
        found.append(map_.astype(np.float32))
    return _send_rows(world, cuts, np.concatenate(solved), np.concatenate(found))


def _send_rows(
    world: World, cuts: list[int], nodes: NDArray[np.int64], vectors: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Send vectors to the processes that have their nodes."""
    order = np.argsort(nodes)
    ends = np.searchsorted(nodes[order], cuts[1:-1])
    came = world.exchange(np.split(nodes[order], ends))
    rows = world.exchange([piece.ravel() for piece in np.split(vectors[order], ends)])
    return came, rows.reshape(len(came), vectors.shape[1])
