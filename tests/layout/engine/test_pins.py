"""Nodes that somebody holds while a layout forms."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.engine.pins import Pins
from graphne_viz.layout.task import Task

LARGE = nx.connected_watts_strogatz_graph(800, 6, 0.03, seed=1)
"""So large that a mesh computes the repulsion."""

HELD_AFTER = 30
"""Snapshots, of five iterations each, after which a node is held."""


def pull(G, node, by, **keywords):
    """Lay a graph out; hold a node, some way off, from the middle of the run on."""
    task = Task(as_graph(G), seed=0, early_exaggeration_iter=50, n_iter=300, **keywords)
    snapshots, pins = [], [None]

    def see(snapshot):
        snapshots.append(snapshot.positions)
        if len(snapshots) == HELD_AFTER:
            extent = np.ptp(snapshot.positions, axis=0).max()
            pins[0] = Pins(np.array([node]), (snapshot.positions[node] + np.array(by) * extent)[None].astype(float))

    outcome = task.run(see, 5, pins=lambda: pins[0])
    return task, snapshots, outcome, pins[0].places[0]


def two_parts():
    return nx.disjoint_union(nx.karate_club_graph(), nx.cycle_graph(7))


@pytest.mark.parametrize("engine", ["auto", "opentsne"])
@pytest.mark.parametrize(
    "G", [nx.les_miserables_graph(), two_parts(), nx.connected_watts_strogatz_graph(800, 6, 0.03, seed=1)]
)
def test_neighbours_follow_a_node_that_is_held_elsewhere(G, engine):
    task, snapshots, outcome, place = pull(G, 0, (0.2, 0), engine=engine)
    row = task.neighbors.indices[task.neighbors.indptr[0] : task.neighbors.indptr[1]]

    def away(positions):
        return np.hypot(*(positions[row] - place).T).mean()

    for positions in (*snapshots[HELD_AFTER:], outcome.positions):
        assert positions[0] == pytest.approx(place, abs=1e-4)
    untouched = []
    task.run(lambda snapshot: untouched.append(snapshot.positions), 5)
    assert away(snapshots[-1]) < 0.95 * away(untouched[-1])


def test_the_others_do_not_jump_when_a_node_is_held():
    for G in (nx.les_miserables_graph(), two_parts()):
        _, snapshots, _, _ = pull(G, 0, (0, 0))  # held where it is
        before, after = snapshots[HELD_AFTER - 1 : HELD_AFTER + 1]
        assert np.hypot(*(after - before).T).max() < 0.03 * np.ptp(before, axis=0).max()


def test_a_run_resumes_where_held_nodes_have_left_it():
    task, snapshots, outcome, place = pull(two_parts(), 3, (0.3, 0.1))
    seen = []
    pins = Pins(np.array([3]), place[None])
    again = task.run(lambda snapshot: seen.append(snapshot.positions), 5, pins=lambda: pins, resume=outcome)
    assert np.hypot(*(seen[0] - snapshots[-1]).T).mean() < 0.03 * np.ptp(snapshots[-1], axis=0).max()
    assert again.positions[3] == pytest.approx(place)


def test_fixed_nodes_stay_and_others_can_be_held_too():
    G = nx.karate_club_graph()
    task = Task(as_graph(G), {0: (0, 0), 33: (1, 1)}, fixed=[0, 33], seed=0)
    pins = Pins(np.array([5]), np.array([[2.0, -1.0]]))
    outcome = task.run(lambda _: False, 10, pins=lambda: pins)
    assert outcome.positions[[0, 33]] == pytest.approx(np.array([[0, 0], [1, 1]]))
    assert outcome.positions[5] == pytest.approx((2, -1))


def test_a_node_that_is_released_is_moved_again():
    task = Task(as_graph(nx.les_miserables_graph()), seed=0)
    held = Pins(np.array([0]), np.array([[60.0, 0.0]]))
    nobody = Pins(np.empty(0, dtype=np.intp), np.empty((0, 2)))
    seen = []
    task.run(lambda s: seen.append(s.positions[0]), 10, pins=lambda: held if len(seen) < 10 else nobody)
    assert seen[9] == pytest.approx((60, 0))
    assert seen[-1][0] < 55
