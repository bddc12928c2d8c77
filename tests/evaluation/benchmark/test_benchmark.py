"""Runs are kept, skipped when they are there, and told beside the paper's figures."""

import json
import math
import re
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from graphne_viz.evaluation.benchmark import api as module
from graphne_viz.evaluation.benchmark.api import benchmark, make_plan, splits_for
from graphne_viz.evaluation.benchmark.paper import paper_figures
from graphne_viz.evaluation.benchmark.records import METRICS, Record, Records
from graphne_viz.evaluation.benchmark.report import failed, report, summary, tables
from graphne_viz.evaluation.methods.registry import Outcome, methods
from graphne_viz.evaluation.methods.variants import PRESETS, Variant, as_variant
from graphne_viz.graphs import datasets


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.graphml"
    nx.write_graphml(nx.karate_club_graph(), path)
    return str(path)


@pytest.fixture
def calls(monkeypatch):
    """Have methods replaced by points on a line; return what was run. A method that is in `calls.broken` fails."""

    class Calls(list):
        broken = frozenset()

    calls = Calls()

    def stand_in(name, graph, *, dim, seed, **options):
        calls.append((name, dim, seed, options))
        if name in calls.broken:
            raise RuntimeError("out of\nluck")
        points = np.random.default_rng(seed).normal(size=(graph.n_nodes, dim))
        return Outcome(name, dim, points, f"stand-in for {name}", 2.0 + seed, 4.0 + seed)

    monkeypatch.setattr(module, "run_method", stand_in)
    monkeypatch.setattr(module, "_MOST_SPLITS", 2)
    return calls


def row(**changes):
    known = {"dataset": "cora", "method": "graphne", "options": "{}", "dim": 2, "seed": 0, "classes": "class"}
    return Record(
        **{**known, "sample": "all", **dict.fromkeys(METRICS, 0.5), "seconds": 1, "cpu_seconds": 2, **changes}
    )


def test_the_papers_figures_are_those_of_its_tables():
    figures = paper_figures()
    assert len(figures) == 12 * 8
    assert all({*of_one, "distance_pearson"} == set(METRICS) for of_one in figures.values())
    assert {(dim, method) for _, dim, method in figures} <= {(d, m) for d in (2, 128) for m in methods(d)}
    assert {dataset for dataset, _, _ in figures} == set(datasets.NAMES)
    # One of each table, a corner each where there is one.
    assert figures["citeseer", 128, "graphne"]["neighbor_recall"] == (0.81, 0.001)
    assert figures["mag", 2, "laplacian"]["knn_accuracy"] == (0.094, 0.012)
    assert figures["photo", 2, "sgtsnepi"]["linear_accuracy"] == (0.792, 0.058)
    assert figures["computer", 128, "node2vec"]["link_prediction_auc"] == (0.719, 0.002)
    assert figures["pubmed", 2, "tfdp"]["two_hop_recall"] == (0.038, 0.001)
    assert figures["arxiv", 128, "deepwalk"]["distance_correlation"] == (-0.06, 0.005)


def test_accuracies_are_averaged_until_they_are_steady():
    assert [splits_for(n) for n in (100, 2_120, 19_717, 70_000, 700_000)] == [50, 48, 6, 2, 1]


def test_a_method_is_named_with_its_options():
    assert as_variant(" laplacian") == Variant("laplacian", "{}")
    variant = as_variant("graphne:normalization=graph:exaggeration=2.5")
    assert variant.keywords == {"normalization": "graph", "exaggeration": 2.5}
    assert variant.label == "graphne exaggeration=2.5 normalization=graph"
    assert as_variant("graphne:exaggeration=1:initialization=spectral") == as_variant("graphne")  # its defaults


