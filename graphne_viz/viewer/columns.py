"""From attributes and the caller's own data to the columns that the viewer colours, sizes and labels by."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.graphs.statistics import statistic
from graphne_viz.viewer.column import Category, ClassColumn, ColorColumn, TextColumn, ValueColumn
from graphne_viz.viewer.dates import are_dates
from graphne_viz.viewer.encoding import own_rgba
from graphne_viz.viewer.values import (
    DEGREE,
    as_classes,
    as_floats,
    class_texts,
    color_values,
    is_missing,
    is_named,
    is_number,
    kind_of,
    node_values,
    scale_of,
)
from graphne_viz.viewer.wire import LONGEST_TEXT, MOST_TEXT, clean_text, encode_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.statistics import Statistic
    from graphne_viz.viewer.column import Column
    from graphne_viz.viewer.values import ColorKind, NodeData

DEGREE_KEY = "degree"
COLOR_KEY, SIZE_KEY, AREA_KEY, LABEL_KEY = "custom:color", "custom:size", "custom:area", "custom:label"
"""Keys of the caller's own data. The values of ``AREA_KEY`` are areas in square points, as `plot` has them."""

RECALL, RECALL_KEY = "neighbour recall", "s:neighbour recall"
"""Stands for how many of each node's neighbours are near it, which the browser measures when the layout rests."""

NAMES = TextColumn("name", "name", None)
"""Stands for the names of the nodes, which every graph carries beside its columns."""

MOST_CATEGORIES = 4_096
"""An attribute of more classes is text, unless the caller colours by it."""

_FEW = 12
_LONGEST_KEY = 500
_LONGEST_OF_MANY = 60
_LARGEST_VALUE = 8e307  # the difference of two such numbers is still one
_LARGEST_WHOLE = 2**53
_LARGEST_SINGLE = 1e6  # of larger ones float32 keeps fewer digits than a tooltip shows


def attribute_columns(graph: Graph) -> list[Column]:
    """Make a column of every attribute that can be shown, and of the degree unless an attribute has that name.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    list of Column
        An attribute without any value, or whose values raise errors when they are looked at, has none.
    """
    columns: list[Column] = []
    if DEGREE not in graph.attributes:
        columns.append(_value_column(DEGREE_KEY, DEGREE, graph.degrees.astype(np.float64)))
    for name, values in graph.attributes.items():
        for make in (_attribute_column, _text_column):
            try:
                column = make(graph, name, values)
            except Exception:  # noqa: BLE001, S112 -- values may be any objects, and do anything when asked
                continue
            if column is not None:
                columns.append(column)
            break
    return columns


def attribute_key(name: str) -> str:
    """Return the key of an attribute's column: "a:" and its name, if that can be sent."""
    name = name.encode("utf-8", "backslashreplace").decode()
    if len(name) > _LONGEST_KEY:
        name = f"{name[:_LONGEST_KEY]}…{zlib.crc32(name.encode()):08x}"
    return f"a:{name}"


def color_column(
    graph: Graph,
    color: NodeData | tuple[float, ...] | None,
    own: Iterable[Column] = (),
    *,
    kind: ColorKind = "auto",
) -> Column | None:
    """Find or make the column to colour by.

    Parameters
    ----------
    graph : Graph
    color, kind
        As `color` and `color_kind` in `graphne_viz.viewer.plot.plot`.
    own : iterable of Column
        The graph's own columns, from `attribute_columns`. If one of them suits, it is returned itself.

    Returns
    -------
    Column or None
        None if `color` is. The key is that of the attribute, or ``COLOR_KEY``.

    Raises
    ------
    ValueError
        If an attribute does not exist, or an array does not have one entry a node.
    """
    if color is None:
        return None
    if is_recall(graph, color):
        return _recall_column(graph)
    key, name = COLOR_KEY, ""
    if isinstance(color, str) and is_named(graph, color):
        key, name = _key_of(graph, color), clean_text(color)
        found = _find(own, key)
        if kind == "auto" and found is None and color not in graph.attributes:
            found = statistic_column(graph, color)
        if kind == "auto" and found is not None and found.kind != "text":
            return found
    kind, values = color_values(graph, color, kind)
    if kind == "classes":
        return _class_column(key, name, class_texts(values))
    if kind == "colors":
        return _color_column(key, name, values)
    return _numbers_column(graph, key, name, values, "color")


