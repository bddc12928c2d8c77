"""From attributes and the caller's own data to the columns that pictures are coloured, sized and labelled by."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.encoding.columns.builders import (
    MOST_CATEGORIES,
    class_column,
    numbers_column,
    own_colors_column,
    text_column,
    value_column,
)
from graphne_viz.encoding.columns.classes import class_texts
from graphne_viz.encoding.columns.column import (
    AREA_KEY,
    COLOR_KEY,
    LABEL_KEY,
    SIZE_KEY,
    ClassColumn,
    Column,
    TextColumn,
    ValueColumn,
)
from graphne_viz.encoding.columns.values import (
    DEGREE,
    RECALL,
    check_kind,
    color_values,
    data_name,
    is_gene,
    is_missing,
    is_named,
    is_number,
    kind_of,
    node_values,
)
from graphne_viz.encoding.labels.text import MOST_TEXT, clean_text, encode_texts, group_names
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.attributes import fullest_columns
from graphne_viz.graphs.statistics import COMMUNITIES, statistic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.values import ColorKind, NodeData, Palette
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.statistics import Statistic

DEGREE_KEY = "degree"

RECALL_KEY = f"s:{RECALL}"
"""Stands for how many of each node's neighbours are near it, which depends on the layout that is shown."""

NAMES = TextColumn("name", "name", None)
"""Stands for the names of the nodes, which every graph carries beside its columns."""

_FEW = 12
_LONGEST_KEY = 500
_LARGEST_WHOLE = 2**53
_FEWEST_IN_COMMUNITY = 3


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
        columns.append(value_column(DEGREE_KEY, DEGREE, graph.degrees.astype(np.float64)))
    attributes = fullest_columns(graph.attributes, "shown")
    found = (column_of(attribute_key(name), clean_text(name), values) for name, values in attributes.items())
    columns.extend(column for column in found if column is not None)
    return columns


def attribute_key(name: str) -> str:
    """Return the key of an attribute's column: "a:" and its name, if that can be sent."""
    return named_key("a", name)


def named_key(prefix: str, name: str) -> str:
    """Return the key of the column of a name; prefixes tell attributes of nodes, of edges, and statistics apart."""
    name = name.encode("utf-8", "backslashreplace").decode()
    if len(name) > _LONGEST_KEY:
        name = f"{name[:_LONGEST_KEY]}…{zlib.crc32(name.encode()):08x}"
    return f"{prefix}:{name}"


def column_of(key: str, name: str, values: NDArray[np.generic], *, coded: bool = True) -> Column | None:
    """Make the column of an attribute of nodes or edges.

    Parameters
    ----------
    key, name : str
    values : ndarray, shape (n,)
    coded : bool, default True
        Whether whole numbers that are few stand for classes.

    Returns
    -------
    Column or None
        None for an attribute without any value, or whose values raise errors when they are looked at.
    """
    for make in (partial(_read_column, coded=coded), text_column):
        try:
            return make(key, name, values)
        except Exception:  # noqa: BLE001, S112 -- values may be any objects, and do anything when asked
            continue
    return None


