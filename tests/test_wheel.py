"""What is installed is what is in the wheel, so the wheel is opened."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphne_viz"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as opened:
        yield opened


def test_every_module_is_there_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    modules = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
    assert modules <= names
    assert "graphne_viz/py.typed" in names
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


def test_the_package_works_from_the_wheel_alone(wheel, tmp_path):
    wheel.extractall(tmp_path)
    code = "import graphne_viz.viewer.plot as p, graphne_viz.cli; print(p.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(tmp_path)
