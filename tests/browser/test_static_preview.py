"""The picture that a saved notebook keeps of a layout that formed live."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from .viewer_page import show


def colored(png):
    """Return where a picture is neither white nor grey, as an array of shape (height, width)."""
    rgb = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)
    return rgb.max(axis=2) - rgb.min(axis=2) > 40


def outputs(notebook):
    notebook._call("save")
    saved = json.loads((notebook.lab.folder / notebook.path).read_text())
    return [output for cell in saved["cells"] for output in cell.get("outputs", ())]


def test_a_saved_notebook_keeps_a_picture_of_the_end(notebook, shoot):
    notebook.do("import base64\nfrom graphne_viz.viewer.export.exports import static_preview")
    viewer = show(notebook, "w = view(digits(), color='class', n_iter=300)\nw")
    notebook.do("w.run.wait()")
    notebook.wait("not [t for t in our_threads() if t == 'graphne-preview']")
    shoot("live")
    expect(notebook.page.locator(".graphne-static-preview")).to_be_hidden()
    expect(viewer.root).to_have_count(1)

    live, still = outputs(notebook)
    assert "image/png" not in live["data"]
    png = base64.b64decode(still["data"]["image/png"])
    assert still["data"]["image/png"].replace("\n", "") in "".join(still["data"]["text/html"])
    end = base64.b64decode(notebook.ask("base64.b64encode(static_preview(w.session)).decode()"))
    assert (colored(png) == colored(end)).mean() > 0.999
    assert colored(png).mean() > 0.01


def test_the_picture_is_seen_where_the_viewer_is_not(notebook, context, shoot):
    show(notebook, "w = view(nx.karate_club_graph(), color='club', n_iter=100)\nw")
    notebook.do("w.run.wait()")
    notebook.wait("not [t for t in our_threads() if t == 'graphne-preview']")
    _, still = outputs(notebook)
    page = context.new_page()
    page.set_content("".join(still["data"]["text/html"]))
    picture = page.get_by_alt_text("The layout of the graph")
    expect(picture).to_be_visible()
    assert picture.evaluate("(element) => element.naturalWidth") > 300
    shoot("alone", page)


def test_a_finished_layout_has_its_picture_in_the_same_output(notebook):
    show(notebook, "w = view(nx.karate_club_graph(), live=False, n_iter=100)\nw")
    (output,) = outputs(notebook)
    assert {"image/png", "application/vnd.jupyter.widget-view+json"} <= set(output["data"])
