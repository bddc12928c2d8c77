"""Compiled inner loops of the spectral start; their conventions are those of `graphne_viz.layout.engine.kernels`."""

from __future__ import annotations

import math

import numpy as np

from graphne_viz._compiled import compiled

_index = np.uint64
_ONE = np.uint64(1)


@compiled()
def strongest_tie(lo, hi, indptr, indices, weights, scale, noise, partner):
    """Find the partners of nodes ``lo:hi``: the neighbour each is tied to most, or itself where it has none.

    A tie is the weight times ``scale`` of both ends and one to two by the noise of both, so that it is the same from
    either end: with equal weights and without noise a path would merge into a single node.
    """
    e = _index(indptr[lo])
    for i in range(_index(lo), _index(hi)):
        best = 0.0
        partner[i] = i
        end = _index(indptr[i + _ONE])
        while e < end:
            j = _index(indices[e])
            if i != j:
                chance = noise[i] + noise[j]
                tie = (chance + (1 - math.floor(chance))) * (scale[i] * scale[j] * weights[e])
                if tie >= best:
                    best = tie
                    partner[i] = j
            e += _ONE


@compiled()
def count_merged(lo, hi, order, offsets, labels, indptr, indices, seen, counts):
    """Count the entries in rows ``lo:hi`` of the matrix of merged nodes; ``seen`` holds -1 for each of them.

    Node ``order[k]`` is part of merged node c for k in ``offsets[c]:offsets[c + 1]``, as ``labels`` says too.
    """
    for c in range(lo, hi):
        total = 0
        for k in range(_index(offsets[c]), _index(offsets[c + 1])):
            i = _index(order[k])
            for e in range(_index(indptr[i]), _index(indptr[i + _ONE])):
                other = _index(labels[_index(indices[e])])
                if seen[other] != c:
                    seen[other] = c
                    total += 1
        counts[c] = total


@compiled()
def add_merged(
    lo, hi, order, offsets, labels, indptr, indices, weights, place, merged_indptr, merged_indices, merged_weights
):
    """Fill in the entries that `count_merged` has counted; ``place`` holds -1 for each merged node."""
    for c in range(lo, hi):
        first = merged_indptr[c]
        free = first
        for k in range(_index(offsets[c]), _index(offsets[c + 1])):
            i = _index(order[k])
            for e in range(_index(indptr[i]), _index(indptr[i + _ONE])):
                other = _index(labels[_index(indices[e])])
                if place[other] < first:
                    place[other] = free
                    merged_indices[_index(free)] = other
                    merged_weights[_index(free)] = weights[e]
                    free += 1
                else:
                    merged_weights[_index(place[other])] += weights[e]


@compiled(fastmath=True)
def filter_step(lo, hi, indptr, indices, weights, middle, scale, now, before, after):
    """One step of a Chebyshev filter, rows ``lo:hi``: ``scale * (S @ now - middle * now) - before``.

    Arrays have shape (n, 4): with the number of columns known, sums stay in registers, and a step takes a fraction of
    what a product of sparse and full matrices does.
    """
    e = _index(indptr[lo])
    for i in range(_index(lo), _index(hi)):
        a = -middle * now[i, 0]
        b = -middle * now[i, 1]
        c = -middle * now[i, 2]
        d = -middle * now[i, 3]
        end = _index(indptr[i + _ONE])
        while e < end:
            j = _index(indices[e])
            w = weights[e]
            a += w * now[j, 0]
            b += w * now[j, 1]
            c += w * now[j, 2]
            d += w * now[j, 3]
            e += _ONE
        after[i, 0] = scale * a - before[i, 0]
        after[i, 1] = scale * b - before[i, 1]
        after[i, 2] = scale * c - before[i, 2]
        after[i, 3] = scale * d - before[i, 3]
