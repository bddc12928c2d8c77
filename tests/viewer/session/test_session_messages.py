"""What the browser asks for."""

import networkx as nx
import pytest
from views import circle, club, same
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view
from graphne_viz.encoding.columns.node_columns import attribute_key


def test_every_command_is_obeyed_and_answered():
    w = view(club(), n_iter=100_000, pace=0)
    for name, state in [("pause", "paused"), ("resume", "running"), ("pause", "paused"), ("play", "running")]:
        assert w.comm.command(name)["ok"] is True
        assert w.run.state == state
    until(lambda: w.run.count == 1)  # a run counts once its thread has begun
    assert w.comm.command("restart")["ok"] is True
    assert w.comm.command("stop")["ok"] is True
    assert w.run.wait(60) == "stopped"
    assert w.run.count == 2
    assert w.comm.command("play")["ok"] is True
    assert w.run.state in {"starting", "running"}


def test_play_optimises_a_layout_that_was_given():
    G = club()
    w = view(G, circle(G), n_iter=20)
    w.comm.command("play")
    assert w.run.wait(30) == "finished"
    assert not same(w.pos, circle(G))


@pytest.mark.parametrize("ending", ["svg", "html", "gexf"])
def test_files_are_made_for_the_browser(ending, tmp_path):
    w = view(club(), circle(club()))
    w.comm.command("take", format=ending)
    until(lambda: w.comm.customs("answer"))
    ((answer, (data,)),) = w.comm.customs("answer")
    assert answer["ok"] is True
    path = tmp_path / f"same.{ending}"
    getattr(w, f"to_{ending}")(path)
    assert len(data) == pytest.approx(path.stat().st_size, rel=0.01)
    assert bytes(data[:4]) == path.read_bytes()[:4]


@pytest.mark.parametrize("ending", ["exe", "png", "../etc/passwd", None, 7])
def test_no_other_files_are(ending):
    w = view(club(), circle(club()))
    assert w.comm.command("take", format=ending)["error"].endswith("is not an export format; there are svg, html, gexf")


@pytest.mark.parametrize(
    "message",
    [
        None,
        "pause",
        [],
        {},
        {"kind": "dance", "id": 7},
        {"kind": "command", "id": 7},
        {"kind": "command", "id": 7, "name": "fly"},
        {"kind": "command", "id": 7, "name": ["pause"]},
        {"kind": "command", "id": 7, "name": "close"},
        {"kind": "command", "id": 7, "name": "__class__"},
        {"kind": "ack", "id": 7},
        {"kind": "ack", "seq": "1", "id": 7},
        {"kind": "ack", "seq": True, "id": 7},
    ],
    ids=str,
)
def test_what_is_not_understood_is_answered_and_logged(message, caplog):
    w = view(club(), circle(club()))
    w.comm.say(message)
    ((answer, _),) = w.comm.customs("answer")
    assert answer["id"] == (7 if isinstance(message, dict) and "id" in message else None)
    assert "unknown message from the viewer" in answer["error"]
    assert answer["error"] in caplog.text
    assert w.run.state == "idle"


def test_a_command_that_fails_is_answered(monkeypatch):
    w = view(club(), circle(club()))
    monkeypatch.setattr(w.run, "pause", lambda: 1 / 0)
    assert w.comm.command("pause") == {"kind": "answer", "id": "c0", "error": "division by zero"}


def test_a_refused_frame_is_logged(caplog):
    w = view(club(), circle(club()))
    w.comm.say({"kind": "ack", "seq": 5, "error": "the frame has 3 nodes"})
    assert "refused frame 5: the frame has 3 nodes" in caplog.text
    assert w.comm.customs("answer") == []


def test_the_browser_changes_traits():
    w = view(club(), circle(club()))
    w.comm.set(color=attribute_key("club"), size="degree", label="name", edges=False)
    assert (w.color, w.size, w.label, w.edges) == ("club", "degree", True, False)
    w.comm.set(color="", size="", label="")
    assert (w.color, w.size, w.label) == (None, None, None)


@pytest.mark.parametrize(
    "state",
    [
        {"color": "nope"},
        {"color": 7},
        {"exaggeration": -1},
        {"exaggeration": "much"},
        {"height": 1},
        {"theme": "blue"},
        {"_selected": b"abc"},
        {"_selected": bytes(4) + b"abc"},
        {"_selected": bytes(4) + b"\xff\xff\xff\xff"},
        {"_selected": b"\xff\xff\xff\xff"},
        {"_selected": "0"},
    ],
    ids=str,
)
def test_what_the_browser_cannot_set_stays_and_the_browser_is_told(state, caplog):
    w = view(club(), circle(club()), color="club")
    w.selection = [0]
    (name,) = state
    before, sent = getattr(w, name), len(w.comm.updates(name))
    w.comm.set(**state)
    assert getattr(w, name) == before
    assert "invalid value from the viewer" in caplog.text
    assert w.run.state == "idle"
    if name != "_selected":
        assert w.comm.updates(name)[-1] == w.get_state(name)[name]
        assert len(w.comm.updates(name)) > sent


def test_the_browser_cannot_say_what_is_pythons_to_say():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    before = finished._status
    finished.set_state({"_status": {"state": "failed"}})
    assert finished._status == before


@pytest.mark.parametrize("role", ["color", "edge_color"])
def test_a_key_that_is_no_text_is_refused_by_its_value(role):
    w = view(club(), circle(club()))
    with pytest.raises(ValueError, match=r"there is no (edge )?column \[7\]"):
        w.session.receive({role: [7]})
    w.session.receive({role: ""})
    assert w.session[role] is None
