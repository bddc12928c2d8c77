"""The page that compares methods, as somebody sees it who was sent the file."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from graphne_viz.cli import main
from graphne_viz.evaluation import compare as running
from graphne_viz.evaluation.methods.registry import Outcome

from . import pixels
from .viewer_page import Viewer

HOSTILE = "</script><script>window.__hacked=1</script>"
REASON = "drl needs <img src=x onerror=window.__hacked=2>: pip install it"
SIDE = 9
ORDER = [1, 0, 3, 2, 5, 4, 7, 6, 8]


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Compare two layouts of a lattice, of which the second has its columns in another order, and a failure."""

    def stand_in(name, graph, *, dim, seed, **_options):  # noqa: ARG001 -- as a method is called
        if name == "drl":
            raise ImportError(REASON)
        points = np.array([divmod(k, SIDE) for k in range(SIDE**2)], float)
        if name == "spring":
            points[:, 0] = np.array(ORDER)[points[:, 0].astype(int)]
        return Outcome(name, dim, points, f"stand-in {name}", 1.5, 1.0)

    monkeypatch.setattr(running, "run_method", stand_in)
    lattice = nx.grid_2d_graph(SIDE, SIDE)
    names = {node: HOSTILE if node == (4, 4) else f"n{node[0]}{node[1]}" for node in lattice}
    kinds = {node: HOSTILE if node == (4, 4) else "left" if node[0] < 4 else "right" for node in lattice}
    nx.set_node_attributes(lattice, kinds, "kind")
    source, output = tmp_path / "lattice.graphml", tmp_path / "report.html"
    nx.write_graphml(nx.relabel_nodes(lattice, names), source)
    command = ["compare", str(source), "--methods", "graphne,spring,drl", "--classes", "kind", "-o", str(output)]
    assert main([*command, "--quiet"]) == 0
    return output


def test_a_notebook_shows_linked_views(notebook, shoot):
    notebook.do("""
from graphne_viz import compare
G = nx.path_graph(30)
nx.set_node_attributes(G, {v: 'end' if v == 29 else str(v % 2) for v in G}, 'kind')
c = compare(G, ['graphne', 'laplacian'], 'kind', progress=False)
""")
    output = notebook.output(notebook.run("c"))
    first, second = (Viewer(output, nth).wait() for nth in (0, 1))
    expect(output.get_by_role("row", name="laplacian")).to_contain_text("SpectralEmbedding")
    first.leave()
    before = second.settled_picture()
    first.search.fill("29")
    first.search.press("Enter")
    expect(second.facts).to_contain_text("1 selected")
    notebook.wait("c.views.widgets[1].selection == (29,)")
    assert pixels.change(before, second.settled_picture()) > 0
    shoot("linked")
    notebook.do("c.close()")
    expect(output.locator(".graphne")).to_have_count(0)


def test_what_is_done_in_one_view_is_seen_in_the_others(report, context, page, shoot):
    context.set_offline(True)
    page.goto(report.as_uri())
    first, second = (Viewer(page.locator("body"), nth).wait() for nth in (0, 1))
    # One legend for both.
    first.legend = page.locator(".graphne-shared").get_by_label("Legend", exact=True)
    expect(page.get_by_label("Legend", exact=True)).to_have_count(3)
    expect(page.get_by_label("Legend", exact=True).filter(visible=True)).to_have_count(1)
    shoot("opened")

    # What stands around the views.
    assert page.locator("h2").all_inner_texts() == ["graphne", "spring"]
    for caption in page.locator("figcaption").all_inner_texts():
        assert caption.startswith("recall ")
        assert caption.endswith(" · 1.50 s")
    expect(page.get_by_role("row", name="drl")).to_contain_text(f"no result: {REASON}")
    expect(page.get_by_role("row", name="spring")).to_contain_text("stand-in spring")

    # Hovering over a node of one view marks it in the other, and nothing there once the pointer is gone.
    first.leave()
    before = second.settled_picture()
    color = first.color_of(HOSTILE)
    x, y = pixels.middle(pixels.near(first.settled_picture(), color))
    first.hover(x, y)
    expect(first.tooltip.locator(".graphne-tooltip-title")).to_have_text(HOSTILE)
    marked = second.settled_picture()
    shoot("hovered")
    changed = np.abs(marked.astype(int) - before).max(axis=2) > 40
    there = pixels.middle(pixels.near(before, color))
    assert changed.any()
    rows, columns = np.nonzero(changed)
    assert np.hypot(columns - there[0], rows - there[1]).min() < 12
    expect(second.tooltip).to_be_hidden()
    first.leave()
    assert pixels.change(before, second.settled_picture()) == 0

    # A selection is the same nodes in both, whichever it was made in: what is left of the hostile node in the second
    # are four columns on the left of it in the first, and the one on its right.
    second.button("Rectangle").click()
    box = second.surface.bounding_box()
    second.draw([(2, 2), (there[0] - 12, box["height"] - 2)])
    expect(second.facts).to_contain_text(f"{5 * SIDE} selected")
    expect(first.facts).to_contain_text(f"{5 * SIDE} selected")
    shoot("selected")
    ringed = first.settled_picture().max(axis=2) < 60
    step = pixels.width_of_ink(before) / (SIDE - 1)
    rings = [ringed[:, int(x + k * step - 9) : int(x + k * step + 9)].any() for k in range(-4, 5)]
    assert rings == [True] * 4 + [False, True] + [False] * 3
    page.keyboard.press("Escape")
    expect(first.facts).not_to_contain_text("selected")

    # So is what the legend picks out.
    untouched = second.settled_picture()
    first.legend.get_by_role("button", name="left", exact=False).first.click()
    second.until(lambda: pixels.change(untouched, second.picture()) > 0.002, "the other view to follow the legend")
    shoot("picked_out")

    assert page.evaluate("window.__hacked") is None
    assert page.locator("img, iframe").count() == 0


def test_nothing_is_cut_off_at_any_width(report, context, page, shoot):
    context.set_offline(True)
    page.goto(report.as_uri())
    Viewer(page.locator("body")).wait()
    for scheme, ground in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 18, 21)")):
        page.emulate_media(color_scheme=scheme)
        for width in (1600, 700, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            shoot(f"{scheme}_{width}", full_page=True)
        expect(page.locator("body")).to_have_css("background-color", ground)
