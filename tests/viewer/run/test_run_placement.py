"""Nodes that are dragged and pinned, in a run that goes on and in one that rests."""

import numpy as np
import pytest
from runs import StandIn, real_task, slowly, until

from graphne_viz.viewer.run.placement import NOWHERE, Placement
from graphne_viz.viewer.run.run import Run


def at(nodes, places, pinned=None):
    held = np.ones(len(nodes), bool) if pinned is None else np.array(pinned)
    return Placement(np.array(nodes), np.array(places, dtype=float).reshape(-1, 2), held)


def test_a_placement_travels_as_rows():
    placement = at([2, 7], [(1, -2), (0.5, 3)], [True, False])
    again = Placement.decode(placement.encode())
    assert again.nodes.tolist() == [2, 7]
    assert again.places.tolist() == placement.places.tolist()
    assert again.pinned.tolist() == [True, False]
    assert again.only_pinned().nodes.tolist() == [2]
    assert NOWHERE.encode() == b""


def test_a_finished_layout_stays_but_for_the_node_that_is_moved():
    run = Run(real_task())
    run.play()
    run.wait(30)
    before, computed = run.layout(), run.computed
    run.place(at([1], [run.latest.positions[0]]))
    assert run.state == "finished"
    assert run.computed is computed
    assert run.latest.positions[1].tolist() == run.latest.positions[0].tolist()
    assert np.flatnonzero((run.layout() != before).any(axis=1)).tolist() == [1]
    run.place(NOWHERE)
    assert run.layout().tolist() == before.tolist()


def test_given_positions_are_moved_in_their_own_units():
    given = np.array([[100.0, 100], [300, 100], [200, 150]])
    run = Run(StandIn(), given=given)
    run.place(at([2], [run.latest.positions[0]]))
    assert run.layout() == pytest.approx(np.array([[100.0, 100], [300, 100], [100, 100]]))


def test_a_run_that_is_pulled_late_goes_on_for_a_while():
    run = Run(real_task(n_iter=100))
    pulled = []

    def pull(snapshot):
        if snapshot.iteration >= 340 and not pulled:
            pulled.append(snapshot.iteration)
            run.place(at([0], [(50, 0)]))

    run.attach(pull, lambda: None)
    run.play()
    run.wait(30)
    assert run.iteration >= pulled[0] + 50
    assert run.latest.positions[0] == pytest.approx((50, 0))
    assert run.pulled


def test_what_was_moved_but_is_not_pinned_belongs_to_the_next_run():
    run = Run(StandIn(slowly, n_iter=200), given=np.zeros((3, 2)))
    run.place(at([0, 1], [(5, 5), (6, 6)], [True, False]))
    assert run.placement.nodes.tolist() == [0, 1]
    run.play()
    until(lambda: run.state == "running")
    assert run.placement.nodes.tolist() == [0]
    run.stop()
    run.wait(5)


def test_a_restart_forms_around_pinned_nodes():
    run = Run(real_task())
    run.play()
    run.wait(30)
    run.place(at([0], [(30, 30)]))
    run.restart()
    run.wait(30)
    assert run.count == 2
    assert run.latest.positions[0] == pytest.approx((30, 30))