@pytest.mark.parametrize(
    ("text", "dim", "problem"),
    [
        ("nothing", 2, "unknown method 'nothing'; in 2 dimensions there are graphne, sgtsnepi"),
        ("deepwalk", 2, "unknown method 'deepwalk'; in 2 dimensions there are"),
        ("tfdp", 128, "unknown method 'tfdp'; in 128 dimensions there are"),
        ("graphne:wrong=1", 2, "graphne has no option 'wrong'; it has normalization, exaggeration, n_iter"),
        ("graphne:exaggeration", 2, "an option is written name=value, got 'exaggeration'"),
    ],
)
def test_what_is_no_method_is_refused_before_anything_runs(text, dim, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        as_variant(text, dim)


def test_presets_are_the_ablation_and_the_sweep():
    ablation = {json.dumps(as_variant(text).keywords) for text in PRESETS["ablation"]}
    assert ablation == {
        "{}",
        '{"initialization": "random"}',
        '{"normalization": "graph"}',
        '{"initialization": "random", "normalization": "graph"}',
    }
    sweep = [as_variant(text).keywords.get("exaggeration", 1) for text in PRESETS["sweep"]]
    assert sweep == sorted(sweep)
    assert (sweep[0], sweep[-1]) == (1, 30)


def test_by_default_the_methods_of_the_paper_run(karate):
    chosen = [variant.label for variant in make_plan([karate]).variants]
    assert chosen == ["graphne", "sgtsnepi", "forceatlas2", "tfdp", "drgraph", "laplacian"]
    assert [variant.label for variant in make_plan(["cora"], dim=128).variants] == list(methods(128))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"names": ["no such"]}, "'no such' is neither a file nor one of citeseer, cora"),
        ({"names": []}, "datasets must name at least one graph"),
        ({"chosen": []}, "methods must name at least one of graphne, sgtsnepi, "),
        ({"chosen": [], "dim": 128}, "methods must name at least one of graphne, graphne-tau, "),
        ({"runs": 0}, "runs must be at least 1, got 0"),
        ({"dim": 1}, "dim must be at least 2, got 1"),
        ({"sample": 0}, "sample must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_planned_is_refused(changes, problem):
    with pytest.raises(ValueError, match=problem):
        make_plan(**{"names": ["cora"], **changes})


def test_real_methods_are_measured_on_a_file(karate, monkeypatch):
    monkeypatch.setattr(module, "_MOST_SPLITS", 5)
    rows = benchmark(make_plan([karate], ["graphne", "laplacian"], runs=2, classes="club"))
    assert [(row.method, row.seed) for row in rows] == [(name, s) for s in (0, 1) for name in ("graphne", "laplacian")]
    for row in rows:
        assert row.error == ""
        assert (row.nodes, row.edges, row.splits, row.sample, row.classes) == (34, 78, 5, "all", "club")
        assert row.knn_accuracy > 0.5
        assert row.distance_pearson > 0.3
        assert row.neighbor_recall > 0.4
        assert row.seconds > 0
        assert row.by.startswith("graphne_viz")


def test_without_labels_there_are_no_accuracies(karate, calls):
    (row,) = benchmark(make_plan([karate], ["graphne"], runs=1))
    assert math.isnan(row.knn_accuracy)
    assert row.neighbor_recall > 0
    assert len(calls) == 1


def test_what_is_there_is_not_run_again(karate, calls, tmp_path):
    path = tmp_path / "runs.csv"
    first = benchmark(make_plan([karate], ["graphne"], runs=2, classes="club"), Records(path))
    plan = make_plan([karate], ["graphne", "graphne:exaggeration=4", "tfdp"], runs=3, classes="club")
    rows = benchmark(plan, Records(path))
    assert [(name, seed, options) for name, _, seed, options in calls] == [
        ("graphne", 0, {}),
        ("graphne", 1, {}),
        ("graphne", 0, {"exaggeration": 4}),
        ("tfdp", 0, {}),
        ("graphne", 1, {"exaggeration": 4}),
        ("tfdp", 1, {}),
        ("graphne", 2, {}),
        ("graphne", 2, {"exaggeration": 4}),
        ("tfdp", 2, {}),
    ]
    assert len(rows) == len(Records(path)) == 9
    assert rows[0].neighbor_recall == pytest.approx(first[0].neighbor_recall, abs=1e-5)
    # Another way to measure is another run.
    benchmark(make_plan([karate], ["graphne"], runs=1, classes="club", sample=10), Records(path))
    assert len(calls) == 10


def test_a_failure_leaves_the_others_standing_and_is_tried_again(karate, calls, tmp_path):
    path = tmp_path / "runs.csv"
    calls.broken = {"tfdp"}
    plan = make_plan([karate], ["tfdp", "graphne"], runs=2)
    rows = benchmark(plan, Records(path))
    assert [row.error for row in rows] == ["RuntimeError: out of luck", "", "RuntimeError: out of luck", ""]
    assert failed(rows) == ["karate.graphml, tfdp: RuntimeError: out of luck"]
    assert "| tfdp | failed |" in re.sub(" +", " ", tables(rows))

    calls.broken = set()
    del calls[:]
    assert not failed(benchmark(plan, Records(path)))
    assert [name for name, *_ in calls] == ["tfdp", "tfdp"]


def test_a_graph_that_cannot_be_loaded_leaves_the_others_standing(karate, calls, monkeypatch):
    loads = []

    def offline(name, *, progress):
        loads.append((name, progress))
        raise ConnectionError("Cora could not be downloaded")

    monkeypatch.setattr(datasets, "load", offline)
    rows = benchmark(make_plan(["cora", karate], ["graphne", "tfdp"], runs=2))
    assert failed(rows) == [
        f"cora, {name}: ConnectionError: Cora could not be downloaded" for name in ("graphne", "tfdp")
    ]
    assert len(loads) == 1
    assert len(calls) == 4


def test_labels_that_are_not_there_are_told(karate, calls):
    rows = benchmark(make_plan([karate], ["graphne"], runs=1, classes="team"))
    assert "classes='team' is not a node attribute of the graph; it has 'club'" in rows[0].error
    assert not calls


def test_large_graphs_are_sampled_in_many_dimensions(karate, calls, monkeypatch):
    monkeypatch.setattr(module, "FEW", 30)
    monkeypatch.setattr(module, "SAMPLE", 20)
    assert benchmark(make_plan([karate], ["graphne"], runs=1))[0].sample == "all"
    (row,) = benchmark(make_plan([karate], ["cne"], runs=1, dim=128))
    assert row.sample == "20"
    assert "34 nodes, 78 edges, measured on 20\n" in tables([row])
    assert calls == [("graphne", 2, 0, {}), ("cne", 128, 0, {})]


def test_a_line_cut_short_is_dropped(tmp_path):
    path = tmp_path / "runs.csv"
    records = Records(path)
    for seed in range(3):
        records.add(row(seed=seed, by="a, b", knn_accuracy=math.nan))
    text = path.read_text()
    path.write_text(text[:-20])
    again = Records(path)
    assert [kept.seed for kept in again] == [0, 1]
    assert path.read_text() == "".join(text.splitlines(keepends=True)[:3])
    kept = again.find(row().key)
    assert kept.by == "a, b"
    assert math.isnan(kept.knn_accuracy)
    assert list(again.to_frame()["seed"]) == [0, 1]

    data = path.read_bytes()
    path.write_bytes(data + "grö".encode()[:-1])  # killed within a letter
    assert len(Records(path)) == 2
    assert path.read_bytes() == data

    path.write_text(text.splitlines()[0][:30])  # killed at once
    assert len(Records(path)) == 0
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"runs\.csv is not a table of runs"):
        Records(path)
    assert path.read_text() == "a,b\n1,2\n"


