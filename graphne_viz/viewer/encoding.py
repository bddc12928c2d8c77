"""From what the caller asks for (an attribute, an array, a colour) to one colour and one size a node."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from graphne_viz.graphs.arrays import as_numpy
from graphne_viz.graphs.attributes import as_column
from graphne_viz.viewer.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR, VALUE_COLORMAP

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import TypeAlias

    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap, Normalize
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    NodeData: TypeAlias = str | Mapping[Hashable, object] | Iterable[object]
    Palette: TypeAlias = Sequence[str] | Mapping[str, str]

ColorKind = Literal["auto", "classes", "values", "colors"]
"""How a `color` is read; ``"auto"`` decides from the values."""

DEGREE = "degree"
"""Stands for the number of neighbours wherever an attribute may be named."""

SMALLEST_SIZE, LARGEST_SIZE = 0.4, 8.0
"""Bounds of a node's area where a size is given by values, relative to the area it would have without."""

_MOST_RUNNING_CLASSES = 64


@dataclass(frozen=True)
class LegendEntry:
    """One line of a legend."""

    label: str
    color: str
    count: int


@dataclass(frozen=True, eq=False)
class NodeColors:
    """The colour of every node, and what explains it.

    Attributes
    ----------
    rgba : ndarray, shape (n, 4)
    grey : ndarray of bool, shape (n,)
        Nodes without a value or without a colour of their own; they belong under the others.
    name : str
        What the colours show, "" if that has no name.
    legend : tuple of LegendEntry
        For classes, otherwise empty.
    scale : matplotlib.cm.ScalarMappable or None
        For values.
    whole : bool
        Whether the values are whole numbers on a linear scale.
    """

    rgba: NDArray[np.float64]
    grey: NDArray[np.bool_]
    name: str = ""
    legend: tuple[LegendEntry, ...] = ()
    scale: ScalarMappable | None = None
    whole: bool = False


def node_colors(
    graph: Graph,
    color: NodeData | tuple[float, ...] | None = None,
    *,
    kind: ColorKind = "auto",
    palette: Palette = CLASS_COLORS,
    cmap: str | Colormap = VALUE_COLORMAP,
    norm: str | Normalize | None = None,
) -> NodeColors:
    """Give every node its colour. See `graphne_viz.viewer.plot.plot` for what `color` may be."""
    from matplotlib.colors import is_color_like  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if kind not in get_args(ColorKind):
        raise ValueError(f"color_kind={kind!r} is not one of {', '.join(map(repr, get_args(ColorKind)))}")
    if color is None:
        color = palette[0] if isinstance(palette, Sequence) and palette else CLASS_COLORS[0]
    names_data = isinstance(color, str) and (color in graph.attributes or color == DEGREE)
    if isinstance(color, (str, tuple)) and not names_data and is_color_like(color):
        return _own_colors(graph, [color] * graph.n_nodes)
    values = node_values(graph, color, "color", alternative=" or a matplotlib colour")
    if kind == "auto":
        kind = "values" if values is graph.degrees else _kind_of(values)
    name = color if isinstance(color, str) else ""
    if kind == "colors":
        return _own_colors(graph, values)
    if kind == "classes":
        return _class_colors(values, name, palette)
    return _value_colors(graph, values, name, cmap, norm)


def node_sizes(graph: Graph, size: NodeData | float | None, base: float) -> NDArray[np.float64]:
    """Give every node its area in square points.

    Parameters
    ----------
    graph : Graph
    size : None, float, str, mapping or array
        None takes `base`, a number is the area itself, anything else holds values whose range is mapped to
        areas around `base`; a node without a value gets the smallest.
    base : float
        The area that suits the number of nodes.

    Returns
    -------
    ndarray, shape (n,)
    """
    if size is None or _is_number(size):
        area = base if size is None else float(cast("float", size))
        if not 0 <= area < np.inf:
            raise ValueError(f"size={size!r} is not an area: a finite number from 0 is accepted")
        return np.full(graph.n_nodes, area)
    values = _as_floats(graph, node_values(graph, cast("NodeData", size), "size", alternative=""), "size")
    known = np.isfinite(values)
    low, high = (values[known].min(), values[known].max()) if known.any() else (0.0, 0.0)
    if low == high:
        return np.full(graph.n_nodes, base)
    share = np.where(known, (values - low) / (high - low), 0.0)
    return base * (SMALLEST_SIZE + (LARGEST_SIZE - SMALLEST_SIZE) * share)


