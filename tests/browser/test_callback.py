"""Somebody's own openTSNE run, seen in JupyterLab through a view's callback."""

from __future__ import annotations

from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer

WAITING = """
import threading
import numpy as np
import scipy.sparse as sp
from openTSNE import TSNE
from openTSNE.affinity import PrecomputedAffinities

G = digits()
P = sp.csr_matrix(G.adjacency)
w = view(G, color="class", live="callback")
w
"""
FIT = """
results = []

def fit():
    tsne = TSNE(
        initialization="spectral", callbacks=w.callback, callbacks_every_iters=10, n_iter=100_000, n_jobs=1
    )
    results.append(np.asarray(tsne.fit(affinities=PrecomputedAffinities(P / P.sum()))))
"""
CALM = 350
"""Iterations after which a layout no longer expands by much from one to the next: the early exaggeration has 250."""

RUN = "thread = threading.Thread(target=fit); thread.start()"


def test_stock_opentsne_is_watched_and_stopped(notebook, shoot):
    viewer = Viewer(notebook.output(notebook.start(WAITING)))
    viewer.root.wait_for()
    expect(viewer.root).to_contain_text("Waiting for the first frame")
    shoot("waiting")
    notebook.run(FIT)
    notebook.run(RUN)
    viewer.wait()

    # The picture moves with openTSNE's iterations.
    early, before = viewer.iteration(), viewer.picture()
    viewer.wait_for_iteration(early + 100)
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "another picture")
    shoot("forming")

    # It cannot be steered from here, only held and stopped.
    expect(viewer.button("Restart")).to_be_hidden()
    expect(viewer.slider).to_be_hidden()
    viewer.button("Pause").click()
    expect(viewer.phase).to_have_text("Paused")
    # The step that was under way ends; then nothing moves.
    rests = "(lambda before: time.sleep(0.5) or w.run.iteration == before)(w.run.iteration)"
    notebook.wait(rests)
    assert notebook.ask(rests) is True
    held = notebook.ask("w.run.iteration")
    assert notebook.ask("thread.is_alive()") is True
    viewer.button("Resume").click()
    viewer.wait_for_iteration(held)

    # Stop ends the fit, and its result stays: what was seen last, but for a step, which is a large one at first.
    viewer.wait_for_iteration(CALM)
    viewer.button("Stop").click()
    notebook.wait("not thread.is_alive()")
    assert notebook.ask("results[0].shape") == [1797, 2]
    assert notebook.ask("float(np.abs(np.asarray(w.pos) - results[0]).max() / np.ptp(results[0]))") < 0.1
    expect(viewer.phase).to_have_text("Stopped")
    assert pixels.share_of_ink(viewer.settled_picture()) > 0.005
    shoot("stopped")
