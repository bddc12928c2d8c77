"""Compiled inner loops of training on a processor: the loss of a small batch, its gradient, and steps of Adam.

A batch of 64 edges is too small for one library call after another: a fused loop spends its time on two matrix products
and on exponentials, and nothing else.
"""

from __future__ import annotations

import math

import numpy as np

from graphne_viz._compiled import compiled

loop = compiled(fastmath={"contract", "reassoc", "nsz", "arcp", "nnan"})

_LOG2_E = np.float32(1.4426950408889634)
_LEAST = np.float32(-87.0)
_HALF = np.float32(0.5)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_NOWHERE = np.float32(-2.0)
"""Less than any cosine."""
_TILE = 16
_INERTIA = np.float32(0.8)
# 2**f for f within a half, to the precision of float32.
_C1 = np.float32(0.69314718056)
_C2 = np.float32(0.240226506959)
_C3 = np.float32(0.0555041086648)
_C4 = np.float32(0.00961812910763)
_C5 = np.float32(0.00133335581464)
_C6 = np.float32(0.000154035303934)


@loop
def _exp_less(values, inverse, top):
    """Replace x by exp(x * inverse - top), which is at most 1.

    The library's exponential is called number by number; this one is compiled to vector instructions.
    """
    for k in range(values.size):
        x = max(values[k] * inverse - top, _LEAST) * _LOG2_E
        n = np.floor(x + _HALF)
        f = x - n
        p = _C1 + f * (_C2 + f * (_C3 + f * (_C4 + f * (_C5 + f * _C6))))
        values[k] = (_ONE + f * p) * np.int32((np.int32(n) + np.int32(127)) << np.int32(23)).view(np.float32)


@loop
def number_nodes(pairs, places, stamps, stamp, nodes, counts):
    """Number the nodes of a batch in the order they come; how many there are.

    Parameters
    ----------
    pairs : ndarray of int64, shape (b, 2)
    places, stamps : ndarray of int32 and int64, shape (n,)
        Kept from batch to batch: the place of a node is that of this batch where its stamp is.
    stamp : int
        Never used before, and not 0.
    nodes : ndarray of int64, shape (2 b,)
        Filled with the nodes.
    counts : ndarray of float32, shape (2 b,)
        Filled with how often each occurs.
    """
    m = 0
    for p in range(len(pairs)):
        for end in range(2):
            node = pairs[p, end]
            if stamps[node] != stamp:
                stamps[node] = stamp
                places[node] = m
                nodes[m] = node
                counts[m] = _ZERO
                m += 1
            counts[places[node]] += _ONE
    return m


@loop
def batch_gradient(table, pairs, nodes, counts, places, inverse, own_share, against, Z, room, tops, out):
    """Sum over the pairs of a batch, in both directions, of the loss, its gradient by unit vectors, and its slope.

    What `graphne_viz.embedding.training.infonce` writes down, for a batch of which all similarities are held at once.

    Parameters
    ----------
    table : ndarray of float32, shape (n, d)
        Vectors of any length but zero.
    pairs : ndarray of int64, shape (b, 2)
    nodes, counts : ndarray, shape (m,)
        From `number_nodes`.
    places : ndarray of int32, shape (n,)
    inverse : float32
        One over the temperature.
    own_share : float32
        Weight of a node's own similarity for each other node of the batch.
    against : float32
        How many negatives the others stand for; 0 for as many as they are.
    Z, out : ndarray of float32, shape (m, d)
        Filled with the unit vectors, and with the gradient.
    room : ndarray of float32, shape (m * m,)
        To work in.
    tops : ndarray of float32, shape (m,)
        To work in.

    Returns
    -------
    loss, slope : float
        The slope is by the logarithm of the temperature.
    """
    m = len(Z)
    _unit_rows(table, nodes, Z)
    S = room.reshape(m, m)
    np.dot(Z, Z.T, S)
    partner = np.float32((m - 1) / against) if against > 0 else _ONE
    own = math.log(own_share * (m - 1)) + inverse if own_share > 0 else -np.inf
    loss, slope = 0.0, 0.0
    for p in range(len(pairs)):
        loss -= 2 * np.float64(S[places[pairs[p, 0]], places[pairs[p, 1]]] * inverse)
    loss -= 2 * len(pairs) * math.log(partner)
    _exp_rows(S, inverse, np.float32(own), tops)
    if partner != _ONE:
        _weigh_partners(S, pairs, places, partner)
    for i in range(m):
        values = S[i]
        others = _ZERO
        for k in range(m):
            others += values[k]
        alone = math.exp(own - tops[i])
        total = others + alone
        loss += counts[i] * (tops[i] + math.log(total))
        slope -= counts[i] * alone / total * inverse
        share = np.float32(counts[i] / total)
        for k in range(m):
            values[k] *= share
    for p in range(len(pairs)):
        i, j = places[pairs[p, 0]], places[pairs[p, 1]]
        S[i, j] -= _ONE
        S[j, i] -= _ONE
    _add_transpose(S)
    np.dot(S, Z, out)
    # What the slope needs beside the own terms, the similarity of partners less that expected, is in the gradient.
    along = _ZERO
    vectors, gradient = Z.ravel(), out.ravel()
    for k in range(vectors.size):
        along += vectors[k] * gradient[k]
    return loss, slope - along * inverse / 2


