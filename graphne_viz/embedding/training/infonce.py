"""The InfoNCE loss of one mini-batch and its gradient, worked out by hand.

With unit vectors z, a temperature tau and w_ik = exp(z_i z_k / tau), every pair (i, j) of neighbours, in both
directions, has the loss

    log( sum_{k != i} w_ik + s exp(1 / tau) ) - z_i z_j / tau

where k runs over the nodes of the batch. Two weights make batches of all sizes give the same:

- s is a share of the number of the others. This own term is the dial between neighbours and classes: once the others
  are on average less similar than it says, they are pushed away no further, and the large-scale order stays.
- The others may stand for fewer negatives than they are: all but the partners of i, and s, are multiplied by `against`
  over their number. A large batch then has the gradient of a small one, with less noise.

Written out, the gradient needs no more than the softmax P of each row: with c_i pairs at node i and W = diag(c) P, it
is (W + W^T) z less twice the neighbours' vectors, all over tau. What the own term adds points along z and is taken off.
Rows are taken in blocks, so that memory stays the same however large a batch is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import torch

if TYPE_CHECKING:
    from torch import Tensor

BLOCK = 1 << 20
"""Similarities held at once: 4 MB, which stay in the processor's cache."""


class Loss(NamedTuple):
    """What a batch has to say.

    Attributes
    ----------
    value : Tensor, shape ()
        Mean over all pairs, both directions.
    gradient : Tensor, shape (m, d)
        Of the value by the parameters.
    slope : Tensor, shape ()
        Of the value by the logarithm of the temperature; NaN where it was not asked for.
    """

    value: Tensor
    gradient: Tensor
    slope: Tensor


def info_nce(
    parameters: Tensor,
    pairs: Tensor,
    temperature: float,
    *,
    copies: bool = False,
    own_share: float = 0.0,
    against: float | None = None,
    slope: bool = False,
    scratch: Tensor | None = None,
) -> Loss:
    """Compute the loss of a batch and its gradient.

    Parameters
    ----------
    parameters : Tensor, shape (m, d)
        Vectors of the nodes in the batch, of any length but zero: only their directions count.
    pairs : Tensor of int64, shape (b, 2)
        Neighbours, as rows of `parameters`. Every row occurs in at least one pair.
    temperature : float
    copies : bool
        Whether a node that occurs in several pairs is as many negatives, its own copies among them, as in the
        paper's library. By default every other node of the batch counts once.
    own_share : float
        Weight of a node's own similarity for each of the others.
    against : float, optional
        How many negatives the others stand for; by default as many as they are. Not with copies.
    slope : bool
        Whether the temperature is learned, too.
    scratch : Tensor, shape (BLOCK,), optional
        Memory to work in; asking the system for it anew every time is slow.

    Returns
    -------
    Loss
    """
    m, b = len(parameters), len(pairs)
    lengths = torch.linalg.vector_norm(parameters, dim=1, keepdim=True)
    Z = parameters / lengths
    left, right = Z[pairs[:, 0]], Z[pairs[:, 1]]
    pulls = (left * right).sum() / temperature
    counts = torch.bincount(pairs.reshape(-1), minlength=m).to(Z.dtype)
    weights = counts.log() if copies else None
    own_weights = _own_weights(counts, own_share, copies=copies)
    partners = None if against is None else _Partners(pairs, m, against)
    gradient = torch.zeros_like(Z)
    log_sums = Z.new_zeros(())
    expected = Z.new_zeros(()) if slope else Z.new_full((), torch.nan)
    rows = max(BLOCK // m, 1)
    room = Z.new_empty(rows * m) if scratch is None or len(scratch) < rows * m else scratch
    for start in range(0, m, rows):
        block, c = Z[start : start + rows], counts[start : start + rows, None]
        S = torch.mm(block / temperature, Z.T, out=room[: len(block) * m].view(len(block), m))
        own = S.diagonal(start)
        if weights is not None:
            S += weights
        if partners is not None:
            partners.weigh(S, start, 1)
        own.copy_(own_weights[start : start + rows] + 1 / temperature)
        top = S.amax(dim=1, keepdim=True)
        P = (S - top).exp_() if slope else S.sub_(top).exp_()
        sums = P.sum(dim=1, keepdim=True)
        log_sums += (c * (top + sums.log())).sum()
        W = P.mul_(c / sums)
        if slope:
            if weights is not None:
                S -= weights
            if partners is not None:
                partners.weigh(S, start, -1)
            own.fill_(1 / temperature)
            expected += (W * S).sum()
        gradient[start : start + rows] += W @ Z
        gradient += W.T @ block
    gradient.index_add_(0, pairs[:, 0], right, alpha=-2)
    gradient.index_add_(0, pairs[:, 1], left, alpha=-2)
    gradient /= 2 * b * temperature
    # Only what lies along the sphere counts.
    gradient -= Z * (gradient * Z).sum(dim=1, keepdim=True)
    gradient /= lengths
    value = (log_sums - 2 * pulls) / (2 * b)
    if partners is not None:
        value -= partners.weight
    return Loss(value, gradient, (2 * pulls - expected) / (2 * b))


def _own_weights(counts: Tensor, own_share: float, *, copies: bool) -> Tensor:
    """Logarithm of how often each node is a negative of its own, shape (m,)."""
    others = counts.sum() - counts if copies else torch.full_like(counts, len(counts) - 1)
    further = counts - 1 if copies else torch.zeros_like(counts)
    return (further + own_share * others).log()


class _Partners:
    """Which nodes are neighbours in the batch, and the logarithm of what they weigh beside the others."""

    def __init__(self, pairs: Tensor, m: int, against: float) -> None:
        there = pairs[:, 0] * m + pairs[:, 1]
        back = pairs[:, 1] * m + pairs[:, 0]
        places = torch.unique(torch.cat([there, back]))
        self._rows, self._columns = torch.div(places, m, rounding_mode="floor"), places % m
        self.weight = math.log((m - 1) / against)

    def weigh(self, S: Tensor, start: int, sign: int) -> None:
        """Add the logarithm to the rows of S, which are those from `start` on."""
        here = (self._rows >= start) & (self._rows < start + len(S))
        S[self._rows[here] - start, self._columns[here]] += sign * self.weight
