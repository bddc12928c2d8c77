"""Nodes that stand on one point are moved apart, quickly and without holding up the kernel."""

import threading
import time

import numpy as np
import pytest

from graphne_viz.layout.placement import separate_coincident


def ranks_by_hand(positions):
    """Count for each node how many before it stand on the same point."""
    seen = {}
    ranks = []
    for x, y in positions.tolist():
        ranks.append(seen.get((x, y), 0))
        seen[x, y] = ranks[-1] + 1
    return np.array(ranks)


def longest_gap(work):
    """Return how long another thread could do nothing meanwhile, as a share of the time the work takes."""
    gap, over = 0.0, threading.Event()

    def tick():
        nonlocal gap
        last = time.perf_counter()
        while not over.is_set():
            time.sleep(0.001)
            gap, last = max(gap, time.perf_counter() - last), time.perf_counter()

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.perf_counter()
    work()
    took = time.perf_counter() - begun
    over.set()
    thread.join()
    return gap / took


@pytest.mark.parametrize("points", [2, 9, 400])
def test_twins_stand_on_a_spiral_in_the_order_of_the_nodes(points):
    positions = np.random.default_rng(points).integers(-points, points, (600, 2)).astype(float)
    positions[positions == 0] *= -1  # 0 and -0 are one place
    positions[::7] += 0.0
    parted = separate_coincident(positions)
    moved = np.linalg.norm(parted - positions, axis=1)
    ranks = ranks_by_hand(positions)
    pitch = np.ptp(positions, axis=0).max() / np.sqrt(600)
    np.testing.assert_allclose(moved, 0.05 * pitch * np.sqrt(ranks), rtol=1e-9, atol=1e-9)
    assert len(np.unique(parted, axis=0)) == 600


@pytest.mark.parametrize("positions", [np.zeros((0, 2)), np.zeros((1, 2)), np.ones((5, 2)), np.eye(2)])
def test_where_none_or_all_are_twins_nothing_moves(positions):
    assert separate_coincident(positions) is positions


def test_another_thread_goes_on_while_twins_are_parted():
    positions = np.random.default_rng(0).normal(size=(400_000, 2))
    positions[:1000] = positions[1000:2000]
    assert min(longest_gap(lambda: separate_coincident(positions)) for _ in range(5)) < 0.5
