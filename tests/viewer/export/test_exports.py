"""Everything that can be taken away from a view, read back."""

import io
import json
import re
import threading
from pathlib import Path

import igraph as ig
import networkx as nx
import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from lxml import etree
from PIL import Image

from graphne_viz import graphne_layout, view
from graphne_viz.layout.task import Task
from graphne_viz.plotting import edges
from graphne_viz.plotting.figures import figure_of
from graphne_viz.viewer.export.exports import visible_state

SCHEMA = etree.XMLSchema(file=Path(__file__).parents[2] / "graphs" / "io" / "formats" / "schemas" / "gexf.xsd")
BRIEF = {"live": False, "n_iter": 20, "early_exaggeration_iter": 10}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shown():
    """Return a function that views a graph, computed at once; the widgets are closed in the end."""
    made = []

    def show(G, *args, **keywords):
        made.append(view(G, *args, **BRIEF | keywords))
        return made[-1]

    yield show
    for widget in made:
        widget.close()


@pytest.fixture
def karate():
    G = nx.karate_club_graph()
    G.nodes[0]["note"] = "<script>alert(1)</script>"
    return G


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def texts_of(svg):
    return ["".join(text.itertext()) for text in fromstring(svg).iter(f"{SVG}text")]


def test_a_png_has_the_colours_that_are_shown_and_what_made_it(shown, karate, tmp_path):
    widget = shown(karate, color="club", seed=5)
    small, large = widget.to_png(scale=1), widget.to_png(scale=3)
    assert pixels(large).shape[0] == pytest.approx(3 * pixels(small).shape[0], abs=3)
    found = {tuple(color) for color in pixels(small).reshape(-1, 3).tolist()}
    assert {(0, 0x72, 0xB2), (0xD5, 0x5E, 0), (255, 255, 255)} <= found
    about = json.loads(Image.open(io.BytesIO(large)).text["graphne_viz"])
    assert about == widget.provenance
    assert about["parameters"]["seed"] == 5
    assert widget.to_png(tmp_path / "g.png", scale=1) is None
    assert (tmp_path / "g.png").read_bytes() == small
    widget.color = "#ff0000"
    recoloured = {tuple(color) for color in pixels(widget.to_png(scale=1)).reshape(-1, 3).tolist()}
    assert (255, 0, 0) in recoloured
    assert (0, 0x72, 0xB2) not in recoloured


def test_edges_that_are_switched_off_are_not_drawn(shown, karate):
    widget = shown(karate)
    with_edges = pixels(widget.to_png(scale=1))
    widget.edges = False
    without = pixels(widget.to_png(scale=1))
    assert (without < 255).any(axis=2).sum() < 0.8 * (with_edges < 255).any(axis=2).sum()


def test_nodes_that_the_browser_hides_are_left_out(shown, karate, tmp_path):
    widget = shown(karate, color="club", label=True, class_names=False)
    everybody = widget.to_svg()
    hidden = np.array([club == "Officer" for _, club in karate.nodes(data="club")])
    widget.set_state({"_hidden": bytes(4) + np.packbits(hidden, bitorder="little").tobytes()})
    texts = texts_of(widget.to_svg())
    assert "Mr. Hi (17)" in texts
    assert "Officer (17)" not in texts
    assert "33" not in texts
    assert "33" in texts_of(everybody)
    assert (0xD5, 0x5E, 0) not in {tuple(color) for color in pixels(widget.to_png(scale=1)).reshape(-1, 3).tolist()}
    widget.to_gexf(tmp_path / "g.gexf")
    assert len(nx.read_gexf(tmp_path / "g.gexf")) == 34
    widget.set_state({"_hidden": bytes(4) + b"too long for it"})
    assert texts_of(widget.to_svg()) == texts
    widget.set_state({"_hidden": bytes(4) + np.packbits(np.ones(34, dtype=bool)).tobytes()})
    assert widget.to_png(scale=1)
    widget.set_state({"_hidden": bytes(4)})
    assert widget.to_svg() == everybody


def test_a_scale_in_a_picture_points_to_where_values_go_on(shown):
    star = nx.star_graph(200)
    nx.add_path(star, range(1, 100))
    figure = figure_of(visible_state(shown(star, color="degree").session)[0])
    bar = figure.axes[1]._colorbar
    assert (bar.vmin, bar.vmax, bar.extend) == (1, 3, "max")


