"""`graphne layout --like`: an export, laid out again."""

import json
import re

import networkx as nx
import numpy as np
import pytest

from graphne_viz import view
from graphne_viz.cli import main
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.io.metadata import read_metadata

BRIEF = ["--n-iter", "20", "--early-exaggeration-iter", "10"]
ENDINGS = (".gexf", ".gexf.gz", ".graphml", ".json", ".npz", ".png", ".svg", ".html")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    G = nx.karate_club_graph()
    nx.set_edge_attributes(G, {edge: 1 + k % 3 for k, edge in enumerate(G.edges)}, "cost")
    nx.write_graphml(G, tmp_path / "karate.graphml")
    return tmp_path


def layout(*arguments):
    return main(["layout", "--quiet", *map(str, arguments)])


def places(path):
    graph = read_graph(path)
    return np.column_stack([graph.attributes["x"], graph.attributes["y"]])


def with_parameters(path, **changed):
    """Write a GEXF that claims other parameters."""
    assert layout("karate.graphml", "-o", "honest.gexf", *BRIEF) == 0
    about = read_metadata("honest.gexf", "graphne_viz")
    about["parameters"] |= changed
    text = (path.parent / "honest.gexf").read_text()
    described = json.dumps(about).replace('"', "&quot;").replace("<", "&lt;")
    path.write_text(re.sub("<description>.*</description>", lambda _: f"<description>{described}</description>", text))


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_export_can_be_repeated(folder, ending):
    asked = ["--seed", "3", "--exaggeration", "2.5", "--normalization", "graph", "--weight", "cost", *BRIEF]
    assert layout("karate.graphml", "-o", f"g{ending}", "-o", "same.csv", *asked) == 0
    about = read_metadata(folder / f"g{ending}", "graphne_viz")
    assert about["parameters"]["seed"] == 3
    assert about["parameters"]["weight"] == "cost"
    assert set(about["versions"]) >= {"graphne_viz", "python", "numpy"}
    assert layout("karate.graphml", "--like", f"g{ending}", "-o", "again.csv") == 0
    assert (folder / "again.csv").read_text() == (folder / "same.csv").read_text()


@pytest.mark.parametrize("ending", [".gexf", ".graphml", ".json", ".npz"])
def test_an_export_with_a_graph_needs_no_other_file(folder, ending):
    assert layout("karate.graphml", "-o", f"g{ending}", "--seed", 3, "--weight", "cost", *BRIEF) == 0
    assert layout("--like", f"g{ending}", "-o", f"h{ending}") == 0
    assert np.array_equal(places(folder / f"g{ending}"), places(folder / f"h{ending}"))


def test_a_widget_is_repeated_from_its_gexf(folder):
    G = nx.karate_club_graph().to_directed()
    for scale in (1, 5):
        widget = view(G, seed=9, exaggeration=3, n_iter=20, early_exaggeration_iter=10, scale=scale, live=False)
        widget.to_gexf("w.gexf")
        widget.close()
        assert layout("--like", "w.gexf", "-o", "again.gexf") == 0
        assert places(folder / "again.gexf") == pytest.approx(places(folder / "w.gexf"))


def test_options_go_before_the_file(folder):
    assert layout("karate.graphml", "-o", "g.gexf", "--seed", 3, "--initialization", "random", *BRIEF) == 0
    assert layout("--like", "g.gexf", "-o", "h.gexf", "--seed", 4) == 0
    again = read_metadata("h.gexf", "graphne_viz")["parameters"]
    assert (again["seed"], again["initialization"], again["n_iter"]) == (4, "random", 20)
    assert not np.array_equal(places(folder / "g.gexf"), places(folder / "h.gexf"))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"exaggeration": "4"}, "exaggeration must be a number, got '4'"),
        ({"exaggeration": -1}, "exaggeration must be positive and finite"),
        ({"n_iter": 1.5}, "n_iter must be an integer"),
        ({"engine": "__import__('os')"}, "engine must be one of"),
        ({"normalization": ["node"]}, "normalization must be one of"),
        ({"initialization": "/etc/passwd"}, "initialization must be one of"),
        ({"seed": "0; rm -rf"}, "seed must be an integer"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"scale": {}}, "scale must be a number"),
        ({"weight": 3}, "weight must be"),
    ],
)
def test_parameters_of_a_file_are_checked_as_options_are(folder, capsys, changed, words):
    with_parameters(folder / "evil.gexf", **changed)
    assert layout("karate.graphml", "--like", "evil.gexf", "-o", "out.gexf") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said
    assert not (folder / "out.gexf").exists()


def test_what_is_no_parameter_of_a_layout_is_not_taken(folder):
    with_parameters(folder / "g.gexf", n_jobs=10**6, output="/etc/passwd", color="nothing", run=None)
    assert layout("karate.graphml", "--like", "g.gexf", "-o", "out.gexf") == 0


