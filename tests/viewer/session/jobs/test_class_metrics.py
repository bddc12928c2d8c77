"""Statistics as colours and sizes, figures of classes, and what the browser asks for."""

import threading

import networkx as nx
import numpy as np
import pytest
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import class_report, embed, misplaced, neighbor_recall, plot, view
from graphne_viz.encoding.columns.node_columns import color_column, size_column
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs import statistics
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.statistics import statistic
from graphne_viz.viewer.export.exports import static_preview
from graphne_viz.viewer.session import messages
from graphne_viz.viewer.transport.wire import decode_container


def shown(**keywords):
    G = nx.karate_club_graph()
    return view(G, nx.spring_layout(G, seed=1), **keywords)


def column(w, key):
    columns = {each["key"]: each for each in decode_container(w._extra)["columns"]}
    return columns.get(key)


def test_a_statistic_is_a_colour_and_a_size():
    w = shown(color="communities", size="pagerank")
    assert (w.color, w.size) == ("communities", "pagerank")
    state = w.get_state()
    assert (state["color"], state["size"]) == ("s:communities", "s:pagerank")
    expected = statistic(w.graph, "pagerank").values
    np.testing.assert_allclose(column(w, "s:pagerank")["values"], expected, rtol=1e-6)
    groups = statistic(w.graph, "communities").values
    communities = column(w, "s:communities")
    classes = [category["label"] for category in communities["categories"]]
    assert (communities["codes"] + 1 == groups).all(), "the largest first"
    assert classes[:2] == ["around 33, 32", "around 0, 2"], "named by the nodes with the most neighbours"
    w.color = "k-core"
    assert column(w, "s:k-core")["kind"] == "values"
    assert column(w, "s:communities") is not None, "what was computed can be gone back to"
    w.comm.set(color="s:communities")
    assert w.color == "communities"


def test_still_pictures_know_statistics():
    graph = as_graph(nx.karate_club_graph())
    state = VisibleState(
        graph, np.zeros((34, 2)), color_column(graph, "communities"), size_column(graph, "betweenness")
    )
    assert [entry.label for entry in state.legend.entries][:2] == ["around 33, 32", "around 0, 2"]
    assert state.areas(10).argmax() == statistic(graph, "betweenness").values.argmax()


def test_an_attribute_goes_before_a_statistic_of_its_name():
    G = nx.path_graph(4)
    nx.set_node_attributes(G, {0: 7.5, 1: 2.5, 2: 3.5, 3: 0.5}, "pagerank")
    w = view(G, nx.circular_layout(G), color="pagerank")
    assert w.get_state()["color"] == "a:pagerank"
    assert "'pagerank' is an attribute" in w.comm.command("statistic", statistic="pagerank")["error"]


def test_the_browser_asks_for_a_statistic():
    w = shown()
    answer = w.comm.command("statistic", statistic="betweenness")
    assert answer == {"kind": "answer", "id": "c0", "ok": True, "result": "s:betweenness"}
    assert [data["buffer_paths"] for _, data, _ in w.comm.sent if "_extra" in str(data.get("buffer_paths"))][1:] == [
        [["_extra"]]
    ], "it came with the opening, and once more"
    np.testing.assert_allclose(column(w, "s:betweenness")["values"], statistic(w.graph, "betweenness").values)
    w.comm.set(color="s:betweenness", size="s:betweenness")
    assert (w.color, w.size) == ("betweenness", "betweenness")
    for name in ("beauty", None, ["degree"]):
        assert "statistic" in w.comm.command("statistic", statistic=name)["error"]


@pytest.fixture
def slowly(monkeypatch):
    """Hold up what is computed for the browser until `go` is set; `begun` lists what was."""
    go, begun = threading.Event(), []

    def compute(graph, name, *, wanted):
        begun.append(name)
        while not go.wait(0.005):
            if not wanted():
                raise RuntimeError("given up")
        return statistics.compute(graph, name)

    monkeypatch.setattr(messages, "compute_in_subprocess", compute)
    return go, begun


def test_the_kernel_goes_on_while_a_statistic_is_computed_once(slowly):
    go, begun = slowly
    w = shown()
    for number in ("a", "b"):
        w.comm.say({"kind": "command", "id": number, "name": "statistic", "statistic": "betweenness"})
    assert w.comm.command("pause")["ok"], "others are answered meanwhile"
    w.color = "club"
    until(lambda: begun)
    setting = threading.Thread(target=lambda: setattr(w, "size", "betweenness"))  # as Python does, which waits
    setting.start()
    setting.join(0.05)
    assert setting.is_alive()
    assert [content["id"] for content, _ in w.comm.customs("answer")] == ["c0"]
    go.set()
    setting.join()
    until(lambda: len(w.comm.customs("answer")) == 3)
    assert {content["id"]: content.get("result") for content, _ in w.comm.customs("answer")} == {
        "c0": None,
        "a": "s:betweenness",
        "b": "s:betweenness",
    }
    assert begun == ["betweenness"]
    assert (w.color, w.size) == ("club", "betweenness")


