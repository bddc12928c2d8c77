"""Compiled inner loop that counts which neighbours are among the nearest nodes."""

from __future__ import annotations

import numpy as np

from graphne_viz._compiled import compiled

loop = compiled()

_NOWHERE = np.float32(-2.0)
"""Less than any cosine."""


@loop
def _nodes_above(values, border):
    """How many values are larger than a border."""
    above = 0
    for k in range(values.size):
        above += values[k] > border
    return above


@loop
def recalls(S, nodes, offsets, neighbors, found):
    """Find the share of some nodes' neighbours among as many nearest nodes.

    Nodes that are as near as the last of the nearest share the places that the nearer ones leave. Neighbours are
    looked at by halves, because the nearer a node is the fewer are above it.

    Parameters
    ----------
    S : ndarray of float32, shape (m, n)
        Cosines of the nodes to all; those to themselves are overwritten.
    nodes : ndarray of int64, shape (m,)
    offsets : ndarray of int64, shape (m + 1,)
        Where the neighbours of each begin and end.
    neighbors : ndarray of int64
    found : ndarray of float64, shape (m,)
        Filled.
    """
    for i in range(len(S)):
        values = S[i]
        values[nodes[i]] = _NOWHERE
        degree = offsets[i + 1] - offsets[i]
        near = np.sort(values[neighbors[offsets[i] : offsets[i + 1]]])
        first, last = 0, degree
        while first < last:
            middle = (first + last) // 2
            if _nodes_above(values, near[middle]) < degree:
                last = middle
            else:
                first = middle + 1
        if first == degree:
            found[i] = 0.0
            continue
        border = near[first]
        above, as_near, after = 0, 0, first
        for k in range(values.size):
            above += values[k] > border
            as_near += values[k] == border
        while after < degree and near[after] == border:
            after += 1
        share = min((degree - above) / as_near, 1.0)
        found[i] = (degree - after + (after - first) * share) / degree
