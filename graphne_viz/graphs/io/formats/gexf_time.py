"""When nodes and edges of a GEXF file begin and end: numbers, dates or times, as its ``timeformat`` says."""

from __future__ import annotations

import datetime as dt
from itertools import repeat
from typing import TYPE_CHECKING

from graphne_viz.graphs.attributes import is_absent
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.xml_text import typed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    Columns = Mapping[str, NDArray[np.generic]]

TIMES = ("start", "end")
"""The attributes that hold them."""

DEFAULT_TIME = "double"


def read_time(text: str, kind: str, locate: Callable[[], int]) -> object:
    """Read a moment; infinity, an open end, is none.

    Raises
    ------
    FileProblem
        If it is not of that kind.
    """
    text = text.strip()
    if text.lower().lstrip("+-").startswith("inf"):
        return None
    if kind in {"date", "datetime"}:
        try:
            moment = dt.datetime.fromisoformat(text)
        except ValueError:
            raise FileProblem(f"{text[:80]!r} is not a date such as 2020-01-31", locate()) from None
        return moment if kind == "datetime" else moment.date()
    return typed(text, "integer" if kind in {"integer", "long"} else "double", locate)


def spans(nodes: Columns, edges: Columns, n_nodes: int, n_edges: int) -> tuple[Iterable[str], Iterable[str], str]:
    """Write when nodes and edges begin and end, as XML attributes.

    Parameters
    ----------
    nodes, edges : mapping of str to ndarray
        Their attributes.
    n_nodes, n_edges : int
        How many there are.

    Returns
    -------
    nodes, edges : iterable of str
        Text for each.
    kind : str
        The ``timeformat``; "" if there are no times, or not all of one kind.
    """
    found = [columns[name] for columns in (nodes, edges) for name in TIMES if name in columns]
    kinds = {_kind(column) for column in found}
    if len(kinds) != 1 or "" in kinds:
        return repeat("", n_nodes), repeat("", n_edges), ""
    return _texts(nodes, n_nodes), _texts(edges, n_edges), kinds.pop()


def _kind(column: NDArray[np.generic]) -> str:
    """Tell of what kind all values of a column are, "" if of none or of several."""
    present = [value for value in column.tolist() if not is_absent(value)]
    if not present or any(isinstance(value, bool) for value in present):
        return ""
    if all(isinstance(value, dt.datetime) for value in present):
        return "dateTime"
    if all(isinstance(value, dt.date) and not isinstance(value, dt.datetime) for value in present):
        return "date"
    return "double" if all(isinstance(value, (int, float)) for value in present) else ""


def _texts(columns: Columns, n: int) -> Iterable[str]:
    parts = [
        ["" if is_absent(value) else f' {name}="{_spelled(value)}"' for value in columns[name].tolist()]
        for name in TIMES
        if name in columns
    ]
    return map("".join, zip(*parts, strict=True)) if parts else repeat("", n)


def _spelled(value: object) -> str:
    return value.isoformat() if isinstance(value, dt.date) else repr(value)
