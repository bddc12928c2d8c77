"""Sets of nodes in the forms in which they travel: numbers of four bytes, or a bit for each node of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.labels.text import node_names

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph


class NodeSets:
    """Translates sets of nodes of one graph.

    Parameters
    ----------
    graph : Graph
        With n nodes.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._size = graph.n_nodes

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        names = {name: i for i, name in enumerate(node_names(self._graph)) if isinstance(name, str)}
        return names | {node: i for i, node in enumerate(self._graph.ids)}

    def find(self, name: str, nodes: object) -> NDArray[np.intp]:
        """Return the numbers of nodes, ascending and each once.

        Parameters
        ----------
        name : str
            What the caller calls the nodes, for error messages.
        nodes : iterable of nodes

        Raises
        ------
        ValueError
            If it is not an iterable of nodes of the graph.
        """
        if isinstance(nodes, (str, bytes, Mapping)) or not isinstance(nodes, Iterable):
            raise ValueError(f"{name} must be an iterable of nodes, got {nodes!r}")  # noqa: TRY004 -- as traitlets has it
        found = set()
        for node in nodes:
            try:
                found.add(self._index[node])
            except (KeyError, TypeError):
                raise ValueError(f"{name} has {node!r}, which is not a node of the graph") from None
        return np.array(sorted(found), dtype=np.intp)

    def nodes(self, numbers: NDArray[np.integer]) -> tuple[Hashable, ...]:
        """Return the nodes of these numbers."""
        ids = self._graph.ids
        return tuple(ids[i] for i in numbers.tolist())

    def check_numbers(self, value: object) -> bytes:
        """Return numbers of nodes, four bytes each, ascending and each once; refuse anything else."""
        data = _as_bytes(value)
        if len(data) % 4:
            raise ValueError(f"a selection has 4 bytes per node, not {len(data):,} bytes in total")
        numbers = np.unique(np.frombuffer(data, dtype="<u4"))
        if numbers.size and numbers[-1] >= self._size:
            raise ValueError(f"node {numbers[-1]:,} was selected, but the graph has {self._size:,} nodes")
        return numbers.tobytes()

    def check_bits(self, value: object) -> bytes:
        """Return a bit for each node, or nothing at all for none; refuse anything else."""
        data = _as_bytes(value)
        expected = -(-self._size // 8)
        if len(data) not in {0, expected}:
            raise ValueError(f"hidden nodes must be {expected:,} bytes, one bit per node, not {len(data):,} bytes")
        return self.mask_bits(self.mask(data))  # without bits that stand for no node

    def bits(self, numbers: NDArray[np.intp]) -> bytes:
        """Write a set of nodes as a bit each, the lowest of a byte first; nothing at all for none."""
        return self.mask_bits(np.isin(np.arange(self._size), numbers)) if numbers.size else b""

    def mask_bits(self, mask: NDArray[np.bool_]) -> bytes:
        """Write a mask, shape (n,), in the same way."""
        return np.packbits(mask, bitorder="little").tobytes() if mask.any() else b""

    def mask(self, bits: bytes) -> NDArray[np.bool_]:
        """Read such bits, shape (n,)."""
        if not bits:
            return np.zeros(self._size, dtype=bool)
        unpacked = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=self._size, bitorder="little")
        return unpacked.astype(bool)


def _as_bytes(value: object) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"bytes were expected, got {type(value).__name__}")
    return bytes(value)
