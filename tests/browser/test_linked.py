"""Linked views and replay in a notebook."""

from __future__ import annotations

from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer

SOURCE = """
from graphne_viz import linked
G = nx.karate_club_graph()
w1 = view(G, color="club", live=False, initialization="random", height=420)
w2 = view(G, nx.circular_layout(G), color="club", height=420)
both = linked([w1, w2], titles=["graph t-SNE", "<i>circle</i>"])
both
"""


def test_linked_views_share_what_is_looked_at_and_tell_python(notebook, shoot):
    output = notebook.output(notebook.run(SOURCE))
    first, second = (Viewer(output, k).wait() for k in range(2))
    expect(output.get_by_text("<i>circle</i>")).to_be_visible()
    before = second.settled_picture()
    # The legend of a narrow view is folded, and covers nodes where it is not.
    head = first.root.locator(".graphne-legend-head")
    head.click()
    color = first.color_of("Officer")
    head.click()
    first.hover(*pixels.deepest(pixels.near(first.settled_picture(), color, 12)))
    expect(first.tooltip).to_contain_text("Officer")
    second.until(lambda: pixels.change(before, second.picture()) > 0.01, "a node marked")
    shoot("hover")
    first.leave()
    first.search.fill("33")
    first.search.press("Enter")
    notebook.wait("w1.selection == w2.selection == (33,)")
    notebook.do("w2.selection = ()")
    notebook.wait("w1.selection == ()")

    # The kernel hands out the run when somebody wants to see it again.
    first.search.fill("")
    first.button("Show all").click()
    finished = first.settled_picture()
    first.root.get_by_role("slider", name="Moment of the run").fill("2")
    expect(first.phase).to_have_text("Early exaggeration")
    first.until(lambda: pixels.change(finished, first.picture()) > 0.02, "an earlier moment")
    shoot("replay")
    first.button("Replay").click()
    expect(first.phase).to_have_text("Finished")

    # In a cell that is narrower than the two are side by side, nothing is cut off.
    notebook.page.set_viewport_size({"width": 760, "height": 1000})
    first.until(lambda: second.root.bounding_box()["y"] > first.root.bounding_box()["y"] + 300, "one below the other")
    around = output.bounding_box()
    for one in (first, second):
        box = one.root.bounding_box()
        assert around["x"] <= box["x"]
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1
        assert not one.cut("button, select, .graphne-phase")
    shoot("narrow")
