import csv
import io
import logging
import math
import sys

import networkx as nx
import numpy as np
import pytest

from graphne_viz.evaluation import compare as module
from graphne_viz.evaluation.alignment import align
from graphne_viz.evaluation.compare import INTERRUPTED, NOT_RUN, PAPER_METHODS, run_comparison
from graphne_viz.evaluation.methods.registry import Outcome, methods, run_method
from graphne_viz.evaluation.metrics.api import evaluate


@pytest.fixture(scope="module")
def karate():
    return nx.karate_club_graph()


@pytest.fixture(autouse=True)
def _cold(monkeypatch):
    monkeypatch.setattr(module, "_warm", set())


@pytest.fixture
def asked(monkeypatch):
    """Have the methods replaced: each gives a turned grid, or raises what `broken` has for it; `calls` lists them."""

    def stand_in(name, graph, *, dim, seed, **options):
        stand_in.calls.append((name, dim, seed, options))
        if name in stand_in.broken:
            raise stand_in.broken[name]
        turn = len(stand_in.calls)
        flat = np.column_stack([np.arange(graph.n_nodes) % 6, np.arange(graph.n_nodes) // 6]).astype(float)
        cos, sin = math.cos(turn), math.sin(turn)
        points = turn * flat @ np.array([[cos, -sin], [sin, cos]])
        return Outcome(name, dim, np.pad(points, [(0, 0), (0, dim - 2)]), f"stand-in {name}", turn / 100, turn / 200)

    stand_in.calls, stand_in.broken = [], {}
    monkeypatch.setattr(module, "run_method", stand_in)
    return stand_in


def compared(G, *args, **keywords):
    return run_comparison(G, *args, progress=False, **keywords)


def test_real_methods_are_measured_as_evaluate_does(karate):
    found = compared(karate, ["graphne", "laplacian"], "club", seed=3)
    assert [result.method for result in found.results] == ["graphne", "laplacian"]
    assert not found.failures
    for result in found.results:
        alone = run_method(result.method, karate, seed=3)
        np.testing.assert_allclose(result.outcome.points, alone.points)
        assert dict(result.scores) == dict(evaluate(karate, alone.points, "club", seed=3))
        assert 0 < result.outcome.seconds < 5
    first, second = found.results
    assert first.scores.neighbor_recall > second.scores.neighbor_recall + 0.1
    np.testing.assert_array_equal(first.positions, first.outcome.points)
    np.testing.assert_allclose(second.positions, align(second.outcome.points, first.positions))


def test_layouts_that_differ_by_a_turn_lie_on_each_other(karate, asked):
    found = compared(karate, ["graphne", "spring", "drl"])
    points = [result.outcome.points for result in found.results]
    assert np.abs(points[1] - points[0]).max() > 1
    for result in found.results[1:]:
        np.testing.assert_allclose(result.positions, found.results[0].positions, atol=1e-9)
    assert {dim for _, dim, _, _ in asked.calls} == {2}


def test_more_dimensions_are_measured_as_they_are_and_projected_for_the_picture(karate):
    from graphne_viz import project

    found = compared(karate, ["laplacian"], "club", dim=8)
    (result,) = found.results
    assert result.outcome.points.shape == (34, 8)
    assert dict(result.scores) == dict(evaluate(karate, result.outcome.points, "club"))
    np.testing.assert_allclose(result.positions, project(result.outcome.points, seed=0))


def test_one_failing_leaves_the_others_standing(karate, asked):
    asked.broken = {
        "graphne": ImportError("graphne needs magic:\n pip install magic"),
        "drl": ZeroDivisionError("no"),
        "umap": RuntimeError(),
    }
    found = compared(karate, ["graphne", "drl", "spring", "umap", "laplacian"], "club")
    assert [result.method for result in found.results] == ["spring", "laplacian"]
    assert dict(found.failures) == {
        "graphne": "graphne needs magic: pip install magic",
        "drl": "ZeroDivisionError: no",
        "umap": "RuntimeError",
    }
    assert not found.interrupted
    assert found["spring"].method == "spring"
    with pytest.raises(KeyError, match="drl has no result: ZeroDivisionError: no"):
        found["drl"]
    with pytest.raises(KeyError, match="tfdp"):
        found["tfdp"]


def test_what_cannot_be_measured_is_a_failure_too(karate, monkeypatch):
    monkeypatch.setattr(module, "run_method", lambda name, *_, **__: Outcome(name, 2, np.ones((3, 2)), "", 1.0, 1.0))
    found = compared(karate, ["graphne"])
    assert not found.results
    assert found.failures[0].reason.startswith("Y has shape (3, 2)")


def test_ctrl_c_keeps_what_is_done(karate, asked, caplog):
    asked.broken = {"drl": KeyboardInterrupt()}
    found = compared(karate, ["graphne", "drl", "spring"])
    assert [result.method for result in found.results] == ["graphne"]
    assert found.failures == (("drl", INTERRUPTED), ("spring", NOT_RUN))
    assert found.interrupted
    assert "not run: drl, spring" in caplog.text
    asked.broken = {"graphne": KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        compared(karate, ["graphne", "spring"])


def test_a_quick_method_is_timed_when_it_is_warm(karate, asked, monkeypatch):
    first = compared(karate, ["graphne"])
    assert len(asked.calls) == 2
    assert first.results[0].outcome.seconds == 0.02
    compared(karate, ["graphne"])
    assert len(asked.calls) == 3
    compared(karate, ["graphne"], dim=16)  # other code
    assert len(asked.calls) == 5
    monkeypatch.setattr(module, "_QUICK", 0.0)
    compared(karate, ["spring"])
    assert len(asked.calls) == 6


@pytest.mark.usefixtures("asked")
def test_those_of_the_paper_unless_others_are_asked_for(karate):
    assert compared(karate).methods == PAPER_METHODS
    assert set(PAPER_METHODS) <= set(methods(2))
    assert compared(karate, dim=16).methods == methods(16)
    assert compared(karate, "drl").methods == ("drl",)
    assert compared(karate, iter(["drl", "umap"])).methods == ("drl", "umap")


def test_seed_and_options_reach_their_method(karate, asked):
    options = {"graphne": {"exaggeration": 4}}
    compared(karate, ["graphne", "laplacian"], seed=5, options=options)
    assert {(name, seed, *own.items()) for name, _, seed, own in asked.calls} == {
        ("graphne", 5, ("exaggeration", 4)),
        ("laplacian", 5),
    }
    assert options == {"graphne": {"exaggeration": 4}}


def test_weights_are_used_unless_they_are_not_wanted(monkeypatch):
    seen = []
    monkeypatch.setattr(module, "_timed", lambda _name, graph, *_: seen.append(graph.pair_weights.max()) or 1 / 0)
    G = nx.path_graph(4)
    G.edges[0, 1]["weight"], G.edges[0, 1]["strength"] = 2, 5
    for weight in ("weight", "strength", None):
        compared(G, ["graphne"], weight=weight)
    assert seen == [2, 5, 1]


BAD = {
    "no such method": (
        {"names": ["graphne", "tsne"]},
        ValueError,
        "methods has 'tsne'; in 2 dimensions there are",
    ),
    "of other dimensions": ({"names": ["drl"], "dim": 128}, ValueError, "methods has 'drl'; in 128 dimensions there"),
    "twice": ({"names": ["drl", "drl"]}, ValueError, "methods has 'drl' twice"),
    "none": ({"names": []}, ValueError, "methods must name at least one of graphne"),
    "no names": ({"names": 7}, TypeError, "methods must be names of methods, got 7"),
    "not a name": ({"names": [7]}, ValueError, "methods has 7"),
    "flat": ({"dim": 1}, ValueError, "dim must be at least 2, got 1"),
    "half": ({"dim": 2.5}, TypeError, "dim must be an integer, got 2.5"),
    "seed": ({"seed": None}, TypeError, "seed must be an integer, got None"),
    "sample": ({"sample": 0}, ValueError, "sample must be at least 1, got 0"),
    "classes": ({"classes": "color"}, ValueError, "classes='color' is not a node attribute"),
    "few classes": ({"classes": [1, 2]}, ValueError, "classes has 2 values, but the graph has 34 nodes"),
    "one class": ({"classes": [1] * 34}, ValueError, "classes must name at least two classes, got only 1"),
    "options": ({"options": ["x"]}, TypeError, r"options must be a dict of method to its options, got \['x'\]"),
    "others' options": ({"options": {"drl": {}}}, ValueError, "options has 'drl', which is not among the methods: "),
    "flat options": ({"options": {"graphne": 4}}, TypeError, "options of graphne must be a dict of name to value, got"),
    "no option": ({"options": {"graphne": {"x": 4}}}, TypeError, "graphne has no option 'x'; it has normalization"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_before_anything_runs(case, karate, asked):
    keywords, error, message = BAD[case]
    with pytest.raises(error, match=message):
        compared(karate, **{"names": ["graphne"]} | keywords)
    assert not asked.calls


def test_a_graph_without_edges_is_refused(asked):
    with pytest.raises(ValueError, match="G must have at least one edge, got Graph"):
        compared(nx.empty_graph(3))
    assert not asked.calls


def test_too_few_labels_for_accuracies_are_said_once(asked, caplog):
    G = nx.cycle_graph(12)
    found = compared(G, ["graphne", "drl"], [k % 2 for k in range(12)])
    assert len(found.results) == 2
    for result in found.results:
        assert math.isnan(result.scores.knn_accuracy)
        assert result.scores.neighbor_recall > 0
    assert [record.getMessage() for record in caplog.records] == [
        "accuracies are skipped: they need at least 17 nodes with a class, and there are 12"
    ]
    assert caplog.records[0].levelno == logging.WARNING
    assert len(asked.calls) == 4


def test_the_table(karate, asked):
    asked.broken = {"drl": RuntimeError("a, b")}
    found = compared(karate, ["graphne", "drl", "spring"], "club")
    frame = found.to_frame()
    assert list(frame.index) == ["graphne", "drl", "spring"]
    assert list(frame.columns) == [*found.results[0].scores, "seconds", "cpu_seconds", "by", "failure"]
    assert frame.loc["graphne", "neighbor_recall"] == found["graphne"].scores.neighbor_recall
    assert frame.loc["spring", "seconds"] == found["spring"].outcome.seconds
    assert frame.loc["drl", "failure"] == "RuntimeError: a, b"
    assert np.isnan(frame.loc["drl", "knn_accuracy"])
    assert frame.loc["graphne", "by"] == "stand-in graphne"

    written = io.StringIO()
    found.write_csv(written)
    first, second, third = csv.DictReader(io.StringIO(written.getvalue()))
    assert list(first) == ["method", *frame.columns]
    assert float(first["knn_accuracy"]) == found["graphne"].scores.knn_accuracy
    assert (second["method"], second["seconds"], second["failure"]) == ("drl", "", "RuntimeError: a, b")
    assert third["failure"] == ""


def test_the_table_has_no_formulas(karate, asked):
    asked.broken = {"drl": RuntimeError('gone;=HYPERLINK("http://a.b")')}
    written = io.StringIO()
    compared(karate, ["graphne", "drl"]).write_csv(written)
    _, failed = csv.DictReader(io.StringIO(written.getvalue()))
    assert failed["failure"] == """RuntimeError: gone;'=HYPERLINK("http://a.b")"""


def test_reads_well(karate, asked):
    asked.broken = {"drl": RuntimeError("gone")}
    head, graphne, bounds, failed = repr(compared(karate, ["graphne", "drl"])).splitlines()
    assert bounds == "neighbour recall: 0.14 by chance"
    assert head.split("  ")[-2:] == ["seconds", "by"]
    assert "kNN" not in head
    assert graphne.startswith("graphne  ")
    assert graphne.endswith("0.020  stand-in graphne")
    assert failed == "drl failed: RuntimeError: gone"
    asked.broken["graphne"] = RuntimeError("too")
    assert repr(compared(karate, ["graphne"])) == "graphne failed: RuntimeError: too"


def test_the_bar_names_the_method_and_goes_away(karate, asked, capsys):
    run_comparison(karate, ["graphne", "drl"])
    said = capsys.readouterr().err.split("\r")
    shown = [" ".join(line.split("|")[0].split()) for line in said]
    assert "graphne: 0/2" in shown
    assert "drl: 1/2" in shown
    assert said[-1] == ""
    assert len(asked.calls) == 4


def test_a_table_without_pandas_names_the_command(karate, asked, monkeypatch):
    found = compared(karate, ["graphne"])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        found.to_frame()
    assert asked.calls
