"""Labels of nodes, placed so that they can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphne_viz.encoding.colors.palette import LABEL_COLOR
from graphne_viz.encoding.dots import PIXELS_PER_POINT, letter_scale
from graphne_viz.encoding.labels.text import clean_text
from graphne_viz.encoding.sizes import diameters
from graphne_viz.plotting.text import haloed, text_width, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.plotting.drawing import Drawn

MOST_LABELS = 1_000
"""Of more nodes no labels are written, or only those of the nodes with the most neighbours."""

LABEL_ORDER = 4

_PLACES = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))  # above, below, right, left, corners
_CORNER = 0.7  # how far out a corner is, relative to a side
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_GAP = 1.5  # points between a node and its label
_LINE = 1.3  # height of a line, relative to the size of its letters

# As the viewer has them, in js/src/picture/labels/node-labels.ts.
_ROOM = 10_000  # square pixels of the picture for each label
_MOST_SHOWN, _MOST_TRIED = 60, 400
_LONGEST = 26  # characters
_FOREMOST, _MOST_COVERED = 5, 8  # so many labels are written even where they cover more than so many nodes
_BEARER = 6.0  # pixels: a disc of this radius could be thought the bearer of a name that lies on it


class Written(NamedTuple):
    """How many labels found a place, of how many; those that nobody asked for are not missed."""

    labels: int
    of_labels: int

    def notes(self) -> list[str]:
        """Say that labels were left out, where that is so."""
        left_out = self.of_labels - self.labels
        return [f"{left_out:,} of {self.of_labels:,} labels omitted for lack of space"] if left_out else []


def check_labels(graph: Graph, column: Column | None) -> None:
    """Refuse to label a graph of too many nodes."""
    if column is not None and graph.n_nodes > MOST_LABELS:
        raise ValueError(f"labels are for at most {MOST_LABELS:,} nodes; the graph has {graph.n_nodes:,}")


def draw_labels(
    ax: Axes,
    drawn: Drawn,
    rgba: NDArray[np.float64],
    texts: list[str],
    rank: NDArray[np.float64],
    *,
    taken: NDArray[np.float64] | None = None,
    some: bool = False,
) -> Written:
    """Write labels beside their nodes, or inside where they fit, and leave out those without a free place.

    Large nodes have large letters.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits set.
    drawn : Drawn
        The n nodes that were drawn.
    rgba : ndarray, shape (n, 4)
        Their colours.
    texts : list of str, length n, or empty
        An empty text is not a label, an empty list none at all.
    rank : ndarray, shape (n,)
        Labels of high rank choose their place first.
    taken : ndarray, shape (k, 4), optional
        Boxes where nothing may be written, in points.
    some : bool, default False
        Whether only as many are written as the viewer shows.

    Returns
    -------
    Written
    """
    wanted = sum(map(bool, texts))
    if not wanted:
        return Written(0, 0)
    usual = 9 if len(texts) <= 40 else 7
    ax.apply_aspect()
    to_points = 72 / ax.figure.dpi
    centers = ax.transData.transform(drawn.positions) * to_points
    radii = diameters(drawn.areas) / 2
    frame = np.array([ax.bbox.x0, ax.bbox.y0, ax.bbox.x1, ax.bbox.y1]) * to_points
    nodes = np.hstack([centers - radii[:, None], centers + radii[:, None]])
    bearers = radii * PIXELS_PER_POINT >= _BEARER
    blocked = np.zeros((0, 4)) if taken is None else taken
    texts = [clean_text(text, _LONGEST) for text in texts] if some else texts
    order = [int(i) for i in np.argsort(-rank, kind="stable") if texts[i]]
    area = float((frame[2] - frame[0]) * (frame[3] - frame[1])) * PIXELS_PER_POINT**2
    most = min(_MOST_SHOWN, max(1, int(area / _ROOM))) if some else wanted
    written = 0
    for i in order[:_MOST_TRIED] if some else order:
        if written >= most:
            break
        fontsize = usual * letter_scale(2 * radii[i], drawn.usual_area**0.5)
        half = np.array([text_width(texts[i], fontsize) + _GAP, _LINE * fontsize]) / 2
        inside = np.hypot(*half) < 0.95 * radii[i]
        places = np.zeros((1, 2)) if inside else _around(radii[i], half)
        boxes = np.hstack([centers[i] + places - half, centers[i] + places + half])
        # A label that hangs over the edge would be cut off in a figure that somebody else lays out.
        free = ((boxes[:, :2] >= frame[:2]) & (boxes[:, 2:] <= frame[2:])).all(axis=1)
        free &= ~_overlaps(boxes, blocked).any(axis=1)
        covered = _overlaps(boxes, nodes)
        covered[:, i] = False
        if some and not inside and written >= _FOREMOST:
            free &= ~covered[:, bearers].any(axis=1) & (covered.sum(axis=1) <= _MOST_COVERED)
        if not free.any():
            continue
        best = int(np.where(free, covered.sum(axis=1), len(nodes) + 1).argmin())
        label = verbatim(ax.annotate("", drawn.positions[i], xytext=tuple(places[best]), textcoords="offset points"))
        label.set(fontsize=fontsize, color=LABEL_COLOR, ha="center", va="center", zorder=LABEL_ORDER)
        label.set_text(texts[i])
        if inside:
            label.set_color("white" if rgba[i, :3] @ _LUMINANCE < 0.6 else LABEL_COLOR)
        else:
            haloed(label, 1.6, f"node-{i}")
        blocked = np.vstack([blocked, boxes[best]])
        written += 1
    return Written(written, written if some else wanted)


def _around(radius: float, half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places of a label around a node, shape (8, 2), relative to its centre in points."""
    places = np.array(_PLACES, dtype=np.float64)
    corner = (places != 0).all(axis=1)[:, None]
    return places * (np.where(corner, _CORNER * radius, radius + _GAP) + half)


def _overlaps(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which boxes (left, bottom, right, top), shape (k, 4), overlap which of others, shape (m, 4)."""
    one, other = boxes[:, None], others[None]
    overlap: NDArray[np.bool_] = np.all((one[..., :2] < other[..., 2:]) & (one[..., 2:] > other[..., :2]), axis=2)
    return overlap