def color_column(
    graph: Graph,
    color: NodeData | tuple[float, ...] | Column | None,
    own: Iterable[Column] = (),
    *,
    kind: ColorKind = "auto",
    palette: Palette = CLASS_COLORS,
) -> Column | None:
    """Find or make the column to colour by.

    Parameters
    ----------
    graph : Graph
    color, kind, palette
        As `color`, `color_kind` and `palette` in `graphne_viz.plotting.plot.plot`. A column is returned as it is.
    own : iterable of Column
        The graph's own columns, from `attribute_columns`. If one of them suits, it is returned itself.

    Returns
    -------
    Column or None
        None if `color` is. The key is that of the attribute or statistic, or ``COLOR_KEY``.

    Raises
    ------
    ValueError
        If an attribute does not exist, or an array does not have one entry a node.
    """
    check_kind(kind)
    if color is None or isinstance(color, Column):
        return color
    color = data_name(graph, color)
    if is_recall(graph, color):
        return _unmeasured_recall(graph)
    key, name, note = COLOR_KEY, _name_of(graph, color, "color"), ""
    if isinstance(color, str) and is_named(graph, color):
        key, name = _key_of(graph, color), clean_text(color)
        if color not in graph.attributes:
            note = statistic(graph, color).note
        if kind == "auto":
            found = _find(own, key) or (None if color in graph.attributes else statistic_column(graph, color))
            if found is not None and found.kind != "text" and (palette is CLASS_COLORS or found.kind != "classes"):
                return found
    kind, values = color_values(graph, color, kind)
    if kind == "classes":
        return class_column(key, name, class_texts(values), palette, note)
    if kind == "colors":
        return own_colors_column(key, name, values)
    return replace(numbers_column(graph.ids, key, name, values, "color"), note=note)


def size_column(graph: Graph, size: NodeData | Column | float | None, own: Iterable[Column] = ()) -> Column | None:
    """Find or make the column to size by; see `color_column`.

    Parameters
    ----------
    graph : Graph
    size
        As in `graphne_viz.plotting.plot.plot`.
    own : iterable of Column

    Returns
    -------
    Column or None
        A number gives a column of areas with the key ``AREA_KEY``. Whole numbers that are classes as an attribute are
        values here, with the key ``SIZE_KEY``.
    """
    if size is None or isinstance(size, Column):
        return size
    size = data_name(graph, size)
    if is_recall(graph, size):
        return _unmeasured_recall(graph)
    if is_number(size):
        area = float(cast("float", size))
        if not 0 <= area < np.inf:
            raise ValueError(f"size={size!r} is not an area; it must be finite and not negative")
        return value_column(AREA_KEY, "size", np.full(graph.n_nodes, area))
    name = _name_of(graph, size, "size")
    if isinstance(size, str) and is_named(graph, size):
        name = clean_text(size)
        found = _find(own, _key_of(graph, size))
        if found is None and size not in graph.attributes:
            found = statistic_column(graph, size)
        if isinstance(found, ValueColumn):
            return found
    values = node_values(graph, cast("NodeData", size), "size", alternative=" or a number")
    return numbers_column(graph.ids, SIZE_KEY, name, values, "size")


