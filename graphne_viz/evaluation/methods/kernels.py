"""Compiled inner loops of the other layout methods: a tree of charges, springs, negative sampling.

As in `graphne_viz.layout.engine.kernels`, a kernel works on a range of nodes and releases the GIL, and no result
depends on where a range begins. Sampling is sequential, so that a seed decides it.
"""

from __future__ import annotations

import math

import numpy as np

from graphne_viz._compiled import compiled

LEAF = 4
"""Nodes that a cell of the tree holds at most, unless they are nearly on one point."""

DEEPEST = 48
"""Halvings after which a cell is not divided further: its nodes cannot be told apart."""

kernel = compiled()


@kernel
def _divide(order, lo, hi, points, x, y, bounds):
    """Sort ``order[lo:hi]`` by quadrant around (x, y); quadrant q then is ``order[bounds[q]:bounds[q + 1]]``."""
    count = np.zeros(4, np.int64)
    for k in range(lo, hi):
        i = order[k]
        count[2 * (points[i, 1] >= y) + (points[i, 0] >= x)] += 1
    bounds[0] = lo
    for q in range(4):
        bounds[q + 1] = bounds[q] + count[q]
    free = bounds[:4].copy()
    for q in range(4):
        while free[q] < bounds[q + 1]:
            i = order[free[q]]
            home = 2 * (points[i, 1] >= y) + (points[i, 0] >= x)
            if home == q:
                free[q] += 1
            else:
                order[free[q]], order[free[home]] = order[free[home]], i
                free[home] += 1


