"""The compiled loops against torch's loss and optimiser, which are checked against the paper's formula."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from graphne_viz._threads import ThreadTeam  # noqa: E402 -- needs torch
from graphne_viz.embedding.training import batch_kernels  # noqa: E402 -- needs torch
from graphne_viz.embedding.training.adam import RowAdam  # noqa: E402 -- needs torch
from graphne_viz.embedding.training.compiled_step import CompiledStep, one_blas_thread  # noqa: E402 -- needs torch
from graphne_viz.embedding.training.infonce import info_nce  # noqa: E402 -- needs torch

N, DIM = 40, 12


def some_batches(seed=0, sizes=(30, 25, 7)):
    """Batches of pairs in which nodes, and whole pairs, occur repeatedly."""
    rng = np.random.default_rng(seed)
    batches = []
    for size in sizes:
        left = rng.integers(0, N, size)
        batches.append(np.column_stack([left, (left + rng.integers(1, 6, size)) % N]))
    batches[0][:3] = batches[0][5], batches[0][5][::-1], batches[0][6]
    return batches


def tables(seed=1):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(N, DIM)) * rng.uniform(0.5, 2, (N, 1))
    return [table.astype(np.float32), np.zeros((N, DIM), np.float32), np.zeros((N, DIM), np.float32)]


def by_torch(parts, batches, rate, step, temperature, **dial):
    """One step as torch takes it; mean loss and slope."""
    adam = RowAdam(*(torch.from_numpy(part) for part in parts), step - 1)
    gradient = torch.zeros(N, DIM)
    count = sum(map(len, batches))
    value = slope = 0.0
    for batch in batches:
        nodes, pairs = torch.unique(torch.from_numpy(batch), return_inverse=True)
        loss = info_nce(adam.table[nodes], pairs, temperature, slope=True, **dial)
        gradient[nodes] += loss.gradient * len(batch) / count
        value += float(loss.value) * len(batch) / count
        slope += float(loss.slope) * len(batch) / count
    touched = torch.unique(torch.from_numpy(np.concatenate(batches)))
    adam.update(touched, adam.table[touched], gradient[touched], rate)
    return value, slope


def by_loops(parts, batches, rate, step, temperature, *, threads=1, own_share=0.0, against=None):
    with one_blas_thread(), ThreadTeam(threads) as team:
        learner = CompiledStep(*parts, batch_size=30, batches=len(batches), team=team)
        return learner.learn(
            batches, temperature=temperature, own_share=own_share, against=against, rate=rate, step=step
        )


DIALS = [{}, {"own_share": 0.02}, {"against": 5}, {"own_share": 0.02, "against": 5}]


@pytest.mark.parametrize("dial", DIALS, ids=str)
@pytest.mark.parametrize("temperature", [0.01, 0.05, 0.5])
def test_a_step_is_that_of_torch(dial, temperature):
    ours, theirs = tables(), tables()
    for step in (1, 2, 3):
        batches = some_batches(step)
        found = by_loops(ours, batches, 0.01, step, temperature, **dial)
        expected = by_torch(theirs, batches, 0.01, step, temperature, **dial)
        assert found == pytest.approx(expected, rel=2e-4, abs=2e-4)
    for one, other in zip(ours, theirs, strict=True):
        assert np.allclose(one, other, rtol=2e-3, atol=2e-4 * np.abs(other).max())


def test_a_node_in_no_batch_stays_where_it_is():
    parts = tables()
    before = parts[0].copy()
    batches = [np.array([[0, 1], [2, 3]])]
    by_loops(parts, batches, 0.1, 1, 0.05)
    assert np.array_equal(parts[0][4:], before[4:])
    assert not np.isclose(parts[0][:4], before[:4]).all(axis=1).any()


def test_the_number_of_threads_changes_nothing():
    found = []
    for threads in (1, 2, 3):
        parts = tables()
        for step in range(1, 5):
            by_loops(parts, some_batches(step, (30,) * 7), 0.05, step, 0.05, threads=threads, own_share=0.01)
        found.append(parts)
    for parts in found[1:]:
        assert all(np.array_equal(one, other) for one, other in zip(parts, found[0], strict=True))


def test_the_exponential_is_as_good_as_single_precision_needs():
    x = np.linspace(-80, 0, 10_001).astype(np.float32)
    values = x.copy()
    batch_kernels._exp_less(values, np.float32(1), np.float32(0))
    assert np.abs(values / np.exp(x.astype(np.float64)) - 1).max() < 5e-6
