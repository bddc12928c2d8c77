"""The coordinates of trained vectors: along which axes they are written down.

No angle depends on it, but what people do next does: a linear classifier on standardised coordinates gets there sooner
where these are uncorrelated, and the last principal axes are the ones of which least is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import one_blas_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.training.state import State

    Axes = NDArray[np.float64]

_ROWS = 1 << 14
"""Vectors whose products are added up in double precision at a time."""


def along_principal_axes(embedding: Embedding) -> Embedding:
    """Turn an embedding, and what its training resumes from, so that its coordinates are uncorrelated.

    Parameters
    ----------
    embedding : Embedding

    Returns
    -------
    Embedding
        With the same angles; the first coordinate varies most, the last one least.
    """
    axes = principal_axes(moments(embedding.vectors))
    state = embedding.state
    return replace(
        embedding,
        vectors=turned(embedding.vectors, axes),
        state=None if state is None else _turned_state(state, axes),
    )


def moments(vectors: NDArray[np.float32]) -> Axes:
    """Return sums over vectors, which can be added up over parts of them, shape (d + 1, d + 1).

    The products of all coordinates with each other and with 1.
    """
    dim = vectors.shape[1]
    sums = np.zeros((dim + 1, dim + 1))
    with one_blas_thread():  # so that their number does not change the rounding
        for at in range(0, len(vectors), _ROWS):
            some = np.pad(vectors[at : at + _ROWS].astype(np.float64), ((0, 0), (0, 1)), constant_values=1)
            sums += some.T @ some
    return sums


def principal_axes(sums: Axes) -> Axes:
    """Return the axes of most variance, from the sums of `moments`, as columns, shape (d, d).

    Of the two directions of an axis it is the one that its largest entry is positive in.
    """
    count, totals = sums[-1, -1], sums[-1, :-1]
    with one_blas_thread():
        _, axes = np.linalg.eigh(sums[:-1, :-1] - np.outer(totals, totals) / count)
    axes = axes[:, ::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=0)[None], axis=0)
    return np.asarray(axes * np.where(largest < 0, -1.0, 1.0))


def turned(vectors: NDArray[np.float32], axes: Axes) -> NDArray[np.float32]:
    """Return vectors in the coordinates of other axes, shape (n, d)."""
    with one_blas_thread():
        return np.asarray(vectors @ axes.astype(np.float32))


def _turned_state(state: State, axes: Axes) -> State:
    """Return a state that resumes in the new coordinates.

    What is known of the squares of gradients is taken for that of uncorrelated ones, as Adam does.
    """
    return replace(
        state,
        parameters=turned(state.parameters, axes),
        first=turned(state.first, axes),
        second=turned(state.second, axes**2),
    )
