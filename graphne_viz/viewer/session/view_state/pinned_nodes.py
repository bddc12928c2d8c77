"""Nodes that are pinned: rows of numbers and places for the browser, nodes and coordinates of `pos` for Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.viewer.run.placement import ROW, Placement

if TYPE_CHECKING:
    from collections.abc import Hashable

    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.view_state.camera import Camera
    from graphne_viz.viewer.session.view_state.node_sets import NodeSets

Places = dict["Hashable", tuple[float, float]]


def check_rows(value: object, size: int) -> bytes:
    """Return rows of places, ascending by node and each node once; refuse anything else.

    Parameters
    ----------
    value : bytes
        See `ROW`.
    size : int
        Nodes of the graph.
    """
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"bytes were expected, got {type(value).__name__}")
    data = bytes(value)
    if len(data) % ROW.itemsize:
        raise ValueError(f"a node that was moved has {ROW.itemsize} bytes, not {len(data):,} bytes in total")
    rows = np.frombuffer(data, dtype=ROW)
    nodes, first = np.unique(rows["node"], return_index=True)
    if nodes.size and nodes[-1] >= size:
        raise ValueError(f"node {nodes[-1]:,} was moved, but the graph has {size:,} nodes")
    if not (np.isfinite(rows["x"]).all() and np.isfinite(rows["y"]).all()):
        raise ValueError("a node was moved to a place that is not finite")
    return rows[first].tobytes()


class PinnedNodes:
    """Translates what is pinned in a view.

    Parameters
    ----------
    run : Run
        Whose nodes they are.
    nodes : NodeSets
    camera : Camera
        Which knows the coordinates of the frames.
    """

    def __init__(self, run: Run, nodes: NodeSets, camera: Camera) -> None:
        self._run = run
        self._nodes = nodes
        self._camera = camera
        self._known: Places = {}

    def to_python(self, rows: bytes) -> Places:
        """Return the pinned nodes and where they are in the coordinates of `pos`."""
        held = Placement.decode(rows).only_pinned()
        scale, offset = self._camera.translation()
        places = (held.places * scale + offset).tolist()
        found = {node: (x, y) for node, (x, y) in zip(self._nodes.nodes(held.nodes), places, strict=True)}
        # Rows have fewer digits than Python, and what differs by those only is no news.
        if found.keys() != self._known.keys() or not np.allclose(
            list(found.values()), [self._known[node] for node in found], rtol=1e-5, atol=1e-6 * scale
        ):
            self._known = found
        return dict(self._known)

    def check(self, value: object) -> Places:
        """Return nodes and their places; an iterable of nodes pins them where they are.

        Raises
        ------
        ValueError
            If a node is not there, or a place is none, in one sentence.
        """
        numbers = self._nodes.find("pinned", list(value) if isinstance(value, Mapping) else value)
        if not numbers.size:
            return {}
        layout = self._run.layout()
        if layout is None:
            raise ValueError("nodes can be pinned once there are positions; w.run.wait() waits for them")
        names = self._nodes.nodes(numbers)
        if not isinstance(value, Mapping):
            return {node: (x, y) for node, (x, y) in zip(names, layout[numbers].tolist(), strict=True)}
        found = {self._nodes.nodes(self._nodes.find("pinned", [node]))[0]: node for node in value}
        return {node: _check_place(node, value[given]) for node, given in found.items()}

    def to_rows(self, places: Places) -> bytes:
        """Write nodes that Python has pinned; what was moved and is not pinned stays where it is."""
        before, self._known = self._run.placement, dict(places)
        numbers = np.array([int(self._nodes.find("pinned", [node])[0]) for node in places], dtype=np.intp)
        scale, offset = self._camera.translation()
        to = (np.array(list(places.values())).reshape(-1, 2) - offset) / scale
        left = np.isin(before.nodes, numbers, invert=True)
        nodes = np.concatenate([before.nodes[left], numbers])
        order = np.argsort(nodes)
        pinned = np.arange(nodes.size) >= np.count_nonzero(left)
        return Placement(nodes[order], np.concatenate([before.places[left], to])[order], pinned[order]).encode()


def _check_place(node: object, place: Any) -> tuple[float, float]:  # noqa: ANN401 - anything may come
    try:
        x, y = (float(coordinate) for coordinate in place)
    except (TypeError, ValueError):
        x, y = np.nan, np.nan
    if not (np.isfinite(x) and np.isfinite(y)):
        raise ValueError(f"pinned must have two finite numbers for {node!r}, got {place!r}")
    return x, y
