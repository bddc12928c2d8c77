"""Chromium and JupyterLab, started as the tests start them."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

# The tests are no installed package.
sys.path.append(str(Path(__file__).parents[1]))

from tests.browser.conftest import ARGUMENTS
from tests.browser.lab import DRIVER, Notebook, running_lab

__all__ = ["DRIVER", "WITHOUT_DRAWING", "Notebook", "chromium", "running_lab"]

# For pages that are timed once ``window.drawing`` is false: software would draw on the cores that are timed.
WITHOUT_DRAWING = """
window.drawing = true;
for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...rest) {
    if (window.drawing) draw.apply(this, rest);
  };
}
"""


@contextmanager
def chromium(*arguments):
    """Run the browser of the tests, with drawing by software; takes further arguments of the command."""
    command = shutil.which("chromium")
    if command is None:
        sys.exit("the viewer is measured in Chromium, and there is no command named chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command, args=[*ARGUMENTS, *arguments])
        try:
            yield browser
        finally:
            browser.close()
