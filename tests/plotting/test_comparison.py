import math
from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from comparisons import REASON, result, some
from matplotlib.colors import to_hex
from pictures import colors_of, edges_of, nodes_of
from PIL import Image

from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.evaluation.compare import Failure
from graphne_viz.evaluation.metrics.scores import Scores
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.plotting.comparison import captions
from graphne_viz.viewer.compare import ComparisonView, compare


def panels(figure):
    return {ax.get_label(): ax for ax in figure.axes}


def texts(figure):
    return [text for text in figure.texts if text.get_text()]


def boxes(figure):
    figure.canvas.draw()
    written = [*texts(figure), *(legend for legend in figure.legends)]
    return written, [each.get_window_extent() for each in written]


@pytest.mark.parametrize(("count", "failed"), [(1, 0), (2, 0), (3, 1), (4, 0), (5, 4), (7, 0), (9, 2)])
def test_every_picture_has_its_place_and_nothing_overlaps(count, failed):
    comparison = some(count, failed=failed)
    figure = comparison.plot()
    assert list(panels(figure)) == [each.method for each in comparison.results]
    written, places = boxes(figure)
    inside = figure.bbox
    for text, box in zip(written, places, strict=True):
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1, text
        assert inside.y0 <= box.y0 < box.y1 <= inside.y1, text
    drawn = [ax.get_window_extent() for ax in figure.axes]
    everything = [*places, *drawn]
    for k, box in enumerate(everything):
        for other in everything[:k]:
            overlap = mpl.transforms.Bbox.intersection(box, other)
            assert overlap is None or min(overlap.width, overlap.height) < 1
    for ax, each in zip(figure.axes, comparison.results, strict=True):
        assert ax.get_aspect() == 1
        (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
        assert left < each.positions[:, 0].min() < each.positions[:, 0].max() < right
        assert low < each.positions[:, 1].min() < each.positions[:, 1].max() < high


def test_classes_have_the_same_colours_everywhere_and_one_legend():
    comparison = some(2)
    figure = comparison.plot()
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "club"
    assert [text.get_text() for text in legend.get_texts()] == ["Mr. Hi (17)", "Officer (17)"]
    clubs = comparison.graph.attributes["club"].tolist()
    for ax, each in zip(figure.axes, comparison.results, strict=True):
        colors = colors_of(ax, each.positions)
        assert [color.upper() for color in colors] == [CLASS_COLORS[club == "Officer"] for club in clubs]
        assert ax.get_legend() is None


def test_labels_are_classes_whatever_they_are():
    G = nx.path_graph(40)
    values = {node: 1000.5 * (node % 3) for node in G if node}
    figure = some(2, G=G, classes=values).plot()
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert [text.split()[0] for text in said] == ["0.0", "1000.5", "2001.0", "no"]
    assert not some(2, G=G, classes=None).plot().legends


def test_figures_stand_below_their_picture_and_the_best_are_bold():
    graph = as_graph(nx.karate_club_graph())
    rows = [("graphne", 0.9, 0.5, 12.34), ("spring", 0.4, 0.8, 0.361), ("drl", 0.85, math.nan, 1234.5)]
    results = [result(graph, name, recall=r, accuracy=a, seconds=s) for name, r, a, s in rows]
    comparison = ComparisonView(graph, ("graphne", "spring", "drl"), tuple(results), (), "club")
    assert captions(comparison) == {
        "graphne": [("recall", "0.900", True), ("15-NN accuracy", "0.500", False), ("time", "12.3 s", False)],
        "spring": [("recall", "0.400", False), ("15-NN accuracy", "0.800", True), ("time", "0.36 s", True)],
        "drl": [("recall", "0.850", False), ("15-NN accuracy", "-", False), ("time", "1,234 s", False)],
    }
    figure = comparison.plot()
    bold = {text.get_text() for text in texts(figure) if text.get_weight() == "bold"}
    assert bold == {"graphne", "spring", "drl", "0.900", "0.800", "0.36 s"}
    written, places = boxes(figure)
    below = panels(figure)["spring"].get_window_extent()
    found = [
        text.get_text()
        for text, box in zip(written, places, strict=True)
        if hasattr(text, "get_text") and below.x0 <= box.x0 and box.x1 <= below.x1 and box.y1 <= below.y0
    ]
    assert found == ["0.400", "recall", "0.800", "15-NN accuracy", "0.36 s", "time"]


def test_where_all_are_alike_none_is_best():
    graph = as_graph(nx.karate_club_graph())
    results = tuple(result(graph, name, seed=k) for k, name in enumerate(("graphne", "drl")))
    listed = captions(ComparisonView(graph, ("graphne", "drl"), results, (), "club"))
    assert not any(best for figures in listed.values() for _, _, best in figures)


def test_without_labels_there_is_no_accuracy():
    comparison = some(2, classes=None)
    nothing = tuple(
        replace(each, scores=Scores(neighbor_recall=each.scores.neighbor_recall)) for each in comparison.results
    )
    figure = replace(comparison, results=nothing).plot()
    assert "15-NN accuracy" not in {text.get_text() for text in texts(figure)}


def test_what_made_it_and_why_it_failed_are_said():
    figure = some(3, failed=1).plot()
    said = [text.get_text() for text in texts(figure)]
    assert "graphne 1.0" in said
    (failed,) = [text for text in said if text.startswith("no result")]
    assert " ".join(failed.split()).endswith(REASON)


def test_more_dimensions_are_said():
    said = [text.get_text() for text in texts(some(2, dim=128).plot())]
    assert said[-1] == "figures of 128 dimensions, pictures of their projections"


def test_columns_and_edges():
    figure = some(4).plot(columns=4, edges=False)
    assert len({round(ax.get_position(original=True).y0, 6) for ax in figure.axes}) == 1
    assert not [ax for ax in figure.axes if len(ax.collections) > 1]
    assert len(edges_of(some(1).plot().axes[0]).get_segments()) == 78
    with pytest.raises(ValueError, match="columns must be at least 1, got 0"):
        some(2).plot(columns=0)
    with pytest.raises(ValueError, match="edges='some' is not one of"):
        some(2).plot(edges="some")


def test_names_that_look_like_mathematics_stay_text():
    G = nx.path_graph(20)
    classes = ["$\\frac{1}{2}$" if k % 2 else "_hidden" for k in range(20)]
    comparison = some(1, G=G, classes=classes)
    failed = replace(comparison, methods=("graphne", "drl"), failures=(Failure("drl", "$x_"),))
    figure = failed.plot()
    figure.canvas.draw()
    assert {text.get_text() for text in figure.legends[0].get_texts()} == {"$\\frac{1}{2}$ (10)", "_hidden (10)"}
    assert "no result\n\n$x_" in {text.get_text() for text in texts(figure)}


def test_a_dark_style_is_readable():
    with plt.style.context("dark_background"):
        figure = some(2, failed=1).plot()
    for text in texts(figure):
        assert sum(mpl.colors.to_rgb(text.get_color())) > 1.5
    assert to_hex(figure.get_facecolor()) == "#000000"
    assert nodes_of(figure.axes[0]) is not None


def test_files(tmp_path):
    comparison = some(3, failed=1)
    for ending in ("png", "svg", "pdf", "csv"):
        comparison.save(tmp_path / f"a.{ending}")
        comparison.save(tmp_path / f"b.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    with Image.open(tmp_path / "a.png") as image:
        assert image.size[0] > 1000
        assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 20
    svg = (tmp_path / "a.svg").read_text()
    assert "Officer (17)" in svg
    assert "15-NN accuracy" in svg
    assert (tmp_path / "a.csv").read_text().splitlines()[0].startswith("method,neighbor_recall,")
    assert not plt.get_fignums()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"a.gif does not end in one of"):
        comparison.save(tmp_path / "a.gif")
    with pytest.raises(FileNotFoundError, match="the folder of"):
        comparison.save(tmp_path / "none" / "a.png")
    assert sorted(tmp_path.iterdir()) == before


def test_the_front_door():
    import graphne_viz

    assert graphne_viz.compare is compare
    G = nx.karate_club_graph()
    comparison = compare(G, ["graphne", "laplacian"], "club", progress=False)
    assert isinstance(comparison, ComparisonView)
    assert comparison["graphne"].scores.neighbor_recall > comparison["laplacian"].scores.neighbor_recall
    assert len(comparison.plot().axes) == 2


def test_nothing_is_drawn_of_nothing(tmp_path):
    found = compare(nx.path_graph(8), ["tfdp"], options={"tfdp": {"gamma": 1}})
    with pytest.raises(ValueError, match="there is nothing to show, because no method succeeded"):
        found.plot()
    with pytest.raises(ValueError, match="there is nothing to show"):
        found.save(tmp_path / "none.png")
    assert not list(tmp_path.iterdir())
