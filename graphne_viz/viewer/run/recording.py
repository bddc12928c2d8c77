"""The way a layout formed, kept small: what a replay is made of, in the notebook and in a page.

A shot is a snapshot with positions as uint16. A *recording* travels as a container of
`graphne_viz.viewer.transport.wire`, with the shots one after the other: each as the difference to the one before, signs
folded into the lowest bit, so that what hardly moves is nearly all zeros and can be compressed; the low bytes of all
differences come first, then the high ones.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.viewer.transport.wire import PHASES, encode_container

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from graphne_viz.layout.snapshot import Snapshot

MOST_SHOTS = 96
"""Shots that are kept; of a longer run every second one goes, and so on."""

LEAST_SHOTS = 8
"""Fewer show nothing of how a layout formed."""

MOST_BYTES = 48_000_000
"""Memory of one recording, unless its fewest shots need more."""

_LEVELS = 65_535
_SCREEN_LEVELS = 4_095
"""Places on the longer side: of a shot as it is kept, and as it is packed for a page; a screen has no more."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Where the nodes were: ``corner + unit * places``.

    Attributes
    ----------
    places : ndarray of uint16, shape (n, 2)
    corner : tuple of float
    unit : float
    iteration : int
    phase : str
    kl : float
        NaN where it is unknown.
    """

    places: NDArray[np.uint16]
    corner: tuple[float, float]
    unit: float
    iteration: int
    phase: str
    kl: float

    @classmethod
    def of(cls, snapshot: Snapshot) -> Shot:
        """Make a shot of a snapshot."""
        positions = snapshot.positions
        low, reach = np.zeros(2, dtype=np.float32), 0.0
        if len(positions):
            # A column at a time: along the first axis of so narrow an array numpy is many times slower.
            low = np.array([column.min() for column in positions.T], dtype=np.float32)
            reach = max(float(column.max() - least) for column, least in zip(positions.T, low, strict=True))
        unit = reach / _LEVELS if reach > 0 else 1.0
        places = np.rint((positions - low) * (1 / unit)).astype(np.uint16)
        corner = (float(low[0]), float(low[1]))
        return cls(places, corner, unit, snapshot.iteration, snapshot.phase, float(snapshot.kl))

    @property
    def positions(self) -> NDArray[np.float64]:
        """The positions again, shape (n, 2), each within half a unit."""
        positions: NDArray[np.float64] = np.array(self.corner) + self.unit * self.places
        return positions

    def coarse(self) -> Shot:
        """Keep as much as a screen shows of something that moves."""
        step = _LEVELS // _SCREEN_LEVELS
        places = (self.places // step).astype(np.uint16)
        middle = (step - 1) / 2 * self.unit
        corner = (self.corner[0] + middle, self.corner[1] + middle)
        return Shot(places, corner, step * self.unit, self.iteration, self.phase, self.kl)


class Recording:
    """The shots of a run, evenly spread over it and never more than there is room for.

    Parameters
    ----------
    n_nodes : int
    """

    def __init__(self, n_nodes: int) -> None:
        self._most = int(np.clip(MOST_BYTES // max(4 * n_nodes, 1), LEAST_SHOTS, MOST_SHOTS))
        self.clear()

    def clear(self) -> None:
        """Forget all shots."""
        self._shots: list[Shot] = []
        self._seen, self._stride = 0, 1

    def add(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, if it is one of those to keep."""
        if self._seen % self._stride == 0:
            self._shots.append(Shot.of(snapshot))
        self._seen += 1
        if len(self._shots) > self._most:
            self._shots = self._shots[::2]
            self._stride *= 2

    def __len__(self) -> int:
        return len(self._shots)

    def shots(self, last: Snapshot | None = None) -> list[Shot]:
        """Return what was kept, and at the end `last` in place of what is not before it."""
        if last is None:
            return list(self._shots)
        before = [shot for shot in self._shots if shot.iteration < last.iteration]
        return [*before, Shot.of(last)]


def encode_recording(shots: Sequence[Shot]) -> bytes:
    """Write shots of one graph as bytes; the first and the last stand for themselves, the others for differences.

    Raises
    ------
    ValueError
        If there are none, or they have different numbers of nodes.
    """
    if not shots or len({shot.places.shape for shot in shots}) > 1:
        raise ValueError("a recording needs at least one shot, and all must show the same graph")
    folded = np.empty((len(shots), shots[0].places.size), dtype=np.uint16)
    heads: list[dict[str, object]] = []
    before = np.zeros(0, dtype=np.uint16)
    for k, shot in enumerate(shots):
        places = shot.places.reshape(-1)
        whole = k in {0, len(shots) - 1}
        if whole:
            folded[k] = places
        else:
            change = (places - before).view(np.int16)
            folded[k] = ((change << 1) ^ (change >> 15)).view(np.uint16)
        before = places
        heads.append(
            {
                "iteration": shot.iteration,
                "phase": PHASES.index(shot.phase) if shot.phase in PHASES else PHASES.index("finished"),
                "kl": shot.kl if math.isfinite(shot.kl) else None,
                "corner": list(shot.corner),
                "unit": shot.unit,
                "whole": whole,
            }
        )
    low, high = (folded & 255).astype(np.uint8), (folded >> 8).astype(np.uint8)
    return encode_container({"nodes": len(shots[0].places), "shots": heads, "low": low, "high": high})


def pack_recording(shots: Sequence[Shot], room: int) -> bytes:
    """Write shots so that, compressed, they need no more than so many bytes.

    All but the last, which is exact, lose digits that nobody sees, then every so many of them go; if fewer than
    `LEAST_SHOTS` were left, all of them.
    """
    last = shots[-1]
    alone = encode_recording([last])
    before = [shot.coarse() for shot in shots[:-1]]
    while len(before) >= min(LEAST_SHOTS, len(shots)) - 1 and before:
        tried = encode_recording([*before, last])
        size = len(compressed(tried))
        if size <= room:
            return tried
        keep = int(min(len(before) - 1, 0.95 * len(before) * room / size))
        before = [before[k] for k in np.linspace(0, len(before) - 1, keep).round().astype(int)] if keep > 1 else []
    return alone


def compressed(data: bytes) -> bytes:
    """Deflate without a header, as browsers' ``deflate-raw`` reads it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()
