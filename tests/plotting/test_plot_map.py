"""The picture of a graph without a word about how it should look, and how its edges are drawn."""

import time

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from pictures import edges_of, grid, legend_of, nodes_of
from PIL import Image

from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.plotting import drawing
from graphne_viz.plotting.plot import plot, save_plot


@pytest.fixture(scope="module")
def les_miserables():
    G = nx.les_miserables_graph()
    return G, nx.spring_layout(G, seed=1)


def names_in(ax):
    return [
        text.get_text().replace("\n", " ") for text in ax.texts if str(text.get_gid()).startswith("graphne-halo-class")
    ]


def test_the_first_picture_is_a_map(les_miserables):
    G, pos = les_miserables
    ax = plot(G, pos)
    assert len({to_hex(color) for color in nodes_of(ax).get_facecolor()}) == len(legend_of(ax)) > 4
    assert ax.get_legend().get_title().get_text() == "communities"
    assert len(set(nodes_of(ax).get_sizes())) > 10
    labels = [text.get_text() for text in ax.texts if str(text.get_gid()).startswith("graphne-halo-node")]
    assert 10 < len(labels) < 60
    assert set(labels) < set(G)
    assert "Valjean, Marius" in names_in(ax)
    assert ax.texts[-1].get_text() == "communities: by the Leiden algorithm"
    widths = edges_of(ax).get_linewidths()
    assert max(widths) > 4 * min(widths), "weights are seen"
    assert len([child for child in ax.get_children() if type(child).__name__ == "Legend"]) == 2, "colours and sizes"


def letters_of(ax):
    found = [text for text in ax.texts if str(text.get_gid()).startswith("graphne-halo-node")]
    return {text.get_text(): text.get_fontsize() for text in found}


def test_labels_are_chosen_by_size_and_grow_with_it(les_miserables):
    letters = letters_of(plot(*les_miserables))
    assert letters["Valjean"] == max(letters.values()) > 1.4 * min(letters.values())
    G, pos = les_miserables
    of_marius = {name: 5.0 if name == "Marius" else 0.1 for name in G}
    letters = letters_of(plot(G, pos, size=of_marius, color=None))
    assert letters["Marius"] > 1.5 * letters["Valjean"]
    assert next(iter(letters)) == "Marius", "written first"
    assert len(set(letters_of(plot(G, pos, size=None)).values())) == 1


def test_none_switches_each_off(les_miserables):
    ax = plot(*les_miserables, color=None, size=None, label=None, edge_width=None)
    assert {to_hex(color) for color in nodes_of(ax).get_facecolor()} == {CLASS_COLORS[0].lower()}
    assert len(set(nodes_of(ax).get_sizes())) == 1
    assert not ax.texts
    assert not [child for child in ax.get_children() if type(child).__name__ == "Legend"]
    assert not names_in(plot(*les_miserables, class_names=False))


def test_two_classes_are_a_note_under_the_picture():
    G = nx.path_graph(12)
    nx.set_node_attributes(G, {k: "ab"[k % 2] for k in G}, "side")
    nx.set_node_attributes(G, {k: "xy"[k % 2] for k in G}, "team")
    note = plot(G, grid(12)).texts[-1].get_text()
    assert note.endswith("'side' and 'team' could both be the class: color='side' chooses one")


def test_names_and_labels_stay_within_the_figure_and_apart(les_miserables):
    ax = plot(*les_miserables)
    ax.figure.canvas.draw()
    inside = ax.get_window_extent()
    boxes = [text.get_window_extent() for text in ax.texts[:-1]]
    for k, box in enumerate(boxes):
        assert box.x0 >= inside.x0 - 2
        assert box.x1 <= inside.x1 + 2
        assert not any(box.shrunk(0.85, 0.8).overlaps(other.shrunk(0.85, 0.8)) for other in boxes[:k])


def test_tiny_parts_do_not_outshine_the_largest():
    G = nx.disjoint_union(nx.gnm_random_graph(200, 600, seed=0), nx.empty_graph(50))
    ax = plot(G, np.random.default_rng(0).normal(size=(250, 2)), size=None)
    alphas = nodes_of(ax).get_facecolor()[:, 3]
    assert sorted(set(alphas.round(2))) == [0.55, 1]
    assert (alphas < 0.6).sum() >= 50


def test_many_nodes_are_translucent():
    n = 40_000
    ax = plot(nx.empty_graph(n), np.random.default_rng(0).normal(size=(n, 2)))
    assert nodes_of(ax).get_facecolor()[0, 3] < 0.8


def directed():
    G = nx.MultiDiGraph([("a", "b"), ("b", "a"), ("a", "c"), ("a", "c"), ("c", "c"), ("c", "d")])
    for k, (_, _, edge) in enumerate(G.edges(data=True)):
        edge.update(kind="xy"[k % 2], flow=k + 1)
    return G, {"a": (0, 0), "b": (4, 0), "c": (4, 4), "d": (0, 4)}


