"""Sums over all processes that do not depend on how the terms are divided among them.

Floating-point sums depend on their order. Rounded to integers first, terms add up to the same bits in any order, so
that two processes and four go exactly the same way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graphne_viz._types import Floats
    from graphne_viz.layout.engine.torch_engine.world import World

_BITS = 61
"""Of an integer that a sum must fit into."""


def exact_sums(world: World, values: Floats, owners: np.ndarray, count: int, terms: int) -> Floats:
    """Add up values between 0 and 1 for each of some owners, shape (count,).

    Parameters
    ----------
    world : World
        All processes.
    values : ndarray, shape (m,)
        Those of this process.
    owners : ndarray of int, shape (m,)
        To which of ``count`` sums each belongs.
    count : int
        Number of sums.
    terms : int
        How many values there are in all, at most.
    """
    unit = _unit(terms)
    sums = np.zeros(count, dtype=np.int64)
    np.add.at(sums, owners, np.rint(values * unit).astype(np.int64))
    return np.asarray(world.total(sums) / unit)


def exact_inner(world: World, X: Floats, Y: Floats, n: int, *, symmetric: bool = False) -> Floats:
    """Inner products of all columns of X and Y, shape (a, b), of which every process has some rows.

    Parameters
    ----------
    world : World
        All processes.
    X, Y : ndarray, shape (m, a) and (m, b)
        Rows of this process.
    n : int
        Rows of all.
    symmetric : bool
        Whether the result is known to be.
    """
    tops = np.concatenate([np.abs(X).max(axis=0, initial=0), np.abs(Y).max(axis=0, initial=0)])
    scales = np.exp2(-np.frexp(world.most(tops))[1].astype(np.float64))
    unit = _unit(n)
    sums = np.zeros((X.shape[1], Y.shape[1]), dtype=np.int64)
    for i in range(X.shape[1]):
        column = X[:, i] * (scales[i] * unit)
        for j in range(i if symmetric else 0, Y.shape[1]):
            sums[i, j] = np.rint(column * (Y[:, j] * scales[X.shape[1] + j])).astype(np.int64).sum()
    found = world.total(sums) / unit / np.outer(scales[: X.shape[1]], scales[X.shape[1] :])
    return np.asarray(np.triu(found) + np.triu(found, 1).T if symmetric else found)


def _unit(terms: int) -> float:
    """Return what 1 becomes as an integer, so that so many of them fit."""
    return 2.0 ** (_BITS - math.ceil(math.log2(max(terms, 2))))
