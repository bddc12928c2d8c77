"""The viewer as a user sees it: buttons by their names, the picture by its pixels."""

from __future__ import annotations

import re
import time

import numpy as np

from . import pixels
from .servers import PATIENCE, pauses

# What lies on the picture would be taken for nodes. It is not hidden: a button that is loses the focus.
_ABOVE = ".graphne-tools, .graphne-legend, .graphne-foot, .graphne-middle, .graphne-tooltip, .graphne-overlay"

_CUT = """
(root, selector) => {
  const around = root.getBoundingClientRect();
  const cut = [...root.querySelectorAll(selector)].filter((element) => {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest('[hidden], .graphne-live')) return false;
    const outside = box.right > around.right + 1 || box.left < around.left - 1 || box.bottom > around.bottom + 1;
    const inline = getComputedStyle(element).display === 'inline';
    return outside || (!inline && element.scrollWidth > element.clientWidth + 1);
  });
  return cut.map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`);
}
"""


_MESSAGE = 250
"""Milliseconds in which what the kernel has sent is on its way to the picture."""


class Viewer:
    """One view within an element of a page, the first unless another is asked for."""

    def __init__(self, place, nth=0):
        self.page = place.page
        self.root = place.locator(".graphne:not(.graphne-shared)").nth(nth)
        self.surface = self.root.locator(".graphne-surface")
        self.tooltip = self.root.get_by_role("tooltip")
        self.slider = self.root.get_by_role("slider", name="attraction")
        self.legend = self.root.get_by_label("Legend", exact=True)
        self.search = self.root.get_by_role("combobox", name="search")
        self.notes = self.root.locator(".graphne-note")
        self.facts = self.root.locator(".graphne-facts")
        self.phase = self.root.locator(".graphne-phase")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    def color_of(self, name):
        """Return the colour that the legend gives a class, as "#rrggbb"."""
        swatch = self.legend.get_by_role("button", name=name).locator(".graphne-swatch")
        color = swatch.evaluate("(element) => getComputedStyle(element).backgroundColor")
        return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", color)[:3])

    def wait(self):
        """Wait until there is something to see."""
        self.surface.wait_for()
        self.until(lambda: pixels.share_of_ink(self.picture()) > 0.002, "a picture")
        return self

    def picture(self):
        """Return what is drawn of the graph, without legend, labels and tools."""
        return pixels.seen(self.surface, _ABOVE)

    def settled_picture(self):
        """Return the picture once it has stopped moving."""
        pictures = [self.picture()]

        def still():
            self.page.wait_for_timeout(_MESSAGE)
            # A slow machine draws the last edges a while after the last move.
            self.until(lambda: self.surface.get_attribute("data-moving") is None, "the last of the pictures")
            pictures.append(self.picture())
            before, after = pictures[-2:]
            return before.shape == after.shape and pixels.change(before, after) == 0

        self.until(still, "a picture at rest")
        return pictures[-1]

    def iteration(self):
        """Return the iteration as the control bar says it."""
        text = self.root.locator(".graphne-iteration").inner_text()
        return int(text.split("/")[0].strip().replace(",", "") or 0)

    def wait_for_iteration(self, beyond):
        self.until(lambda: self.iteration() > beyond, f"iteration {beyond}")

    def until(self, condition, what, seconds=PATIENCE):
        deadline, pause = time.monotonic() + seconds, pauses()
        while not condition():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
            self.page.wait_for_timeout(next(pause))

    def point(self, x, y):
        """Return a point of the surface as a point of the page."""
        box = self.surface.bounding_box()
        return box["x"] + x, box["y"] + y

    def hover(self, x, y):
        self.page.mouse.move(*self.point(x, y))

    def draw(self, outline, *keys):
        """Drag the pointer along points of the surface, while keys are held."""
        mouse, keyboard = self.page.mouse, self.page.keyboard
        first, *others = (self.point(*corner) for corner in outline)
        mouse.move(*first)
        for key in keys:
            keyboard.down(key)
        mouse.down()
        for corner in others:
            mouse.move(*corner, steps=8)
        mouse.up()
        for key in keys:
            keyboard.up(key)

    def cut(self, selector):
        """Return the texts of elements that are not wholly to be seen: cut off, or outside of the view."""
        return self.root.evaluate(_CUT, selector)

    def leave(self):
        """Take the pointer away from the picture."""
        box = self.root.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 3)


def show(notebook, source):
    """Run a cell that ends with a widget, and return its view once there is something to see."""
    return Viewer(notebook.output(notebook.run(source))).wait()


def place_by_colors(picture, positions, colors):
    """Find where the camera looks, from two nodes that have colours of their own.

    Returns a function from positions, shape (n, 2), to points of the surface.
    """
    (one, other), (first, second) = (np.asarray(place, float) for place in positions), colors
    at_one, at_other = (np.array(pixels.middle(pixels.near(picture, color))) for color in (first, second))
    scale = (at_other - at_one) / (other - one)
    np.testing.assert_allclose(scale[0], -scale[1], rtol=0.02, err_msg="x and y have different scales")
    return lambda places: at_one + (np.asarray(places, float) - one) * scale


def inside(points, polygon):
    """Return which points are within a polygon, by counting crossings."""
    x, y = np.asarray(points, float).T
    odd = np.zeros(len(x), dtype=bool)
    for (x1, y1), (x2, y2) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if y1 != y2:
            odd ^= ((y1 > y) != (y2 > y)) & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return odd
