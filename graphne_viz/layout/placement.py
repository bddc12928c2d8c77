"""Positions as callers give them and want them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

_LARGEST = 1e100
"""Largest coordinate that can be squared and added up."""

_TWINS_APART = 0.05
"""Distance between nodes of one point after `separate_coincident`, as a share of a regular grid's."""

_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def given_positions(graph: Graph, pos: Any) -> NDArray[np.float64] | None:  # noqa: ANN401 - dict, Layout or array
    """Read a caller's ``pos``; NaN where a node has none.

    Parameters
    ----------
    graph : Graph
        The graph with n nodes.
    pos : dict, igraph.Layout, array of shape (n, 2) or None
        Positions of all or some nodes. Nodes of a dict that the graph does not have are ignored.

    Returns
    -------
    ndarray of float64, shape (n, 2), or None where no node is placed
    """
    if pos is None:
        return None
    if isinstance(pos, Mapping):
        placed = np.full((graph.n_nodes, 2), np.nan)
        for i, node in enumerate(graph.ids):
            if node in pos:
                placed[i] = _point(node, pos[node])
    else:
        placed = _array(pos, graph.n_nodes)
    return None if np.isnan(placed).all() else placed


def which_fixed(
    graph: Graph, fixed: Iterable[Hashable] | None, placed: NDArray[np.float64] | None
) -> NDArray[np.bool_] | None:
    """Mark the fixed nodes, shape (n,); None where there are none."""
    if fixed is None:
        return None
    if isinstance(fixed, str) or not isinstance(fixed, Iterable):
        raise TypeError(f"fixed must be an iterable of nodes, got {fixed!r}")
    if placed is None:
        raise ValueError("nodes are fixed without positions given: pass their positions as pos")
    number = {node: i for i, node in enumerate(graph.ids)}
    anchors = np.zeros(graph.n_nodes, dtype=bool)
    for node in fixed:
        if node not in number:
            raise ValueError(f"fixed node {node!r} is not in the graph")
        if np.isnan(placed[number[node]]).any():
            raise ValueError(f"nodes are fixed without positions given: {node!r} is not in pos")
        anchors[number[node]] = True
    return anchors if anchors.any() else None


def rescale(positions: NDArray[np.float64], scale: float | None, center: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre a layout and make its longer half-extent ``scale``, as networkx does; None keeps the size.

    Examples
    --------
    >>> rescale(np.array([[0.0, 0.0], [4.0, 2.0]]), 1, np.zeros(2))
    array([[-1. , -0.5],
           [ 1. ,  0.5]])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        positions = positions - (positions.min(axis=0) + positions.max(axis=0)) / 2
        reach = np.abs(positions).max(initial=0)
        if scale is not None and reach > 0:
            positions *= scale / reach
        positions = positions + center
    if not np.isfinite(positions).all():
        raise ValueError(f"the layout is not finite: scale={scale!r} and center={center.tolist()} are too large for it")
    return positions


def separate_coincident(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move nodes that stand on exactly one point to a small spiral around it, so that each can be seen.

    t-SNE puts nodes with the same neighbours, a hub's leaves for example, on one point.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        Any layout.

    Returns
    -------
    ndarray, shape (n, 2)
        No two rows are equal, unless all are.
    """
    # numpy sorts complex numbers by both coordinates and lets go of the GIL, unlike `np.unique` of rows: a kernel stood
    # still for seconds at the end of a large run.
    points = np.ascontiguousarray(positions, dtype=np.float64).view(np.complex128)[:, 0]
    order = np.argsort(points, kind="stable")
    ordered = points[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(points)])
    if first.size in (1, len(points)):
        return positions
    sizes = np.diff(first, append=len(points))
    rank = np.empty(len(points))
    rank[order] = np.arange(len(points)) - np.repeat(first, sizes)
    pitch = np.ptp(positions, axis=0).max() / np.sqrt(len(positions))
    radius, angle = _TWINS_APART * pitch * np.sqrt(rank), _GOLDEN_ANGLE * rank
    spiral: NDArray[np.float64] = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return positions + spiral


def _point(node: Hashable, value: Any) -> NDArray[np.float64]:  # noqa: ANN401 - whatever stands in a dict
    """Read one node's position."""
    try:
        point = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        point = np.empty(0)
    if point.shape != (2,) or not (np.abs(point) <= _LARGEST).all():
        raise ValueError(f"pos[{node!r}] must be two finite numbers within {_LARGEST:g}, got {value!r}")
    return point


def _array(pos: Any, n: int) -> NDArray[np.float64]:  # noqa: ANN401 - array or igraph.Layout
    """Read positions given in the order of the nodes."""
    try:
        placed = np.array(list(pos) if not isinstance(pos, np.ndarray) else pos, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"pos must be a dict, an igraph.Layout or an array of shape ({n}, 2), got {type(pos).__name__}"
        ) from None
    if placed.shape != (n, 2):
        raise ValueError(f"pos must have shape ({n}, 2), got {placed.shape}")
    if (np.abs(placed) > _LARGEST).any():
        raise ValueError(f"pos must be finite and within {_LARGEST:g}, got {placed[np.abs(placed) > _LARGEST][0]}")
    placed[np.isnan(placed).any(axis=1)] = np.nan
    return placed
