import numpy as np
import pytest
from matplotlib.colors import to_rgb

from graphne_viz.encoding.colors.distinct_colors import DEUTERANOPIA, FULL, PROTANOPIA, as_oklab, distinct_colors
from graphne_viz.encoding.colors.palette import CLASS_COLORS, EDGE_COLOR, FIRST_COLORS, MISSING_COLOR, OTHER_COLOR

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
VISION = {
    "full": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
OKABE_ITO = FIRST_COLORS[:7]


def as_lab(colors, vision):
    srgb = np.array([to_rgb(color) for color in colors])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.transpose(VISION[vision]), 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = seen @ to_xyz.T / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def closest(colors, vision):
    lab = as_lab(colors, vision)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    return apart[np.triu_indices(len(colors), 1)].min()


@pytest.mark.parametrize("vision", VISION)
def test_classes_can_be_told_apart_by_every_reader(vision):
    bound = min(closest(OKABE_ITO, other) for other in VISION)
    assert bound > 15
    assert closest(FIRST_COLORS, vision) >= bound


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("other", ["#FFFFFF", MISSING_COLOR, OTHER_COLOR])
def test_classes_stand_out_from_paper_and_grey(vision, other):
    for color in FIRST_COLORS:
        assert closest([color, other], vision) > 12


def apart(count, vision):
    """Return the least difference between two of the first colours, and that to paper and the greys."""
    seen, grey = (
        as_oklab(np.array([to_rgb(color) for color in colors]), vision)
        for colors in (CLASS_COLORS[:count], ["#FFFFFF", MISSING_COLOR, OTHER_COLOR])
    )
    among = np.linalg.norm(seen[:, None] - seen[None], axis=2)[np.triu_indices(count, 1)].min()
    return among, np.linalg.norm(seen[:, None] - grey[None], axis=2).min()


@pytest.mark.parametrize(
    ("count", "full", "blind"), [(12, 0.17, 0.09), (24, 0.13, 0.085), (36, 0.12, 0.07), (60, 0.08, 0.045)]
)
def test_sixty_classes_and_more_can_be_told_apart(count, full, blind):
    # For comparison: a step of 1 in all of CIE Lab's units is about 0.02 here, and just visible.
    assert min(apart(count, FULL)) > full
    assert min(apart(count, PROTANOPIA)) > blind
    assert min(apart(count, DEUTERANOPIA)) > blind


def test_all_colours_are_different_and_as_they_are_found():
    assert len(set(CLASS_COLORS)) == 256
    assert min(apart(256, FULL)) > 0.03
    avoided = ("#FFFFFF", "#000000", MISSING_COLOR, OTHER_COLOR, EDGE_COLOR)
    assert tuple(distinct_colors(FIRST_COLORS, avoided, 256)) == CLASS_COLORS
