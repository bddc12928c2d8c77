import re
import threading
from xml.etree import ElementTree as ET

import igraph as ig
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib import font_manager
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from pictures import edges_of, grid, legend_of, nodes_of

from graphne_viz.encoding.columns.node_columns import color_column
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.plotting import drawing, edges
from graphne_viz.plotting import text as picture_text
from graphne_viz.plotting.plot import plot, save_plot
from graphne_viz.viewer.export.preview import preview

HOSTILE = ["$x$", "_hidden", "<script>alert(1)</script>", "a\nb\x00c", "%s {0} \\frac{1}", "", "😀" * 100]


def test_edges_are_one_collection_under_the_nodes(karate):
    G, pos = karate
    ax = plot(G, pos)
    assert len(edges_of(ax).get_segments()) == G.number_of_edges()
    assert edges_of(ax).get_zorder() < nodes_of(ax).get_zorder()
    drawn = {frozenset(map(tuple, segment)) for segment in edges_of(ax).get_segments()}
    assert drawn == {frozenset((tuple(pos[u]), tuple(pos[v]))) for u, v in G.edges}


def test_pictures_drawn_in_threads_that_end_leave_no_fonts_behind(karate, tmp_path):
    how = {"label": True, "color": "club", "file_format": "png"}
    font_manager._get_font.cache_clear()  # other tests draw with other fonts
    save_plot(tmp_path / "a.png", *karate, **how)
    assert (before := font_manager._get_font.cache_info().currsize) > 0
    idle = threading.Event()
    others = []
    for number in range(3):
        # Numbers of threads that have ended are given away again, so that others stay.
        others.append(threading.Thread(target=idle.wait, daemon=True))
        arguments = (tmp_path / f"{number}.png", *karate)
        drawing_one = threading.Thread(target=save_plot, args=arguments, kwargs=how)
        for thread in (drawing_one, others[-1]):
            thread.start()
        drawing_one.join()
        assert font_manager._get_font.cache_info().currsize == 0
    idle.set()
    assert (tmp_path / "2.png").read_bytes() == (tmp_path / "a.png").read_bytes()
    save_plot(tmp_path / "b.png", *karate, **how)
    assert font_manager._get_font.cache_info().currsize == before


def test_edges_can_be_left_out(karate):
    assert not [c for c in plot(*karate, edges=False).collections if isinstance(c, LineCollection)]


def test_axes_are_bare_equal_and_hold_every_node(karate):
    ax = plot(*karate, size="degree")
    assert not ax.axison
    assert ax.get_aspect() == 1
    ax.figure.canvas.draw()
    low, high = ax.get_window_extent().min, ax.get_window_extent().max
    nodes = nodes_of(ax)
    radius = np.sqrt(nodes.get_sizes() / np.pi) * ax.figure.dpi / 72
    places = ax.transData.transform(nodes.get_offsets())
    assert (places - radius[:, None] >= low).all()
    assert (places + radius[:, None] <= high).all()
    assert (places.min(axis=0) - low < 0.08 * (high - low)).all()


@pytest.mark.parametrize("form", ["dict", "array", "list", "igraph"])
def test_positions_in_every_form_give_the_same_picture(karate, form):
    G, pos = karate
    array = np.array([pos[node] for node in G])
    given = {"dict": pos, "array": array, "list": array.tolist(), "igraph": ig.Layout(array.tolist())}[form]
    ax = plot(G, given, color="club", size=None)
    assert np.array_equal(nodes_of(ax).get_offsets(), array)


@pytest.mark.parametrize("kind", ["igraph", "matrix", "nodes"])
def test_graphs_of_other_libraries(kind):
    graphs = {"igraph": ig.Graph.Ring(5), "matrix": sp.eye_array(5, k=1).tocsr(), "nodes": iter("abcde")}
    ax = plot(graphs[kind], grid(5))
    assert len(nodes_of(ax).get_offsets()) == 5


