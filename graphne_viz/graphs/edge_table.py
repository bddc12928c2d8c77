"""The edges of a graph as the caller gave them: directed or not, parallel ones, loops, and with all attributes.

`Graph.adjacency` has none of these: a layout does not need them. What is counted, drawn and written has them still.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.attributes import frozen_columns, read_only, take_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """Edges with all that is known about them, read-only.

    Attributes
    ----------
    ends : ndarray of int, shape (E, 2)
        Places of the nodes within the graph's ids, source and target. Both are the same in a loop.
    weights : ndarray, shape (E,)
        Finite and not negative; 1 where the caller gave none.
    attributes : mapping of str to ndarray, shape (E,)
        Without the weights, if these are called "weight".
    directed : bool
    mixed : ndarray of bool, shape (E,), or None
        Which edges have a direction, where not all are alike. Then `directed` is true, for what cannot tell them apart.
    """

    ends: NDArray[np.int64]
    weights: NDArray[np.float64]
    attributes: Mapping[str, NDArray[np.generic]] = field(default_factory=lambda: MappingProxyType({}))
    directed: bool = False
    mixed: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        """Check the lengths, and freeze the arrays."""
        if self.ends.ndim != 2 or self.ends.shape[1] != 2:
            raise ValueError(f"the ends of edges have shape {self.ends.shape}; it must be (E, 2)")
        columns: dict[str, NDArray[np.generic]] = {"the weights": self.weights}
        if self.mixed is not None:
            columns["mixed"] = self.mixed
        for name, values in columns.items():
            if values.shape != (len(self.ends),):
                raise ValueError(f"{name} of edges: shape {values.shape}, but there are {len(self.ends)} edges")
        object.__setattr__(self, "ends", read_only(self.ends))
        object.__setattr__(self, "weights", read_only(self.weights))
        object.__setattr__(self, "attributes", frozen_columns(self.attributes, len(self.ends), "edges"))
        if self.mixed is not None:
            object.__setattr__(self, "mixed", read_only(self.mixed))

    def __len__(self) -> int:
        return len(self.ends)

    @cached_property
    def parallel(self) -> bool:
        """Whether two edges have the same ends; with a direction u to v and v to u are not the same."""
        return not _distinct(self._codes(undirected=False))

    @cached_property
    def mutual(self) -> bool:
        """Whether somewhere edges lead from u to v and from v to u, loops aside."""
        if not self.directed:
            return False
        apart = self.ends[:, 0] != self.ends[:, 1]
        directed, both = np.unique(self._codes(undirected=False)[apart]), self._codes(undirected=True)[apart]
        return len(np.unique(both)) < len(directed)

    @property
    def loops(self) -> NDArray[np.bool_]:
        """Which edges lead from a node to itself, shape (E,)."""
        return np.asarray(self.ends[:, 0] == self.ends[:, 1], dtype=bool)

    @property
    def has_direction(self) -> NDArray[np.bool_]:
        """Which edges have a direction, shape (E,)."""
        return np.full(len(self), self.directed) if self.mixed is None else self.mixed

    def _codes(self, *, undirected: bool) -> NDArray[np.int64]:
        """Give each pair of ends a number; one without direction has one order."""
        source, target = self.ends.T
        swapped = (source > target) & (True if undirected else ~self.has_direction)
        low, high = np.where(swapped, target, source), np.where(swapped, source, target)
        return np.asarray(low * (int(self.ends.max(initial=0)) + 1) + high, dtype=np.int64)

    def both_ways(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return edges that all have a direction, and their weights: one without stands there in both.

        Returns
        -------
        ends : ndarray, shape (F, 2)
        weights : ndarray, shape (F,)
        """
        back = ~self.has_direction & ~self.loops
        return np.concatenate([self.ends, self.ends[back][:, ::-1]]), np.concatenate([self.weights, self.weights[back]])

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> EdgeTable:
        """Return some of the edges, by a mask or by their places."""
        return replace(
            self,
            ends=self.ends[chosen],
            weights=self.weights[chosen],
            attributes=take_columns(self.attributes, chosen),
            mixed=None if self.mixed is None else self.mixed[chosen],
        )

    def among(self, nodes: NDArray[np.intp], n: int) -> EdgeTable:
        """Return those between some of `n` nodes, whose numbers are their places among these."""
        place = np.full(n, -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        ends = place[self.ends]
        kept = (ends[:, 0] >= 0) & (ends[:, 1] >= 0)
        return replace(self.take(kept), ends=ends[kept])


def _distinct(codes: NDArray[np.int64]) -> bool:
    return len(np.unique(codes)) == len(codes)
