"""What the browser knows of a view, as traits and frames, and a view among other widgets."""

import gc
import inspect
import logging
import sys
import threading
import time

import ipywidgets
import numpy as np
import pytest
import traitlets
from views import circle, club, same
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

import graphne_viz
from graphne_viz import graphne_layout, view
from graphne_viz.layout.task import Task
from graphne_viz.viewer.transport import bundle
from graphne_viz.viewer.transport.kernel_busy import KERNEL, KernelActivity
from graphne_viz.viewer.transport.wire import decode_container, decode_frame

# ---- What the browser knows ----


def test_the_traits_are_few_and_none_shadows_ipywidgets_own():
    w = view(club(), circle(club()))
    base = set(ipywidgets.DOMWidget.class_trait_names())
    own = {
        "_graph",
        "_extra",
        "_frame",
        "_status",
        "_selected",
        "_hidden",
        "_invisible",
        "_pinned",
        "_events",
        "_view",
        "_group",
        "_rotation",
    }
    own |= {"color", "size", "label", "edges", "exaggeration", "theme", "height"}
    own |= {"edge_width", "edge_color", "edge_label", "arrows", "curved", "class_names", "colors", "size_range"}
    synced = {name for name in w.keys if name not in base}
    assert synced - {"_esm", "_css", "_anywidget_id"} == own
    own |= {"selection", "hidden", "pinned", "camera", "filters", "tool", "lens", "session", "run", "pos", "graph"}
    own |= {"table", "timeline"}
    assert not own & base
    assert w.layout.__class__ is ipywidgets.Layout


def test_the_opening_message_carries_graph_and_layout():
    G = club()
    w = view(G, circle(G), color="club", size="degree", label=True, edges=False, theme="dark", height=300)
    ((kind, data, buffers),) = [message for message in w.comm.sent if message[0] == "comm_open"]
    assert kind == "comm_open"
    state = data["state"]
    assert (state["color"], state["size"], state["label"]) == ("a:club", "degree", "name")
    assert (state["edges"], state["theme"], state["height"]) == (False, "dark", 300)
    by_name = dict(zip([path[0] for path in data["buffer_paths"]], buffers, strict=True))
    graph = decode_container(by_name["_graph"])
    assert (graph["nodes"], graph["edges"]) == (34, 78)
    assert decode_frame(by_name["_frame"], 34).positions.shape == (34, 2)


def test_start_pause_and_end_are_kept_in_traits():
    w = view(club(), n_iter=100_000, pace=0)
    until(lambda: w.run.iteration > 300)
    assert decode_frame(w._frame).iteration == 0, "the start"
    w.run.pause()
    until(lambda: decode_frame(w._frame).iteration == w.run.iteration)
    assert w._status["state"] == "paused"
    w.run.resume()
    w.run.stop()
    w.run.wait(60)
    frame = decode_frame(w._frame, 34)
    assert (frame.iteration, frame.phase) == (w.run.iteration, 3)
    assert np.array_equal(frame.positions, w.run.latest.positions)
    assert w._status["state"] == "stopped"
    states = [status["state"] for status in w.comm.updates("_status")]
    assert states[0] in {"starting", "running"}
    assert states[-1] == "stopped"
    assert [len(frame) for _, d, b in w.comm.sent for frame in b if d.get("buffer_paths") == [["_frame"]]] != []


def test_between_start_and_end_the_status_goes_without_positions():
    """Positions in a trait would pass by the stream, which heeds how fast the browser is."""
    told = threading.Event()

    def tell(snapshot):
        told.wait(10)
        w.run.task.status_text = f"epoch {snapshot.iteration}"
        w.run.exaggeration = 1 + snapshot.iteration / 1000

    w = view(club(), n_iter=200, pace=0, callback=tell)
    told.set()
    w.run.wait(60)
    assert len({status["status_text"] for status in w.comm.updates("_status")}) > 20
    sent = [
        decode_frame(buffer).iteration
        for _, data, buffers in w.comm.sent
        for path, buffer in zip(data.get("buffer_paths", ()), buffers, strict=True)
        if path == ["_frame"] and buffer
    ]
    assert sent == [0, 450]


def test_frames_go_to_a_view_that_is_there_and_the_last_arrives():
    w = view(club(), pace=1)
    assert w.comm.customs("frame") == []
    assert w.comm.command("ready") == {"kind": "answer", "id": "c0", "ok": True}
    answered = set()

    def answer():
        for content, _ in w.comm.customs("frame"):
            if content["seq"] and content["seq"] not in answered:
                answered.add(content["seq"])
                w.comm.say({"kind": "ack", "seq": content["seq"]})
        return w.run.state == "finished"

    until(answer)
    until(lambda: not answer() or not our_threads())
    frames = [(content, decode_frame(buffers[0], 34)) for content, buffers in w.comm.customs("frame")]
    assert len(frames) > 10
    assert [frame.seq for _, frame in frames] == [content["seq"] for content, _ in frames]
    assert [frame.iteration for _, frame in frames] == sorted(frame.iteration for _, frame in frames)
    last = frames[-1][1]
    assert (last.iteration, last.phase, last.run) == (w.run.status()["total"], 3, 1)
    assert {frame.phase for _, frame in frames} >= {1, 2, 3}
    assert {frame.exaggeration for _, frame in frames if frame.phase == 1} == {12.0}


def test_a_view_that_is_ready_is_told_how_things_are():
    """What changes while a host makes the view may never reach it, as in Panel."""
    w = view(club(), circle(club()))
    told = len(w.comm.updates("_status"))
    w.comm.command("ready")
    assert len(w.comm.updates("_status")) == told + 1
    assert w.comm.updates("_status")[-1] == w.session["_status"]