@loop
def _unit_rows(table, nodes, Z):
    """Fill Z with the unit vectors of some nodes."""
    for i in range(len(nodes)):
        row, unit = table[nodes[i]], Z[i]
        square = _ZERO
        for k in range(row.size):
            square += row[k] * row[k]
        scale = _ONE / np.sqrt(square)
        for k in range(row.size):
            unit[k] = row[k] * scale


@loop
def _exp_rows(S, inverse, least, tops):
    """Replace cosines x by exp(x * inverse - top), of a row's top that is at least `least`; 0 on the diagonal."""
    for i in range(len(S)):
        values = S[i]
        values[i] = _NOWHERE
        largest = _NOWHERE
        for k in range(values.size):
            largest = max(largest, values[k])
        tops[i] = max(largest * inverse, least)
        _exp_less(values, inverse, tops[i])
        values[i] = _ZERO


@loop
def _weigh_partners(S, pairs, places, weight):
    """Multiply the entries of partners, once however often they are paired."""
    for p in range(len(pairs)):
        i, j = places[pairs[p, 0]], places[pairs[p, 1]]
        S[i, j] = -abs(S[i, j])
        S[j, i] = -abs(S[j, i])
    for p in range(len(pairs)):
        i, j = places[pairs[p, 0]], places[pairs[p, 1]]
        if S[i, j] < 0:
            S[i, j] *= -weight
        if S[j, i] < 0:
            S[j, i] *= -weight


@loop
def _add_transpose(S):
    """Replace a matrix by itself plus its transpose, tile by tile, because columns are far apart in memory."""
    m = len(S)
    for first in range(0, m, _TILE):
        for second in range(0, first + 1, _TILE):
            for i in range(first, min(first + _TILE, m)):
                for j in range(second, min(second + _TILE, i)):
                    both = S[i, j] + S[j, i]
                    S[i, j] = both
                    S[j, i] = both


