"""Try the package with the oldest and the newest of what it builds upon: ``make matrix``.

Each line of the table is an environment of its own: all tests that need neither torch nor a browser, on the oldest
Python with the oldest versions that pyproject.toml declares and on the newer ones with the newest of everything; the
built wheel without extras, with each, and with all; and a live view in each host, in a browser. What cannot be had
here is named with the reason. Wheels are kept in ``.matrix``, which is all that is needed without the network.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from declared import Declared, oldest, package_name
from environments import CannotBeTriedError, Environments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from environments import Environment

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FOLDER = ROOT / ".matrix"
NO_TESTS = ("jupyterlab", "marimo", "playwright", "torch")
"""Packages of the tests in the browser, and the one that is gigabytes."""
# Warnings of packages about each other, which are theirs to repair: of anndata about
# pandas 3.1, of ipywidgets 8.1.5 about ipykernel.
OF_OTHERS = (
    *("-W", "ignore:The 'future.infer_string' option is deprecated:DeprecationWarning"),
    *("-W", "ignore:`ipykernel.pylab.backend_inline` is deprecated:DeprecationWarning"),
)
COMPANIONS = ("pyparsing<3.3",)
"""What the oldest versions need of the time: later ones have names that matplotlib did not know."""
TOLD = ("numpy", "scipy", "networkx", "numba")
HOSTS = {
    "jupyterlab": "jupyterlab",
    "notebook": "notebook",
    "voila": "voila",
    "marimo": "marimo",
    "panel": "panel",
    "shiny": "shiny",
    "nbconvert": "nbconvert",
    "graphne": "",
}
"""Hosts by the names of hosts.py, and the packages that bring them; ``graphne view`` is the wheel's own."""
HOST_TOOLS = ("ipykernel", "ipywidgets-bokeh", "pillow", "playwright", "pytest", "shinywidgets")
LIVE, WRITTEN = "a live view, seen to move", "a page with the finished picture"


@dataclass
class Row:
    """One line of the table."""

    python: str
    versions: str
    what: str
    outcome: str
    failed: bool = False

    def __str__(self) -> str:
        return f"| {self.python} | {self.versions} | {self.what} | {self.outcome} |"


