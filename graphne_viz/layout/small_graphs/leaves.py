"""Leaves of one hub, which t-SNE puts on one point, and in stars at uneven angles.

Nodes whose only neighbour is the same have the same attraction, and their repulsion from each other is too weak to part
them: at the optimum they stand on one point, very near the hub, and nearer to each other than to it. On a circle
around the hub they cost no more, since over such distances the similarity is constant, and can be told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

NEAR = 0.15
"""Distance from the hub up to which leaves are put around it, as a share of a regular grid's pitch.

Further away they have places of their own, which say where in the layout the hub has room.
"""


def surround_hubs(adjacency: sp.csr_array, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put leaves that stand close to their hub around it, as far away as they are.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric, positive weights.
    positions : ndarray, shape (n, 2)
        Left unchanged.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> star = np.zeros((6, 6))
    >>> star[0, 1:] = star[1:, 0] = star[4, 5] = star[5, 4] = 1
    >>> at = np.array([[0, 0], [0.1, 0], [0.1, 0], [0.1, 0], [5, 0], [5, 5]], dtype=float)
    >>> surround_hubs(sp.csr_array(star), at).round(2)[1:4]
    array([[ 0.1 ,  0.  ],
           [-0.05,  0.09],
           [-0.05, -0.09]])
    """
    degrees = np.diff(adjacency.indptr)
    leaves = np.flatnonzero(degrees == 1)
    return surround(leaves, adjacency.indices[adjacency.indptr[leaves]], positions)


def surround(
    leaves: NDArray[np.integer], hubs: NDArray[np.integer], positions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Do the same where leaves and hubs are known: nodes with one neighbour, and that neighbour, shape (k,) each."""
    order = np.argsort(hubs, kind="stable")
    leaves, hubs = leaves[order], hubs[order]
    _, first, counts = np.unique(hubs, return_index=True, return_counts=True)
    if not counts.size or counts.max() < 2:
        return positions
    offsets = positions[leaves] - positions[hubs]
    middles = np.add.reduceat(offsets, first) / counts[:, None]
    radii = np.sqrt(np.add.reduceat((offsets**2).sum(axis=1), first) / counts)
    pitch = float(np.sqrt(np.ptp(positions, axis=0).prod() / len(positions)))
    chosen = np.repeat((counts > 1) & (radii < NEAR * pitch), counts)
    turns = (np.arange(len(hubs)) - np.repeat(first, counts)) / np.repeat(counts, counts)
    angles = np.repeat(np.arctan2(middles[:, 1], middles[:, 0]), counts) + 2 * np.pi * turns
    around = np.repeat(radii, counts)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    moved = positions.copy()
    moved[leaves[chosen]] = (positions[hubs] + around)[chosen]
    return moved


def even_stars(adjacency: sp.csr_array, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put the leaves of each star around its hub at equal angles, where that brings none of them nearer to another.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n)
        Symmetric; a star is a part of it in which all neighbours of one node have no other.
    positions : ndarray, shape (n, 2)
        Left unchanged.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> star = sp.csr_array([[0.0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])
    >>> even_stars(star, np.array([[0, 0], [1, 0], [0, 1], [0, -1]], dtype=float)).round(2)[1:]
    array([[ 1.  ,  0.  ],
           [-0.5 ,  0.87],
           [-0.5 , -0.87]])
    """
    degrees = np.diff(adjacency.indptr)
    moved = positions.copy()
    for hub in np.flatnonzero(degrees > 2):
        leaves = adjacency.indices[adjacency.indptr[hub] : adjacency.indptr[hub + 1]]
        if (degrees[leaves] > 1).any():
            continue
        x, y = (positions[leaves] - positions[hub]).T
        angles, radius = np.arctan2(y, x), float(np.hypot(x, y).mean())
        turns = np.empty(leaves.size)
        turns[np.argsort(angles)] = 2 * np.pi * np.arange(leaves.size) / leaves.size
        # Many leaves were moved apart into several rings, for which one has no room.
        apart = np.hypot(x[:, None] - x, y[:, None] - y)[np.triu_indices(leaves.size, 1)]
        if 2 * radius * np.sin(np.pi / leaves.size) < float(apart.min()):
            continue
        turns += np.angle(np.exp(1j * (angles - turns)).mean())
        moved[leaves] = positions[hub] + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return moved
