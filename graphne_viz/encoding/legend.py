"""What explains the colours: classes with their counts, or a scale; by the rules of ``js/src/ui/legend/legend.ts``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.colors.palette import MISSING_COLOR, OTHER_COLOR
from graphne_viz.encoding.columns.column import ClassColumn, ValueColumn
from graphne_viz.encoding.labels.text import clean_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz.encoding.colors.node_colors import ColorScale
    from graphne_viz.encoding.columns.column import Column

LONGEST_LABEL = 48
"""Characters of a class's name, or of a node's, in a picture."""

NO_VALUE = "no value"


@dataclass(frozen=True)
class LegendEntry:
    """One line of a legend: a class, the classes without a colour, or the nodes without a value."""

    label: str
    color: str
    count: int


@dataclass(frozen=True, eq=False)
class Legend:
    """What explains the colours.

    Attributes
    ----------
    title : str
        The name of the column, "" if there is nothing to explain.
    entries : tuple of LegendEntry
        The classes; beside a scale only the nodes without a value, if there are any.
    scale : ColorScale or None
        For numbers.
    """

    title: str = ""
    entries: tuple[LegendEntry, ...] = ()
    scale: ColorScale | None = None


def legend_of(column: Column | None, visible: NDArray[np.bool_], scale: ColorScale | None = None) -> Legend:
    """Explain the colours of a column.

    Parameters
    ----------
    column : Column or None
    visible : ndarray of bool, shape (n,)
        Classes of which no node is visible are left out. Counts are those of all nodes.
    scale : ColorScale or None
        That of a column of numbers.

    Returns
    -------
    Legend
        Empty where there is nothing to explain: one colour for all, and colours that the caller chose.
    """
    if isinstance(column, ClassColumn):
        return Legend(column.name, _class_entries(column, visible))
    if isinstance(column, ValueColumn):
        missing = ~np.isfinite(column.values)
        entries = (LegendEntry(NO_VALUE, MISSING_COLOR, int(missing.sum())),) if (missing & visible).any() else ()
        return Legend(column.name, entries, scale if visible.any() else None)
    return Legend()


def class_label(label: str, longest: int = LONGEST_LABEL) -> str:
    r"""Return the name of a class as a legend shows it; one without any visible character is "(empty)".

    Examples
    --------
    >>> class_label("two\nlines"), class_label(" ")
    ('two lines', '(empty)')
    """
    text = clean_text(label, longest)
    return text if any(character.isprintable() and not character.isspace() for character in text) else "(empty)"


def _class_entries(column: ClassColumn, visible: NDArray[np.bool_]) -> tuple[LegendEntry, ...]:
    categories = column.categories
    shown = np.bincount(column.codes[visible], minlength=len(categories) + 1)
    entries = [
        LegendEntry(class_label(category.label), category.color, category.count)
        for category, count in zip(categories, shown, strict=False)
        if count and category.color is not None
    ]
    others = [k for k, category in enumerate(categories) if category.color is None]
    if shown[others].any():
        label = f"{len(others):,} more class{'es' if len(others) > 1 else ''}"
        entries.append(LegendEntry(label, OTHER_COLOR, sum(categories[k].count for k in others)))
    if shown[-1]:
        entries.append(LegendEntry(NO_VALUE, MISSING_COLOR, int((column.codes == len(categories)).sum())))
    return tuple(entries)
