"""Camera, tool, filters and hidden nodes, in the browser and in Python."""

import json
import re
import zlib
from base64 import b64decode

import networkx as nx
import numpy as np
import pytest
import traitlets
from views import circle, club, keys_of
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view

CAMERA = {"center": (0.5, -1.0), "span": 2.0}


def shown(**keywords):
    return view(club(), circle(club()), **keywords)


def bits(*nodes):
    mask = np.zeros(34, dtype=bool)
    mask[list(nodes)] = True
    return np.packbits(mask, bitorder="little").tobytes()


def test_python_sets_and_the_browser_gets():
    w = shown()
    assert (w.camera, w.tool, w.filters, w.hidden) == (None, "pan", {}, ())
    w.camera = CAMERA
    w.tool = "lasso"
    w.filters = {"degree": (3, None), "club": ["Officer"]}
    sent = w.comm.updates("_view")[-1]
    assert sent["camera"] == {"center": pytest.approx([0.5, -1.0]), "span": pytest.approx(2.0)}, "from -1 to 1 in both"
    assert sent["tool"] == "lasso"
    assert sent["filters"] == {"degree": {"low": 3.0, "high": None}, "a:club": {"without": ["Mr. Hi"]}}
    assert (w.camera, w.filters) == (CAMERA, {"degree": (3.0, None), "club": ["Officer"]})
    w.legend = {"isolated": ["Officer"], "hidden": ["Mr. Hi"]}
    sent = w.comm.updates("_view")[-1]
    assert sent["legend"] == {"column": "a:club", "isolated": ["Officer"], "hidden": ["Mr. Hi"]}
    assert w.legend == {"isolated": ["Officer"], "hidden": ["Mr. Hi"]}
    w.legend = {}
    w.hidden = [33, 0]
    assert w.hidden == (0, 33)
    assert w._hidden == bits(0, 33)
    w.timeline, w.table = {"column": "degree", "window": 0.25}, "edges"
    sent = w.comm.updates("_view")[-1]
    assert (sent["table"], sent["timeline"]) == ("edges", {"column": "degree", "window": 0.25, "speed": 1.0})
    assert (w.table, w.timeline) == ("edges", sent["timeline"])
    w.timeline = w.table = None
    w.camera, w.filters, w.hidden = None, {}, ()
    assert w.comm.updates("_view")[-1] == w._view == w.session.state()["_view"]
    assert (w._view["camera"], w._view["filters"], w._hidden) == (None, {}, b"")


def test_the_browser_sets_and_python_observes():
    w = shown()
    seen = []
    w.observe(lambda change: seen.append((change["name"], change["new"])), ["camera", "tool", "filters", "hidden"])
    settings = w._view | {"camera": {"center": [0.5, -1], "span": 2}, "filters": {"a:club": {"without": ["Officer"]}}}
    w.comm.set(_view=settings)
    seen_camera = {"center": pytest.approx(CAMERA["center"]), "span": pytest.approx(CAMERA["span"])}
    assert (w.camera, w.tool, w.filters) == (seen_camera, "pan", {"club": ["Mr. Hi"]})
    w.comm.set(_hidden=bytes(4) + bits(7))
    w.comm.set(_view=w._view | {"tool": "rectangle"})
    w.comm.set(_view=w._view | {"table": "nodes", "timeline": {"column": "degree", "window": 0, "speed": 2}})
    assert (w.table, w.timeline) == ("nodes", {"column": "degree", "window": 0.0, "speed": 2.0})
    assert seen == [("camera", seen_camera), ("filters", {"club": ["Mr. Hi"]}), ("hidden", (7,)), ("tool", "rectangle")]
    sent = [data for _, data, _ in w.comm.sent if data.get("method") == "update"]
    assert not [data for data in sent if "_view" in data["state"]], "what came from the browser does not go back"


def test_python_observes_the_classes_that_the_browser_picks_out():
    w = shown()
    seen = []
    w.observe(lambda change: seen.append(change["new"]), "legend")
    w.comm.set(_view=w._view | {"legend": {"column": "a:club", "isolated": [], "hidden": ["Officer"]}})
    assert seen == [w.legend] == [{"isolated": [], "hidden": ["Officer"]}]
    w.color = "degree"
    assert seen[1:] == [w.legend] == [{"isolated": [], "hidden": []}]


def test_the_camera_is_told_anew_when_a_run_rests():
    """Where the browser looks stays, but `pos` has other units by then."""
    w = view(club(), n_iter=20, early_exaggeration_iter=10, live=False)
    w.comm.set(_view=w._view | {"camera": {"center": [0, 0], "span": 3}})
    before, seen = w.camera, []
    w.observe(lambda change: seen.append(change["new"]), "camera")
    w.exaggeration = 4.0
    w.run.wait(30)
    until(lambda: seen)
    assert w.camera == seen[-1] != before
    assert w._view["camera"] == {"center": [0, 0], "span": 3}
    w.close()


