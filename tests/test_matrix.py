"""The scripts of make matrix: what they ask for, which tests they skip, and what they say of what cannot be had."""

import argparse
import doctest
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "scripts" / "matrix"


@pytest.fixture
def script(monkeypatch):
    """Import a script by its name, and leave nothing of it behind."""
    monkeypatch.syspath_prepend(FOLDER)
    names = [path.stem for path in FOLDER.glob("*.py") if path.stem != "__main__"]
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)


@pytest.fixture
def declared(script, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        """
        [project]
        name = "some-thing"
        classifiers = ["Programming Language :: Python :: 3", "Programming Language :: Python :: 3.11",
                       "Programming Language :: Python :: 3.13", "Typing :: Typed"]
        dependencies = ["numpy>=2.0", "scipy>=1.15"]
        [project.optional-dependencies]
        data = ["pooch>=1.8"]
        embed = ["torch>=2.4"]
        all = ["some-thing[data,embed]", "igraph>=0.11.2", "pooch>=1.8"]
        [dependency-groups]
        test = ["pytest>=8.3", "torch>=2.4"]
        """
    )
    (tmp_path / "constraints.txt").write_text("# tested\nnumpy==2.4.6\ntorch==2.13.0\n")
    return script("declared").Declared(tmp_path)


def test_what_is_tried_is_read_from_what_is_declared(declared):
    assert declared.pythons == ["3.11", "3.13"]
    assert declared.extras == ["data", "embed", "all"]
    assert declared.packages() == ["numpy>=2.0", "scipy>=1.15"]
    assert declared.group("test", without=["torch"]) == ["pytest>=8.3"]
    assert declared.pinned("torch") == "2.13.0"


def test_an_extra_brings_what_the_extras_in_it_bring_once(declared):
    assert declared.packages("all") == ["pooch>=1.8", "torch>=2.4", "igraph>=0.11.2"]


def test_the_oldest_versions_are_those_of_the_lower_bounds(script):
    oldest = script("declared").oldest
    assert oldest(["a>=1.2.3", "b-c[x,y] >= 2", "d==0.7"]) == ["a==1.2.3", "b-c[x,y]==2", "d==0.7"]


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy>=2,<3", "numpy>=2; python_version<'3.12'"])
def test_a_requirement_without_one_lower_bound_is_refused(script, requirement):
    with pytest.raises(ValueError, match=rf"{re.escape(repr(requirement))} in pyproject.toml names no oldest version"):
        script("declared").oldest([requirement])


def test_every_requirement_of_the_project_can_be_tried(script):
    declarations = script("declared")
    project = declarations.Declared(ROOT)
    needed = [*project.packages(), *project.group("test")]
    needed += [one for extra in project.extras for one in project.packages(extra)]
    assert {"numpy", "torch", "igraph", "pytest"} <= {declarations.package_name(one) for one in needed}
    assert all(re.search(r"==\d", one) for one in declarations.oldest(needed))


def test_a_python_that_is_not_installed_is_named(script):
    environments = script("environments")
    with pytest.raises(environments.CannotBeTriedError, match=r"Python 3\.2 is not installed"):
        environments.find_python("3.2")


def test_this_python_is_found(script):
    version = ".".join(map(str, sys.version_info[:2]))
    command = script("environments").find_python(version)
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"Python {version}.")


@pytest.fixture
def missing(script, monkeypatch):
    plugin = script("without_packages")
    monkeypatch.setattr(plugin, "ABSENT", ["nothing_of_the_kind"])
    monkeypatch.setattr(plugin, "_SAID", re.compile("No module named '(nothing_of_the_kind)[.']"))
    return plugin._missing


def caught(code):
    try:
        exec(code, {})  # noqa: S102 -- the tests' own
    except Exception as error:  # noqa: BLE001 -- the tests name what it must be
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    "code",
    [
        "import nothing_of_the_kind",
        "import nothing_of_the_kind.part",
        "try:\n import nothing_of_the_kind\nexcept ImportError as error:\n raise ValueError('no') from error",
        "try:\n import nothing_of_the_kind\nexcept ImportError:\n raise SystemError('no')",
    ],
)
def test_a_test_that_stumbles_over_an_absent_package_is_told(missing, code):
    assert missing(caught(code)) == "nothing_of_the_kind"