def test_an_svg_keeps_names_as_text_and_has_its_legend(shown, karate):
    widget = shown(karate, color="club", label="note")
    svg = widget.to_svg()
    texts = texts_of(svg)
    assert "club" in texts
    assert "Officer (17)" in texts
    assert "<script>alert(1)</script>" in texts
    assert "<script" not in svg
    description = next(e.text for e in fromstring(svg).iter() if e.tag.endswith("}description"))
    assert json.loads(description) == widget.provenance
    assert widget.to_svg() == svg
    widget.color, widget.label = "degree", None
    assert "degree" in texts_of(widget.to_svg())


@pytest.mark.parametrize(("most", "images"), [(10, 1), (1000, 0)])
def test_many_edges_are_pixels_in_an_svg(shown, karate, monkeypatch, most, images):
    monkeypatch.setattr(edges, "MOST_VECTOR_EDGES", most)
    svg = shown(karate, color="club").to_svg()
    assert len(list(fromstring(svg).iter(f"{SVG}image"))) == images


def test_gexf_is_valid_and_comes_back_as_it_was(shown, tmp_path):
    G = nx.karate_club_graph().to_directed()
    nx.set_node_attributes(G, {node: node / 3 for node in G}, "third")
    nx.set_edge_attributes(G, {edge: f"{edge}" for edge in G.edges}, "what")
    widget = shown(G, color="club", size="third", seed=3)
    widget.to_gexf(tmp_path / "g.gexf")
    SCHEMA.assertValid(etree.parse(tmp_path / "g.gexf"))
    back = nx.read_gexf(tmp_path / "g.gexf", node_type=int)
    assert back.is_directed()
    assert set(back.edges) == set(G.edges)
    for node in G:
        data = back.nodes[node]
        place = data["viz"]["position"]
        assert [place["x"], place["y"]] == pytest.approx(1000 * widget.pos[node])
        assert data["club"] == G.nodes[node]["club"]
        assert data["third"] == G.nodes[node]["third"]
        blue = data["viz"]["color"]["b"]
        assert blue == (0xB2 if data["club"] == "Mr. Hi" else 0)
    sizes = [back.nodes[node]["viz"]["size"] for node in G]
    assert sizes == sorted(sizes)
    assert sizes[-1] == pytest.approx(sizes[0] * (4.6 / 0.4) ** 0.5, rel=1e-3)
    assert all(back.edges[edge]["what"] == f"{edge}" for edge in G.edges)
    assert all(back.edges[edge]["weight"] == G.edges[edge]["weight"] for edge in G.edges)
    other = ig.Graph.from_networkx(back)
    assert (other.vcount(), other.ecount(), other.is_directed()) == (34, 156, True)
    about = json.loads(
        re.search("<description>(.*)</description>", (tmp_path / "g.gexf").read_text())[1].replace("&quot;", '"')
    )
    assert about == widget.provenance


def test_gexf_keeps_a_scale_and_positions_that_were_given(shown, karate, tmp_path):
    widget = shown(karate, scale=7)
    widget.to_gexf(tmp_path / "g.gexf.gz")
    place = nx.read_gexf(tmp_path / "g.gexf.gz").nodes["0"]["viz"]["position"]
    assert [place["x"], place["y"]] == pytest.approx(widget.pos[0])
    given = shown(karate, nx.circular_layout(karate), live=None)
    given.to_gexf(tmp_path / "given.gexf")
    assert nx.read_gexf(tmp_path / "given.gexf").nodes["0"]["viz"]["position"]["x"] == 1


def test_a_networkx_graph_is_copied_with_its_layout(shown, karate):
    widget = shown(karate, color="club")
    H = widget.to_networkx()
    assert "x" not in karate.nodes[0]
    assert type(H) is type(karate)
    assert dict(H.edges) == dict(karate.edges)
    assert [H.nodes[33]["x"], H.nodes[33]["y"]] == pytest.approx(widget.pos[33])
    assert (H.nodes[0]["color"], H.nodes[33]["color"]) == ("#0072b2", "#d55e00")
    about = json.loads(H.graph["graphne_viz"])
    again = graphne_layout(karate, **about["parameters"])
    assert again[33] == pytest.approx([H.nodes[33]["x"], H.nodes[33]["y"]])
    nx.write_graphml(H, io.BytesIO())  # nothing is in it that a file could not hold


