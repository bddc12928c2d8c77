"""Use live views for a long time and see that nothing grows: ``make soak``, or ``make soak HOURS=8``.

The stories take turns of the time. Memory, threads, open files, elements, listeners and WebGL contexts are measured
after each round and printed as curves; the exit code is 1 if one of them grows.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path

from playwright.sync_api import sync_playwright

# The tests are no installed package.
sys.path.append(str(Path(__file__).parents[2] / "tests"))

from browser.conftest import ARGUMENTS
from curves import HEAD, Curves
from stories import STORIES

LEAST = 9
"""Rounds of a story, however little time there is: fewer have no thirds to compare."""


def main() -> int:
    """Print the table; return 1 if something grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=0.1, help="of all stories together (default: 0.1)")
    parser.add_argument("--story", choices=STORIES, action="append", help="this one only; may be repeated")
    options = parser.parse_args()
    command = shutil.which("chromium")
    if command is None:
        sys.exit("views are opened in Chromium, and there is no command named chromium")
    stories = options.story or list(STORIES)
    rows, growing = [], False
    with sync_playwright() as playwright:
        for name in stories:
            browser = playwright.chromium.launch(executable_path=command, args=ARGUMENTS)
            curves, began = Curves(), time.monotonic()
            with closing(STORIES[name](browser)) as rounds:
                for measured in rounds:
                    curves.add(measured)
                    figures = ", ".join(f"{key} {value:,.4g}" for key, value in measured.items())
                    print(f"{name}, round {curves.rounds}: {figures}", file=sys.stderr, flush=True)
                    if curves.rounds >= LEAST and time.monotonic() - began > 3600 * options.hours / len(stories):
                        break
            browser.close()
            spent = time.monotonic() - began
            rows += curves.rows(f"{name}, {curves.rounds} rounds in {spent / 60:.0f} min")
            growing |= bool(curves.growing())
    print(HEAD, *rows, sep="\n")
    return int(growing)


if __name__ == "__main__":
    sys.exit(main())
