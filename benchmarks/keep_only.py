"""Keep only and undo on the 169,343 nodes of arXiv, in Chromium: from the click to the frame that shows it.

    python benchmarks/keep_only.py

Drawing itself is left out, as in viewer.py: software would do it on the same cores, for a second and more.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from browser import WITHOUT_DRAWING, chromium
from graphs import available

from graphne_viz import datasets, view

TURNS = 5

# From a click or a key until the frame after the line below the picture counts other nodes.
_KEEP = """
async (act) => {
  const facts = () => document.querySelector('.graphne-facts').textContent;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = facts();
  const surface = document.querySelector('.graphne-surface');
  const begun = performance.now();
  if (act === 'undo') {
    const key = { key: 'z', ctrlKey: true, bubbles: true, cancelable: true };
    surface.dispatchEvent(new KeyboardEvent('keydown', key));
  } else document.querySelector(act).click();
  while (facts() === before) await frame();
  await frame();
  return performance.now() - begun;
}
"""


def keep_only(browser):
    """Print how long it takes to keep half of arXiv's nodes, and to take that back."""
    graph = datasets.load("arxiv")
    positions = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        w = view(graph, positions, color=None, label=None)
        w.selection = list(graph.ids[: graph.n_nodes // 2])
        w.to_html(path)
        w.close()
        page = browser.new_page()
        page.add_init_script(WITHOUT_DRAWING)
        page.goto(path.as_uri())
        page.locator(".graphne-facts").filter(has_text="selected").wait_for()
        page.wait_for_timeout(5_000)  # what is loaded at first is not what is measured
        page.evaluate("window.drawing = false")
        kept, undone = [], []
        for _ in range(TURNS):
            page.locator(".graphne-surface").focus()
            page.keyboard.press("Shift+F10")
            button = 'button[aria-label="Keep only the selection"]'
            page.locator(button).wait_for()
            kept.append(page.evaluate(_KEEP, button))
            page.wait_for_timeout(1_000)
            undone.append(page.evaluate(_KEEP, "undo"))
            page.wait_for_timeout(1_000)
        page.close()
    print(f"arxiv: {graph.n_nodes:,} nodes, median of {TURNS}, from the click or key to the frame that shows it")
    print(f"keep only: {median(kept):.0f} ms")
    print(f"undo: {median(undone):.0f} ms")


def main():
    """Print the figures."""
    if available(["arxiv"]):
        with chromium() as browser:
            keep_only(browser)


if __name__ == "__main__":
    main()
