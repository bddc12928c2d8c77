"""Edges that speak, names on the map, and the keys of both, on exported pages."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from graphne_viz import view

from . import pixels
from .viewer_page import Viewer

NO_WEBGL = """
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
};
"""
NAMES = "canvas.graphne-names"
WRITTEN = """(canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((byte) => byte > 0);
}"""
HEIGHT = 560


def roads():
    """Two nodes with a road each way, a rail beyond, and a loop: four edges, of which one is in front of nothing."""
    D = nx.MultiDiGraph()
    D.add_edge("west", "east", weight=1.0, kind="road")
    D.add_edge("east", "west", weight=9.0, kind="road")
    D.add_edge("east", "north", weight=4.0, kind="rail")
    D.add_edge("north", "north", weight=2.0, kind="rail")
    return D, {"west": (0.0, 0.0), "east": (4.0, 0.0), "north": (4.0, 3.0)}


def save(tmp_path, G, pos, **keywords):
    path = tmp_path / "g.html"
    w = view(G, pos, live=False, height=HEIGHT, theme="light", **keywords)
    w.to_html(path)
    w.close()
    return path.as_uri()


def show(page, address):
    page.goto(address)
    return Viewer(page.locator("main")).wait()


def west_and_east(viewer):
    """Find two nodes of `roads` on the surface, by their colours."""
    picture = viewer.settled_picture()
    return (np.array(pixels.middle(pixels.near(picture, color, 10))) for color in ("#123456", "#654321"))


def test_edges_have_width_colour_heads_and_curves_and_tell_what_they_are(page, tmp_path, shoot):
    D, pos = roads()
    nx.set_node_attributes(D, {"west": "#123456", "east": "#654321", "north": "#aaaaaa"}, "paint")
    looks = {"color": "paint", "edge_color": "kind", "edge_width": "weight", "label": None, "size": None}
    address = save(tmp_path, D, pos, **looks)
    viewer = show(page, address)
    viewer.leave()
    expect(viewer.facts).to_contain_text("3 nodes · 4 edges")
    picture = viewer.settled_picture()
    shoot("webgl")
    keys = viewer.legend
    expect(keys).to_contain_text("Edge width: weight")
    expect(keys).to_contain_text("Edge colour: kind")

    # The two roads lie beside each other, on both sides of the straight way; the heavier one is wider.
    west, east = west_and_east(viewer)
    column = picture[:, round((west[0] + east[0]) / 2)].astype(int)
    inked = np.flatnonzero(np.abs(column - 255).max(axis=1) > 20)
    above, below = (inked[side] for side in (inked < west[1] - 4, inked > west[1] + 4))
    assert len(above)
    assert len(below)
    assert max(len(above), len(below)) >= 2 * min(len(above), len(below))
    # A head is broader than its line.
    wide = above if len(above) > len(below) else below
    near_head = [
        np.abs(picture[:, x].astype(int) - 255).max(axis=1) > 20 for x in range(round(west[0]), round(east[0]))
    ]
    assert max(column.sum() for column in near_head) > 1.4 * len(wide)

    # Hovering tells ends and attributes; a click selects the ends.
    x, y = (west[0] + east[0]) / 2, float(wide.mean())
    viewer.hover(x, y)
    expect(viewer.tooltip).to_contain_text("east → west")
    expect(viewer.tooltip).to_contain_text("9")
    shoot("hover")
    page.mouse.click(*viewer.point(x, y))
    expect(viewer.facts).to_contain_text("2 selected, 1 step apart")
    viewer.leave()
    page.keyboard.press("Escape")

    # A filter by weight leaves edges out, and what is counted says so.
    viewer.button("Analysis").click()
    viewer.root.get_by_role("tab", name="Filters").click()
    viewer.root.get_by_label("Add a filter").select_option("e:weight")
    viewer.root.get_by_label("weight of edges from").fill("2")
    expect(viewer.facts).to_contain_text("2 of 4 edges shown")
    viewer.button("Undo").click()
    viewer.button("Undo").click()
    expect(viewer.facts).to_contain_text("4 edges")

    # Without WebGL the same is drawn.
    page.add_init_script(NO_WEBGL)
    viewer = show(page, address)
    viewer.leave()
    expect(viewer.notes).to_contain_text("WebGL")
    shoot("canvas")
    assert pixels.likeness(picture, viewer.settled_picture(), 4) > 0.9


def test_names_are_on_the_map_until_one_comes_close_and_classes_can_be_found_and_painted(page, tmp_path, shoot):
    G = nx.Graph()
    G.add_nodes_from((k, {"team": f"team {k // 20}"}) for k in range(300))
    random = np.random.default_rng(0)
    centers = np.array([(k % 5 * 10, k // 5 * 10) for k in range(15)])
    pos = {k: centers[k // 20] + random.normal(0, 1, 2) for k in G}
    viewer = show(page, save(tmp_path, G, pos, color="team", size=None, label=None))
    viewer.settled_picture()
    shoot("names")

    def written():
        return page.locator(NAMES).evaluate(WRITTEN)

    assert written()
    for _ in range(5):
        viewer.button("Zoom in").click()
    viewer.until(lambda: not written(), "names that are gone")
    viewer.button("Show all").click()
    viewer.until(written, "names again")
    viewer.root.get_by_text("More", exact=True).click()
    viewer.root.get_by_label("Names on the map").uncheck()
    viewer.until(lambda: not written(), "no names")
    viewer.root.get_by_text("More", exact=True).click()

    # Fifteen classes have fifteen colours, can be searched, and painted.
    assert len({viewer.color_of(f"team {k} 20") for k in range(15)}) == 15
    viewer.legend.get_by_label("Find a class").fill("14")
    expect(viewer.legend.get_by_role("button")).to_have_count(2)  # and the one that folds it
    viewer.legend.locator(".graphne-swatch").first.click()
    viewer.legend.locator("input[type=color]").evaluate(
        "(input) => { input.value = '#ff00ff'; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    viewer.until(lambda: pixels.near(viewer.picture(), "#ff00ff", 10).sum() > 50, "a class in its new colour")
    shoot("painted")
    viewer.button("Undo").click()
    viewer.until(lambda: not pixels.near(viewer.picture(), "#ff00ff", 10).any(), "its own colour")


def test_sizes_have_a_key_with_a_range_and_the_height_can_be_dragged(page, tmp_path, shoot):
    G = nx.star_graph(12)
    viewer = show(page, save(tmp_path, G, nx.circular_layout(G), size="degree", color=None, label=None))
    before = pixels.share_of_ink(viewer.settled_picture())
    largest = viewer.legend.get_by_label("Largest diameter in pixels")
    largest.fill("150")
    largest.press("Enter")
    viewer.until(lambda: pixels.share_of_ink(viewer.settled_picture()) > 1.5 * before, "a larger node")
    shoot("large")
    # A star cannot keep its neighbours near, and the line under it says so.
    expect(viewer.root.locator(".graphne-kept")).to_contain_text("by chance, 54% at best")
    high = viewer.root.bounding_box()["height"]
    handle = viewer.root.get_by_role("separator", name="Height").bounding_box()
    page.mouse.move(handle["x"] + 5, handle["y"] + 4)
    page.mouse.down()
    page.mouse.move(handle["x"] + 5, handle["y"] - 96, steps=4)
    page.mouse.up()
    assert viewer.root.bounding_box()["height"] == pytest.approx(high - 100, abs=2)
    picture = viewer.surface.bounding_box()["height"]
    assert picture > 0.65 * viewer.root.bounding_box()["height"]
