"""What callbacks and the progress bar see of a run, and how they stop it."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from engine_runs import ENGINES, QUICK, Watch, by, geometric, kl_divergence

from graphne_viz import Snapshot, graphne_layout


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
