"""What the caller's data say about the nodes: classes, numbers, colours or text, and where there is nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from graphne_viz.graphs.arrays import as_numpy
from graphne_viz.graphs.attributes import as_column, is_absent
from graphne_viz.graphs.statistics import STATISTICS, statistic
from graphne_viz.viewer.dates import are_dates, as_days
from graphne_viz.viewer.palette import CLASS_COLORS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    NodeData: TypeAlias = str | Mapping[Hashable, object] | Iterable[object]
    Palette: TypeAlias = Sequence[str] | Mapping[str, str]

ColorKind = Literal["auto", "classes", "values", "colors"]
"""How a `color` is read; ``"auto"`` decides from the values."""

DEGREE = "degree"
"""The statistic that every view has from the beginning."""

_MOST_RUNNING_CLASSES = 64
_TAIL = 0.02


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of every node, before anything is drawn.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        Which of `labels` each node has; ``len(labels)`` where it has none.
    labels : tuple of str
        Those with a colour first, in the order of a legend.
    colors : tuple of str or None
        One for each label, None where no colour was left.
    counts : ndarray of int
        Number of nodes of each label.
    """

    codes: NDArray[np.intp]
    labels: tuple[str, ...]
    colors: tuple[str | None, ...]
    counts: NDArray[np.intp]


def color_values(
    graph: Graph, color: NodeData | tuple[float, ...], kind: ColorKind = "auto"
) -> tuple[ColorKind, NDArray[np.generic]]:
    """Look up what the nodes are to be coloured by, and decide what it is.

    Parameters
    ----------
    graph : Graph
    color
        As in `graphne_viz.viewer.plot.plot`.
    kind : {"auto", "classes", "values", "colors"}, default "auto"

    Returns
    -------
    kind : {"classes", "values", "colors"}
    values : ndarray, shape (n,), or shape (n, 3) or (n, 4) for colours given as rows
    """
    from matplotlib.colors import is_color_like, to_rgba  # noqa: PLC0415 -- matplotlib is loaded only to draw

    if kind not in get_args(ColorKind):
        raise ValueError(f"color_kind={kind!r} is not one of {', '.join(map(repr, get_args(ColorKind)))}")
    names_data = isinstance(color, str) and is_named(graph, color)
    if isinstance(color, (str, tuple)) and not names_data and is_color_like(color):
        return "colors", np.tile(to_rgba(cast("str", color)), (graph.n_nodes, 1))
    values = node_values(graph, color, "color", alternative=" or a matplotlib colour")
    if kind == "auto" and isinstance(color, str) and color not in graph.attributes:
        kind = statistic(graph, color).kind
    return (kind_of(values) if kind == "auto" else kind), values


def is_named(graph: Graph, name: str) -> bool:
    """Tell whether a name stands for data of a graph: an attribute or a statistic."""
    return name in graph.attributes or name in STATISTICS


def statistic_notes(graph: Graph, *choices: object) -> list[str]:
    """List what a reader must know of the statistics among some choices, each once."""
    names = dict.fromkeys(choice for choice in choices if isinstance(choice, str))
    computed = [statistic(graph, name) for name in names if name in STATISTICS and name not in graph.attributes]
    return [f"{found.name}: {found.note}" for found in computed if found.note]


def node_values(graph: Graph, data: NodeData, argument: str, *, alternative: str) -> NDArray[np.generic]:
    """Look up one value a node.

    Parameters
    ----------
    graph : Graph
    data : str, mapping or iterable
        Name of an attribute or a statistic, a mapping from node to value (nodes it lacks get None), or one value a
        node in the graph's order.
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
        if data in STATISTICS:
            return statistic(graph, data).values
        names = ", ".join(map(repr, graph.attributes)) or "none"
        raise ValueError(
            f"{argument}={data!r} is not a node attribute; there are: {names}; also accepted are "
            f"{', '.join(map(repr, STATISTICS))}{alternative}"
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


def kind_of(values: NDArray[np.generic]) -> ColorKind:
    """Decide what values are: text, bools and few whole numbers are classes, other numbers and dates are values."""
    if values.ndim == 2:
        return "colors"
    if are_dates(values):
        return "values"
    present = values[~is_missing(values)]
    if present.dtype.kind == "O" and not all(map(is_number, present)):
        return "colors" if all(map(_is_surely_color, present)) else "classes"
    if present.dtype.kind == "b":
        return "classes"
    if present.dtype.kind == "f" or (present.dtype.kind == "O" and not all(map(_is_whole, present))):
        return "values"
    distinct = np.unique(_floats(present))
    # Class labels are usually numbered from 0 or 1 without a gap; degrees and years are not.
    running = 0 < distinct.size <= _MOST_RUNNING_CLASSES and distinct[0] in {0, 1}
    running = running and distinct[-1] - distinct[0] == distinct.size - 1
    return "classes" if distinct.size <= len(CLASS_COLORS) or running else "values"


def class_texts(values: NDArray[np.generic]) -> list[str | None]:
    """Return the name of every node's class, None where it has no value."""
    if values.ndim != 1:
        raise ValueError(f"color has shape {values.shape}; classes need one value a node")
    if values.dtype.kind != "O":
        # Numbers repeat: each is spelled once.
        distinct, which = np.unique(values, return_inverse=True)
        texts = np.array([None if np.isnan(value) else str(value) for value in distinct], dtype=object)
        return cast("list[str | None]", texts[which].tolist())
    return [None if gone else str(value) for value, gone in zip(values, is_missing(values), strict=True)]


