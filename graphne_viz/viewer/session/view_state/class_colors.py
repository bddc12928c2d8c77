"""Colours of single classes, chosen in the legend or by ``w.colors``: by the names of columns here, by keys there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from graphne_viz.encoding.columns.builders import as_hex
from graphne_viz.encoding.columns.column import ClassColumn

if TYPE_CHECKING:
    from graphne_viz.viewer.session.column_registry import ColumnRegistry

ClassColors: TypeAlias = dict[str, dict[str, str]]
"""From the names of columns to those of classes to colours such as "#0072b2"."""


def check_colors(value: object, columns: ColumnRegistry) -> ClassColors:
    """Return the colours of classes, each spelled as browsers read it; None stands for none.

    Raises
    ------
    TypeError, ValueError
        If a column has no classes, or a colour is invalid, in one sentence.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(chosen, Mapping) for chosen in value.values()):
        raise TypeError(f"colors must map the names of columns to colours of classes, got {value!r}")
    found: ClassColors = {}
    for name, chosen in value.items():
        column = columns.find(name)
        if not isinstance(column, ClassColumn):
            raise ValueError(f"colors names {name!r}, which has no classes")  # noqa: TRY004 -- it is a column's name
        found[columns.name_of(column.key)] = {str(label): as_hex(color, "colors") for label, color in chosen.items()}
    return found


def to_wire(colors: ClassColors, columns: ColumnRegistry) -> ClassColors:
    """Return the colours by the keys of columns, for the browser."""
    return {columns.find(name).key: chosen for name, chosen in colors.items()}
