"""The scripts of benchmarks/, which run for minutes: that they still fit the package they measure."""

import importlib
import sys
from pathlib import Path

import pytest
from views import circle, club
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.fixture
def importable(monkeypatch):
    """Find the scripts by their names, and leave nothing of them behind."""
    monkeypatch.syspath_prepend(FOLDER)
    for name in SCRIPTS:  # packages of the tests may have the same names
        monkeypatch.delitem(sys.modules, name, raising=False)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and Path(sys.modules[name].__file__).parent == FOLDER:
            del sys.modules[name]


@pytest.mark.usefixtures("importable")
def test_every_script_finds_what_it_imports():
    assert "viewer" in SCRIPTS
    for name in SCRIPTS:
        assert Path(importlib.import_module(name).__file__).parent == FOLDER


@pytest.mark.usefixtures("importable")
def test_frames_are_counted_where_they_pass():
    counts_of = importlib.import_module("kernel_side").Counts
    w = view(club(), circle(club()), live=True, n_iter=20, early_exaggeration_iter=0, pace=0)
    counts = counts_of(w)
    w.comm.command("ready")
    w.run.restart()
    w.run.wait(30)
    until(lambda: counts.sent)
    w.comm.say({"kind": "ack", "seq": 1})
    assert counts.now()["published"] >= counts.sent >= counts.answered == 1
    w.close()
