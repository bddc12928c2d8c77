import csv

import networkx as nx
import numpy as np
import pytest
from refusals import check_refused

from graphne_viz.cli import main
from graphne_viz.evaluation.benchmark import api as benchmark
from graphne_viz.evaluation.methods.registry import Outcome


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.gexf"
    nx.write_gexf(nx.karate_club_graph(), path)
    return path


@pytest.fixture
def ran(monkeypatch):
    """Have the methods replaced, the Laplacian by one that fails; return which ran, with what."""
    ran = []

    def stand_in(name, graph, *, dim, seed, **options):
        ran.append((name, dim, seed, options))
        if name == "laplacian":
            raise ImportError("laplacian needs luck: pip install luck")
        return Outcome(name, dim, np.random.default_rng(seed).normal(size=(graph.n_nodes, dim)), "us", 1.0, 2.0)

    monkeypatch.setattr(benchmark, "run_method", stand_in)
    monkeypatch.setattr(benchmark, "_MOST_SPLITS", 2)
    return ran


def rows_of(folder):
    with (folder / "runs.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_file_is_measured_by_two_real_methods(karate, tmp_path, capsys):
    out = tmp_path / "new" / "results"
    arguments = ["bench", "--datasets", str(karate), "--classes", "club", "--methods", "graphne, laplacian"]
    assert main([*arguments, "--runs", "2", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "### karate.gexf in 2 dimensions, 34 nodes, 78 edges" in said.out
    assert said.out.splitlines()[2].split("|")[-2].strip() == "by"
    assert said.out.splitlines()[4].split("|")[-2].strip() == "graphne_viz"
    assert said.out.endswith(f"4 runs: {out / 'runs.csv'}, {out / 'report.md'}\n")
    rows = rows_of(out)
    assert [(row["method"], row["seed"]) for row in rows] == [
        ("graphne", "0"), ("laplacian", "0"), ("graphne", "1"), ("laplacian", "1")
    ]  # fmt: skip
    assert min(float(row["neighbor_recall"]) for row in rows) > 0.4
    text = (out / "report.md").read_text()
    assert text.startswith("# Benchmark\n")
    assert "| graphne" in text
    assert sorted(path.name for path in out.iterdir()) == ["report.md", "runs.csv"]


def test_started_again_it_runs_what_is_missing(karate, tmp_path, ran, capsys):
    arguments = ["bench", "--datasets", str(karate), "--out", str(tmp_path), "--quiet", "--methods"]
    assert main([*arguments, "graphne", "--runs", "2"]) == 0
    assert main([*arguments, "graphne:p=5", "--runs", "2"]) == 2  # it has no such option
    assert main([*arguments, "graphne,tfdp", "--runs", "3"]) == 0
    assert [(name, seed) for name, _, seed, _ in ran] == [
        ("graphne", 0), ("graphne", 1), ("tfdp", 0), ("tfdp", 1), ("graphne", 2), ("tfdp", 2)
    ]  # fmt: skip
    assert len(rows_of(tmp_path)) == 6
    assert capsys.readouterr().out == ""


def test_ctrl_c_keeps_what_is_finished(karate, tmp_path, ran, capsys, monkeypatch):
    measured = benchmark.evaluate

    def interrupted(*arguments, **keywords):
        if len(ran) == 3:
            raise KeyboardInterrupt
        return measured(*arguments, **keywords)

    monkeypatch.setattr(benchmark, "evaluate", interrupted)
    arguments = ["bench", "--datasets", str(karate), "--out", str(tmp_path), "--methods", "graphne,tfdp"]
    assert main(arguments) == 130
    assert "2 runs, interrupted: " in capsys.readouterr().out
    assert "| tfdp" in (tmp_path / "report.md").read_text()
    monkeypatch.setattr(benchmark, "evaluate", measured)
    assert main(arguments) == 0
    assert len(ran) == 3 + 4
    assert len(rows_of(tmp_path)) == 6


def test_a_failing_method_is_told_and_the_others_stand(karate, tmp_path, ran, capsys):
    arguments = ["bench", "--datasets", str(karate), "--out", str(tmp_path), "--runs", "1", "--methods"]
    assert main([*arguments, "laplacian,graphne"]) == 0
    said = capsys.readouterr()
    sentence = "karate.gexf, laplacian: ImportError: laplacian needs luck: pip install luck"
    assert said.err == f"graphne: {sentence}\n"
    assert f"- {sentence}" in (tmp_path / "report.md").read_text()
    assert "| graphne" in said.out
    assert main([*arguments, "laplacian"]) == 2
    assert len(ran) == 3


def test_presets_name_graphs_and_variants(karate, tmp_path, ran):
    arguments = ["bench", "--datasets", str(karate), "--out", str(tmp_path), "--runs", "1", "--quiet", "--preset"]
    assert main([*arguments, "ablation"]) == 0
    assert [options for *_, options in ran] == [
        {}, {"initialization": "random"}, {"normalization": "graph"},
        {"initialization": "random", "normalization": "graph"},
    ]  # fmt: skip
    del ran[:]
    assert main([*arguments, "sweep"]) == 0
    assert [options["exaggeration"] for *_, options in ran] == [2, 3, 4, 6, 8, 12, 16, 22, 30]  # 1 was there


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--datasets", "no_such.gexf"], "'no_such.gexf' is neither a file nor one of citeseer, cora"),
        (["--datasets", ","], "datasets must name at least one graph"),
        (["--methods", ","], "methods must name at least one of graphne, sgtsnepi"),
        (["--methods", "deepwalk"], "unknown method 'deepwalk'; in 2 dimensions there are"),
        (["--preset", "sweep", "--dim", "128"], "--preset sweep chooses the methods itself, in 2D"),
        (["--preset", "sweep", "--methods", "umap"], "--preset sweep chooses the methods itself, in 2D"),
        (["--runs", "0"], "runs must be at least 1, got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(tmp_path, capsys, arguments, problem):
    check_refused(["bench", *arguments, "--out", str(tmp_path / "out")], problem, capsys, tmp_path)


def test_the_bar_names_what_runs(karate, tmp_path, ran, capsys):
    arguments = ["bench", "--datasets", str(karate), "--methods", "graphne", "--runs", "1", "--out", str(tmp_path)]
    assert main([*arguments, "--progress"]) == 0
    assert "karate.gexf, graphne: 100%" in capsys.readouterr().err
    assert len(ran) == 1


def test_the_help_names_the_graphs(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["bench", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "citeseer, cora, pubmed, photo, computer, mnist, arxiv, mag" in said
