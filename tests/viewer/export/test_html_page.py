import base64
import hashlib
import json
import re
import zlib

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout, view
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.export.html_page import page, write_page
from graphne_viz.viewer.export.panel import Panel
from graphne_viz.viewer.run.recording import Recording
from graphne_viz.viewer.session.column_registry import ColumnRegistry
from graphne_viz.viewer.transport.wire import decode_container

HOSTILE = "</script><script>alert(1)</script>"


def read(text):
    """Return what a page holds: the description, and its blocks by name."""
    data = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])
    found = re.findall(r'id="graphne-(b\d+)">([^<]*)</script>', text)
    return data, {name: zlib.decompress(base64.b64decode(packed), -15) for name, packed in found}


def positions_in(data, blocks, k=0):
    """Return where the last shot of a panel has the nodes."""
    recording = decode_container(blocks[data["panels"][k]["recording"]])
    head, n = recording["shots"][-1], recording["nodes"]
    places = recording["low"][-2 * n :] + 256.0 * recording["high"][-2 * n :]
    return np.array(head["corner"]) + head["unit"] * places.reshape(n, 2)


@pytest.fixture(scope="module")
def graph():
    return as_graph(nx.karate_club_graph())


def test_the_page_holds_the_graph_the_layout_and_how_it_was_made(tmp_path):
    red = {"club": {"Officer": "#ff0000"}}
    w = view(nx.karate_club_graph(), color="club", colors=red, arrows=True, label="name", live=False, seed=3)
    w.selection = [5, 33]
    w.to_html(tmp_path / "g.html", title="A & B", caption="1 < 2")
    text = (tmp_path / "g.html").read_text(encoding="utf-8")
    data, blocks = read(text)
    (panel,) = data["panels"]
    assert blocks[panel["graph"]] == w._graph
    assert (panel["color"], panel["label"], panel["status"]["state"]) == ("a:club", "name", "finished")
    assert (panel["edge_width"], panel["arrows"], panel["curved"]) == ("e:weight", True, False)
    assert (panel["colors"], panel["size_range"]) == ({"a:club": {"Officer": "#ff0000"}}, None)
    assert np.frombuffer(blocks[panel["selection"]], "<u4").tolist() == [5, 33]
    reach = np.ptp(w.run.latest.positions)
    np.testing.assert_allclose(positions_in(data, blocks), w.run.latest.positions, atol=reach / 65535)
    shots = decode_container(blocks[panel["recording"]])["shots"]
    assert len(shots) == len(w.run.shots()) > w.run.iteration / 6
    assert data["about"] == json.loads(json.dumps(w.provenance))
    assert data["about"]["parameters"]["seed"] == 3
    assert "<title>A &amp; B</title>" in text
    assert "<figcaption>1 &lt; 2</figcaption>" in text
    w.close()


def test_without_a_layout_nothing_is_written(tmp_path):
    w = view(nx.karate_club_graph(), live=False)
    w.run._history.computed = None
    with pytest.raises(RuntimeError, match="no positions yet"):
        w.to_html(tmp_path / "g.html")
    assert not list(tmp_path.iterdir())
    w.close()


def test_nothing_of_a_graph_is_markup():
    G = nx.path_graph([HOSTILE, "<!--", "b"])
    nx.set_node_attributes(G, dict.fromkeys(G, HOSTILE), HOSTILE)
    graph = as_graph(G)
    about = {"parameters": {"weight": HOSTILE}}
    panel = Panel.draw(graph, np.eye(3)[:, :2], color=HOSTILE, title=HOSTILE, caption=HOSTILE)
    text = page([panel], title=HOSTILE, notes=[HOSTILE], about=about)
    assert "alert(1)" not in re.sub(r"&lt;script&gt;alert\(1\)|u003cscript.u003ealert\(1\)", "", text)
    assert len(re.findall("<script", text)) == len(re.findall("</script", text)) == 2 + len(read(text)[1])
    assert read(text)[0]["about"] == about


