"""Every cell of the table of states and commands."""

import pytest

from graphne_viz.viewer.run.state_machine import ACTIVE, COMMANDS, EVENTS, MOVING, STATES, TRANSITIONS, RunStateMachine

# Written down a second time, as a table: a dot is what is ignored.
TABLE = """
            play      pause    resume   stop     restart   steer     close     started  finished  failed
idle        starting  .        .        .        starting  starting  idle      .        .         .
starting    .         paused   .        stopped  starting  starting  stopped   running  finished  failed
running     .         paused   .        stopped  starting  running   stopped   .        finished  failed
paused      running   .        running  stopped  starting  paused    stopped   .        finished  failed
finished    starting  .        .        .        starting  starting  finished  .        .         .
stopped     starting  .        .        .        starting  starting  stopped   .        .         failed
failed      starting  .        .        .        starting  starting  failed    .        .         .
"""

HEAD, *ROWS = [line.split() for line in TABLE.strip().splitlines()]
CELLS = [(row[0], what, after) for row in ROWS for what, after in zip(HEAD, row[1:], strict=True)]


def machine_in(state):
    machine = RunStateMachine()
    machine.state = state
    return machine


def test_the_table_has_every_state_and_everything_that_can_happen():
    assert [row[0] for row in ROWS] == list(STATES)
    assert [*COMMANDS, *EVENTS] == HEAD
    assert len(CELLS) == len(STATES) * (len(COMMANDS) + len(EVENTS)) == 70
    assert set(TRANSITIONS) == {(state, what) for state, what, after in CELLS if after != "."}


@pytest.mark.parametrize(("state", "what", "after"), CELLS, ids=lambda cell: cell)
def test_each_cell(state, what, after):
    machine = machine_in(state)
    assert machine.take(what) is (after != ".")
    assert machine.state == (state if after == "." else after)
    assert machine.closed is (what == "close")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", [*COMMANDS, *EVENTS])
def test_after_close_nothing_is_taken(state, what):
    machine = machine_in(state)
    machine.take("close")
    closed = machine.state
    assert machine.take(what) is False
    assert (machine.state, machine.closed) == (closed, True)
    assert not machine.active


def test_active_and_moving_states():
    assert [state for state in STATES if machine_in(state).active] == list(ACTIVE) == ["starting", "running", "paused"]
    assert [state for state in ACTIVE if state in MOVING] == ["starting", "running"]
