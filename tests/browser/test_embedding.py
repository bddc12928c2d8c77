"""An embedding in JupyterLab: its projection, and its training, in a real browser."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer

# The browser draws by software: on two cores torch must leave it one.
TRAIN = """
import torch

torch.set_num_threads(1)
w = view(digits(), color='class', embedding='train', training={'dim': 16, 'epochs': 25})
w
"""
SPREAD = "float(w.run.latest.positions.std())"


def purity(positions, classes):
    """Share of nodes whose nearest node is of their own class."""
    squares = ((positions[:, None] - positions) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    return (classes[squares.argmin(axis=1)] == classes).mean()


@pytest.mark.usefixtures("lab")
def test_a_training_is_watched_and_its_vectors_are_projected(notebook, shoot):
    viewer = Viewer(notebook.output(notebook.start(TRAIN.strip())))
    viewer.wait()

    # The projection changes while vectors are learned, and the bar says how far that is.
    expect(viewer.phase).to_have_text("Training")
    expect(viewer.root.locator(".graphne-iteration")).to_have_text(re.compile(r"epoch \d+ / 25, recall [01]\.\d\d"))
    before, early = viewer.picture(), notebook.ask("w.run.iteration")
    notebook.wait(f"w.run.iteration > {early} + 60")
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "another picture")
    shoot("training")
    assert viewer.cut(".graphne-bar *") == []

    # Then what was learned is laid out, and can be had in Python.
    notebook.wait("w.run.state == 'finished'")
    expect(viewer.phase).to_have_text("Finished")
    assert notebook.ask("w.embedding.complete and w.embedding.recall > 0.9")
    positions = np.array(notebook.ask("w.run.latest.positions.tolist()"))
    classes = np.array(notebook.ask("w.graph.attributes['class'].tolist()"))
    assert purity(positions, classes) > 0.9
    viewer.leave()
    viewer.settled_picture()
    shoot("trained")

    # The dial moves the layout without training anew.
    trained, wide = notebook.ask("id(w.embedding)"), notebook.ask(SPREAD)
    notebook.do("w.exaggeration = 12")
    notebook.wait(f"w.run.state == 'finished' and {SPREAD} < 0.7 * {wide}")
    assert notebook.ask("id(w.embedding)") == trained

    # Another view projects the vectors from the beginning.
    again = Viewer(notebook.output(notebook.start("v = view(digits(), color='class', embedding=w.embedding)\nv")))
    again.wait()
    notebook.wait("v.run.state == 'finished'")
    positions = np.array(notebook.ask("v.run.latest.positions.tolist()"))
    assert purity(positions, classes) > 0.9
    again.leave()
    again.settled_picture()
    shoot("projected")
