"""Command lines: most of those that are drawn mean something, every one ends with a code, none with a traceback."""

import argparse
import contextlib
import io
import logging
import shutil
from collections import Counter
from types import SimpleNamespace

import networkx as nx
import pytest
from fuzzing import fuzzed, fuzzed_seldom, rarely
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz import embed
from graphne_viz.cli import command, main, view

numbers = st.sampled_from(["0", "1", "2", "5", "7"])
reals = st.sampled_from(["0.5", "1", "2", "1e-3", "30"])
columns = st.sampled_from(["source", "target", "weight", "kind"])
looks = st.sampled_from(["kind", "degree", "pagerank", "none", "red", "auto"])
VALUES = {
    "seed": numbers | st.just("9" * 26),
    "scale": reals,
    "dof": st.sampled_from(["0.5", "1", "2"]),
    "exaggeration": reals,
    "early_exaggeration": reals,
    "early_exaggeration_iter": numbers,
    "n_iter": numbers,
    "node_size": st.sampled_from(["0", "300", "1e3"]),
    "normalization": st.sampled_from(["node", "graph", "sgtsne", "none"]),
    "initialization": st.sampled_from(["spectral", "random"]),
    "engine": st.sampled_from(["auto", "exact", "mesh", "torch", "opentsne"]),
    "device": st.sampled_from(["auto", "cpu"]),
    "devices": st.just("1"),
    "n_jobs": st.sampled_from(["1", "2", "-1"]),
    "weight": st.sampled_from(["weight", "size"]),
    "source": st.just("source"),
    "target": st.just("target"),
    "id": st.just("id"),
    "nodes": st.just("nodes.csv"),
    "max_size": st.sampled_from(["4GB", "1MB", "100kB", "60"]),
    "color": looks,
    "size": st.sampled_from(["degree", "300", "none"]),
    "label": st.sampled_from(["kind", "none"]),
    "like": st.sampled_from(["like.svg", "like.json"]),
    "theme": st.sampled_from(["auto", "light", "dark"]),
    "pace": st.sampled_from(["0", "auto", "0.1"]),
    "port": st.sampled_from(["0", "0", "99999", "-1"]),
    "dim": st.sampled_from(["2", "3"]),
    "epochs": st.sampled_from(["1", "2"]),
    "batch_size": st.sampled_from(["auto", "4", "32", "9" * 26]),
    "focus": st.sampled_from(["0", "0.5", "1"]),
    "temperature": st.sampled_from(["0.05", "0.5", "learn"]),
    "negatives": st.sampled_from(["batch", "copies"]),
    "learning_rate": st.sampled_from(["0.1", "0.001"]),
    "preset": st.sampled_from(["default", "paper", "sweep"]),
    "start": st.just("start.npz"),
    "methods": st.sampled_from(["laplacian", "graphne", "laplacian,graphne", "graphne:exaggeration=4"]),
    "classes": st.sampled_from(["kind", "kind", "missing"]),
    "sample": numbers,
    "datasets": st.just("g.csv"),
    "runs": st.sampled_from(["1", "2"]),
    "out": st.just("bench"),
    "memory": st.sampled_from(["200", "1000"]),
    "checkpoint": st.just("checkpoints"),
    "checkpoint_every": st.sampled_from(["1", "60"]),
    "interface": st.just("lo"),
    "relayout": st.nothing(),
}
"""What options take, by where argparse puts them."""

OUTPUTS = {
    "layout": ["a.csv", "a.gexf", "a.json", "a.graphml", "a.npz", "a.svg", "a.html", "a.csv.gz"],
    "embed": ["a.npz", "a.csv", "a.txt", "a.parquet"],
    "compare": ["a.csv", "a.svg", "a.html"],
    "prepare": ["shards"],
}
ALWAYS = {
    "layout": ["--n-iter", "5"],
    "embed": ["--epochs", "1", "--dim", "3"],
    "compare": ["--methods", "laplacian"],
    "bench": ["--methods", "laplacian", "--runs", "1", "--datasets", "g.csv"],
    "view": ["--no-browser"],
    "prepare": [],
}
"""What keeps an example short."""

BEFORE = {"source": ["--target", "target"], "target": ["--source", "source"], "id": ["--nodes", "nodes.csv"]}
"""What an option means nothing without."""

REFUSED = {
    "layout": ["checkpoint", "max_size", "header"],
    "embed": ["checkpoint", "max_size", "header"],
    "bench": ["preset", "classes"],
    **dict.fromkeys(("view", "compare", "prepare"), ("max_size", "port", "header", "classes")),
}
"""Options that a file of this kind, or what else is given, leaves no room for, at least with some of their values."""

FOR_TABLES = ("source", "target", "directed", "header")
"""Options that only tables of edges have a use for."""

ROUNDABOUT = {"verbose", "help", "version"}
"""Options that print what others do not."""

