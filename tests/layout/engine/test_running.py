"""A run from outside: interruption, the same bytes for the same input, and the layouts that come out."""

import copy
import threading

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from engine_runs import ENGINES, QUICK, SHORT, Watch, by, geometric, kl_divergence, planted, recall
from scipy.spatial import cKDTree

from graphne_viz import graphne_layout


@pytest.fixture(scope="module")
def clustered():
    return planted(15, 60)


# interruption


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupt_leaves_nothing_changed(engine, error):
    G = nx.connected_watts_strogatz_graph(60, 4, 0.1, seed=0)
    G.add_edge("a", "b")
    nx.set_edge_attributes(G, 1.5, "weight")
    before = copy.deepcopy(G)
    A = nx.to_scipy_sparse_array(G, dtype=float)
    stored = [array.copy() for array in (A.data, A.indices, A.indptr)]
    expected = graphne_layout(G, **by(engine), **QUICK)

    def leave(snapshot):
        if snapshot.iteration >= 30:
            raise error

    for graph in (G, A):
        with pytest.raises(error):
            graphne_layout(graph, **by(engine), callback=leave, **QUICK)
    assert nx.utils.graphs_equal(G, before)
    assert all(np.array_equal(a, b) for a, b in zip((A.data, A.indices, A.indptr), stored, strict=True))
    again = graphne_layout(G, **by(engine), **QUICK)
    assert all(np.array_equal(expected[v], again[v]) for v in G)


def test_an_interrupt_leaves_a_graph_of_ours_unchanged():
    from graphne_viz.graphs.convert.api import as_graph

    graph = as_graph(geometric(2000))
    stored = graph.adjacency.copy()

    def leave(_):
        raise KeyboardInterrupt

    for engine in ENGINES:
        with pytest.raises(KeyboardInterrupt):
            graphne_layout(graph, **by(engine), callback=leave, **QUICK)
    assert (graph.adjacency != stored).nnz == 0


def test_threads_end_with_the_run():
    A = geometric(20_000)
    keywords = {"n_iter": 5, "early_exaggeration_iter": 5, "initialization": "random", "n_jobs": 3}
    graphne_layout(A, **keywords)
    with pytest.raises(KeyboardInterrupt):
        graphne_layout(A, **keywords, callback=_interrupt)
    for thread in threading.enumerate():
        if thread.name.startswith("graphne"):
            thread.join(2)
            assert not thread.is_alive()


def _interrupt(_):
    raise KeyboardInterrupt


# the same bytes


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_threads(engine):
    A = geometric(3000, seed=2)
    keywords = {"n_iter": 12, "early_exaggeration_iter": 8, "engine": engine}
    first, *others = (graphne_layout(A, n_jobs=n, **keywords).tobytes() for n in (1, 2, 3))
    assert all(other == first for other in others)


@pytest.mark.parametrize("engine", ["auto", "mesh"])
def test_the_same_bytes_on_a_larger_graph(engine):
    A = geometric(20_000, seed=2)
    for start in ("spectral", "random"):
        first, *others = (
            graphne_layout(
                A, n_jobs=n, engine=engine, initialization=start, n_iter=12, early_exaggeration_iter=8
            ).tobytes()
            for n in (1, 2, 3)
        )
        assert all(other == first for other in others)


def test_the_same_bytes_for_parts_and_fixed_nodes():
    parts = sp.csr_array(sp.block_diag([geometric(1500, seed=3), geometric(1200, seed=4), geometric(90)]))
    pos = np.full((parts.shape[0], 2), np.nan)
    pos[:5] = np.arange(10).reshape(5, 2)
    for keywords in ({}, {"pos": pos, "fixed": range(5)}):
        first, *others = (graphne_layout(parts, n_jobs=n, **QUICK, **keywords).tobytes() for n in (1, 2, 3))
        assert all(other == first for other in others)


def test_more_threads_than_cores():
    A = geometric(20_000, seed=2)
    keywords = {"initialization": "random", "n_iter": 3, "early_exaggeration_iter": 2}
    assert graphne_layout(A, n_jobs=16, **keywords).tobytes() == graphne_layout(A, n_jobs=1, **keywords).tobytes()


# what comes out


@pytest.mark.parametrize("engine", ENGINES)
def test_float64_out(engine):
    A = geometric(200)
    assert graphne_layout(A, **by(engine), **QUICK).dtype == np.float64
    single = A.astype(np.float32)
    assert graphne_layout(single, **by(engine), **QUICK).dtype == np.float64


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dof", [0.5, 0.7, 2])
def test_other_degrees_of_freedom_give_a_true_layout(engine, dof):
    G = nx.connected_watts_strogatz_graph(80, 6, 0.05, seed=0)
    A = sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))
    watch = Watch()
    result = graphne_layout(
        A, **by(engine), dof=dof, callback=watch, callback_every=50, n_iter=100, early_exaggeration_iter=50
    )
    assert np.isfinite(result).all()
    last = watch.seen[-1]
    assert last.kl == pytest.approx(kl_divergence(A, last.positions, dof), rel=0.02, abs=0.01)
    assert last.kl < watch.seen[0].kl
    assert recall(A, result) > 0.5


def test_less_dof_spreads_the_layout():
    A = geometric(400, seed=1)
    spans = [np.ptp(graphne_layout(A, dof=dof, scale=None, **SHORT)) for dof in (2, 1, 0.6)]
    assert spans == sorted(spans)


def test_engines_agree(clustered):
    A, classes = clustered
    found = {}
    for engine in ("exact", "mesh", "opentsne"):
        points = graphne_layout(A, **by(engine), scale=None, **SHORT)
        near = cKDTree(points).query(points, k=2)[1][:, 1]
        found[engine] = recall(A, points), np.mean(classes[near] == classes), kl_divergence(A, points)
    reference = found.pop("opentsne")
    for kept, accuracy, kl in found.values():
        assert kept > reference[0] - 0.03
        assert accuracy > max(reference[1] - 0.01, 0.95)
        assert kl < 1.03 * reference[2]


def test_engines_agree_on_a_geometric_graph():
    A = geometric(600, neighbours=14, seed=5)
    kept = [recall(A, graphne_layout(A, **by(e), **SHORT)) for e in ("exact", "mesh", "opentsne")]
    assert max(kept) - min(kept) < 0.03
    assert min(kept) > 0.6