NAMES = ["two  spaces.gml", " x.gml", "a\nb.gml", 'größe, "b"\x85.gml', "tab\t.gml"]
FORMULAS = ["=1+1.gml", "@x.gml", "-a.gml", "a;=1.gml", "\uff1d1.gml"]


@pytest.mark.parametrize("name", FORMULAS)
def test_runs_are_written_without_formulas(tmp_path, name):
    path = tmp_path / "runs.csv"
    Records(path).add(row(dataset=name, error=name))
    cells = path.read_text().splitlines()[1].split(",")
    marked = name.replace("=", "'=") if name.startswith("a") else f"'{name}"
    assert (cells[0], cells[-1]) == (marked, marked)


@pytest.mark.parametrize("name", [*NAMES, *FORMULAS, "'=1.gml", "'quoted'.gml"])
def test_runs_on_files_of_any_name_are_found_again(tmp_path, name):
    path = tmp_path / "runs.csv"
    done = row(dataset=name)
    Records(path).add(done)
    found = Records(path).find(done.key)
    assert found is not None
    assert found.neighbor_recall == done.neighbor_recall


def test_mean_and_deviation_stand_above_the_papers():
    rows = [row(seed=seed, neighbor_recall=0.6 + 0.1 * seed, seconds=9.0 - seed, cpu_seconds=12.0) for seed in range(3)]
    lines = tables([*rows, row(method="umap", knn_accuracy=math.nan)]).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[4:]]
    assert lines[0] == "### cora in 2 dimensions"
    assert cells[0] == ["graphne", "70.0 ± 8.2", *["50.0 ± 0.0"] * 6, "8.00 (12)", ""]
    paper = ["66.7 ± 0.4", "83.1 ± 1.5", "66.9 ± 1.2", "96.6 ± 0.2", "35.0 ± 0.1", "47.6 ± 3.2", "", ""]
    assert cells[1] == ["- paper", *paper, ""]
    assert cells[2] == ["umap", "50.0", "-", *["50.0"] * 5, "1.00 (2.00)", ""]
    assert len({len(line) for line in lines[2:]}) == 1

    only_ours = tables([row(options='{"exaggeration": 4}')])
    assert "graphne exaggeration=4" in only_ours
    assert "paper" not in only_ours
    assert "70.0 (66.7)" in summary(rows)


