"""Nodes that cover each other in a picture, moved apart by the sizes with which they are drawn there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_positive
from graphne_viz.encoding.columns.node_columns import measured
from graphne_viz.encoding.dots import PIXELS_PER_POINT
from graphne_viz.encoding.sizes import node_areas
from graphne_viz.layout.overlap import PAGE, make_room
from graphne_viz.viewer.run.placement import Placement
from graphne_viz.viewer.run.state_machine import ACTIVE

if TYPE_CHECKING:
    import weakref
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from graphne_viz.viewer.session.session import ViewSession

MOST = 20_000
"""Nodes up to which overlap is removed: more are drawn as points that have no room beside each other."""

_LARGEST = 1_000
_SMALLEST_SCALE, _LARGEST_SCALE = 1e-6, 1e9


def check_scale(fields: Mapping[str, Any]) -> tuple[float, float]:
    """Return how large nodes are drawn: the radius of one of usual size, and the scale of the whole layout, in pixels.

    Raises
    ------
    TypeError, ValueError
        If one of them is nothing that a picture has.
    """
    check_positive("radius", fields.get("radius"), most=_LARGEST)
    check_positive("scale", fields.get("scale"), least=_SMALLEST_SCALE, most=_LARGEST_SCALE)
    return float(fields["radius"]), float(fields["scale"])


def remove_overlap(ref: weakref.ref[ViewSession], radius: float, scale: float) -> int:
    """Move the nodes of a layout at rest apart that cover each other in the picture.

    They are placed as if by hand, but not pinned: the next run takes them from there. Pinned nodes stay, and nodes
    that are hidden neither move nor need room.

    Parameters
    ----------
    ref : weak reference to ViewSession
    radius : float
        Pixels, of a node of usual size.
    scale : float
        Pixels in one unit of the frames, where the whole layout is seen.

    Returns
    -------
    int
        How many nodes were moved.

    Raises
    ------
    RuntimeError
        If the run is active, there are no positions, or the layout has changed meanwhile.
    ValueError
        If there are too many nodes.
    """
    session = ref()
    if session is None:
        return 0
    run, n = session.run, session.graph.n_nodes
    version = session.fields.numbering.tag(b"")
    latest, placement = run.latest, run.placement
    if run.state in ACTIVE:
        raise RuntimeError("overlap can be removed once the run has ended")
    if latest is None or len(latest.positions) != n:
        raise RuntimeError("there are no positions yet, so that no nodes overlap")
    if n > MOST:
        raise ValueError(f"overlap can be removed among up to {MOST:,} nodes; this graph has {n:,}")
    before = latest.positions.astype(np.float64)
    shown = session.fields.visible()
    held = np.zeros(n, dtype=bool)
    held[placement.only_pinned().nodes] = True
    radii = _radii(session, before, radius) / scale
    after = before.copy()
    if shown.any():
        sizes = _page_sizes(radii[shown], before[shown])
        after[shown] = make_room(before[shown], sizes, held[shown])
    if run.state in ACTIVE or run.latest is not latest:
        raise RuntimeError("the layout changed while overlap was removed; try again")
    moved = (after != before).any(axis=1)
    session.receive({"_pinned": version + _placed(after, moved, placement).encode()})
    return int(moved.sum())


def _radii(session: ViewSession, positions: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return the radii with which the browser draws the nodes, in pixels."""
    size = measured(session.columns.column("size", session["size"]), session.graph, positions)
    usual = (2 * radius / PIXELS_PER_POINT) ** 2
    areas = node_areas(size, session.graph.n_nodes, usual, session["size_range"])
    return np.sqrt(areas) / 2 * PIXELS_PER_POINT


def _page_sizes(radii: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the areas, in square points, with which nodes are as large on nx.draw's page."""
    extent = float(np.ptp(positions, axis=0).max())
    if extent == 0:
        return np.zeros(len(radii))
    sizes: NDArray[np.float64] = (2 * np.minimum(radii / extent, 1) * PAGE) ** 2
    return sizes


def _placed(places: NDArray[np.float64], moved: NDArray[np.bool_], before: Placement) -> Placement:
    """Return where nodes were put before, and those that were moved since."""
    put, pinned = moved.copy(), np.zeros(len(moved), dtype=bool)
    put[before.nodes] = True
    pinned[before.nodes] = before.pinned
    nodes = np.flatnonzero(put)
    return Placement(nodes, places[nodes], pinned[nodes])
