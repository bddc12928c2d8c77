"""Selecting, searching and picking out, checked node by node."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from .viewer_page import inside, place_by_colors, show

# A lattice whose places are known, with one node of a colour of its own in each of two corners.
SIDE = 24
LATTICE = f"""
lattice = nx.grid_2d_graph({SIDE}, {SIDE})
kinds = dict.fromkeys(lattice, 'inner')
kinds[0, 0], kinds[{SIDE - 1}, {SIDE - 1}] = 'one', 'other'
nx.set_node_attributes(lattice, kinds, 'kind')
"""
SHOWN = "w = view(lattice, pos={v: v for v in lattice}, color='kind', size=30, edges=False)\nw"
CORNERS = [(0, 0), (SIDE - 1, SIDE - 1)]
NODES = np.array([(x, y) for x in range(SIDE) for y in range(SIDE)], float)


@pytest.fixture
def lattice(notebook):
    """Show the lattice; returns the notebook, the view, and where its nodes are on the surface."""
    notebook.do(LATTICE)
    viewer = show(notebook, SHOWN)
    viewer.leave()
    colors = [viewer.color_of(kind) for kind in ("one", "other")]
    place = place_by_colors(viewer.settled_picture(), CORNERS, colors)
    return notebook, viewer, place


def selected(notebook):
    return {tuple(node) for node in notebook.ask("[list(map(int, node)) for node in w.selection]")}


def expect_selected(notebook, viewer, wanted):
    """The very nodes, once the browser has told Python of them."""
    viewer.until(lambda: selected(notebook) == wanted, f"{len(wanted)} nodes selected")


def within(place, polygon):
    return {tuple(map(int, node)) for node in NODES[inside(place(NODES), polygon)]}


def test_outlines_select_exactly_what_they_enclose(lattice, shoot):
    notebook, viewer, place = lattice

    # Outlines run between the nodes, where a pixel more or less decides nothing. This one has the shape of a U.
    viewer.button("Lasso").click()
    lasso = place(
        [(2.5, 20.5), (2.5, 3.5), (20.5, 3.5), (20.5, 20.5), (14.5, 20.5), (14.5, 9.5), (8.5, 9.5), (8.5, 20)]
    )
    viewer.draw(lasso)
    first = within(place, lasso)
    assert len(first) == 18 * 17 - 6 * 11
    expect_selected(notebook, viewer, first)
    expect(viewer.facts).to_contain_text(f"{len(first)} selected")
    shoot("lasso")

    # Shift adds, alt takes away.
    viewer.button("Rectangle").click()
    low, high = place([(0.5, 0.5), (5.5, 8.5)])
    box = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    more = within(place, box)
    assert len(more) == 40
    viewer.draw([low, high], "Shift")
    expect_selected(notebook, viewer, first | more)
    low, high = place([(8.5, 0.5), (22.5, 10.5)])
    box = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    viewer.draw([low, high], "Alt")
    expect_selected(notebook, viewer, (first | more) - within(place, box))
    shoot("added_and_removed")

    # Without a key a new outline begins anew; escape ends it.
    viewer.draw([low, high])
    expect_selected(notebook, viewer, within(place, box))
    viewer.page.keyboard.press("Escape")
    expect_selected(notebook, viewer, set())


def test_every_node_is_named_and_chosen_where_it_is(lattice, shoot):
    notebook, viewer, place = lattice

    # Hovering names every node where it is.
    title = viewer.tooltip.locator(".graphne-tooltip-title")
    for node in [(0, 0), (0, SIDE - 1), (7, 13), (12, 12), (SIDE - 1, SIDE - 1)]:
        viewer.hover(*place([node])[0])
        expect(title).to_have_text(f"({node[0]}, {node[1]})")
    viewer.hover(*place([(3.5, 3.5)])[0])
    expect(viewer.tooltip).to_be_hidden()

    # Clicks choose.
    viewer.page.mouse.click(*viewer.point(*place([(3, 4)])[0]))
    expect_selected(notebook, viewer, {(3, 4)})
    viewer.page.keyboard.down("Shift")
    viewer.page.mouse.click(*viewer.point(*place([(10, 17)])[0]))
    viewer.page.keyboard.up("Shift")
    expect_selected(notebook, viewer, {(3, 4), (10, 17)})
    assert notebook.ask("sorted(map(list, w.selected_subgraph().nodes))") == [[3, 4], [10, 17]]

    # The first node counts, too, and what Python chooses is shown.
    notebook.do("w.selection = [(0, 0), (0, 1), (1, 0)]")
    expect(viewer.facts).to_contain_text("3 selected")
    assert notebook.ask("w.selected_subgraph().number_of_edges()") == 2
    shoot("from_python")
    viewer.page.mouse.click(*viewer.point(*place([(0, 0)])[0]))
    expect_selected(notebook, viewer, {(0, 0)})
