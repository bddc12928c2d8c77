"""Leaves of one hub, which t-SNE puts on one point.

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
    hubs = adjacency.indices[adjacency.indptr[leaves]]
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
