"""Seeds: what a caller may pass as ``seed``, and the generator it stands for."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

Seed: TypeAlias = int | np.integer | np.random.Generator | np.random.RandomState | None
"""What a caller may pass as ``seed``, as in networkx."""


def as_generator(seed: Seed) -> np.random.Generator:
    """Turn any seed networkx accepts into a Generator.

    Parameters
    ----------
    seed : int, Generator, RandomState or None
        A Generator is used as it is. A RandomState is drawn from, and so advances. None draws from
        numpy's global state, so that ``np.random.seed`` governs it, as it does in networkx.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> int(as_generator(0).integers(100)) == int(as_generator(np.int64(0)).integers(100))
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        # networkx reads None as numpy's global state, and so do the notebooks written against it.
        return np.random.default_rng(np.random.randint(2**31, size=4))  # noqa: NPY002
    if isinstance(seed, np.random.RandomState):
        return np.random.default_rng(seed.randint(2**31, size=4))
    if isinstance(seed, int | np.integer):
        if seed < 0:
            raise ValueError(f"seed must not be negative, got {seed}")
        return np.random.default_rng(int(seed))
    raise TypeError(f"seed must be an int, a numpy Generator, a numpy RandomState or None, got {type(seed).__name__}")
