"""Options of the command that are keywords of a function: each is read as what the function takes."""

import argparse
import csv
from typing import get_args

import networkx as nx
import numpy as np
import pytest
from refusals import check_refused

from graphne_viz._keywords import annotation_of, keywords_of
from graphne_viz.cli import keyword_options, main
from graphne_viz.cli.keyword_options import add_keyword_options
from graphne_viz.cli.layout import NOT_OPTIONS
from graphne_viz.embedding.keywords import SettingsKeywords
from graphne_viz.layout.keywords import TaskKeywords


def positions(path):
    with path.open(newline="") as stream:
        return np.array([(float(row["x"]), float(row["y"])) for row in csv.DictReader(stream)])


@pytest.fixture
def path(tmp_path):
    nx.write_edgelist(nx.path_graph(30), tmp_path / "g.edgelist", data=False)
    return tmp_path


def test_node_size_is_a_number_on_the_command_line(path):
    laid = {}
    for size in ("0", "4000"):
        out = path / f"{size}.csv"
        words = ["layout", str(path / "g.edgelist"), "-o", str(out), "--node-size", size, "--quiet"]
        assert main(words) == 0
        laid[size] = positions(out)

    def nearest(points):
        distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
        return distances[~np.eye(len(points), dtype=bool)].min() / np.ptp(points, axis=0).max()

    assert nearest(laid["4000"]) > 1.2 * nearest(laid["0"]), "larger nodes were not moved apart"


@pytest.mark.parametrize("command", ["layout", "view"])
@pytest.mark.parametrize(
    ("size", "message"),
    [
        ("nan", "node_size must be finite and not negative, got nan"),
        ("-1", "node_size must be finite and not negative, got -1.0"),
    ],
)
def test_sizes_that_are_none_are_refused(path, capsys, command, size, message):
    where = ["-o", str(path / "out.csv")] if command == "layout" else ["--no-browser"]
    check_refused([command, str(path / "g.edgelist"), *where, f"--node-size={size}"], message, capsys, path)


@pytest.mark.parametrize("command", ["layout", "view"])
def test_a_size_that_is_no_number_is_no_option(path, capsys, command):
    where = ["-o", str(path / "out.csv")] if command == "layout" else ["--no-browser"]
    with pytest.raises(SystemExit, match="2"):
        main([command, str(path / "g.edgelist"), *where, "--node-size", "abc"])
    assert "argument --node-size: invalid float value: 'abc'" in capsys.readouterr().err


@pytest.mark.parametrize("table", [TaskKeywords, SettingsKeywords])
def test_every_keyword_that_may_be_a_number_is_read_as_one(table):
    parser = argparse.ArgumentParser()
    add_keyword_options(parser.add_argument_group("all"), table, without=NOT_OPTIONS)
    read = 0
    for name in keywords_of(table).keys() - NOT_OPTIONS:
        annotation = annotation_of(table, name)
        named = str(annotation) if get_args(annotation) or isinstance(annotation, str) else annotation.__name__
        for kind in (float, int):
            if kind.__name__ in named:
                (found,) = [
                    value
                    for value in vars(parser.parse_args([f"--{name.replace('_', '-')}", "3"])).values()
                    if value is not None
                ]
                assert isinstance(found, (int, float)), name
                read += 1
    assert read > 4


def test_what_a_function_says_of_a_type_is_a_sentence(path, capsys, monkeypatch):
    monkeypatch.setattr(keyword_options, "_types_of", lambda _: [str])
    words = ["layout", str(path / "g.edgelist"), "-o", str(path / "out.csv"), "--node-size", "abc"]
    check_refused(words, "node_size must be a number or an array of numbers, got 'abc'", capsys, path)


@pytest.mark.parametrize("command", ["layout", "embed"])
@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("nan", "must be a finite number of seconds, 0 or more, got 'nan'"),
        ("-1", "must be a finite number of seconds, 0 or more, got '-1'"),
        ("inf", "must be a finite number of seconds, 0 or more, got 'inf'"),
        ("soon", "invalid float value: 'soon'"),
    ],
)
def test_a_time_between_checkpoints_has_an_end(path, capsys, command, time, message):
    with pytest.raises(SystemExit, match="2"):
        main([command, str(path / "g.edgelist"), "-o", str(path / "out.npz"), f"--checkpoint-every={time}"])
    assert f"argument --checkpoint-every: {message}" in capsys.readouterr().err


def test_a_learning_rate_that_no_training_bears_is_named(path, capsys):
    words = ["embed", str(path / "g.edgelist"), "-o", str(path / "out.npz"), "--dim", "4", "--learning-rate", "1e300"]
    check_refused(words, "learning_rate must be at most 1e+06, got 1e+300", capsys, path)
