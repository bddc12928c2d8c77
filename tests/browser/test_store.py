"""What a user changes of a view: undone, told to Python, taken from it, kept by a reload and by an exported page."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer, place_by_colors, show

# A lattice of two halves, with a node of a colour of its own in each of two corners. Node SIDE * x + y is at (x, y).
SIDE = 12
LAST = SIDE - 1
LATTICE = f"""
lattice = nx.convert_node_labels_to_integers(nx.grid_2d_graph({SIDE}, {SIDE}))
places = {{v: divmod(v, {SIDE}) for v in lattice}}
kinds = dict.fromkeys(lattice, 'inner') | {{0: 'one', {SIDE**2 - 1}: 'other'}}
nx.set_node_attributes(lattice, kinds, 'kind')
nx.set_node_attributes(lattice, {{v: 'left' if v < {SIDE**2 // 2} else 'right' for v in lattice}}, 'half')
nx.set_node_attributes(lattice, {{v: float(v) for v in lattice}}, 'number')
"""
CORNERS = [(0, 0), (LAST, LAST)]
CAMERA = {"center": [LAST / 2, LAST / 2], "span": 2.0 * LAST}
"""Twice as much as the layout has."""


def placed(viewer, colors):
    """Return where nodes are on the surface, once the picture rests."""
    return place_by_colors(viewer.settled_picture(), CORNERS, colors)


def expect_shown(viewer, place, shown, gone=()):
    """Some nodes are drawn, and others are not."""

    def right():
        picture = viewer.picture()
        inks = {node: pixels.ink_near(picture, *place([node])) for node in (*shown, *gone)}
        return all(inks[node] > 0.5 for node in shown) and not any(inks[node] for node in gone)

    viewer.until(right, f"{shown} drawn, {gone} not")


def expect_camera(viewer, place):
    """The picture shows the lattice as `CAMERA` says."""
    box = viewer.surface.bounding_box()
    center, step = (np.array(place([point])[0]) for point in [(LAST / 2, LAST / 2), (LAST, LAST)])
    np.testing.assert_allclose(center, (box["width"] / 2, box["height"] / 2), atol=2)
    # A layout in a picture twice as large.
    np.testing.assert_allclose(step - center, np.array([1, -1]) * min(box["width"], box["height"]) / 4, rtol=0.02)


def expect_panel(viewer):
    """The sheet of filters says what Python has set."""
    if viewer.button("Analysis").get_attribute("aria-expanded") != "true":
        viewer.button("Analysis").click()
    viewer.root.get_by_role("tab", name="Filters").click()
    expect(viewer.root.get_by_label("left", exact=True)).to_be_checked()
    expect(viewer.root.get_by_label("right", exact=True)).not_to_be_checked()
    expect(viewer.root.get_by_role("slider", name="number from")).to_have_attribute("aria-valuetext", "10")
    expect(viewer.root.get_by_role("button", name="Show 2 hidden nodes")).to_be_visible()
    expect(viewer.button("Rectangle")).to_have_attribute("aria-pressed", "true")


def test_what_a_user_changes_is_undone_shared_with_python_and_kept(notebook, page, tmp_path, shoot):
    notebook.do(LATTICE)
    viewer = show(notebook, "w = view(lattice, pos=places, color='kind', size=300, edges=False)\nw")
    viewer.leave()
    colors = [viewer.color_of(kind) for kind in ("one", "other")]
    place = placed(viewer, colors)
    undo, redo = viewer.button("Undo"), viewer.button("Redo")
    expect(undo).to_be_disabled()

    # A lasso selects, h hides what is selected; both are undone and redone, with buttons and with keys.
    viewer.button("Lasso").click()
    viewer.draw(place([(0.5, 0.5), (3.5, 0.5), (3.5, 3.5), (0.5, 3.5)]))
    chosen = [SIDE * x + y for x in (1, 2, 3) for y in (1, 2, 3)]
    notebook.wait(f"w.selection == {tuple(chosen)} and w.tool == 'lasso'")
    page.keyboard.press("h")
    notebook.wait(f"w.hidden == {tuple(chosen)} and w.selection == ()")
    viewer.leave()
    expect_shown(viewer, place, [(5, 5)], [(1, 1), (3, 3)])
    expect(redo).to_be_disabled()
    undo.click()
    notebook.wait(f"w.hidden == () and w.selection == {tuple(chosen)}")
    expect_shown(viewer, place, [(1, 1), (3, 3)])
    expect(undo).to_be_focused()
    page.keyboard.press("Control+z")
    notebook.wait("w.hidden == () and w.selection == ()")
    page.keyboard.press("Control+Shift+z")
    notebook.wait(f"w.selection == {tuple(chosen)}")
    expect(viewer.facts).to_contain_text("9 selected")
    redo.click()
    notebook.wait(f"w.hidden == {tuple(chosen)} and w.selection == ()")
    expect(redo).to_be_disabled()
    shoot("hidden")

    # Classes stand out and are hidden by the legend and by Python alike.
    one, inner = (viewer.legend.get_by_role("button", name=name) for name in ("one", "inner"))
    notebook.do("w.legend = {'isolated': ['one'], 'hidden': ['inner']}")
    expect(one).to_have_attribute("aria-pressed", "true")
    viewer.leave()
    expect_shown(viewer, place, [(0, 0)], [(2, 2), (5, 5)])
    inner.click()
    notebook.wait("w.legend == {'isolated': ['one'], 'hidden': []}")
    notebook.do("w.legend = {}")
    expect(one).to_have_attribute("aria-pressed", "false")

    # What Python sets is seen, in the picture and in the panel.
    notebook.do("w.filters, w.hidden = {'half': ['left'], 'number': (10, None)}, [40, 41]")
    notebook.do(f"w.tool, w.camera = 'rectangle', {CAMERA}")
    expect_panel(viewer)
    shown, gone = [(0, 10), (2, 2), (5, 11)], [(0, 0), (0, 9), (3, 4), (3, 5), (6, 0), (LAST, LAST)]
    notebook.do("w.filters = {}")
    viewer.leave()
    place = placed(viewer, colors)
    expect_camera(viewer, place)
    undo.click()
    notebook.wait("w.filters == {'half': ['left'], 'number': (10, None)}")
    expect_shown(viewer, place, shown, gone)

    # A statistic brings new columns; a filter that was added stays as it is, and keeps the focus.
    viewer.root.get_by_label("Add a filter").select_option("degree")
    least = viewer.root.get_by_role("slider", name="degree from")
    least.press("ArrowRight")
    filters = {"half": ["left"], "number": [10, None], "degree": [3, None]}
    notebook.wait(f"{{k: list(v) for k, v in w.filters.items()}} == {filters!r}")
    notebook.do("w.color = 'pagerank'")
    expect(viewer.legend.locator(".graphne-scale")).to_be_visible()
    expect(least).to_be_focused()
    viewer.root.get_by_label("What the colours show").select_option("kind")
    viewer.root.get_by_label("What the sizes show").select_option("betweenness")
    notebook.wait("(w.color, w.size) == ('kind', 'betweenness')")
    expect(least).to_have_attribute("aria-valuetext", "3")
    expect_panel(viewer)
    shoot("filters")
    assert notebook.ask("{k: list(v) for k, v in w.filters.items()}") == filters
    notebook.do("w.size = 300")

    # A page loaded anew, and an exported one, show the same.
    exported = page.context.new_page()
    notebook.do(f"w.to_html({str(tmp_path / 'lattice.html')!r})")
    notebook.reload()
    exported.goto((tmp_path / "lattice.html").as_uri())
    for name, where, body in [("reloaded", page, notebook.output(0)), ("exported", exported, exported.locator("body"))]:
        where.bring_to_front()
        viewer = Viewer(body).wait()
        expect_panel(viewer)
        expect(viewer.root.get_by_role("slider", name="degree from")).to_have_attribute("aria-valuetext", "3")
        shoot(name, where)
        # Corners have two neighbours and colours by which the others are found.
        for column in ("half", "number", "degree"):
            viewer.button(f"Remove the filter by {column}").click()
        viewer.leave()
        place = placed(viewer, colors)
        expect_camera(viewer, place)
        expect_shown(viewer, place, [(1, 1)], [(3, 4), (3, 5)])
    assert notebook.ask("w.hidden") == [40, 41]
    assert notebook.ask("w.camera['span']") == pytest.approx(CAMERA["span"])