def test_positions_are_computed_if_none_are_given(karate):
    G, _ = karate
    places = np.asarray(nodes_of(plot(G)).get_offsets())
    assert places.shape == (34, 2)
    assert len(np.unique(places, axis=0)) == 34


def test_large_graphs_are_drawn_as_pixels(monkeypatch, karate):
    ax = plot(*karate, edge_width=None)
    assert not nodes_of(ax).get_rasterized()
    assert not edges_of(ax).get_rasterized()
    assert drawing.MOST_VECTOR_NODES == 50_000
    monkeypatch.setattr(drawing, "MOST_VECTOR_NODES", 33)
    monkeypatch.setattr(edges, "MOST_VECTOR_EDGES", 77)
    ax = plot(*karate, edge_width=None)
    assert nodes_of(ax).get_rasterized()
    assert edges_of(ax).get_rasterized()


def test_too_many_edges_are_sampled_and_the_picture_says_so(monkeypatch, karate):
    monkeypatch.setattr(edges, "FEWEST_SAMPLED", 20)
    monkeypatch.setattr(edges, "MOST_SAMPLED", 50)
    ax = plot(*karate, color=None, edge_width=None)
    assert len(edges_of(ax).get_segments()) == 20
    assert [text.get_text() for text in ax.texts] == ["20 of 78 edges drawn"]
    ax = plot(*karate, edges=True, color=None)
    assert len(edges_of(ax).get_segments()) == 78
    assert not ax.texts


def test_of_very_many_edges_a_quarter_stands_for_all(monkeypatch):
    G = nx.gnm_random_graph(300, 30_000, seed=0)
    places = np.random.default_rng(0).normal(size=(300, 2))
    monkeypatch.setattr(edges, "_SEPARATE_EDGES", 10**6)
    everything = edges_of(plot(G, places, edges=True))
    monkeypatch.setattr(edges, "FEWEST_SAMPLED", 1_000)
    ax = plot(G, places)
    sample = edges_of(ax)
    assert len(sample.get_segments()) == 7_500
    assert sample.get_alpha() > 1.5 * everything.get_alpha(), "fewer lines, each stronger"
    assert ax.texts[-1].get_text().endswith("7,500 of 30,000 edges drawn")


def test_bundled_edges_are_the_same_edges(monkeypatch, karate):
    G, pos = karate
    plain = edges_of(plot(G, pos, edge_width=None)).get_segments()
    monkeypatch.setattr(edges, "_SEPARATE_EDGES", 10)
    bundled = edges_of(plot(G, pos, edge_width=None))
    pieces = np.concatenate([path.vertices for path in bundled.get_paths()]).reshape(-1, 3, 2)
    pieces = pieces[~np.isnan(pieces[:, 0, 0])]
    found, wanted = (np.unique(lines.reshape(-1, 4), axis=0) for lines in (pieces[:, :2], np.array(plain)))
    assert len(pieces) == len(plain)
    assert np.array_equal(found, wanted)
    assert np.isnan(pieces[:, 2]).all()


def test_edges_get_fainter_the_more_there_are():
    few = edges_of(plot(nx.gnm_random_graph(200, 100, seed=0), grid(200))).get_alpha()
    many = edges_of(plot(nx.gnm_random_graph(200, 15_000, seed=0), grid(200))).get_alpha()
    assert many < 0.1
    assert few > 3 * many


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_tiny_graphs(n):
    ax = plot(nx.path_graph(n), grid(n), label=True, color=list(range(n)))
    ax.figure.canvas.draw()
    assert len(nodes_of(ax).get_offsets()) == n
    assert np.isfinite([*ax.get_xlim(), *ax.get_ylim()]).all()
    assert len(ax.texts) == n


def test_nodes_at_one_place_and_on_a_line():
    for positions in (np.ones((5, 2)), np.column_stack([np.arange(5), np.zeros(5)])):
        ax = plot(nx.path_graph(5), positions)
        ax.figure.canvas.draw()
        assert np.ptp(ax.get_xlim()) > 0
        assert np.ptp(ax.get_ylim()) > 0


