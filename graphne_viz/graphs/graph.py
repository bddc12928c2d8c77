"""The one frozen form in which every graph walks through the package."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphne_viz.graphs.attributes import frozen_columns, read_only
from graphne_viz.graphs.edge_table import EdgeTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import scipy.sparse as sp
    from numpy.typing import NDArray

Origin = Literal["networkx", "igraph", "rustworkx", "table", "array"]
"""Which family of libraries a graph came from; it decides what a layout is returned as."""


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph in two forms, read-only: who is whose neighbour, and the edges as the caller has them.

    Layouts and metrics read `adjacency`, which is symmetric. What counts, draws and exports edges reads `links`, where
    direction, parallel edges, loops and attributes are.

    Attributes
    ----------
    adjacency : scipy.sparse.csr_array, shape (n, n)
        Symmetric float64 weights, all positive and finite, without self-loops, in canonical form
        (indices sorted within rows, no duplicates, no stored zeros). A pair of neighbours stands in both directions,
        with the weights of all edges between them added up.
    ids : sequence of hashable, length n
        What the caller calls each node, in the caller's order.
    attributes : mapping of str to ndarray, shape (n,)
        Node attributes. Numeric columns have a numeric dtype, others ``object`` with None where missing.
    origin : str
        The family of libraries the graph came from.
    axes : frozenset of str
        Attributes that are the positions a file had, so that new ones replace them. One of the caller's own that is
        called "x" is not among them.
    edge_table : EdgeTable or None
        The caller's edges, where there is more to say about them than `adjacency` does.
    genes : mapping of str to ndarray, shape (n,)
        Of AnnData: too many to be attributes, read when one is asked for.
    """

    adjacency: sp.csr_array
    ids: Sequence[Hashable]
    attributes: Mapping[str, NDArray[np.generic]] = field(default_factory=lambda: MappingProxyType({}))
    origin: Origin = "array"
    axes: frozenset[str] = frozenset()
    edge_table: EdgeTable | None = None
    genes: Mapping[str, NDArray[np.float64]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Freeze the arrays, so that nothing downstream can change what another part reads."""
        n = self.n_nodes
        if self.adjacency.shape != (n, n) or len(self.ids) != n:
            raise ValueError(f"{len(self.ids)} ids do not fit an adjacency of shape {self.adjacency.shape}")
        adjacency = copy(self.adjacency)  # with views of the arrays, so that the caller's own stay writable
        for name in ("data", "indices", "indptr"):
            setattr(adjacency, name, read_only(getattr(adjacency, name)))
        object.__setattr__(self, "adjacency", adjacency)
        object.__setattr__(self, "attributes", frozen_columns(self.attributes, n, "nodes"))
        if self.edge_table is not None and self.edge_table.ends.max(initial=-1) >= n:
            raise ValueError(f"an edge ends at node {self.edge_table.ends.max()}; there are {n} nodes")

    def __repr__(self) -> str:
        edges = "directed edges" if self.directed else "edges"
        return f"Graph({self.n_nodes:,} nodes, {self.n_edges:,} {edges}, from {self.origin})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.adjacency.shape[0])

    @property
    def n_edges(self) -> int:
        """Number of the caller's edges, parallel ones and loops included."""
        return self.n_pairs if self.edge_table is None else len(self.edge_table.ends)

    @property
    def directed(self) -> bool:
        """Whether edges have a direction, at least some of them."""
        return self.edge_table is not None and self.edge_table.directed

    @cached_property
    def links(self) -> EdgeTable:
        """The caller's edges; those of `adjacency` where there is nothing else to say about them."""
        return EdgeTable(self.pairs, self.pair_weights) if self.edge_table is None else self.edge_table

    @cached_property
    def positions(self) -> NDArray[np.float64] | None:
        """Where the file that the graph was read from had its nodes, shape (n, 2); None if it did not say of all."""
        columns = [self.attributes[axis] for axis in "xy" if axis in self.axes]
        if len(columns) < 2 or any(column.dtype.kind not in "if" for column in columns):
            return None
        found = np.column_stack(columns).astype(np.float64)
        return found if np.isfinite(found).all() else None

    @property
    def n_pairs(self) -> int:
        """Number of pairs of neighbours."""
        return int(self.adjacency.nnz // 2)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node, shape (n,)."""
        return np.diff(self.adjacency.indptr).astype(np.int64)

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Each pair of neighbours once as ``(i, j)`` with i < j, shape (n_pairs, 2)."""
        rows = np.repeat(np.arange(self.n_nodes), self.degrees)
        once = rows < self.adjacency.indices
        return np.column_stack([rows[once], self.adjacency.indices[once]]).astype(np.int64)

    @cached_property
    def pair_weights(self) -> NDArray[np.float64]:
        """Weight of each of `pairs`, shape (n_pairs,)."""
        rows = np.repeat(np.arange(self.n_nodes), self.degrees)
        return np.asarray(self.adjacency.data[rows < self.adjacency.indices], dtype=np.float64)
