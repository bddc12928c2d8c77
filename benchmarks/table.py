"""The table of 683,159 nodes in Chromium: from the click to the rows, opened and sorted by numbers, classes and names.

    python benchmarks/table.py

Drawing itself is left out, as in viewer.py.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from browser import WITHOUT_DRAWING, chromium
from graphs import available

from graphne_viz import datasets, view

NAME = "debian_contents"
TURNS = 3

# From the click until the frame after rows with other words are there.
_CLICK = """
async ([button, before]) => {
  const rows = () => [...document.querySelectorAll('.graphne-table-body [role=row]')].map((row) => row.textContent);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const begun = performance.now();
  document.querySelector(button).click();
  while (rows().length === 0 || JSON.stringify(rows()) === before) await frame();
  await frame();
  return [performance.now() - begun, JSON.stringify(rows())];
}
"""


def measure(page, key):
    """Return milliseconds to open the table, and to sort it by a column."""
    page.locator(".graphne-surface").wait_for()
    page.wait_for_timeout(5_000)  # what is loaded at first is not what is measured
    page.evaluate("window.drawing = false")
    opened, rows = page.evaluate(_CLICK, ["button[aria-label=Table]", ""])
    ways = []
    for one in key:
        taken, rows = page.evaluate(_CLICK, [f'[data-sort="{one}"]', rows])
        ways.append(taken)
    return [opened, *ways]


def main():
    """Print the figures."""
    if not available([NAME]):
        return
    graph = datasets.load(NAME)
    positions = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder) / "page.html"
        w = view(graph, positions, color="class", label=None)
        w.to_html(path)
        w.close()
        columns = ["degree", "a:class", "node"]
        times = []
        for _ in range(TURNS):
            page = browser.new_page()
            page.add_init_script(WITHOUT_DRAWING)
            page.goto(path.as_uri())
            times.append(measure(page, columns))
            page.close()
    print(f"{NAME}: {graph.n_nodes:,} nodes, median of {TURNS} pages in Chromium, from the click to the rows")
    for name, found in zip(["opened", *(f"sorted by {one}" for one in columns)], zip(*times, strict=True), strict=True):
        print(f"{name}: {median(found):.0f} ms")


if __name__ == "__main__":
    main()
