"""Filters in the words of Python: ranges of numbers and the classes that are shown, by the names of columns.

``{"degree": (3, None), "department": ["A", "B"]}`` shows nodes of degree 3 and more in two departments. Attributes of
edges are named in the same way, and leave edges out.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from graphne_viz.encoding.columns.builders import as_numbers
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn
from graphne_viz.encoding.columns.dates import as_days
from graphne_viz.encoding.columns.node_columns import RECALL_KEY, attribute_key
from graphne_viz.encoding.columns.values import DEGREE, RECALL
from graphne_viz.encoding.labels.text import clean_text
from graphne_viz.graphs.statistics import STATISTICS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.viewer.session.column_registry import ColumnRegistry

Filters: TypeAlias = dict[str, Any]
"""From names of columns to ranges or lists of classes."""


def to_settings(filters: object, columns: ColumnRegistry) -> dict[str, dict[str, Any]]:
    """Return filters as the browser's store holds them.

    Parameters
    ----------
    filters : mapping of str to (low, high) or iterable of classes
        None on either side of a range leaves it open; None among the classes are the nodes without one. Where classes
        are numbers, a tuple is a range and any other iterable lists classes.
    columns : ColumnRegistry

    Raises
    ------
    TypeError, ValueError
        If there is no such column or class, or a range is invalid, in one sentence.
    """
    if not isinstance(filters, Mapping):
        raise TypeError(f"filters must be a mapping from names of columns, got {filters!r}")
    found: dict[str, dict[str, Any]] = {}
    for name, wanted in filters.items():
        column = find_column(name, columns)
        numbers = as_numbers(column)
        if isinstance(column, ValueColumn) or (numbers is not None and isinstance(wanted, tuple)):
            low, high = _range(name, wanted, dates=isinstance(column, ValueColumn) and column.date)
            if low is not None or high is not None:
                found[column.key] = {"low": low, "high": high}
        elif isinstance(column, ClassColumn):
            without = _without(name, wanted, column)
            if without:
                found[column.key] = {"without": without}
        else:
            raise ValueError(f"filters has {name!r}, which holds neither numbers nor classes")
    return found


def from_settings(settings: Mapping[str, Mapping[str, Any]], columns: ColumnRegistry) -> Filters:
    """Return filters of the browser's store in the words of Python; the opposite of `to_settings`."""
    found: Filters = {}
    for key, limits in settings.items():
        column = next((one for one in columns.edge_columns if one.key == key), None) or columns.of_key(key)
        if "without" not in limits:
            found[column_name(key, columns)] = (limits["low"], limits["high"])
        elif isinstance(column, ClassColumn):
            found[column_name(key, columns)] = [label for label in classes_of(column) if label not in limits["without"]]
    return found


def find_column(name: object, columns: ColumnRegistry) -> Column:
    """Return the column of the nodes, or else of the edges, that people call by a name, or the browser by a key.

    Raises
    ------
    ValueError
        If there is none.
    """
    try:
        return columns.find(name)
    except ValueError:
        for column in columns.edge_columns:
            if name in {column.key, columns.edge_choice(column.key)}:
                return column
        raise


def column_name(key: str, columns: ColumnRegistry) -> str:
    """Return what people call the column of a key; one of edges by its key where nodes have one of that name."""
    if all(column.key != key for column in columns.edge_columns):
        return columns.name_of(key)
    name = columns.edge_choice(key) or key
    taken = name in STATISTICS or name in {DEGREE, RECALL} or columns.of_key(attribute_key(name)) is not None
    return key if taken else name


def hidden_by(settings: Mapping[str, Mapping[str, Any]], columns: ColumnRegistry, n_nodes: int) -> NDArray[np.bool_]:
    """Tell which nodes filters leave out, shape (n,); a node without a value is in no range.

    A filter by neighbour recall, which only the browser measures, leaves nobody out here.
    """
    hidden = np.zeros(n_nodes, dtype=bool)
    for key, limits in settings.items():
        column = None if key == RECALL_KEY else columns.of_key(key)
        numbers = None if column is None or "without" in limits else as_numbers(column)
        if numbers is not None:
            low = -math.inf if limits["low"] is None else limits["low"]
            high = math.inf if limits["high"] is None else limits["high"]
            hidden |= ~((numbers.values >= np.float64(low)) & (numbers.values <= np.float64(high)))
        elif isinstance(column, ClassColumn) and "without" in limits:
            labels = [*(category.label for category in column.categories), None]
            out = np.array([label in limits["without"] for label in labels])
            hidden |= out[column.codes]
    return hidden


def classes_of(column: ClassColumn) -> list[str | None]:
    """List the classes of a column, and None if there are nodes without one."""
    labels: list[str | None] = [category.label for category in column.categories]
    return [*labels, None] if (column.codes == len(labels)).any() else labels


def _without(name: str, wanted: object, column: ClassColumn) -> list[str | None]:
    """Return the classes that are not wanted."""
    if isinstance(wanted, (str, bytes, Mapping)) or not isinstance(wanted, Iterable):
        raise ValueError(f"the filter by {name!r} must list the classes that are shown, got {wanted!r}")  # noqa: TRY004 -- as below
    known = classes_of(column)
    shown = [None if one is None else clean_text(one) for one in wanted]
    for one in shown:
        if one not in known and one is not None:
            raise ValueError(f"the filter by {name!r} has {one!r}, which is not one of its classes")
    return [label for label in known if label not in shown]


def _range(name: str, wanted: object, *, dates: bool) -> tuple[float | None, float | None]:
    limits = [*wanted] if isinstance(wanted, (tuple, list)) else []
    if len(limits) != 2:
        raise ValueError(f"the filter by {name!r} must be a range (low, high), got {wanted!r}")
    low, high = (_limit(name, limit, dates=dates) for limit in limits)
    if low is not None and high is not None and low > high:
        raise ValueError(f"the filter by {name!r} has its lower limit above the upper one: {wanted!r}")
    return low, high


def _limit(name: str, limit: object, *, dates: bool) -> float | None:
    if limit is None:
        return None
    if dates and isinstance(limit, (dt.date, np.datetime64)):
        return float(as_days(np.array([limit], dtype=object))[0])
    if isinstance(limit, bool) or not isinstance(limit, Real) or not math.isfinite(limit):
        expected = "dates, days since 1970 or None" if dates else "finite limits or None"
        raise ValueError(f"the filter by {name!r} must have {expected}, got {limit!r}")
    return float(limit)