def test_the_preset_with_the_papers_settings_stands_above_the_papers_figures():
    rows = [row(method="cne", dim=128, options=options) for options in ('{"preset": "paper"}', '{"epochs": 9}')]
    assert tables(rows[:1]).count("- paper") == 1
    assert f"50.0 ({100 * paper_figures()['cora', 128, 'cne']['neighbor_recall'].mean:.1f})" in summary(rows[:1])
    assert "- paper" not in tables(rows[1:])


def test_engines_are_not_averaged(tmp_path):
    by = "graphne_viz, normalization='sgtsne'"
    own = [row(method="sgtsnepi", seed=seed, by=by, knn_accuracy=0.9) for seed in (0, 1)]
    theirs = row(method="sgtsnepi", seed=2, by="sgtsnepi 0.7", knn_accuracy=0.2)
    lost = row(method="sgtsnepi", seed=3, error="Oh: no")
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in tables([*own, theirs, lost]).splitlines()[2:]]
    assert [(line[0], line[2], line[-1]) for line in lines if line[0] != "- paper"][2:] == [
        ("sgtsnepi, 2 of 3 runs", "90.0 ± 0.0", "graphne_viz"),
        ("sgtsnepi, 1 of 2 runs", "20.0", "sgtsnepi 0.7"),
    ]
    assert [line[0] for line in lines].count("- paper") == 1
    assert [line.split("|")[1].strip() for line in summary([*own, theirs]).splitlines()[4:]] == [
        "sgtsnepi by graphne_viz", "sgtsnepi by sgtsnepi 0.7"
    ]  # fmt: skip
    # A temperature that each run learns is no other engine.
    learned = [row(method="graphne-tau", dim=128, seed=seed, by=f"graphne_viz, temperature {seed}") for seed in (0, 1)]
    assert tables(learned).count("| graphne-tau ") == 1

    path = tmp_path / "runs.csv"
    records = Records(path)
    for each in (lost, own[0], row(method="sgtsnepi", by="sgtsnepi 0.7"), replace(lost, error="", by="us")):
        records.add(each)
    for kept in (records, Records(path)):
        runs = sorted((run.seed, run.engine) for run in kept)
        assert runs == [(0, "graphne_viz"), (0, "sgtsnepi 0.7"), (3, "us")]
        assert len(kept) == 3
        assert kept.find(own[0].key).by == "sgtsnepi 0.7"


def test_too_few_labels_cost_the_accuracies_only(tmp_path, calls, caplog):
    path = tmp_path / "small.graphml"
    G = nx.cycle_graph(12)
    nx.set_node_attributes(G, {node: "ab"[node % 2] for node in G}, "team")
    nx.write_graphml(G, path)
    rows = benchmark(make_plan([str(path)], ["graphne", "tfdp"], runs=2, classes="team"))
    assert [row.error for row in rows] == [""] * 4
    assert all(math.isnan(row.knn_accuracy) and math.isnan(row.linear_accuracy) and not row.splits for row in rows)
    assert all(row.neighbor_recall > 0 and row.classes == "team" for row in rows)
    assert [record.getMessage()[:23] for record in caplog.records] == ["accuracies are skipped:"]
    assert len(calls) == 4


def test_the_report_says_what_was_measured_and_by_what():
    rows = [row(by="graphne_viz"), row(method="sgtsnepi", by="sgtsnepi 0.7"), row(method="tfdp", error="Oh: <b>no|")]
    text = report(rows)
    assert "All nodes were measured on" in text
    assert "| sgtsnepi | 2          | sgtsnepi 0.7 |" in text
    assert "- cora, tfdp: Oh: \\<b\\>no\\|" in text
    assert "What failed" not in report(rows[:1])
