import csv
import re

import networkx as nx
import numpy as np
import pytest
from PIL import Image
from refusals import check_refused

import graphne_viz.graphs.io.files as graph_files
from graphne_viz.cli import main
from graphne_viz.evaluation import compare as running
from graphne_viz.evaluation.methods.registry import Outcome
from graphne_viz.viewer import compare as door


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.gml"
    nx.write_gml(nx.karate_club_graph(), path)
    return path


@pytest.fixture
def broken(monkeypatch):
    """Have the methods replaced; returns a dict of method to what it raises."""
    errors = {}

    def stand_in(name, graph, *, dim, seed, **_options):
        if name in errors:
            raise errors[name]
        points = np.random.default_rng(seed).normal(size=(graph.n_nodes, dim))
        return Outcome(name, dim, points, f"stand-in {name}", 1.5, 1.0)

    monkeypatch.setattr(running, "run_method", stand_in)
    return errors


def rows(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_real_methods_as_picture_and_table(karate, tmp_path, capsys):
    outputs = [tmp_path / "out.png", tmp_path / "out.csv"]
    arguments = [part for output in outputs for part in ("-o", str(output))]
    assert main(["compare", str(karate), "--methods", "graphne, laplacian", "--classes", "club", *arguments]) == 0
    said = capsys.readouterr()
    head, graphne, laplacian, bounds, last = said.out.splitlines()
    assert bounds == "neighbour recall: 0.14 by chance"
    assert "neighbour recall  kNN accuracy" in head
    assert re.match(r"graphne +0\.\d\d +[01]\.\d ", graphne)
    assert laplacian.startswith("laplacian ")
    assert re.fullmatch(r"34 nodes, 78 edges, 1 part, \d+\.\d s: " + re.escape(", ".join(map(str, outputs))), last)
    assert said.err == ""
    first, second = rows(outputs[1])
    assert (first["method"], second["method"]) == ("graphne", "laplacian")
    assert float(first["neighbor_recall"]) > float(second["neighbor_recall"])
    with Image.open(outputs[0]) as image:
        assert image.size[0] > 900
    assert sorted(tmp_path.iterdir()) == sorted([karate, *outputs])


def test_one_failing_is_said_and_leaves_the_others(karate, tmp_path, broken, capsys):
    broken["drl"] = ImportError("drl needs igraph: pip install igraph")
    output = tmp_path / "out.csv"
    assert main(["compare", str(karate), "--methods", "graphne,drl,spring", "-o", str(output), "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "graphne: drl failed: drl needs igraph: pip install igraph\n"
    assert [row["failure"] for row in rows(output)] == ["", "drl needs igraph: pip install igraph", ""]


def test_all_failing_writes_nothing(karate, tmp_path, broken, capsys):
    broken |= {"drl": ValueError("no"), "spring": ValueError("neither")}
    assert main(["compare", str(karate), "--methods", "drl,spring", "-o", str(tmp_path / "out.png")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "graphne: drl failed: no\ngraphne: spring failed: neither\n"
    assert list(tmp_path.iterdir()) == [karate]


def test_ctrl_c_writes_what_is_done(karate, tmp_path, broken, capsys):
    broken["spring"] = KeyboardInterrupt()
    output = tmp_path / "out.csv"
    command = ["compare", str(karate), "--methods", "graphne,spring,drl", "-o", str(output)]
    assert main(command) == 130
    said = capsys.readouterr()
    assert "graphne: spring failed: interrupted\n" in said.err
    assert said.out.splitlines()[1].startswith("graphne")
    assert [bool(row["seconds"]) for row in rows(output)] == [True, False, False]
    output.unlink()
    broken["graphne"] = KeyboardInterrupt()
    assert main(command) == 130
    assert not output.exists()


def test_options_reach_the_comparison(karate, tmp_path, monkeypatch):
    calls = []

    def stand_in(graph, methods, **keywords):
        calls.append((graph.n_nodes, methods, keywords))
        return running.Comparison(graph, ("graphne",), (), ())

    monkeypatch.setattr(door, "compare", stand_in)
    command = ["compare", str(karate), "-o", str(tmp_path / "out.csv")]
    main(command)
    more = "--methods cne,deepwalk --dim 128 --seed 4 --sample 9 --classes club --progress"
    main([*command, *more.split()])
    assert calls == [
        (34, None, {"progress": False}),
        (34, ["cne", "deepwalk"], {"dim": 128, "seed": 4, "sample": 9, "classes": "club", "progress": True}),
    ]


def test_weights_are_chosen_where_the_file_is_read(karate, tmp_path, broken, monkeypatch):
    seen = []
    read = graph_files.read_graph
    monkeypatch.setattr(graph_files, "read_graph", lambda *a, **k: seen.append(k) or read(*a, **k))
    for options in ([], ["--unweighted"], ["--weight", "strength"]):
        main(["compare", str(karate), "--methods", "drl", "-o", str(tmp_path / "out.csv"), "--quiet", *options])
    assert seen == [{}, {"weight": None}, {"weight": "strength"}]
    assert not broken


BAD_INPUT = {
    "no input": (["nothing.csv", "-o", "out.png"], "nothing.csv does not exist"),
    "unknown ending": (["karate.gml", "-o", "out.doc"], "out.doc does not end in one of .html, .png, .svg, .pdf, .csv"),
    "zipped": (["karate.gml", "-o", "out.csv.gz"], "out.csv.gz does not end in one of"),
    "no folder": (["karate.gml", "-o", "missing/out.csv"], "folder of missing/out.csv does not exist"),
    "output is input": (["edges.csv", "-o", "./edges.csv"], "edges.csv is the same file as the input"),
    "no edges": (["nodes.gml", "-o", "out.png"], "G must have at least one edge"),
    "unknown method": (["karate.gml", "-o", "out.png", "--methods", "graphne,tsne"], "methods has 'tsne'"),
    "no method": (["karate.gml", "-o", "out.png", "--methods", ","], "methods must name at least one of"),
    "no classes": (["karate.gml", "-o", "out.png", "--classes", "x"], "classes='x' is not a node attribute"),
    "flat": (["karate.gml", "-o", "out.png", "--dim", "1"], "dim must be at least 2, got 1"),
    "no sample": (["karate.gml", "-o", "out.png", "--sample", "0"], "sample must be at least 1, got 0"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_sentence_and_exit_code_2(case, karate, monkeypatch, capsys):
    folder = karate.parent
    monkeypatch.chdir(folder)
    (folder / "nodes.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] ]")
    (folder / "edges.csv").write_text("1,2\n2,3\n")
    arguments, message = BAD_INPUT[case]
    check_refused(["compare", *arguments], message, capsys, folder)


def test_wrong_usage(karate, capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["compare", str(karate)])
    assert capsys.readouterr().err.startswith("usage: graphne compare")
