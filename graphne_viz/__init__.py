"""Graph layouts by neighbour embedding: graph t-SNE for networkx and igraph."""

from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.graph import Graph
from graphne_viz.layout.api import graphne_layout, ig_graphne_layout, nx_graphne_layout
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.plot import plot
from graphne_viz.viewer.view import view

if TYPE_CHECKING:
    from graphne_viz.viewer.widget import GraphWidget as GraphWidget

__all__ = [
    "Graph",
    "Snapshot",
    "graphne_layout",
    "ig_graphne_layout",
    "nx_graphne_layout",
    "plot",
    "view",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes are anything
    """Load the widget when it is asked for: it needs what a program that only computes layouts need not install."""
    if name == "GraphWidget":
        from graphne_viz.viewer.widget import GraphWidget  # noqa: PLC0415 - as said

        return GraphWidget
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