def label_column(
    graph: Graph,
    label: NodeData | Column | bool | None,  # noqa: FBT001 -- as `label` of plot
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
    if isinstance(label, Column):
        return label
    label = data_name(graph, label)
    if label is True or (isinstance(label, str) and label == NAMES.key and label not in graph.attributes):
        return NAMES
    if is_recall(graph, label):
        return _unmeasured_recall(graph)
    name = _name_of(graph, label, "label")
    if isinstance(label, str) and is_named(graph, label):
        name = clean_text(label)
        found = _find(own, _key_of(graph, label)) or _column_named(graph, label)
        if found is not None and found.kind != "colors":
            return found
    values = node_values(graph, label, "label", alternative=', "name" or True')
    column = text_column(LABEL_KEY, name, values)
    if column.texts is None:
        raise ValueError(f"label holds more text than the {MOST_TEXT // 10**6} MB that can be sent")
    return column


def with_colors(column: Column | None, colors: Mapping[str, str]) -> Column | None:
    """Return a column some of whose classes have other colours, by their names."""
    if not isinstance(column, ClassColumn) or not colors:
        return column
    categories = (replace(each, color=colors.get(each.label, each.color)) for each in column.categories)
    return replace(column, categories=tuple(categories))


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
    if name == COMMUNITIES:
        return _communities_column(graph, found)
    if found.kind == "classes":
        return class_column(_key_of(graph, name), name, class_texts(found.values), note=found.note)
    return value_column(_key_of(graph, name), name, found.values.astype(np.float64), note=found.note)


def _communities_column(graph: Graph, found: Statistic) -> ClassColumn:
    """Name communities by their nodes of most neighbours; a node or two without others are none."""
    names = group_names(graph, found.values.astype(np.int64), graph.degrees)
    large = np.bincount(found.values.astype(np.int64))[found.values.astype(np.int64)] >= _FEWEST_IN_COMMUNITY
    texts = [text if kept else None for text, kept in zip(class_texts(found.values), large, strict=True)]
    # By their numbers first, so that the largest comes first.
    column = class_column(_key_of(graph, found.name), found.name, texts, note=found.note)
    named = (replace(category, label=names[int(category.label)]) for category in column.categories)
    return replace(column, categories=tuple(named))


def measured(column: Column | None, graph: Graph, positions: NDArray[np.floating]) -> Column | None:
    """Return a column as it is drawn: where it depends on the layout, with the values of this one.

    Parameters
    ----------
    column : Column or None
    graph : Graph
    positions : ndarray, shape (n, 2)
    """
    if column is None or column.key != RECALL_KEY or not graph.n_pairs:
        return column
    recall = neighbor_recall(graph, positions, per_node=True).astype(np.float32)
    return replace(_unmeasured_recall(graph), values=recall)


def _unmeasured_recall(graph: Graph) -> ValueColumn:
    """Stand for what depends on the layout: the browser measures it there, `measured` for pictures."""
    unknown = np.full(graph.n_nodes, np.nan, dtype=np.float32)
    return ValueColumn(RECALL_KEY, RECALL, unknown, 0.0, 1.0, (0.0, 1.0), whole=False)


def _name_of(graph: Graph, data: object, argument: str) -> str:
    """Return the name of a gene, or of the caller's own data: a Series' own if it has one, otherwise the argument's."""
    if isinstance(data, str):
        return clean_text(data) if is_gene(graph, data) else argument
    name = getattr(data, "name", None)
    return clean_text(name) if isinstance(name, str) and name.strip() else argument


def _key_of(graph: Graph, name: str) -> str:
    if name in graph.attributes:
        return attribute_key(name)
    return DEGREE_KEY if name == DEGREE else f"s:{name}"


def _find(columns: Iterable[Column], key: str) -> Column | None:
    return next((column for column in columns if column.key == key), None)


def _column_named(graph: Graph, name: str) -> Column | None:
    """Make the column of one attribute or statistic."""
    if name not in graph.attributes:
        return statistic_column(graph, name)
    return _read_column(attribute_key(name), clean_text(name), graph.attributes[name])


def _read_column(key: str, name: str, values: NDArray[np.generic], *, coded: bool = True) -> Column | None:
    missing = is_missing(values)
    if missing.all():
        return None
    kind = kind_of(values)
    if kind == "classes" and not coded and all(map(is_number, values[~missing].tolist())):
        kind = "values"
    if kind == "colors":
        return own_colors_column(key, name, values)
    if _is_too_long(values) and len(set(values.tolist())) > _FEW:
        return text_column(key, name, values)  # names rather than numbers, such as those of accounts
    if kind == "values":
        return numbers_column(range(len(values)), key, name, values, name)
    texts = class_texts(values)
    distinct = len(set(texts) - {None})
    nearly_all = values.dtype.kind == "O" and distinct > _FEW and distinct > len(values) / 2
    if distinct > MOST_CATEGORIES or nearly_all:
        return TextColumn(key, name, encode_texts("" if text is None else clean_text(text) for text in texts))
    return class_column(key, name, texts)


def _is_too_long(values: NDArray[np.generic]) -> bool:
    """Tell whether there are whole numbers that doubles, the browser's only numbers, cannot hold."""
    if values.dtype.kind == "O":
        return any(isinstance(value, int) and abs(value) > _LARGEST_WHOLE for value in values.tolist())
    return values.dtype.kind in "iu" and max(int(values.max()), -int(values.min())) > _LARGEST_WHOLE
