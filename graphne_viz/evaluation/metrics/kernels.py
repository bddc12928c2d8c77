"""Compiled inner loops: who is nearest, who shares most neighbours, how many steps apart.

Without ``fastmath``: the same two points have the same distance to the last bit wherever it is computed, so that equal
distances can be told from near ones. Kernels release the GIL; threads take ranges of rows.
"""

from __future__ import annotations

import math

import numpy as np

from graphne_viz._compiled import compiled

_SPAN = 1024
"""Entries counted at a time; only where some need a closer look are they gone through one by one."""

_ANGLES = 6
"""In the plane a node is among the k nearest of at most so many times k others: of those within an angle of 60 degrees
the k nearest to it may have it so, and the rest have k nearer ones."""

kernel = compiled()


@kernel
def _square(points, i, j):
    """|y_i - y_j|^2, coordinate by coordinate."""
    total = 0.0
    for c in range(points.shape[1]):
        apart = points[i, c] - points[j, c]
        total += apart * apart
    return total


@kernel
def _fill(columns, i, row):
    """|y_i - y_j|^2 for all j into a row, added up in the order of `_square`; infinite for i itself."""
    n = row.size
    for c in range(columns.shape[0]):
        column, here = columns[c], columns[c, i]
        if c == 0:
            for j in range(n):
                apart = here - column[j]
                row[j] = 0.0 + apart * apart
        else:
            for j in range(n):
                apart = here - column[j]
                row[j] += apart * apart
    row[i] = np.inf


@kernel
def _count(row, low, high):
    """How many entries are below the one, and how many are up to the other limit."""
    below, within = np.uint32(0), np.uint32(0)  # kept at 32 bits, so that eight are added at a time
    for j in range(row.size):
        below = np.uint32(below + np.uint32(row[j] < low))
        within = np.uint32(within + np.uint32(row[j] <= high))
    return np.int64(below), np.int64(within)


@kernel
def _rank(row, value, slack, margin, points, i):
    """How many points are nearer to i than the squared distance `value`, and how many as near.

    Entries of the row are right up to the margin; where that leaves it open, the distance itself decides.
    Third: how many distances that took.
    """
    tie = slack * (2.0 * math.sqrt(value) + slack)
    low, high = row.dtype.type(value - tie - margin), row.dtype.type(value + tie + margin)
    nearer, level, opened = 0, 0, 0
    for lo in range(0, row.size, _SPAN):
        span = row[lo : lo + _SPAN]
        below, within = _count(span, low, high)
        nearer += below
        if margin == 0.0:
            level += within - below
        elif within > below:
            opened += within - below
            for j in range(span.size):
                if low <= span[j] <= high:
                    square = _square(points, i, lo + j)
                    nearer += square < value - tie
                    level += value - tie <= square <= value + tie
    return nearer, level, opened


@kernel
def _share(row, slack, margin, patience, points, i, places, wanted, weights):
    """Weight of those wanted that are among the `places` nearest of i; below 0 where patience ended.

    The rank of a point grows with its distance, so halving the sorted list of those wanted finds the farthest that has
    a place. Points as far as that one, up to the slack, share the places left.
    """
    squares = np.empty(wanted.size)
    for t in range(wanted.size):
        squares[t] = _square(points, i, wanted[t])
    order = np.argsort(squares)
    lo, hi = -1, wanted.size  # up to the one all have a place, from the other on none has
    last, portion = -1.0, 1.0
    while hi - lo > 1:
        middle = (lo + hi) // 2
        value = squares[order[middle]]
        nearer, level, opened = _rank(row, value, slack, margin, points, i)
        patience -= opened
        if patience < 0:
            return -1.0
        if nearer < places:
            lo, last = middle, value
            portion = min(1.0, (places - nearer) / level)
        else:
            hi = middle
    if lo < 0:
        return 0.0
    total, tie = 0.0, slack * (2.0 * math.sqrt(last) + slack)
    for t in range(wanted.size):
        if squares[t] < last - tie:
            total += weights[t]
        elif squares[t] <= last:
            total += weights[t] * portion
    return total


@kernel
def share_exactly(columns, points, slack, rows, lo, hi, places, starts, wanted, weights, out):
    """Found weight of rows lo:hi, every distance computed."""
    row = np.empty(columns.shape[1])
    for r in range(lo, hi):
        _fill(columns, rows[r], row)
        mine = slice(starts[r], starts[r + 1])
        out[r] = _share(row, slack, 0.0, 1, points, rows[r], places[r], wanted[mine], weights[mine])


