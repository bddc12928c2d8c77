"""Columns of a graph that has changed: classes keep their colours, nodes what was known of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.encoding.columns.builders import value_column
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.graph import Graph

KeptColors = dict[str, dict[str, str]]
"""From keys of columns to labels of classes to colours."""


def colors_of(columns: Iterable[Column]) -> KeptColors:
    """Note which colours the classes of some columns have."""
    return {
        column.key: {each.label: each.color for each in column.categories if each.color is not None}
        for column in columns
        if isinstance(column, ClassColumn)
    }


def with_kept_colors(column: Column | None, kept: KeptColors) -> Column | None:
    """Give classes the colours that they had before; new ones have none of these.

    Parameters
    ----------
    column : Column or None
    kept : dict
        From `colors_of`.

    Returns
    -------
    Column or None
        The very same if nothing is to be changed.
    """
    if not isinstance(column, ClassColumn) or not kept.get(column.key):
        return column
    before = kept[column.key]
    taken = {before[each.label] for each in column.categories if each.label in before}
    spare = iter([color for color in CLASS_COLORS if color not in taken])
    categories = []
    for each in column.categories:
        color = before.get(each.label, each.color)
        if each.label not in before and color in taken:
            color = next(spare, None)
        categories.append(each if color == each.color else replace(each, color=color))
    if all(one is other for one, other in zip(categories, column.categories, strict=True)):
        return column
    return replace(column, categories=tuple(categories))


def carried(column: ClassColumn | ValueColumn, graph: Graph, at: NDArray[np.intp]) -> Column:
    """Make a column of what was known of the nodes of the graph before.

    Parameters
    ----------
    column : ClassColumn or ValueColumn
    graph : Graph
        As it is now, with n nodes.
    at : ndarray of int, shape (n,)
        The places of its nodes in the graph before; -1 for new ones.

    Returns
    -------
    ClassColumn or ValueColumn
        A new node has the class of most of its neighbours, but no number.
    """
    known = at >= 0
    if isinstance(column, ValueColumn):
        values = np.where(known, column.values[at], np.nan).astype(np.float64)
        return value_column(column.key, column.name, values, note=column.note)
    none = len(column.categories)
    codes = np.where(known, column.codes.astype(np.intp)[at], none)
    _join_neighbors(codes, graph, np.flatnonzero(~known), none)
    counts = np.bincount(codes, minlength=none + 1)
    stays = np.append(counts[:none] > 0, True)
    codes = (np.cumsum(stays) - 1)[codes]
    categories = tuple(
        replace(each, count=int(count)) for each, count in zip(column.categories, counts, strict=False) if count
    )
    return replace(column, codes=codes.astype(np.min_scalar_type(len(categories))), categories=categories)


def _join_neighbors(codes: NDArray[np.intp], graph: Graph, new: NDArray[np.intp], none: int) -> None:
    """Give new nodes the class of most of their neighbours; in rounds, since some have only new neighbours."""
    indptr, indices = graph.adjacency.indptr, graph.adjacency.indices
    waiting = new.tolist()
    while waiting:
        found = {}
        for node in waiting:
            around = codes[indices[indptr[node] : indptr[node + 1]]]
            around = around[around < none]
            if around.size:
                found[node] = int(np.bincount(around).argmax())
        if not found:
            return
        for node, code in found.items():
            codes[node] = code
        waiting = [node for node in waiting if node not in found]
