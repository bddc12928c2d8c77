"""Colours that can be told apart: each the farthest from those before it, in a space of equal differences.

The space is OKLab (Ottosson 2020), with the two axes of hue counted twice, which fits measured differences better.
Readers who do not see red or green are simulated after Machado, Oliveira and Fernandes (2009).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
FULL = np.eye(3)
"""How linear RGB is seen."""

_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_HUE = 2.0
_LIGHTNESS, _CHROMA = (0.36, 0.88), (0.075, 0.24)
_STEPS = 18  # of a channel
_READERS = ((FULL, 1.0), (PROTANOPIA, 1.6), (DEUTERANOPIA, 1.6))  # and how much what they see of a difference counts


def distinct_colors(first: Sequence[str], avoided: Sequence[str], count: int) -> list[str]:
    """Continue a list of colours, each as different as possible from all before it.

    Parameters
    ----------
    first : sequence of str
        Colours such as "#0072B2" to begin with.
    avoided : sequence of str
        Colours to keep away from: paper, and greys that mean something else.
    count : int
        How many are wanted in all.

    Returns
    -------
    list of str
        The same for the same input.
    """
    candidates = _candidates()
    seen = [(vision, factor, as_oklab(candidates, vision)) for vision, factor in _READERS]
    nearest = np.full(len(candidates), np.inf)

    def keep_away(rgb: Floats) -> None:
        for vision, factor, as_seen in seen:
            apart = np.linalg.norm(as_seen - as_oklab(rgb[None], vision), axis=1)
            np.minimum(nearest, factor * apart, out=nearest)

    for color in (*first, *avoided):
        keep_away(_rgb(color))
    found = list(first)
    while len(found) < count:
        best = candidates[int(nearest.argmax())]
        keep_away(best)
        found.append("#" + bytes(np.rint(255 * best).astype(np.uint8).tolist()).hex().upper())
    return found


def as_oklab(rgb: Floats, vision: Floats = FULL) -> Floats:
    """Return colours as they are seen, in units of equal difference.

    Parameters
    ----------
    rgb : ndarray, shape (n, 3)
        sRGB from 0 to 1.
    vision : ndarray, shape (3, 3)

    Returns
    -------
    ndarray, shape (n, 3)
        Lightness from 0 to 1, and the two axes of hue.
    """
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ vision.T, 0, 1)
    lab: Floats = np.cbrt(seen @ _LMS.T) @ _LAB.T * [1, _HUE, _HUE]
    return lab


def _candidates() -> Floats:
    """Return colours that are neither nearly grey nor glaring, neither too dark nor too light, shape (n, 3)."""
    channel = np.rint(np.linspace(0, 255, _STEPS)) / 255
    rgb = np.stack(np.meshgrid(channel, channel, channel, indexing="ij"), axis=-1).reshape(-1, 3)
    lab = as_oklab(rgb)
    light, chroma = lab[:, 0], np.hypot(lab[:, 1], lab[:, 2]) / _HUE
    suits = (light >= _LIGHTNESS[0]) & (light <= _LIGHTNESS[1]) & (chroma >= _CHROMA[0]) & (chroma <= _CHROMA[1])
    return rgb[suits]


def _rgb(color: str) -> Floats:
    return np.frombuffer(bytes.fromhex(color[1:]), dtype=np.uint8) / 255
