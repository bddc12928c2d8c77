"""The repulsion of nodes that are held in place, by cells, beside the sum over all pairs."""

import numpy as np
import pytest

from graphne_viz.layout.engine.parts.few_free import are_few
from graphne_viz.layout.engine.parts.held_cells import HeldCells


def summed(free, held, dof):
    """Push on each free node and its sum of similarities, pair by pair."""
    apart = free[:, :, None] - held[:, None]
    base = 1 + (apart**2).sum(axis=0) / dof
    similarity = base**-dof
    return (apart * similarity / base).sum(axis=2), similarity.sum(axis=1)


def clusters(n, spread, rng):
    middles = rng.normal(scale=spread, size=(2, 20))
    return (middles[:, rng.integers(20, size=n)] + rng.normal(size=(2, n))).astype(np.float32)


@pytest.mark.parametrize("dof", [1, 0.5, 2])
@pytest.mark.parametrize("spread", [0.01, 3, 40])
def test_cells_push_as_all_pairs_do(spread, dof):
    rng = np.random.default_rng(0)
    held, free = clusters(2000, spread, rng), clusters(50, spread, rng)
    push, z = np.zeros((2, 50), np.float32), np.zeros(50, np.float32)
    cells = HeldCells(*held, np.float32(dof))
    cells.push(0, 20, free, push, z)
    cells.push(20, 50, free, push, z)
    wanted, wanted_z = summed(free.astype(np.float64), held.astype(np.float64), dof)
    assert np.linalg.norm(push - wanted) < 0.03 * np.linalg.norm(wanted)
    assert z == pytest.approx(wanted_z, rel=0.02)


@pytest.mark.parametrize("held", [np.zeros((2, 1)), np.zeros((2, 30)), [np.arange(300), np.zeros(300)]], ids=len)
def test_points_and_lines_have_cells_too(held):
    held = np.asarray(held, dtype=np.float32)
    free = np.array([[0.5, 1000, -3], [0.5, -1000, 0]], np.float32)
    push, z = np.zeros((2, 3), np.float32), np.zeros(3, np.float32)
    HeldCells(*np.ascontiguousarray(held), np.float32(1)).push(0, 3, free, push, z)
    wanted, wanted_z = summed(free.astype(np.float64), held.astype(np.float64), 1)
    assert push == pytest.approx(wanted, rel=0.05, abs=1e-6)
    assert z == pytest.approx(wanted_z, rel=0.05)


def test_few_are_those_that_cost_less_than_a_mesh():
    assert are_few(1, 1_000_000)
    assert are_few(1000, 20_000)
    assert not are_few(10_000, 20_000)
