import numpy as np
import pytest
from matplotlib.colors import to_rgb

from graphne_viz.viewer.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR

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
OKABE_ITO = CLASS_COLORS[:7]


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
    assert closest(CLASS_COLORS, vision) >= bound


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("other", ["#FFFFFF", MISSING_COLOR, OTHER_COLOR])
def test_classes_stand_out_from_paper_and_grey(vision, other):
    for color in CLASS_COLORS:
        assert closest([color, other], vision) > 12


def test_there_are_twelve_different_colours():
    assert len(set(CLASS_COLORS)) == 12
