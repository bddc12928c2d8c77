"""A session without any host of ours."""

import dataclasses
import gc
import json
import subprocess
import sys
import threading
import weakref

import networkx as nx
import numpy as np
import pytest
from runs import layout_threads, until

from graphne_viz.graphs import statistics
from graphne_viz.viewer.session.fields import BROWSER_FIELDS, READ_ONLY_FIELDS
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.updating import update_graph
from graphne_viz.viewer.transport.wire import decode_container, decode_frame


class Host:
    """Writes down what a session tells, and in which order."""

    def __init__(self, session):
        self.published, self.announced, self.sent = [], [], []
        self.session = weakref.ref(session)
        self.locked = []
        session.subscribe(self)

    def publish(self, changes):
        self.locked.append(("publish", is_locked(self.session())))
        self.published.append(dict(changes))

    def announce(self, changes):
        self.locked.append(("announce", is_locked(self.session())))
        self.announced.append(dict(changes))

    def send(self, content, buffers):
        self.sent.append((content, buffers))

    def answers(self):
        return [content for content, _ in self.sent if content["kind"] == "answer"]


def is_locked(session):
    """Whether the calling thread holds the session's lock."""
    return session._lock._is_owned()


@pytest.fixture
def session():
    G = nx.karate_club_graph()
    made = open_session(G, nx.circular_layout(G), color="club")
    yield made
    made.close()


def test_the_state_is_all_that_a_host_must_show(session):
    state = session.state()
    assert set(state) == {*BROWSER_FIELDS, *READ_ONLY_FIELDS}
    assert (state["color"], state["edges"], state["theme"], state["height"]) == ("a:club", True, "auto", 520)
    assert decode_container(state["_graph"])["nodes"] == 34
    assert decode_frame(state["_frame"]).positions.shape == (34, 2)
    assert state["_view"] == {
        "version": 1,
        "camera": None,
        "tool": "pan",
        "lens": False,
        "filters": {},
        "legend": {"column": "", "isolated": [], "hidden": []},
        "table": None,
        "timeline": None,
    }
    json.dumps({name: value for name, value in state.items() if not isinstance(value, bytes)})


def test_changes_are_published_under_the_lock_and_announced_without(session):
    host, giver = Host(session), Host(session)
    session.set(giver, edges=False, height=300)
    assert host.published == [{"edges": False, "height": 300}]
    assert giver.published == [], "it has them already"
    assert host.announced == giver.announced == host.published
    session.set(edges=False)
    assert len(host.published) == 1, "nothing has changed"
    session.run.play()
    session.run.wait(30)
    session.set(_group="g", _rotation=[1.0, 0.0, 0.0, 1.0])
    session.freeze()
    assert {what for what in host.locked if what[0] == "publish"} == {("publish", True)}
    assert {what for what in host.locked if what[0] == "announce"} == {("announce", False)}
    assert host.published[-1]["_status"]["steerable"] is False
    states = [changes["_status"]["state"] for changes in host.published if "_status" in changes]
    assert states[:2] == ["starting", "running"]
    assert states[-1] == "finished"


def test_all_of_a_change_or_nothing(session):
    host = Host(session)
    with pytest.raises(ValueError, match="theme must be one of 'auto', 'light', 'dark', got 'pink'"):
        session.set(edges=False, theme="pink")
    with pytest.raises(ValueError, match="there is no column 'nope'"):
        session.receive({"edges": False, "color": "nope"})
    assert session["edges"] is True
    assert host.published == []


def test_the_browser_cannot_change_what_is_not_its_own(session):
    session.receive({"_status": {"state": "failed"}, "_group": "x", "nonsense": 3, "edges": False})
    assert session["_status"]["state"] == "idle"
    assert (session["_group"], session["edges"]) == ("", False)


def test_messages_are_answered_to_every_host(session):
    hosts = [Host(session), Host(session)]
    session.handle({"kind": "command", "id": 1, "name": "ready"})
    session.handle({"kind": "command", "id": 2, "name": "dance"})
    for host in hosts:
        assert host.answers()[0] == {"kind": "answer", "id": 1, "ok": True}
        assert host.answers()[1]["error"].startswith("unknown message from the viewer: ")
    session.handle({"kind": "command", "id": 3, "name": "recording"})
    ((answer, (data,)),) = [sent for sent in hosts[0].sent if sent[0]["id"] == 3]
    assert answer["ok"] is True
    assert decode_container(data)["nodes"] == 34


def test_frames_reach_a_host_that_is_ready():
    session = open_session(nx.karate_club_graph(), pace=1)
    host = Host(session)
    session.handle({"kind": "command", "id": 1, "name": "ready"})
    session.start()
    until(lambda: [content for content, _ in host.sent if content["kind"] == "frame"])
    ((content, (data,)), *_) = [sent for sent in host.sent if sent[0]["kind"] == "frame"]
    assert decode_frame(data, 34).seq == content["seq"]
    session.close()


def test_no_thread_keeps_a_session_alive():
    session = open_session(nx.karate_club_graph(), n_iter=1_000_000, pace=0)
    session.start()
    session.run.wait_for_positions(30)
    session.handle({"kind": "command", "id": 1, "name": "ready"})
    ref = weakref.ref(session)
    del session
    until(lambda: gc.collect() is not None and ref() is None)
    until(lambda: not layout_threads())


