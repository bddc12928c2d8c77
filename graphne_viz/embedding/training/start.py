"""Where training starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz._threads import count_cores, one_blas_thread
from graphne_viz.layout.initialization.initial_positions import START_STD, spectral

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.embedding.training.settings import Settings
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout import components

    Floats = NDArray[np.float64]
else:
    components = lazy_import("graphne_viz.layout.components")

STARTS = ("spectral", "random")
NOTHING = 1e-9
"""Share of the largest entry of a diffusion map up to which another one is rounding errors."""


def read_start(initialization: object, n: int, dim: int) -> str | Floats:
    """Check what the caller wants to start from.

    Parameters
    ----------
    initialization : str or array_like, shape (n, dim)
    n, dim : int

    Returns
    -------
    str or ndarray of float64, shape (n, dim)
    """
    if isinstance(initialization, str):
        if initialization not in STARTS:
            raise ValueError(
                f"initialization must be one of {', '.join(map(repr, STARTS))} or an array of shape ({n}, {dim}), "
                f"got {initialization!r}"
            )
        return initialization
    try:
        start = as_real(initialization, np.float64)
    except (TypeError, ValueError):
        kind = type(initialization).__name__
        raise TypeError(
            f"initialization must be a name or an array of real numbers, got a {kind} that contains something else"
        ) from None
    if start.shape != (n, dim):
        raise ValueError(f"initialization must have the shape ({n}, {dim}), got {start.shape}")
    if not np.isfinite(start).all():
        raise ValueError("initialization must be finite, but contains NaN or infinity")
    zero = np.flatnonzero(~start.any(axis=1))
    if zero.size:
        raise ValueError(
            f"initialization must not contain zero vectors, because only directions count; got {zero.size:,}, the "
            f"first in row {zero[0]:,}"
        )
    return start


def as_real(given: Foreign, dtype: type[np.floating]) -> NDArray[Any]:
    """Copy numbers into an array; a TypeError or ValueError says that they are none, or complex."""
    if np.iscomplexobj(given):
        raise TypeError("complex numbers have no directions in real space")
    return np.array(given, dtype=dtype)


def starting_vectors(graph: Graph, start: str | Floats, settings: Settings) -> NDArray[np.float32]:
    """Return the vectors that training begins with, shape (n, dim), all of one length.

    The length is a matter of pace: a short vector turns faster. Diffusion maps leave nodes far out much longer than
    the rest, and these would hardly turn.

    Parameters
    ----------
    graph : Graph
    start : str or ndarray, shape (n, dim)
        See `read_start`.
    settings : Settings

    Returns
    -------
    ndarray of float32, shape (n, dim)
        No row is zero: one that would be has a random direction.
    """
    rng = np.random.default_rng(settings.seed)
    n, dim = graph.n_nodes, settings.dim
    if isinstance(start, str):
        vectors = rng.standard_normal((n, dim)) if start == "random" else _diffusion_maps(graph, dim, rng)
    else:
        vectors = start.copy()
    # A caller's vector may be as short as it likes; in a diffusion map such a row is rounding errors.
    least = NOTHING * np.abs(vectors).max() if isinstance(start, str) else 0.0
    return of_one_length(vectors, least, settings.length, rng).astype(np.float32)


def of_one_length(
    vectors: NDArray[np.floating], least: float, length: float, rng: np.random.Generator
) -> NDArray[np.floating]:
    """Scale vectors to one length, in place; those without an entry above the least get random directions."""
    lost = np.abs(vectors).max(axis=1) <= least
    vectors[lost] = rng.standard_normal((int(lost.sum()), vectors.shape[1]))
    vectors /= np.abs(vectors).max(axis=1, keepdims=True)  # so that no square overflows or vanishes
    vectors *= length / np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _diffusion_maps(graph: Graph, dim: int, rng: np.random.Generator) -> Floats:
    """Diffusion maps of each part, around a random direction of its own, so that parts begin apart."""
    vectors = np.zeros((graph.n_nodes, dim))
    parts = components.split(graph.adjacency)
    for part in range(parts.n_parts):
        adjacency = parts.submatrix(graph.adjacency, part)
        vectors[parts.nodes(part)] = map_of_part(adjacency, dim, rng, alone=parts.n_parts == 1)
    return vectors


def map_of_part(adjacency: sp.csr_array, dim: int, rng: np.random.Generator, *, alone: bool) -> Floats:
    """Diffusion map of one connected part, shape (m, dim); `alone` says that there is no other."""
    rank = min(dim, adjacency.shape[0] - 1)
    with one_blas_thread():  # its threads take longer to wake than these eigenvectors to compute
        map_ = spectral(adjacency, rank, seed=rng, n_jobs=count_cores())
    return among_parts(map_, dim, rng, alone=alone)


def among_parts(map_: Floats, dim: int, rng: np.random.Generator, *, alone: bool) -> Floats:
    """Turn the diffusion map of a part, shape (m, k), around a random direction of its own, shape (m, dim)."""
    if map_.shape[1] == dim and alone:
        return map_
    # Of several parts each has a leading eigenvector that is constant on it. It matters most to the smallest ones:
    # without it, two nodes would begin on opposite sides, where nothing draws them to either side.
    map_ = np.column_stack([np.full(len(map_), START_STD), map_])[:, :dim]
    turned, _ = np.linalg.qr(rng.standard_normal((dim, map_.shape[1])))
    return np.asarray(map_ @ turned.T)
