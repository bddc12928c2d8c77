"""What a graph is coloured, sized and labelled by where the caller does not say: its class, degree and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.encoding.columns.node_columns import attribute_key
from graphne_viz.encoding.columns.values import CLASS_LIKE, DEGREE
from graphne_viz.encoding.labels.text import are_names, name_attribute
from graphne_viz.graphs.statistics import COMMUNITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.graph import Graph

AUTO = "auto"
"""Asks for what suits the graph."""

_MOST_CLASSES = 256


class AutomaticColor(NamedTuple):
    """What nodes are coloured by, None for nothing; `note` tells how to choose where that was not clear."""

    choice: str | None
    note: str = ""


def is_auto(graph: Graph, choice: object) -> bool:
    """Tell whether a choice leaves it to us."""
    return isinstance(choice, str) and choice == AUTO and choice not in graph.attributes


def automatic_color(graph: Graph, own: Iterable[Column]) -> AutomaticColor:
    """Choose what to colour by: the one attribute that is a class, or is called so, otherwise communities.

    Parameters
    ----------
    graph : Graph
    own : iterable of Column
        The graph's own columns, from `attribute_columns`.
    """
    kinds = {column.key: column for column in own}
    names = [name for name in graph.attributes if _is_class(kinds.get(attribute_key(name)), graph.n_nodes)]
    called = [name for name in names if name.casefold() in CLASS_LIKE]
    for found in (called, names):
        if len(found) == 1:
            return AutomaticColor(found[0])
        if found:
            listed = f"{', '.join(map(repr, found[:-1]))} and {found[-1]!r} could all be the class"
            if len(found) == 2:
                listed = f"{found[0]!r} and {found[1]!r} could both be the class"
            return AutomaticColor(_communities(graph), f"{listed}: color={found[0]!r} chooses one")
    return AutomaticColor(_communities(graph))


def automatic_size(graph: Graph) -> str | None:
    """Choose what to size by: the degree, where nodes differ in it."""
    return DEGREE if graph.n_nodes and np.ptp(graph.degrees) else None


def automatic_label(graph: Graph) -> str | bool | None:
    """Choose what is written beside nodes: an attribute with their names, or what the caller calls them."""
    attribute = name_attribute(graph)
    if attribute is not None:
        return attribute
    return True if are_names(graph.ids) else None


def _communities(graph: Graph) -> str | None:
    usable = graph.n_pairs > 0 and COMMUNITIES not in graph.attributes
    return COMMUNITIES if usable else None


def _is_class(column: Column | None, n: int) -> bool:
    return isinstance(column, ClassColumn) and 2 <= len(column.categories) <= max(2, min(_MOST_CLASSES, n // 2))
