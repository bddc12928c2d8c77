"""What the settings of how a view looks may be."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from graphne_viz._checks import check_choice, check_flag, check_integer, check_positive
from graphne_viz.encoding.columns.edge_columns import EDGE_ROLES, has_parallel_or_mutual
from graphne_viz.layout.options import MOST_EXAGGERATION
from graphne_viz.viewer.keywords import Theme
from graphne_viz.viewer.session.view_state.class_colors import check_colors

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.graphs.edge_table import EdgeTable
    from graphne_viz.viewer.session.column_registry import ColumnRegistry

THEMES: tuple[str, ...] = get_args(Theme)
LEAST_HEIGHT = 100
MOST_SIZE = 200
"""Pixels that a node may have at most."""


def check_edges(value: object) -> bool:
    """Return True or False; refuse anything else."""
    check_flag("edges", value)
    return bool(value)


def check_class_names(value: object) -> bool:
    """Return True or False; refuse anything else."""
    check_flag("class_names", value)
    return bool(value)


def check_size_range(value: Any) -> tuple[float, float] | None:  # noqa: ANN401 -- anything may come
    """Return None, or the diameters of the smallest and the largest node in pixels; refuse anything else."""
    if value is None:
        return None
    ends = list(value) if isinstance(value, (list, tuple, np.ndarray)) else []
    if len(ends) != 2 or not all(isinstance(end, Real) and not isinstance(end, bool) for end in ends):
        raise TypeError(f"size_range must be None or the smallest and the largest diameter in pixels, got {value!r}")
    low, high = map(float, ends)
    if not 0 <= low <= high <= MOST_SIZE or not high:
        raise ValueError(f"size_range must be two ascending numbers from 0 to {MOST_SIZE}, got {value!r}")
    return low, high


def check_edge_flag(name: str, value: object, links: EdgeTable) -> bool:
    """Return whether edges have arrows, or curves; None stands for what suits them."""
    if value is None:
        return links.directed if name == "arrows" else has_parallel_or_mutual(links)
    check_flag(name, value)
    return bool(value)


def check_theme(value: object) -> str:
    """Return one of `THEMES`; refuse anything else."""
    check_choice("theme", value, THEMES)
    return str(value)


def check_height(value: Any) -> int:  # noqa: ANN401 -- anything may come
    """Return a number of pixels; refuse anything else."""
    check_integer("height", value, least=LEAST_HEIGHT)
    return int(value)


def check_exaggeration(value: Any) -> float:  # noqa: ANN401 -- the same
    """Return an exaggeration; refuse anything else."""
    check_positive("exaggeration", value, most=MOST_EXAGGERATION)
    return float(value)


CHECKS: dict[str, Callable[[object], Any]] = {
    "edges": check_edges,
    "class_names": check_class_names,
    "size_range": check_size_range,
    "theme": check_theme,
    "height": check_height,
    "exaggeration": check_exaggeration,
}


def check(name: str, value: object, columns: ColumnRegistry) -> Any:  # noqa: ANN401 -- as the field is
    """Return the value of a field as a session holds it; one that no function here knows is returned as it is.

    Raises
    ------
    TypeError, ValueError
        If it is invalid, in one sentence.
    """
    if name in EDGE_ROLES:
        return columns.take_edge(name, value)
    if name == "colors":
        return check_colors(value, columns)
    if name in {"arrows", "curved"}:
        return check_edge_flag(name, value, columns.links)
    return CHECKS[name](value) if name in CHECKS else value
