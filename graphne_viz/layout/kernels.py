"""Compiled inner loops: attraction along edges, exact repulsion, the particle mesh, the descent step.

Conventions shared by all kernels:

- coordinates are float32 in separate contiguous arrays, so that LLVM vectorises; every constant is a
  float32 too, because one float64 literal would widen the whole expression;
- a kernel works on a range ``lo:hi`` and releases the GIL: threads take ranges, and since no result depends
  on where a range begins, the number of threads never changes a byte;
- whatever was read from an array and indexes another is made unsigned, because numba checks signed numbers for
  Python's counting from the end, at more than the cost of the load itself;
- sums over nodes are kept per row of the mesh or per block of `BLOCK` nodes and added up in order.
"""

from __future__ import annotations

import logging
import math

import numpy as np
from numba import njit

BLOCK = 1024
"""Nodes per partial sum."""

_F0 = np.float32(0.0)
_F1 = np.float32(1.0)
_HALF = np.float32(0.5)
_SIXTH = np.float32(1.0 / 6.0)
_F2 = np.float32(2.0)
_F3 = np.float32(3.0)
_F4 = np.float32(4.0)
_GAIN_UP = np.float32(0.2)
_GAIN_DOWN = np.float32(0.8)
_MIN_GAIN = np.float32(0.01)
_MAX_STEP = np.float32(5.0)
_FAR = np.float32(1e9)

_index = np.uint64
_ONE = np.uint64(1)
_TWO = np.uint64(2)

log = logging.getLogger(__name__)


def _compiled(**options):
    """Decorate with `numba.njit`, kept on disk where numba finds a place for it."""
    options |= {"nogil": True, "fastmath": True, "error_model": "numpy"}

    def decorate(function):
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:
            log.warning("no folder to keep compiled code in: set NUMBA_CACHE_DIR to one that can be written")
            return njit(**options)(function)

    return decorate


kernel = _compiled()
inlined = _compiled(inline="always")


def ready() -> bool:
    """Whether this process has used the kernels before."""
    return bool(move.signatures)


def times_compiled() -> int:
    """How many kernels had to be compiled so far because none were found on disk."""
    dispatchers = (value for value in globals().values() if hasattr(value, "stats"))
    return sum(sum(dispatcher.stats.cache_misses.values()) for dispatcher in dispatchers)


@inlined
def _decay(s, dof):
    """Similarity (1 + s/dof)^-dof of a squared distance, and its derivative's factor (1 + s/dof)^-(dof+1)."""
    if dof == _F1:
        w = _F1 / (_F1 + s)
        return w, w * w
    base = _F1 + s / dof
    w = base ** (-dof)
    return w, w / base


@kernel
def attract(lo, hi, indptr, indices, weights, x, y, dof, pull_x, pull_y, stiffness):
    """Attraction along the edges of nodes ``lo:hi``: sum_j p_ij (y_i - y_j) / (1 + |y_i - y_j|^2 / dof).

    ``stiffness`` is the same sum without the difference: how fast the pull on a node grows as it moves.
    """
    e = _index(indptr[lo])
    inverse = _F1 / dof
    for i in range(_index(lo), _index(hi)):
        xi = x[i]
        yi = y[i]
        px = _F0
        py = _F0
        stiff = _F0
        end = _index(indptr[i + _ONE])
        while e < end:
            j = _index(indices[e])
            dx = xi - x[j]
            dy = yi - y[j]
            c = weights[e] / (_F1 + (dx * dx + dy * dy) * inverse)
            px += c * dx
            py += c * dy
            stiff += c
            e += _ONE
        pull_x[i] = px
        pull_y[i] = py
        stiffness[i] = stiff


