"""Animate a layout that forms, and execute notebooks and save the picture of each that says most.

python docs/pictures.py [forming notebooks/01_quickstart.ipynb ...]
"""

from __future__ import annotations

import argparse
import base64
import io
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

from graphne_viz import view
from graphne_viz.datasets import digits

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTH = 1000  # pixels; more would not be seen in a README
COLORS = 64
NEARLY_WHITE = 249  # of 255
MOST_BYTES = 60_000
FORMING = "forming"

# Which of a notebook's pictures, counted from 0; the last unless said otherwise.
CHOSEN = {
    "01_quickstart": 2,
    "03_classes": 1,
    "04_embedding": 2,
    "05_comparing": 1,
    "06_knn_graph": 0,
    "07_large_graph": 0,
}


def pictures(path):
    """Execute a notebook on what comes with the package and return its pictures as PNG, in their order."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}})
        client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [base64.b64decode(o.data["image/png"]) for o in outputs if "image/png" in o.get("data", {})]


def few_colors(image, count):
    """Reduce a picture to white and so many colours: a third frequent ones, for soft greys, the others far apart."""
    found = [
        image.quantize(count // 3, method=Image.Quantize.MEDIANCUT),
        image.quantize(count - count // 3, method=Image.Quantize.MAXCOVERAGE),
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([255, 255, 255, *(level for one in found for level in one.getpalette())])
    few = image.quantize(palette=palette, dither=Image.Dither.NONE)
    return whitened(few)


def whitened(few):
    """Make what is nearly white white, or a picture would show its edges on a page; Pillow's search is not exact."""
    levels = few.getpalette()
    colors = [levels[i : i + 3] for i in range(0, len(levels), 3)]
    few.putpalette([level for color in colors for level in ([255] * 3 if min(color) >= NEARLY_WHITE else color)])
    return few


def save(png, path):
    """Write a picture small: no wider than needed, with few colours, and smaller until it is light enough."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    width = min(image.width, WIDTH)
    while True:
        small = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        written = io.BytesIO()
        few_colors(small, COLORS).save(written, "PNG", optimize=True)
        if written.tell() <= MOST_BYTES:
            break
        width -= 50
    path.write_bytes(written.getvalue())
    return f"{path.relative_to(ROOT)}: {small.width} x {small.height}, {written.tell() / 1000:.0f} kB"


def save_forming(path):
    """Write how the layout of the digits forms from nothing, by the viewer's own export."""
    w = view(digits(), pace=0, initialization="random", callback_every=7, size=None)
    w.run.wait()
    w.to_gif(path, seconds=5, width=540)
    w.close()
    return f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB"


def main():
    """Make the pictures that are asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="*", type=Path)
    wanted = parser.parse_args().pictures or [Path(FORMING), *sorted((ROOT / "notebooks").glob("*.ipynb"))]
    os.environ.pop("GRAPHNE_DATA", None)  # other people's graphs stay out of the pictures
    IMAGES.mkdir(exist_ok=True)
    for path in wanted:
        if path.name == FORMING:
            print(save_forming(IMAGES / f"{FORMING}.gif"))
            continue
        found = pictures(path)
        print(save(found[CHOSEN.get(path.stem, -1)], IMAGES / f"{path.stem}.png"))


if __name__ == "__main__":
    main()
