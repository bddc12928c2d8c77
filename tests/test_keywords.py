"""One table of keywords: functions, estimator and command have its defaults, which are written nowhere else."""

import ast
import inspect
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import networkx as nx
import pytest
from training_examples import lattice

import graphne_viz
from graphne_viz import GraphNE, embed, graphne_layout, ig_graphne_layout, nx_graphne_layout, plot, project, view
from graphne_viz._keywords import (
    Keyword,
    annotation_of,
    defaults_from,
    defaults_of,
    describe,
    keywords_of,
    select,
    with_keywords,
)
from graphne_viz.cli.command import main
from graphne_viz.cli.repeat_export import REPEATED
from graphne_viz.embedding.keywords import DIM, EmbedKeywords, EstimatorKeywords, SettingsKeywords
from graphne_viz.encoding.keywords import DrawingKeywords
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.keywords import EngineKeywords, LayoutKeywords, TaskKeywords
from graphne_viz.layout.options import Options
from graphne_viz.layout.task import Task
from graphne_viz.plotting.keywords import PlotKeywords
from graphne_viz.viewer.keywords import ViewKeywords

PACKAGE = Path(graphne_viz.__file__).parent
FUNCTIONS = {
    graphne_layout: LayoutKeywords,
    nx_graphne_layout: LayoutKeywords,
    ig_graphne_layout: LayoutKeywords,
    project: LayoutKeywords,
    view: ViewKeywords,
    plot: PlotKeywords,
    embed: EmbedKeywords,
    GraphNE: EstimatorKeywords,
}


class Example(TypedDict, total=False):
    size: Annotated[int, Keyword(3, "Size of it. In metres.")]
    kind: Annotated[Literal["a", "b"] | None, Keyword(None, "Which kind.")]


@with_keywords(Example)
def example(thing, factor=2, **keywords):
    """Return what it gets.

    Parameters
    ----------
    thing : object
    **keywords
        See `Example`.

    Returns
    -------
    tuple
    """
    return thing, factor, keywords


def test_a_function_gets_every_keyword_with_its_default():
    assert example("x") == ("x", 2, {"size": 3, "kind": None})
    assert example("x", 5, kind="a") == ("x", 5, {"size": 3, "kind": "a"})
    assert example(thing="x", factor=1, size=4) == ("x", 1, {"size": 4, "kind": None})


def test_help_and_signature_show_the_keywords():
    parameters = inspect.signature(example).parameters
    assert list(parameters) == ["thing", "factor", "size", "kind"]
    assert parameters["size"].default == 3
    assert parameters["size"].kind is inspect.Parameter.KEYWORD_ONLY
    assert inspect.getdoc(example) == (
        "Return what it gets.\n\nParameters\n----------\nthing : object\n"
        'size : int, default 3\n    Size of it. In metres.\nkind : {"a", "b"}, optional\n    Which kind.\n'
        "\nReturns\n-------\ntuple"
    )
    assert keywords_of(Example)["size"].summary == "size of it"


def test_an_unknown_keyword_is_refused_with_the_nearest_one():
    with pytest.raises(TypeError, match=r"^example\(\) got an .* argument 'sise'\. Did you mean 'size'\?$"):
        example("x", sise=4)
    with pytest.raises(TypeError, match=r"^example\(\) got an unexpected keyword argument 'qqqq'$"):
        example("x", qqqq=4)


@pytest.mark.parametrize(
    ("call", "name", "meant"),
    [
        (graphne_layout, "exageration", "exaggeration"),
        (nx_graphne_layout, "n_iters", "n_iter"),
        (view, "colour", "color"),
        (plot, "edge_colour", "edge_color"),
        (embed, "temprature", "temperature"),
    ],
)
def test_the_public_functions_do_so_too(call, name, meant):
    with pytest.raises(TypeError, match=rf"{call.__name__}\(\) got an .* '{name}'. Did you mean '{meant}'\?"):
        call(nx.path_graph(3), **{name: 1})
    with pytest.raises(TypeError, match=r"GraphNE\(\) got an unexpected .* 'seed'"):
        GraphNE(seed=1)


@pytest.mark.parametrize(("function", "table"), FUNCTIONS.items(), ids=lambda value: value.__name__)
def test_every_function_shows_its_table(function, table):
    parameters = inspect.signature(function).parameters
    for name, keyword in keywords_of(table).items():
        assert parameters[name].default == keyword.default, name
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"\n{name} : " in inspect.getdoc(function), f"{name} is not in the help of {function.__name__}"
    assert "**keywords" not in inspect.getdoc(function)