def test_an_igraph_graph_is_copied_with_its_layout(shown):
    g = ig.Graph.Famous("Zachary")
    g.vs["name"] = [f"n{i}" for i in range(34)]
    g.vs["color"] = ["own"] * 34
    widget = shown(g)
    h = widget.to_igraph()
    assert "x" not in g.vs.attributes()
    assert h.vs["color"] == ["own"] * 34
    assert np.column_stack([h.vs["x"], h.vs["y"]]) == pytest.approx(np.array(widget.pos.coords))
    assert json.loads(h["graphne_viz"])["made_by"] == "layout"


def test_each_library_gets_the_graph_of_the_other(shown, tmp_path):
    g = ig.Graph(directed=True, edges=[(0, 1), (0, 1), (1, 2), (2, 2)], edge_attrs={"weight": [1.0, 2.0, 3.0, 4.0]})
    g.vs["name"] = ["a", "b", "c"]
    widget = shown(g, color="name")
    H = widget.to_networkx()
    assert H.is_directed()
    assert H.is_multigraph()
    assert sorted(weight for *_, weight in H.edges(data="weight")) == [1, 2, 3, 4]
    assert H.nodes[2]["name"] == "c"
    widget.to_gexf(tmp_path / "g.gexf")
    assert [label for _, label in nx.read_gexf(tmp_path / "g.gexf").nodes(data="label")] == ["a", "b", "c"]
    matrix = shown(nx.to_scipy_sparse_array(nx.path_graph(4)), size=20)
    assert matrix.to_igraph().get_edgelist() == [(0, 1), (1, 2), (2, 3)]
    assert set(matrix.to_networkx().nodes[0]) == {"x", "y", "color"}


@pytest.mark.parametrize("G", [nx.empty_graph(0), nx.empty_graph(1), nx.empty_graph(3)])
def test_there_may_be_next_to_nothing_to_export(shown, G, tmp_path):
    widget = shown(G, label=True)
    assert widget.to_png(scale=1)
    assert widget.to_svg()
    widget.to_gexf(tmp_path / "g.gexf")
    assert len(nx.read_gexf(tmp_path / "g.gexf")) == len(G)
    assert len(widget.to_networkx()) == len(G)
    assert widget.to_igraph().vcount() == len(G)


def test_bad_arguments_are_refused_and_leave_no_file(shown, karate, tmp_path):
    widget = shown(karate)
    with pytest.raises(ValueError, match=r"path must end in \.png, got"):
        widget.to_png(tmp_path / "g.svg")
    with pytest.raises(ValueError, match=r"path must end in \.gexf or \.gexf\.gz, got"):
        widget.to_gexf(tmp_path / "g.graphml")
    for name in ("g.graphml", "g", "g.html.gz"):
        with pytest.raises(ValueError, match=rf"path must end in \.html, got '.*{name}'"):
            widget.to_html(tmp_path / name)
    for scale in (0, -1, float("nan"), 100):
        with pytest.raises(ValueError, match="scale must be"):
            widget.to_png(scale=scale)
    with pytest.raises(FileNotFoundError, match=r"the folder of .* does not exist"):
        widget.to_svg(tmp_path / "none" / "g.svg")
    assert not list(tmp_path.iterdir())
    karate.add_edge(0, "new")
    with pytest.raises(ValueError, match=r"changed since it was laid out: it has 35 nodes, not the 34"):
        widget.to_networkx()
    widget.to_gexf(tmp_path / "g.gexf")  # the edges as they were
    assert nx.read_gexf(tmp_path / "g.gexf").number_of_edges() == 78


def test_without_positions_there_is_nothing_to_export(karate):
    widget = view(karate, live=False, n_iter=0, early_exaggeration_iter=0, pos=None)
    widget.run._history.computed = None
    for export in (widget.to_png, lambda: widget.to_html("g.html")):
        with pytest.raises(RuntimeError, match=r"there are no positions yet: the run is finished"):
            export()
    widget.close()


@pytest.mark.parametrize("name", ["to_html", "to_svg", "to_gexf"])
def test_an_export_waits_for_the_first_positions(karate, monkeypatch, tmp_path, name):
    begin, waited = Task.run, threading.Event()

    def late(task, *args, **keywords):
        waited.wait(0.3)
        return begin(task, *args, **keywords)

    monkeypatch.setattr(Task, "run", late)
    widget = view(karate, n_iter=20, early_exaggeration_iter=10)
    assert widget.run.latest is None
    getattr(widget, name)(tmp_path / f"g.{name[3:]}")
    assert (tmp_path / f"g.{name[3:]}").stat().st_size > 1000
    widget.close()
