"""A run from outside: what callbacks see, how it stops, and that the same input gives the same bytes."""

import copy
import threading
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial import cKDTree

from graphne_viz import Snapshot, graphne_layout
from graphne_viz.layout.affinity import affinities

ENGINES = ["auto", "exact", "mesh", "opentsne"]
OURS = ["auto", "exact", "mesh"]
SHORT = {"n_iter": 200, "early_exaggeration_iter": 100}
QUICK = {"n_iter": 40, "early_exaggeration_iter": 20}


def by(engine):
    """Keywords for an engine; openTSNE's threads wait for each other longer than small graphs take."""
    return {"engine": engine, "n_jobs": 1} if engine == "opentsne" else {"engine": engine}


def geometric(n, neighbours=8, seed=0):
    """Adjacency of a random geometric graph with about so many neighbours."""
    places = np.random.default_rng(seed).random((n, 2))
    pairs = cKDTree(places).query_pairs(np.sqrt(neighbours / (np.pi * n)), output_type="ndarray")
    upper = sp.coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n)).tocsr()
    return sp.csr_array(upper + upper.T)


def planted(groups, size, seed=0):
    """Adjacency of a planted partition, and the class of each node."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(groups), size)
    chance = np.where(classes[:, None] == classes, 8 / size, 1 / (size * groups))
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    return sp.csr_array((upper | upper.T).astype(float)), classes


def recall(A, points):
    """Mean share of each node's neighbours among as many nearest nodes."""
    degrees = np.diff(A.indptr)
    near = cKDTree(points).query(points, k=degrees.max() + 1)[1][:, 1:]
    kept = [
        np.isin(near[i, : degrees[i]], A.indices[A.indptr[i] : A.indptr[i + 1]]).mean() for i in np.flatnonzero(degrees)
    ]
    return np.mean(kept)


def kl_divergence(A, points, dof=1.0):
    """Exact KL divergence of a layout of a connected graph, in t-SNE's own units."""
    P = affinities(A, "node")
    P = P.toarray() / P.sum()
    square = ((points[:, None] - points) ** 2).sum(axis=2)
    kernel = (1 + square / dof) ** -dof
    np.fill_diagonal(kernel, 0)
    Q = kernel / kernel.sum()
    there = P > 0
    return float((P[there] * np.log(P[there] / Q[there])).sum())


@pytest.fixture(scope="module")
def clustered():
    return planted(15, 60)


# callbacks


class Watch:
    """A callback that keeps what it is given."""

    def __init__(self, answer=None):
        self.seen = []
        self.bytes = []
        self.answer = answer

    def __call__(self, snapshot):
        self.seen.append(snapshot)
        self.bytes.append(snapshot.positions.tobytes())
        return self.answer(snapshot) if self.answer else None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_callback_gets_copies_in_float32_that_nobody_overwrites(engine):
    watch = Watch()
    G = nx.karate_club_graph()
    graphne_layout(G, **by(engine), callback=watch, **QUICK)
    assert len(watch.seen) == 6
    for snapshot, then in zip(watch.seen, watch.bytes, strict=True):
        assert isinstance(snapshot, Snapshot)
        assert isinstance(snapshot.iteration, int)
        assert isinstance(snapshot.kl, float)
        assert snapshot.positions.dtype == np.float32
        assert snapshot.positions.shape == (34, 2)
        assert np.isfinite(snapshot.positions).all()
        assert snapshot.positions.tobytes() == then
    for before, after in pairwise(watch.seen):
        assert not np.shares_memory(before.positions, after.positions)
        assert not np.array_equal(before.positions, after.positions)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_callback_may_write_into_its_copy(engine):
    G = nx.karate_club_graph()

    def spoil(snapshot):
        snapshot.positions[:] = np.nan

    plain = graphne_layout(G, **by(engine), callback=lambda _: None, **QUICK)
    spoilt = graphne_layout(G, **by(engine), callback=spoil, **QUICK)
    assert all(np.array_equal(plain[v], spoilt[v]) for v in G)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("every", [1, 10])