def size_column(graph: Graph, size: NodeData | float | None, own: Iterable[Column] = ()) -> ValueColumn | None:
    """Find or make the column to size by; see `color_column`.

    Parameters
    ----------
    graph : Graph
    size
        As in `graphne_viz.viewer.plot.plot`.
    own : iterable of Column

    Returns
    -------
    ValueColumn or None
        A number gives a column of areas with the key ``AREA_KEY``. Whole numbers that are classes as an attribute are
        values here, with the key ``SIZE_KEY``.
    """
    if size is None:
        return None
    if is_recall(graph, size):
        return _recall_column(graph)
    if is_number(size):
        area = float(cast("float", size))
        if not 0 <= area < np.inf:
            raise ValueError(f"size={size!r} is not an area: a finite number from 0 is accepted")
        return _value_column(AREA_KEY, "", np.full(graph.n_nodes, area))
    name = ""
    key = SIZE_KEY
    if isinstance(size, str) and is_named(graph, size):
        name = clean_text(size)
        found = _find(own, _key_of(graph, size))
        if isinstance(found, ValueColumn):
            return found
        if size not in graph.attributes:
            computed = statistic_column(graph, size)
            if isinstance(computed, ValueColumn):
                return computed
    values = node_values(graph, cast("NodeData", size), "size", alternative=" or a number")
    return _numbers_column(graph, key, name, values, "size")


def label_column(
    graph: Graph,
    label: NodeData | bool | None,  # noqa: FBT001 -- as `labels` of plot
    own: Iterable[Column] = (),
) -> Column | None:
    """Find or make the column whose text is written beside the nodes; see `color_column`.

    Parameters
    ----------
    graph : Graph
    label : bool, str, mapping or array_like of length n
        True, or ``"name"`` where no attribute is called so, stands for the names of the nodes.
    own : iterable of Column

    Returns
    -------
    Column or None
        `NAMES` for the names of the nodes, None for no labels.
    """
    if label is None or label is False:
        return None
    if label is True or (isinstance(label, str) and label == NAMES.key and label not in graph.attributes):
        return NAMES
    if is_recall(graph, label):
        return _recall_column(graph)
    name = ""
    if isinstance(label, str) and is_named(graph, label):
        name = clean_text(label)
        found = _find(own, _key_of(graph, label))
        if found is not None and found.kind != "colors":
            return found
    values = node_values(graph, label, "label", alternative=', "name" or True')
    texts = encode_texts(_texts(values))
    if texts is None:
        raise ValueError(f"label holds more text than can be sent, which is {MOST_TEXT // 10**6} MB")
    return TextColumn(LABEL_KEY, name, texts)


def extra_columns(chosen: Iterable[Column | None], own: Sequence[Column]) -> list[Column]:
    """Return those of the chosen columns that the browser does not have yet, each key once."""
    known = {id(column) for column in (*own, NAMES)}
    new = (column for column in chosen if column is not None and column.key != RECALL_KEY)
    return list({column.key: column for column in new if id(column) not in known}.values())


def is_recall(graph: Graph, choice: object) -> bool:
    """Tell whether a choice stands for the recall of the layout that is seen."""
    return isinstance(choice, str) and choice == RECALL and choice not in graph.attributes


def statistic_column(
    graph: Graph, name: str, by: Callable[[Graph, str], Statistic] | None = None
) -> ClassColumn | ValueColumn:
    """Compute a statistic, and make the column to colour or size by.

    Parameters
    ----------
    graph : Graph
    name : str
    by : callable, optional
        As for `graphne_viz.graphs.statistics.statistic`.

    Raises
    ------
    ValueError
        If there is no such statistic, or an attribute has its name, which then stands for the attribute.
    """
    if name in graph.attributes:
        raise ValueError(f"{name!r} is an attribute of the graph, so it cannot stand for the statistic of that name")
    found = statistic(graph, name, by)
    if found.kind == "classes":
        return replace(_class_column(_key_of(graph, name), name, class_texts(found.values)), note=found.note)
    return replace(_value_column(_key_of(graph, name), name, found.values.astype(np.float64)), note=found.note)


def _recall_column(graph: Graph) -> ValueColumn:
    """Hold the place of what the browser measures."""
    return ValueColumn(
        RECALL_KEY, RECALL, np.full(graph.n_nodes, np.nan, dtype=np.float32), 0.0, 1.0, (0.0, 1.0), whole=False
    )


def _key_of(graph: Graph, name: str) -> str:
    if name in graph.attributes:
        return attribute_key(name)
    return DEGREE_KEY if name == DEGREE else f"s:{name}"


