"""Compiled inner loops of DeepWalk and node2vec: random walks, gradients of the skip-gram, steps of Adam.

Walks draw from a generator of their own, and gradients are added up node by node in the order of the walks: threads
take ranges, and their number never changes a byte.
"""

from __future__ import annotations

import math

import numpy as np

from graphne_viz.layout.engine.kernels import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53

_TRIES = 32
"""Rejected steps after which the chances of all neighbours are added up instead; the chances stay the same."""

_F0 = np.float32(0.0)
_F1 = np.float32(1.0)
_MOST = np.float32(80.0)
_index = np.uint64

FADING = 0.9, 0.999
"""Adam's: what is left of the mean of gradients, and of that of their squares, after a step."""

_KEEP, _KEEP_SQUARE = np.float32(FADING[0]), np.float32(FADING[1])
_TINY = np.float32(1e-8)


@kernel
def _uniform(state):
    """SplitMix64: a number from 0 to 1, 1 excluded, after which `state` is to be moved on by `_GOLDEN`."""
    x = state
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    x ^= x >> _31
    return np.float64(x >> _11) * _UNIT


@kernel
def add_up(indptr, data, out):
    """Weights of each node's edges, as shares of its largest, added up from its first edge on."""
    for i in range(indptr.size - 1):
        total, largest = 0.0, 0.0
        for a in range(indptr[i], indptr[i + 1]):
            largest = max(largest, data[a])
        for a in range(indptr[i], indptr[i + 1]):
            total += data[a] / largest
            out[a] = total


@kernel
def _draw(sums, first, end, u):
    """Place of an edge from first to end - 1, drawn by its weight with a uniform u."""
    total = sums[end - 1]
    if total == end - first:  # all weights are the same
        return first + np.int64(u * total)
    last = end - 1
    while first < last:
        middle = (first + last) // 2
        if sums[middle] > u * total:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def _adjacent(indptr, indices, i, j):
    """Whether there is an edge."""
    lo, hi = indptr[i], indptr[i + 1]
    while lo < hi:
        middle = (lo + hi) // 2
        if indices[middle] == j:
            return True
        if indices[middle] < j:
            lo = middle + 1
        else:
            hi = middle
    return False


@kernel
def _bias(indptr, indices, before, there, back, near, far):
    """The factor of node2vec for a step to `there` when the last node was `before`."""
    if there == before:
        return back
    return near if _adjacent(indptr, indices, before, there) else far


@kernel
def _scan(indptr, indices, sums, before, here, back, near, far, u):
    """One step drawn by adding up the chances of all neighbours."""
    lo, hi = indptr[here], indptr[here + 1]
    total = 0.0
    for a in range(lo, hi):
        weight = sums[a] - (sums[a - 1] if a > lo else 0.0)
        total += weight * _bias(indptr, indices, before, indices[a], back, near, far)
    left = u * total
    for a in range(lo, hi):
        weight = sums[a] - (sums[a - 1] if a > lo else 0.0)
        left -= weight * _bias(indptr, indices, before, indices[a], back, near, far)
        if left < 0.0:
            return indices[a]
    return indices[hi - 1]


