"""Names of classes on a picture, at the heart of each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.encoding.dots import PIXELS_PER_POINT
from graphne_viz.encoding.labels.class_names import MOST_DISCS, find_hearts, place_names
from graphne_viz.encoding.legend import class_label
from graphne_viz.encoding.sizes import diameters
from graphne_viz.plotting.text import haloed, text_width, verbatim

if TYPE_CHECKING:
    import matplotlib.colors as mpl_colors
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState
    from graphne_viz.plotting.drawing import Drawn
else:
    mpl_colors = lazy_import("matplotlib.colors")

NAME_ORDER = 5
_RINGS = 14
_DARKEST = 0.42  # luminance that a name has at most, to be read on white
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def draw_class_names(ax: Axes, state: VisibleState, drawn: Drawn) -> NDArray[np.float64]:
    """Write the names of classes where their nodes are, with a line to their place where it is crowded.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits set.
    state : VisibleState
    drawn : Drawn

    Returns
    -------
    ndarray, shape (k, 4)
        The boxes that they take up: left, bottom, right and top in points.
    """
    column = state.drawn_color
    if not state.class_names or not isinstance(column, ClassColumn) or len(column.categories) < 2:
        return np.zeros((0, 4))
    hearts = find_hearts(drawn.positions, column.codes[drawn.nodes], len(column.categories))
    ax.apply_aspect()
    to_pixels = 96 / ax.figure.dpi
    low, high = np.array(ax.bbox.min) * to_pixels, np.array(ax.bbox.max) * to_pixels
    places = ax.transData.transform(np.array([(heart.x, heart.y) for heart in hearts]).reshape(-1, 2)) * to_pixels
    centers = [(float(x - low[0]), float(high[1] - y)) for x, y in places]
    texts = [class_label(category.label) if category.color else "" for category in column.categories]
    width, height = map(float, high - low)
    discs: list[tuple[float, float, float]] = []
    if len(drawn.positions) <= MOST_DISCS:
        x, y = (ax.transData.transform(drawn.positions) * to_pixels - (low[0], high[1])).T
        discs = list(
            zip(x.tolist(), (-y).tolist(), (diameters(drawn.areas) / 2 * PIXELS_PER_POINT).tolist(), strict=True)
        )
    placed = place_names(hearts, centers, texts, size=(width, height), measure=_width, rings=_RINGS, discs=discs)
    boxes = []
    for name in placed:
        heart, (x, y) = hearts[name.heart], centers[name.heart]
        color = _readable(column.categories[heart.code].color or "#000000")
        shift = (name.x - x) / PIXELS_PER_POINT, -(name.y - y) / PIXELS_PER_POINT
        text = ax.annotate(
            "",
            (heart.x, heart.y),
            xytext=shift,
            textcoords="offset points",
            fontsize=name.size / PIXELS_PER_POINT,
            fontweight="bold",
            color=color,
            ha="center",
            va="center",
            linespacing=1.0,
            zorder=NAME_ORDER,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
            if name.led
            else None,
        )
        haloed(verbatim(text), 2.2, f"class-{name.heart}").set_text("\n".join(name.lines))
        half = max(_width(line, name.size) for line in name.lines) / 2, 0.6 * name.size * len(name.lines)
        left, middle = low[0] + name.x, high[1] - name.y
        boxes.append((left - half[0], middle - half[1], left + half[0], middle + half[1]))
    return np.array(boxes).reshape(-1, 4) / PIXELS_PER_POINT


def _width(text: str, size: float) -> float:
    return text_width(text, size, bold=True)


def _readable(color: str) -> tuple[float, float, float]:
    """Darken a colour until it can be read on white."""
    rgb = np.array(mpl_colors.to_rgb(color))
    light = float(rgb @ _LUMINANCE)
    red, green, blue = rgb * min(1.0, _DARKEST / max(light, 1e-9))
    return float(red), float(green), float(blue)