@loop
def first_rows(nodes, sizes, places, stamps, stamp, gradients, rows, origins):
    """Add up the gradients of nodes that stand in several batches; how many different nodes there are.

    Parameters
    ----------
    nodes : ndarray of int64, shape (batches, 2 b)
    sizes : ndarray of int64, shape (batches,)
        How many nodes a batch has.
    places, stamps : ndarray, shape (n,)
    stamp : int
    gradients : ndarray of float32, shape (batches, 2 b, d)
        The sum is put where a node stands first.
    rows : ndarray of int64, shape (batches * 2 b,)
        Filled with the nodes, each once.
    origins : ndarray of int64, shape (batches * 2 b,)
        Filled with where their gradients are.
    """
    count = 0
    width = nodes.shape[1]
    for batch in range(len(sizes)):
        for i in range(sizes[batch]):
            node = nodes[batch, i]
            if stamps[node] != stamp:
                stamps[node] = stamp
                places[node] = count
                rows[count] = node
                origins[count] = batch * width + i
                count += 1
            else:
                at = origins[places[node]]
                kept, added = gradients[at // width, at % width], gradients[batch, i]
                for k in range(len(kept)):
                    kept[k] += added[k]
    return count


@loop
def adam_rows(table, first, second, rows, origins, gradients, scale, keep, keep_square, epsilon, rate):
    """Take a step of Adam along the sphere with some rows.

    Parameters
    ----------
    table, first, second : ndarray of float32, shape (n, d)
    rows, origins : ndarray of int64, shape (m,)
    gradients : ndarray of float32, shape (any, d)
        By unit vectors; overwritten.
    scale : float32
        What the gradients are multiplied by.
    keep, keep_square : float32
        What is left of the two means after a step.
    epsilon : float32
    rate : float32
        Learning rate, with the corrections for the first steps.
    """
    dim = table.shape[1]
    for r in range(len(rows)):
        node = rows[r]
        row, mean, square, gradient = table[node], first[node], second[node], gradients[origins[r]]
        length2, along = _ZERO, _ZERO
        for k in range(dim):
            length2 += row[k] * row[k]
            along += row[k] * gradient[k]
        along /= length2
        by = scale / np.sqrt(length2)
        for k in range(dim):
            g = (gradient[k] - along * row[k]) * by
            mean[k] = keep * mean[k] + (_ONE - keep) * g
            square[k] = keep_square * square[k] + (_ONE - keep_square) * (g * g)
            row[k] -= rate * mean[k] / (np.sqrt(square[k]) + epsilon)


@loop
def mix_rows(unit, indptr, indices, weights, weight, begin, end, mixed):
    """Fill some rows with unit vectors plus the weighted mean of their neighbours', made unit vectors again.

    Parameters
    ----------
    unit : ndarray of float32, shape (n, d)
    indptr, indices, weights : ndarray
        Of a symmetric sparse matrix, row by row; the weights are positive.
    weight : float32
        Of the mean.
    begin, end : int
        The first row, and the one after the last.
    mixed : ndarray of float32, shape (n, d)
        Filled; not the same as `unit`.
    """
    for i in range(begin, end):
        row = mixed[i]
        row[:] = _ZERO
        # Against the largest one, because weights may be too small for single precision.
        largest, total = 0.0, 0.0
        for e in range(indptr[i], indptr[i + 1]):
            largest = max(largest, weights[e])
        for e in range(indptr[i], indptr[i + 1]):
            share = np.float32(weights[e] / largest)
            total += weights[e] / largest
            near = unit[indices[e]]
            for k in range(row.size):
                row[k] += share * near[k]
        by = np.float32(weight / total) if total > 0 else _ZERO
        square = _ZERO
        for k in range(row.size):
            row[k] = unit[i, k] + by * row[k]
            square += row[k] * row[k]
        scale = _ONE / np.sqrt(square)
        for k in range(row.size):
            row[k] *= scale


@loop
def fit_node(vector, others, targets, inverse, steps, rate, scores):
    """Turn a vector until those of its neighbours are its nearest, by gradient steps along the sphere.

    The loss is the cross entropy between the targets and the softmax of the similarities to all others.

    Parameters
    ----------
    vector : ndarray of float32, shape (d,)
        Of unit length; changed in place.
    others : ndarray of float32, shape (m, d)
        Unit vectors of the neighbours, and of the nodes that are taken for neighbours most easily.
    targets : ndarray of float32, shape (m,)
        The neighbours' weights, which sum to 1, and 0 for all others.
    inverse : float32
        One over the temperature.
    steps : int
    rate : float32
        Length of the first step, which fall to 0.
    scores : ndarray of float32, shape (m,)
        To work in.
    """
    m, dim = others.shape
    gradient = np.empty(dim, np.float32)
    speed = np.zeros(dim, np.float32)
    for step in range(steps):
        largest = _NOWHERE
        for i in range(m):
            dot = _ZERO
            for k in range(dim):
                dot += vector[k] * others[i, k]
            scores[i] = dot
            largest = max(largest, dot)
        _exp_less(scores, inverse, largest * inverse)
        total = _ZERO
        for i in range(m):
            total += scores[i]
        gradient[:] = _ZERO
        for i in range(m):
            pull = targets[i] - scores[i] / total
            for k in range(dim):
                gradient[k] += pull * others[i, k]
        along = _ZERO
        for k in range(dim):
            along += gradient[k] * vector[k]
        pace = rate * np.float32(1 - step / steps)
        length = _ZERO
        for k in range(dim):
            speed[k] = _INERTIA * speed[k] + (gradient[k] - along * vector[k])
            vector[k] += pace * speed[k]
            length += vector[k] * vector[k]
        length = _ONE / np.sqrt(length)
        for k in range(dim):
            vector[k] *= length