@kernel
def share_roughly(
    products, own, others, margins, patience, points, slack, rows, lo, hi, base, places, starts, wanted, weights, out
):
    """Found weight of rows lo:hi, from products y_i . y_j that are right up to a margin.

    Parameters
    ----------
    products : float32, shape (hi - base, n)
        Row r - base belongs to row r; overwritten by squared distances.
    own, others : float32, shape (len(rows),) and (n,)
        Squared lengths.
    margins : float32, shape (len(rows),)
        Largest error of a squared distance.
    """
    for r in range(lo, hi):
        row, length = products[r - base], own[r]
        for j in range(row.size):
            row[j] = (length + others[j]) - np.float32(2.0) * row[j]
        row[rows[r]] = np.inf
        mine = slice(starts[r], starts[r + 1])
        out[r] = _share(row, slack, margins[r], patience, points, rows[r], places[r], wanted[mine], weights[mine])


@kernel
def share_within(points, rows, lo, hi, limits, starts, wanted, weights, out):
    """Found weight of rows lo:hi where all up to a squared distance have a place."""
    for r in range(lo, hi):
        total = 0.0
        for t in range(starts[r], starts[r + 1]):
            if _square(points, rows[r], wanted[t]) <= limits[r]:
                total += weights[t]
        out[r] = total


@kernel
def _count_shared(indptr, indices, i, shared, touched):
    """Neighbours shared with i into `shared`, 0 before; who has any into `touched`. How many those are."""
    met = 0
    for a in range(indptr[i], indptr[i + 1]):
        for b in range(indptr[indices[a]], indptr[indices[a] + 1]):
            j = indices[b]
            if shared[j] == 0 and j != i:
                touched[met] = j
                met += 1
            shared[j] += j != i
    return met


@kernel
def most_shared(indptr, indices, rows, lo, hi, k, fewest, portion, sizes):
    """What it takes to be among the k nodes that share most neighbours with each of rows lo:hi.

    Into `fewest` the number of shared neighbours of the last one, into `portion` the part of a place for each that
    shares as many, into `sizes` how many share at least as many.
    """
    n = indptr.size - 1
    shared, touched = np.zeros(n, np.int32), np.empty(n, np.int32)
    for r in range(lo, hi):
        i = rows[r]
        met = _count_shared(indptr, indices, i, shared, touched)
        having = np.zeros(indptr[i + 1] - indptr[i] + 1, np.int64)
        for t in range(met):
            having[shared[touched[t]]] += 1
            shared[touched[t]] = 0
        level, above = having.size - 1, 0
        while level > 1 and above + having[level] < k:
            above += having[level]
            level -= 1
        fewest[r] = level
        sizes[r] = 0 if met == 0 else above + having[level]
        portion[r] = 1.0 if met == 0 or having[level] == 0 else min(1.0, (k - above) / having[level])


@kernel
def list_shared(indptr, indices, rows, lo, hi, fewest, portion, starts, wanted, weights):
    """List those that `most_shared` counted, with weight 1, or the portion for the last ones."""
    n = indptr.size - 1
    shared, touched = np.zeros(n, np.int32), np.empty(n, np.int32)
    for r in range(lo, hi):
        met = _count_shared(indptr, indices, rows[r], shared, touched)
        place = starts[r]
        for t in range(met):
            j = touched[t]
            if shared[j] >= fewest[r]:
                wanted[place] = j
                weights[place] = 1.0 if shared[j] > fewest[r] else portion[r]
                place += 1
            shared[j] = 0


@kernel
def steps_apart(indptr, indices, pairs, lo, hi, out):
    """Edges on a shortest path between the two different nodes of pairs lo:hi, which must be connected.

    Waves start from both ends, the smaller one always next. Before they meet the distance exceeds the sum of their
    radii, so at the first meeting it is that sum and one.
    """
    n = indptr.size - 1
    seen, queue = np.full(n, -1), np.empty((2, n), np.int32)
    first, last = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for p in range(lo, hi):
        for side in range(2):
            queue[side, 0] = pairs[p, side]
            seen[pairs[p, side]] = 2 * p + side
            first[side], last[side] = 0, 1
        steps, met = 0, False
        while not met:
            side = 0 if last[0] - first[0] <= last[1] - first[1] else 1
            end = last[side]
            for q in range(first[side], last[side]):
                node = queue[side, q]
                for a in range(indptr[node], indptr[node + 1]):
                    other = indices[a]
                    if seen[other] == 2 * p + 1 - side:
                        met = True
                        break
                    if seen[other] != 2 * p + side:
                        seen[other] = 2 * p + side
                        queue[side, end] = other
                        end += 1
                if met:
                    break
            first[side], last[side] = last[side], end
            steps += 1
        out[p] = steps


@kernel
def keep(starts, ends, degrees, kept):
    """Count how many of its neighbours each node can have among its nearest at best, in a plane."""
    for node in range(starts.size - 1):
        neighbors = ends[starts[node] : starts[node + 1]]
        count = 0
        for k in np.argsort(degrees[neighbors], kind="mergesort"):
            other = neighbors[k]
            if count < _ANGLES * degrees[other]:
                count += 1
                kept[other] += 1