def test_iterations_count_over_the_whole_run_in_steps(engine, every):
    watch = Watch()
    graphne_layout(nx.karate_club_graph(), **by(engine), callback=watch, callback_every=every, **QUICK)
    assert [s.iteration for s in watch.seen] == list(range(every, 61, every))
    assert [s.phase for s in watch.seen] == [
        "early exaggeration" if s.iteration <= 20 else "optimization" for s in watch.seen
    ]


def test_an_interval_that_does_not_divide_the_phases():
    watch = Watch()
    graphne_layout(nx.karate_club_graph(), callback=watch, callback_every=15, **QUICK)
    seen = [s.iteration for s in watch.seen]
    assert seen == sorted(set(seen))
    assert seen[0] == 15
    assert max(np.diff(seen)) <= 15
    assert seen[-1] == 60  # the end is shown


def test_an_interval_longer_than_the_run_shows_its_end():
    watch = Watch()
    graphne_layout(nx.karate_club_graph(), callback=watch, callback_every=1000, **QUICK)
    assert [s.iteration for s in watch.seen][-1] == 60


@pytest.mark.parametrize("engine", ENGINES)
def test_watching_changes_nothing(engine):
    G = nx.connected_watts_strogatz_graph(80, 4, 0.1, seed=0)
    G.add_edge("a", "b")
    watched = graphne_layout(G, **by(engine), callback=Watch(), callback_every=7, **QUICK)
    plain = graphne_layout(G, **by(engine), **QUICK)
    assert np.array(list(plain.values())).tobytes() == np.array(list(watched.values())).tobytes()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_last_snapshot_is_the_result(engine):
    watch = Watch()
    A = geometric(300, seed=1)
    result = graphne_layout(A, **by(engine), callback=watch, scale=None, **QUICK)
    last = watch.seen[-1].positions.astype(np.float64)
    last -= (last.max(axis=0) + last.min(axis=0)) / 2
    assert last == pytest.approx(result, abs=1e-4 * np.ptp(result))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_divergence_is_true_and_falls(engine):
    G = nx.connected_watts_strogatz_graph(80, 6, 0.05, seed=0)
    A = sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))
    watch = Watch()
    graphne_layout(A, **by(engine), callback=watch, callback_every=25, n_iter=250, early_exaggeration_iter=100)
    late = [s for s in watch.seen if s.phase == "optimization"]
    assert len(late) == 10
    assert late[-1].kl < late[0].kl
    assert all(after.kl < before.kl + 0.02 for before, after in pairwise(late))
    for snapshot in (late[0], late[-1]):
        # openTSNE tells its callbacks the divergence before the step
        assert snapshot.kl == pytest.approx(kl_divergence(A, snapshot.positions), rel=0.01, abs=0.01)
    first = watch.seen[0]
    assert first.kl > late[-1].kl


