"""Pictures of a page as arrays."""

from __future__ import annotations

import base64
import io
import time
from weakref import WeakKeyDictionary

import numpy as np
from PIL import Image
from playwright.sync_api import Error
from scipy import ndimage

_TRIES = 5

# Scrolls to an element, hides what lies above it and waits until that is drawn; returns where it is, and whether it is
# wholly in the window.
_BARE = """
async (element, hidden) => {
  if (!window.graphneBare) {
    window.graphneBare = new CSSStyleSheet();  // a page's policy may refuse elements
    document.adoptedStyleSheets.push(window.graphneBare);
  }
  const place = () => element.getBoundingClientRect();
  const inside = ({ left, top, right, bottom }) =>
    left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (!inside(place())) element.scrollIntoView({ block: "nearest", behavior: "instant" });
  window.graphneBare.replaceSync(hidden ? `${hidden} { opacity: 0 !important; transition: none !important; }` : "");
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const box = place();
  return [[box.left, box.top, box.width, box.height], inside(box)];
}
"""
_DRESSED = "() => window.graphneBare?.replaceSync('')"
_TOOLS = WeakKeyDictionary()


def read(png):
    """Return a PNG as an array of height x width x 3 bytes."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def shot(target, **options):
    """Take a picture of a page or an element, as PNG; a busy Chromium at times has none to give when first asked."""
    for wait in range(1, _TRIES):
        try:
            return target.screenshot(**options)
        except Error as error:
            if "Unable to capture screenshot" not in error.message:
                raise
            time.sleep(wait)
    return target.screenshot(**options)


def seen(locator, hidden=""):
    """Return what is seen of an element, as an array; what ``hidden`` selects is left out.

    Several times as fast as `shot`: the whole window is taken, as the browser has it, and cut.
    """
    page = locator.page
    if page not in _TOOLS:
        _TOOLS[page] = page.context.new_cdp_session(page)
    place, is_inside = locator.evaluate(_BARE, hidden)
    left, top, width, height = map(round, place)
    try:
        if not is_inside:
            return read(shot(locator))[:height, :width]
        png = _TOOLS[page].send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})["data"]
    finally:
        page.evaluate(_DRESSED)
    return read(base64.b64decode(png))[top : top + height, left : left + width]


def background(picture):
    """Return the colour that most of the pixels have."""
    packed = picture.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    most = int(values[counts.argmax()])
    return np.array([most >> 16, most >> 8 & 255, most & 255], np.uint8)


def ink(picture):
    """Return which pixels differ clearly from the background."""
    return np.abs(picture.astype(int) - background(picture)).max(axis=2) > 40


def share_of_ink(picture):
    return float(ink(picture).mean())


def ink_near(picture, point, reach=2):
    """Return how much is drawn around a point of a picture, as a share."""
    x, y = np.rint(point).astype(int)
    around = picture[y - reach : y + reach + 1, x - reach : x + reach + 1]
    return float((np.abs(around.astype(int) - background(picture)).max(axis=2) > 8).mean())


def change(before, after):
    """Return the share of pixels that differ clearly between two pictures of the same place."""
    assert before.shape == after.shape
    return float((np.abs(before.astype(int) - after).max(axis=2) > 40).mean())


def near(picture, color, tolerance=40):
    """Return which pixels have a colour, given as "#rrggbb"."""
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return np.abs(picture.astype(int) - wanted).max(axis=2) <= tolerance


def middle(mask):
    """Return x and y of the centre of the pixels of a mask."""
    rows, columns = np.nonzero(mask)
    assert len(rows), "no such pixel"
    return float(columns.mean() + 0.5), float(rows.mean() + 0.5)


def deepest(mask):
    """Return x and y of the pixel of a mask that is farthest from its edge."""
    depth = ndimage.distance_transform_edt(np.pad(mask, 1))
    row, column = np.unravel_index(depth.argmax(), depth.shape)
    assert depth[row, column] > 0, "no such pixel"
    return float(column - 0.5), float(row - 0.5)


def width_of_ink(picture):
    """Return how wide the drawing is, without the few pixels farthest out."""
    columns = np.nonzero(ink(picture))[1]
    return float(np.subtract(*np.quantile(columns, [0.99, 0.01])))


def likeness(one, other, block=8):
    """Return how much two pictures agree at the grain of some pixels: 1 for the same, about 0 for any two."""
    assert one.shape == other.shape
    coarse = []
    for picture in (one, other):
        height, width = (size // block * block for size in picture.shape[:2])
        cut = picture[:height, :width].reshape(height // block, block, width // block, block, 3)
        coarse.append(cut.mean(axis=(1, 3)).ravel())
    return float(np.corrcoef(*coarse)[0, 1])