@kernel
def take_walks(indptr, indices, sums, starts, keys, lo, hi, p, q, walks):
    """Walks lo:hi of node2vec, one from each start.

    A neighbour x of the node reached is drawn by the weight of its edge, and accepted by a chance in proportion to
    1/p if the walk came from x, 1 if x is a neighbour of the node it came from, 1/q otherwise.

    Parameters
    ----------
    indptr, indices : int32 or int64
        Neighbours, sorted.
    sums : float64
        Their weights, from `add_up`.
    starts : int32, shape (W,)
        Nodes with neighbours.
    keys : uint64, shape (W,)
        One a walk, from which all its random numbers come.
    walks : int32, shape (W, length)
        Filled in.
    """
    most = max(1.0 / p, 1.0, 1.0 / q)
    back, near, far = 1.0 / p / most, 1.0 / most, 1.0 / q / most
    least = min(back, near, far)
    plain = least == 1.0
    for w in range(lo, hi):
        state = keys[w]
        here, before = starts[w], starts[w]
        walks[w, 0] = here
        for t in range(1, walks.shape[1]):
            first, end = indptr[here], indptr[here + 1]
            there = here
            for attempt in range(_TRIES + 1):
                state += _GOLDEN
                u = _uniform(state)
                if attempt == _TRIES:
                    there = _scan(indptr, indices, sums, before, here, back, near, far, u)
                    break
                there = indices[_draw(sums, first, end, u)]
                if t == 1 or plain or end - first == 1:
                    break
                state += _GOLDEN
                limit = _uniform(state)
                if limit < least or (there == before and limit < back):
                    break
                # Most often that decides already, and the neighbours need not be searched.
                if limit < max(near, far) and limit < _bias(indptr, indices, before, there, back, near, far):
                    break
            walks[w, t] = there
            before, here = here, there


@kernel
def _product(a, b):
    """The product a . b."""
    total = _F0
    for k in range(a.size):
        total += a[k] * b[k]
    return total


@kernel
def _sigmoid(x):
    """1 / (1 + exp(-x))."""
    return _F1 / (_F1 + np.float32(math.exp(-min(max(x, -_MOST), _MOST))))


@kernel
def _add_rows(out, factors, rows):
    """Add to `out` the sum of factors[j] rows[j], four rows at a time: a fifth of the stores."""
    n, j = rows.shape[0], 0
    while j + 3 < n:
        f0, f1, f2, f3 = factors[j], factors[j + 1], factors[j + 2], factors[j + 3]
        r0, r1, r2, r3 = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
        for k in range(out.size):
            out[k] += (f0 * r0[k] + f1 * r1[k]) + (f2 * r2[k] + f3 * r3[k])
        j += 4
    while j < n:
        factor, row = factors[j], rows[j]
        for k in range(out.size):
            out[k] += factor * row[k]
        j += 1


@kernel
def _copy_rows(table, nodes, out):
    """out[t] = table[nodes[t]]."""
    for t in range(nodes.size):
        row, to = table[_index(nodes[t])], out[t]
        for k in range(to.size):
            to[k] = row[k]


@kernel
def pull_sequences(table, sequences, lo, hi, context, sign, share, out):
    """Gradients of node2vec's loss for sequences lo:hi, in one table of vectors.

    The loss of the first node x of each window of `context` nodes and each other node y of it is
    -log sigmoid(sign x . y), times `share`.

    Parameters
    ----------
    table : float32, shape (n, d)
    sequences : int32, shape (W, length)
        Walks, with sign 1, or random nodes, with sign -1.
    out : float32, shape (W, length, d)
        Gradients by the vectors of the nodes in the sequences; overwritten.
    """
    length, d = sequences.shape[1], table.shape[1]
    X = np.empty((length, d), np.float32)
    factors = np.zeros((length, length), np.float32)
    for w in range(lo, hi):
        _copy_rows(table, sequences[w], X)
        for s in range(length - context + 1):
            for t in range(s + 1, s + context):
                factor = -sign * share * _sigmoid(-sign * _product(X[s], X[t]))
                factors[s, t] = factor
                factors[t, s] = factor
        for t in range(length):
            row = out[w, t]
            row[:] = _F0
            first, end = max(t - context + 1, 0), min(t + context, length)
            _add_rows(row, factors[t, first:end], X[first:end])


