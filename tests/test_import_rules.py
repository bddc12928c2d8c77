"""The sentences of CONTRIBUTING.md about who may know whom, held true."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import graphne_viz

PACKAGE = Path(graphne_viz.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
FRONT_DOORS = {Path(name) for name in ("__init__.py", "__main__.py", "datasets.py", "tl.py")}
"""Open to the rooms, and no room enters by them."""

ROOMS = ("_tools", "graphs", "layout", "embedding", "evaluation", "encoding", "plotting", "viewer", "cli")
"""From left to right: a room imports from itself and from those before it."""

GRAPH_LIBRARIES = {"networkx", "igraph", "rustworkx", "pandas", "polars", "anndata", "torch_geometric", "dgl"}
TORCH = ("embedding/", "layout/engine/torch")
BELOW = {"transport": set(), "run": {"transport", "background_threads"}}
"""Of the viewer's own parts, those that a part may import beside itself."""

HOSTS = {"widget", "server", "linked", "view", "compare"}
WIDGETS = {Path("viewer/widget.py"), Path("viewer/linked.py")}
HEAVY = GRAPH_LIBRARIES | {"torch", "anywidget", "matplotlib", "numba", "openTSNE", "sklearn", "tqdm"}
# Beyond numpy's; counted, because a time would depend on the machine.
MOST_MODULES = 20

OF_LIBRARIES = {
    # By these one tells the objects of other libraries.
    "is_multigraph": "networkx",
    "vcount": "igraph",
    "get_edgelist": "igraph",
    "induced_subgraph": "igraph",
    "node_indices": "rustworkx",
    "weighted_edge_list": "rustworkx",
    "edge_index": "PyTorch Geometric",
    "ndata": "DGL",
    "edata": "DGL",
    "obsp": "AnnData",
    "obsm": "AnnData",
    "iloc": "pandas",
    "columns": "pandas and polars",
    "with_columns": "polars",
    "detach": "torch",
}


def room_of(module):
    """Return the room of a module given by its path within the package; those at the top are tools of all rooms."""
    return "_tools" if module.parts[0].startswith("_") else module.parts[0]


def imported_names(source, module):
    """Return every dotted name a module imports anywhere, with relative imports resolved."""
    package = ("graphne_viz", *module.parent.parts)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in {"import_module", "__import__", "lazy_import"}:
            yield from (str(part.value) for part in node.args[:1] if isinstance(part, ast.Constant))


def called(node):
    """Return the last name of what a call calls."""
    return getattr(node.func, "attr", getattr(node.func, "id", None))


def recognitions(source):
    """Return how a module tells objects of other libraries without importing these: by attributes, modules, names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            libraries = [text for text in texts if str(text).partition(".")[0] in GRAPH_LIBRARIES]
            if called(node) in {"hasattr", "getattr"}:
                yield from (f"{called(node)} {text}" for text in texts if text in OF_LIBRARIES)
            elif called(node) in {"is_instance", "find_spec"} or "modules" in ast.dump(node.func):
                yield from (f"{called(node)} {library}" for library in libraries)
            elif called(node) == "startswith" and "__module__" in ast.dump(node.func):
                yield from (f"__module__ {library}" for library in libraries)
        elif isinstance(node, ast.Compare):
            told = any(name in ast.dump(node) for name in ("'__module__'", "'__name__'", "'__qualname__'"))
            texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            yield from (f"compares {t}" for t in texts if told and str(t).partition(".")[0] in GRAPH_LIBRARIES)


def imports_of(module):
    return list(imported_names((PACKAGE / module).read_text(), module))


def libraries_of(module):
    return {name.partition(".")[0] for name in imports_of(module)}


def test_the_parser_sees_every_way_to_import():
    source = """
import torch.nn as nn, os
def f():
    from ..layout import api
    from . import drawing
    importlib.import_module("networkx")
dgl = lazy_import("dgl.data")
if TYPE_CHECKING:
    from pandas import DataFrame
