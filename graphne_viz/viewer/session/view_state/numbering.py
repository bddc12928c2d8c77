"""Which state of a graph the numbers of nodes belong to that travel to the browser and back.

An update of the graph gives nodes other numbers, and what a browser has sent before it heard of that arrives after it.
So whatever tells nodes by their numbers begins with four bytes, little endian, that count the updates before it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.graphs.comparison import GraphChange

NODE_FIELDS = ("_selected", "_hidden", "_invisible", "_pinned")
"""Fields that tell nodes by their numbers."""

_VERSION = struct.Struct("<I")
_MOST = 16
"""Updates that are remembered; what was sent before so many more has been on its way for too long."""


class Numbering:
    """The numbers of the nodes of a graph, and those that they had before its last updates.

    Attributes
    ----------
    version : int
        Updates so far.
    """

    def __init__(self) -> None:
        self.version = 0
        self._changes: list[tuple[NDArray[np.intp], int]] = []

    def renumber(self, change: GraphChange) -> None:
        """Note that the graph was updated."""
        self._changes = [*self._changes[1 - _MOST :], (change.new_places, change.new.n_nodes)]
        self.version += 1

    def tag(self, value: bytes) -> bytes:
        """Return a value as it travels."""
        return _VERSION.pack(self.version) + value

    def untag(self, name: str, value: bytes) -> bytes | None:
        """Return the value of one of `NODE_FIELDS` that came from a browser, in the numbers of now.

        Returns
        -------
        bytes or None
            None where an update has overtaken what says nothing about another state of the graph: places on the map
            as it was, and what could be seen of it.

        Raises
        ------
        ValueError
            If it cannot be read.
        """
        if len(value) < _VERSION.size:
            raise ValueError(f"{name} must begin with {_VERSION.size} bytes that tell which graph is meant")
        numbers = value[_VERSION.size :]
        changes = self._since(_VERSION.unpack_from(value)[0])
        if not changes:
            return numbers
        if name not in {"_selected", "_hidden"}:
            return None
        for places, size in changes:
            numbers = _selected(numbers, places) if name == "_selected" else _hidden(numbers, places, size)
        return numbers

    def is_current(self, value: bytes) -> bool:
        """Tell whether a value that `untag` has read was about the graph as it is."""
        return bool(_VERSION.unpack_from(value)[0] == self.version)

    def now(self, node: int, version: int) -> int | None:
        """Return the number of a node that had another one when a version was shown; None if it is gone."""
        try:
            changes = self._since(version)
        except ValueError:
            return None
        for places, _ in changes:
            if not 0 <= node < places.size or places[node] < 0:
                return None
            node = int(places[node])
        return node

    def _since(self, version: int) -> list[tuple[NDArray[np.intp], int]]:
        """Return the updates since a version."""
        count = self.version - version
        if not 0 <= count <= len(self._changes):
            raise ValueError(f"state {version:,} of the graph is not known; it was updated {self.version:,} times")
        return self._changes[len(self._changes) - count :]


def _selected(data: bytes, places: NDArray[np.intp]) -> bytes:
    if len(data) % 4:
        raise ValueError(f"a selection has 4 bytes per node, not {len(data):,} bytes in total")
    numbers = np.frombuffer(data, dtype="<u4").astype(np.intp)
    if numbers.size and numbers.max() >= places.size:
        raise ValueError(f"node {numbers.max():,} was selected, but the graph had {places.size:,} nodes")
    now = places[numbers]
    return np.sort(now[now >= 0]).astype("<u4").tobytes()


def _hidden(bits: bytes, places: NDArray[np.intp], size: int) -> bytes:
    if not bits:
        return bits
    if len(bits) != -(-places.size // 8):
        raise ValueError(f"hidden nodes must be {-(-places.size // 8):,} bytes, one bit per node, not {len(bits):,}")
    mask = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=places.size, bitorder="little").astype(bool)
    now = np.zeros(size, dtype=bool)
    there = places[mask]
    now[there[there >= 0]] = True
    return np.packbits(now, bitorder="little").tobytes() if now.any() else b""
