"""What the caller's data say about the nodes: classes, numbers, colours or text, and where there is nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal, TypeVar, cast, get_args

import numpy as np

from graphne_viz._checks import no_such_name
from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.palette import FIRST_COLORS
from graphne_viz.encoding.columns.dates import are_dates, as_days
from graphne_viz.graphs.attributes import as_column, is_absent
from graphne_viz.graphs.convert.arrays import as_numpy
from graphne_viz.graphs.statistics import STATISTICS, canonical_name, statistic

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import TypeAlias

    import matplotlib.colors as mpl_colors
    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

    NodeData: TypeAlias = str | Mapping[Hashable, object] | Iterable[object]
    Palette: TypeAlias = Sequence[str] | Mapping[str, str]
else:
    mpl_colors = lazy_import("matplotlib.colors")

ColorKind = Literal["auto", "classes", "values", "colors"]
"""How a `color` is read; ``"auto"`` decides from the values."""

DEGREE = "degree"
"""The statistic that every view has from the beginning."""

RECALL = "neighbour recall"
"""What is measured of the layout that is shown; `graphne_viz.neighbor_recall` has the other spelling."""

_T = TypeVar("_T")

CLASS_LIKE = frozenset(
    {
        *("block", "category", "class", "classes", "club", "cluster", "clusters", "color_group", "community"),
        *("communities", "department", "faction", "group", "kind", "label", "labels", "modularity class"),
        *("modularity_class", "module", "party", "subject", "target", "topic", "type", "y"),
    }
)
"""What an attribute that holds classes is often called, in small letters."""

_MOST_RUNNING_CLASSES = 64
_TAIL = 0.02


def color_values(
    graph: Graph, color: NodeData | tuple[float, ...], kind: ColorKind = "auto"
) -> tuple[ColorKind, NDArray[np.generic]]:
    """Look up what the nodes are to be coloured by, and decide what it is.

    Parameters
    ----------
    graph : Graph
    color
        As in `graphne_viz.plotting.plot.plot`.
    kind : {"auto", "classes", "values", "colors"}, default "auto"

    Returns
    -------
    kind : {"classes", "values", "colors"}
    values : ndarray, shape (n,), or shape (n, 3) or (n, 4) for colours given as rows
    """
    check_kind(kind)
    gene = is_gene(graph, color)
    names_data = gene or (isinstance(color, str) and is_named(graph, color))
    if isinstance(color, (str, tuple)) and not names_data and mpl_colors.is_color_like(color):
        return "colors", np.tile(mpl_colors.to_rgba(cast("str", color)), (graph.n_nodes, 1))
    values = node_values(graph, color, "color", alternative=" or a matplotlib colour")
    if kind == "auto" and isinstance(color, str) and color not in graph.attributes:
        kind = "values" if gene else statistic(graph, color).kind  # counts are few different numbers, and no classes
    return (kind_of(values) if kind == "auto" else kind), values


def check_kind(kind: str) -> None:
    """Refuse what is no `ColorKind`."""
    if kind not in get_args(ColorKind):
        raise ValueError(f"color_kind={kind!r} is not one of {', '.join(map(repr, get_args(ColorKind)))}")


def data_name(graph: Graph, choice: _T) -> _T:
    """Return the name of a statistic as it is called here, however it is spelled; anything else as it is.

    An attribute goes before a statistic, and a colour such as "tan" is none.
    """
    if not isinstance(choice, str) or choice in graph.attributes:
        return choice
    found = canonical_name(choice, (RECALL,))
    return choice if found is None else cast("_T", found)


def is_named(graph: Graph, name: str) -> bool:
    """Tell whether a name stands for data of a graph: an attribute or a statistic."""
    return name in graph.attributes or name in STATISTICS


def is_gene(graph: Graph, name: object) -> bool:
    """Tell whether a name stands for a gene of AnnData; attributes and statistics of the same name come first."""
    return isinstance(name, str) and name in graph.genes and not is_named(graph, name)


def node_values(graph: Graph, data: NodeData, argument: str, *, alternative: str) -> NDArray[np.generic]:
    """Look up one value per node.

    Parameters
    ----------
    graph : Graph
    data : str, mapping or iterable
        Name of an attribute, a statistic or a gene, a mapping from node to value (nodes it lacks get None), or one
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
        if data in STATISTICS:
            return statistic(graph, data).values
        if data in graph.genes:
            return graph.genes[data]
        genes = f", one of {len(graph.genes):,} genes" if graph.genes else ""
        also = f"; also accepted are {', '.join(map(repr, STATISTICS))}{genes}{alternative}"
        raise no_such_name(
            argument, data, "a node attribute", graph.attributes, also=also, more=[*STATISTICS, *graph.genes]
        )
    if isinstance(data, Mapping):
        if graph.n_nodes and not any(node in data for node in graph.ids):
            raise ValueError(f"{argument} contains none of the graph's nodes, the first of which is {graph.ids[0]!r}")
        return as_column([data.get(node) for node in graph.ids])
    if not isinstance(data, Iterable):
        raise TypeError(f"{argument}={data!r} is neither a name, a mapping nor one value per node{alternative}")
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
    return "classes" if distinct.size <= len(FIRST_COLORS) or running else "values"


def as_floats(ids: Sequence[Hashable], values: NDArray[np.generic], argument: str) -> NDArray[np.float64]:
    """Read values as numbers, with NaN where there is none; dates become days since 1970-01-01."""
    if values.ndim != 1:
        raise ValueError(f"{argument} has shape {values.shape}; one value per node is needed")
    if are_dates(values):
        return as_days(values)
    if values.dtype.kind != "O":
        return _floats(values)
    numbers = np.full(len(values), np.nan)
    known = np.flatnonzero(~is_missing(values))
    for i in known:
        if not isinstance(values[i], Real):
            node = ids[int(i)]
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


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)


def _is_surely_color(value: object) -> bool:
    """Tell "#FF0000" and (1, 0, 0) from text such as "r" and "1", which are rather classes than colours."""
    if not (value.startswith("#") if isinstance(value, str) else isinstance(value, (tuple, list, np.ndarray))):
        return False

    return mpl_colors.is_color_like(value)


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
