"""Lazy imports: what they cost, what they say, and that every public name is there."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import graphne_viz
from graphne_viz._lazy import lazy_exports, lazy_import

PACKAGE = Path(graphne_viz.__file__).parent
PUBLIC = {
    "AddGraphNE", "held_out_link_auc", "tl",
    "Embedding", "Graph", "GraphNE", "GraphWidget", "Snapshot", "__version__", "class_report", "compare", "datasets",
    "distance_correlation", "embed", "evaluate", "graphne_layout", "ig_graphne_layout", "knn_accuracy",
    "learning_dynamics", "linear_accuracy", "link_prediction_auc", "linked", "misplaced", "neighbor_recall",
    "nx_graphne_layout", "plot", "plot_dynamics", "plot_history", "project", "recall_bounds", "two_hop_recall", "view",
}  # fmt: skip


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def typed_imports(source):
    """Return what ``if TYPE_CHECKING`` imports: local name to the module, or to the module and the name in it."""
    found = {}
    for block in ast.walk(ast.parse(source)):
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING":
            for node in block.body:
                if isinstance(node, ast.Import):
                    found |= {alias.asname or alias.name: alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def lazy_imports(source):
    """Return what ``name = lazy_import("module")`` imports: local name to the module."""
    for node in ast.walk(ast.parse(source)):
        called = node.value.func if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else None
        if getattr(called, "id", "") == "lazy_import":
            yield node.targets[0].id, node.value.args[0].value


def test_a_lazy_module_is_imported_at_its_first_attribute():
    code = (
        "import sys\nfrom graphne_viz._lazy import lazy_import\nwave = lazy_import('wave')\n"
        "print('wave' in sys.modules, repr(wave))\n"
        "print(wave.open is sys.modules['wave'].open, 'Wave_read' in dir(wave))"
    )
    assert run(code).split("\n")[:2] == ["False <lazily imported module 'wave'>", "True True"]


def test_a_lazy_module_shows_what_the_module_has_now(monkeypatch):
    lazy = lazy_import("colorsys")
    import colorsys

    assert lazy.rgb_to_hsv is colorsys.rgb_to_hsv
    monkeypatch.setattr(colorsys, "rgb_to_hsv", "replaced")
    assert lazy.rgb_to_hsv == "replaced"
    with pytest.raises(AttributeError, match="module 'colorsys' has no attribute 'nothing'"):
        _ = lazy.nothing


def test_a_missing_module_is_named_with_how_to_install_it():
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_module'"):
        _ = lazy_import("no_such_module").name
    with pytest.raises(ImportError, match=r"^this needs it: pip install it$"):
        _ = lazy_import("no_such_module.part", needs="this needs it: pip install it").name


def test_a_module_that_misses_another_one_says_so(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        _ = lazy_import("half_installed", needs="install half_installed").name


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_type_checkers_see_what_python_imports_lazily(module):
    source = module.read_text()
    typed = typed_imports(source)
    for name, target in lazy_imports(source):
        assert typed.get(name) == target, f"{module} imports {target} lazily as {name}, but types see {typed.get(name)}"


def test_every_public_name_is_listed_and_there():
    assert set(graphne_viz.__all__) == set(dir(graphne_viz)) == PUBLIC
    for name in PUBLIC:
        assert getattr(graphne_viz, name) is not None
    typed = typed_imports((PACKAGE / "__init__.py").read_text())
    assert set(typed) == PUBLIC
    for name, target in typed.items():
        assert graphne_viz._EXPORTS[name] == (target if name in {"datasets", "tl"} else target.rpartition(".")[0])


def test_public_names_are_loaded_once_and_unknown_ones_are_refused():
    assert "view" in vars(graphne_viz) or graphne_viz.view is vars(graphne_viz)["view"]
    with pytest.raises(AttributeError, match="module 'graphne_viz' has no attribute 'nothing'"):
        _ = graphne_viz.nothing
    load, listed, names = lazy_exports("graphne_viz", {"b": "x", "a": "x"})
    assert listed() == names == ["a", "b"]
    assert callable(load)


def test_the_version_and_the_data_sets_are_at_the_top():
    code = (
        "import sys, graphne_viz\nfrom graphne_viz.datasets import load\n"
        "print(graphne_viz.__version__, graphne_viz.datasets.load is load)"
    )
    from importlib.metadata import version

    assert run(code).split() == [version("graphne-viz"), "True"]


def test_star_imports_everything_public():
    assert run("from graphne_viz import *; print(compare.__name__, GraphNE.__name__)").split() == ["compare", "GraphNE"]


def test_star_imports_what_there_is_without_the_viewer():
    code = (
        "import sys\nsys.modules['anywidget'] = None  # as if it were not installed\n"
        "from graphne_viz import *\nimport graphne_viz\nprint(view.__name__, 'GraphWidget' in dir(graphne_viz))\n"
        "try:\n    graphne_viz.GraphWidget\nexcept ModuleNotFoundError as error:\n    print(error.name)"
    )
    assert run(code).split() == ["view", "False", "anywidget"]


def test_no_other_mechanism_is_used():
    suppressed = {str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if "PLC0415" in path.read_text()}
    assert suppressed <= {"embedding/training/compiled_step.py"}  # which loads a library for its effect alone


def test_a_module_can_be_imported_as_if_what_it_can_do_without_were_missing():
    code = (
        "import sys\nfrom graphne_viz._lazy import import_without, lazy_import\n"
        "import_without('igraph', 'matplotlib')\nigraph = lazy_import('igraph')\n"
        "print(igraph.Graph.Famous('Zachary').vcount(), 'matplotlib' in sys.modules)\n"
        "import matplotlib.colors\nprint(matplotlib.colors.to_hex('red'))"
    )
    assert run(code).split("\n")[:2] == ["34 False", "#ff0000"]


def test_the_command_finds_communities_without_matplotlib(tmp_path):
    import networkx as nx

    nx.write_graphml(nx.les_miserables_graph(), tmp_path / "g.graphml")
    code = (
        "import sys\nfrom graphne_viz.cli import main\n"
        f"sys.argv = ['graphne', 'layout', {str(tmp_path / 'g.graphml')!r}, '-o', {str(tmp_path / 'g.gexf')!r}]\n"
        "main()\nprint(sorted({'igraph', 'matplotlib.pyplot'} & set(sys.modules)))"
    )
    assert run(code).split("\n")[-2] == "['igraph']"
    assert len(set(re.findall(r"<viz:color [^>]*>", (tmp_path / "g.gexf").read_text()))) == 6, "communities"