def test_the_legend_stands_beside_the_nodes_and_within_the_figure(karate):
    G, pos = karate
    names = {node: f"a rather long name of a class, {node % 3}" for node in G}
    _, own_axes = plt.subplots(1, 2, figsize=(8, 4))
    for ax in (plot(G, pos, color=names), plot(G, pos, color=names, ax=own_axes[0])):
        ax.figure.canvas.draw()
        box = ax.get_legend().get_window_extent()
        assert box.x0 >= ax.get_window_extent().x1 - 1
        assert box.x1 <= ax.figure.bbox.width + 1
    assert own_axes[0].get_legend().get_window_extent().x1 <= own_axes[1].get_window_extent().x1


def test_the_callers_axes_are_used_and_no_other_figure_is_made(karate):
    figure = Figure()
    ax = figure.subplots()
    assert plot(*karate, ax=ax, color="club") is ax
    assert not plt.get_fignums()


def test_a_new_figure_belongs_to_pyplot(karate):
    ax = plot(*karate)
    assert plt.gcf() is ax.figure


def test_hostile_names_stay_text():
    G = nx.path_graph([*HOSTILE, "plain"])
    places = 100 * grid(8)
    kinds = dict(zip(G, [*HOSTILE, "plain"], strict=True))
    ax = plot(G, places, color=kinds, label=True, title="$\\frac{1}$")
    for text in (*ax.texts, *ax.get_legend().get_texts(), ax.title):
        assert not text.get_parse_math()
        assert not text.get_usetex()
        assert text.get_text().isprintable()
        assert len(text.get_text()) < 60
    shown = {re.sub(r" \(1\)$", "", text) for text in legend_of(ax)}
    assert {"$x$", "_hidden", "<script>alert(1)</script>", "a b c", "%s {0} \\frac{1}", "(empty)"} < shown


def test_letters_that_a_font_lacks_are_taken_from_others_and_a_still_does_without(monkeypatch):
    monkeypatch.setattr(picture_text, "MORE_FONTS", ("DejaVu Serif", "No such font"))
    picture_text._more_fonts.cache_clear()
    G = nx.path_graph(3)
    graph = as_graph(G)
    kinds = dict(zip(G, ["日本語", "한국어", "😀"], strict=True))
    ax = plot(G, grid(3), color=dict(zip(G, "abc", strict=True)))
    assert [text.get_fontfamily()[1:] for text in ax.get_legend().get_texts()] == [["DejaVu Serif"]] * 3
    plt.close()
    # A warning would be an error here.
    assert preview(VisibleState(graph, grid(3), color_column(graph, kinds))).startswith(b"\x89PNG")
    picture_text._more_fonts.cache_clear()


def test_svg_holds_names_as_escaped_text(tmp_path):
    path = tmp_path / "picture.svg"
    names = ["$x$", "<script>alert(1)</script>", "]]>&amp;"]
    save_plot(path, nx.path_graph(3), 9 * grid(3), file_format="svg", color=names, size=None)
    source = path.read_text()
    assert "<script" not in source
    assert "&lt;script&gt;alert(1)&lt;/script&gt; (1)" in source
    texts = ["".join(e.itertext()).strip() for e in ET.fromstring(source).iter() if e.tag.endswith("text")]  # noqa: S314 -- written by us
    assert texts == ["color", *(f"{name} (1)" for name in sorted(names))]


@pytest.mark.parametrize("file_format", ["png", "svg", "pdf"])
def test_the_same_input_gives_the_same_bytes_and_leaves_no_figure(tmp_path, karate, file_format):
    G, pos = karate
    for name in "ab":
        save_plot(tmp_path / name, G, pos, file_format=file_format, color="club")
    first, second = (tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[file_format])
    assert not plt.get_fignums()