def as_classes(texts: Sequence[str | None], palette: Palette = CLASS_COLORS) -> Classes:
    """Give classes their order and their colours.

    Parameters
    ----------
    texts : sequence of str or None, length n
        The class of every node, as from `class_texts`.
    palette
        As in `graphne_viz.viewer.plot.plot`.

    Returns
    -------
    Classes
    """
    count = Counter(texts)
    count.pop(None, None)
    ordered = sorted(cast("Counter[str]", count), key=_natural_key)
    if isinstance(palette, Mapping):
        given = {str(label): color for label, color in palette.items()}
        hues = {text: given[text] for text in ordered if text in given}
    else:
        if len(ordered) > len(palette):
            ordered = sorted(ordered, key=lambda text: -count[text])
        hues = dict(zip(ordered, palette, strict=False))
    labels = (*hues, *(text for text in ordered if text not in hues))
    code: dict[str | None, int] = {text: k for k, text in enumerate(labels)} | {None: len(labels)}
    return Classes(
        codes=np.fromiter(map(code.__getitem__, texts), dtype=np.intp, count=len(texts)),
        labels=labels,
        colors=(*hues.values(), *[None] * (len(labels) - len(hues))),
        counts=np.fromiter((count[text] for text in labels), dtype=np.intp, count=len(labels)),
    )


def as_floats(graph: Graph, values: NDArray[np.generic], argument: str) -> NDArray[np.float64]:
    """Read values as numbers, with NaN where there is none; dates become days since 1970-01-01."""
    if values.ndim != 1:
        raise ValueError(f"{argument} has shape {values.shape}; one value a node is needed")
    if are_dates(values):
        return as_days(values)
    if values.dtype.kind != "O":
        return _floats(values)
    numbers = np.full(len(values), np.nan)
    known = np.flatnonzero(~is_missing(values))
    for i in known:
        if not isinstance(values[i], Real):
            node = graph.ids[int(i)]
            raise ValueError(  # noqa: TRY004 -- the argument's type is right, one of its values is not
                f"{argument} must hold numbers, but node {node!r} has {values[i]!r}"
            )
    numbers[known] = _floats(values[known])
    return numbers


def scale_of(numbers: NDArray[np.floating]) -> tuple[float, float]:
    """Choose between which numbers colours change: all of them, but of a long tail only where it begins.

    Degrees and most other measures of a graph have few large values: on a scale that reaches the largest, all other
    nodes would have the same colour.

    Parameters
    ----------
    numbers : ndarray, shape (m,)
        Finite, at least one.

    Returns
    -------
    low, high : float
        Each is one of the numbers. Where the outermost 2 % at an end take up more room than all the rest, they are
        beyond it.

    Examples
    --------
    >>> scale_of(np.arange(100.0))
    (0.0, 99.0)
    >>> scale_of(np.append(np.arange(100.0), 5000.0))
    (0.0, 98.0)
    """
    low, high = float(numbers.min()), float(numbers.max())
    first, last = map(float, np.quantile(numbers, [_TAIL, 1 - _TAIL], method="inverted_cdf"))
    rest = last - first
    if not rest > 0:
        return low, high
    return (first if first - low > rest else low), (last if high - last > rest else high)


def is_missing(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Tell which nodes have no value: None, NaN and what other libraries have for them."""
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values), dtype=bool)
    if values.dtype.kind == "f":
        return np.isnan(values.astype(np.float64, copy=False))
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    return np.fromiter(map(is_absent, values), dtype=bool, count=len(values))


def is_number(value: object) -> bool:
    """Tell numbers from bools and from everything else."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_text(value: object, longest: int = 48, keep: str = "") -> str:
    r"""Return a value as one line of printable text; the characters of `keep` may stay though they are not.

    Examples
    --------
    >>> as_text("two\nlines")
    'two lines'
    """
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() or character in keep else " " for character in text)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)


def _is_surely_color(value: object) -> bool:
    """Tell "#FF0000" and (1, 0, 0) from text such as "r" and "1", which are rather classes than colours."""
    if not (value.startswith("#") if isinstance(value, str) else isinstance(value, (tuple, list, np.ndarray))):
        return False
    from matplotlib.colors import is_color_like  # noqa: PLC0415 -- matplotlib is loaded only to draw

    return is_color_like(value)


def _floats(numbers: NDArray[np.generic]) -> NDArray[np.float64]:
    try:
        return numbers.astype(np.float64)
    except OverflowError:  # whole numbers of Python have no limit
        return np.array([_float(number) for number in numbers])


def _float(number: object) -> float:
    try:
        return float(cast("float", number))
    except OverflowError:
        return np.inf


def _natural_key(text: str) -> list[tuple[bool, int, str]]:
    """Order text so that "class 10" comes after "class 9".

    Examples
    --------
    >>> sorted(["b10", "b9", "a"], key=_natural_key)
    ['a', 'b9', 'b10']
    """
    pieces = re.split(r"(\d{1,18})", text)
    return [(not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]
