"""What is seen where no browser runs the view."""

import base64
import io
import time

import networkx as nx
import numpy as np
import scipy.sparse as sp
from ipywidgets.embed import dependency_state
from PIL import Image
from views import circle, club
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view
from graphne_viz.viewer.export import static_preview


def picture_of(w):
    bundle = w._repr_mimebundle_(include=None, exclude=None)
    data = bundle[0]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == w.model_id
    return Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGB")


def test_the_mime_bundle_carries_a_picture_of_the_layout():
    w = view(club(), live=False, color="club", size="degree")
    image = picture_of(w)
    assert (image.width, image.height) == (660, 550)
    colors = {color for _, color in image.getcolors(100_000)}
    for expected in ((0, 114, 178), (213, 94, 0)):
        assert min(sum(abs(a - b) for a, b in zip(color, expected, strict=True)) for color in colors) < 20
    w.color = "#ff00ff"
    assert (255, 0, 255) in {color for _, color in picture_of(w).getcolors(100_000)}


def test_a_picture_of_a_large_graph_is_small_and_quick():
    rng = np.random.default_rng(0)
    n = 60_000
    w = view(sp.csr_array((n, n)), rng.normal(size=(n, 2)), color=rng.integers(0, 5, n), edges=True)
    begun = time.monotonic()
    png = base64.b64decode(w._repr_mimebundle_()[0]["image/png"])
    assert time.monotonic() - begun < 3
    assert len(png) < 150_000
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert sum(count for count, color in image.getcolors(100_000) if color != (255, 255, 255)) > 20_000


def test_before_there_are_positions_the_picture_says_so(monkeypatch):
    w = view(club(), circle(club()))
    monkeypatch.setattr(type(w.run), "wait_for_positions", lambda _self, _timeout: False)
    assert picture_of(w).height == 110


def test_a_picture_that_fails_does_not_hide_the_view(monkeypatch, caplog):
    w = view(club(), circle(club()))
    monkeypatch.setattr(static_preview, "static_preview", lambda _session: 1 / 0)
    data = w._repr_mimebundle_()[0]
    assert "image/png" not in data
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "static preview could not be drawn" in caplog.text


def test_an_embedded_page_has_the_viewer_in_it():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    state = dependency_state([finished], drop_defaults=True)[finished.model_id]["state"]
    assert state["_esm"]
    assert state["_css"]
