"""Take the README's picture of the live viewer: the digits in JupyterLab, in the middle of a run.

python benchmarks/screenshot.py docs/viewer.png
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from browser import DRIVER, Notebook, chromium, running_lab

CELL = """
from graphne_viz import view
from graphne_viz.graphs.datasets.api import digits

w = view(digits(), color="class", size="degree")
w
"""


def main():
    """Run a notebook, wait until the layout has formed, and keep what is seen of the cell and its view."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--until", type=int, default=560, help="iteration at which to pause (default: 560)")
    parser.add_argument("--exaggeration", type=float, default=1, help="attraction against repulsion (default: 1)")
    parser.add_argument("--theme", default="JupyterLab Light")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, running_lab(Path(home)) as lab, chromium() as browser:
        page = browser.new_page(viewport={"width": 1180, "height": 760}, device_scale_factor=2)
        page.add_init_script(path=DRIVER)
        lab.show(page)
        notebook = Notebook(lab, page, lab.create("digits", lab.own_kernel()))
        notebook.open()
        notebook.theme(arguments.theme)
        notebook.run(CELL.strip())
        notebook.do(f"w.exaggeration = {arguments.exaggeration}")
        notebook.wait(f"w.run.iteration >= {arguments.until} or w.run.state == 'finished'")
        notebook.do("w.run.pause()")
        page.wait_for_timeout(1500)
        page.locator(".jp-Cell:has(.graphne)").screenshot(path=arguments.out)


if __name__ == "__main__":
    main()
