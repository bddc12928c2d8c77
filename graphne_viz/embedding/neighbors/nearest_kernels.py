"""Compiled inner loops that keep the nearest of all nodes, while tiles of the similarity matrix pass by."""

from __future__ import annotations

import numpy as np

from graphne_viz._compiled import compiled

loop = compiled(fastmath={"contract", "reassoc", "nsz", "arcp", "nnan"})

_STRIP = 64
"""Similarities that are looked through at once, to see whether any of them is worth keeping."""


@loop
def _keep(similarity, node, near, nodes):
    """Put a node into the list of another, which is sorted, the farthest first."""
    k = 0
    while k + 1 < near.size and near[k + 1] < similarity:
        near[k] = near[k + 1]
        nodes[k] = nodes[k + 1]
        k += 1
    near[k] = similarity
    nodes[k] = node


@loop
def compare_tile(unit, first, second, size, room, near, nodes):
    """Compare ``size`` nodes from `first` on with as many from `second` on, which is not smaller.

    Every pair is seen once, and may enter the lists of both its nodes.

    Parameters
    ----------
    unit : ndarray of float32, shape (n, d)
    first, second, size : int
    room : ndarray of float32, shape (size * size,)
        To work in.
    near, nodes : ndarray of float32 and int64, shape (n, k)
        Similarities, the lowest first, and the nodes they are to.
    """
    n = len(unit)
    left, right = unit[first : min(first + size, n)], unit[second : min(second + size, n)]
    rows, columns = len(left), len(right)
    S = room[: rows * columns].reshape(rows, columns)
    np.dot(left, right.T, S)
    least = near[second : second + columns, 0].copy()
    for i in range(rows):
        node = first + i
        values = S[i]
        begin = i + 1 if first == second else 0
        for lo in range(begin, columns, _STRIP):
            hi = min(lo + _STRIP, columns)
            border = near[node, 0]
            most = np.float32(-4.0)
            for j in range(lo, hi):
                most = max(most, values[j] - min(least[j], border))
            if most <= 0:
                continue
            for j in range(lo, hi):
                if values[j] > near[node, 0]:
                    _keep(values[j], second + j, near[node], nodes[node])
                if values[j] > least[j]:
                    _keep(values[j], node, near[second + j], nodes[second + j])
                    least[j] = near[second + j, 0]


@loop
def merge(near, nodes):
    """Join the lists of several threads, shape (threads, n, k), to one, shape (n, k)."""
    threads, n, k = near.shape
    for thread in range(1, threads):
        for i in range(n):
            for a in range(k):
                if near[thread, i, a] > near[0, i, 0]:
                    _keep(near[thread, i, a], nodes[thread, i, a], near[0, i], nodes[0, i])
    return nodes[0]