def node_values(graph: Graph, data: NodeData, argument: str, *, alternative: str) -> NDArray[np.generic]:
    """Look up one value a node.

    Parameters
    ----------
    graph : Graph
    data : str, mapping or iterable
        Name of an attribute, ``"degree"``, a mapping from node to value (nodes it lacks get None), or one
        value a node in the graph's order.
    argument : str
        What the caller calls `data`, for error messages.
    alternative : str
        What else the caller accepts, for error messages.

    Returns
    -------
    ndarray, shape (n,), or shape (n, k) if the values are rows
    """
    if isinstance(data, str):
        if data in graph.attributes:
            return graph.attributes[data]
        if data == DEGREE:
            return graph.degrees
        names = ", ".join(map(repr, graph.attributes)) or "none"
        raise ValueError(
            f"{argument}={data!r} is not a node attribute; there are: {names}; also accepted is {DEGREE!r}{alternative}"
        )
    if isinstance(data, Mapping):
        if graph.n_nodes and not any(node in data for node in graph.ids):
            raise ValueError(f"{argument} maps none of the graph's nodes, of which the first is {graph.ids[0]!r}")
        return as_column([data.get(node) for node in graph.ids])
    if not isinstance(data, Iterable):
        raise TypeError(f"{argument}={data!r} is neither a name, a mapping nor one value a node{alternative}")
    values = as_column(as_numpy(data) if hasattr(data, "__array__") else list(data))
    if len(values) != graph.n_nodes:
        raise ValueError(f"{argument} has {len(values):,} values, but the graph has {graph.n_nodes:,} nodes")
    return values


def as_text(value: object, longest: int = 48) -> str:
    r"""Return a value as one line of printable text.

    Examples
    --------
    >>> as_text("two\nlines")
    'two lines'
    """
    text = "".join(character if character.isprintable() else " " for character in str(value))
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _kind_of(values: NDArray[np.generic]) -> ColorKind:
    """Decide what values are: text, bools and few whole numbers are classes, other numbers are values."""
    if values.ndim == 2:
        return "colors"
    present = values[~_missing(values)]
    if present.dtype.kind == "O" and not all(_is_number(value) for value in present):
        return "colors" if all(map(_is_surely_color, present)) else "classes"
    if present.dtype.kind == "b":
        return "classes"
    if present.dtype.kind == "f" or not all(isinstance(value, Integral) for value in present):
        return "values"
    distinct = np.unique(present.astype(np.float64))
    # Class labels are usually numbered from 0 or 1 without a gap; degrees and years are not.
    running = 0 < distinct.size <= _MOST_RUNNING_CLASSES and distinct[0] in {0, 1}
    running = running and distinct[-1] - distinct[0] == distinct.size - 1
    return "classes" if distinct.size <= len(CLASS_COLORS) or running else "values"


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_surely_color(value: object) -> bool:
    """Tell "#FF0000" and (1, 0, 0) from text such as "r" and "1", which are rather classes than colours."""
    from matplotlib.colors import is_color_like  # noqa: PLC0415 -- matplotlib is loaded only to draw

    spelled = value.startswith("#") if isinstance(value, str) else isinstance(value, (tuple, list, np.ndarray))
    return spelled and is_color_like(value)


def _own_colors(graph: Graph, colors: Iterable[object]) -> NodeColors:
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if isinstance(colors, np.ndarray) and colors.ndim == 1:
        missing = _missing(colors)
        colors = [MISSING_COLOR if gone else color for color, gone in zip(colors, missing, strict=True)]
    try:
        rgba = to_rgba_array(cast("list[str]", colors)) if graph.n_nodes else np.zeros((0, 4))
    except (TypeError, ValueError) as error:
        raise ValueError(f"color holds something that is no colour: {error}") from None
    return NodeColors(rgba, np.zeros(graph.n_nodes, dtype=bool))


