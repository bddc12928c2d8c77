"""Nodes that somebody has put somewhere by hand, and which of them are pinned there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.layout.engine.pins import Pins

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROW = np.dtype([("node", "<u4"), ("x", "<f4"), ("y", "<f4"), ("pinned", "<u4")])
"""One node, as it travels and as it is saved."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Places in the units of the frames.

    A node that is not pinned any more stays where it was put while nothing is optimised; the next run takes it from
    there.

    Attributes
    ----------
    nodes : ndarray of int, shape (k,)
        Ascending, each once.
    places : ndarray of float64, shape (k, 2)
    pinned : ndarray of bool, shape (k,)
    """

    nodes: NDArray[np.intp]
    places: NDArray[np.float64]
    pinned: NDArray[np.bool_]

    @classmethod
    def decode(cls, data: bytes) -> Placement:
        """Read rows, as `encode` writes them."""
        rows = np.frombuffer(data, dtype=ROW)
        places = np.column_stack([rows["x"], rows["y"]]).astype(np.float64)
        return cls(rows["node"].astype(np.intp), places, rows["pinned"] != 0)

    def encode(self) -> bytes:
        """Write a row for each node."""
        rows = np.zeros(self.nodes.size, dtype=ROW)
        rows["node"], rows["pinned"] = self.nodes, self.pinned
        rows["x"], rows["y"] = self.places.T
        return rows.tobytes()

    @cached_property
    def pins(self) -> Pins:
        """All of them, for a run to hold."""
        return Pins(self.nodes, self.places)

    def only_pinned(self) -> Placement:
        """Return what is left of it when a run has begun; the same object where that is all."""
        if self.pinned.all():
            return self
        return Placement(self.nodes[self.pinned], self.places[self.pinned], self.pinned[self.pinned])

    def put(self, positions: NDArray[Any]) -> NDArray[Any]:
        """Return positions of all nodes, shape (n, 2), with these where they were put; the same array without any."""
        if not self.nodes.size:
            return positions
        moved = positions.copy()
        moved[self.nodes] = self.places
        return moved


NOWHERE = Placement.decode(b"")
"""Nobody has touched anything."""
