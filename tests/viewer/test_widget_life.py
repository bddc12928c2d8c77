"""How views end, and what ends them."""

import gc
import subprocess
import sys
import weakref

import ipywidgets
import pytest
from views import club
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view


def test_closing_ends_everything():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.comm.command("ready")
    until(lambda: w.comm.customs("frame"))
    w.close()
    w.close()
    until(lambda: not our_threads())
    assert w.run.state == "stopped"


@pytest.mark.parametrize("paused", [False, True])
def test_a_comm_that_is_closed_by_others_ends_the_run(paused):
    w = view(club(), n_iter=1_000_000, pace=0)
    until(lambda: w.run.iteration > 0)
    if paused:
        w.run.pause()
    w.comm.close()  # as marimo does when a cell is run again
    until(lambda: not our_threads())
    assert w.run.state == "stopped"


def test_a_browser_that_closes_the_comm_ends_the_run():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.comm.handle_close({})
    until(lambda: not our_threads())


def test_nothing_keeps_a_widget_alive_that_was_closed():
    w = view(club(), n_iter=50)
    w.comm.command("ready")
    w.run.wait(30)
    ref = weakref.ref(w)
    w.close()
    del w
    until(lambda: gc.collect() is not None and ref() is None)


def test_a_widget_that_nobody_has_any_more_is_collected_with_its_run():
    w = view(club(), n_iter=1_000_000, pace=0)
    w.run.wait_for_positions(30)
    ref, wire = weakref.ref(w), w.comm
    ipywidgets.widgets.widget._instances.pop(w.model_id)
    wire.on_msg(None)
    del w
    until(lambda: gc.collect() is not None and ref() is None)  # the run's thread may hold it for a moment
    until(lambda: not our_threads())


def test_a_process_ends_in_peace_while_a_view_runs():
    code = """
import networkx as nx, time
from graphne_viz import view
w = view(nx.barabasi_albert_graph(3000, 2, seed=0), n_iter=10**6, pace=0)
w.run.wait_for_positions(60)
time.sleep(0.2)
print(w.run.state)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "running", "")
