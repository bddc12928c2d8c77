"""The built files of the viewer."""

from __future__ import annotations

import os
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"


def read_bundle(name: str) -> str:
    """Return the text of a built file.

    Raises
    ------
    FileNotFoundError
        If the viewer has not been built.
    """
    return _find(name).read_text(encoding="utf-8")


def widget_source(name: str) -> Path | str:
    """Return a built file as anywidget takes it: its text, because it never releases a widget whose code is a path."""
    path = _find(name)
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return path  # whoever works on the viewer wants to see changes at once
    return read_bundle(name) + "\n"  # one line could be taken for a path


def _find(name: str) -> Path:
    path = STATIC / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: the viewer has not been built; run `make bundle` in a checkout")
    return path