def test_a_file_that_says_nothing_is_refused_in_a_sentence(folder, capsys):
    nx.write_gexf(nx.path_graph(3), folder / "theirs.gexf")
    (folder / "text.json").write_text("[1, 2]")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (folder / "no.png").write_text("no picture")
    (folder / "cut.gexf").write_text("<gexf><meta><description>")
    bomb = '<!DOCTYPE g [<!ENTITY a "b">]><gexf><meta><description>&a;</description></meta></gexf>'
    (folder / "bomb.gexf").write_text(bomb)
    for name, words in {
        "theirs.gexf": "theirs.gexf does not say how it was laid out",
        "text.json": "text.json does not say how it was laid out",
        "broken.png": "broken.png does not say how it was laid out",
        "no.png": "no.png cannot be read: it is no PNG",
        "cut.gexf": "cut.gexf does not say how it was laid out",
        "bomb.gexf": "bomb.gexf: XML that declares entities or refers to other files is refused",
        "karate.txt": "karate.txt does not end in one of",
        "none.gexf": "none.gexf: No such file",
    }.items():
        assert layout("karate.graphml", "--like", name, "-o", "out.gexf") == 2
        assert words in capsys.readouterr().err
    assert layout("-o", "out.gexf") == 2
    assert "no file to lay out" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_positions_that_no_layout_made_cannot_be_repeated(capsys):
    G = nx.karate_club_graph()
    widget = view(G, nx.circular_layout(G))
    widget.to_gexf("given.gexf")
    widget.to_png("given.png", scale=1)
    widget.close()
    assert layout("--like", "given.gexf", "-o", "out.gexf") == 2
    assert "given.gexf cannot be laid out again: its positions were given, not computed" in capsys.readouterr().err
    assert layout("karate.graphml", "-o", "g.png", *BRIEF) == 0
    assert layout("--like", "g.png", "-o", "out.gexf") == 2
    assert "g.png is a picture without a graph; use graphne layout FILE --like g.png" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_what_the_parameters_cannot_say_is_said(caplog):
    G = nx.karate_club_graph()
    widget = view(G, live=False, n_iter=20, early_exaggeration_iter=10, seed=None)
    widget.to_gexf("g.gexf")
    widget.close()
    assert layout("--like", "g.gexf", "-o", "out.gexf") == 0
    assert re.search(r"the layout will differ from that of .*g\.gexf: the seed was not a number", caplog.text)


def page_with(about, before=""):
    data = json.dumps({"panels": [], "about": about})
    opening = '<script type="application/vnd.graphne+json" id="graphne-data">'
    return f"<!doctype html><html><body>{before}{opening}{data}</script></body></html>"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<!doctype html><title>a page of somebody else</title>", "it is not an export of graphne_viz"),
        ("graphne", "it is not an HTML page"),
        (page_with([])[:-40], "its metadata is cut short"),
        (page_with({})[:-23].replace("{}", "[" * 100_000) + "</script>", "cannot be read"),
        ("<!doctype html>" + page_with({})[15:].replace("{}", "\udcff"), "cannot be read"),
        (page_with({"generator": "graphne_viz 9", "made_by": "layout", "parameters": {"seed": "rm -rf"}}), "seed"),
        (page_with({"views": [{}, {}]}), "it shows several views"),
        (page_with({"generator": "graphne_viz 9", "made_by": "comparison", "parameters": {}}), "compares several"),
    ],
    ids=["foreign", "no page", "cut", "deep", "not text", "parameters", "linked", "compared"],
)  # fmt: skip
def test_a_page_that_is_none_of_ours_is_refused_in_one_sentence(folder, text, reason, capsys):
    (folder / "g.html").write_text(text, encoding="utf-8", errors="surrogateescape")
    assert layout("karate.graphml", "--like", "g.html", "-o", "again.csv") == 2
    said = capsys.readouterr().err.strip()
    assert reason in said
    assert said.count("\n") == 0
    assert not (folder / "again.csv").exists()


def test_a_page_is_data_and_has_no_graph_to_lay_out(folder, capsys):
    # What people write above a picture looks like a description, and is none.
    G, words = (
        nx.karate_club_graph(),
        page_with({"generator": "graphne_viz", "made_by": "layout", "parameters": {"seed": 8}}),
    )
    widget = view(G, seed=5, n_iter=20, early_exaggeration_iter=10, live=False)
    widget.to_html("g.html", title=words, caption=words)
    widget.close()
    assert read_metadata(folder / "g.html", "graphne_viz")["parameters"]["seed"] == 5
    assert layout("--like", "g.html", "-o", "again.csv") == 2
    assert "graphne layout FILE --like g.html" in capsys.readouterr().err
