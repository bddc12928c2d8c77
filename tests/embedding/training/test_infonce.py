"""The loss and its gradient against the paper's formula, and the optimiser that follows it."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from graphne_viz.embedding.training import infonce  # noqa: E402 -- needs torch
from graphne_viz.embedding.training.adam import BETAS, EPSILON, RowAdam  # noqa: E402 -- needs torch
from graphne_viz.embedding.training.infonce import info_nce  # noqa: E402 -- needs torch

BATCHES = {
    "one edge": [(0, 1)],
    "two edges": [(0, 1), (2, 3)],
    "a shared node": [(0, 1), (1, 2), (3, 1), (3, 4)],
    "an edge twice": [(0, 1), (2, 3), (0, 1), (3, 4)],
    "an edge there and back": [(0, 1), (1, 0), (2, 0)],
    "one edge three times": [(1, 0)] * 3,
    "all of five nodes": [(i, j) for i in range(5) for j in range(i)],
}


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)


def reference(vectors, pairs, temperature, *, copies=False, own_share=0, against=None):
    """InfoNCE as the paper writes it, one sum after another, with the weights of the dial.

    Every edge is a pair in each direction. The nodes that stand in the batch are its 2b ends: with copies, each end
    is contrasted with all the others; without, each node with all other nodes.
    """
    ends = [end for pair in pairs for end in pair]
    losses = []
    for number, (left, right) in enumerate(pairs):
        for i, j, place in ((left, right, 2 * number), (right, left, 2 * number + 1)):
            others = [end for at, end in enumerate(ends) if at != place] if copies else sorted(set(ends) - {i})
            partners = {end for pair in pairs for end in pair if i in pair}
            count = sum(end != i for end in others)
            share = 1 if against is None else against / count
            total = own_share * count * share * math.exp(1 / temperature)
            for k in others:
                weight = 1 if k in partners else share
                total += weight * math.exp(cosine(vectors[i], vectors[k]) / temperature)
            losses.append(-math.log(math.exp(cosine(vectors[i], vectors[j]) / temperature) / total))
    return sum(losses) / len(losses)


def a_batch(name, dim=4, dtype=torch.float64):
    pairs = BATCHES[name]
    n = max(max(pair) for pair in pairs) + 1
    vectors = np.random.default_rng(len(pairs)).normal(size=(n, dim)) * np.linspace(0.3, 3, n)[:, None]
    return torch.tensor(vectors, dtype=dtype), torch.tensor(pairs)


def differences(function, vectors, step=1e-5):
    """Central differences of a function by every number of some vectors."""
    gradient = torch.zeros_like(vectors)
    for place in np.ndindex(*vectors.shape):
        ends = []
        for sign in (1, -1):
            moved = vectors.clone()
            moved[place] += sign * step
            ends.append(float(function(moved)))
        gradient[place] = (ends[0] - ends[1]) / (2 * step)
    return gradient


each_batch = pytest.mark.parametrize("name", BATCHES)
each_kind = pytest.mark.parametrize("copies", [False, True])
each_dial = pytest.mark.parametrize(
    "dial",
    [{"own_share": 0.01}, {"against": 2}, {"own_share": 0.3, "against": 3.5}, {"own_share": 0.2, "copies": True}],
    ids=str,
)


@each_batch
@each_kind
@pytest.mark.parametrize("temperature", [0.05, 0.5, 2.0])
def test_the_value_is_the_papers(name, copies, temperature):
    vectors, pairs = a_batch(name)
    value = info_nce(vectors, pairs, temperature, copies=copies).value
    expected = reference(vectors.tolist(), pairs.tolist(), temperature, copies=copies)
    assert float(value) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@each_batch
@each_kind
@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_the_gradient_agrees_with_differences_of_the_reference(name, copies, temperature):
    vectors, pairs = a_batch(name)
    gradient = info_nce(vectors, pairs, temperature, copies=copies).gradient
    expected = differences(lambda moved: reference(moved.tolist(), pairs.tolist(), temperature, copies=copies), vectors)
    assert torch.allclose(gradient, expected, rtol=1e-6, atol=1e-8)


@each_batch
@each_kind
@pytest.mark.parametrize("temperature", [0.05, 0.5])
def test_the_gradient_agrees_with_differences_of_the_value(name, copies, temperature):
    vectors, pairs = a_batch(name)
    gradient = info_nce(vectors, pairs, temperature, copies=copies).gradient
    expected = differences(lambda moved: info_nce(moved, pairs, temperature, copies=copies).value, vectors, step=1e-6)
    assert torch.allclose(gradient, expected, rtol=1e-5, atol=1e-7)


@each_batch
@each_kind
@pytest.mark.parametrize("temperature", [0.05, 0.5, 2.0])
def test_the_slope_agrees_with_differences_by_the_logarithm_of_the_temperature(name, copies, temperature):
    vectors, pairs = a_batch(name)
    ends = [
        reference(vectors.tolist(), pairs.tolist(), temperature * math.exp(step), copies=copies)
        for step in (1e-5, -1e-5)
    ]
    slope = info_nce(vectors, pairs, temperature, copies=copies, slope=True).slope
    assert float(slope) == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-7)


@each_batch
@each_dial
@pytest.mark.parametrize("temperature", [0.05, 0.5])
def test_with_the_dial_all_of_it_agrees_with_the_reference(name, dial, temperature):
    vectors, pairs = a_batch(name)

    def slow(moved, temperature=temperature):
        return reference(moved.tolist(), pairs.tolist(), temperature, **dial)

    loss = info_nce(vectors, pairs, temperature, slope=True, **dial)
    assert float(loss.value) == pytest.approx(slow(vectors), rel=1e-10, abs=1e-12)
    assert torch.allclose(loss.gradient, differences(slow, vectors, step=1e-6), rtol=1e-4, atol=1e-6)
    ends = [slow(vectors, temperature * math.exp(step)) for step in (1e-5, -1e-5)]
    assert float(loss.slope) == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-6)


def test_a_large_batch_in_blocks_has_the_dial_in_all_of_them(monkeypatch):
    vectors, pairs = a_batch("all of five nodes")
    whole = info_nce(vectors, pairs, 0.2, own_share=0.1, against=2, slope=True)
    monkeypatch.setattr(infonce, "BLOCK", 10)
    for one, other in zip(whole, info_nce(vectors, pairs, 0.2, own_share=0.1, against=2, slope=True), strict=True):
        assert torch.allclose(one, other, rtol=1e-12)


@each_kind
def test_asking_for_the_slope_changes_nothing_else(copies):
    vectors, pairs = a_batch("all of five nodes")
    without = info_nce(vectors, pairs, 0.1, copies=copies)
    learned = info_nce(vectors, pairs, 0.1, copies=copies, slope=True)
    assert torch.equal(without.value, learned.value)
    assert torch.equal(without.gradient, learned.gradient)
    assert torch.isnan(without.slope)


@each_batch
@each_kind
@pytest.mark.parametrize("block", [1, 7, 11])
def test_blocks_change_nothing(monkeypatch, name, copies, block):
    vectors, pairs = a_batch(name)
    whole = info_nce(vectors, pairs, 0.1, copies=copies, slope=True)
    monkeypatch.setattr(infonce, "BLOCK", block)
    pieces = info_nce(vectors, pairs, 0.1, copies=copies, slope=True)
    for one, other in zip(whole, pieces, strict=True):
        assert torch.allclose(one, other, rtol=1e-12, atol=1e-14)


def test_one_edge_has_nothing_to_be_told_from():
    vectors, pairs = a_batch("one edge")
    for copies in (False, True):
        loss = info_nce(vectors, pairs, 0.05, copies=copies, slope=True)
        assert float(loss.value) == pytest.approx(0, abs=1e-12)
        assert float(loss.slope) == pytest.approx(0, abs=1e-12)
        assert torch.allclose(loss.gradient, torch.zeros_like(vectors), atol=1e-12)


def test_without_duplicates_both_kinds_of_negatives_are_one():
    vectors, pairs = a_batch("two edges")
    once, copied = (info_nce(vectors, pairs, 0.1, copies=copies, slope=True) for copies in (False, True))
    for one, other in zip(once, copied, strict=True):
        assert torch.allclose(one, other, rtol=1e-12, atol=1e-14)


def test_only_directions_count_and_short_vectors_turn_faster():
    vectors, pairs = a_batch("a shared node")
    lengths = torch.tensor([0.1, 1, 10, 100, 3], dtype=torch.float64)[:, None]
    plain, scaled = (info_nce(given, pairs, 0.1) for given in (vectors, vectors * lengths))
    assert float(plain.value) == pytest.approx(float(scaled.value), rel=1e-12)
    assert torch.allclose(plain.gradient, scaled.gradient * lengths, rtol=1e-9)
    assert (scaled.gradient * vectors).sum(dim=1).abs().max() < 1e-12 * scaled.gradient.abs().max() * 1e3


@each_kind
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("temperature", [0.001, 10.0])
def test_extreme_temperatures_stay_finite(copies, dtype, temperature):
    rng = np.random.default_rng(0)
    vectors = torch.tensor(rng.normal(size=(40, 8)), dtype=dtype)
    vectors[7], vectors[8] = vectors[6], -vectors[6]  # neighbours on one point, and opposite ones
    pairs = torch.tensor([(i, (i + 1) % 40) for i in range(40)])
    loss = info_nce(vectors, pairs, temperature, copies=copies, slope=True)
    assert all(torch.isfinite(part).all() for part in loss)
    assert loss.gradient.dtype == dtype
    Z = (vectors / vectors.norm(dim=1, keepdim=True)).to(torch.float64)
    S = Z @ Z.T / temperature
    if copies:  # every node stands in two pairs
        S += math.log(2)
        S.fill_diagonal_(1 / temperature)
    else:
        S.fill_diagonal_(-math.inf)
    pulls = torch.stack([(Z[i] * Z[j]).sum() / temperature for i, j in pairs.tolist()])
    expected = 2 * torch.logsumexp(S, dim=1).sum() - 2 * pulls.sum()
    assert float(loss.value) == pytest.approx(float(expected) / 80, rel=1e-5)


def test_arguments_are_unchanged():
    vectors, pairs = a_batch("an edge twice", dtype=torch.float32)
    before = vectors.clone(), pairs.clone()
    info_nce(vectors, pairs, 0.05, copies=True, slope=True)
    assert torch.equal(vectors, before[0])
    assert torch.equal(pairs, before[1])


def zeros(n, d, dtype=torch.float32):
    return torch.zeros((n, d), dtype=dtype), torch.zeros((n, d), dtype=dtype)


@pytest.mark.parametrize("size", [1.0, 1e-6])
def test_with_a_gradient_for_every_row_it_is_adam(size):
    rng = np.random.default_rng(0)
    first = torch.tensor(rng.normal(size=(6, 3)), dtype=torch.float64)
    theirs = torch.nn.Parameter(first.clone())
    adam = torch.optim.Adam([theirs], lr=0.1, betas=BETAS, eps=EPSILON)
    ours = RowAdam(first.clone(), *zeros(6, 3, torch.float64))
    for step in range(50):
        gradient = torch.tensor(rng.normal(size=(6, 3)) * size)
        rate = 0.1 * (1 - step / 50)
        theirs.grad = gradient.clone()
        adam.param_groups[0]["lr"] = rate
        adam.step()
        rows = torch.tensor(rng.permutation(6))
        ours.update(rows, ours.table[rows], gradient[rows], rate)
    assert ours.step == 50
    assert torch.allclose(ours.table, theirs.detach(), rtol=1e-9, atol=1e-12)
    assert (ours.table - first).abs().min() > 1e-3


def test_other_rows_are_untouched():
    rng = np.random.default_rng(1)
    tables = [torch.tensor(rng.random((5, 2)), dtype=torch.float32) for _ in range(3)]
    adam = RowAdam(*(table.clone() for table in tables), step=3)
    rows = torch.tensor([3, 1])
    adam.update(rows, adam.table[rows], torch.ones((2, 2)), 0.1)
    for before, after in zip(tables, (adam.table, adam.first, adam.second), strict=True):
        assert torch.equal(after[[0, 2, 4]], before[[0, 2, 4]])
        assert (after[[1, 3]] != before[[1, 3]]).all()


def test_no_gradient_moves_nothing():
    table = torch.ones((3, 2))
    adam = RowAdam(table.clone(), *zeros(3, 2))
    rows = torch.arange(3)
    adam.update(rows, adam.table[rows], torch.zeros((3, 2)), 0.1)
    assert torch.equal(adam.table, table)