def test_labels_can_be_an_attribute_and_do_not_overlap():
    G = nx.les_miserables_graph()
    nx.set_node_attributes(G, {"Valjean": "Jean Valjean"}, "full")
    ax = plot(G, nx.circular_layout(G), label="full", color=None)
    assert [text.get_text() for text in ax.texts] == ["Jean Valjean"]
    ax = plot(G, nx.circular_layout(G, scale=0.2) | {"Valjean": (1, 1)}, label=True, color=None)
    ax.figure.canvas.draw()
    *labels, note = ax.texts
    boxes = [label.get_window_extent() for label in labels]
    overlaps = [
        (a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.shrunk(0.9, 0.9).overlaps(b.shrunk(0.9, 0.9))
    ]
    assert len(labels) > 5
    assert not overlaps
    assert note.get_text() == f"{77 - len(labels)} of 77 labels omitted for lack of space"


def test_the_graph_is_not_changed(karate):
    G, pos = karate
    nodes, places = dict(G.nodes(data=True)), {node: place.copy() for node, place in pos.items()}
    values = np.arange(34.0)
    plot(G, pos, color=values, size=values, label=True)
    assert dict(G.nodes(data=True)) == nodes
    assert all(np.array_equal(pos[node], places[node]) for node in G)
    assert np.array_equal(values, np.arange(34.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"color": "clubs"},
            r"color='clubs' is not a node attribute; there are: 'club'; .*matplotlib colour\. Did you mean 'club'\?$",
        ),
        (
            {"size": "clubs"},
            r"size='clubs' is not a node attribute; there are: .*'part' or a number\. Did you mean 'club'\?$",
        ),
        ({"label": "clubs"}, r"label='clubs' is not a node attribute; there are: 'club'.* Did you mean 'club'\?$"),
        ({"color": [1, 2]}, "color has 2 values, but the graph has 34 nodes"),
        ({"size": np.ones(35)}, "size has 35 values, but the graph has 34 nodes"),
        ({"size": "club"}, "size must hold numbers, but node 0 has 'Mr. Hi'"),
        ({"color": "club", "color_kind": "values"}, "color must hold numbers, but node 0 has 'Mr. Hi'"),
        ({"color": "club", "color_kind": "colors"}, "color contains an invalid colour"),
        ({"color": "club", "color_kind": "groups"}, "color_kind='groups' is not one of 'auto', 'classes'"),
        ({"color": {"x": 1}}, "color contains none of the graph's nodes, the first of which is 0"),
        ({"size": -1}, "size=-1 is not an area"),
        ({"size": float("nan")}, "size=nan is not an area"),
        ({"edges": "some"}, "edges='some' is not one of True, False"),
        ({"pos": {0: (0, 0)}}, "pos has no position for node 1"),
        ({"pos": np.zeros((34, 3))}, r"pos has shape \(34, 3\), but the graph needs \(34, 2\)"),
        ({"pos": np.zeros((3, 2))}, r"pos has shape \(3, 2\), but the graph needs \(34, 2\)"),
        ({"pos": np.full((34, 2), np.nan)}, "pos of node 0 is not finite"),
        ({"pos": "spring"}, "pos must hold two numbers per node, not 'spring'"),
        ({"pos": [(0, 0), (1,)]}, "pos must hold two numbers per node"),
    ],
)
def test_bad_input_is_refused(karate, options, message):
    G, pos = karate
    with pytest.raises(ValueError, match=message):
        plot(G, **{"pos": pos, **options})
    assert not plt.get_fignums()


def test_unknown_keywords_and_types_are_refused(karate):
    with pytest.raises(TypeError, match="colour"):
        plot(*karate, colour="red")
    with pytest.raises(TypeError, match="color=3 is neither a name, a mapping nor one value per node"):
        plot(*karate, color=3)


def test_labels_of_large_graphs_are_refused():
    with pytest.raises(ValueError, match="labels are for at most 1,000 nodes; the graph has 1,001"):
        plot(nx.empty_graph(1001), grid(1001), label=True)