def test_a_statistic_that_fails_is_told_and_can_be_asked_for_again(monkeypatch, caplog):
    w = shown()
    with monkeypatch.context() as broken:
        broken.setitem(statistics._MAKERS, "k-core", lambda _graph: 1 / 0)
        assert w.comm.command("statistic", statistic="k-core")["error"] == "division by zero"
    assert "division by zero" in caplog.text
    assert w.comm.command("statistic", statistic="k-core")["result"] == "s:k-core"


def test_closing_a_view_gives_up_what_is_computed_for_it(slowly):
    _, begun = slowly
    w = shown()
    wire = w.comm
    w.comm.say({"kind": "command", "id": "a", "name": "statistic", "statistic": "betweenness"})
    until(lambda: begun)
    w.close()
    until(lambda: not our_threads())
    assert wire.customs("answer") == []
    assert statistic(w.graph, "betweenness").values.max() > 0


def test_how_a_statistic_came_is_told_wherever_it_is_shown(monkeypatch):
    monkeypatch.setattr(statistics, "MOST_EXACT", 20)
    monkeypatch.setattr(statistics, "_MOST_SOURCES", 16)
    monkeypatch.setattr(statistics, "_has_igraph", lambda: False)
    w = shown(color="communities", size="betweenness")
    sampled = "estimated from the shortest paths from 16 of 34 nodes"
    louvain = "by the Louvain algorithm; with igraph installed, by the Leiden algorithm"
    assert column(w, "s:betweenness")["note"] == sampled
    assert column(w, "s:communities")["note"] == louvain
    assert "note" not in column(shown(color="k-core"), "s:k-core")
    assert f"communities: {louvain}; betweenness: {sampled}" in w.to_svg()
    ax = plot(nx.karate_club_graph(), w.pos, color="betweenness", size="betweenness")
    assert [text.get_text() for text in ax.texts] == [f"betweenness: {sampled}"]


def test_recall_is_measured_by_the_browser_and_in_the_still():
    w = shown(color="neighbour recall", size="neighbour recall")
    assert w.get_state()["color"] == "s:neighbour recall"
    assert column(w, "s:neighbour recall") is None
    w.comm.set(color="degree")
    w.comm.set(color="s:neighbour recall", label="s:neighbour recall")
    assert (w.color, w.label) == ("neighbour recall", "neighbour recall")
    w._repr_mimebundle_()  # draws the picture, which shows what Python measures
    assert static_preview(w.session) != static_preview(shown().session)


def test_classes_of_what_the_colours_show():
    w = shown(color="club")
    pos = w.run.layout()
    assert repr(w.classes()) == repr(class_report(w.graph, pos, "club"))
    assert repr(w.misplaced()) == repr(misplaced(w.graph, pos, "club"))
    assert w.classes()[-1].neighbor_recall == pytest.approx(neighbor_recall(w.graph, pos))
    groups = ["x" if i % 3 else "y" for i in range(34)]
    assert repr(w.classes(groups, k=4)) == repr(class_report(w.graph, pos, groups, k=4))
    w.color = groups
    assert [line.class_name for line in w.classes()] == ["x", "y", None]
    w.color = "communities"
    assert {line.class_name for line in w.classes()} > {"around 33, 32", "around 0, 2"}
    w.color = "degree"
    with pytest.raises(ValueError, match="classes must be given, because the colours show no classes"):
        w.classes()


def test_without_a_layout_there_is_nothing_to_measure(monkeypatch):
    w = shown(color="club")
    monkeypatch.setattr(w.run, "layout", lambda: None)
    with pytest.raises(ValueError, match="there is no layout yet"):
        w.misplaced()


def test_classes_in_an_embedding():
    G = nx.karate_club_graph()
    E = embed(G, dim=8, epochs=3)
    w = view(G, embedding=E, color="club", live=False)
    report = w.classes()
    assert repr(report) == repr(class_report(G, w.pos, "club", embedding=E))
    assert not np.isnan(report[-1].embedding_accuracy)
    answer = w.comm.command("classes", column="a:club")
    assert answer["result"]["dimension"] == 8
    assert answer["result"]["accuracy"] == pytest.approx([line.embedding_accuracy for line in report[:2]])
    assert answer["result"]["all"] == pytest.approx(report[-1].embedding_accuracy)
    assert w.run.status()["dimension"] == 8
    assert "has no classes" in w.comm.command("classes", column="degree")["error"]
    assert "there is no column" in w.comm.command("classes", column="gone")["error"]
    flat = shown()
    assert flat.comm.command("classes", column="a:club") == {"kind": "answer", "id": "c0", "ok": True}
    assert flat.run.status()["dimension"] == 0
