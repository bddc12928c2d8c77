"""The legend in the words of Python: ``{"isolated": ["A"], "hidden": ["B", None]}``, by the classes of the colours.

Nodes of isolated classes stand out, nodes of hidden ones are not shown. The browser's store holds the entries of the
legend by their names, of which two stand for no class, as in ``js/src/encoding/legend-entries.ts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.encoding.labels.text import clean_text
from graphne_viz.viewer.session.view_state.filters import classes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column

OTHER = "\0other"
"""The entry of all classes that have no colour of their own."""

MISSING = "\0missing"
"""The entry of nodes without a class."""

LISTS = ("isolated", "hidden")

LegendState: TypeAlias = dict[str, list[str | None]]
"""Classes by `LISTS`; None are the nodes without one."""


def to_settings(value: object, column: Column | None) -> dict[str, Any]:
    """Return a legend as the browser's store holds it.

    Parameters
    ----------
    value : mapping
        Lists of classes by `LISTS`. A class without a colour of its own stands for all that have none.
    column : Column or None
        What the nodes are coloured by.

    Raises
    ------
    ValueError
        If it is no such mapping, or there is no such class, in one sentence.
    """
    if not isinstance(value, Mapping) or value.keys() - set(LISTS):
        raise ValueError(f'legend must be {{"isolated": [classes], "hidden": [classes]}}, got {value!r}')
    hidden, isolated = (_entries(name, value.get(name, ()), column) for name in reversed(LISTS))
    # What is hidden cannot stand out; the legend itself never has both.
    isolated = [entry for entry in isolated if entry not in hidden]
    return {"column": column.key if isinstance(column, ClassColumn) else "", "isolated": isolated, "hidden": hidden}


def from_settings(settings: Mapping[str, Any], column: Column | None) -> LegendState:
    """Return a legend of the browser's store in the words of Python; one of other colours says nothing."""
    if not isinstance(column, ClassColumn) or settings["column"] != column.key:
        return {name: [] for name in LISTS}
    entry_of = _entry_of(column)
    return {name: [label for label, entry in entry_of.items() if entry in settings[name]] for name in LISTS}


def hidden_by(settings: Mapping[str, Any], column: Column | None, n_nodes: int) -> NDArray[np.bool_]:
    """Tell which nodes a legend of the browser's store hides, shape (n,)."""
    hidden = from_settings(settings, column)["hidden"]
    if not hidden or not isinstance(column, ClassColumn):
        return np.zeros(n_nodes, dtype=bool)
    labels = [*(category.label for category in column.categories), None]
    return np.array([label in hidden for label in labels])[column.codes]


def _entry_of(column: ClassColumn) -> dict[str | None, str]:
    """Return which entry of the legend each class has."""
    own = {category.label for category in column.categories if category.color is not None}
    return {label: MISSING if label is None else label if label in own else OTHER for label in classes_of(column)}


def _entries(name: str, wanted: object, column: Column | None) -> list[str]:
    """Return the entries of classes, in the order of the legend."""
    if isinstance(wanted, (str, bytes, Mapping)) or not isinstance(wanted, Iterable):
        raise ValueError(f"the {name} classes of legend must be a list, got {wanted!r}")  # noqa: TRY004 -- as for filters
    labels = [None if one is None else clean_text(one) for one in wanted]
    if not isinstance(column, ClassColumn):
        if labels:
            raise ValueError(f"legend has {labels[0]!r}, but the nodes are not coloured by classes")
        return []
    entry_of = _entry_of(column)
    for label in labels:
        if label not in entry_of:
            raise ValueError(f"legend has {label!r}, which is not one of the classes of {column.name!r}")
    return list(dict.fromkeys(entry for label, entry in entry_of.items() if entry in {entry_of[one] for one in labels}))
