"""Compiled inner loops of the particle mesh; their conventions are those of `graphne_viz.layout.engine.kernels`."""

from __future__ import annotations

import numpy as np

from graphne_viz._compiled import compiled
from graphne_viz.layout.engine.kernels import kernel

_F0 = np.float32(0.0)
_F1 = np.float32(1.0)
_HALF = np.float32(0.5)
_SIXTH = np.float32(1.0 / 6.0)
_F2 = np.float32(2.0)
_F3 = np.float32(3.0)
_F4 = np.float32(4.0)
_FAR = np.float32(1e9)

_index = np.uint64
_ONE = np.uint64(1)
_TWO = np.uint64(2)

inlined = compiled(fastmath=True, inline="always")


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