def _find(columns: Iterable[Column], key: str) -> Column | None:
    return next((column for column in columns if column.key == key), None)


def _attribute_column(graph: Graph, name: str, values: NDArray[np.generic]) -> Column | None:
    if is_missing(values).all():
        return None
    key, shown = attribute_key(name), clean_text(name)
    kind = kind_of(values)
    if kind == "colors":
        return _color_column(key, shown, values)
    if _is_too_long(values) and len(set(values.tolist())) > _FEW:
        return _text_column(graph, name, values)  # names rather than numbers, such as those of accounts
    if kind == "values":
        return _numbers_column(graph, key, shown, values, name)
    texts = class_texts(values)
    distinct = len(set(texts) - {None})
    nearly_all = values.dtype.kind == "O" and distinct > _FEW and distinct > graph.n_nodes / 2
    if distinct > MOST_CATEGORIES or nearly_all:
        return TextColumn(key, shown, encode_texts("" if text is None else clean_text(text) for text in texts))
    return _class_column(key, shown, texts)


def _is_too_long(values: NDArray[np.generic]) -> bool:
    """Tell whether there are whole numbers that doubles, the browser's only numbers, cannot hold."""
    if values.dtype.kind == "O":
        return any(isinstance(value, int) and abs(value) > _LARGEST_WHOLE for value in values.tolist())
    return values.dtype.kind in "iu" and max(int(values.max()), -int(values.min())) > _LARGEST_WHOLE


def _text_column(_graph: Graph, name: str, values: NDArray[np.generic]) -> Column:
    """Show what is neither classes nor numbers nor colours as it would be printed."""
    return TextColumn(attribute_key(name), clean_text(name), encode_texts(_texts(values)))


def _texts(values: NDArray[np.generic]) -> Iterable[str]:
    gone = is_missing(values) if values.ndim == 1 else np.zeros(len(values), dtype=bool)
    return ("" if missing else clean_text(value) for value, missing in zip(values, gone, strict=True))


def _class_column(key: str, name: str, texts: Sequence[str | None]) -> ClassColumn:
    classes = as_classes(texts)
    longest = LONGEST_TEXT if len(classes.labels) <= MOST_CATEGORIES else _LONGEST_OF_MANY
    labels = (clean_text(label, longest) for label in classes.labels)
    categories = tuple(map(Category, labels, classes.colors, classes.counts.tolist()))
    return ClassColumn(key, name, classes.codes.astype(np.min_scalar_type(len(categories))), categories)


def _numbers_column(graph: Graph, key: str, name: str, values: NDArray[np.generic], argument: str) -> ValueColumn:
    """Make a column of numbers or dates; `argument` is what they are called if they are neither."""
    date = are_dates(values)
    # Of the time of a day in our century single precision leaves three minutes.
    return replace(_value_column(key, name, as_floats(graph, values, argument), single=not date), date=date)


def _value_column(key: str, name: str, numbers: NDArray[np.float64], *, single: bool = True) -> ValueColumn:
    known = np.isfinite(numbers)
    if not known.any():
        nothing = np.full(len(numbers), np.nan, dtype=np.float32)
        return ValueColumn(key, name, nothing, 0.0, 0.0, (0.0, 0.0), whole=False)
    numbers = np.where(known, np.clip(numbers, -_LARGEST_VALUE, _LARGEST_VALUE), np.nan)
    whole = bool((numbers[known] == np.rint(numbers[known])).all())
    values = numbers.astype(np.float32) if single and _fits_single(numbers[known], whole=whole) else numbers
    stored = values[known]  # as rounded, so that no value is outside its own range
    return ValueColumn(key, name, values, float(stored.min()), float(stored.max()), scale_of(stored), whole)


def _fits_single(numbers: NDArray[np.float64], *, whole: bool) -> bool:
    """Tell whether float32 shows numbers, and tells them apart, as well as float64."""
    sizes = np.abs(numbers)
    largest, span = sizes.max(), np.ptp(numbers)
    if whole:
        return bool(largest < 2**24)
    vanishing = (sizes > 0) & (sizes < np.finfo(np.float32).smallest_normal)
    return bool(largest < _LARGEST_SINGLE and span >= 1e-3 * largest and not vanishing.any())


def _color_column(key: str, name: str, values: NDArray[np.generic]) -> ColorColumn:
    return ColorColumn(key, name, np.rint(255 * own_rgba(values)).astype(np.uint8))