"""
    assert set(imported_names(source, Path("plotting/plot.py"))) == {
        "torch.nn",
        "os",
        "graphne_viz.layout.api",
        "graphne_viz.plotting.drawing",
        "networkx",
        "dgl.data",
        "pandas.DataFrame",
    }


def test_the_parser_sees_how_objects_of_other_libraries_are_told():
    source = """
if hasattr(G, "obsp") or getattr(G, "columns", None) or hasattr(G, "ids"): ...
if type(G).__module__.startswith("networkx.classes") or type(G).__module__ == "igraph": ...
if type(G).__module__.partition(".")[0] in {"polars", "numpy"}: ...
if is_instance(G, "rustworkx", "PyGraph") or sys.modules.get("dgl") or sys.modules["anndata"]: ...
if graph.origin == "networkx": ...
"""
    assert sorted(recognitions(source)) == [
        "__module__ networkx.classes",
        "compares igraph",
        "compares polars",
        "get dgl",
        "getattr columns",
        "hasattr obsp",
        "is_instance rustworkx",
    ]


@pytest.mark.parametrize("module", [m for m in MODULES if m not in FRONT_DOORS], ids=str)
def test_rooms_import_only_from_the_left(module):
    room = room_of(module)
    assert room in ROOMS, f"{module} is in no room of {ROOMS}"
    for name in imports_of(module):
        if name.startswith("graphne_viz."):
            other = room_of(Path(*name.split(".")[1:]))
            assert other in ROOMS, f"{module} imports {name}"
            assert ROOMS.index(other) <= ROOMS.index(room), f"{module} imports {name}"


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[:1] == ("viewer",) and len(m.parts) > 2], ids=str)
def test_within_the_viewer_nobody_knows_its_users(module):
    _, part, *_ = module.parts
    viewer = [name.split(".")[2:] for name in imports_of(module) if name.startswith("graphne_viz.viewer.")]
    if part in BELOW:
        assert {first for first, *_ in viewer} <= {part, *BELOW[part]}, f"{module} imports {viewer}"
    elif part == "session":
        assert not {first for first, *_ in viewer} & {*HOSTS, "export"}, f"{module} imports {viewer}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_their_rooms_know_other_libraries(module):
    libraries = libraries_of(module)
    if room_of(module) != "graphs":
        assert not libraries & GRAPH_LIBRARIES
    if not module.as_posix().startswith(TORCH):
        assert "torch" not in libraries
    if module not in WIDGETS:
        assert not libraries & {"anywidget", "traitlets"}


@pytest.mark.parametrize("module", [m for m in MODULES if room_of(m) != "graphs"], ids=str)
def test_only_graphs_recognises_the_graphs_of_other_libraries(module):
    assert not list(recognitions((PACKAGE / module).read_text()))


def test_graphs_does_recognise_them():
    told = {told for m in MODULES if room_of(m) == "graphs" for told in recognitions((PACKAGE / m).read_text())}
    assert {"hasattr obsp", "hasattr edge_index", "is_instance networkx"} <= told


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_the_package_is_light_and_silent():
    code = "import sys, numpy; old = set(sys.modules); import graphne_viz; print(*(set(sys.modules) - old))"
    new = set(run(code).split())
    assert "graphne_viz" in new
    assert not {name.partition(".")[0] for name in new} & HEAVY
    assert len(new) <= MOST_MODULES, sorted(new)


@pytest.mark.parametrize(
    "module",
    [
        "plotting.plot",
        "encoding.columns",
        "viewer.transport.wire",
        "viewer.view",
        "plotting.training_curves",
        "layout.api",
        "embedding.api",
        "embedding.embedding",
        "evaluation.metrics.api",
        "cli",
    ],
)
def test_rooms_load_other_libraries_only_when_they_use_them(module):
    loaded = set(run(f"import sys, graphne_viz.{module}; print(*sys.modules)").split())
    assert not loaded & HEAVY


def test_asking_for_the_version_loads_nothing_heavy():
    code = (
        "import sys\nfrom graphne_viz.cli import main\ntry:\n    main(['--version'])\n"
        "except SystemExit:\n    print(*sys.modules)"
    )
    assert not set(run(code).split()) & HEAVY
