"""What is left of a view when there is no kernel any more."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from . import pixels
from .lab import write_notebook
from .servers import clean_environment, python_command
from .viewer_page import Viewer

HOST = Path(__file__).with_name("saved_state.js")
SOURCE = """
import networkx as nx
from graphne_viz import view
w = view(nx.karate_club_graph(), color="club", n_iter=250)
w.run.wait()
w
"""


def test_an_exported_page_holds_all_that_a_view_needs(lab, page, shoot):
    home, notebook = lab.folder.parent, lab.folder / "exported.ipynb"
    write_notebook(notebook, SOURCE)
    command = python_command("nbconvert", "--execute", "--to", "html", notebook)
    done = subprocess.run(command, env=clean_environment(home), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    html = notebook.with_suffix(".html").read_text()
    found = re.search(r'<script type="application/vnd.jupyter.widget-state\+json">\s*(.*?)</script>', html, re.DOTALL)
    (model,) = (m for m in json.loads(found[1])["state"].values() if m["model_name"] == "AnyModel")

    # The page's own loader comes from a CDN, which is out of reach here: a host of ours stands in for it.
    page.route("http://localhost/saved", lambda route: route.fulfill(body="<!doctype html><main></main>"))
    page.goto("http://localhost/saved")
    page.add_script_tag(path=HOST)
    show_it = "([state, buffers]) => window.showSaved(state, buffers, document.querySelector('main'))"
    page.evaluate(show_it, [model["state"], model["buffers"]])
    viewer = Viewer(page.locator("main")).wait()
    expect(viewer.legend).to_contain_text("Mr. Hi")
    expect(viewer.phase).to_have_text("Finished")
    # Nobody would obey: what steers a run is not offered.
    expect(viewer.button("Restart")).to_be_hidden()
    expect(viewer.slider).to_be_hidden()
    viewer.hover(*pixels.deepest(pixels.near(viewer.settled_picture(), viewer.color_of("Officer"), 12)))
    expect(viewer.tooltip).to_contain_text("Officer")
    shoot("without_a_kernel")
