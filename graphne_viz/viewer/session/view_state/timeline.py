"""The timeline in the words of Python: ``{"column": "year", "window": 0.1, "speed": 2.0}``, None while it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphne_viz.encoding.columns.builders import as_numbers
from graphne_viz.viewer.session.view_state.filters import column_name, find_column
from graphne_viz.viewer.session.view_state.view_settings import check_timeline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphne_viz.viewer.session.column_registry import ColumnRegistry


def to_settings(value: object, columns: ColumnRegistry) -> dict[str, Any] | None:
    """Return a timeline as the browser's store holds it.

    Parameters
    ----------
    value : None, str or mapping
        A column of dates or numbers of the nodes or edges, or a mapping with "column", "window", the share of the time
        that is seen at once (0 for all until then), and "speed".
    columns : ColumnRegistry

    Raises
    ------
    TypeError, ValueError
        If there is no such column, or it has no two different values, in one sentence.
    """
    checked = check_timeline(value)
    if checked is None:
        return None
    column = as_numbers(find_column(checked["column"], columns))
    if column is None:
        raise ValueError(f"timeline={checked['column']!r} holds neither dates nor numbers; a timeline needs them")
    if not column.high > column.low:
        raise ValueError(f"timeline={checked['column']!r} has no two different values; a timeline needs them")
    return checked | {"column": column.key}


def has_times(key: str, columns: ColumnRegistry) -> bool:
    """Tell whether there is a column of a key that a timeline can show."""
    column = next((one for one in columns.edge_columns if one.key == key), None) or columns.of_key(key)
    times = None if column is None else as_numbers(column)
    return times is not None and times.high > times.low


def from_settings(settings: Mapping[str, Any] | None, columns: ColumnRegistry) -> dict[str, Any] | None:
    """Return a timeline of the browser's store in the words of Python; the opposite of `to_settings`."""
    return None if settings is None else dict(settings) | {"column": column_name(settings["column"], columns)}