def test_dataclasses_take_their_defaults_from_the_table():
    chosen = {name: default for name, default in defaults_of(EngineKeywords).items() if default is not None}
    assert chosen.items() <= vars(Options()).items()  # where the default is None, the graph decides
    for name in keywords_of(EngineKeywords):
        text = annotation_text(EngineKeywords, name)
        assert Options.__annotations__[name] in {text, text.removesuffix(" | None"), "Normalization", "Engine"}

    @defaults_from(Example)
    class Settings:
        size: int

    assert Settings.size == 3


def annotation_text(table, name):
    annotation = annotation_of(table, name)
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def test_select_takes_only_what_a_table_has():
    assert select(Example, {"size": 1, "weight": "w"}) == {"size": 1}
    assert "size : int, default 3" in describe(Example)


def test_an_export_repeats_what_a_layout_depends_on():
    parameters, _ = Task(as_graph(nx.path_graph(3))).provenance()
    assert set(REPEATED) == {*parameters, "weight"}


@pytest.mark.parametrize(
    ("command", "tables"),
    [("layout", [TaskKeywords]), ("view", [TaskKeywords]), ("embed", [SettingsKeywords])],
)
def test_the_command_shows_keywords_with_their_defaults(command, tables, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out.partition("options:")[2]
    for table in tables:
        for name, keyword in keywords_of(table).items():
            if name in {"fixed", "center", "dim"}:
                continue
            line = " ".join(shown.partition(f"--{name.replace('_', '-')} ")[2].partition("\n  --")[0].split())
            assert keyword.summary.split(":")[0].replace("`", "") in line
            if keyword.default is not None:
                assert f"default: {keyword.default}" in line


OTHERWISE = {
    "embedding/experiments/learning_dynamics.py": "an experiment with a schedule of its own",
    "layout/engine": "gets all of them from `Options`; its parts have neutral values to be used by themselves",
    "viewer/transport/wire.py": "a field of a frame",
}
OWN_MEANING = {
    "embedding/embedding.py": {"epochs"},  # of `update`: how much longer it trains
    "viewer/session/updating.py": {"nodes"},  # of `update`: the table beside the new edges
}
TABLES = {"layout/keywords.py", "embedding/keywords.py", "viewer/keywords.py"}
ONLY_HERE = {*keywords_of(ViewKeywords), *keywords_of(EmbedKeywords)} - {
    # Common words, which functions of other rooms have with meanings of their own.
    "callback", "center", "color", "dim", "edges", "label", "progress", "scale", "seed", "size", "start",
    "theme", "weight", "height", "live", "n_jobs", "pace", "norm", "cmap", "palette", "arrows", "curved",
}  # fmt: skip


def written_defaults(source):
    """Return the names of arguments and fields that have a literal as default, and of dictionary entries."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            ordinary = [*arguments.posonlyargs, *arguments.args]
            pairs = [*zip(reversed(ordinary), reversed(arguments.defaults), strict=False)]
            pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            yield from (a.arg for a, default in pairs if isinstance(default, ast.Constant))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
            yield node.target.id if isinstance(node.target, ast.Name) else ""


def test_the_search_for_defaults_finds_them():
    source = "def f(a, n_iter=5, *, dof=1, x=Y): ...\nclass C:\n    engine: str = 'auto'\n"
    assert set(written_defaults(source)) == {"n_iter", "dof", "engine"}


@pytest.mark.parametrize("room", ["layout", "embedding", "plotting", "viewer", "cli"])
def test_no_default_is_written_twice(room):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        if module not in TABLES and not module.startswith(tuple(OTHERWISE)):
            twice = ONLY_HERE & set(written_defaults(path.read_text()))
            twice -= OWN_MEANING.get(module, set())
            assert not twice, f"{module} has defaults of its own for {twice}"


def test_pictures_and_views_have_the_same_defaults_and_words():
    shared = keywords_of(DrawingKeywords)
    assert len(shared) > 10
    for name in shared:
        defaults = {inspect.signature(function).parameters[name].default for function in (plot, view)}
        assert len(defaults) == 1, name
        words = [inspect.getdoc(function).partition(f"\n{name} : ")[2].split("\n")[1] for function in (plot, view)]
        assert words[0] == words[1] != "", name


def test_the_help_does_not_list_hundreds_of_colours():
    for function in (plot, view):
        assert "\npalette : sequence of colours or mapping, optional\n" in inspect.getdoc(function)
        assert max(map(len, inspect.getdoc(function).splitlines())) <= 120


def test_the_length_of_vectors_has_one_default():
    assert {inspect.signature(f).parameters["dim"].default for f in (embed, GraphNE)} == {None}
    assert (embed(lattice(DIM + 2), epochs=1).dim, embed(lattice(20), epochs=1).dim) == (DIM, 20)
