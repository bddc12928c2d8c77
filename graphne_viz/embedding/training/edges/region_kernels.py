"""Compiled inner loop that parts a graph into regions."""

from __future__ import annotations

import numpy as np

from graphne_viz._compiled import compiled

loop = compiled()


@loop
def grow(indptr, indices, order, count, most, labels):
    """Give each node the number of its region; how many regions there are.

    All grow at once, a step along the edges at a time, until they are full or meet. What is left over then, enclosed or
    not linked to any, is taken up in the same way from one of its nodes after another.

    Parameters
    ----------
    indptr, indices : ndarray
        Of the adjacency matrix.
    order : ndarray of int64, shape (n,)
        All nodes in random order; the first ones are where regions begin.
    count : int
        How many begin at once.
    most : int
        Most nodes in a region.
    labels : ndarray of int32, shape (n,)
        Filled.
    """
    n = len(order)
    labels[:] = -1
    queue, sizes = np.empty(n, np.int64), np.zeros(n, np.int64)
    head, tail, regions = 0, 0, 0
    for k in range(n):
        begin = order[k]
        if labels[begin] >= 0:
            continue
        labels[begin] = regions
        sizes[regions] = 1
        regions += 1
        queue[tail] = begin
        tail += 1
        if k < count - 1:
            continue
        while head < tail:
            node = queue[head]
            head += 1
            region = labels[node]
            for e in range(indptr[node], indptr[node + 1]):
                if sizes[region] == most:
                    break
                near = indices[e]
                if labels[near] < 0:
                    labels[near] = region
                    sizes[region] += 1
                    queue[tail] = near
                    tail += 1
    return regions