def test_parallel_mutual_and_looped_edges_are_all_seen():
    G, pos = directed()
    ax = plot(G, pos, edge_width=None)
    paths = [np.round(path.vertices, 3) for path in edges_of(ax).get_paths()]
    assert len(paths) == 6
    assert len({path.tobytes() for path in paths}) == 6, "none lies on another"
    loops = [path for path in paths if np.allclose(path[0], path[-1])]
    assert len(loops) == 1
    middles = [path[len(path) // 2] for path in paths if path[0][1] == path[-1][1] == 0]
    assert sum(m[1] > 0.1 for m in middles) == 1, "of the mutual edges one bends up"
    assert sum(m[1] < -0.1 for m in middles) == 1, "and one down"
    heads = [c for c in ax.collections if isinstance(c, PolyCollection) and len(c.get_paths())]
    assert sum(len(c.get_paths()) for c in heads) == 5, "all but the loop"


def test_edges_have_width_and_colour_by_their_attributes():
    G, pos = directed()
    ax = plot(G, pos, edge_width="flow", edge_color="kind", arrows=False, curved=False)
    edges = edges_of(ax)
    assert max(edges.get_linewidths()) == pytest.approx(10 * min(edges.get_linewidths()))
    assert {to_hex(color) for color in edges.get_colors()} == {color.lower() for color in CLASS_COLORS[:2]}
    assert not [c for c in ax.collections if isinstance(c, PolyCollection) and not isinstance(c, type(nodes_of(ax)))]
    ends = edges_of(plot(G, pos, color=dict.fromkeys("abcd", "red"), color_kind="colors", edge_color="ends"))
    assert {to_hex(color) for color in ends.get_colors()} == {"#ff0000"}
    pair = plot(nx.path_graph(2), {0: (0, 0), 1: (1, 0)}, color=["red", "blue"], edge_color="ends")
    pieces = sorted(
        zip(edges_of(pair).get_segments(), edges_of(pair).get_colors(), strict=True), key=lambda p: p[0][0][0]
    )
    red, blue = (np.array([color[channel] for _, color in pieces]) for channel in (0, 2))
    assert (np.diff(red) < 0).all(), "from the colour of one end"
    assert (np.diff(blue) > 0).all(), "to that of the other, as in the viewer"
    with pytest.raises(ValueError, match=r"edge_width='flw' is not an edge attribute; .* Did you mean 'flow'\?"):
        plot(G, pos, edge_width="flw")


def test_thousands_of_edges_are_few_paths_that_keep_widths_and_number():
    G = nx.gnm_random_graph(400, 5_000, seed=0)
    pos = dict(enumerate(np.random.default_rng(0).normal(size=(400, 2))))
    for u, v, data in G.edges(data=True):
        data["weight"] = 1 + (u + v) % 5
    for edges in (edges_of(plot(G, pos)), edges_of(plot(G, pos, edge_width=None))):
        paths = edges.get_paths()
        assert len(paths) < 400
        assert sum(np.isfinite(path.vertices).all(axis=1).sum() for path in paths) == 10_000
    widths = edges_of(plot(G, pos)).get_linewidths()
    assert max(widths) == pytest.approx(10 * min(widths))
    assert len(set(np.round(widths, 6))) == 5


def test_too_many_edges_are_thin_lines_and_the_picture_says_so(monkeypatch, les_miserables):
    monkeypatch.setattr(drawing, "MOST_STYLED_EDGES", 100)
    monkeypatch.setattr("graphne_viz.plotting.edges.MOST_STYLED_EDGES", 100)
    ax = plot(*les_miserables)
    assert len(set(edges_of(ax).get_linewidths())) == 1
    assert "more than 100 edges are thin lines, without width" in ax.texts[-1].get_text()


def test_saved_pictures_are_at_least_2000_pixels_wide(tmp_path, les_miserables):
    G, pos = les_miserables
    save_plot(tmp_path / "g.png", G, pos, file_format="png", title="Les Misérables")
    with Image.open(tmp_path / "g.png") as image:
        assert image.width >= 2_000
    assert not plt.get_fignums()


def test_an_svg_of_thousands_of_nodes_takes_seconds(tmp_path):
    G = nx.barabasi_albert_graph(3_200, 6, seed=0)
    G = nx.relabel_nodes(G, {k: f"airport number {k}" for k in G})
    pos = dict(zip(G, np.random.default_rng(0).normal(size=(3_200, 2)), strict=True))
    begun = time.process_time()
    save_plot(tmp_path / "g.svg", G, pos, file_format="svg", color=[f"class {k % 10}" for k in range(3_200)])
    assert time.process_time() - begun < 6
    assert ">airport number " in (tmp_path / "g.svg").read_text()