@kernel
def move(lo, hi, moving, pull_x, pull_y, stiffness, push_x, push_y, z, attraction, momentum, stable):
    """One step of gradient descent with momentum and gains, as openTSNE takes it, but for stiff nodes.

    A hub, pulled by all its neighbours, swings to and fro about its place, out of the picture at times, when its step
    is longer than its stiffness allows; ``stable`` bounds their product.

    ``moving`` holds the rows x, y, speed x, speed y, gain x, gain y and learning rate of every node.
    """
    inverse_z = np.float32(1.0 / z)
    for axis in range(2):
        speed = moving[2 + axis]
        gain = moving[4 + axis]
        rate = moving[6]
        pull = pull_x if axis == 0 else pull_y
        push = push_x if axis == 0 else push_y
        for i in range(lo, hi):
            gradient = attraction * pull[i] - inverse_z * push[i]
            g = gain[i]
            g = g * _GAIN_DOWN + _MIN_GAIN if speed[i] * gradient > _F0 else g + _GAIN_UP
            g = min(g, stable / (attraction * stiffness[i] * rate[i]))
            gain[i] = g
            speed[i] = momentum * speed[i] - rate[i] * g * gradient
    x, y, speed_x, speed_y = moving[0], moving[1], moving[2], moving[3]
    for i in range(lo, hi):
        square = speed_x[i] * speed_x[i] + speed_y[i] * speed_y[i]
        shrink = _MAX_STEP / math.sqrt(square) if square > _MAX_STEP * _MAX_STEP else _F1
        speed_x[i] *= shrink
        speed_y[i] *= shrink
        x[i] += speed_x[i]
        y[i] += speed_y[i]


@kernel
def repel(lo, hi, first, last, x, y, dof, push_x, push_y, z_nodes):
    """Exact repulsion of nodes ``lo:hi`` from all nodes ``first:last``, which they are among."""
    for i in range(lo, hi):
        xi = x[i]
        yi = y[i]
        px = _F0
        py = _F0
        z = _F0
        if dof == _F1:
            for j in range(first, last):
                dx = xi - x[j]
                dy = yi - y[j]
                w = _F1 / (_F1 + dx * dx + dy * dy)
                z += w
                w *= w
                px += w * dx
                py += w * dy
        else:
            for j in range(first, last):
                dx = xi - x[j]
                dy = yi - y[j]
                base = _F1 + (dx * dx + dy * dy) / dof
                w = base ** (-dof)
                z += w
                w /= base
                px += w * dx
                py += w * dy
        push_x[i] = px
        push_y[i] = py
        z_nodes[i] = z - _F1


@kernel
def repel_parts(offsets, x, y, dof, push_x, push_y, z_nodes):
    """Exact repulsion within each of many parts."""
    for part in range(offsets.size - 1):
        first, last = offsets[part], offsets[part + 1]
        repel(first, last, first, last, x, y, dof, push_x, push_y, z_nodes)


@kernel
def variance(x, y):
    """Mean square distance from the mean."""
    mean_x = 0.0
    mean_y = 0.0
    square = 0.0
    for i in range(x.size):
        mean_x += x[i]
        mean_y += y[i]
        square += x[i] * x[i] + y[i] * y[i]
    mean_x /= x.size
    mean_y /= x.size
    return max(square / x.size - mean_x * mean_x - mean_y * mean_y, 0.0)


@kernel
def descend(
    part_lo,
    part_hi,
    offsets,
    n_iter,
    indptr,
    indices,
    weights,
    moving,
    pull_x,
    pull_y,
    stiffness,
    push_x,
    push_y,
    z_nodes,
    attraction,
    momentum,
    stable,
    dof,
    floors,
):
    """Run ``n_iter`` whole iterations on small parts that do not see each other, each with its own Z.

    A part is kept from shrinking below its root mean square radius in ``floors``. Two nodes alone attract and repel
    each other equally at any distance, so nothing is to be done for them.
    """
    x, y = moving[0], moving[1]
    for part in range(part_lo, part_hi):
        first, last = offsets[part], offsets[part + 1]
        if last - first == 2:
            continue
        for _ in range(n_iter):
            spread = math.sqrt(variance(x[first:last], y[first:last]))
            if 0.0 < spread < floors[part]:
                center_x = x[first:last].mean()
                center_y = y[first:last].mean()
                grow = np.float32(floors[part] / spread)
                for i in range(first, last):
                    x[i] = (x[i] - center_x) * grow
                    y[i] = (y[i] - center_y) * grow
                    moving[2, i] *= grow
                    moving[3, i] *= grow
            repel(first, last, first, last, x, y, dof, push_x, push_y, z_nodes)
            attract(first, last, indptr, indices, weights, x, y, dof, pull_x, pull_y, stiffness)
            z = 0.0
            for i in range(first, last):
                z += z_nodes[i]
            move(first, last, moving, pull_x, pull_y, stiffness, push_x, push_y, z, attraction, momentum, stable)


