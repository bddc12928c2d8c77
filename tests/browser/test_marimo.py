"""The same story, told shorter, in marimo."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from . import pixels
from .marimo_app import Marimo, running_marimo
from .viewer_page import Viewer

SETUP = """
from graphne_viz import view
from graphne_viz.graphs.datasets.api import digits
w = view(digits(), color="class", n_iter=100_000)
"""
ANSWER = (
    "{'state': w.run.state, 'iteration': w.run.iteration, 'exaggeration': w.run.exaggeration, "
    "'selection': list(map(int, w.selection)), 'x': w.run.latest.positions[:, 0].tolist() if w.run.latest else None}"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_marimo(tmp_path_factory.mktemp("marimo"), SETUP, ANSWER) as port:
        yield port


def test_a_layout_is_watched_and_steered(server, page, shoot):
    marimo = Marimo(page, server)
    marimo.open()
    viewer = Viewer(page.locator("body")).wait()
    viewer.root.scroll_into_view_if_needed()

    # It forms.
    before, early = viewer.picture(), viewer.iteration()
    viewer.wait_for_iteration(early + 50)
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "another picture")
    shoot("forming")

    # It is paused, goes on, and is steered.
    viewer.button("Pause").click()
    expect(viewer.phase).to_have_text("Paused")
    held = marimo.ask()
    assert held["state"] == "paused"
    viewer.until(lambda: viewer.iteration() == held["iteration"], "the iteration of the pause")
    viewer.button("Resume").click()
    viewer.wait_for_iteration(held["iteration"])
    viewer.slider.focus()
    page.keyboard.press("End")
    viewer.until(lambda: marimo.ask()["exaggeration"] == 30, "more attraction in Python")
    viewer.button("Stop").click()
    expect(viewer.phase).to_have_text("Stopped")

    # A selection is read back.
    picture = viewer.settled_picture()
    width, height = picture.shape[1::-1]
    viewer.button("Rectangle").click()
    viewer.draw([(2, 2), (width / 2, height - 2)])
    viewer.until(lambda: marimo.ask()["selection"], "a selection in Python")
    answer = marimo.ask()
    chosen = set(answer["selection"])
    x = answer["x"]
    assert 0 < len(chosen) < 1797
    assert max(x[i] for i in chosen) < min(x[i] for i in range(1797) if i not in chosen)
    expect(viewer.facts).to_contain_text(f"{len(chosen):,} selected")
    shoot("selected")

    # The page is loaded anew, and the picture is there.
    page.reload()
    viewer = Viewer(page.locator("body")).wait()
    viewer.root.scroll_into_view_if_needed()
    assert pixels.likeness(picture, viewer.settled_picture()) > 0.8
    shoot("reloaded")


LINKED = """
import networkx as nx
from graphne_viz import linked, view
G = nx.karate_club_graph()
views = [view(G, color="club", live=False, height=420), view(G, nx.circular_layout(G), color="club", height=420)]
w = linked(views, titles=["graph t-SNE", "<i>circle</i>"])
"""


@pytest.fixture(scope="module")
def linked_server(tmp_path_factory):
    expression = "[list(map(int, one.selection)) for one in w.widgets]"
    with running_marimo(tmp_path_factory.mktemp("linked"), LINKED, expression) as port:
        yield port


def test_linked_views_stand_side_by_side(linked_server, page, shoot):
    marimo = Marimo(page, linked_server)
    marimo.open()
    first, second = (Viewer(page.locator("body"), k).wait() for k in range(2))
    first.root.scroll_into_view_if_needed()
    expect(page.get_by_text("<i>circle</i>", exact=True).last).to_be_visible()
    one, other = (viewer.root.bounding_box() for viewer in (first, second))
    assert abs(one["y"] - other["y"]) < 2
    assert one["x"] + one["width"] <= other["x"]
    assert one["width"] > 200
    before = second.settled_picture()
    first.search.fill("33")
    first.search.press("Enter")
    second.until(lambda: pixels.change(before, second.picture()) > 0.01, "a node marked")
    first.until(lambda: marimo.ask() == [[33], [33]], "the selection in Python")
    shoot("linked")
