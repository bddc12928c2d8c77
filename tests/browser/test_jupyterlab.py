"""A user and a layout in JupyterLab, in a real browser."""

from __future__ import annotations

import base64
import json

import numpy as np
from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer, show

LIVE = "w = view(groups(), color='class', n_iter=100_000)\nw"
SPREAD = "float(w.run.latest.positions.std())"


def test_a_layout_is_watched_paused_read_and_kept(lab, notebook, page, screens, shoot):
    # The first second: a frame of what will be there, then the layout's start.
    viewer = Viewer(notebook.output(notebook.start(LIVE)))
    viewer.root.wait_for()
    shoot("first_second")
    viewer.wait()

    # It forms.
    before, early = viewer.picture(), viewer.iteration()
    viewer.wait_for_iteration(early + 50)
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "another picture")
    viewer.wait_for_iteration(400)
    shoot("forming")

    # A pause holds it, here and in Python.
    viewer.button("Pause").click()
    expect(viewer.phase).to_have_text("Paused")
    assert notebook.ask("w.run.state") == "paused"
    still, held = viewer.settled_picture(), notebook.ask("w.run.iteration")
    page.wait_for_timeout(500)
    assert notebook.ask("w.run.iteration") == viewer.iteration() == held
    assert pixels.change(still, viewer.picture()) == 0
    shoot("paused")

    # It goes on.
    viewer.button("Resume").click()
    viewer.wait_for_iteration(held)
    assert notebook.ask("w.run.state") == "running"

    # A node says who it is.
    viewer.button("Stop").click()
    notebook.wait("w.run.state == 'stopped'")
    viewer.button("Show all").click()
    picture = viewer.settled_picture()
    viewer.hover(*pixels.deepest(pixels.near(picture, "#0072B2", 12)))
    expect(viewer.tooltip).to_be_visible()
    shoot("hover")
    assert viewer.cut(".graphne-tooltip *") == []
    # JupyterLab has rules of its own for such lists, which made short words wrap.
    assert max(row.bounding_box()["height"] for row in viewer.tooltip.locator("dt, dd").all()) < 30
    name = int(viewer.tooltip.locator(".graphne-tooltip-title").inner_text())
    own = notebook.ask(f"str(w.graph.attributes['class'][{name}])")
    expect(viewer.tooltip).to_contain_text("class")
    assert viewer.tooltip.locator("dd").first.inner_text() == own

    # A lasso is read back in Python.
    viewer.button("Lasso").click()
    width, height = picture.shape[1::-1]
    viewer.draw([(width * x, height * y) for x, y in [(0.1, 0.1), (0.5, 0.05), (0.55, 0.5), (0.5, 0.95), (0.1, 0.9)]])
    chosen = notebook.wait("list(map(int, w.selection))")
    assert 0 < len(chosen) < 400
    expect(viewer.facts).to_contain_text(f"{len(chosen):,} selected")
    x = np.array(notebook.ask("w.run.latest.positions[:, 0].tolist()"))
    assert x[chosen].max() < np.delete(x, chosen).max()
    viewer.leave()
    shoot("lasso")

    # The page is loaded anew, and the last picture is there.
    viewer.button("Show all").click()
    viewer.leave()
    last = viewer.settled_picture()
    notebook.reload()
    viewer = Viewer(notebook.output(0)).wait()
    viewer.leave()
    again = viewer.settled_picture()
    shoot("reloaded")
    assert pixels.likeness(last, again) > 0.95
    assert notebook.ask("len(w.selection)") == len(chosen)
    assert notebook.ask("w.run.state") == "stopped"

    # Readers without a browser to run it, as on GitHub, find a picture in the notebook.
    outputs = json.loads((lab.folder / notebook.path).read_text())["cells"][0]["outputs"]
    (png,) = (base64.b64decode(one["data"]["image/png"]) for one in outputs if "image/png" in one["data"])
    (screens / "picture_in_the_notebook.png").write_bytes(png)
    assert pixels.share_of_ink(pixels.read(png)) > 0.005


def test_more_attraction_draws_it_together(notebook, page, shoot):
    viewer = show(notebook, LIVE)
    viewer.wait_for_iteration(1000)
    # The camera stops following: a picture that always fits would hide what happens.
    viewer.button("Zoom out").click()
    wide, seen_wide = notebook.ask(SPREAD), pixels.width_of_ink(viewer.picture())
    shoot("wide")
    viewer.slider.focus()
    page.keyboard.press("End")
    notebook.wait("w.exaggeration == 30 == w.run.exaggeration")
    notebook.wait(f"{SPREAD} < 0.7 * {wide}")
    viewer.until(lambda: pixels.width_of_ink(viewer.picture()) < 0.8 * seen_wide, "a smaller picture")
    shoot("contracted")
    page.keyboard.press("Home")
    notebook.wait(f"w.exaggeration == 1 and {SPREAD} > 0.8 * {wide}")
    shoot("wide_again")