@kernel
def stretch(lo, hi, indptr, indices, weights, x, y, dof, terms):
    """Each node's sum_j p_ij dof log(1 + |y_i - y_j|^2 / dof), the part of KL(P, Q) that edges have in it."""
    inverse = _F1 / dof
    e = _index(indptr[lo])
    for i in range(_index(lo), _index(hi)):
        total = _F0
        end = _index(indptr[i + _ONE])
        while e < end:
            j = _index(indices[e])
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            total += weights[e] * math.log(_F1 + (dx * dx + dy * dy) * inverse)
            e += _ONE
        terms[i] = dof * total


@kernel
def renumber(order, inverse, indptr, indices, weights, new_indptr, new_indices, new_weights):
    """Put the rows of a sparse matrix, and the nodes its columns name, into a new order."""
    total = 0
    new_indptr[0] = 0
    for k in range(order.size):
        i = _index(order[k])
        for e in range(_index(indptr[i]), _index(indptr[i + _ONE])):
            new_indices[total] = inverse[_index(indices[e])]
            new_weights[total] = weights[e]
            total += 1
        new_indptr[k + 1] = total


@kernel
def bounds(x, y):
    """Smallest and largest coordinates."""
    x0 = x[0]
    x1 = x[0]
    y0 = y[0]
    y1 = y[0]
    for i in range(x.size):
        x0 = min(x0, x[i])
        x1 = max(x1, x[i])
        y0 = min(y0, y[i])
        y1 = max(y1, y[i])
    return x0, x1, y0, y1


