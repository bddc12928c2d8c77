"""One view as a page shows it: of a session, or of a graph and its positions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.encoding.columns.edge_columns import AUTO, EDGE_ROLES
from graphne_viz.evaluation.alignment import align
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.run.history import DONE, centred
from graphne_viz.viewer.run.recording import Shot
from graphne_viz.viewer.session.column_registry import ColumnRegistry
from graphne_viz.viewer.session.view_state.appearance import LEAST_HEIGHT, THEMES, check_edge_flag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.session.column_registry import Choice, Role
    from graphne_viz.viewer.session.session import ViewSession

LOOKS = (*EDGE_ROLES, "arrows", "curved", "class_names", "colors", "size_range")
"""Fields of a session that a page has under the same names."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture of a page: what the fields of a session hold. `Panel.of` and `Panel.draw` make them.

    Attributes
    ----------
    graph, extra : bytes
        The graph, and the columns made of the caller's own data, as `ColumnRegistry` encodes them.
    shots : sequence of Shot
        The way to the layout, which is the last of them.
    title, caption : str
        Plain text above and below the picture.
    color, size, label : str
        Keys of columns, "" for none.
    edges : bool
    looks : mapping
        The other fields of the session that say how it looks: `LOOKS`. Those that are left out have their defaults.
    theme : {"auto", "light", "dark"}
    height : int or None
        In pixels; None for what suits the window.
    status : mapping
        As from ``run.status()``.
    selection : sequence of int
        Numbers of nodes.
    rotation : sequence of float
        How the picture is rotated, as the session's field has it; empty for not at all.
    view : mapping
        Camera, tool, lens, filters and legend, as `graphne_viz.viewer.session.view_state.view_settings` describes them.
    hidden : bytes
        Nodes that are hidden one by one, a bit each.
    pinned : bytes
        Nodes that were put somewhere by hand, as `Placement` encodes them.
    """

    graph: bytes
    shots: Sequence[Shot]
    extra: bytes = b""
    title: str = ""
    caption: str = ""
    color: str = ""
    size: str = ""
    label: str = ""
    edges: bool = True
    looks: Mapping[str, Any] = field(default_factory=dict)
    theme: str = "auto"
    height: int | None = None
    status: Mapping[str, Any] = field(default_factory=dict)
    selection: Sequence[int] = ()
    rotation: Sequence[float] = ()
    view: Mapping[str, Any] = field(default_factory=dict)
    hidden: bytes = b""
    pinned: bytes = b""

    @classmethod
    def of(cls, session: ViewSession, *, title: str = "", caption: str = "", replay: bool = True) -> Panel:
        """Take over what a session shows now.

        Raises
        ------
        ValueError
            If it shows nothing yet.
        """
        state = session.state()
        shots = session.run.shots() if replay else session.run.shots()[-1:]
        if not shots:
            raise ValueError("there is no layout yet, so there is nothing to write; wait for it with w.run.wait()")
        return cls(
            graph=state["_graph"],
            shots=shots,
            extra=state["_extra"],
            title=title,
            caption=caption,
            color=state["color"],
            size=state["size"],
            label=state["label"],
            edges=state["edges"],
            looks={name: state[name] for name in LOOKS},
            theme=state["theme"],
            status=state["_status"],
            selection=np.frombuffer(session["_selected"], dtype="<u4").tolist(),
            rotation=state["_rotation"],
            view=state["_view"],
            hidden=session["_hidden"],
            pinned=session["_pinned"],
        )

    @classmethod
    def draw(
        cls,
        graph: Graph,
        positions: NDArray[np.float64],
        *,
        color: Choice = None,
        size: Choice = None,
        label: Choice = None,
        edges: bool = True,
        theme: str = "auto",
        height: int | None = None,
        title: str = "",
        caption: str = "",
        shots: Sequence[Shot] = (),
        columns: ColumnRegistry | None = None,
    ) -> Panel:
        """Make a panel without a session.

        Parameters
        ----------
        graph : Graph
        positions : ndarray, shape (n, 2)
        color, size, label, edges, theme, height
            As for `graphne_viz.view`.
        title, caption : str
        shots : sequence of Shot
            The way to the positions, for a replay.
        columns : ColumnRegistry, optional
            Those of the graph, where several panels show it: they are worked out once.

        Raises
        ------
        ValueError, TypeError
            If something does not suit, in one sentence.
        """
        if positions.shape != (graph.n_nodes, 2) or not np.isfinite(positions).all():
            raise ValueError(f"positions must be finite numbers of shape ({graph.n_nodes}, 2), got {positions.shape}")
        if theme not in THEMES:
            raise ValueError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {theme!r}")
        if height is not None:
            check_integer("height", height, least=LEAST_HEIGHT)
        columns = ColumnRegistry(graph) if columns is None else columns
        looks: dict[Role, Choice] = {"color": color, "size": size, "label": label}
        kept = {role: columns.take(role, choice)[0] for role, choice in looks.items()}
        iteration = shots[-1].iteration if shots else 0
        kl = shots[-1].kl if shots else math.nan
        # The end of a recording has to lie, and to be as large, as the recording has it.
        placed = align(positions, shots[-1].positions).astype(np.float32) if shots else centred(positions)
        last = Shot.of(Snapshot(iteration, DONE, kl, placed))
        before = [shot for shot in shots if shot.iteration < iteration]
        return cls(
            graph=columns.graph_bytes(),
            shots=[*before, last],
            extra=columns.extra_bytes(),
            title=title,
            caption=caption,
            color=columns.key("color", kept["color"]),
            size=columns.key("size", kept["size"]),
            label=columns.key("label", kept["label"]),
            edges=edges,
            looks=_default_looks(columns),
            theme=theme,
            height=height,
            status=_status_of([*before, last]),
        )


def _default_looks(columns: ColumnRegistry) -> dict[str, object]:
    """Return how edges and names look where nobody has said it, as the browser gets it."""
    return {
        "edge_width": columns.edge_key("edge_width", columns.take_edge("edge_width", AUTO)),
        "arrows": check_edge_flag("arrows", None, columns.links),
        "curved": check_edge_flag("curved", None, columns.links),
    }


def _status_of(shots: Sequence[Shot]) -> dict[str, object]:
    last = shots[-1]
    known = [[shot.iteration, shot.kl] for shot in shots if math.isfinite(shot.kl)]
    return {
        "state": "finished" if len(shots) > 1 else "idle",
        "iteration": last.iteration,
        "total": last.iteration,
        "kl": last.kl if math.isfinite(last.kl) else None,
        "history": known,
    }
