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

_FEW = 6
"""Nodes in a cell up to which their charges are spread one by one."""

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


@kernel
def _splines(m0, m1, m2, m3):
    """Sums of `_spline` over places, from the sums of their powers."""
    w0 = (m0 - m3) * _SIXTH + (m2 - m1) * _HALF
    w2 = (m0 - _F3 * m3) * _SIXTH + (m1 + m2) * _HALF
    w3 = m3 * _SIXTH
    return w0, m0 - w0 - w2 - w3, w2, w3


@kernel
def _polynomial(a0, a1, a2, a3):
    """Coefficients, by the place within a cell, of the sum of `_spline` times the values at the four mesh points."""
    return (
        (a0 + _F4 * a1 + a2) * _SIXTH,
        (a2 - a0) * _HALF,
        (a0 + a2) * _HALF - a1,
        (a3 - a0) * _SIXTH + (a1 - a2) * _HALF,
    )


@kernel
def _add(row, ix, charges):
    """Add to the four mesh points of a row around a cell."""
    w0, w1, w2, w3 = charges
    row[ix - _ONE] += w0
    row[ix] += w1
    row[ix + _ONE] += w2
    row[ix + _TWO] += w3


@kernel
def spread(row_lo, row_hi, start, sorted_x, sorted_y, x0, y0, inverse_h, grid):
    """Put unit charges on the mesh, for the nodes in cell rows ``row_lo:row_hi``.

    Where a cell holds many nodes, as all do while a layout is dense, the powers of their places are summed first.
    """
    width = _index(grid.shape[1])
    for row in range(_index(row_lo), _index(row_hi)):
        a0 = grid[row - _ONE]
        a1 = grid[row]
        a2 = grid[row + _ONE]
        a3 = grid[row + _TWO]
        bottom = np.float32(row)
        for ix in range(_TWO, width - _index(3)):
            first = _index(start[row * width + ix])
            last = _index(start[row * width + ix + _ONE])
            left = np.float32(ix)
            if last - first <= _index(_FEW):
                for k in range(first, last):
                    w0, w1, w2, w3 = _spline((sorted_x[k] - x0) * inverse_h - left)
                    v0, v1, v2, v3 = _spline((sorted_y[k] - y0) * inverse_h - bottom)
                    _add(a0, ix, (v0 * w0, v0 * w1, v0 * w2, v0 * w3))
                    _add(a1, ix, (v1 * w0, v1 * w1, v1 * w2, v1 * w3))
                    _add(a2, ix, (v2 * w0, v2 * w1, v2 * w2, v2 * w3))
                    _add(a3, ix, (v3 * w0, v3 * w1, v3 * w2, v3 * w3))
                continue
            m00 = np.float32(last - first)
            m01 = m02 = m03 = m10 = m11 = m12 = m13 = m20 = m21 = m22 = m23 = m30 = m31 = m32 = m33 = _F0
            for k in range(first, last):
                u = (sorted_x[k] - x0) * inverse_h - left
                v = (sorted_y[k] - y0) * inverse_h - bottom
                u2 = u * u
                u3 = u2 * u
                v2 = v * v
                v3 = v2 * v
                m01 += u
                m02 += u2
                m03 += u3
                m10 += v
                m11 += v * u
                m12 += v * u2
                m13 += v * u3
                m20 += v2
                m21 += v2 * u
                m22 += v2 * u2
                m23 += v2 * u3
                m30 += v3
                m31 += v3 * u
                m32 += v3 * u2
                m33 += v3 * u3
            s00, s10, s20, s30 = _splines(m00, m10, m20, m30)
            s01, s11, s21, s31 = _splines(m01, m11, m21, m31)
            s02, s12, s22, s32 = _splines(m02, m12, m22, m32)
            s03, s13, s23, s33 = _splines(m03, m13, m23, m33)
            _add(a0, ix, _splines(s00, s01, s02, s03))
            _add(a1, ix, _splines(s10, s11, s12, s13))
            _add(a2, ix, _splines(s20, s21, s22, s23))
            _add(a3, ix, _splines(s30, s31, s32, s33))


@kernel
def energy(row_lo, row_hi, grid, potential, z_rows):
    """Sum what the mesh says of the potential at every node, for mesh rows ``row_lo:row_hi``.

    Reading is the transpose of spreading, so charges times potential add up to that on the mesh as well.
    ``potential`` begins at mesh row ``row_lo - 1``.
    """
    for row in range(row_lo, row_hi):
        z = 0.0
        charges = grid[row]
        values = potential[row - row_lo + 1]
        for ix in range(charges.size):
            z += np.float64(charges[ix]) * np.float64(values[ix])
        z_rows[row] = z


