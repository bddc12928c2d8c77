"""One graph, drawn by every road from a column to a picture: all of them have to agree on every node.

The browser's road is held to the same examples by ``js/test/encoding/appearance.test.ts``.
"""

import base64
import io
import json
import re
import zlib
from dataclasses import replace

import appearance_examples
import networkx as nx
import numpy as np
import pytest
from appearance_examples import COLUMNS, N, example_graph, examples, positions
from defusedxml.ElementTree import fromstring
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgba
from PIL import Image

from graphne_viz import view
from graphne_viz.encoding.columns.node_columns import color_column, size_column
from graphne_viz.encoding.visible_state import VisibleState
from graphne_viz.evaluation.compare import Result
from graphne_viz.evaluation.methods.registry import Outcome
from graphne_viz.evaluation.metrics.scores import Scores
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.plotting import animation
from graphne_viz.plotting.figures import figure_of
from graphne_viz.plotting.plot import plot
from graphne_viz.viewer.compare import ComparisonView
from graphne_viz.viewer.export import preview as preview_module
from graphne_viz.viewer.export.exports import visible_state
from graphne_viz.viewer.transport.wire import decode_container

SVG = "{http://www.w3.org/2000/svg}"
CASES = examples()
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@pytest.fixture(scope="module")
def graph():
    return as_graph(example_graph())


@pytest.fixture(scope="module")
def widget():
    w = view(example_graph(), positions(), edges=False)  # they would shine through colours that are not opaque
    yield w
    w.close()


def looked_at(widget, case):
    widget.color, widget.size = case.color, case.size
    widget.label, widget.class_names = None, False
    return widget


def state_of(graph, case):
    color, size = color_column(graph, case.color), size_column(graph, case.size)
    return VisibleState(graph, positions(), color, size, edges=False)


def node_at(places):
    """Return which node is where, from places in drawing order whatever their units; y points up."""
    x, y = np.round(places, 3).T
    column = np.searchsorted(np.unique(x), x)
    row = np.searchsorted(np.unique(y), y)
    return (row * COLUMNS + column).tolist()


def check_nodes(case, nodes, colors, areas):
    """Compare what was drawn, each in drawing order, with what is expected."""
    assert nodes == case.order
    assert [colors[nodes.index(k)] for k in range(N)] == case.colors
    drawn = np.array([areas[nodes.index(k)] for k in range(N)])
    expected = np.array(case.areas)
    if not case.absolute:
        drawn, expected = drawn / drawn.mean(), expected / expected.mean()
    assert drawn == pytest.approx(expected, rel=1e-3)


def check_axes(case, ax):
    """Compare the nodes in axes of matplotlib."""
    (drawn,) = [layer for layer in ax.collections if isinstance(layer, PathCollection)]
    rgba = np.broadcast_to(drawn.get_facecolor(), (N, 4))
    areas = np.broadcast_to(drawn.get_sizes(), N)
    check_nodes(case, node_at(np.asarray(drawn.get_offsets())), [to_hex(c, keep_alpha=True) for c in rgba], areas)


