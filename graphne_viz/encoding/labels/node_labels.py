"""From a column to the text beside every node, by the rules of ``js/src/data/format.ts``."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

from graphne_viz.encoding.columns.column import ClassColumn, ColorColumn, TextColumn
from graphne_viz.encoding.columns.dates import date_text
from graphne_viz.encoding.labels.text import clean_text, node_names
from graphne_viz.encoding.legend import LONGEST_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graphne_viz.encoding.columns.column import Column, ValueColumn
    from graphne_viz.graphs.graph import Graph

_LARGEST_WHOLE = 2**53 - 1
_UNGROUPED = 10_000  # smaller whole numbers may be years
_DIGITS = 4


def node_labels(column: Column | None, graph: Graph, nodes: Iterable[int] | None = None) -> list[str]:
    """Return what is written beside nodes.

    Parameters
    ----------
    column : Column or None
    graph : Graph
    nodes : iterable of int, optional
        By default all nodes.

    Returns
    -------
    list of str
        One for each of `nodes`, "" for no label; an empty list if there are no labels at all.
    """
    if column is None or isinstance(column, ColorColumn):
        return []
    chosen = range(graph.n_nodes) if nodes is None else nodes
    if isinstance(column, TextColumn):
        if column.texts is None:
            names = node_names(graph)
            return [clean_text(names[node], LONGEST_LABEL) for node in chosen]
        return [clean_text(column.texts[node], LONGEST_LABEL) for node in chosen]
    if isinstance(column, ClassColumn):
        table = [*(clean_text(category.label, LONGEST_LABEL) for category in column.categories), ""]
        return [table[column.codes[node]] for node in chosen]
    return [value_text(column, float(column.values[node])) for node in chosen]


def value_text(column: ValueColumn, value: float) -> str:
    """Spell a value of a column as the viewer does, "" for none."""
    if not math.isfinite(value):
        return ""
    return date_text(value, timed=not column.whole) if column.date else number_text(value)


def number_text(value: float) -> str:
    """Spell a finite number: whole ones in full, others with four digits.

    Examples
    --------
    >>> [number_text(value) for value in (1984.0, 12345.0, 1.23456, 1234.5, 0.00001234)]
    ['1984', '12,345', '1.235', '1,235', '1.23e-5']
    """
    size, sign = abs(value), "\N{MINUS SIGN}" if value < 0 else ""
    if value.is_integer() and size <= _LARGEST_WHOLE:
        return sign + (f"{int(size)}" if size < _UNGROUPED else f"{int(size):,}")
    if size >= 1e6 or size < 1e-4:
        mantissa, _, exponent = f"{_rounded(size, 3):.2e}".partition("e")
        return f"{sign}{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    if size >= 1000:
        return f"{sign}{math.floor(size + 0.5):,}"
    return f"{sign}{_rounded(size, _DIGITS).normalize():f}"


def _rounded(value: float, digits: int) -> Decimal:
    """Round as JavaScript does, halves up; Python's own formatting rounds them to even digits."""
    return Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))
