"""What is new, gone or changed between two states of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Number
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph


@dataclass(frozen=True, eq=False)
class GraphChange:
    """How one graph became another. Nodes are the same if they are equal.

    Attributes
    ----------
    old, new : Graph
    old_places : ndarray of int, shape (n,)
        For every node of the new graph its place in the old one; -1 where it is new.
    """

    old: Graph
    new: Graph
    old_places: NDArray[np.intp]

    @property
    def new_places(self) -> NDArray[np.intp]:
        """For every node of the old graph its place in the new one, shape (m,); -1 where it is gone."""
        known = self.old_places >= 0
        places = np.full(self.old.n_nodes, -1, dtype=np.intp)
        places[self.old_places[known]] = np.flatnonzero(known)
        return places

    @cached_property
    def added(self) -> tuple[Hashable, ...]:
        """Nodes that are new."""
        return tuple(self.new.ids[i] for i in np.flatnonzero(self.old_places < 0).tolist())

    @cached_property
    def removed(self) -> tuple[Hashable, ...]:
        """Nodes that are gone."""
        return tuple(self.old.ids[i] for i in np.flatnonzero(self.new_places < 0).tolist())

    @cached_property
    def edges(self) -> tuple[int, int, int]:
        """Pairs of neighbours that are new, that are gone, and that have another weight."""
        n = self.new.n_nodes
        before = np.sort(self.new_places[self.old.pairs], axis=1)
        stays = before[:, 0] >= 0
        old_codes = before[stays, 0] * n + before[stays, 1]
        new_codes = self.new.pairs[:, 0] * n + self.new.pairs[:, 1]
        common, ours, theirs = np.intersect1d(old_codes, new_codes, assume_unique=True, return_indices=True)
        changed = self.old.pair_weights[stays][ours] != self.new.pair_weights[theirs]
        return self.new.n_pairs - len(common), self.old.n_pairs - len(common), int(changed.sum())


def compare_graphs(old: Graph, new: Graph) -> GraphChange:
    """Find the nodes of one graph in another.

    Parameters
    ----------
    old, new : Graph

    Returns
    -------
    GraphChange

    Raises
    ------
    ValueError
        If no node can be the same, because they are of different types.

    Examples
    --------
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> change = compare_graphs(as_graph([(0, 1), (1, 2)]), as_graph([(0, 1), (1, 3)]))
    >>> change.added, change.removed, change.edges
    ((3,), (2,), (1, 1, 0))
    """
    if new.ids == old.ids:
        return GraphChange(old, new, np.arange(new.n_nodes))
    place = {node: i for i, node in enumerate(old.ids)}
    places = np.fromiter((place.get(node, -1) for node in new.ids), dtype=np.intp, count=new.n_nodes)
    if new.n_nodes and old.n_nodes and (places < 0).all() and not (_kinds(old) & _kinds(new)):
        raise ValueError(
            f"the new graph has nodes such as {new.ids[0]!r}, of another type than those of the old one, such as "
            f"{old.ids[0]!r}; nodes are the same only if they are equal"
        )
    return GraphChange(old, new, places)


def _kinds(graph: Graph) -> set[type]:
    """Return the types of the nodes, in which all numbers are alike, as they are in a dict."""
    return {Number if isinstance(node, Number) else type(node) for node in graph.ids}