def check_legend(case, legend, bars):
    """Compare a legend of matplotlib, or the colour bar among axes."""
    if case.scale is not None:
        (bar,) = [ax for ax in bars if hasattr(ax, "_colorbar")]
        low, high, below, above = case.scale
        drawn = bar._colorbar
        assert drawn.extend == {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[below, above]
        ends = (drawn.vmin, drawn.vmax)
        assert ends == (low, high) if high > low else sum(ends) / 2 == low
        missing = "".join(f" (grey: {count} without a value)" for _, _, count in case.entries)
        assert bar.get_ylabel() == case.title + missing
        assert legend is None
    elif case.entries:
        assert legend.get_title().get_text() == case.title
        colors = [to_hex(handle.get_color()) for handle in legend.legend_handles]
        labels = [text.get_text() for text in legend.get_texts()]
        assert labels == [f"{label} ({count})" for label, _, count in case.entries]
        assert colors == [color for _, color, _ in case.entries]
    else:
        assert legend is None
        assert not [ax for ax in bars if hasattr(ax, "_colorbar")]


def over_white(color):
    red, green, blue, alpha = to_rgba(color)
    return [round(255 * (1 - alpha * (1 - part))) for part in (red, green, blue)]


def check_pixels(case, image, places):
    """Compare the colours in the middles of the nodes; `places` are pixels from the upper left."""
    for k, (x, y) in enumerate(places):
        found = image[int(y), int(x), :3].astype(int)
        assert np.abs(found - over_white(case.colors[k])).max() <= 3, (k, found, case.colors[k])


def pixels_in(figure, shape):
    """Return where the nodes of a figure, in the graph's order, are on an image of it."""
    ax = figure.axes[0]
    places = ax.transData.transform(positions()) * shape[1] / figure.bbox.width
    return np.column_stack([places[:, 0], shape[0] - places[:, 1]])


@every_case
def test_plot(case):
    ax = plot(example_graph(), positions(), color=case.color, size=case.size)
    check_axes(case, ax)
    check_legend(case, ax.get_legend(), ax.figure.axes)


@every_case
def test_the_picture_of_a_view(case, widget):
    state = visible_state(looked_at(widget, case).session)[0]
    figure = figure_of(state)
    check_axes(case, figure.axes[0])
    check_legend(case, figure.axes[0].get_legend(), figure.axes)


@every_case
def test_svg(case, widget):
    svg = fromstring(looked_at(widget, case).to_svg())
    (group,) = [g for g in svg.iter(f"{SVG}g") if g.get("id") == "PathCollection_1"]
    shapes = {path.get("id"): numbers_in(path.get("d")) for path in group.iter(f"{SVG}path") if path.get("id")}
    places, colors, radii = [], [], []
    for shape in group.iter():
        style = shape.get("style") or ""
        if shape.tag == f"{SVG}use":
            outline = shapes[shape.get("{http://www.w3.org/1999/xlink}href")[1:]]
            middle = np.array([float(shape.get("x")), float(shape.get("y"))])
        elif shape.tag == f"{SVG}path" and not shape.get("id"):
            outline = numbers_in(shape.get("d"))
            middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        else:
            continue
        places.append(middle * [1, -1])
        radii.append(np.ptp(outline[:, 0]) / 2)
        alpha = re.search(r"fill-opacity: ([\d.]+)|; opacity: ([\d.]+)|^opacity: ([\d.]+)", style)
        opacity = float(next(filter(None, alpha.groups()))) if alpha else 1.0
        colors.append(f"{re.search('fill: (#[0-9a-f]{6})', style)[1]}{round(255 * opacity):02x}")
    check_nodes(case, node_at(np.array(places)), colors, (2 * np.array(radii)) ** 2)
    texts = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    for label, _, count in case.entries if case.scale is None else ():
        assert f"{label} ({count})" in texts


def numbers_in(path):
    return np.array(re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", path), dtype=float).reshape(-1, 2)


@every_case
def test_png(case, widget):
    image = np.asarray(Image.open(io.BytesIO(looked_at(widget, case).to_png(scale=1, title=""))))
    figure = figure_of(visible_state(widget.session)[0])
    figure.draw_without_rendering()
    check_pixels(case, image, pixels_in(figure, image.shape))


@every_case
def test_gexf(case, widget, tmp_path):
    looked_at(widget, case).to_gexf(tmp_path / "g.gexf")
    G = nx.read_gexf(tmp_path / "g.gexf", node_type=int)
    looks = [G.nodes[k]["viz"] for k in range(N)]
    colors = ["#{r:02x}{g:02x}{b:02x}".format(**look["color"]) for look in looks]
    assert colors == [color[:7] for color in case.colors]
    assert [look["color"].get("a", 1.0) for look in looks] == pytest.approx(
        [int(color[7:], 16) / 255 for color in case.colors], abs=0.01
    )
    areas = np.array([look["size"] for look in looks]) ** 2
    assert areas / areas.mean() == pytest.approx(np.array(case.areas) / np.mean(case.areas), rel=1e-2)


@every_case
def test_the_preview(case, graph, monkeypatch):
    figures, images = [], []
    drawn = preview_module._drawn
    monkeypatch.setattr(preview_module, "_drawn", lambda figure: (figures.append(figure), drawn(figure))[1])
    monkeypatch.setattr(preview_module, "_as_png", lambda image: (images.append(image), b"")[1])
    preview_module.preview(state_of(graph, case))
    (figure,), (image,) = figures, images
    check_axes(case, figure.axes[0])
    check_legend(case, figure.axes[0].get_legend(), figure.axes)
    check_pixels(case, image, pixels_in(figure, image.shape))


@every_case
def test_the_preview_of_a_large_graph(case, graph, monkeypatch):
    images = []
    monkeypatch.setattr(preview_module, "MOST_DRAWN_NODES", 10)
    monkeypatch.setattr(preview_module, "_as_png", lambda image: (images.append(image), b"")[1])
    state = state_of(graph, case)
    preview_module.preview(state)
    ys, xs = np.nonzero((images[0] != 255).any(axis=2))
    assert len(xs) == N
    places = np.column_stack([xs, -ys])
    where = dict(zip(node_at(places), zip(xs, ys, strict=True), strict=True))
    check_pixels(case, images[0], [where[k] for k in range(N)])
    preview_module.preview(VisibleState(graph, np.zeros((N, 2)), state.color, state.size))  # all on one pixel
    found = images[1][(images[1] != 255).any(axis=2)]
    assert found.tolist() == [over_white(case.colors[case.order[-1]])]


@every_case
def test_the_animation(case, widget, monkeypatch):
    drawn = []
    draw = animation.draw_picture

    def draw_and_check(ax, *arguments, **keywords):
        draw(ax, *arguments, **keywords)
        check_axes(case, ax)
        check_legend(case, ax.get_legend(), ax.figure.axes)
        places = ax.transData.transform(next(iter(ax.collections)).get_offsets())
        drawn.append(places[np.argsort(case.order)])

    monkeypatch.setattr(animation, "draw_picture", draw_and_check)
    state = visible_state(looked_at(widget, case).session)[0]
    (image,) = animation.draw_moments(state, [state], 400)
    (places,) = drawn
    check_pixels(case, image, np.column_stack([places[:, 0], len(image) - places[:, 1]]))


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if isinstance(case.color, str) and case.scale is None and case.entries],
    ids=lambda case: case.name,
)
def test_the_comparison(case, graph):
    case = replace(case, size=None, areas=[1.0] * N, absolute=False)
    outcome = Outcome("graphne", 2, positions(), "graphne 1.0", 1.0, 1.0)
    result = Result(outcome, positions(), Scores(neighbor_recall=0.5))
    figure = ComparisonView(graph, ("graphne",), (result,), (), case.color).plot()
    check_axes(case, figure.axes[0])
    check_legend(case, figure.legends[0], figure.axes)


