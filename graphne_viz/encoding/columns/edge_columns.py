"""The columns of edges: what a view or a picture can give them width, colour and labels by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from graphne_viz._checks import check_flag, no_such_name
from graphne_viz.encoding.columns.column import ClassColumn, ColorColumn, TextColumn, ValueColumn
from graphne_viz.encoding.columns.node_columns import column_of, named_key
from graphne_viz.encoding.labels.text import clean_text, encode_texts
from graphne_viz.graphs.attributes import fullest_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.edge_table import EdgeTable
    from graphne_viz.graphs.graph import Graph

EdgeRole = Literal["edge_width", "edge_color", "edge_label"]
EDGE_ROLES: tuple[EdgeRole, ...] = get_args(EdgeRole)

WEIGHT = "weight"
"""What the weights of edges are called, whatever attribute held them."""

ENDS = "ends"
"""Stands for the colours of the two nodes of an edge."""

AUTO = "auto"
MOST_STYLED_EDGES = 50_000
"""Of more edges only thin lines of one colour are drawn."""

_PREFIX = "e"


def edge_columns(links: EdgeTable) -> list[Column]:
    """Make a column of every edge attribute that can be shown, and of the weights where they differ.

    Parameters
    ----------
    links : EdgeTable

    Returns
    -------
    list of Column
        Of one entry an edge, in the order of the table. Their keys are "e:" and the name of the attribute.
    """
    given = dict(fullest_columns(links.attributes, "shown"))
    if WEIGHT not in given and len(links.weights) and np.ptp(links.weights):
        given = {WEIGHT: links.weights, **given}
    # Widths need numbers, so these are never taken for codes of classes.
    found = (column_of(named_key(_PREFIX, name), clean_text(name), given[name], coded=False) for name in given)
    return [column for column in found if column is not None]


def edge_column(columns: Sequence[Column], role: EdgeRole, name: str) -> Column:
    """Find the column that people call by the name of an edge attribute.

    Parameters
    ----------
    columns : sequence of Column
        From `edge_columns`.
    role : {"edge_width", "edge_color", "edge_label"}
    name : str

    Raises
    ------
    TypeError, ValueError
        If there is none, or it does not suit: widths need numbers.
    """
    if not isinstance(name, str):
        raise TypeError(f"{role} must be the name of an edge attribute or None, got {name!r}")
    key = named_key(_PREFIX, name)
    found = next((column for column in columns if column.key == key), None)
    if found is None:
        also = f"; also accepted is {ENDS!r}" if role == "edge_color" else ""
        raise no_such_name(role, name, "an edge attribute", [column.key[2:] for column in columns], also=also)
    if role == "edge_width" and not isinstance(found, ValueColumn):
        raise ValueError(f"edge_width={name!r} holds {_kind_in_words(found)}; widths need numbers")
    if role == "edge_color" and isinstance(found, TextColumn):
        raise ValueError(f"edge_color={name!r} has a different text for nearly every edge, too many to colour by")
    return found


def automatic_width(columns: Sequence[Column], n_edges: int) -> str | None:
    """Choose what the width of edges shows where the caller did not: their weights, if they differ."""
    weights = any(column.key == named_key(_PREFIX, WEIGHT) and isinstance(column, ValueColumn) for column in columns)
    return WEIGHT if weights and n_edges <= MOST_STYLED_EDGES else None


class EdgeStyles(NamedTuple):
    """What edges are drawn by: columns, "ends" for the colours of their nodes, arrows and curves."""

    width: Column | None
    color: Column | str | None
    arrows: bool
    curved: bool


def edge_styles(
    graph: Graph, *, width: str | None, color: str | None, arrows: bool | None, curved: bool | None
) -> EdgeStyles:
    """Find what edges are to be drawn by; None for `arrows` and `curved` stands for what suits.

    Raises
    ------
    TypeError, ValueError
        If it does not suit, in one sentence.
    """
    links = graph.links
    columns = edge_columns(links)
    if width == AUTO and AUTO not in links.attributes:
        width = automatic_width(columns, len(links.ends))
    ends = color == ENDS and ENDS not in links.attributes
    for name, flag in (("arrows", arrows), ("curved", curved)):
        if flag is not None:
            check_flag(name, flag)
    return EdgeStyles(
        None if width is None else edge_column(columns, "edge_width", width),
        color if ends or color is None else edge_column(columns, "edge_color", color),
        links.directed if arrows is None else arrows,
        has_parallel_or_mutual(links) if curved is None else curved,
    )


def has_parallel_or_mutual(links: EdgeTable) -> bool:
    """Tell whether two edges join the same two nodes, in whatever direction; straight lines would hide one of them."""
    pairs = np.sort(links.ends, axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    codes = pairs[:, 0] * (int(pairs.max(initial=0)) + 1) + pairs[:, 1]
    return len(np.unique(codes)) < len(codes)


def rows_of(column: Column, chosen: NDArray[np.intp]) -> Column:
    """Return a column of some of its rows; what is said about all of them stays."""
    if isinstance(column, ClassColumn):
        return replace(column, codes=column.codes[chosen])
    if isinstance(column, ValueColumn):
        return replace(column, values=column.values[chosen])
    if isinstance(column, ColorColumn):
        return replace(column, rgba=column.rgba[chosen])
    texts = column.texts
    return column if texts is None else replace(column, texts=encode_texts(texts[int(row)] for row in chosen))


def _kind_in_words(column: Column) -> str:
    return {"classes": "classes", "values": "numbers", "colors": "colours", "text": "text"}[column.kind]