junk = st.one_of(
    st.sampled_from(
        ["--nothing", "layout", "-1", "1e999", "nan", "", "\x1b[2J", "\ud800", "a.csv", "-o", "--like", "--dim"]
    ),
    st.text(max_size=6),
)


def options_of(name):
    """Return the options of a command, as its parser has them."""
    (choices,) = [action.choices for action in command._parser()._actions if isinstance(action.choices, dict)]
    return [action for action in choices[name]._actions if action.option_strings and action.dest not in ROUNDABOUT]


def option(action):
    """Draw the words of an option."""
    names = st.sampled_from(action.option_strings)
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return st.tuples(names)
    return st.tuples(names, rarely(junk, VALUES[action.dest], one_in=20))


@st.composite
def command_lines(draw, name):
    """Draw the words of a command, a few of which mean nothing."""
    words = [name]
    if name != "bench":
        readable = ["g.csv"] if name == "prepare" else ["g.csv", "g.json"]
        words.append(
            draw(rarely(st.sampled_from(["missing.csv", "like.svg", "."]), st.sampled_from(readable), one_in=12))
        )
    if name in OUTPUTS:
        known = st.sampled_from(OUTPUTS[name])
        outputs = draw(
            st.lists(rarely(junk, known, one_in=20), min_size=1, max_size=2 - (name == "prepare"), unique=True)
        )
        words += [word for output in outputs for word in ("-o", output)]
    words += ALWAYS[name]
    chosen = [action for action in options_of(name) if action.dest != "output"]
    for action in draw(st.lists(st.sampled_from(chosen), max_size=4, unique_by=lambda action: action.dest)):
        refused = {*REFUSED.get(name, ()), *(FOR_TABLES if "g.json" in words else ())}
        if action.dest in refused and draw(st.integers(1, 8)) < 8:
            continue
        words += [*BEFORE.get(action.dest, ()), *draw(option(action))]
    if draw(st.integers(1, 10)) == 10:
        words.insert(draw(st.integers(1, len(words))), draw(junk))
    return words


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Return a folder with the files that command lines name."""
    folder = tmp_path_factory.mktemp("inputs")
    edges = "".join(f"n{u},n{v},{1 + u % 3},{u}\n" for u, v in nx.path_graph(12).edges)
    (folder / "g.csv").write_text(f"source,target,weight,size\n{edges}n0,n5,2,1\n")
    (folder / "nodes.csv").write_text("id,kind\n" + "".join(f"n{k},{'ab'[k % 2]}\n" for k in range(12)))
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        words = [
            "layout",
            "g.csv",
            "--nodes",
            "nodes.csv",
            "-o",
            "g.json",
            "-o",
            "like.svg",
            "-o",
            "like.json",
            "--n-iter",
            "5",
        ]
        assert main([*words, "--quiet"]) == 0
    embed(nx.path_graph([f"n{k}" for k in range(12)]), dim=3, epochs=1).save(folder / "start.npz")
    return folder


@pytest.fixture
def ends_at_once(monkeypatch):
    """Let a view end as soon as it is shown, as by Ctrl-C."""
    monkeypatch.setattr(view, "threading", SimpleNamespace(Event=lambda: SimpleNamespace(wait=lambda _: True)))
    monkeypatch.setattr(view, "webbrowser", SimpleNamespace(open=lambda _: True))


def test_every_option_is_drawn():
    drawn = {action.dest for name in ALWAYS for action in options_of(name) if action.nargs != 0}
    flags = {a.dest for name in ALWAYS for a in options_of(name) if isinstance(a, argparse.BooleanOptionalAction)}
    assert drawn - flags - {"output"} <= VALUES.keys()
    assert set(OUTPUTS) <= ALWAYS.keys()


@pytest.mark.parametrize("name", ALWAYS)
@pytest.mark.usefixtures("ends_at_once")
def test_any_command_line_ends_with_a_code(tmp_path, inputs, name, tally):
    codes = Counter()

    def obey(words):
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
        printed = io.StringIO()
        with contextlib.chdir(tmp_path), contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            try:
                code = main(words)
            except SystemExit as end:  # argparse
                code = end.code
        text = printed.getvalue()
        assert code in {0, 2}, text
        assert "Traceback" not in text
        assert "\x1b" not in text
        assert code == 0 or text.strip(), "it does not say why"
        codes[code] += 1
        outputs = [path for path in tmp_path.iterdir() if not (inputs / path.name).exists()]
        assert not [path for path in outputs if path.name.startswith(".graphne")]

    looked = fuzzed_seldom if name in {"view", "prepare"} else fuzzed
    looked(given(words=command_lines(name))(obey))()
    tally.update({"done": codes[0], "refused": codes[2]})
    assert codes[0] > codes[2], "most of the lines that are drawn are to mean something"
    logging.getLogger("graphne_viz").setLevel(logging.NOTSET)
