"""Columns made of values: classes, numbers, colours and text, in the form in which they are drawn and sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR
from graphne_viz.encoding.columns.classes import as_classes
from graphne_viz.encoding.columns.column import Category, ClassColumn, ColorColumn, TextColumn, ValueColumn
from graphne_viz.encoding.columns.dates import are_dates
from graphne_viz.encoding.columns.values import CLASS_LIKE, as_floats, is_missing, scale_of
from graphne_viz.encoding.labels.text import LONGEST_TEXT, clean_text, encode_texts

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    import matplotlib.colors as mpl_colors
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.encoding.columns.values import Palette
else:
    mpl_colors = lazy_import("matplotlib.colors")

MOST_CATEGORIES = 4_096
"""An attribute of more classes is text, unless the caller colours by it."""

_NUMERAL = re.compile(r"-?\d{1,15}(\.\d{1,15})?", re.ASCII)
_LONGEST_OF_MANY = 60
_LARGEST_VALUE = 8e307  # the difference of two such numbers is still one
_LARGEST_SINGLE = 1e6  # of larger ones float32 keeps fewer digits than a tooltip shows


def class_column(
    key: str, name: str, texts: Sequence[str | None], palette: Palette = CLASS_COLORS, note: str = ""
) -> ClassColumn:
    """Make a column of classes, None where a node has none; a list of too few colours is refused."""
    classes = as_classes(texts, palette if palette is CLASS_COLORS else _spelled(palette))
    if palette is not CLASS_COLORS and not isinstance(palette, Mapping) and None in classes.colors:
        raise ValueError(f"palette has {len(palette):,} colours, but {name!r} has {len(classes.labels):,} classes")
    longest = LONGEST_TEXT if len(classes.labels) <= MOST_CATEGORIES else _LONGEST_OF_MANY
    labels = (clean_text(label, longest) for label in classes.labels)
    categories = tuple(map(Category, labels, classes.colors, classes.counts.tolist()))
    codes = classes.codes.astype(np.min_scalar_type(len(categories)))
    numbers = bool(categories) and name.lower() not in CLASS_LIKE
    numbers = numbers and all(_NUMERAL.fullmatch(category.label) for category in categories)
    return ClassColumn(key, name, codes, categories, note=note, numbers=numbers)


def as_numbers(column: Column) -> ValueColumn | None:
    """Return a column of numbers or dates itself, one of few numbers as such a column, and None for any other.

    Examples
    --------
    >>> as_numbers(class_column("a:year", "year", ["2001", None, "2003"])).values
    array([2001.,   nan, 2003.], dtype=float32)
    >>> as_numbers(class_column("a:club", "club", ["1", "2"])) is None
    True
    """
    if isinstance(column, ValueColumn):
        return column
    if not isinstance(column, ClassColumn) or not column.numbers:
        return None
    values = np.array([*(float(category.label) for category in column.categories), np.nan])
    return value_column(column.key, column.name, values[column.codes], note=column.note)


def numbers_column(
    ids: Sequence[Hashable], key: str, name: str, values: NDArray[np.generic], argument: str
) -> ValueColumn:
    """Make a column of numbers or dates; `argument` and `ids` are what they are called if they are neither."""
    date = are_dates(values)
    # Of the time of a day in our century single precision leaves three minutes.
    return replace(value_column(key, name, as_floats(ids, values, argument), single=not date), date=date)


def value_column(
    key: str, name: str, numbers: NDArray[np.float64], *, single: bool = True, note: str = ""
) -> ValueColumn:
    """Make a column of numbers, with `single` as float32 where that shows them as well; infinite ones are missing."""
    known = np.isfinite(numbers)
    if not known.any():
        nothing = np.full(len(numbers), np.nan, dtype=np.float32)
        return ValueColumn(key, name, nothing, 0.0, 0.0, (0.0, 0.0), whole=False, note=note)
    numbers = np.where(known, np.clip(numbers, -_LARGEST_VALUE, _LARGEST_VALUE), np.nan)
    whole = bool((numbers[known] == np.rint(numbers[known])).all())
    values = numbers.astype(np.float32) if single and _fits_single(numbers[known], whole=whole) else numbers
    stored = values[known]  # as rounded, so that no value is outside its own range
    ends = float(stored.min()), float(stored.max())
    return ValueColumn(key, name, values, *ends, scale_of(stored), whole, note=note)


def own_colors_column(key: str, name: str, colors: NDArray[np.generic]) -> ColorColumn:
    """Make a column of values that are colours already.

    Parameters
    ----------
    key, name : str
    colors : ndarray, shape (n,) of matplotlib colours, None where there is none; or shape (n, 3) or (n, 4)
    """
    given: object = colors
    if colors.ndim == 1:
        given = [MISSING_COLOR if gone else color for color, gone in zip(colors, is_missing(colors), strict=True)]
    try:
        rgba = mpl_colors.to_rgba_array(cast("list[str]", given)) if len(colors) else np.zeros((0, 4))
    except (TypeError, ValueError) as error:
        raise ValueError(f"color contains an invalid colour: {error}") from None
    return ColorColumn(key, name, np.rint(255 * rgba).astype(np.uint8))


def text_column(key: str, name: str, values: NDArray[np.generic]) -> TextColumn:
    """Make a column of text, each value as it would be printed, "" where there is none."""
    return TextColumn(key, name, encode_texts(_texts(values)))


def as_hex(color: object, argument: str) -> str:
    """Spell a colour of matplotlib as browsers read it; `argument` is what the caller calls it."""
    try:
        rgba = mpl_colors.to_rgba(cast("str", color))
    except (TypeError, ValueError):
        raise ValueError(f"{argument} contains an invalid colour: {color!r}") from None
    return mpl_colors.to_hex(rgba, keep_alpha=rgba[3] < 1)


def _texts(values: NDArray[np.generic]) -> Iterable[str]:
    gone = is_missing(values) if values.ndim == 1 else np.zeros(len(values), dtype=bool)
    return ("" if missing else clean_text(value) for value, missing in zip(values, gone, strict=True))


def _spelled(palette: Palette) -> Palette:
    """Spell the colours of a caller's palette as browsers read them."""
    if isinstance(palette, Mapping):
        return {label: as_hex(color, "palette") for label, color in palette.items()}
    return [as_hex(color, "palette") for color in palette]


def _fits_single(numbers: NDArray[np.float64], *, whole: bool) -> bool:
    """Tell whether float32 shows numbers, and tells them apart, as well as float64."""
    sizes = np.abs(numbers)
    largest, span = sizes.max(), np.ptp(numbers)
    if whole:
        return bool(largest < 2**24)
    vanishing = (sizes > 0) & (sizes < np.finfo(np.float32).smallest_normal)
    return bool(largest < _LARGEST_SINGLE and span >= 1e-3 * largest and not vanishing.any())