class Matrix:
    """What is tried, line by line."""

    def __init__(self, workers: int) -> None:
        self._declared = Declared(ROOT)
        self._environments = Environments(FOLDER)
        self._workers = workers
        self._wheel: Path | None = None

    @property
    def pythons(self) -> list[str]:
        """The versions of Python that are promised, the oldest first."""
        return self._declared.pythons

    def tests(self, python: str) -> Iterator[Row]:
        """Run the tests in an environment of their own."""
        needed = [*self._declared.packages(), *self._declared.group("test", without=NO_TESTS)]
        what = "tests without torch and browser"
        yield self._tried(python, what, lambda: self._test(python, needed))

    def wheels(self, python: str) -> Iterator[Row]:
        """Install the wheel without extras, with each and with all, and try each."""
        base: Environment | None = None

        def alone() -> tuple[Environment, str | None]:
            nonlocal base
            base = self._environments.make(f"wheel-{python}", python, self._versions(python, None))
            return base, self._smoke(base)

        row = self._tried(python, "wheel", alone)
        yield row
        if base is None:
            return
        for extra in self._declared.extras:
            yield self._tried(python, f"wheel[{extra}]", lambda extra=extra: self._extra(python, extra, base))

    def hosts(self, python: str, screenshots: str | None) -> Iterator[Row]:
        """Watch a layout form in every host, in a browser."""
        try:
            made = self._environments.make("hosts", python, [f"{self._built()}[viewer]", *HOSTS.values(), *HOST_TOOLS])
        except CannotBeTriedError as reason:
            yield Row(python, "newest", "live view in hosts", f"skipped: {reason}")
            return
        for host, package in HOSTS.items():
            shots = [screenshots] if screenshots else []
            done = made.run(HERE / "hosts.py", host, *shots, cwd=FOLDER)
            (FOLDER / f"hosts-{host}.log").write_text(done.stdout, encoding="utf-8")
            outcome = "passed" if done.returncode == 0 else f"FAILED: see .matrix/hosts-{host}.log"
            versions = made.versions(package) if package else "the wheel"
            yield Row(python, versions, WRITTEN if host == "nbconvert" else LIVE, outcome, done.returncode != 0)

    def _test(self, python: str, needed: list[str]) -> tuple[Environment, str | None]:
        wanted = self._of_age(python, needed)
        made = self._environments.make(f"tests-{python}", python, wanted)
        made.run("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT, cwd=ROOT)
        arguments = ["-q", "-n", str(self._workers), "--ignore=tests/browser", "-p", "no:cacheprovider", *OF_OTHERS]
        variables = {"PYTHONPATH": str(HERE)}
        done = made.run("-m", "pytest", "-p", "without_packages", *arguments, cwd=ROOT, variables=variables)
        (FOLDER / f"tests-{python}.log").write_text(done.stdout, encoding="utf-8")
        counts = re.findall(r"\d+ (?:passed|failed|errors?|skipped)", (done.stdout.splitlines() or [""])[-1])
        made.notes.insert(0, ", ".join(counts) or f"pytest ended with {done.returncode}")
        return made, None if done.returncode == 0 else f"see .matrix/tests-{python}.log"

    def _of_age(self, python: str, needed: list[str]) -> list[str]:
        """Return requirements of the oldest versions on the oldest Python, elsewhere of the newest."""
        if python == self.pythons[0]:
            return [*oldest(needed), *COMPANIONS]
        return [package_name(one) for one in needed]

    def _extra(self, python: str, extra: str, base: Environment) -> tuple[Environment, str | None]:
        wanted = self._versions(python, extra)
        made = self._environments.make(f"wheel-{python}-{extra}", python, wanted, within=base)
        return made, self._smoke(made, extra)

    def _versions(self, python: str, extra: str | None) -> list[str]:
        """Return what pip is asked for: the wheel and the oldest or newest of what it needs."""
        needed = self._declared.packages(extra)
        wanted = self._of_age(python, needed)
        torch = f"torch=={self._declared.pinned('torch')}+cpu"
        wanted = [torch if re.match(r"torch\b", one) else one for one in wanted]
        return [f"{self._built()}" + (f"[{extra}]" if extra else ""), *wanted]

    def _smoke(self, made: Environment, *extras: str) -> str | None:
        with tempfile.TemporaryDirectory() as elsewhere:
            done = made.run("-I", "-W", "error", HERE / "smoke.py", *extras, cwd=Path(elsewhere))
        return None if done.returncode == 0 else (done.stdout.strip().splitlines() or ["no message"])[-1]

    def _built(self) -> Path:
        """Build the wheel, once."""
        if self._wheel is None:
            folder = FOLDER / "built"
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            self._wheel = max(folder.glob("*.whl"), key=lambda path: path.stat().st_mtime)
        return self._wheel

    def _tried(self, python: str, what: str, attempt: Callable[[], tuple[Environment, str | None]]) -> Row:
        age = "oldest" if python == self.pythons[0] else "newest"
        began = time.monotonic()
        try:
            made, trouble = attempt()
        except CannotBeTriedError as reason:
            return Row(python, age, what, f"skipped: {reason}")
        notes = [*made.notes, f"{time.monotonic() - began:.0f} s"]
        outcome = "passed" if trouble is None else f"FAILED: {trouble}"
        return Row(python, f"{age}: {made.versions(*TOLD)}", what, "; ".join([outcome, *notes]), trouble is not None)


def _chosen(matrix: Matrix, options: argparse.Namespace) -> Iterator[Row]:
    parts = options.only or ["tests", "wheels", "hosts"]
    pythons = options.python or matrix.pythons
    for python in pythons:
        if "tests" in parts:
            yield from matrix.tests(python)
        if "wheels" in parts:
            yield from matrix.wheels(python)
    if "hosts" in parts:
        yield from matrix.hosts(pythons[0], options.screenshots)


def main() -> int:
    """Print the table; return 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", help="try this version only; may be repeated")
    parser.add_argument("--only", choices=("tests", "wheels", "hosts"), action="append", help="try this part only")
    parser.add_argument("--workers", type=int, default=2, help="processes for the tests (default: 2)")
    parser.add_argument("--screenshots", metavar="FOLDER", help="keep a picture of each host")
    options = parser.parse_args()
    matrix = Matrix(options.workers)
    rows: list[Row] = []
    for row in _chosen(matrix, options):
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    print("| Python | versions | what | outcome |\n|---|---|---|---|")
    print(*rows, sep="\n")
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