def test_a_saved_view_of_an_empty_object_is_the_default():
    w = shown()
    w.comm.set(_view={})
    assert w._view["tool"] == "pan"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("camera", 3, "camera must be None or"),
        ("camera", {"center": (0, 0), "span": -1}, "camera must be None or"),
        ("tool", "hammer", "tool must be one of 'pan', 'rectangle', 'lasso', got 'hammer'"),
        ("filters", {"nope": (1, 2)}, "there is no column 'nope'"),
        ("filters", None, "filters must be a mapping from names of columns, got None"),
        ("timeline", "club", "timeline='club' holds neither dates nor numbers; a timeline needs them"),
        ("timeline", {"column": "degree", "window": 2}, "must be a share from 0 to below 1, got 2"),
        ("table", "rows", "table must be one of 'nodes', 'edges', got 'rows'"),
        ("hidden", [99], "hidden has 99, which is not a node of the graph"),
        ("hidden", None, "hidden must be an iterable of nodes, got None"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence_and_the_old_stays(name, value, words):
    w = shown()
    w.hidden = [1]
    before = getattr(w, name)
    with pytest.raises(ValueError, match=words):
        setattr(w, name, value)
    with pytest.raises(traitlets.TraitError):
        setattr(w, name, value)
    assert getattr(w, name) == before


@pytest.mark.parametrize("state", [{"_view": {"version": 9}}, {"_view": {"tool": 3}}, {"_hidden": b"x"}, {"_view": 7}])
def test_what_the_browser_cannot_set_stays_and_the_browser_is_told(state, caplog):
    w = shown()
    (name,) = state
    before = getattr(w, name)
    w.comm.set(**state)
    assert getattr(w, name) == before
    assert "invalid value from the viewer" in caplog.text


def test_a_statistic_to_filter_by_is_computed_and_sent_before_the_filter():
    w = shown()
    w.filters = {"k-core": (3, None)}
    assert keys_of(w._extra) == ["s:k-core"]
    assert "s:k-core" in w._view["filters"]


def test_exports_leave_out_what_is_not_to_be_seen():
    w = shown(label=True, size=None)
    w.hidden = [0]
    w.filters = {"club": ["Mr. Hi"]}
    names = set(re.findall(r">(\d+)</text>", w.to_svg()))
    members = {str(node) for node, side in club().nodes(data="club") if side == "Mr. Hi"}
    assert names == members - {"0"}
    w.comm.set(_invisible=bytes(4) + bits(*range(30)))
    assert set(re.findall(r">(\d+)</text>", w.to_svg())) == {"30", "31", "32", "33"}, "the browser knows better"
    w.filters = {}
    w.hidden = ()
    assert len(set(re.findall(r">(\d+)</text>", w.to_svg()))) > 20, "as many as the viewer shows"


def test_a_page_holds_the_view(tmp_path):
    w = shown(color="club")
    w.camera, w.filters, w.hidden = CAMERA, {"degree": (2, 9)}, [5]
    w.timeline, w.table = "degree", "nodes"
    w.to_html(tmp_path / "g.html")
    text = (tmp_path / "g.html").read_text()
    (panel,) = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])["panels"]
    assert panel["view"] == w._view
    packed = re.search(rf'id="graphne-{panel["hidden"]}">([^<]*)</script>', text)[1]
    assert zlib.decompress(b64decode(packed), -15) == bits(5)


def test_views_can_be_linked_by_traits():
    one, other = shown(), shown()
    traitlets.link((one, "filters"), (other, "filters"))
    traitlets.link((one, "hidden"), (other, "hidden"))
    one.filters = {"degree": (3, None)}
    other.hidden = [3]
    assert other.filters == {"degree": (3.0, None)}
    assert one.hidden == (3,)


def test_a_graph_of_nothing_has_a_view_too():
    w = view(nx.empty_graph(0), np.zeros((0, 2)))
    w.hidden = ()
    w.comm.set(_hidden=bytes(4))
    assert (w.hidden, w.selection) == ((), ())


def test_a_filter_that_leaves_nobody_out_stays_until_the_browser_takes_it_away():
    w = view(club(), circle(club()))
    try:
        opened = {"a:club": {"without": []}}
        w.set_state({"_view": w._view | {"filters": opened}})
        assert w._view["filters"] == opened
        assert w.filters == {"club": ["Mr. Hi", "Officer"]}
        w.set_state({"_view": w._view | {"filters": {"a:club": {"without": ["Officer"]}}}})
        assert w.filters == {"club": ["Mr. Hi"]}
        w.set_state({"_view": w._view | {"filters": {}}})
        assert w.filters == {}
    finally:
        w.close()