def test_the_divergence_of_parts_is_the_mean_over_nodes():
    parts = [nx.grid_2d_graph(10, 10), nx.cycle_graph(30)]
    alone = []
    for part in parts:
        watch = Watch()
        graphne_layout(part, callback=watch, callback_every=750)
        alone.append(watch.seen[-1].kl)
    watch = Watch()
    together = nx.disjoint_union_all(parts)
    together.add_nodes_from("xyz")
    graphne_layout(together, callback=watch, callback_every=750)
    assert watch.seen[-1].kl == pytest.approx(np.average(alone, weights=[100, 30]), rel=0.1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("at", [10, 30])
def test_a_truthy_answer_stops_and_returns_what_there_is(engine, at):
    watch = Watch(lambda snapshot: snapshot.iteration >= at)
    A = geometric(300, seed=1)
    result = graphne_layout(A, **by(engine), callback=watch, scale=None, **QUICK)
    assert [s.iteration for s in watch.seen] == list(range(10, at + 1, 10))
    last = watch.seen[-1].positions.astype(np.float64)
    last -= (last.max(axis=0) + last.min(axis=0)) / 2
    assert last == pytest.approx(result, abs=1e-4 * np.ptp(result))


@pytest.mark.parametrize("answer", [True, 1, "stop", np.True_])
def test_every_truthy_answer_counts(answer):
    watch = Watch(lambda _: answer)
    pos = graphne_layout(nx.karate_club_graph(), callback=watch)
    assert len(watch.seen) == 1
    assert len(pos) == 34


@pytest.mark.parametrize("answer", [False, 0, "", None, np.False_])
def test_falsy_answers_do_not(answer):
    watch = Watch(lambda _: answer)
    graphne_layout(nx.karate_club_graph(), callback=watch, **QUICK)
    assert len(watch.seen) == 6


def test_a_callback_sees_all_parts_and_isolates():
    G = nx.disjoint_union_all([nx.cycle_graph(12), nx.path_graph(5), nx.empty_graph(4)])
    watch = Watch()
    graphne_layout(G, callback=watch, **QUICK)
    for snapshot in watch.seen:
        assert snapshot.positions.shape == (21, 2)
        assert len(np.unique(snapshot.positions, axis=0)) == 21
    parked = np.array([s.positions[17:] for s in watch.seen])
    assert np.ptp(parked, axis=0).max() == 0  # isolates do not jump about


@pytest.mark.parametrize("nodes", [[], ["a"], ["a", "b"], range(20)], ids=str)
def test_a_callback_does_no_harm_where_there_is_nothing_to_optimise(nodes):
    watch = Watch()
    assert len(graphne_layout(nodes, callback=watch, progress=False)) == len(nodes)
    assert all(s.positions.shape == (len(nodes), 2) for s in watch.seen)


def test_a_callback_sees_a_run_around_fixed_nodes():
    G = nx.grid_2d_graph(6, 6)
    watch = Watch()
    graphne_layout(G, pos={(0, 0): (0, 0), (5, 5): (1, 1)}, fixed=[(0, 0), (5, 5)], callback=watch, **QUICK)
    assert watch.seen
    seen = [s.iteration for s in watch.seen]
    assert seen == sorted(set(seen))
    assert all(s.positions.shape == (36, 2) for s in watch.seen)


def test_fixed_nodes_beside_parts_without_any_show_the_whole_graph():
    G = nx.disjoint_union(nx.path_graph(10), nx.cycle_graph(8))
    watch = Watch()
    graphne_layout(G, pos={0: (0, 0), 9: (3, 1)}, fixed=[0, 9], callback=watch, **QUICK)
    assert watch.seen
    assert all(s.positions.shape == (18, 2) for s in watch.seen)


def test_stopping_early_around_fixed_nodes():
    G = nx.path_graph(10)
    pos = {0: (0.0, 0.0), 9: (3.0, 1.0)}
    result = graphne_layout(G, pos=pos, fixed=pos, callback=lambda _: True)
    assert {v: tuple(result[v]) for v in pos} == pos
    assert np.isfinite(list(result.values())).all()


# progress


@pytest.mark.parametrize("engine", ["auto", "opentsne"])
def test_progress_shows_a_bar_with_the_divergence(engine, capsys):
    plain = graphne_layout(nx.karate_club_graph(), **by(engine), callback=lambda _: None, **QUICK)
    assert capsys.readouterr().err == ""
    shown = graphne_layout(nx.karate_club_graph(), **by(engine), progress=True, **QUICK)
    out, err = capsys.readouterr()
    assert out == ""
    assert "KL" in err
    assert "60/60" in err
    assert "optimization" in err
    assert all(np.array_equal(plain[v], shown[v]) for v in plain)


def test_progress_and_callback_together(capsys):
    watch = Watch(lambda s: s.iteration >= 30)
    graphne_layout(nx.karate_club_graph(), progress=True, callback=watch, **QUICK)
    assert [s.iteration for s in watch.seen] == [10, 20, 30]
    assert "30/60" in capsys.readouterr().err


@pytest.mark.parametrize("nodes", [[], ["a"], ["a", "b"]], ids=str)
def test_progress_on_nearly_nothing(nodes):
    assert len(graphne_layout(nodes, progress=True)) == len(nodes)


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


# the dials


def test_larger_exaggeration_is_more_compact(clustered):
    A, _ = clustered
    spreads = [graphne_layout(A, exaggeration=e, scale=None, **SHORT).std() for e in (1, 4, 10)]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > 4 * spreads[2]


@pytest.mark.parametrize("engine", ["exact", "mesh"])
def test_the_exaggeration_of_forceatlas2_does_not_burst(engine, clustered):
    A, _ = clustered
    watch = Watch()
    graphne_layout(A, exaggeration=30, **by(engine), callback=watch, n_iter=300)
    early = [s for s in watch.seen if s.phase == "early exaggeration"]
    late = [s for s in watch.seen if s.phase == "optimization"]
    # Attraction stronger than before can only shrink a layout: no bursts.
    assert max(s.positions.std() for s in late) < 1.2 * early[-1].positions.std()


@pytest.mark.parametrize("engine", ["exact", "mesh", "opentsne"])
def test_exaggeration_works_in_every_engine(engine):
    A = geometric(150, neighbours=14, seed=5)
    keywords = {"scale": None, **by(engine), "n_iter": 150, "early_exaggeration_iter": 50}
    wide, tight = (graphne_layout(A, exaggeration=e, **keywords).std() for e in (1, 10))
    assert wide > 1.5 * tight


def test_normalizations_differ():
    G = nx.barabasi_albert_graph(300, 6, seed=0)
    found = [graphne_layout(G, normalization=name, **QUICK) for name in ("node", "graph", "sgtsne")]
    points = [np.array(list(pos.values())) for pos in found]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not np.allclose(points[one], points[other], atol=1e-3)
    default = graphne_layout(G, **QUICK)
    assert np.array(list(default.values())).tobytes() == points[0].tobytes()


@pytest.mark.parametrize("normalization", ["node", "graph", "sgtsne"])
def test_every_normalization_finds_the_classes(normalization, clustered):
    A, classes = clustered
    points = graphne_layout(A, normalization=normalization, **SHORT)
    near = cKDTree(points).query(points, k=2)[1][:, 1]
    assert np.mean(classes[near] == classes) > 0.95


def test_normalizations_do_not_mind_the_unit_of_weights():
    A = geometric(200)
    A.data = np.random.default_rng(0).random(A.nnz)
    A = sp.csr_array(A + A.T)
    for normalization in ("node", "graph", "sgtsne"):
        one = graphne_layout(A, normalization=normalization, **QUICK)
        other = graphne_layout(A * 1024, normalization=normalization, **QUICK)
        assert one == pytest.approx(other, abs=1e-3)


def test_initialization_by_array():
    A = geometric(300, seed=1)
    start = np.random.default_rng(0).normal(size=(300, 2))
    kept = start.copy()
    one = graphne_layout(A, initialization=start, **QUICK)
    assert np.array_equal(start, kept)
    assert one.tobytes() == graphne_layout(A, initialization=start.tolist(), **QUICK).tobytes()
    turned = graphne_layout(A, initialization=start @ [[0, 1], [-1, 0]], **QUICK)
    assert not np.allclose(one, turned, atol=1e-3)


def test_initialization_array_is_where_a_run_of_no_iterations_ends():
    A = geometric(300, neighbours=20, seed=1)
    n_parts, _ = sp.csgraph.connected_components(A)
    assert n_parts == 1
    start = np.random.default_rng(0).normal(size=(300, 2))
    result = graphne_layout(A, initialization=start, n_iter=0, early_exaggeration_iter=0)
    corners = [np.corrcoef(result[:, k], start[:, k])[0, 1] for k in (0, 1)]
    assert min(corners) > 0.999


def test_random_initialization_depends_on_the_seed():
    A = geometric(300, seed=1)
    one, same, other = (graphne_layout(A, initialization="random", seed=s, **QUICK) for s in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert not np.allclose(one, other, atol=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("phases", [(0, 0), (0, 20), (20, 0), (1, 1)], ids=str)
def test_phases_may_be_empty(engine, phases):
    early, late = phases
    watch = Watch()
    A = geometric(120, seed=1)
    result = graphne_layout(
        A, **by(engine), early_exaggeration_iter=early, n_iter=late, callback=watch, callback_every=5
    )
    assert result.shape == (120, 2)
    assert np.isfinite(result).all()
    assert len(np.unique(result, axis=0)) == 120
    assert [s.iteration for s in watch.seen][-1:] == ([early + late] if early + late else [])
