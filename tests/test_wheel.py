"""What is installed is what is in the wheel, so the wheel is opened."""

import ast
import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphne_viz"


BUNDLE = [f"graphne_viz/viewer/static/{name}.{kind}" for name in ("widget", "page", "serve") for kind in ("js", "css")]
# Bytes, as a server would send them: the viewer in a notebook, in a page, and what `graphne view` adds to the first.
MOST_BUNDLE, MOST_ADDED = 100_000, 3_000


def build(kind, source, folder, **environment):
    code = f"import sys; from hatchling.build import build_{kind} as build; print(build(sys.argv[1]))"
    return subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=source,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def built(kind, source, folder, **environment):
    """Return the path of what is built."""
    done = build(kind, source, folder, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    with zipfile.ZipFile(built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """Return the folder that an sdist is unpacked to."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(built("sdist", ROOT, folder)) as opened:
        opened.extractall(folder, filter="data")
    (source,) = [path for path in folder.iterdir() if path.is_dir()]
    return source


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return a folder that has what is in the wheel, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)  # noqa: S202 -- a zip file, and our own
    return folder


def run_from(folder, code):
    """Run code where the package of a folder is found first, and nothing of it but what is there."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_every_module_is_there_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    modules = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
    assert modules <= names
    assert {"graphne_viz/py.typed", "graphne_viz/evaluation/benchmark/paper_table.csv"} <= names
    assert all(name.startswith("graphne_viz/") for name in names)
    assert not [name for name in names if "test" in name.lower() or name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_command_is_installed(wheel):
    (entry_points,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "graphne = graphne_viz.cli:main" in wheel.read(entry_points).decode()


def test_the_licence_and_the_light_dependencies_are_declared(wheel):
    (metadata,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    lines = wheel.read(metadata).decode().splitlines()
    assert "License-Expression: BSD-3-Clause" in lines
    required = [line for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert required
    assert not [line for line in required if any(word in line for word in ("torch", "anywidget", "igraph"))]
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())


def test_the_package_works_from_the_wheel_alone(installed):
    code = "import graphne_viz.plotting.plot as p, graphne_viz.cli; print(p.__file__)"
    assert Path(run_from(installed, code).strip()).is_relative_to(installed)


def test_the_bundle_is_there_and_small(wheel):
    files = [wheel.read(name) for name in BUNDLE]
    assert all(files)
    for kind, most in ((files[:2], MOST_BUNDLE), (files[2:4], MOST_BUNDLE), (files[4:], MOST_ADDED)):
        assert sum(len(gzip.compress(file)) for file in kind) <= most
    assert b"export" in files[0]
    # Nothing is loaded from elsewhere: neither modules nor fonts nor pictures.
    assert not [word for word in (b"import(", b"https://", b"@import", b"url(") if word in b"".join(files)]
    # The page's stand within the page, whatever its encoding.
    assert b"".join(files[2:]).isascii()
    assert not [word for word in (b"</script", b"<!--", b"<script") if word in files[2].lower()]
    assert b"</style" not in files[3]


def test_a_widget_is_made_from_the_wheel_alone(installed):
    code = """
import networkx as nx
from graphne_viz import view
G = nx.path_graph(3)
widget = view(G, pos=nx.circular_layout(G))
print(ascii(str(widget._esm)))
print(ascii(str(widget._css)))
"""
    shown = [ast.literal_eval(line).rstrip() for line in run_from(installed, code).splitlines()]
    assert shown == [(installed / name).read_text().rstrip() for name in BUNDLE[:2]]


def test_a_page_is_written_from_the_wheel_alone(installed):
    code = """
import sys
sys.modules["anywidget"] = None  # as if it were not installed
import networkx as nx, numpy as np
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.export.html_page import page
from graphne_viz.viewer.export.panel import Panel
graph = as_graph(nx.path_graph(3))
print(page([Panel.draw(graph, np.eye(3)[:, :2])]))
"""
    written = run_from(installed, code)
    assert (installed / BUNDLE[2]).read_text().strip() in written


def test_a_wheel_can_be_made_from_an_sdist_without_node(wheel, sdist, tmp_path):
    assert (sdist / "js" / "src" / "hosts" / "widget.ts").is_file()
    assert (sdist / "js" / "package-lock.json").is_file()
    assert not (sdist / "js" / "node_modules").exists()
    with zipfile.ZipFile(built("wheel", sdist, tmp_path, PATH="")) as second:
        assert sorted(second.namelist()) == sorted(wheel.namelist())
        assert [second.read(name) for name in BUNDLE] == [wheel.read(name) for name in BUNDLE]


def test_nothing_but_an_editable_install_does_without_the_bundle(sdist, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(sdist, source)
    (source / BUNDLE[1]).unlink()
    for kind in ("wheel", "sdist"):
        done = build(kind, source, tmp_path, PATH="")
        assert done.returncode != 0
        assert "bundle graphne_viz/viewer/static/widget.css is missing" in done.stderr
        assert "install Node" in done.stderr
    assert built("editable", source, tmp_path, PATH="").is_file()


def test_a_bundle_older_than_its_sources_is_not_packed(sdist, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(sdist, source)
    (source / "js" / "src" / "hosts" / "widget.ts").touch()
    done = build("wheel", source, tmp_path, PATH="")
    assert done.returncode != 0
    assert "bundle is older than its sources" in done.stderr
