"""Looking closer: statistics, classes, filters and the distortion lens, with a kernel and without."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer, place_by_colors, show

# Two rows of a lattice each, one class a row, far apart; node 3 of the first row lies in the second one's place.
ROWS = """
rows = nx.disjoint_union(nx.grid_2d_graph(2, 20), nx.grid_2d_graph(2, 20))
places = {v: (v % 20, v // 20 + (8 if v >= 40 else 0)) for v in rows}
places[3] = (9.5, 10.5)
nx.set_node_attributes(rows, {v: 'low' if v < 40 else 'high' for v in rows}, 'row')
marks = {v: 'one' if v == 0 else 'other' if v == 79 else 'inner' for v in rows}
nx.set_node_attributes(rows, marks, 'mark')
nx.set_node_attributes(rows, {v: float(v) for v in rows}, 'number')
rows.add_node('alone')
places['alone'] = (19, 4)
"""


def rowed(notebook):
    notebook.do(ROWS)
    viewer = show(notebook, "w = view(rows, pos=places, color='mark', size=40)\nw")
    viewer.leave()
    colors = [viewer.color_of(kind) for kind in ("one", "other")]
    place = place_by_colors(viewer.settled_picture(), [(0, 0), (19, 11)], colors)
    return viewer, place, colors


def ringed(viewer, points):
    """Return whether there are pixels of the colour for far neighbours around every point."""
    picture = pixels.near(pixels.seen(viewer.surface), "#c2410c", 60)
    return all(picture[y - 16 : y + 17, x - 16 : x + 17].sum() > 10 for x, y in np.rint(points).astype(int))


def test_classes_filters_and_the_lens(notebook, page, shoot):
    viewer, place, colors = rowed(notebook)
    kept = viewer.root.locator(".graphne-kept")
    expect(kept).to_contain_text(re.compile(r"% of neighbours near \(\d+% by chance.*\) · 1 isolate is not measured"))
    share = notebook.ask("graphne_viz.neighbor_recall(rows, places)", "import graphne_viz")
    expect(kept).to_contain_text(f"keeps {round(100 * share)}%")

    # The lens: hovering marks where the neighbours are, and who is near without being one.
    viewer.button("Distortion lens").click()
    viewer.hover(*place([(9.5, 10.5)])[0])
    foot = viewer.tooltip.locator(".graphne-tooltip-foot")
    expect(foot).to_contain_text("0 of 3 neighbours near · 3 near without an edge")
    viewer.until(lambda: ringed(viewer, place([(2, 0), (4, 0), (3, 1)])), "a ring around each of the neighbours")
    shoot("lens")
    viewer.leave()
    viewer.button("Distortion lens").click()

    # Two selected nodes say how far apart they are.
    notebook.do("w.selection = [0, 19]")
    expect(viewer.facts).to_contain_text("2 selected, 19 steps apart in the graph")
    notebook.do("w.selection = [0, 79]")
    expect(viewer.facts).to_contain_text("2 selected, not connected")
    notebook.do("w.selection = []")

    # Classes: the same figures as in Python, and a click flies to the one that is among others.
    notebook.do("w.color = 'row'")
    viewer.button("Analysis").click()
    table = viewer.root.get_by_role("table", name="Figures of each class")
    report = notebook.ask(
        "[[x.class_name, x.nodes, x.neighbor_recall, x.knn_accuracy, x.edge_homophily] for x in w.classes()]"
    )
    for label, nodes, *figures in report:
        row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=label or "all", exact=True))
        expect(row.get_by_role("cell")).to_have_text([str(nodes), *(str(round(100 * figure)) for figure in figures)])
    assert [line["node"] for line in notebook.ask("[vars(x) for x in w.misplaced()]")] == [3]
    overview = viewer.settled_picture()
    shoot("classes")
    viewer.root.get_by_role("list", name="1 node among another class").get_by_role("button").click()
    notebook.wait("w.selection == (3,)")
    near = viewer.settled_picture()
    assert pixels.likeness(overview, near) < 0.9, "it flew there"
    viewer.button("Show all").click()

    # A lasso is counted and listed.
    viewer.settled_picture()
    viewer.surface.focus()
    page.keyboard.press("Escape")
    notebook.do("w.color = 'mark'")
    expect(viewer.legend).to_contain_text("other")
    place = place_by_colors(viewer.settled_picture(), [(0, 0), (19, 11)], colors)
    notebook.do("w.color = 'row'")
    viewer.button("Lasso").click()
    viewer.draw(place([(-0.5, -0.5), (5.5, -0.5), (5.5, 1.5), (-0.5, 1.5)]))
    expect(viewer.root.get_by_role("tab", name="Selection")).to_have_attribute("aria-selected", "true")
    expect(viewer.root.get_by_role("list", name="Classes of the selection")).to_contain_text("low11")
    expect(viewer.root.get_by_role("table", name="Selected nodes").get_by_role("row")).to_have_count(12)
    notebook.wait("sorted(w.selection) == [0, 1, 2, 4, 5, 20, 21, 22, 23, 24, 25]")
    shoot("lasso")
    viewer.surface.focus()
    page.keyboard.press("Escape")

    # Filters hide nodes and their edges.
    viewer.root.get_by_role("tab", name="Filters").click()
    viewer.leave()
    whole = viewer.settled_picture()
    assert pixels.ink_near(whole, place([(10, 0)])[0]) > 0.5
    edge = place([(10.5, 0)])[0]
    assert pixels.ink_near(whole, edge) > 0.1
    viewer.root.get_by_label("Add a filter").select_option("number")
    low = viewer.root.get_by_role("slider", name="number from")
    for _ in range(15):
        low.press("ArrowRight")
    expect(low).to_have_attribute("aria-valuetext", "15")
    part = viewer.settled_picture()
    assert pixels.ink_near(part, place([(10, 0)])[0]) == 0
    assert pixels.ink_near(part, edge) == 0
    assert pixels.ink_near(part, place([(16, 0)])[0]) > 0.5
    expect(viewer.root.get_by_text("65 of 81 nodes are shown")).to_be_visible()
    viewer.root.get_by_label("Add a filter").select_option("row")
    viewer.root.get_by_label("high", exact=True).click()
    gone = viewer.settled_picture()
    assert pixels.ink_near(gone, place([(10, 8)])[0]) == 0
    assert pixels.ink_near(gone, place([(16, 0)])[0]) > 0.5
    shoot("filters")


def test_statistics_and_recall_as_colours_also_where_it_is_narrow(notebook, page, shoot):
    viewer = show(notebook, "w = view(groups(), color='class', live=False)\nw")
    colors = viewer.root.get_by_label("What the colours show")
    colors.select_option("PageRank")
    notebook.wait("w.color == 'pagerank'")
    expect(viewer.legend.locator(".graphne-scale")).to_be_visible()
    colors.select_option("communities")
    notebook.wait("w.color == 'communities'")
    expect(viewer.legend.get_by_role("button")).to_have_count(
        notebook.ask(
            "len(set(statistic(w.graph, 'communities').values.tolist()))",
            "from graphne_viz.graphs.statistics import statistic",
        )
        + 1
    )
    expect(viewer.legend).to_contain_text("by the Leiden algorithm")
    notebook.do(
        "from graphne_viz.viewer.session import messages\n"
        "now, there = messages.compute_in_subprocess, threading.Event()\n"
        "def held(*what, **how): there.wait(); return now(*what, **how)\n"
        "messages.compute_in_subprocess = held"
    )
    viewer.root.get_by_label("What the sizes show").select_option("betweenness")
    expect(viewer.root.get_by_text("Computing betweenness …").first).to_be_visible()
    assert notebook.ask("1 + 1") == 2  # the kernel does not wait for it
    shoot("computing")
    notebook.do("there.set(); messages.compute_in_subprocess = now")
    notebook.wait("w.size == 'betweenness'")
    colors.select_option("neighbour recall")
    notebook.wait("w.color == 'neighbour recall'")
    expect(viewer.root.locator(".graphne-kept")).to_contain_text("% of neighbours near")
    viewer.settled_picture()
    shoot("recall")

    # The panel in a narrow cell, and in the dark.
    notebook.do("w.color, w.theme = 'class', 'dark'")
    page.set_viewport_size({"width": 1000, "height": 900})
    viewer.button("Analysis").click()
    expect(viewer.root.get_by_role("table", name="Figures of each class")).to_be_visible()
    viewer.settled_picture()
    shoot("dark")
    page.set_viewport_size({"width": 700, "height": 900})
    viewer.settled_picture()
    shoot("narrow")
    assert viewer.cut(".graphne-analysis-head *, .graphne-table thead th, .graphne-tools button") == []
    # The picture keeps about half of the cell, which is 520 pixels high.
    assert viewer.surface.bounding_box()["height"] > 240


def test_an_exported_page_keeps_the_analysis(notebook, page, tmp_path):
    notebook.do(ROWS)
    path = tmp_path / "rows.html"
    notebook.do(f"w = view(rows, pos=places, color='row', size='betweenness'); w.to_html({str(path)!r})")
    exported = page.context.new_page()
    exported.goto(path.as_uri())
    viewer = Viewer(exported.locator("body")).wait()
    viewer.button("Analysis").click()
    expect(viewer.root.get_by_role("list", name="1 node among another class")).to_be_visible()
    offered = viewer.root.get_by_label("What the colours show").locator("option")
    expect(offered.filter(has_text="betweenness")).to_have_count(1)  # was computed
    expect(offered.filter(has_text="PageRank")).to_have_count(0)  # nobody could