@kernel
def plant(points, mass, order, first, last, after, cells):
    """Build a quadtree: cells in depth-first order, a cell's own before its parts'.

    ``order[first[c]:last[c]]`` are the nodes of cell c, ``after[c]`` the next cell that is no part of it, and
    ``cells[c]`` its mass, its centre of mass and twice the distance from there to its farthest node. Returns the number
    of cells, or -1 where the arrays have no room for more.
    """
    n = len(points)
    order[:] = np.arange(n)
    low_x, low_y = points[:, 0].min(), points[:, 1].min()
    half = 0.5 * max(points[:, 0].max() - low_x, points[:, 1].max() - low_y)
    stack = np.empty((3 * DEEPEST + 4, 3), np.int64)
    frame = np.empty((3 * DEEPEST + 4, 3))
    depths = np.empty(len(first), np.int64)
    bounds = np.empty(5, np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, n, 0
    frame[0, 0], frame[0, 1], frame[0, 2] = low_x + half, low_y + half, half
    waiting, made = 1, 0
    while waiting:
        waiting -= 1
        lo, hi, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        x, y, half = frame[waiting, 0], frame[waiting, 1], frame[waiting, 2]
        if made == len(first):
            return -1
        first[made], last[made], depths[made] = lo, hi, depth
        made += 1
        if hi - lo <= LEAF or depth == DEEPEST:
            continue
        _divide(order, lo, hi, points, x, y, bounds)
        for q in range(4):
            if bounds[q + 1] > bounds[q]:
                stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = bounds[q], bounds[q + 1], depth + 1
                frame[waiting, 0] = x + (0.5 if q % 2 else -0.5) * half
                frame[waiting, 1] = y + (0.5 if q >= 2 else -0.5) * half
                frame[waiting, 2] = 0.5 * half
                waiting += 1
    following = np.full(DEEPEST + 2, made)
    for c in range(made - 1, -1, -1):
        depth = depths[c]
        after[c] = following[: depth + 1].min()
        following[depth] = c
        total, x, y = 0.0, 0.0, 0.0
        for k in range(first[c], last[c]):
            i = order[k]
            total += mass[i]
            x += mass[i] * points[i, 0]
            y += mass[i] * points[i, 1]
        x, y, far = x / total, y / total, 0.0
        for k in range(first[c], last[c]):
            i = order[k]
            far = max(far, (points[i, 0] - x) ** 2 + (points[i, 1] - y) ** 2)
        cells[c, 0], cells[c, 1], cells[c, 2], cells[c, 3] = total, x, y, 2.0 * math.sqrt(far)
    return made


@kernel
def repel(lo, hi, points, mass, order, first, last, after, cells, n_cells, theta, push):
    """Push on nodes ``order[lo:hi]``: sum_j m_i m_j (y_i - y_j) / |y_i - y_j|^2, far cells as one."""
    for place in range(lo, hi):
        i = order[place]
        x, y = points[i, 0], points[i, 1]
        px, py = 0.0, 0.0
        c = 0
        while c < n_cells:
            dx, dy = x - cells[c, 1], y - cells[c, 2]
            square = dx * dx + dy * dy
            if square * theta * theta > cells[c, 3] * cells[c, 3]:
                factor = cells[c, 0] / square
                px += dx * factor
                py += dy * factor
                c = after[c]
            elif after[c] == c + 1:
                for k in range(first[c], last[c]):
                    j = order[k]
                    dx, dy = x - points[j, 0], y - points[j, 1]
                    square = dx * dx + dy * dy
                    if square > 0.0:
                        factor = mass[j] / square
                        px += dx * factor
                        py += dy * factor
                c += 1
            else:
                c += 1
        push[i, 0] = mass[i] * px
        push[i, 1] = mass[i] * py


@kernel
def attract(lo, hi, indptr, indices, linear, bounded, points, pull):
    """Pull on nodes ``lo:hi`` along edges: sum_j (linear_ij + bounded / (1 + |y_i - y_j|^2)) (y_j - y_i)."""
    for i in range(lo, hi):
        px, py = 0.0, 0.0
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            dx, dy = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
            factor = linear[e]
            if bounded > 0.0:
                factor += bounded / (1.0 + dx * dx + dy * dy)
            px += factor * dx
            py += factor * dy
        pull[i, 0] = px
        pull[i, 1] = py


@kernel
def alias_table(weights, share, other):
    """Fill a table for drawing k with a chance in proportion to ``weights[k]``.

    Draw k evenly, and keep it with the chance ``share[k]``; otherwise take ``other[k]`` (Vose 1991).
    """
    n = weights.size
    mean = weights.sum() / n
    small, large = np.empty(n, np.int64), np.empty(n, np.int64)
    n_small, n_large = 0, 0
    for k in range(n):
        share[k] = weights[k] / mean
        other[k] = k
        if share[k] < 1.0:
            small[n_small] = k
            n_small += 1
        else:
            large[n_large] = k
            n_large += 1
    while n_small and n_large:
        n_small -= 1
        k, rich = small[n_small], large[n_large - 1]
        other[k] = rich
        share[rich] -= 1.0 - share[k]
        if share[rich] < 1.0:
            n_large -= 1
            small[n_small] = rich
            n_small += 1
    for k in range(n_large):
        share[large[k]] = 1.0
    for k in range(n_small):
        share[small[k]] = 1.0  # below 1 by a rounding error only


@kernel
def _draw(state):
    """Next of a sequence of random 64-bit numbers (xorshift64*), as a number in [0, 1)."""
    bits = state[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    state[0] = bits
    return float((bits * np.uint64(2685821657736338717)) >> np.uint64(11)) * 2.0**-53


@kernel
def _choose(state, share, other):
    """Draw from an alias table."""
    at = _draw(state) * share.size
    k = min(int(at), share.size - 1)
    return k if at - k < share[k] else other[k]


@kernel
def sample(
    n_samples, rate, repulsion, n_negative, sources, targets, groups, pairs_share, pairs_other, nodes_share,
    nodes_other, state, points,
):  # fmt: skip
    """Stochastic descent of DRGraph's objective on the places of groups of nodes, in place.

    A step draws an edge and ``n_negative`` nodes, moves the ends of the edge together along the gradient of
    log(1 + 2 s) of their squared distance s, and its first end and each drawn node apart along that of
    ``-repulsion`` log(s / (1 + 2 s)), softened near s = 0. No coordinate moves by more than the rate, which falls to 0.
    """
    for step in range(n_samples):
        alpha = rate * max(1.0 - step / n_samples, 1e-4)
        edge = _choose(state, pairs_share, pairs_other)
        here, there = groups[sources[edge]], groups[targets[edge]]
        if here == there:
            continue
        x, y = points[here, 0], points[here, 1]
        move_x, move_y = 0.0, 0.0
        for draw in range(n_negative + 1):
            group = there
            if draw:
                group = groups[_choose(state, nodes_share, nodes_other)]
                if group in (here, there):
                    continue
            dx, dy = x - points[group, 0], y - points[group, 1]
            square = dx * dx + dy * dy
            factor = 2.0 * repulsion / (0.001 + square) if draw else -4.0
            factor /= 1.0 + 2.0 * square
            step_x = alpha * min(max(factor * dx, -1.0), 1.0)
            step_y = alpha * min(max(factor * dy, -1.0), 1.0)
            move_x += step_x
            move_y += step_y
            points[group, 0] -= step_x
            points[group, 1] -= step_y
        points[here, 0] += move_x
        points[here, 1] += move_y


@kernel
def gather_neighbours(order, indptr, indices, groups):
    """Merge graph nodes into groups: in the given order, each free node takes its free neighbours; how many groups."""
    groups[:] = -1
    made = 0
    for k in range(order.size):
        i = order[k]
        if groups[i] >= 0:
            continue
        groups[i] = made
        for e in range(indptr[i], indptr[i + 1]):
            if groups[indices[e]] < 0:
                groups[indices[e]] = made
        made += 1
    return made