def test_hosts_are_held_weakly(session):
    host = weakref.ref(Host(session))
    gc.collect()
    assert host() is None
    session.set(edges=False)


def test_selected_and_hidden_nodes_in_both_forms(session):
    session.receive({"_selected": memoryview(np.array([0, 5, 0, 5], dtype="<u4").tobytes())})
    assert session["selection"] == (0, 5)
    assert session["selection"] is session["selection"]
    session.set(hidden=[33, 0])
    assert session["hidden"] == (0, 33)
    assert session["_hidden"] == b"\x01\x00\x00\x00\x02"
    assert np.flatnonzero(~session.fields.visible()).tolist() == [0, 33]
    session.receive({"_hidden": bytes(4)})
    assert session["hidden"] == ()


def test_a_session_and_its_server_need_no_notebook():
    code = """
import sys
for name in ("anywidget", "ipywidgets", "traitlets", "IPython"):
    sys.modules[name] = None
import networkx as nx
from urllib.request import HTTPCookieProcessor, build_opener
from graphne_viz.viewer.server import ViewServer
from graphne_viz.graphs import statistics
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.updating import update_graph
session = open_session(nx.karate_club_graph(), color="club", n_iter=20)
server = ViewServer(session, title="karate")
session.start()
print(session.run.wait(60), b"graphne-view" in build_opener(HTTPCookieProcessor()).open(server.url).read())
server.close()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "finished True", "")


def test_the_first_frame_does_not_wait_for_communities_of_a_large_graph(monkeypatch):
    monkeypatch.setattr(statistics, "MOST_QUICK", 10)
    G = nx.les_miserables_graph()
    session = open_session(G, nx.circular_layout(G), color="auto", size="auto", label="auto")
    host = Host(session)
    assert (session["color"], session["size"], session["label"]) == (None, "degree", True)
    session.start()
    until(lambda: session["color"] == "communities")
    names = [name for changes in host.published for name in changes]
    assert names.index("_extra") < names.index("color"), "the column is there before it is asked for"
    assert session.state()["color"] == "s:communities"
    session.close()


def test_a_colour_that_was_chosen_meanwhile_stays(monkeypatch):
    monkeypatch.setattr(statistics, "MOST_QUICK", 10)
    G = nx.les_miserables_graph()
    session = open_session(G, nx.circular_layout(G), color="auto")
    session.start()
    session.set(color="degree")
    until(lambda: "s:communities" in session.columns.extra_keys)
    assert session["color"] == "degree"
    session.close()


def meanwhile(monkeypatch, session, what):
    """Do something in another thread once the session has translated what it is given; return what waits for it."""
    translate, threads = session.fields.translate, []

    def then(checked):
        found = translate(checked)
        if not threads:
            threads.append(threading.Thread(target=what))
            threads[0].start()
            threads[0].join(0.3)  # under the lock it waits until the change is published
        return found

    monkeypatch.setattr(session.fields, "translate", then)
    return lambda: threads[0].join(30)


def test_parts_of_the_view_that_are_set_at_the_same_time_are_all_kept(session, monkeypatch):
    end = meanwhile(monkeypatch, session, lambda: session.set(lens=True))
    session.set(tool="lasso")
    end()
    assert (session["tool"], session["lens"]) == ("lasso", True)
    assert (session.state()["_view"]["tool"], session.state()["_view"]["lens"]) == ("lasso", True)


def test_a_camera_that_follows_a_growing_layout_is_not_set_back(session, monkeypatch):
    session.set(camera={"center": (0.0, 0.0), "span": 4.0})
    before = session["_view"]["camera"]
    history = session.run._history
    grown = dataclasses.replace(history.computed, positions=3 * history.computed.positions)

    def grow():
        history.computed = grown
        session.follow_layout()

    end = meanwhile(monkeypatch, session, grow)
    session.set(tool="lasso")
    end()
    assert session["tool"] == "lasso"
    assert session["_view"]["camera"]["span"] == pytest.approx(3 * before["span"])
    assert session["camera"] == {"center": (0.0, 0.0), "span": 4.0}


@pytest.mark.parametrize("by_browser", [False, True])
def test_nodes_that_are_chosen_while_the_graph_is_updated_are_the_nodes_that_were_meant(monkeypatch, by_browser):
    session = open_session(nx.path_graph(6), pace=0)
    session.start()
    session.run.wait(60)
    check, done = session.fields.check, []

    def check_and_update(name, value):
        found = check(name, value)
        done.append(update_graph(session, nx.path_graph(range(2, 8))))  # 4 was number 4 and is number 2
        return found

    monkeypatch.setattr(session.fields, "check", check_and_update)
    if by_browser:
        session.receive({"_selected": np.array([0, 1, 4], dtype="<u4").tobytes()})  # in state 0; 1 is gone
    else:
        session.set(selection=[4])
    assert done[0].removed == (0, 1)
    assert session["selection"] == (4,)
    assert session["_selected"] == np.array([2], dtype="<u4").tobytes()
    session.close()
