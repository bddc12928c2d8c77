"""A callback for anyone's own openTSNE run."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from openTSNE import TSNE
from openTSNE.affinity import PrecomputedAffinities

from graphne_viz.layout.engine.opentsne.callback import OpenTSNECallback


@pytest.fixture(scope="module")
def affinities():
    A = nx.to_scipy_sparse_array(nx.random_geometric_graph(150, 0.18, seed=1), dtype=float)
    rows = sp.diags(1 / np.maximum(A.sum(axis=1), 1)) @ A
    return lambda: PrecomputedAffinities(sp.csr_matrix((rows + rows.T) / 300))


def fit(affinities, callback, every=10):
    tsne = TSNE(
        initialization="spectral",
        early_exaggeration_iter=30,
        n_iter=40,
        n_jobs=1,
        random_state=0,
        callbacks=callback,
        callbacks_every_iters=every,
    )
    return tsne.fit(affinities=affinities())


def test_iterations_count_over_both_phases(affinities):
    seen = []
    callback = OpenTSNECallback(seen.append)
    fit(affinities, callback)
    assert [snapshot.iteration for snapshot in seen] == [10, 20, 30, 40, 50, 60, 70]
    assert [snapshot.phase for snapshot in seen] == ["early exaggeration"] * 3 + ["optimization"] * 4
    assert callback.iteration == 70
    assert callback.latest is seen[-1]
    assert all(np.isfinite(snapshot.kl) for snapshot in seen)
    assert seen[-1].kl < seen[0].kl


def test_snapshots_are_copies_in_float32(affinities):
    seen = []
    result = fit(affinities, OpenTSNECallback(seen.append))
    for before, after in pairwise(seen):
        assert before.positions.dtype == np.float32
        assert before.positions.shape == (150, 2)
        assert not np.array_equal(before.positions, after.positions)
    assert not np.shares_memory(seen[-1].positions, result)


def test_watching_changes_nothing(affinities):
    assert np.array_equal(fit(affinities, OpenTSNECallback(lambda _: None)), fit(affinities, None))


@pytest.mark.parametrize("at", [20, 50])
def test_a_truthy_answer_ends_the_fit(affinities, at):
    seen = []

    def see(snapshot):
        seen.append(snapshot)
        return snapshot.iteration >= at

    result = fit(affinities, OpenTSNECallback(see))
    assert result.shape == (150, 2)
    assert max(snapshot.iteration for snapshot in seen) <= max(at, 40)
    assert seen[-1].iteration < 70


def test_stop_from_elsewhere_ends_the_fit(affinities):
    seen = []
    callback = OpenTSNECallback(seen.append)
    callback.stop()
    fit(affinities, callback)
    assert len(seen) <= 2  # one for each phase: openTSNE ends one after the other
    callback.reset()
    seen.clear()
    fit(affinities, callback)
    assert [snapshot.iteration for snapshot in seen] == [10, 20, 30, 40, 50, 60, 70]


def test_optimize_called_again_and_again(affinities):
    seen = []
    callback = OpenTSNECallback(seen.append)
    embedding = TSNE(n_jobs=1, random_state=0, initialization="spectral").prepare_initial(affinities=affinities())
    for _ in range(3):
        embedding = embedding.optimize(20, callbacks=callback, callbacks_every_iters=10)
    assert [snapshot.iteration for snapshot in seen] == [10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("see", [None, 3])
def test_what_cannot_be_called_is_refused(see):
    with pytest.raises(TypeError, match="see must be callable"):
        OpenTSNECallback(see)
