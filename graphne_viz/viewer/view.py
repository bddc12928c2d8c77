"""`view`: a graph in a notebook, while its layout forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz._keywords import with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz.viewer.keywords import ViewKeywords
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.transport.kernel_busy import kernel_is_busy

if TYPE_CHECKING:
    from typing import Unpack

    from graphne_viz._types import Foreign
    from graphne_viz.viewer import widget as widgets
    from graphne_viz.viewer.widget import GraphWidget
else:
    widgets = lazy_import("graphne_viz.viewer.widget")


@with_keywords(ViewKeywords)
def view(G: Foreign = None, pos: Foreign = None, **keywords: Unpack[ViewKeywords]) -> GraphWidget:
    """Look at a graph in a notebook while its layout forms, and steer it.

    The layout runs in the background: the cell returns at once, and the kernel stays free.

    Parameters
    ----------
    G : graph, optional
        Anything `graphne_layout` accepts. It is not changed, except by `store_pos_as`. Left out, `edges` are the graph:
        ``view(edges=df, nodes=df2, source="from", target="to", id="key")``.
    pos : dict, igraph.Layout or array of shape (n, 2), optional
        A finished layout, which is shown as it is; with ``live=True`` or `fixed`, positions to start from.
    **keywords
        See `ViewKeywords`.

    Returns
    -------
    GraphWidget
        A widget with `run` (``pause()``, ``resume()``, ``stop()``, ``restart()``, ``wait()``), `exaggeration`, `pos`,
        `selection`, `hidden`, `filters`, `camera`, `tool`, `lens`, `selected_subgraph()`, `color`, `size`, `label`,
        `classes()` and `misplaced()`.

    Raises
    ------
    ImportError
        If anywidget is not installed.
    TypeError, ValueError
        If an argument is invalid, before anything is started.

    Notes
    -----
    The callback is called in the run's thread, and the view gets a frame as often; without one, a large graph's view
    gets about 30 a second at most. Positions are stored, as `store_pos_as` says, whenever a run ends.

    ipywidgets keeps every widget until it is closed: one that is only forgotten keeps running until its run ends.
    ``w.close()`` ends both.

    Examples
    --------
    >>> import networkx as nx
    >>> w = view(nx.karate_club_graph(), color="club", live=False)
    >>> w.run.state, len(w.pos)
    ('finished', 34)
    >>> w.close()
    """
    widget = _widget_class()
    session = open_session(G, pos, busy=kernel_is_busy, **keywords)
    made = widget(session)
    session.start()
    return made


def _widget_class() -> type[GraphWidget]:
    """Load the widget, which needs what a program that only computes layouts need not install."""
    try:
        return widgets.GraphWidget
    except ModuleNotFoundError as error:
        if error.name not in {"anywidget", "ipywidgets", "traitlets"}:
            raise
        raise ImportError("view needs anywidget: pip install 'graphne-viz[viewer]'") from error
