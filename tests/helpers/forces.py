"""Forces summed in a slow and obvious way, and points to sum them at."""

import numpy as np


def slow(points, dof):
    """Push on every node and the normalisation, summed pair by pair in float64."""
    push, z = np.empty_like(points), 0.0
    for i, point in enumerate(points):
        apart = point - points
        kernel = (1 + (apart**2).sum(axis=1) / dof) ** -dof
        push[i] = (apart * (kernel ** ((dof + 1) / dof))[:, None]).sum(axis=0)
        z += kernel.sum() - 1
    return push, z


def relative(found, true):
    return np.sqrt(((found - true) ** 2).sum() / (true**2).sum())


def cloud(shape, n=1800, seed=0):
    """Points as they lie in layouts of several densities."""
    rng = np.random.default_rng(seed)
    if shape == "dense":
        points = rng.uniform(-5, 5, (n, 2))
    elif shape == "medium":
        points = rng.uniform(-30, 30, (n, 2))
    elif shape == "sparse":
        points = rng.uniform(-100, 100, (n, 2))
    elif shape == "clusters":
        points = rng.normal(0, 30, (40, 2))[rng.integers(0, 40, n)] + rng.normal(0, 1, (n, 2))
    elif shape == "tiny":
        points = rng.normal(0, 0.01, (n, 2))  # as after a spectral start
    elif shape == "long":
        points = rng.uniform(-1, 1, (n, 2)) * [150, 2]
    else:  # one node far from all others
        points = np.append(rng.normal(0, 8, (n - 1, 2)), [[120, -90]], axis=0)
    return points.astype(np.float32).astype(np.float64)
