"""How large and how strong nodes and edges are drawn, by their number; ``js/test/encoding/dots.json`` holds examples.

The browser has the same formulas and constants (``js/src/encoding/dots.ts``). All lengths are CSS pixels, of which 96
are an inch, and areas their squares. Where a picture is zoomed, its area is the one that the whole layout would have.
"""

from __future__ import annotations

import math
from typing import NamedTuple

PIXELS_PER_POINT = 96 / 72

# Nodes. Few are large discs on a white ground; many together are an ink whose density is the picture.
FEW_NODES = 2_000
LEAST_INK, MOST_INK = 0.18, 0.42
LARGEST_DISC = 250.0  # square pixels
LEAST_RADIUS = 0.8
LEAST_OPACITY = 0.1
FADE = 0.2  # for each power of ten beyond FEW_NODES
FAINTEST_FADE = 0.55

# Labels grow with their nodes, less steeply than those do.
SMALLEST_LETTERS, LARGEST_LETTERS = 0.85, 1.8  # relative to those of a node of usual size

# Edges. What makes a blot is ink: the length of all edges over the area that they share.
THICK_EDGES = 1_000  # from here on lines are one pixel wide
FILLED = 0.65  # of the box of a layout
CLEAR = 0.58
DEEPEST = 0.4
FAINTEST_EDGE = 0.012  # less is lost in the rounding of eight bits a channel
NARROWEST = 12.0  # pixels, of a line of nodes


class DotStyle(NamedTuple):
    """How a node of usual size is drawn: its radius in pixels, and its opacity."""

    radius: float
    opacity: float


class LineStyle(NamedTuple):
    """How edges are drawn: their opacity, how much of their colour is not the background's, and width in pixels."""

    alpha: float
    depth: float
    width: float


def dot_style(n: int, area: float) -> DotStyle:
    """Choose radius and opacity of the nodes: smaller and more translucent, the more of them there are.

    Parameters
    ----------
    n : int
        Number of nodes.
    area : float
        Of the picture.

    Examples
    --------
    >>> dot_style(50, 540_000), dot_style(500_000, 540_000).radius
    (DotStyle(radius=7.716..., opacity=1.0), 0.8)
    """
    each = max(area, 1.0) / max(n, 1)
    crowd = max(n, 1) / FEW_NODES
    ink = min(MOST_INK, max(LEAST_INK, LEAST_INK * crowd**0.2))
    disc = min(ink * each, 1.8 * math.sqrt(each), LARGEST_DISC)
    radius = max(LEAST_RADIUS, math.sqrt(disc / math.pi))
    fade = min(1.0, max(FAINTEST_FADE, 1 - FADE * math.log10(max(crowd, 1.0))))
    return DotStyle(radius, max(LEAST_OPACITY, fade * min(1.0, disc / (math.pi * radius**2))))


def diameter_in(size_range: tuple[float, float], share: float) -> float:
    """Return the diameter of a node whose value lies at a share, from 0 to 1, of the range: areas grow evenly.

    Examples
    --------
    >>> diameter_in((2, 10), 0), diameter_in((2, 10), 0.5), diameter_in((2, 10), 1)
    (2.0, 7.211..., 10.0)
    """
    smallest, largest = size_range
    return math.sqrt(smallest**2 + (largest**2 - smallest**2) * share)


def letter_scale(diameter: float, usual: float) -> float:
    """Return how large the label of a node is written, relative to that of a node of usual size.

    Parameters
    ----------
    diameter, usual : float
        Of the node, and of one of usual size.

    Examples
    --------
    >>> letter_scale(10, 10), letter_scale(20, 10), letter_scale(1, 10), letter_scale(90, 10)
    (1.0, 1.414..., 0.85, 1.8)
    """
    return min(LARGEST_LETTERS, max(SMALLEST_LETTERS, math.sqrt(diameter / usual)))


def line_style(edges: int, mean_length: float, width: float, height: float) -> LineStyle:
    """Choose how strongly plain edges are drawn.

    With little ink edges are clear. With much of it each is weaker, and all together approach a colour that is nearer
    to the background, so that however many cross in a place it stays a tint behind the nodes.

    Parameters
    ----------
    edges : int
        How many are drawn.
    mean_length : float
        In pixels.
    width, height : float
        Of the box of the nodes, in pixels.
    """
    thick = 1 + 0.4 * max(0.0, 1 - edges / THICK_EDGES)
    room = FILLED * max(width, NARROWEST) * max(height, NARROWEST)
    ink = edges * mean_length * thick / room
    clear = CLEAR / (1 + 1.6 * ink) ** 0.85
    depth = DEEPEST + (1 - DEEPEST) / (1 + 0.12 * ink)
    return LineStyle(min(1.0, max(FAINTEST_EDGE, clear / depth)), depth, thick)
