"""The one frozen form in which every graph walks through the package."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz.graphs.links import Links

Origin = Literal["networkx", "igraph", "rustworkx", "table", "array"]
"""Which family of libraries a graph came from; it decides what a layout is returned as."""


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected weighted graph, read-only.

    Attributes
    ----------
    adjacency : scipy.sparse.csr_array, shape (n, n)
        Symmetric float64 weights, all positive and finite, without self-loops, in canonical form
        (indices sorted within rows, no duplicates, no stored zeros). An edge stands in both directions.
    ids : sequence of hashable, length n
        What the caller calls each node, in the caller's order.
    attributes : mapping of str to ndarray, shape (n,)
        Node attributes. Numeric columns have a numeric dtype, others ``object`` with None where missing.
    origin : str
        The family of libraries the graph came from.
    axes : frozenset of str
        Attributes that are the positions a file had, so that new ones replace them. One of the caller's own that is
        called "x" is not among them.
    links : Links or None
        The edges as a file has them, where there is more to say about them than `adjacency` does.
    """

    adjacency: sp.csr_array
    ids: Sequence[Hashable]
    attributes: Mapping[str, NDArray[np.generic]] = field(default_factory=lambda: MappingProxyType({}))
    origin: Origin = "array"
    axes: frozenset[str] = frozenset()
    links: Links | None = None

    def __post_init__(self) -> None:
        """Freeze the arrays, so that nothing downstream can change what another part reads."""
        n = self.n_nodes
        if self.adjacency.shape != (n, n) or len(self.ids) != n:
            raise ValueError(f"{len(self.ids)} ids do not fit an adjacency of shape {self.adjacency.shape}")
        for array in (self.adjacency.data, self.adjacency.indices, self.adjacency.indptr):
            array.flags.writeable = False
        frozen = {}
        for name, values in self.attributes.items():
            if values.shape != (n,):
                raise ValueError(f"attribute {name!r} has shape {values.shape}; there are {n} nodes")
            frozen[name] = values.view()  # a view, so that the caller's own array stays as it is
            frozen[name].flags.writeable = False
        object.__setattr__(self, "attributes", MappingProxyType(frozen))

    def __repr__(self) -> str:
        return f"Graph({self.n_nodes:,} nodes, {self.n_edges:,} edges, from {self.origin})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.adjacency.shape[0])

    @property
    def n_edges(self) -> int:
        """Number of undirected edges."""
        return int(self.adjacency.nnz // 2)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node, shape (n,)."""
        return np.diff(self.adjacency.indptr).astype(np.int64)

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """Each undirected edge once as ``(i, j)`` with i < j, shape (E, 2)."""
        rows = np.repeat(np.arange(self.n_nodes), self.degrees)
        once = rows < self.adjacency.indices
        return np.column_stack([rows[once], self.adjacency.indices[once]]).astype(np.int64)

    @cached_property
    def edge_weights(self) -> NDArray[np.float64]:
        """Weight of each of `edges`, shape (E,)."""
        rows = np.repeat(np.arange(self.n_nodes), self.degrees)
        return np.asarray(self.adjacency.data[rows < self.adjacency.indices], dtype=np.float64)
