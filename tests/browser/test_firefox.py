"""The main stories in Firefox, which draws without WebGL where there is no graphics card."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from graphne_viz import view

from . import pixels
from .firefox import running_firefox
from .servers import clean_environment

SURFACE, FACTS, TOOLTIP = ".graphne-surface", ".graphne-facts", "[role=tooltip]"
WRITTEN = """(() => {
  const canvas = document.querySelector("canvas.graphne-names");
  if (!canvas?.width) return false;
  return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0);
})()"""
SWATCHES = """[...document.querySelectorAll(".graphne-legend .graphne-swatch")].map((swatch) =>
  getComputedStyle(swatch).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))"""


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    with running_firefox(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


def surface(firefox):
    """Return the picture as an array, and where it is in the page."""
    x, y, width, height = (round(value) for value in firefox.box(SURFACE))
    return pixels.read(firefox.shot())[y : y + height, x : x + width], np.array([x, y])


def near(picture, color):
    return np.abs(picture.astype(int) - color).max(axis=2) <= 12


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_is_a_map_with_names_and_colours_that_can_be_asked(firefox, tmp_path, screens, theme):
    G = nx.les_miserables_graph()
    w = view(G, nx.kamada_kawai_layout(G), live=False, height=600, theme=theme)
    w.camera = {"center": (0, 0), "span": 3}  # with room for a node that is dragged
    w.to_html(tmp_path / "g.html")
    w.close()
    firefox.goto((tmp_path / "g.html").as_uri())
    firefox.until_text(FACTS, "77 nodes · 254 edges")
    firefox.until(WRITTEN)
    colors = firefox.until(SWATCHES)
    assert len(colors) >= 4
    firefox.until("document.querySelectorAll('.graphne-surface canvas').length > 0")
    picture, corner = surface(firefox)
    (screens / f"firefox_{theme}.png").write_bytes(firefox.shot())
    assert (pixels.background(picture).max() < 80) == (theme == "dark")
    assert sum(near(picture, color).sum() > 20 for color in colors) >= 4, "nodes in the colours of the legend"

    # The largest disc of a class is a node: it has a tooltip, and can be selected.
    place = corner + pixels.deepest(near(picture, colors[0]))
    firefox.move(*place)
    firefox.until(f"document.querySelector({TOOLTIP!r})?.innerText.length > 2")
    assert firefox.text(TOOLTIP).split("\n")[0].strip() in G
    name = firefox.text(TOOLTIP).split("\n")[0].strip()
    firefox.click(*place)
    firefox.until_text(FACTS, "1 selected")

    # It is pulled to a corner of the picture, and pinned there.
    height, width, _ = picture.shape
    goal = corner + np.array([width - 80, height - 80])
    firefox.drag(place, goal)
    firefox.until_text(".graphne-crumbs", "1 pinned")
    firefox.move(*goal + 1)
    firefox.until_text(TOOLTIP, name)
    firefox.until(f"!document.querySelector({SURFACE!r}).hasAttribute('data-moving')")
    dropped, _ = surface(firefox)
    assert near(dropped, colors[0])[-100:-60, -100:-60].sum() > 20, "its disc is where it was dropped"
    firefox.move(*place)
    firefox.until(f"!document.querySelector({TOOLTIP!r})?.innerText.startsWith({name!r})")


def test_a_layout_forms_live_and_is_stopped(firefox, tmp_path):
    nx.write_graphml(nx.les_miserables_graph(), tmp_path / "g.graphml")
    command = [sys.executable, "-m", "graphne_viz.cli", "view", tmp_path / "g.graphml", "--no-browser", "--quiet"]
    process = subprocess.Popen(
        [*command, "--pace", "600"], stdout=subprocess.PIPE, text=True, env=clean_environment(tmp_path)
    )
    try:
        firefox.goto(process.stdout.readline().strip())
        firefox.until("parseInt(document.querySelector('.graphne-iteration')?.innerText) > 3")
        firefox.until_text(FACTS, "77 nodes")
        firefox.press("button[aria-label=Stop]")
        firefox.until_text(".graphne-phase", "Stopped")
        picture, _ = surface(firefox)
        assert pixels.share_of_ink(picture) > 0.01
    finally:
        process.kill()
        process.communicate()
