"""Environments of their own, from wheels that are kept: what was downloaded once is there without the network."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Settings of the caller that would decide what is imported or installed.
_FOREIGN = ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "VIRTUAL_ENV", "PYTEST_", "NUMBA_")


class CannotBeTriedError(Exception):
    """Why an environment cannot be had here."""


@dataclass
class Environment:
    """A folder with a Python and the packages that were asked for.

    Attributes
    ----------
    folder : Path
        Where it is; `python` lies in it.
    notes : list of str
        What the table should say of how it was made.
    """

    folder: Path
    notes: list[str]

    @property
    def python(self) -> Path:
        """Its Python."""
        windows = self.folder / "Scripts" / "python.exe"
        return windows if windows.exists() else self.folder / "bin" / "python"

    def run(
        self, *arguments: str | Path, cwd: Path, variables: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run its Python, and return what it printed, both streams as one."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(_FOREIGN)}
        # Compiled loops of other versions of numba would be thrown away in turns.
        environment |= {"NUMBA_CACHE_DIR": str(self.folder / "numba"), **(variables or {})}
        return subprocess.run(
            [self.python, *arguments],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )

    def versions(self, *packages: str) -> str:
        """Return the installed versions of some packages, as in ``numpy 2.4.6``."""
        code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        found = self.run("-c", code, *packages, cwd=self.folder).stdout.split()
        return ", ".join(f"{name} {version}" for name, version in zip(packages, found, strict=True))


class Environments:
    """Makes environments within one folder.

    Parameters
    ----------
    folder : Path
        Where they and the wheels are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(
        self, name: str, python: str, requirements: Sequence[str], *, within: Environment | None = None
    ) -> Environment:
        """Make an environment anew, with the newest versions that the requirements allow.

        Parameters
        ----------
        name : str
            Of the folder.
        python : str
            Version, as in ``"3.12"``.
        requirements : sequence of str
            What pip is asked for.
        within : Environment, optional
            Another one, whose packages it has, too; for the same Python.

        Raises
        ------
        CannotBeTriedError
            Where the Python or a package is not to be had.
        """
        wheels = self._folder / "wheels" / python
        wheels.mkdir(parents=True, exist_ok=True)
        made = Environment(self._folder / name, [])
        shutil.rmtree(made.folder, ignore_errors=True)
        self._call([*find_python(python), "-m", "venv", made.folder], f"no environment of Python {python}")
        pip = [made.python, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
        if within is not None:
            _add_packages(made, within)
        # A pip that can read what it is asked for; the one that came with Python may be years old.
        self._renew(pip, wheels, ["pip"], made)
        self._install(pip, wheels, ["--upgrade", "pip"])
        made.notes.clear()
        self._renew(pip, wheels, requirements, made)
        try:
            self._install(pip, wheels, requirements)
        except CannotBeTriedError as error:
            raise CannotBeTriedError("; ".join([str(error), *made.notes])) from None
        return made

    def _renew(self, pip: Sequence[str | Path], wheels: Path, requirements: Sequence[str], made: Environment) -> None:
        """Put the wheels of all that is asked for into the folder, where the network has them."""
        done = _quiet([*pip, "wheel", "--wheel-dir", wheels, "--find-links", wheels, *requirements])
        if done.returncode:
            made.notes.append(f"from wheels kept before ({_last_error(done.stdout)})")

    def _install(self, pip: Sequence[str | Path], wheels: Path, requirements: Sequence[str]) -> None:
        install = [*pip, "install", "--no-index", "--find-links", wheels, *requirements]
        self._call(install, "not to be had here, nor kept from before")

    def _call(self, command: Sequence[str | Path], trouble: str) -> None:
        done = _quiet(command)
        if done.returncode:
            raise CannotBeTriedError(f"{trouble}: {_last_error(done.stdout)}")


def _last_error(printed: str) -> str:
    errors = [line for line in printed.splitlines() if line.startswith(("ERROR", "Error"))]
    return (errors or printed.splitlines() or ["no message"])[-1]


def find_python(version: str) -> list[str]:
    """Return the command of a version of Python, as in ``"3.12"``.

    Raises
    ------
    CannotBeTriedError
        If it is not installed.
    """
    candidates = [[found] for found in [shutil.which(f"python{version}")] if found]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates += [[str(path / "bin" / "python")] for path in sorted(pyenv.glob(f"{version}.*"), reverse=True)]
    candidates += [[found, f"-{version}"] for found in [shutil.which("py")] if found]
    asks = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    for command in candidates:
        # A command of pyenv's may be there for a version that is not.
        if _quiet([*command, "-c", asks]).stdout.strip() == version:
            return command
    raise CannotBeTriedError(f"Python {version} is not installed")


def _add_packages(made: Environment, within: Environment) -> None:
    """Let an environment import and count as installed what another one has."""
    asks = "import sysconfig; print(sysconfig.get_path('purelib'))"
    theirs, own = (_quiet([one.python, "-c", asks]).stdout.strip() for one in (within, made))
    (Path(own) / "within.pth").write_text(f"{theirs}\n")


def _quiet(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
