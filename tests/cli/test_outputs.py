"""Outputs of commands that cannot all be written."""

from __future__ import annotations

import errno
import re
import tempfile
from pathlib import Path

import networkx as nx
import pytest

import graphne_viz.graphs.io.files as graph_files
from graphne_viz import Embedding
from graphne_viz.cli import main
from graphne_viz.viewer.compare import ComparisonView


@pytest.fixture
def karate(tmp_path):
    nx.write_graphml(nx.karate_club_graph(), tmp_path / "karate.graphml")
    return str(tmp_path / "karate.graphml")


@pytest.fixture
def full(monkeypatch):
    """Return what lets one ending of layouts fail, as a full disk would."""

    def fail(ending):
        write = graph_files.write_layout

        def write_or_fail(path, *arguments, **keywords):
            if path.suffix == ending:
                raise OSError(errno.ENOSPC, "No space left on device")
            write(path, *arguments, **keywords)

        monkeypatch.setattr(graph_files, "write_layout", write_or_fail)

    return fail


def test_the_others_are_written(karate, tmp_path, capsys, full):
    full(".gexf")
    good, bad = tmp_path / "ok.csv", tmp_path / "full.gexf"
    assert main(["layout", karate, "-o", str(bad), "-o", str(good)]) == 2
    out, err = capsys.readouterr()
    assert out.endswith(f": {good}\n")
    assert err == f"graphne: {bad} could not be written: No space left on device\n"
    assert len(good.read_text().splitlines()) == 35
    assert not bad.exists()


def test_positions_that_no_output_holds_are_put_aside(karate, tmp_path, capsys, full, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    full(".csv")
    picture, bad = tmp_path / "ok.png", tmp_path / "full.csv"
    assert main(["layout", karate, "-o", str(picture), "-o", str(bad)]) == 2
    out, err = capsys.readouterr()
    assert out.endswith(f": {picture}\n")
    kept = re.search(r"full\.csv could not be written: .*; the result was put into (.*)\n$", err)[1]
    graph = graph_files.read_graph(kept)
    assert graph.n_nodes == 34
    assert graph.axes == {"x", "y"}


def test_comparisons_too_are_put_aside(karate, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    save = ComparisonView.save

    def save_or_fail(self, path):
        if path.name == "full.csv":
            raise OSError(errno.ENOSPC, "No space left on device")
        save(self, path)

    monkeypatch.setattr(ComparisonView, "save", save_or_fail)
    picture, bad = tmp_path / "ok.svg", tmp_path / "full.csv"
    command = ["compare", karate, "-o", str(bad), "-o", str(picture), "--methods", "laplacian"]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out.endswith(f": {picture}\n")
    kept = re.search(r"full\.csv could not be written: No space left on device; .* into (.*)\n$", err)[1]
    assert "laplacian" in Path(kept).read_text(encoding="utf-8")


def test_where_nothing_can_be_put_aside_the_reason_is_still_told(karate, tmp_path, capsys, full, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    full(".csv")
    bad = tmp_path / "full.csv"
    assert main(["layout", karate, "-o", str(bad)]) == 2
    assert capsys.readouterr().err == f"graphne: {bad} could not be written: No space left on device\n"


def test_vectors_too_are_put_aside(karate, tmp_path, capsys, monkeypatch):
    pytest.importorskip("torch")

    def fail(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Embedding, "to_csv", fail)
    command = ["embed", karate, "-o", str(tmp_path / "v.csv"), "--dim", "4", "--epochs", "2"]
    assert main(command) == 2
    kept = re.search(r"v\.csv could not be written: Permission denied; .* into (.*)\n$", capsys.readouterr().err)[1]
    assert Embedding.load(kept).vectors.shape == (34, 4)
