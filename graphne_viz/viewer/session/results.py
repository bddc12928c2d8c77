"""What Python asks of a session: positions, the embedding, the selected part of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.graphs.convert.api import to_native
from graphne_viz.graphs.convert.subgraph import subgraph
from graphne_viz.viewer.run.frame_callback import CallbackTask

if TYPE_CHECKING:
    from graphne_viz._types import Foreign
    from graphne_viz.viewer.run.frame_callback import FrameCallback
    from graphne_viz.viewer.session.session import ViewSession


def positions(session: ViewSession) -> Foreign:
    """Return what `graphne_layout` would return now; None before the first snapshot."""
    found = session.run.layout()
    return None if found is None else to_native(session.graph, found)


def embedding(session: ViewSession) -> Foreign:
    """Return the `Embedding` that is projected; None without one, and until a training has ended."""
    return getattr(session.run.task, "embedding", None)


def callback(session: ViewSession) -> FrameCallback:
    """Return what to hand to openTSNE as a callback, in a view that was made with ``live="callback"``."""
    task = session.run.task
    if not isinstance(task, CallbackTask):
        raise AttributeError(  # noqa: TRY004 - as any attribute that is not there
            'only a view that waits for frames has a callback: view(G, live="callback")'
        )
    return task.callback


def selected_subgraph(session: ViewSession) -> Foreign:
    """Return the selected nodes and the edges between them as a graph of the kind that was given.

    Returns
    -------
    graph
        A copy of the same kind: a networkx, igraph or rustworkx graph, a table, AnnData, a sparse or square
        matrix; for everything else a `Graph`.
    """
    numbers = np.frombuffer(session["_selected"], dtype="<u4")
    return subgraph(session.source, session.graph, numbers.astype(np.intp))
