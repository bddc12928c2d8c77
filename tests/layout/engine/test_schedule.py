"""How long a run is, and how attraction and momentum change."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.engine.schedule import EARLY, LATE, OPENTSNE, Stage, stages
from graphne_viz.layout.options import Options
from graphne_viz.layout.small_graphs.leaves import surround_hubs
from graphne_viz.layout.task import Task


@pytest.mark.parametrize("n_nodes", [1, 34, 700, 20_000, 10**6])
@pytest.mark.parametrize("exaggeration", [1, 4, 30])
def test_attraction_falls_in_stages_to_what_was_asked_for(n_nodes, exaggeration):
    options = Options.of(n_nodes, {"exaggeration": exaggeration})
    found = stages(options)
    assert [stage.phase for stage in found] == sorted((stage.phase for stage in found), key=[EARLY, LATE].index)
    strengths = [stage.exaggeration for stage in found]
    assert strengths == sorted(strengths, reverse=True)
    assert found[-1].exaggeration == exaggeration
    for phase, n_iter, _ in options.phases:
        assert sum(stage.iterations for stage in found if stage.phase == phase) == n_iter
    assert sum(stage.iterations for stage in found) < 500


@pytest.mark.parametrize("name", ["n_iter", "early_exaggeration", "early_exaggeration_iter"])
def test_one_number_given_makes_the_others_opentsnes(name):
    options = Options.of(5000, {name: 7})
    expected = {**OPENTSNE, name: 7}
    assert {key: getattr(options, key) for key in OPENTSNE} == expected
    assert stages(options) == (
        Stage(EARLY, expected["early_exaggeration_iter"], expected["early_exaggeration"], 0.8),
        Stage(LATE, expected["n_iter"], 1, 0.8),
    )


@pytest.mark.parametrize(("degree", "momentum"), [(5, 0.95), (21, 0.97)])
def test_large_dense_graphs_take_fewer_iterations_with_more_momentum(degree, momentum):
    options = Options.of(70_000, {}, degree)
    found = stages(options, 70_000, degree)
    assert max(stage.momentum for stage in found if stage.phase == LATE) == momentum
    assert found[-1].momentum == 0.8
    assert sum(stage.iterations for stage in found) == sum(n_iter for _, n_iter, _ in options.phases)
    assert (sum(stage.iterations for stage in found) < 220) == (degree > 20)


@pytest.mark.parametrize(("n_nodes", "moving", "settling"), [(200_000, 129, 25), (700_000, 54, 120)])
def test_huge_graphs_settle_for_longer(n_nodes, moving, settling):
    found = stages(Options.of(n_nodes, {}, 4), n_nodes, 4)
    assert [(stage.iterations, stage.momentum) for stage in found][-2:] == [(moving, 0.95), (settling, 0.8)]


def test_opentsne_runs_as_it_does_by_default():
    options = Options.of(5000, {"engine": "opentsne"})
    assert [(stage.iterations, stage.exaggeration) for stage in stages(options)] == [(250, 12), (500, 1)]


def test_what_was_asked_for_can_be_asked_for_again():
    for keywords in ({}, {"n_iter": 30}, {"exaggeration": 4, "dof": 0.5}):
        options = Options.of(300, keywords)
        assert Options.of(300, options.asked) == options


def test_a_run_takes_as_many_iterations_as_its_options_say():
    task = Task(as_graph(nx.random_geometric_graph(200, 0.15, seed=1)))
    seen = []
    outcome = task.run(seen.append)
    assert outcome.iterations == sum(n_iter for _, n_iter, _ in task.options.phases) == seen[-1].iteration
    assert [snapshot.iteration for snapshot in seen] == list(range(10, outcome.iterations + 1, 10))


def test_a_layout_does_not_depend_on_who_watches_it_across_stages():
    G = nx.random_geometric_graph(800, 0.06, seed=1)
    plain = np.array(list(graphne_layout(G).values()))
    watched = np.array(list(graphne_layout(G, callback=lambda _: None, callback_every=7).values()))
    assert plain.tobytes() == watched.tobytes()


def test_an_unread_divergence_is_not_computed(monkeypatch):
    from graphne_viz.layout.engine.parts.state import Edges

    asked = []
    monkeypatch.setattr(Edges, "divergences", lambda *_: asked.append(1))
    graphne_layout(nx.random_geometric_graph(800, 0.06, seed=1), callback=lambda _: None)
    assert not asked


def test_leaves_of_a_hub_stand_around_it():
    rng = np.random.default_rng(0)
    hubs = rng.uniform(-10, 10, (30, 2))
    edges = [(i, (i + 1) % 30) for i in range(30)] + [(i // 4, 30 + i) for i in range(120)]
    A = as_graph(np.array(edges)).adjacency
    positions = np.concatenate([hubs, np.repeat(hubs, 4, axis=0) + np.array([0.01, 0.02])])
    moved = surround_hubs(A, positions)
    assert np.array_equal(moved[:30], hubs)
    leaves = moved[30:].reshape(30, 4, 2)
    assert np.linalg.norm(leaves - hubs[:, None], axis=2) == pytest.approx(np.hypot(0.01, 0.02))
    apart = np.linalg.norm(leaves[:, :, None] - leaves[:, None], axis=3) + np.eye(4)
    assert apart.min() > np.hypot(0.01, 0.02)  # the hub is the nearest


def test_leaves_with_places_of_their_own_stay_there():
    star = sp.csr_array(nx.to_scipy_sparse_array(nx.star_graph(8), dtype=float))
    positions = np.random.default_rng(0).normal(0, 5, (9, 2))
    assert np.array_equal(surround_hubs(star, positions), positions)
