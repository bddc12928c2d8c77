"""Graph layouts by neighbour embedding: graph t-SNE for networkx and igraph."""

from graphne_viz.graphs.graph import Graph
from graphne_viz.layout.api import graphne_layout, ig_graphne_layout, nx_graphne_layout
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.plot import plot

__all__ = [
    "Graph",
    "Snapshot",
    "graphne_layout",
    "ig_graphne_layout",
    "nx_graphne_layout",
    "plot",
]
