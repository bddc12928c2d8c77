"""Compiled inner loops: attraction along edges, exact repulsion, the descent step.

Conventions shared by all kernels, those of `graphne_viz.layout.engine.mesh.kernels` too:

- coordinates are float32 in separate contiguous arrays, so that LLVM vectorises; every constant is a
  float32 too, because one float64 literal would widen the whole expression;
- a kernel works on a range ``lo:hi`` and releases the GIL: threads take ranges, and since no result depends
  on where a range begins, the number of threads never changes a byte;
- whatever was read from an array and indexes another is made unsigned, because numba checks signed numbers for
  Python's counting from the end, at more than the cost of the load itself;
- sums over nodes are kept per row of the mesh or per block of `BLOCK` nodes and added up in order.
"""

from __future__ import annotations

import math

import numpy as np

from graphne_viz._compiled import compiled
from graphne_viz.layout.engine import settings

BLOCK = 1024
"""Nodes per partial sum."""

_F0 = np.float32(0.0)
_F1 = np.float32(1.0)
_GAIN_UP = np.float32(settings.GAIN_UP)
_GAIN_DOWN = np.float32(settings.GAIN_DOWN)
_MIN_GAIN = np.float32(settings.MIN_GAIN)
_MAX_STEP = np.float32(settings.MAX_STEP)

_index = np.uint64
_ONE = np.uint64(1)

kernel = compiled(fastmath=True)


def ready() -> bool:
    """Whether this process has used the kernels before."""
    return bool(getattr(move, "signatures", True))  # plain Python under NUMBA_DISABLE_JIT


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
    """One step of gradient descent with momentum and a gain per node.

    A gain rises while the node goes on as the gradient says and falls when it has gone too far. A hub, pulled by all
    its neighbours, swings to and fro about its place, out of the picture at times, when its step is longer than its
    stiffness allows; ``stable`` bounds their product.

    ``moving`` holds the rows x, y, speed x, speed y, gain and learning rate of every node.
    """
    inverse_z = np.float32(1.0 / z)
    x, y, speed_x, speed_y, gain, rate = moving[0], moving[1], moving[2], moving[3], moving[4], moving[5]
    for i in range(lo, hi):
        gradient_x = attraction * pull_x[i] - inverse_z * push_x[i]
        gradient_y = attraction * pull_y[i] - inverse_z * push_y[i]
        uphill = speed_x[i] * gradient_x + speed_y[i] * gradient_y > _F0
        g = gain[i] * _GAIN_DOWN + _MIN_GAIN if uphill else gain[i] + _GAIN_UP
        g = min(g, stable / (attraction * stiffness[i] * rate[i]))
        gain[i] = g
        step = rate[i] * g
        sx = momentum * speed_x[i] - step * gradient_x
        sy = momentum * speed_y[i] - step * gradient_y
        square = sx * sx + sy * sy
        shrink = _MAX_STEP / math.sqrt(square) if square > _MAX_STEP * _MAX_STEP else _F1
        sx *= shrink
        sy *= shrink
        speed_x[i] = sx
        speed_y[i] = sy
        x[i] += sx
        y[i] += sy


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
def repel_from_cells(
    lo, hi, x, y, cell_x, cell_y, counts, start, held_x, held_y, origin_x, origin_y, scale, width, height, reach, dof,
    push_x, push_y, z_nodes,
):  # fmt: skip
    """Add the repulsion of nodes ``lo:hi`` from held ones: each for itself where near, all of a cell as one elsewhere.

    ``start`` says where the held nodes of each cell begin, row by row; near are cells at most ``reach`` cells away.
    """
    for i in range(lo, hi):
        xi = x[i]
        yi = y[i]
        px = _F0
        py = _F0
        z = _F0
        for c in range(counts.size):
            dx = xi - cell_x[c]
            dy = yi - cell_y[c]
            base = _F1 + (dx * dx + dy * dy) / dof
            w = _F1 / base if dof == _F1 else base ** (-dof)
            z += counts[c] * w
            w *= counts[c] / base
            px += w * dx
            py += w * dy
        column = min(max(int((xi - origin_x) * scale), 0), width - 1)
        row = min(max(int((yi - origin_y) * scale), 0), height - 1)
        left = max(column - reach, 0)
        right = min(column + reach, width - 1) + 1
        for r in range(max(row - reach, 0), min(row + reach, height - 1) + 1):
            for c in range(r * width + left, r * width + right):
                dx = xi - cell_x[c]
                dy = yi - cell_y[c]
                base = _F1 + (dx * dx + dy * dy) / dof
                w = _F1 / base if dof == _F1 else base ** (-dof)
                z -= counts[c] * w
                w *= counts[c] / base
                px -= w * dx
                py -= w * dy
            for j in range(start[r * width + left], start[r * width + right]):
                dx = xi - held_x[j]
                dy = yi - held_y[j]
                base = _F1 + (dx * dx + dy * dy) / dof
                w = _F1 / base if dof == _F1 else base ** (-dof)
                z += w
                w /= base
                px += w * dx
                py += w * dy
        push_x[i] += px
        push_y[i] += py
        z_nodes[i] = z


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
            z = max(z, settings.LEAST_Z * (last - first))
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
def renumber(lo, hi, order, inverse, indptr, indices, weights, new_indptr, new_indices, new_weights):
    """Put the rows of a sparse matrix, and the nodes its columns name, into a new order; fills rows ``lo:hi`` of it."""
    e = _index(new_indptr[lo])
    for k in range(lo, hi):
        i = _index(order[k])
        for given in range(_index(indptr[i]), _index(indptr[i + _ONE])):
            new_indices[e] = inverse[_index(indices[given])]
            new_weights[e] = weights[given]
            e += _ONE