@kernel
def pull_walks(table, contexts, walks, others, lo, hi, window, negatives, clip, share, out, context_out):
    """Gradients of DeepWalk's loss for walks lo:hi, in a table of vectors and one of contexts.

    The loss of two nodes of a walk at most `window` steps apart is -log sigmoid(x . y), of the vector of one and the
    context of the other. For each of them there are `negatives` random nodes with -log sigmoid(-x . z); the nodes of
    a walk share these random nodes, so that their part in the loss is weighted. All is times `share`, and beyond `clip`
    a product is left alone.

    Parameters
    ----------
    table, contexts : float32, shape (n, d)
    walks : int32, shape (W, length)
    others : int32, shape (W, m)
        Random nodes.
    out : float32, shape (W, length, d)
        Gradients by the vectors of the nodes in the walks; overwritten.
    context_out : float32, shape (W, length + m, d)
        Gradients by the contexts of the nodes in the walks and of the random ones; overwritten.
    """
    length, m, d = walks.shape[1], others.shape[1], table.shape[1]
    X, Y = np.empty((length, d), np.float32), np.empty((length + m, d), np.float32)
    factors = np.zeros((length, length + m), np.float32)
    mirrored = np.zeros((length + m, length), np.float32)
    for w in range(lo, hi):
        _copy_rows(table, walks[w], X)
        _copy_rows(contexts, walks[w], Y)
        _copy_rows(contexts, others[w], Y[length:])
        for s in range(length):
            first, end = max(s - window, 0), min(s + window + 1, length)
            for t in range(first, end):
                if s != t:
                    score = _product(X[s], Y[t])
                    factor = -share * _sigmoid(-score) if abs(score) <= clip else _F0
                    factors[s, t] = factor
                    mirrored[t, s] = factor
            weight = share * np.float32((end - first - 1) * negatives) / np.float32(m)
            for t in range(length, length + m):
                score = _product(X[s], Y[t])
                factor = weight * _sigmoid(score) if abs(score) <= clip else _F0
                factors[s, t] = factor
                mirrored[t, s] = factor
        for s in range(length):
            row = out[w, s]
            row[:] = _F0
            first, end = max(s - window, 0), min(s + window + 1, length)
            _add_rows(row, factors[s, first:end], Y[first:end])
            _add_rows(row, factors[s, length:], Y[length:])
        for t in range(length + m):
            row = context_out[w, t]
            row[:] = _F0
            first, end = (max(t - window, 0), min(t + window + 1, length)) if t < length else (0, length)
            _add_rows(row, mirrored[t, first:end], X[first:end])


@kernel
def link(nodes, first, following, touched):
    """Chain the places of each node in a list, in order; how many nodes there are.

    Parameters
    ----------
    nodes : int32, shape (K,)
    first : int32, shape (n,)
        -1 before; the first place of each node of the list.
    following : int32, shape (K,)
        The next place of the same node, -1 for none.
    touched : int32, shape (at least min(n, K),)
        The nodes of the list, each once.
    """
    count = 0
    for k in range(nodes.size - 1, -1, -1):
        node = _index(nodes[k])
        if first[node] < 0:
            touched[count] = nodes[k]
            count += 1
        following[k] = first[node]
        first[node] = k
    return count


@kernel
def descend(table, mean, square, first, following, touched, lo, hi, gradients, step):
    """A step of Adam for touched[lo:hi], whose places in `gradients` (K, d) are chained; `first` is -1 again after it.

    `step` is the learning rate with the correction of both means. Nodes not touched stay as they are, their means too.
    """
    d = table.shape[1]
    total = np.empty(d, np.float32)
    for i in range(lo, hi):
        node = _index(touched[i])
        total[:] = _F0
        place = first[node]
        while place >= 0:
            row = gradients[_index(place)]
            for k in range(d):
                total[k] += row[k]
            place = following[_index(place)]
        first[node] = -1
        x, m, v = table[node], mean[node], square[node]
        for k in range(d):
            m[k] = _KEEP * m[k] + (_F1 - _KEEP) * total[k]
            v[k] = _KEEP_SQUARE * v[k] + (_F1 - _KEEP_SQUARE) * total[k] * total[k]
            x[k] -= step * m[k] / (np.float32(math.sqrt(v[k])) + _TINY)