@kernel
def _find_near(row, ix, width, start, sorted_x, sorted_y, near_x, near_y):
    """List the nodes of a cell and the two rings of cells around it, padded with far ones to a multiple of eight."""
    near = _index(0)
    for other in range(max(row - 2, 0), row + 3):
        beside = _index(other * width) + ix
        for t in range(_index(start[beside - _TWO]), _index(start[beside + _index(3)])):
            near_x[near] = sorted_x[t]
            near_y[near] = sorted_y[t]
            near += _ONE
    while near & _index(7):
        near_x[near] = _FAR
        near_y[near] = _FAR
        near += _ONE
    return near


@kernel
def _push(x, y, near_x, near_y, near, split, k0, k1, k2, dof):
    """What the mesh lacks of the force of ``near`` close nodes on one at a place, and of its similarities to them."""
    twice_k2 = _F2 * k2
    fx = _F0
    fy = _F0
    z = _F0
    for j in range(near):
        dx = x - near_x[j]
        dy = y - near_y[j]
        s = dx * dx + dy * dy
        w, c = _decay(s, dof)
        c += k1 + twice_k2 * s
        w -= k0 + s * (k1 + k2 * s)
        inside = s < split
        c = c if inside else _F0
        z += w if inside else _F0
        fx += c * dx
        fy += c * dy
    return fx, fy, z


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
    far_x,
    far_y,
    push_x,
    push_y,
    z_rows,
):
    """Read the mesh force at every node in cell rows ``row_lo:row_hi``, and add the close pairs' share of it and of Z.

    The mesh carries the kernel's long part, which inside the cutoff is ``k0 + k1 s + k2 s^2``; ``split`` is the
    cutoff squared (twice the mesh width, squared), or 0 where the mesh carries the whole kernel. ``potential``
    begins at mesh row ``row_lo - 1``. Within a cell it is a polynomial, which the nodes there have in common.
    """
    slope = -_HALF * inverse_h
    for row in range(row_lo, row_hi):
        z = 0.0
        a0 = potential[row - row_lo]
        a1 = potential[row - row_lo + 1]
        a2 = potential[row - row_lo + 2]
        a3 = potential[row - row_lo + 3]
        bottom = np.float32(row)
        for ix in range(_TWO, _index(width - 3)):
            cell = _index(row * width) + ix
            first = _index(start[cell])
            last = _index(start[cell + _ONE])
            if first == last:
                continue
            left = np.float32(ix)
            b00, b10, b20, b30 = _polynomial(a0[ix - _ONE], a1[ix - _ONE], a2[ix - _ONE], a3[ix - _ONE])
            b01, b11, b21, b31 = _polynomial(a0[ix], a1[ix], a2[ix], a3[ix])
            b02, b12, b22, b32 = _polynomial(a0[ix + _ONE], a1[ix + _ONE], a2[ix + _ONE], a3[ix + _ONE])
            b03, b13, b23, b33 = _polynomial(a0[ix + _TWO], a1[ix + _TWO], a2[ix + _TWO], a3[ix + _TWO])
            _, c01, c02, c03 = _polynomial(b00, b01, b02, b03)
            c10, c11, c12, c13 = _polynomial(b10, b11, b12, b13)
            c20, c21, c22, c23 = _polynomial(b20, b21, b22, b23)
            c30, c31, c32, c33 = _polynomial(b30, b31, b32, b33)
            near = _index(0)
            if split > _F0:
                near = _find_near(row, ix, width, start, sorted_x, sorted_y, near_x, near_y)
            for t in range(last - first):
                u = (sorted_x[first + t] - x0) * inverse_h - left
                v = (sorted_y[first + t] - y0) * inverse_h - bottom
                p1 = c10 + u * (c11 + u * (c12 + u * c13))
                p2 = c20 + u * (c21 + u * (c22 + u * c23))
                p3 = c30 + u * (c31 + u * (c32 + u * c33))
                u2 = _F2 * u
                u3 = _F3 * u * u
                d0 = c01 + u2 * c02 + u3 * c03
                d1 = c11 + u2 * c12 + u3 * c13
                d2 = c21 + u2 * c22 + u3 * c23
                d3 = c31 + u2 * c32 + u3 * c33
                far_x[t] = slope * (d0 + v * (d1 + v * (d2 + v * d3)))
                far_y[t] = slope * (p1 + v * (_F2 * p2 + v * (_F3 * p3)))
            if near:
                for t in range(last - first):
                    xk = sorted_x[first + t]
                    yk = sorted_y[first + t]
                    fx, fy, zs = _push(xk, yk, near_x, near_y, near, split, k0, k1, k2, dof)
                    z += zs
                    far_x[t] += fx
                    far_y[t] += fy
            for t in range(last - first):
                i = _index(order[first + t])
                push_x[i] = far_x[t]
                push_y[i] = far_y[t]
        z_rows[row] += z
