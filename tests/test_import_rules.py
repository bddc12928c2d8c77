"""The sentences of CONTRIBUTING.md about imports, held true."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import graphne_viz

PACKAGE = Path(graphne_viz.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
FRONT_DOOR = Path("__init__.py")  # opens to every room
ROOMS = ("graphs", "layout", "embedding", "evaluation", "viewer", "cli")
GRAPH_LIBRARIES = {
    "networkx",
    "igraph",
    "rustworkx",
    "pandas",
    "polars",
    "anndata",
    "torch_geometric",
    "dgl",
}
HEAVY = GRAPH_LIBRARIES | {"torch", "anywidget", "matplotlib", "numba", "openTSNE", "sklearn", "tqdm"}
# Beyond numpy's; most belong to scipy.sparse. Counted, because a time would depend on the machine.
MOST_MODULES = 350


def room_of(module):
    """Return the room of a module given by its path within the package."""
    return module.parts[0].removesuffix(".py")


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
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            if called in {"import_module", "__import__"}:
                yield str(node.args[0].value)


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
if TYPE_CHECKING:
    from pandas import DataFrame
"""
    assert set(imported_names(source, Path("viewer/plot.py"))) == {
        "torch.nn",
        "os",
        "graphne_viz.layout.api",
        "graphne_viz.viewer.drawing",
        "networkx",
        "pandas.DataFrame",
    }


@pytest.mark.parametrize("module", [m for m in MODULES if m != FRONT_DOOR], ids=str)
def test_rooms_import_only_from_the_left(module):
    room = room_of(module)
    assert room in ROOMS, f"{module} is in no room of {ROOMS}"
    for name in imports_of(module):
        if name.startswith("graphne_viz."):
            other = name.split(".")[1]
            assert other in ROOMS, f"{module} imports {name}"
            assert ROOMS.index(other) <= ROOMS.index(room), f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_their_rooms_know_other_libraries(module):
    libraries = libraries_of(module)
    if room_of(module) != "graphs":
        assert not libraries & GRAPH_LIBRARIES
    if room_of(module) != "embedding":
        assert "torch" not in libraries
    if module != Path("viewer/widget.py"):
        assert "anywidget" not in libraries


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
    ["viewer.plot", "viewer.encoding", "viewer.columns", "viewer.wire", "viewer.history", "embedding.embedding", "cli"],
)
def test_drawing_loads_matplotlib_only_when_it_draws(module):
    loaded = set(run(f"import sys, graphne_viz.{module}; print(*sys.modules)").split())
    assert not loaded & HEAVY


def test_asking_for_the_version_loads_nothing_heavy():
    code = (
        "import sys\nfrom graphne_viz.cli import main\ntry:\n    main(['--version'])\n"
        "except SystemExit:\n    print(*sys.modules)"
    )
    assert not set(run(code).split()) & HEAVY
