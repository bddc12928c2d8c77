"""The colours of every picture, in one place."""

from __future__ import annotations

CLASS_COLORS = (
    # Okabe and Ito's colours without black, which edges and labels need.
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#F0E442",
    # Five more, found by search: none comes closer to another colour than Okabe and Ito's come to each other,
    # in full colour vision and in simulated protanopia, deuteranopia and tritanopia.
    "#7A3B00",
    "#4B0082",
    "#AFE1AF",
    "#B40AFC",
    "#003C57",
)
"""Colours of classes, safe for colour-blind readers, in the order they are given out."""

OTHER_COLOR = "#B8B8B8"
"""Nodes of the classes for which no colour was left."""

MISSING_COLOR = "#DADADA"
"""Nodes without a value."""

EDGE_COLOR = "#66717C"
LABEL_COLOR = "#1A1A1A"
NOTE_COLOR = "#606060"

VALUE_COLORMAP = "viridis"
"""Perceptually uniform and safe for colour-blind readers."""