def _class_colors(values: NDArray[np.generic], name: str, palette: Palette) -> NodeColors:
    from matplotlib.colors import to_rgba_array  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if values.ndim != 1:
        raise ValueError(f"color has shape {values.shape}; classes need one value a node")
    missing = _missing(values)
    texts = [None if gone else str(value) for value, gone in zip(values, missing, strict=True)]
    count = Counter(text for text in texts if text is not None)
    ordered = sorted(count, key=_natural_key)
    if isinstance(palette, Mapping):
        given = {str(label): color for label, color in palette.items()}
        hues = {text: given[text] for text in ordered if text in given}
    else:
        if len(ordered) > len(palette):
            ordered = sorted(ordered, key=lambda text: -count[text])
        hues = dict(zip(ordered, palette, strict=False))
    entries = [LegendEntry(as_text(text), hue, count[text]) for text, hue in hues.items()]
    rest = [text for text in count if text not in hues]
    if rest:
        label = f"{len(rest):,} more class{'es' if len(rest) > 1 else ''}"
        entries.append(LegendEntry(label, OTHER_COLOR, sum(count[text] for text in rest)))
    if missing.any():
        entries.append(LegendEntry("no value", MISSING_COLOR, int(missing.sum())))
    # Row k is the k-th coloured class; the two rows after them are the rest and the missing.
    table = to_rgba_array([*hues.values(), OTHER_COLOR, MISSING_COLOR])
    row: dict[str | None, int] = dict.fromkeys(rest, len(hues))
    row |= {text: k for k, text in enumerate(hues)} | {None: len(hues) + 1}
    rows = np.fromiter((row[text] for text in texts), dtype=np.intp, count=len(texts))
    return NodeColors(table[rows], rows >= len(hues), name, tuple(entries))


def _value_colors(
    graph: Graph, values: NDArray[np.generic], name: str, cmap: str | Colormap, norm: str | Normalize | None
) -> NodeColors:
    from matplotlib.cm import ScalarMappable  # noqa: PLC0415 -- matplotlib is loaded only to draw
    from matplotlib.colors import to_rgba  # noqa: PLC0415 -- matplotlib is loaded only to draw

    numbers = _as_floats(graph, values, "color")
    scale = ScalarMappable(norm=cast("Normalize", norm), cmap=cmap)
    known = np.ma.masked_invalid(numbers)
    scale.set_array(known)
    scale.autoscale_None()
    rgba = np.array(scale.to_rgba(known), dtype=np.float64)
    missing = ~np.isfinite(numbers)
    rgba[missing] = to_rgba(MISSING_COLOR)
    if missing.all():
        return NodeColors(rgba, missing)
    if missing.any():
        name = f"{name} (grey: {missing.sum():,} without a value)".strip()
    whole = norm is None and values.dtype.kind in "iu"
    return NodeColors(rgba, missing, name, scale=scale, whole=whole)


def _as_floats(graph: Graph, values: NDArray[np.generic], argument: str) -> NDArray[np.float64]:
    """Read values as numbers, with NaN where there is none."""
    if values.ndim != 1:
        raise ValueError(f"{argument} has shape {values.shape}; one value a node is needed")
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    numbers = np.full(len(values), np.nan)
    for i in np.flatnonzero(~_missing(values)):
        if not isinstance(values[i], Real):
            node = graph.ids[int(i)]
            raise ValueError(  # noqa: TRY004 -- the argument's type is right, one of its values is not
                f"{argument} must hold numbers, but node {node!r} has {values[i]!r}"
            )
        numbers[i] = float(values[i])
    return numbers


def _missing(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.isnan(values.astype(np.float64, copy=False))
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    return np.fromiter(map(_is_missing, values), dtype=bool, count=len(values))


def _is_missing(value: object) -> bool:
    if value is None or isinstance(value, (str, int)):
        return value is None
    try:
        return bool(value != value)  # noqa: PLR0124 -- true of every kind of NaN and NaT
    except TypeError:  # pandas.NA has no truth value
        return True
    except ValueError:  # an array has several
        return False


def _natural_key(text: str) -> list[tuple[bool, int, str]]:
    """Order text so that "class 10" comes after "class 9".

    Examples
    --------
    >>> sorted(["b10", "b9", "a"], key=_natural_key)
    ['a', 'b9', 'b10']
    """
    pieces = re.split(r"(\d{1,18})", text)
    return [(not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]
