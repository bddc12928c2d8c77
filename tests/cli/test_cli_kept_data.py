"""What `graphne layout` and `graphne view` keep of a file, and how they name its nodes."""

import json

import networkx as nx
import pytest

from graphne_viz.cli import main
from graphne_viz.cli.looks import label_of
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.io.files import read_graph


@pytest.fixture
def calls(tmp_path):
    """Return a file with a directed multigraph of 300 edges, with labels."""
    G = nx.MultiDiGraph()
    G.add_nodes_from((f"n{i}", {"label": f"Person {i}", "x": 1.5 * i}) for i in range(30))
    for k in range(300):
        G.add_edge(f"n{k % 30}", f"n{(7 * k + k // 60) % 30}", weight=1.0 + k % 3, topic=f"t{k}")
    nx.write_gexf(G, tmp_path / "calls.gexf")
    return tmp_path / "calls.gexf"


def test_gexf_to_gexf_keeps_every_edge(calls, tmp_path, capsys):
    assert main(["layout", str(calls), "-o", str(tmp_path / "again.gexf"), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    before, after = nx.read_gexf(calls), nx.read_gexf(tmp_path / "again.gexf")
    assert after.is_directed()
    assert after.is_multigraph()
    assert after.number_of_edges() == 300
    found = [
        sorted((u, v, data["weight"], data["topic"]) for u, v, data in G.edges(data=True)) for G in (before, after)
    ]
    assert found[0] == found[1]
    assert [after.nodes[node]["x"] for node in after] == [1.5 * i for i in range(30)]


def test_other_formats_keep_every_edge(calls, tmp_path, caplog):
    arguments = [part for ending in ("npz", "csv", "json") for part in ("-o", str(tmp_path / f"out.{ending}"))]
    assert main(["layout", str(calls), *arguments, "--quiet"]) == 0
    assert caplog.messages == []
    links = read_graph(tmp_path / "out.npz").links
    assert (links.directed, links.parallel, len(links)) == (True, True, 300)
    content = json.loads((tmp_path / "out.json").read_text())
    assert (content["directed"], content["multigraph"], len(content["edges"])) == (True, True, 300)


def test_labels_alone_are_those_of_the_file(calls, tmp_path):
    assert main(["layout", str(calls), "-o", str(tmp_path / "out.svg"), "--label", "--quiet"]) == 0
    picture = (tmp_path / "out.svg").read_text()
    assert "Person 7" in picture
    assert ">n7<" not in picture


def test_a_view_writes_the_labels_of_the_file(calls, monkeypatch):
    seen = []

    def open_session(_graph, _pos, **keywords):
        seen.append(keywords["label"])
        raise ValueError("seen")

    monkeypatch.setattr("graphne_viz.viewer.session.opening.open_session", open_session)
    for arguments in (["--label"], ["--label", "x"], ["--label", "none"]):
        assert main(["view", str(calls), "--no-browser", *arguments]) == 2
    assert seen == ["label", "x", None]


@pytest.mark.parametrize(
    ("attributes", "chosen"),
    [
        ({"name": "A", "label": "B"}, "label"),
        ({"name": "A"}, "name"),
        ({"name": "A", "label": 3}, "name"),
        ({"name": "A", "label": float("nan")}, "name"),
        ({"label": 3}, True),
        ({}, True),
    ],
)
def test_what_is_a_label(attributes, chosen):
    G = nx.path_graph(2)
    G.nodes[0].update(attributes)
    assert label_of(as_graph(G), label=True) == chosen
    assert label_of(as_graph(G), label=False) is False
    assert label_of(as_graph(G), label="club") == "club"


@pytest.mark.parametrize("ending", ["gexf", "graphml", "json", "npz"])
def test_a_view_shows_the_positions_of_the_file(calls, tmp_path, monkeypatch, ending):
    path, seen = tmp_path / f"laid_out.{ending}", []
    nx.write_gml(nx.circular_ladder_graph(15), tmp_path / "plain.gml")
    assert main(["layout", str(tmp_path / "plain.gml"), "-o", str(path), "--quiet"]) == 0

    def open_session(_graph, pos, **_keywords):
        seen.append(pos)
        raise ValueError("seen")

    monkeypatch.setattr("graphne_viz.viewer.session.opening.open_session", open_session)
    for arguments in ([str(path)], [str(path), "--relayout"], [str(path), "--exaggeration", "4"], [str(calls)]):
        assert main(["view", *arguments, "--no-browser"]) == 2
    shown, *others = seen
    assert shown.shape == (30, 2)
    assert len({tuple(place) for place in shown.tolist()}) == 30
    assert others == [None] * 3


def test_what_a_file_says_does_not_command_the_terminal(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("source,target,weight\na,\x1b]0;owned\x07\x9b31m\u202eb,-1\n", encoding="utf-8")
    assert main(["layout", str(tmp_path / "a.csv"), "-o", str(tmp_path / "a.png")]) == 2
    said = capsys.readouterr().err
    assert "\\x1b]0;owned\\x07" in said
    assert not set(said) & set("\x1b\x07\x9b\u202e")
    assert main(["layout", str(tmp_path / "\x1b[2J.csv"), "-o", str(tmp_path / "a.png")]) == 2
    assert "\\x1b[2J.csv does not exist" in capsys.readouterr().err