def test_the_examples_of_the_browser_are_what_is_sent_today():
    assert appearance_examples.FILE.read_text() == appearance_examples.written()


@every_case
def test_the_exported_page_holds_what_the_browser_is_tested_with(case, widget, tmp_path):
    looked_at(widget, case).to_html(tmp_path / "g.html")
    text = (tmp_path / "g.html").read_text()
    described = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])["panels"][0]
    packed = dict(re.findall(r'id="graphne-(b\d+)">([^<]*)</script>', text))
    blocks = {name: zlib.decompress(base64.b64decode(block), -15) for name, block in packed.items()}
    sent = json.loads(appearance_examples.FILE.read_text())
    expected = next(each for each in sent["cases"] if each["name"] == case.name)
    assert blocks[described["graph"]] == base64.b64decode(sent["graph"])
    assert (described["color"], described["size"]) == (expected["color"], expected["size"])
    for role in ("color", "size"):
        if expected[role].startswith("custom:"):
            assert column_in(blocks[described["extra"]], expected[role]) == column_in(
                base64.b64decode(expected["extra"]), expected[role]
            )


def column_in(container, key):
    (column,) = [column for column in decode_container(container)["columns"] if column["key"] == key]
    return {name: value.tobytes() if isinstance(value, np.ndarray) else value for name, value in column.items()}
