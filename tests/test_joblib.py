"""Layouts in the workers of joblib, with which scikit-learn works in several processes."""

import os

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout

joblib = pytest.importorskip("joblib", reason="it comes with scikit-learn")


def layout_bytes(seed):
    """Lay out a graph that needs compiled loops; sent to other processes, so it stands here."""
    edges = np.array(nx.random_regular_graph(3, 200, seed=1).edges)
    return os.getpid(), graphne_layout(edges, n_iter=60, seed=seed).tobytes()


@pytest.fixture
def loky():
    """Two workers, which end with the test."""
    try:
        with joblib.parallel_config(backend="loky", n_jobs=2):
            yield joblib.Parallel(timeout=120)
    finally:
        joblib.externals.loky.get_reusable_executor().shutdown(wait=True, kill_workers=True)


def test_workers_of_joblib_give_the_same_bytes(loky):
    here, *expected = (layout_bytes(seed) for seed in (0, 0, 1))  # threads and compiled loops are there before
    found = loky(joblib.delayed(layout_bytes)(k % 2) for k in range(4))
    assert here[0] not in {pid for pid, _ in found}, "each is a process of its own"
    assert [positions for _, positions in found] == [positions for _, positions in expected] * 2
    assert layout_bytes(0) == here
