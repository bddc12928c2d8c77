"""Labels of nodes, placed so that they can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.viewer.drawing import plain
from graphne_viz.viewer.palette import LABEL_COLOR
from graphne_viz.viewer.values import as_text, node_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

MOST_LABELS = 1_000
"""Larger graphs get no labels: there would be room for hardly any."""

LABEL_ORDER = 3

_PLACES = ((0, 1), (0, -1), (1, 0), (-1, 0))  # above, below, right, left
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_GAP = 1.5  # points between a node and its label


def node_labels(graph: Graph, *, labels: bool | str | Mapping[object, object]) -> list[str]:
    """Return the text for every node, empty for nodes without one; see `plot` for what `labels` may be."""
    if labels is False:
        return []
    if graph.n_nodes > MOST_LABELS:
        raise ValueError(f"labels are for at most {MOST_LABELS:,} nodes; the graph has {graph.n_nodes:,}")
    if labels is True:
        return [as_text(node) for node in graph.ids]
    values = node_values(graph, labels, "labels", alternative="")
    return ["" if value is None else as_text(value) for value in values]


def draw_labels(
    ax: Axes,
    *,
    positions: NDArray[np.float64],
    sizes: NDArray[np.float64],
    rgba: NDArray[np.float64],
    texts: list[str],
    rank: NDArray[np.int64],
) -> int:
    """Write labels beside their nodes, or inside where they fit, and leave out those without a free place.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits set.
    positions : ndarray, shape (n, 2)
    sizes : ndarray, shape (n,)
        Areas of the nodes in square points.
    rgba : ndarray, shape (n, 4)
        Their colours.
    texts : list of str, length n, or empty
        An empty text is no label, an empty list none at all.
    rank : ndarray, shape (n,)
        Nodes of high rank choose their place first.

    Returns
    -------
    int
        How many labels were left out.
    """
    if not any(texts):
        return 0
    fontsize = 9 if len(texts) <= 40 else 7
    ax.apply_aspect()
    to_points = 72 / ax.figure.dpi
    centers = ax.transData.transform(positions) * to_points
    radii = np.sqrt(sizes / np.pi)
    frame = np.array([ax.bbox.x0, ax.bbox.y0, ax.bbox.x1, ax.bbox.y1]) * to_points
    nodes = np.hstack([centers - radii[:, None], centers + radii[:, None]])
    taken = np.zeros((0, 4))
    left_out = 0
    for i in np.argsort(-rank, kind="stable"):
        if not texts[i]:
            continue
        label = plain(ax.annotate(texts[i], positions[i], xytext=(0, 0), textcoords="offset points"))
        label.set(fontsize=fontsize, color=LABEL_COLOR, ha="center", va="center", zorder=LABEL_ORDER)
        box = label.get_window_extent()
        half = np.array([box.width, box.height]) * to_points / 2
        inside = np.hypot(*half) < 0.95 * radii[i]
        places = np.zeros((1, 2)) if inside else np.array(_PLACES) * (radii[i] + _GAP + half)
        boxes = np.hstack([centers[i] + places - half, centers[i] + places + half])
        # A label that hangs over the edge would be cut off in a figure that somebody else lays out.
        within = ((boxes[:, :2] >= frame[:2]) & (boxes[:, 2:] <= frame[2:])).all(axis=1)
        free = [k for k in np.flatnonzero(within) if not _overlaps(boxes[k], taken).any()]
        if not free:
            label.remove()
            left_out += 1
            continue
        best = min(free, key=lambda k: _overlaps(boxes[k], nodes).sum())
        label.set_position(tuple(places[best]))
        if inside:
            label.set_color("white" if rgba[i, :3] @ _LUMINANCE < 0.6 else LABEL_COLOR)
        else:
            # Not an outline around the letters: SVG and PDF would then hold shapes instead of text.
            label.set_bbox({"boxstyle": "round,pad=0.05", "facecolor": "white", "alpha": 0.7, "linewidth": 0})
        taken = np.vstack([taken, boxes[best]])
    return left_out


def _overlaps(box: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which boxes (left, bottom, right, top), shape (k, 4), a box overlaps."""
    overlap: NDArray[np.bool_] = np.all((box[:2] < others[:, 2:]) & (box[2:] > others[:, :2]), axis=1)
    return overlap