def test_a_browser_that_does_not_answer_gets_two_frames():
    w = view(club(), pace=0.3)
    w.comm.command("ready")
    until(lambda: len(w.comm.customs("frame")) == 2)
    time.sleep(0.2)
    assert len(w.comm.customs("frame")) == 2


def test_a_restart_counts_in_the_frames():
    w = view(club(), n_iter=20, pace=0)
    w.run.wait(30)
    w.run.restart()
    w.run.wait(30)
    assert decode_frame(w._frame).run == 2


def test_a_failed_run_says_so(caplog):
    w = view(club(), callback=lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division"):
        w.run.wait(30)
    until(lambda: w._status["state"] == "failed")
    assert w._status["message"] == "The layout failed: division by zero"
    assert "division by zero" in caplog.text


# ---- An ordinary ipywidget ----


def test_it_can_be_observed_linked_and_boxed(monkeypatch):
    one, other = view(club(), circle(club())), view(club(), circle(club()))
    traitlets.link((one, "selection"), (other, "selection"))
    traitlets.dlink((one, "color"), (other, "color"))
    one.selection = [0, 4]
    one.color = "club"
    assert (other.selection, other.color) == ((0, 4), "club")
    slider = ipywidgets.FloatSlider(value=1, min=1, max=30)
    ipywidgets.jslink((slider, "value"), (one, "exaggeration"))
    box = ipywidgets.HBox([one, slider])
    assert box.get_state("children")["children"][0] == f"IPY_MODEL_{one.model_id}"
    states = []
    one.observe(lambda change: states.append(change["new"]["state"]), "_status")
    begin = Task.run
    # Otherwise it may have begun to run before its start is told.
    monkeypatch.setattr(Task, "run", lambda *args, **keywords: until(lambda: states) or begin(*args, **keywords))
    one.run.play()
    one.run.wait(30)
    until(lambda: states[-1] == "finished")
    assert states[0] == "starting"


def test_changes_can_be_held_while_a_run_goes_on():
    w = view(club(), n_iter=2000, pace=0, color=None)
    with w.hold_sync():
        w.color = "club"
        w.edges = False
        assert w.comm.updates("edges") == []
        w.run.wait(30)
    assert w.comm.updates("edges") == [False]
    assert w.comm.updates("color") == ["a:club"]
    assert w.comm.updates("_status")[-1]["state"] == "finished"


def test_an_observer_that_fails_does_not_hurt_the_run(caplog):
    w = view(club(), circle(club()), n_iter=20)
    w.observe(lambda _: 1 / 0, "_status")
    w.run.play()
    assert w.run.wait(30) == "finished"
    assert w._status["state"] == "finished"
    assert "ZeroDivisionError" in caplog.text


def test_interact_works_with_a_view():
    w = view(club(), circle(club()))
    ipywidgets.interactive(lambda edges: setattr(w, "edges", edges), edges=False).update()
    assert w.edges is False


def test_two_views_of_one_graph_do_not_meet():
    G = club()
    one, other = view(G, n_iter=50, seed=1), view(G, n_iter=50, seed=2)
    one.selection = [0]
    one.run.wait(30)
    other.run.wait(30)
    assert other.selection == ()
    assert same(one.pos, graphne_layout(G, n_iter=50, seed=1))
    assert same(other.pos, graphne_layout(G, n_iter=50, seed=2))


# ---- Cells and the package ----


def test_cells_are_heard_of_once_and_weakly(monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    kernel = KernelActivity()
    heard = []

    class Ear:
        def poke(self):
            heard.append(kernel.busy)

    ear, gone = Ear(), Ear()
    for listener in (ear, gone, ear):
        kernel.watch(listener)
    assert kernel.busy is False
    del gone, listener
    gc.collect()
    shell.run_cell("1")
    assert heard == [True, False]
    shell.parent_header = {"header": {"msg_type": "execute_request"}}
    during = KernelActivity()
    during.watch(ear)
    assert during.busy is True


def test_a_view_is_not_slowed_down_by_a_cell_that_is_not_there():
    assert KERNEL.busy is False


def test_the_widget_is_exported_lazily():
    from graphne_viz.viewer.widget import GraphWidget

    assert graphne_viz.GraphWidget is GraphWidget
    with pytest.raises(AttributeError, match="has no attribute 'GraphWidge'"):
        graphne_viz.GraphWidge  # noqa: B018 - the access is the test


def test_without_anywidget_view_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "graphne_viz.viewer.widget", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'graphne-viz\[viewer\]'"):
        view(club())


def test_a_viewer_that_was_not_built_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    for read in (bundle.read_bundle, bundle.widget_source):
        with pytest.raises(FileNotFoundError, match="the viewer has not been built; run `make bundle`"):
            read("widget.js")


def test_nothing_is_logged_when_all_is_well(caplog):
    with caplog.at_level(logging.WARNING):
        w = view(club(), color="club", n_iter=20)
        w.run.wait(30)
        w.close()
    assert not caplog.records


def test_methods_of_the_widget_are_documented_with_their_own_keywords():
    for name in ("to_html", "to_png", "classes", "misplaced", "selected_subgraph"):
        method = getattr(graphne_viz.GraphWidget, name)
        assert next(iter(inspect.signature(method).parameters)) == "self"
        assert method.__name__ in {name, "misplaced_nodes"}
        assert len(method.__doc__) > 100
    assert list(inspect.signature(view(club(), circle(club())).to_png).parameters) == ["path", "scale", "title"]