def test_the_policy_allows_our_script_only():
    text = page([Panel.draw(as_graph(nx.path_graph(2)), np.eye(2))])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        ours = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in ours]
        assert f"; {rule} 'sha256-{digests[0]}'; " in policy
        assert len(digests) == 1
    assert "unsafe" not in policy
    assert " style=" not in re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)


def test_a_graph_that_several_panels_show_is_written_once(graph):
    columns = ColumnRegistry(graph)
    places = [np.random.default_rng(k).normal(size=(34, 2)) for k in range(3)]
    panels = [Panel.draw(graph, place, color="club", columns=columns, title=str(k)) for k, place in enumerate(places)]
    panels.append(Panel.draw(graph, places[0], color=np.arange(34.0)))
    data, blocks = read(page(panels, columns=2))
    assert len({panel["graph"] for panel in data["panels"]}) == 1
    assert len({panel["recording"] for panel in data["panels"]}) == 3
    assert [panel["color"] for panel in data["panels"]] == ["a:club"] * 3 + ["custom:color"]
    # A page has the layout's own picture, not its units.
    shown = positions_in(data, blocks, 1)
    wanted = places[1] - places[1].min(axis=0)
    np.testing.assert_allclose((shown - shown.min(axis=0)) / np.ptp(shown), wanted / np.ptp(wanted), atol=1e-4)


def test_twenty_thousand_nodes_with_their_replay_need_less_than_two_megabytes(tmp_path):
    n, m = 20_000, 45_000
    rng = np.random.default_rng(0)
    G = nx.empty_graph(n)
    G.add_edges_from(np.column_stack([rng.integers(0, n, m), rng.integers(0, n, m)]).tolist())
    nx.set_node_attributes(G, {k: f"paper {k} of the year {1990 + k % 30}" for k in G}, "title")
    nx.set_node_attributes(G, {k: f"class {k % 7}" for k in G}, "class")
    graph = as_graph(G)
    places = rng.normal(size=(n, 2))
    recording = Recording(n)
    for k in range(60):
        places = 1.03 * places + 0.02 * rng.normal(size=(n, 2))
        recording.add(Snapshot(10 * k, "optimization", 2.0, places.astype(np.float32)))
    write_page(tmp_path / "g.html", [Panel.draw(graph, places, shots=recording.shots())])
    written = (tmp_path / "g.html").read_text()
    bundle = page([Panel.draw(as_graph(nx.path_graph(1)), np.zeros((1, 2)))])
    assert len(written) - len(bundle) <= 2_000_000
    data, blocks = read(written)
    assert len(decode_container(blocks[data["panels"][0]["recording"]])["shots"]) >= 12


def test_the_end_of_a_replay_lies_as_the_replay_does(graph):
    recording = Recording(graph.n_nodes)
    pos = graphne_layout(graph, callback=recording.add, callback_every=50, scale=1000)
    placed = np.array([pos[node] for node in graph.ids]) if isinstance(pos, dict) else np.asarray(pos)
    shots = recording.shots()
    data, blocks = read(page([Panel.draw(graph, placed, shots=shots)]))
    shown = positions_in(data, blocks)
    assert np.abs(shown - shots[-1].positions).max() < 0.1 * np.ptp(shown)


def test_what_does_not_suit_is_refused(graph, tmp_path):
    with pytest.raises(ValueError, match="at least one panel"):
        page([])
    with pytest.raises(ValueError, match=r"positions must be finite numbers of shape \(34, 2\), got \(3, 2\)"):
        Panel.draw(graph, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="color='nonsense'"):
        Panel.draw(graph, np.zeros((34, 2)), color="nonsense")
    panel = Panel.draw(graph, np.zeros((34, 2)))
    with pytest.raises(ValueError, match="columns must be"):
        page([panel], columns=0)
    with pytest.raises(FileNotFoundError, match=r"the folder of .* does not exist"):
        write_page(tmp_path / "none" / "g.html", [panel])