@pytest.mark.parametrize("code", ["import another_of_the_kind", "raise ValueError('nothing_of_the_kind')", "1 / 0"])
def test_any_other_failure_stays_one(missing, code):
    assert missing(caught(code)) is None


def test_an_example_in_a_docstring_that_needs_an_absent_package_is_told(missing):
    example = doctest.DocTestParser().get_doctest(">>> import nothing_of_the_kind", {}, "it", None, 0)
    with pytest.raises(doctest.UnexpectedException) as info:
        doctest.DebugRunner().run(example)
    assert missing(info.value) == "nothing_of_the_kind"


@pytest.mark.parametrize(("ename", "package"), [("ModuleNotFoundError", "nothing_of_the_kind"), ("ValueError", None)])
def test_a_notebook_that_needs_an_absent_package_is_told(missing, ename, package):
    error = CellExecutionError("No module named 'nothing_of_the_kind'\n\nit needs that", ename, "it needs that")
    assert missing(error) == package


@pytest.fixture
def matrix(script):  # noqa: ARG001 -- finds what it imports
    spec = importlib.util.spec_from_file_location("matrix_main", FOLDER / "__main__.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["matrix_main"] = module  # its dataclasses ask for it
    spec.loader.exec_module(module)
    yield module
    del sys.modules["matrix_main"]


def test_the_oldest_python_has_the_oldest_versions_and_others_the_newest(matrix):
    made = matrix.Matrix(1)
    assert made._of_age(made.pythons[0], ["numpy>=2.0"]) == ["numpy==2.0", *matrix.COMPANIONS]
    assert made._of_age(made.pythons[-1], ["numpy>=2.0"]) == ["numpy"]


def test_what_cannot_be_had_is_skipped_with_the_reason_and_what_fails_fails(matrix):
    made = matrix.Matrix(1)

    def nothing():
        raise matrix.CannotBeTriedError("no wheel")

    skipped = made._tried("3.12", "wheel[embed]", nothing)
    assert (str(skipped), skipped.failed) == ("| 3.12 | newest | wheel[embed] | skipped: no wheel |", False)
    environment = importlib.import_module("environments").Environment(Path(sys.prefix), ["1 failed"])
    failed = made._tried("3.11", "wheel", lambda: (environment, "AssertionError: no"))
    assert failed.failed
    assert re.fullmatch(r"FAILED: AssertionError: no; 1 failed; \d+ s", failed.outcome)
    assert failed.versions.startswith(f"oldest: numpy {np.__version__}, scipy ")


def test_only_the_parts_and_pythons_that_are_asked_for_are_tried(matrix, monkeypatch):
    made, tried = matrix.Matrix(1), []
    for part in ("tests", "wheels", "hosts"):
        monkeypatch.setattr(made, part, lambda python, *_, part=part: tried.append((part, python)) or [])

    def choose(only, python):
        tried.clear()
        list(matrix._chosen(made, argparse.Namespace(only=only, python=python, screenshots=None)))
        return tried

    assert choose(["tests"], ["3.13"]) == [("tests", "3.13")]
    assert choose(["wheels", "hosts"], ["3.12", "3.13"]) == [("wheels", "3.12"), ("wheels", "3.13"), ("hosts", "3.12")]
    every = [(part, python) for python in made.pythons for part in ("tests", "wheels")]
    assert choose(None, None) == [*every, ("hosts", made.pythons[0])]


def test_nodes_have_moved_only_between_pictures_of_one_size(script):
    moved = script("hosts").moved
    empty, drawn = np.full((40, 60, 3), 255, np.uint8), np.zeros((40, 60, 3), np.uint8)
    pictures = [empty]
    assert not moved(pictures, empty)
    assert moved(pictures, drawn)
    # A host gives the view another size: what is drawn then is where it will be compared with.
    larger = np.zeros((40, 80, 3), np.uint8)
    assert not moved(pictures, larger)
    assert not moved(pictures, larger)
    assert moved(pictures, larger + 255)
