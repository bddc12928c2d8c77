"""A task is run, watched, steered and gone on with."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz.embedding.task import TRAINING
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.options import Options
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.layout.task import Task


def spread(positions):
    return float(np.sqrt(((positions - positions.mean(axis=0)) ** 2).sum(axis=1).mean()))


@pytest.fixture(scope="module")
def graph():
    return as_graph(nx.random_geometric_graph(300, 0.12, seed=1))


@pytest.fixture(scope="module")
def in_parts():
    return as_graph(nx.disjoint_union_all([nx.grid_2d_graph(9, 9), nx.cycle_graph(40), nx.empty_graph(3)]))


def test_a_task_computes_what_graphne_layout_returns(graph):
    task = Task(graph, scale=3, center=(1, 2), n_iter=60)
    expected = graphne_layout(graph, scale=3, center=(1, 2), n_iter=60)
    assert np.array_equal(task.scaled(task.run().positions), np.array(list(expected.values())))


def test_running_a_task_twice_gives_the_same_positions(graph):
    task = Task(graph, n_iter=40, early_exaggeration_iter=40)
    assert np.array_equal(task.run().positions, task.run().positions)


def test_the_start_is_seen_when_asked_for(graph):
    seen = []
    Task(graph, n_iter=20, early_exaggeration_iter=20).run(seen.append, from_start=True)
    assert [snapshot.iteration for snapshot in seen] == [0, 10, 20, 30, 40]
    assert spread(seen[0].positions) < 1e-3
    assert np.isnan(seen[0].kl)


def test_a_truthy_answer_at_the_start_ends_the_run(graph):
    outcome = Task(graph).run(lambda _: True, from_start=True)
    assert outcome.iterations == 0
    assert outcome.positions.shape == (300, 2)


@pytest.mark.parametrize("engine", ["auto", "opentsne"])
@pytest.mark.parametrize(("before", "after"), [(1.0, 30.0), (1.0, 4.0), (8.0, 1.0)])
def test_a_steered_layout_comes_to_the_size_it_would_have_had(graph, engine, before, after):
    dial = [before]

    def turn(snapshot):
        if snapshot.iteration == 500:
            dial[0] = after

    steered = Task(graph, n_iter=1000, engine=engine).run(turn, steer=lambda: dial[0])
    direct = Task(graph, exaggeration=after, n_iter=500, engine=engine).run()
    assert 0.6 < spread(steered.positions) / spread(direct.positions) < 1.6


def test_the_layout_shrinks_step_by_step(graph):
    dial, sizes = [1.0], {}

    def watch(snapshot):
        sizes[snapshot.iteration] = spread(snapshot.positions)
        if snapshot.iteration == 500:
            dial[0] = 20.0

    Task(graph, n_iter=500).run(watch, steer=lambda: dial[0])
    steps = [sizes[i + 10] / sizes[i] for i in range(500, 700, 10)]
    assert min(steps) > 0.6
    assert sizes[700] < 0.3 * sizes[500]


def test_steering_is_asked_in_the_late_phase_only(graph):
    asked = []

    def steer():
        asked.append(1)
        return 1.0

    Task(graph, early_exaggeration_iter=50, n_iter=30).run(every=10, steer=steer)
    assert len(asked) == 3


@pytest.mark.parametrize("which", ["graph", "in_parts"])
def test_going_on_starts_where_the_run_ended(request, which):
    task = Task(request.getfixturevalue(which), n_iter=250)
    first = task.run()
    seen = []
    second = task.run(seen.append, resume=first, from_start=True)
    assert seen[0].iteration == first.iterations == 500
    assert seen[-1].iteration == second.iterations == 750
    assert {snapshot.phase for snapshot in seen} == {"optimization"}
    size = spread(first.positions)
    assert np.abs(seen[0].positions - first.positions).max() < 0.1 * size
    assert np.sqrt(((second.positions - first.positions) ** 2).sum(axis=1)).mean() < 0.1 * size
    assert second.kl <= first.kl + 0.01


def test_going_on_with_more_attraction_contracts(graph):
    dial = [1.0]
    task = Task(graph)
    first = task.run(steer=lambda: dial[0])
    dial[0] = 10.0
    second = task.run(steer=lambda: dial[0], resume=first)
    assert spread(second.positions) < 0.6 * spread(first.positions)
    assert 0.8 < spread(task.run(steer=lambda: dial[0], resume=second).positions) / spread(second.positions) < 1.25


def test_going_on_around_fixed_nodes_begins_anew():
    G = nx.path_graph(30)
    task = Task(as_graph(G), {0: (0, 0), 29: (10, 0)}, fixed=[0, 29], n_iter=50)
    first = task.run()
    again = task.run(resume=first)
    assert np.array_equal(first.positions, again.positions)
    assert np.array_equal(task.scaled(again.positions)[[0, 29]], [[0, 0], [10, 0]])


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_tiny_graphs_run_and_go_on(n):
    task = Task(as_graph(nx.path_graph(n)), n_iter=20)
    first = task.run(lambda _: None, from_start=True)
    second = task.run(resume=first)
    for outcome in (first, second):
        assert outcome.positions.shape == (n, 2)
        assert np.isfinite(outcome.positions).all()


def test_the_divergence_may_be_measured_now_and_then(graph):
    each, some = [], []
    Task(graph, n_iter=70, early_exaggeration_iter=40).run(each.append)
    Task(graph, n_iter=70, early_exaggeration_iter=40).run(some.append, kl_every=3)
    measured = {30, 40, 70, 100, 110}
    for one, other in zip(each, some, strict=True):
        assert np.array_equal(one.positions, other.positions)
        assert (one.kl == other.kl) == (one.iteration in measured)


def test_slow_iterations_are_seen_more_often_and_end_at_the_same_place(graph):
    usual, more = [], []
    Task(graph, n_iter=70, early_exaggeration_iter=40).run(usual.append, kl_every=3)
    Task(graph, n_iter=70, early_exaggeration_iter=40).run(more.append, kl_every=3, longest=1e-9)
    # The first ones pass before it is known how slow they are; nothing that would be due is left out.
    assert [snapshot.iteration for snapshot in more] == list(range(10, 111))
    seen = {snapshot.iteration: snapshot for snapshot in more}
    for snapshot in usual:
        assert np.array_equal(snapshot.positions, seen[snapshot.iteration].positions)
        assert snapshot.kl == seen[snapshot.iteration].kl or np.isnan(snapshot.kl)
    assert len({snapshot.kl for snapshot in more if np.isfinite(snapshot.kl)}) == 5
    patient = []
    Task(graph, n_iter=70, early_exaggeration_iter=40).run(patient.append, kl_every=3, longest=1e9)
    assert [snapshot.iteration for snapshot in patient] == [snapshot.iteration for snapshot in usual]


def test_every_phase_of_a_snapshot_is_documented():
    for phase in (*(name for name, _, _ in Options().phases), TRAINING):
        assert f'``"{phase}"``' in Snapshot.__doc__
