"""Puts the viewer's bundle into what is built: it is made by js/build.mjs and never committed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = tuple(
    f"graphne_viz/viewer/static/{name}.{kind}" for name in ("widget", "page", "serve") for kind in ("js", "css")
)


class BundleHook(BuildHookInterface):  # type: ignore[type-arg] -- the hook is the same for every kind of build
    """Refuses to build a wheel or an sdist without the bundle, and makes it where Node can."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- hatchling's signature
        """Make sure that the bundle is there and not older than its sources."""
        if version == "editable":  # nothing is packed, and `make` keeps the bundle fresh
            return
        root = Path(self.root)
        problem = _problem(root)
        if not problem:
            return
        npm = shutil.which("npm")
        if npm is None:
            self.app.abort(
                f"{problem}; it is made by npm, which is not there: install Node 20.19 or newer, "
                "or install graphne_viz from a wheel"
            )
            return
        if not (root / "js" / "node_modules").is_dir():
            _run(npm, "ci", root)
        _run(npm, "run", root, "build")
        problem = _problem(root)
        if problem:
            self.app.abort(f"{problem}, although npm run build succeeded")


def _problem(root: Path) -> str:
    """Say what is wrong with the bundle, nothing if it is fine."""
    bundle = [root / name for name in BUNDLE]
    for path in bundle:
        if not path.is_file() or not path.stat().st_size:
            return f"the viewer's bundle {path.relative_to(root)} is missing"
    sources = [root / "js" / "build.mjs", *(root / "js" / "src").rglob("*")]
    # All files of an sdist have one time, so that no wheel made from it needs npm.
    if max(map(_time, sources)) > min(map(_time, bundle)):
        return "the viewer's bundle is older than its sources in js/src"
    return ""


def _time(path: Path) -> float:
    return path.stat().st_mtime if path.is_file() else 0.0


def _run(npm: str, command: str, root: Path, *arguments: str) -> None:
    subprocess.run([npm, command, *arguments], cwd=root / "js", check=True)  # noqa: S603 -- our own scripts