@kernel
def sort_by_cell(x, y, x0, y0, inverse_h, width, cell, start, order, sorted_x, sorted_y):
    """Counting sort of the nodes by the mesh cell they lie in, row by row."""
    n = x.size
    start[:] = 0
    for i in range(n):
        c = int((y[i] - y0) * inverse_h) * width + int((x[i] - x0) * inverse_h)
        cell[i] = c
        start[_index(c + 1)] += 1
    total = 0
    for c in range(start.size):
        total += start[c]
        start[c] = total
    for i in range(n):
        c = _index(cell[i])
        k = start[c]
        start[c] = k + 1
        k = _index(k)
        order[k] = i
        sorted_x[k] = x[i]
        sorted_y[k] = y[i]
    for c in range(start.size - 1, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    for k in range(n, sorted_x.size):
        sorted_x[k] = _FAR
        sorted_y[k] = _FAR


@inlined
def _spline(u):
    """Cubic B-spline at the four mesh points around a place ``u`` within its cell."""
    u2 = u * u
    u3 = u2 * u
    v = _F1 - u
    w0 = v * v * v * _SIXTH
    w3 = u3 * _SIXTH
    w1 = (_F3 * u3 - np.float32(6.0) * u2 + _F4) * _SIXTH
    return w0, w1, _F1 - w0 - w1 - w3, w3


@inlined
def _spline_slope(u):
    """Derivative of `_spline` by ``u``."""
    v = _F1 - u
    d0 = -_HALF * v * v
    d3 = _HALF * u * u
    d1 = np.float32(1.5) * u * u - _F2 * u
    return d0, d1, -d0 - d1 - d3, d3


@kernel
def spread(row_lo, row_hi, start, sorted_x, sorted_y, x0, y0, inverse_h, grid):
    """Put unit charges on the mesh, for the nodes in cell rows ``row_lo:row_hi``."""
    width = grid.shape[1]
    for row in range(row_lo, row_hi):
        a0 = grid[row - 1]
        a1 = grid[row]
        a2 = grid[row + 1]
        a3 = grid[row + 2]
        for k in range(_index(start[row * width]), _index(start[(row + 1) * width])):
            qx = (sorted_x[k] - x0) * inverse_h
            ix = _index(qx)
            w0, w1, w2, w3 = _spline(qx - np.float32(ix))
            v0, v1, v2, v3 = _spline((sorted_y[k] - y0) * inverse_h - np.float32(row))
            a0[ix - _ONE] += v0 * w0
            a0[ix] += v0 * w1
            a0[ix + _ONE] += v0 * w2
            a0[ix + _TWO] += v0 * w3
            a1[ix - _ONE] += v1 * w0
            a1[ix] += v1 * w1
            a1[ix + _ONE] += v1 * w2
            a1[ix + _TWO] += v1 * w3
            a2[ix - _ONE] += v2 * w0
            a2[ix] += v2 * w1
            a2[ix + _ONE] += v2 * w2
            a2[ix + _TWO] += v2 * w3
            a3[ix - _ONE] += v3 * w0
            a3[ix] += v3 * w1
            a3[ix + _ONE] += v3 * w2
            a3[ix + _TWO] += v3 * w3


@kernel
def gather(
    row_lo,
    row_hi,
    start,
    order,
    sorted_x,
    sorted_y,
    x0,
    y0,
    inverse_h,
    potential,
    width,
    split,
    k0,
    k1,
    k2,
    dof,
    near_x,
    near_y,
    push_x,
    push_y,
    z_rows,
):
    """Read the mesh force at every node and add the close pairs' share, for cell rows ``row_lo:row_hi``.

    The mesh carries the kernel's long part, which inside the cutoff is ``k0 + k1 s + k2 s^2``; ``split`` is the
    cutoff squared (twice the mesh width, squared), or 0 where the mesh carries the whole kernel. ``potential``
    begins at mesh row ``row_lo - 1``.
    """
    slope = -_HALF * inverse_h
    twice_k2 = _F2 * k2
    for row in range(row_lo, row_hi):
        z = 0.0
        a0 = potential[row - row_lo]
        a1 = potential[row - row_lo + 1]
        a2 = potential[row - row_lo + 2]
        a3 = potential[row - row_lo + 3]
        for ix in range(2, width - 3):
            first = _index(start[row * width + ix])
            last = _index(start[row * width + ix + 1])
            if first == last:
                continue
            near = _index(0)
            if split > _F0:
                for other in range(max(row - 2, 0), row + 3):
                    for t in range(_index(start[other * width + ix - 2]), _index(start[other * width + ix + 3])):
                        near_x[near] = sorted_x[t]
                        near_y[near] = sorted_y[t]
                        near += _ONE
                while near & _index(7):
                    near_x[near] = _FAR
                    near_y[near] = _FAR
                    near += _ONE
            for k in range(first, last):
                xk = sorted_x[k]
                yk = sorted_y[k]
                u = (xk - x0) * inverse_h - np.float32(ix)
                v = (yk - y0) * inverse_h - np.float32(row)
                w0, w1, w2, w3 = _spline(u)
                d0, d1, d2, d3 = _spline_slope(u)
                v0, v1, v2, v3 = _spline(v)
                e0, e1, e2, e3 = _spline_slope(v)
                t0 = w0 * a0[ix - 1] + w1 * a0[ix] + w2 * a0[ix + 1] + w3 * a0[ix + 2]
                t1 = w0 * a1[ix - 1] + w1 * a1[ix] + w2 * a1[ix + 1] + w3 * a1[ix + 2]
                t2 = w0 * a2[ix - 1] + w1 * a2[ix] + w2 * a2[ix + 1] + w3 * a2[ix + 2]
                t3 = w0 * a3[ix - 1] + w1 * a3[ix] + w2 * a3[ix + 1] + w3 * a3[ix + 2]
                s0 = d0 * a0[ix - 1] + d1 * a0[ix] + d2 * a0[ix + 1] + d3 * a0[ix + 2]
                s1 = d0 * a1[ix - 1] + d1 * a1[ix] + d2 * a1[ix + 1] + d3 * a1[ix + 2]
                s2 = d0 * a2[ix - 1] + d1 * a2[ix] + d2 * a2[ix + 1] + d3 * a2[ix + 2]
                s3 = d0 * a3[ix - 1] + d1 * a3[ix] + d2 * a3[ix + 1] + d3 * a3[ix + 2]
                z += v0 * t0 + v1 * t1 + v2 * t2 + v3 * t3
                fx = slope * (v0 * s0 + v1 * s1 + v2 * s2 + v3 * s3)
                fy = slope * (e0 * t0 + e1 * t1 + e2 * t2 + e3 * t3)
                zs = _F0
                for j in range(near):
                    dx = xk - near_x[j]
                    dy = yk - near_y[j]
                    s = dx * dx + dy * dy
                    w, c = _decay(s, dof)
                    c += k1 + twice_k2 * s
                    w -= k0 + s * (k1 + k2 * s)
                    inside = s < split
                    c = c if inside else _F0
                    zs += w if inside else _F0
                    fx += c * dx
                    fy += c * dy
                z += zs
                i = _index(order[k])
                push_x[i] = fx
                push_y[i] = fy
        z_rows[row] = z
