"""What pyproject.toml declares: packages with their oldest versions, so that what is tried cannot drift from it."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?P<extras>\[[\w,-]+\])?\s*(?P<bound>>=|==)\s*(?P<version>[\w.]+)")


class Declared:
    """The packages that the project needs, by what needs them.

    Parameters
    ----------
    root : Path
        Folder with pyproject.toml and constraints.txt.
    """

    def __init__(self, root: Path) -> None:
        content = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        self._project = content["project"]
        self._groups = content["dependency-groups"]
        self._pinned = dict(
            line.split("==") for line in (root / "constraints.txt").read_text().splitlines() if "==" in line
        )

    @property
    def pythons(self) -> list[str]:
        """Versions of Python that the classifiers promise, the oldest first."""
        return [c.rpartition(" ")[2] for c in self._project["classifiers"] if re.search(r":: 3\.\d+$", c)]

    @property
    def extras(self) -> list[str]:
        """Names of the optional dependencies, in the order of the file."""
        return list(self._project["optional-dependencies"])

    def packages(self, extra: str | None = None) -> list[str]:
        """Return what is required without extras, or what one extra adds, with the extras it includes."""
        if extra is None:
            return list(self._project["dependencies"])
        found: list[str] = []
        for requirement in self._project["optional-dependencies"][extra]:
            included = re.fullmatch(rf"{self._project['name']}\[([\w,-]+)\]", requirement)
            if included is None:
                found.append(requirement)
            else:
                found += [one for name in included[1].split(",") for one in self.packages(name)]
        return list(dict.fromkeys(found))

    def group(self, name: str, *, without: Sequence[str] = ()) -> list[str]:
        """Return a dependency group but for some packages."""
        return [one for one in self._groups[name] if package_name(one) not in without]

    def pinned(self, package: str) -> str:
        """Return the version of a package that the project is tested with."""
        return self._pinned[package]


def package_name(requirement: str) -> str:
    """Return the package that a requirement is about.

    >>> package_name("numpy>=1.26")
    'numpy'
    """
    return _parsed(requirement)["name"]


def oldest(requirements: Iterable[str]) -> list[str]:
    """Return requirements of exactly the oldest versions that are allowed.

    >>> oldest(["numpy>=1.26", "sgtsnepi==0.7"])
    ['numpy==1.26', 'sgtsnepi==0.7']
    """
    parsed = map(_parsed, requirements)
    return [f"{one['name']}{one['extras'] or ''}=={one['version']}" for one in parsed]


def _parsed(requirement: str) -> re.Match[str]:
    found = _REQUIREMENT.fullmatch(requirement)
    if found is None:
        raise ValueError(f"{requirement!r} in pyproject.toml names no oldest version; write name>=version")
    return found
