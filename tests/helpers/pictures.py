"""Looking into a picture."""

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex


def nodes_of(ax):
    (nodes,) = [c for c in ax.collections if isinstance(c, PathCollection)]
    return nodes


def edges_of(ax):
    (edges,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    return edges


def colors_of(ax, positions):
    """Return the colour of each node, found by its place."""
    nodes = nodes_of(ax)
    offsets = np.asarray(nodes.get_offsets())
    colors = np.broadcast_to(nodes.get_facecolor(), (len(offsets), 4))
    found = {tuple(place): to_hex(color) for place, color in zip(offsets, colors, strict=True)}
    return [found[tuple(place)] for place in np.asarray(positions, dtype=float)]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def grid(n):
    return np.column_stack([np.arange(n) % 50, np.arange(n) // 50]).astype(float)
